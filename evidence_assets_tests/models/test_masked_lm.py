"""Masked language models of three architectures: what they say is what the library's whole forward says."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModelForMaskedLM

from evidence_assets.extraction.probing import (
    HEAD,
    TAIL,
    Filling,
    Probe,
    PromptError,
    Shape,
    cloze,
    entity_log_probabilities,
)
from evidence_assets.models import masked_lm
from evidence_assets.models.masked_lm import SHORTEST_WORD, MaskedLanguageModel
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.tiny_masked_lm import (
    KINDS,
    LONGEST,
    VOCABULARY,
    WORDS,
    drawn_rows,
    opened,
    save,
    whole_forward,
    wordpiece,
)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: save(tmp_path_factory.mktemp(kind) / "model", kind) for kind in KINDS}


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture(scope="module")
def model(kind: str, folders: dict[str, Path]) -> MaskedLanguageModel:
    return opened(folders[kind])


@pytest.fixture(scope="module")
def roberta(folders: dict[str, Path]) -> MaskedLanguageModel:
    return opened(folders["roberta"])


@pytest.fixture(scope="module")
def bert(folders: dict[str, Path]) -> MaskedLanguageModel:
    return opened(folders["bert"])


# --- probabilities


def test_words_are_as_likely_as_a_whole_forward_says(
    model: MaskedLanguageModel, kind: str, folders: dict[str, Path]
) -> None:
    rows, places = drawn_rows(model, [9] * 12)
    expected = whole_forward(folders[kind], rows, places)
    log_probabilities = model.word_log_probabilities(rows, places)
    assert log_probabilities.shape == (12, len(model.words))
    assert log_probabilities.dtype == np.float32
    assert expected.std(axis=1).min() > 0.3, "the model tells words apart"
    np.testing.assert_allclose(log_probabilities, expected[:, model.word_ids], atol=1e-4)
    np.testing.assert_array_equal(model.word_log_probabilities(np.array(rows), places), log_probabilities)


def test_a_tokens_likelihood_is_that_of_a_whole_forward_whatever_the_rows_lengths(
    model: MaskedLanguageModel, kind: str, folders: dict[str, Path]
) -> None:
    rows, places = drawn_rows(model, [3, 9, 5, 9, LONGEST, 3, 5, 12], seed=1)
    expected = whole_forward(folders[kind], rows, places)
    tokens = np.random.default_rng(2).integers(expected.shape[1], size=len(rows)).tolist()
    log_probabilities = model.token_log_probabilities(rows, places, tokens)
    assert log_probabilities.dtype == np.float32
    np.testing.assert_allclose(log_probabilities, expected[np.arange(len(rows)), tokens], atol=1e-4)


def test_entropies_are_those_of_a_whole_forward(
    model: MaskedLanguageModel, kind: str, folders: dict[str, Path]
) -> None:
    rows, places = drawn_rows(model, [4, 8, 4, LONGEST, 8], seed=3)
    likely = whole_forward(folders[kind], rows, places).astype(np.float64)
    entropies = model.entropies(rows, places)
    np.testing.assert_allclose(entropies, -(np.exp(likely) * likely).sum(axis=1), atol=1e-4)
    assert 0 < entropies.min() <= entropies.max() < np.log(likely.shape[1])


def test_likelihoods_are_shares_of_the_whole_vocabulary(model: MaskedLanguageModel) -> None:
    size = model.model.config.vocab_size
    rows, places = drawn_rows(model, [7])
    every = model.token_log_probabilities(rows * size, places * size, range(size))
    assert np.exp(every.astype(np.float64)).sum() == pytest.approx(1, abs=1e-5)
    words = model.word_log_probabilities(rows, places)[0]
    np.testing.assert_allclose(words, every[model.word_ids], atol=1e-5)
    assert np.exp(words.astype(np.float64)).sum() < 1


@pytest.mark.parametrize("batch", [1, 3, 64])
def test_the_batch_does_not_matter(
    model: MaskedLanguageModel, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """More rows than one batch takes, too: 64 is the size that is used."""
    count = 70 if batch == 64 else 10
    alike, their_places = drawn_rows(model, [8] * count, seed=4)
    mixed, mixed_places = drawn_rows(model, [4, 9, 6, 4, 9] * (count // 5), seed=5)
    tokens = [int(model.word_ids[place % len(model.words)]) for place in range(len(mixed))]
    monkeypatch.setattr(masked_lm, "BATCH_ROWS", batch)
    together = (
        model.word_log_probabilities(alike, their_places),
        model.token_log_probabilities(mixed, mixed_places, tokens),
        model.entropies(mixed, mixed_places),
    )
    for row in range(0, count, 3):
        np.testing.assert_allclose(
            model.word_log_probabilities([alike[row]], [their_places[row]])[0], together[0][row], atol=1e-4
        )
        row_and_place = ([mixed[row]], [mixed_places[row]])
        assert model.token_log_probabilities(*row_and_place, [tokens[row]])[0] == pytest.approx(
            together[1][row], abs=1e-4
        )
        assert model.entropies(*row_and_place)[0] == pytest.approx(together[2][row], abs=1e-4)


@examples(30)
@given(
    lengths=st.lists(st.integers(3, LONGEST), max_size=8),
    seed=st.integers(0, 999),
    order=st.randoms(use_true_random=False),
)
def test_rows_keep_their_numbers_in_any_order(
    bert: MaskedLanguageModel, lengths: list[int], seed: int, order: Any
) -> None:
    rows, places = drawn_rows(bert, lengths, seed)
    numbers = list(range(len(rows)))
    order.shuffle(numbers)
    tokens = bert.word_ids[[number % len(bert.words) for number in range(len(rows))]].tolist()
    log_probabilities = bert.token_log_probabilities(rows, places, tokens)
    entropies = bert.entropies(rows, places)
    assert log_probabilities.shape == entropies.shape == (len(rows),)
    moved_rows, moved_places = [rows[number] for number in numbers], [places[number] for number in numbers]
    moved = bert.token_log_probabilities(moved_rows, moved_places, [tokens[number] for number in numbers])
    np.testing.assert_allclose(moved, log_probabilities[numbers], atol=1e-4)
    np.testing.assert_allclose(bert.entropies(moved_rows, moved_places), entropies[numbers], atol=1e-4)


def test_no_rows_have_no_probabilities(model: MaskedLanguageModel) -> None:
    assert model.word_log_probabilities([], []).shape == (0, len(model.words))
    assert model.token_log_probabilities([], [], []).shape == (0,)
    assert model.entropies([], []).shape == (0,)


def test_what_is_filled_in_elsewhere_changes_what_is_likely(model: MaskedLanguageModel) -> None:
    rows, places = drawn_rows(model, [9], seed=6)
    [second_mask] = [
        place for place, token in enumerate(rows[0]) if token == model.mask_id and place != places[0]
    ]
    filled = list(rows[0])
    filled[second_mask] = int(model.word_ids[0])
    log_probabilities = model.word_log_probabilities([rows[0], filled], places * 2)
    assert np.abs(log_probabilities[0] - log_probabilities[1]).max() > 0.01


# --- words and tokens


def test_words_are_lower_case_words_of_three_letters_and_one_token(model: MaskedLanguageModel) -> None:
    words = list(model.words)
    assert words == sorted(set(words))
    assert {"rose", "flower", "shark", "kind"} <= set(words)
    assert len(model.word_ids) == len(words)
    assert len(set(model.word_ids.tolist())) == len(words)
    for word, token in zip(words, model.word_ids.tolist(), strict=True):
        assert len(word) >= SHORTEST_WORD
        assert word.isalpha() and word == word.lower()
        assert model.entity_tokens(word) == [token]
        begin, *inner, end = model.tokens(f"a {word} is")
        assert inner[1] == token and len(inner) == 3
        assert {begin, end}.isdisjoint(inner)


def test_pieces_short_words_and_numbers_are_no_words(bert: MaskedLanguageModel) -> None:
    assert list(bert.words) == sorted(WORDS)


def test_a_piece_of_a_byte_level_word_is_no_word(roberta: MaskedLanguageModel) -> None:
    """ "rose" stands in "primrose" as well: the token that is meant is the one with its space."""
    pieces = roberta._tokenizer.get_vocab()
    assert {"Ġrose", "rose"} <= set(pieces)
    assert roberta.word_ids[list(roberta.words).index("rose")] == pieces["Ġrose"]
    assert "ĠKing" in pieces
    assert not {"King", "king", "ose"} & set(roberta.words)


def test_a_model_made_from_a_corpus_knows_which_words_are_its_own(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    copy = shutil.copytree(folders["bert"], tmp_path / "made")
    corpus_model = AutoModelForMaskedLM.from_pretrained(copy)
    corpus_model.config.corpus_tokens = VOCABULARY.index("hammer")
    corpus_model.save_pretrained(copy)
    model = opened(copy)
    assert list(model.words) == ["flower", "rose", "the"]
    rows, places = drawn_rows(model, [6])
    expected = whole_forward(copy, rows, places)[:, model.word_ids]
    np.testing.assert_allclose(model.word_log_probabilities(rows, places), expected, atol=1e-4)


def test_an_entity_of_several_pieces_is_as_many_tokens(
    bert: MaskedLanguageModel, roberta: MaskedLanguageModel
) -> None:
    numbers = {token: number for number, token in enumerate(VOCABULARY)}
    expected = [numbers[piece] for piece in ("rose", "##s", "tool", "##er", "##man")]
    assert bert.entity_tokens("roses Toolerman") == expected
    assert bert.entity_tokens("unheard") == [numbers["[UNK]"]]
    for entity in ("rose", "shark fish", "primroses", "Zürich"):
        tokens = roberta.entity_tokens(entity)
        _, *within, _ = roberta.tokens(f"A {entity}")
        assert within[1:] == tokens, "as it stands within a text"
    assert len(roberta.entity_tokens("shark fish")) == 2
    assert len(roberta.entity_tokens("Zürich")) > 2


def test_a_masked_place_is_written_and_read(model: MaskedLanguageModel) -> None:
    tokens = model.tokens(f"A {model.mask_text} is a {model.mask_text} {model.mask_text}.")
    assert tokens.count(model.mask_id) == 3
    assert model.tokens("A rose is a rose.").count(model.mask_id) == 0


def test_the_longest_row_is_run_and_texts_are_not_cut(model: MaskedLanguageModel) -> None:
    assert model.max_tokens == LONGEST
    assert len(model.tokens("rose " * 50)) > 50
    rows, places = drawn_rows(model, [LONGEST])
    assert np.isfinite(model.word_log_probabilities(rows, places)).all()
    with pytest.raises((IndexError, RuntimeError)):
        model.word_log_probabilities(*drawn_rows(model, [LONGEST + 1]))


def test_a_tokenizer_that_takes_less_bounds_the_longest_row(tmp_path: Path) -> None:
    tokenizer = wordpiece()
    tokenizer.model_max_length = 10
    assert opened(save(tmp_path, "bert", tokenizer=tokenizer)).max_tokens == 10


# --- prompts of a byte-level model


@pytest.mark.parametrize(
    "prompt", [f"A {HEAD} is a kind of {TAIL}", f"{TAIL}: the {HEAD}!", f"{HEAD} {TAIL} is"]
)
@pytest.mark.parametrize("shape", [Shape(1, 1), Shape(2, 1), Shape(1, 2), Shape(2, 2)], ids=str)
def test_masks_after_a_space_are_the_places_of_both_entities(
    roberta: MaskedLanguageModel, prompt: str, shape: Shape
) -> None:
    prompt_cloze = cloze(roberta, prompt, shape.head, shape.tail)
    masked = [place for place, token in enumerate(prompt_cloze.tokens) if token == roberta.mask_id]
    assert sorted(prompt_cloze.head + prompt_cloze.tail) == masked
    assert (len(prompt_cloze.head), len(prompt_cloze.tail)) == shape
    assert (prompt_cloze.head < prompt_cloze.tail) == (prompt.index(HEAD) < prompt.index(TAIL))
    # Filled in, it is the sentence: the space before a mask is the word's.
    row = list(prompt_cloze.tokens)
    for place, word in zip(
        prompt_cloze.head + prompt_cloze.tail, ["rose", "shark", "fish", "flower"], strict=False
    ):
        [row[place]] = roberta.entity_tokens(word)
    head = " ".join(["rose", "shark"][: shape.head])
    tail = " ".join(["rose", "shark", "fish", "flower"][shape.head :][: shape.tail])
    text = prompt.replace(HEAD, head).replace(TAIL, tail)
    text = text if text.endswith("!") else f"{text}."
    assert roberta._tokenizer.decode(row[1:-1]).strip() == text


def test_a_byte_level_model_is_probed_as_its_sentences_read(
    roberta: MaskedLanguageModel, folders: dict[str, Path]
) -> None:
    prompt = f"A {HEAD} is a {TAIL}"
    probe = Probe(roberta, [prompt], [1.0])
    numbers = {word: number for number, word in enumerate(roberta.words)}
    filling = Filling(Shape(2, 1), head_first=True)
    continuations = probe.continuations(filling, [(numbers["rose"], numbers["shark"])])[0]
    row = roberta.tokens(f"A rose shark is a {roberta.mask_text}.")
    expected = whole_forward(folders["roberta"], [row], [row.index(roberta.mask_id)])[0]
    np.testing.assert_allclose(continuations, expected[roberta.word_ids], atol=1e-4)
    pieces = roberta.entity_tokens("toolman")
    assert len(pieces) > 2, "the entity of this test is one of several tokens"
    chain = roberta.tokens(f"A {' '.join([roberta.mask_text] * len(pieces))} is a shark.")
    places = [place for place, token in enumerate(chain) if token == roberta.mask_id]
    steps = []
    for place, piece in zip(places, pieces, strict=True):
        steps.append(whole_forward(folders["roberta"], [chain], [place])[0, piece])
        chain[place] = piece
    [[head, _]] = entity_log_probabilities(roberta, prompt, [("toolman", "shark")])
    assert head == pytest.approx(min(steps), abs=1e-4)


def test_a_prompt_that_masks_by_itself_or_is_too_long_is_refused(model: MaskedLanguageModel) -> None:
    with pytest.raises(PromptError, match=r"holds the model's own mask.*remedy: leave it out"):
        cloze(model, f"A {HEAD} {model.mask_text} is a {TAIL}", 1, 1)
    with pytest.raises(PromptError, match=f"the model takes {LONGEST}; remedy"):
        cloze(model, f"A {HEAD} {'rose ' * LONGEST} is a {TAIL}", 1, 1)
