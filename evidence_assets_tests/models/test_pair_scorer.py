"""Pairs scored by a cross-encoder, and by the encoder that stands in for one."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification, BertTokenizer

from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.pair_scorer import (
    CROSS_ENCODER,
    ENCODER_SIMILARITY,
    CrossEncoderScorer,
    EncoderSimilarity,
    PairScorer,
    load_cross_encoder,
)
from evidence_assets.models.profiles import PROFILES
from evidence_assets.models.provider import PairScorerSettings
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.text_encoders import TextEncoder
from evidence_assets_tests.testing.untyped import untyped

WORDS = ["what", "eats", "kelp", "grass", "a", "sea", "urchin", "cow", "the", "moon", "is", "far", "?"]


class HashEncoder(TextEncoder):
    """A unit vector a text by its hash."""

    encoder_id, dimension, max_tokens = "hashed@7", 6, 64

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        seeds = [hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts]
        drawn = [np.random.default_rng(list(seed)).normal(size=6) for seed in seeds]
        return np.array([row / np.linalg.norm(row) for row in drawn], np.float32).reshape(-1, 6)


def save_model(folder: Path, seed: int = 0, labels: int = 1) -> Path:
    """A BERT of two small layers with its tokenizer, of random weights."""
    folder.mkdir(parents=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]), encoding="utf-8")
    tokenizer = BertTokenizer(str(vocabulary), model_max_length=32)
    torch.manual_seed(seed)
    shape = untyped(BertConfig)(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
        num_labels=labels,
        initializer_range=0.5,
    )
    model = untyped(BertForSequenceClassification)(shape)
    untyped(model.eval)().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def location(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("models") / "tiny-ranker")


@pytest.fixture(scope="module")
def scorer(location: Path) -> CrossEncoderScorer:
    return CrossEncoderScorer(str(location), device="cpu", batch_size=4)


def some_pairs(count: int, seed: int = 0) -> tuple[list[str], list[str]]:
    """Pairs of texts of any length, longer ones than the model reads among them."""
    random = np.random.default_rng(seed)

    def text(longest: int) -> str:
        return " ".join(random.choice(WORDS, size=random.integers(1, longest)))

    return [text(8) for _ in range(count)], [text(40) for _ in range(count)]


# --- the encoder standing in


@examples(40)
@given(pairs=st.lists(st.tuples(st.sampled_from("abcd"), st.text(max_size=5)), max_size=20))
def test_the_stand_in_scores_by_the_cosine(pairs: list[tuple[str, str]]) -> None:
    encoder = HashEncoder()
    queries, texts = [query for query, _ in pairs], [text for _, text in pairs]
    scores = EncoderSimilarity(encoder).score(queries, texts)
    assert scores.shape == (len(pairs),)
    assert sorted(encoder.texts) == sorted({*queries, *texts}), "every text is encoded once"
    query_vectors, text_vectors = encoder.encode(queries).astype(float), encoder.encode(texts).astype(float)
    np.testing.assert_allclose(scores, (query_vectors * text_vectors).sum(axis=1), atol=1e-6)
    by_pair: dict[tuple[str, str], float] = {}
    for pair, score in zip(pairs, scores.tolist(), strict=True):
        assert by_pair.setdefault(pair, score) == score


def test_the_stand_in_says_what_it_is() -> None:
    scorer: PairScorer = EncoderSimilarity(HashEncoder())
    assert scorer.measure == ENCODER_SIMILARITY
    assert scorer.scorer_id == f"{ENCODER_SIMILARITY}:hashed@7"


def test_a_remembering_encoder_stands_in_as_its_own_does(tmp_path: Path) -> None:
    queries, texts = some_pairs(30)
    plain = EncoderSimilarity(HashEncoder())
    remembering = EncoderSimilarity(CachedEncoder(HashEncoder(), tmp_path))
    assert remembering.scorer_id == plain.scorer_id
    np.testing.assert_array_equal(remembering.score(queries, texts), plain.score(queries, texts))
    assert remembering.score([], []).shape == (0,)


# --- the cross-encoder


def logits(location: Path, queries: Sequence[str], texts: Sequence[str]) -> np.ndarray:
    """What transformers itself gives for the pairs, one by one."""
    tokenizer = AutoTokenizer.from_pretrained(location)
    model = untyped(BertForSequenceClassification.from_pretrained(location).eval)()
    with torch.inference_mode():
        return np.array(
            [
                model(
                    **tokenizer(query, text, truncation=True, max_length=32, return_tensors="pt")
                ).logits.item()
                for query, text in zip(queries, texts, strict=True)
            ]
        )


def test_scores_are_transformers_own_logits(scorer: CrossEncoderScorer, location: Path) -> None:
    queries, texts = some_pairs(25)
    scores = scorer.score(queries, texts)
    expected = logits(location, queries, texts)
    assert scores.dtype == np.float32
    assert expected.std() > 0.05, "the model tells pairs apart"
    assert (expected < 0).any(), "raw, not a probability"
    np.testing.assert_allclose(scores, expected, atol=1e-5)
    assert scorer.measure == CROSS_ENCODER


def test_the_company_of_a_pair_does_not_change_its_score_or_rank(scorer: CrossEncoderScorer) -> None:
    queries, texts = some_pairs(30, seed=3)
    together = scorer.score(queries, texts)
    alone = np.concatenate(
        [scorer.score([query], [text]) for query, text in zip(queries, texts, strict=True)]
    )
    np.testing.assert_allclose(together, alone, atol=3e-6)
    order = np.random.default_rng(1).permutation(30)
    moved = scorer.score([queries[place] for place in order], [texts[place] for place in order])
    np.testing.assert_allclose(moved, together[order], atol=3e-6)
    distinct = np.abs(np.diff(np.sort(together))).min() > 1e-5
    assert distinct, "draw other pairs: these have near ties, whose order means nothing"
    np.testing.assert_array_equal(np.argsort(-moved), np.argsort(-together[order]))


def test_equal_pairs_are_scored_once_and_alike(
    scorer: CrossEncoderScorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries, texts = some_pairs(5, seed=4)
    scored: list[tuple[str, str]] = []
    predict = scorer._model.predict

    def counting(pairs: list[tuple[str, str]], **options: object) -> np.ndarray:
        scored.extend(pairs)
        scores: np.ndarray = predict(pairs, **options)
        return scores

    monkeypatch.setattr(scorer._model, "predict", counting)
    scores = scorer.score(queries * 3, texts * 3)
    np.testing.assert_array_equal(scores, np.tile(scores[:5], 3))
    assert sorted(scored) == sorted(set(zip(queries, texts, strict=True)))


def test_no_pairs_have_no_scores(scorer: CrossEncoderScorer) -> None:
    assert scorer.score([], []).shape == (0,)
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        scorer.score(["a", "b"], ["a"])


def test_texts_without_a_known_word_are_scored_all_the_same(scorer: CrossEncoderScorer) -> None:
    scores = scorer.score(["", "what ?", "火"], ["", "", "kelp " * 500])
    assert np.isfinite(scores).all()


def test_the_end_of_a_long_query_is_read_whole_whatever_stands_beside_it(location: Path) -> None:
    """The option stands last: of 29 tokens a query takes 14 at most, from its end."""
    scorer = CrossEncoderScorer(str(location), device="cpu")
    case = "what eats kelp " * 20
    ends = [f"{case}grass a sea urchin cow", f"{case}grass a sea urchin moon"]
    text = "kelp " * 40
    scores = scorer.score(ends, [text, text])
    assert scores[0] != scores[1]
    query_ends = [" ".join(query.split()[-14:]) for query in ends]
    np.testing.assert_allclose(scores, scorer.score(query_ends, [text, text]), atol=3e-6)
    assert scorer.cut == 4
    scorer.score(["what eats kelp"], ["a sea urchin"])
    assert scorer.cut == 4


def test_a_model_that_classifies_is_refused_with_the_remedy(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "two", labels=2)
    with pytest.raises(ValueError, match=r"gives 2 numbers a pair; remedy: name one that ranks") as raised:
        CrossEncoderScorer(str(folder), device="cpu")
    assert str(folder) in str(raised.value)


def test_the_id_follows_the_weights_and_not_the_place(
    scorer: CrossEncoderScorer, location: Path, tmp_path: Path
) -> None:
    moved = shutil.copytree(location, tmp_path / "elsewhere" / location.name)
    reseeded = save_model(tmp_path / "other" / location.name, seed=1)
    name, _, digest = scorer.scorer_id.partition("@")
    assert name == f"{CROSS_ENCODER}:tiny-ranker"
    assert len(digest) == 12
    assert CrossEncoderScorer(str(moved), device="cpu").scorer_id == scorer.scorer_id
    assert CrossEncoderScorer(f"{moved}/", device="cpu").scorer_id == scorer.scorer_id
    assert CrossEncoderScorer(str(reseeded), device="cpu").scorer_id.startswith(f"{name}@")
    assert CrossEncoderScorer(str(reseeded), device="cpu").scorer_id != scorer.scorer_id


# --- the resource


def test_without_a_cross_encoder_the_encoder_stands_in_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVIDENCE_PROFILE", raising=False)
    assert PROFILES["starter"].cross_encoder_location == ""
    for chosen in (PairScorerSettings(), PairScorerSettings(profile="starter")):
        scorer = chosen.load(HashEncoder())
        assert isinstance(scorer, EncoderSimilarity)
        assert scorer.scorer_id == f"{ENCODER_SIMILARITY}:hashed@7"


def test_a_cross_encoder_that_is_named_is_loaded_once(location: Path) -> None:
    load_cross_encoder.cache_clear()
    chosen = PairScorerSettings(location=str(location), device="cpu")
    scorer = chosen.load(HashEncoder())
    assert isinstance(scorer, CrossEncoderScorer)
    assert scorer.scorer_id.startswith(f"{CROSS_ENCODER}:tiny-ranker@")
    assert chosen.load(HashEncoder()) is scorer


def test_a_profile_names_its_cross_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        "evidence_assets.models.pair_scorer.load_cross_encoder", lambda *arguments: loaded.append(arguments)
    )
    for name in ("laptop", "paper"):
        monkeypatch.setenv("EVIDENCE_PROFILE", name)
        PairScorerSettings().load(HashEncoder())
        PairScorerSettings(profile=name, revision="abc", device="cpu").load(HashEncoder())
        default = PROFILES[name].cross_encoder_location
        assert loaded[-2:] == [(default, None, None), (default, "abc", "cpu")]
    # A location of one's own goes before the profile's.
    PairScorerSettings(profile="paper", location="mine").load(HashEncoder())
    assert loaded[-1] == ("mine", None, None)
