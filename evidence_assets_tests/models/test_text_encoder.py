"""The sentence-transformers backend: what a text's vectors depend on, and what they do not."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.lake.schemas import QUESTIONS
from evidence_assets.models.encoder import (
    PADDING_MULTIPLE,
    EncodedWords,
    SentenceTransformerEncoder,
    packaged_minilm,
    plan_batches,
)
from evidence_assets.models.encoder_loading import load_encoder
from evidence_assets.text.queries import queries, shorten_questions
from evidence_assets.text.words import words
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.question_rows import question_row
from evidence_assets_tests.testing.untyped import untyped

pytestmark = pytest.mark.xdist_group("minilm")

TEXTS = [
    "Aspirin inhibits cyclooxygenase.",
    "",
    "The snake_case x=3.5 mg/kg isn't new.",
    "Über-große Wörter, naïve café.",
    "東京 is the capital of Japan.",
    "The cat sat on the mat. " * 4,
    "?",
    *(f"Text number {number}: " + "word " * (number % 13) for number in range(17)),
]


@pytest.fixture(scope="module")
def encoder() -> SentenceTransformerEncoder:
    return load_encoder("all-MiniLM-L6-v2", packaged_minilm(), None, "cpu")


@pytest.fixture(scope="module")
def vectors(encoder: SentenceTransformerEncoder) -> np.ndarray:
    return encoder.encode(TEXTS)


def test_options_behind_a_question_longer_than_the_encoder_takes_have_vectors_of_their_own(
    encoder: SentenceTransformerEncoder,
) -> None:
    """The encoder alone cuts the end off, where the option stands: every option is the same text then."""
    question_end = "Which of these drugs should be given first?"
    text = " ".join(f"The patient has had symptom number {number} for a week." for number in range(27))
    row = question_row("q", f"{text} {question_end}", ["aspirin", "insulin", "a blood transfusion"], 0)
    rows = pa.Table.from_pylist([row], QUESTIONS.schema)
    cut = encoder.encode([query.text for query in queries(rows)])
    np.testing.assert_array_equal(cut[1], cut[2])
    shortened = shorten_questions(rows, encoder.count_tokens, encoder.max_tokens)
    texts = [query.text for query in queries(rows, shortened)]
    assert encoder.max_tokens - 5 < max(encoder.count_tokens(texts)) <= encoder.max_tokens
    assert all(question_end in text for text in texts)
    assert [text.endswith(option) for text, option in zip(texts[1:], row["options"], strict=True)] == [
        True
    ] * 3
    cosines = encoder.encode(texts) @ encoder.encode(texts).T
    assert cosines[1:, 1:][~np.eye(3, dtype=bool)].max() < 0.995
    assert shortened.cut_options == []


@examples(300)
@given(lengths=st.lists(st.integers(1, 300), max_size=60), budget=st.integers(1, 3000))
def test_batches_hold_every_text_within_the_budget(lengths: list[int], budget: int) -> None:
    batches = list(plan_batches(lengths, budget))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    padded = [[-(-lengths[index] // PADDING_MULTIPLE) for index in batch] for batch in batches]
    for batch, sizes in zip(batches, padded, strict=True):
        assert len(set(sizes)) == 1
        assert len(batch) == 1 or len(batch) * sizes[0] * PADDING_MULTIPLE <= budget
    assert [sizes[0] for sizes in padded] == sorted((sizes[0] for sizes in padded), reverse=True)
    # No two neighbours of one length would have fitted into one batch.
    for before, after in pairwise(padded):
        if before[0] == after[0]:
            assert (len(before) + 1) * before[0] * PADDING_MULTIPLE > budget


def test_the_company_of_a_text_does_not_change_a_bit(
    encoder: SentenceTransformerEncoder, vectors: np.ndarray
) -> None:
    order = np.random.default_rng(0).permutation(len(TEXTS))
    np.testing.assert_array_equal(encoder.encode([TEXTS[place] for place in order]), vectors[order])
    np.testing.assert_array_equal(encoder.encode(TEXTS[3:9]), vectors[3:9])
    np.testing.assert_array_equal(encoder.encode(TEXTS[:5] * 4), np.tile(vectors[:5], (4, 1)))
    for place in (0, 1, 5, 11, 19):
        np.testing.assert_array_equal(encoder.encode([TEXTS[place]]), vectors[place : place + 1])


def test_the_company_of_a_text_does_not_change_its_words(encoder: SentenceTransformerEncoder) -> None:
    together = encoder.encode_words(TEXTS)
    for place in (1, 2, 4, 5, 20):
        (alone,) = encoder.encode_words([TEXTS[place]])
        assert alone.words == together[place].words
        np.testing.assert_array_equal(alone.vectors, together[place].vectors)
        np.testing.assert_array_equal(alone.sentence, together[place].sentence)


def test_vectors_are_those_of_sentence_transformers(
    encoder: SentenceTransformerEncoder, vectors: np.ndarray
) -> None:
    theirs = encoder.model.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, theirs, atol=1e-5)


def test_words_are_the_texts_words_with_raw_and_unit_vectors(
    encoder: SentenceTransformerEncoder, vectors: np.ndarray
) -> None:
    for text, encoded, vector in zip(TEXTS, encoder.encode_words(TEXTS), vectors, strict=True):
        assert encoded.words == words(text)
        assert encoded.vectors.shape == (len(encoded.words), encoder.dimension)
        norms = np.linalg.norm(encoded.vectors, axis=1, keepdims=True)
        assert encoded.unit.dtype == np.float32
        np.testing.assert_allclose(encoded.unit * norms, encoded.vectors, atol=1e-5)
        np.testing.assert_allclose(np.linalg.norm(encoded.unit, axis=1), 1, atol=1e-5)
        assert not len(norms) or norms.min() > 1.5
        np.testing.assert_array_equal(encoded.sentence, vector)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_words_vector_is_the_mean_of_its_pieces(encoder: SentenceTransformerEncoder) -> None:
    text = "electroencephalography works"
    tokens = encoder.model.encode([text], output_value="token_embeddings", show_progress_bar=False)[0]
    pieces = encoder.model.tokenizer.tokenize(text)
    first = sum(piece.startswith("##") for piece in pieces) + 1
    assert first > 1
    means = np.stack(
        [part.cpu().numpy().mean(axis=0) for part in (tokens[1 : 1 + first], tokens[1 + first : -1])]
    )
    (encoded,) = encoder.encode_words([text])
    np.testing.assert_allclose(encoded.vectors, means, atol=1e-5)
    np.testing.assert_allclose(encoded.unit, means / np.linalg.norm(means, axis=1, keepdims=True), atol=1e-5)


def test_a_zero_vector_stays_zero() -> None:
    encoded = EncodedWords(["a", "b"], np.array([[0, 0], [3, 4]], np.float32), np.ones(2, np.float32))
    np.testing.assert_allclose(encoded.unit, [[0.0, 0.0], [0.6, 0.8]], rtol=1e-6)


# What the tokenizer drops joins two words into one piece; both words must keep a vector.
@pytest.mark.parametrize("text", ["a\u200bb c", "cafe\u0301s and bars"])
def test_words_are_the_texts_words_around_dropped_characters(
    text: str, encoder: SentenceTransformerEncoder
) -> None:
    (encoded,) = encoder.encode_words([text])
    assert encoded.words == words(text)


def test_nothing_gives_nothing(encoder: SentenceTransformerEncoder) -> None:
    assert encoder.encode([]).shape == (0, encoder.dimension)
    assert encoder.encode_words([]) == []
    assert encoder.count_tokens([]) == []
    (empty,) = encoder.encode_words([""])
    assert empty.words == []
    assert empty.vectors.shape == (0, encoder.dimension)
    assert encoder.count_tokens(["", "cat"]) == [2, 3]


def test_text_beyond_the_limit_is_cut_but_counted_whole(encoder: SentenceTransformerEncoder) -> None:
    limit = encoder.max_tokens
    assert limit == 256
    head = ("cat dog " * limit).split()
    long, cut = " ".join(head), " ".join(head[: limit - 2])
    assert encoder.count_tokens([long]) == [2 * limit + 2]
    encoded = encoder.encode_words([long, cut])
    assert encoded[0].words == encoded[1].words == head[: limit - 2]
    np.testing.assert_array_equal(encoded[0].vectors, encoded[1].vectors)
    np.testing.assert_array_equal(*encoder.encode([long, cut]))


def test_the_encoder_is_loaded_once_a_process(encoder: SentenceTransformerEncoder) -> None:
    assert load_encoder("all-MiniLM-L6-v2", packaged_minilm(), None, "cpu") is encoder
    name, _, digest = encoder.encoder_id.partition("@")
    assert name == "all-MiniLM-L6-v2"
    assert len(digest) == 12


def tiny_model(folder: Path, seed: int = 0, limit: int = 20) -> Path:
    """A random BERT of one layer with a WordPiece vocabulary of single letters and a few words."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules as parts
    from transformers import BertConfig, BertModel, BertTokenizer

    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,"
    vocabulary = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *letters,
        *(f"##{c}" for c in letters),
        "cat",
        "mat",
    ]
    raw = folder / "raw"
    raw.mkdir(parents=True)
    (raw / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    BertTokenizer(vocab=str(raw / "vocab.txt"), do_lower_case=True).save_pretrained(raw)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    untyped(BertModel)(config).save_pretrained(raw)
    transformer = parts.Transformer(str(raw), max_seq_length=limit)
    pooling = parts.Pooling(16, pooling_mode="mean")
    model = SentenceTransformer(modules=[transformer, pooling], device="cpu")
    model.save(str(folder / "model"))
    return folder / "model"


def test_any_local_model_loads_by_path(tmp_path: Path) -> None:
    place = tiny_model(tmp_path)
    tiny = SentenceTransformerEncoder("tiny", str(place), device="cpu", token_budget=64)
    assert (tiny.dimension, tiny.max_tokens) == (16, 20)
    texts = ["cat mat", "the cat", "", "cat " * 30, "mat cat " * 9, "a b c"]
    assert tiny.count_tokens(["cat mat", "cats"]) == [4, 4]
    encoded = tiny.encode(texts)
    np.testing.assert_allclose(
        encoded, tiny.model.encode(texts, normalize_embeddings=True, show_progress_bar=False), atol=1e-5
    )
    for place_, text in enumerate(texts):
        np.testing.assert_array_equal(tiny.encode([text])[0], encoded[place_])
    assert tiny.encode_words(["A cat, 3 mats."])[0].words == ["a", "cat", "3", "mats"]
    # 20 is no multiple of 8: the padding must stop at the limit.
    assert tiny.encode_words(["cat " * 30])[0].words == ["cat"] * 18


def test_the_id_is_the_weights(tmp_path: Path) -> None:
    first = SentenceTransformerEncoder("tiny", str(tiny_model(tmp_path / "a")), device="cpu")
    same = SentenceTransformerEncoder("tiny", str(tmp_path / "a" / "model"), device="cpu")
    reseeded = SentenceTransformerEncoder("tiny", str(tiny_model(tmp_path / "b", seed=1)), device="cpu")
    assert first.encoder_id == same.encoder_id
    assert first.encoder_id != reseeded.encoder_id


def test_the_id_knows_how_words_are_pooled_and_split(tmp_path: Path) -> None:
    """The same weights pooled otherwise give other vectors: they must not share a cache."""
    import json

    place = tiny_model(tmp_path)
    mean = SentenceTransformerEncoder("tiny", str(place), device="cpu")
    (settings_file,) = place.glob("*Pooling/config.json")
    text = settings_file.read_text(encoding="utf-8")
    changed = json.loads(text)
    if "pooling_mode" in changed:
        changed["pooling_mode"] = "cls"
    else:
        changed["pooling_mode_mean_tokens"], changed["pooling_mode_cls_token"] = False, True
    settings_file.write_text(json.dumps(changed), encoding="utf-8")
    first_token = SentenceTransformerEncoder("tiny", str(place), device="cpu")
    assert not np.allclose(mean.encode(["cat mat"]), first_token.encode(["cat mat"]))
    assert mean.encoder_id != first_token.encoder_id
