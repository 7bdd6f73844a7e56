"""What a masked language model is trained on: which sentences, in which words, masked where."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.models import masked_lm_training as training
from evidence_assets.models.encoder import packaged_minilm
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets.models.masked_lm_training import SPECIAL, UntrainableError, train
from evidence_assets_tests.testing.corpus_recipes import DENIED, FACTS, QUICK, TEXT, TOLD, rows_of
from evidence_assets_tests.testing.profiles import examples


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return training._cut_vocabulary(TEXT, QUICK, None)[0]


@examples(60)
@given(
    counts=st.lists(st.integers(0, 60), min_size=1, max_size=4),
    share=st.integers(0, 40),
    seed=st.integers(0, 99),
    repeated=st.booleans(),
)
def test_what_is_held_out_is_never_trained_on(
    tokenizer: Any, counts: list[int], share: int, seed: int, repeated: bool
) -> None:
    pool = TOLD[:12] if repeated else TOLD + DENIED
    random = np.random.default_rng(seed)
    sources = [[pool[place] for place in random.integers(len(pool), size=count)] for count in counts]
    recipe = replace(QUICK, held_out=share, batch=4, seed=seed)
    if sum(counts) < 2 * recipe.batch:
        with pytest.raises(UntrainableError):
            training._split(tokenizer, sources, recipe)
        return
    trained, held_out = training._split(tokenizer, sources, recipe)
    trained_rows = [tuple(row.tolist()) for source in trained for row in source]
    held = [tuple(row.tolist()) for row in held_out]
    assert not set(trained_rows) & set(held)
    assert len(held) <= min(share, 0.05 * sum(counts)) + len(counts) / 2
    all_rows = Counter(row for source in sources if source for row in rows_of(tokenizer, source))
    assert not Counter(trained_rows) - all_rows
    assert not Counter(held) - all_rows
    if not repeated and len(all_rows) == sum(counts):
        assert Counter(trained_rows) + Counter(held) == all_rows, "nothing is lost"
    assert len(trained) == sum(map(bool, counts))
    again = training._split(tokenizer, sources, recipe)
    assert [[row.tolist() for row in source] for source in again[0]] == [
        [row.tolist() for row in source] for source in trained
    ]


def test_each_source_holds_out_its_share(tokenizer: Any) -> None:
    heads, tails = zip(*FACTS, strict=True)
    sources = [
        [f"{word} {a} {b}" for a in heads for b in tails for word in letters] for letters in ("ao", "tkes")
    ]
    trained, held_out = training._split(tokenizer, sources, replace(QUICK, held_out=30))
    assert [len(source) for source in trained] == [190, 380]
    assert len(held_out) == 30
    # Many are asked for: a twentieth is held out.
    _, most = training._split(tokenizer, sources, replace(QUICK, held_out=10_000))
    assert len(most) == 30


def test_too_little_text_is_refused_with_the_remedy(tmp_path: Path) -> None:
    too_little: list[list[list[str]]] = [[], [[]], [TOLD[:7], TOLD[7:15]], [["word"] * 100]]
    for text in too_little:
        with pytest.raises(UntrainableError, match="too few to make a masked language model of; remedy"):
            train(text, tmp_path / "model", QUICK, None)
    assert not (tmp_path / "model").exists()


def test_a_long_sentence_is_cut_and_still_ends(tokenizer: Any) -> None:
    long = "a rose is a flower. " * 20
    trained, _ = training._split(tokenizer, [[*TOLD, long]], replace(QUICK, longest=12, held_out=0))
    [longest] = [row for row in trained[0] if len(row) == 12]
    uncut = tokenizer(long)["input_ids"]
    assert longest.tolist() == [*uncut[:11], uncut[-1]]
    assert max(len(row) for row in trained[0]) == 12


def test_a_text_that_says_mask_masks_nothing(tokenizer: Any) -> None:
    """An article about such models may hold their special tokens as words."""
    sentences = [f"a {word} is a rose." for word in SPECIAL] * 4
    trained, _ = training._split(tokenizer, [sentences], replace(QUICK, held_out=0))
    for row in trained[0]:
        inner = set(row[1:-1].tolist())
        assert not inner & {training.PAD, training.BEGIN, training.END, training.MASK}


@examples(60)
@given(
    sizes=st.lists(st.integers(1, 30), min_size=1, max_size=4),
    batch=st.integers(1, 9),
    seed=st.integers(0, 99),
    first=st.integers(0, 9),
)
def test_sources_are_drawn_equally_often_and_each_without_repeats(
    sizes: list[int], batch: int, seed: int, first: int
) -> None:
    # A row says which source it is of and which number it has there.
    rows = [
        [np.array([source, number] + [0] * (number % 5)) for number in range(size)]
        for source, size in enumerate(sizes)
    ]
    recipe = replace(QUICK, batch=batch, seed=seed)
    count = 16
    batches = [
        [tuple(row[:2].tolist()) for row in drawn]
        for drawn in islice(training._batches(rows, recipe, 0), count)
    ]
    assert all(len(drawn) == batch for drawn in batches)
    drawn = Counter(row for drawn_batch in batches for row in drawn_batch)
    of_source = [
        sum(times for (row_source, _), times in drawn.items() if row_source == source)
        for source in range(len(sizes))
    ]
    assert max(of_source) - min(of_source) <= 1
    for source, size in enumerate(sizes):
        times = [drawn[source, number] for number in range(size)]
        assert max(times) - min(times) <= 1, "all of a source before any again"
    resumed = islice(training._batches(rows, recipe, first), count - first)
    assert [[tuple(row[:2].tolist()) for row in drawn] for drawn in resumed] == batches[first:]


def test_batches_hold_rows_of_like_lengths() -> None:
    rows = [np.zeros(length, dtype=np.int64) for length in range(3, 35)] * 4
    spread = [
        np.ptp([len(row) for row in drawn])
        for drawn in islice(training._batches([rows], replace(QUICK, batch=8), 0), 16)
    ]
    assert np.mean(spread) < 16, "of 31 if they were drawn as they come"


@examples(100)
@given(
    lengths=st.lists(st.integers(4, 20), min_size=1, max_size=9),
    share=st.floats(0, 1),
    seed=st.integers(0, 99),
)
def test_every_row_is_masked_somewhere_and_never_at_its_ends(
    lengths: list[int], share: float, seed: int
) -> None:
    rows = [
        np.array([training.BEGIN, *range(10, 8 + length), training.END], dtype=np.int64) for length in lengths
    ]
    ids, wanted = training._masked(rows, share, np.random.default_rng(seed))
    assert ids.shape == wanted.shape == (len(rows), max(lengths))
    for row, masked_row, target in zip(rows, ids, wanted, strict=True):
        masked = masked_row == training.MASK
        assert masked.any()
        assert not masked[[0, len(row) - 1]].any()
        np.testing.assert_array_equal(np.where(masked, target, masked_row)[: len(row)], row)
        assert (masked_row[len(row) :] == training.PAD).all()
        assert (target[~masked] == -100).all()
    if share == 1:
        assert (ids == training.MASK).sum() == sum(lengths) - 2 * len(lengths)


# --- the vocabulary


WORD_TEXT = st.lists(
    st.text(st.sampled_from("abcdeé東 -.'3"), min_size=1, max_size=30), min_size=1, max_size=12
)


@examples(80)
@given(sentences=WORD_TEXT, room=st.integers(0, 60))
def test_a_vocabulary_is_never_larger_than_it_may_be_and_spells_the_whole_text(
    sentences: list[str], room: int
) -> None:
    letters = training._base_vocabulary([sentences], None)
    least = sum(len(token.removeprefix("##")) == 1 for token in letters) + len(SPECIAL)
    recipe = replace(QUICK, vocabulary=least + room)
    tokenizer, text_tokens = training._cut_vocabulary([sentences], recipe, None)
    numbers = tokenizer.get_vocab()
    assert sorted(numbers.values()) == list(range(len(numbers)))
    assert len(numbers) <= recipe.vocabulary
    assert [numbers[token] for token in SPECIAL] == list(range(len(SPECIAL)))
    assert text_tokens <= len(numbers)
    for row in rows_of(tokenizer, sentences):
        assert row[0] == training.BEGIN and row[-1] == training.END
        assert training.UNKNOWN not in row
        assert all(token < text_tokens for token in row), "what the text uses comes first"


def test_a_vocabulary_that_does_not_hold_the_letters_is_refused(tmp_path: Path) -> None:
    for encoder in (None, packaged_minilm()):
        with pytest.raises(UntrainableError, match="a vocabulary of 20 does not hold the") as raised:
            train(TEXT, tmp_path, replace(QUICK, vocabulary=20), encoder)
        assert "; remedy: make it larger than " in str(raised.value)
        enough = int(str(raised.value).split()[-1])
        tokenizer, _ = training._cut_vocabulary(TEXT, replace(QUICK, vocabulary=enough), encoder)
        assert len(tokenizer) == enough


def test_the_texts_most_frequent_words_are_kept_and_others_are_spelled() -> None:
    """However common a word is elsewhere: "gold" comes before "tool" in the encoder's vocabulary."""
    sentences = ["tool shark rose rose shark gold rose tool rose tool"]
    for encoder, words in ((None, 3), (packaged_minilm(), 4)):
        _, all_kept = training._cut_vocabulary([sentences], replace(QUICK, vocabulary=5_000), encoder)
        recipe = replace(QUICK, vocabulary=all_kept - words + 2)
        tokenizer, text_tokens = training._cut_vocabulary([sentences], recipe, encoder)
        assert text_tokens == len(tokenizer) == recipe.vocabulary
        frequent = {word for word in ("rose", "tool", "shark", "gold") if word in tokenizer.get_vocab()}
        assert frequent == {"rose", "tool"}
        assert tokenizer.tokenize("Rose shark") == ["rose", "s", "##h", "##a", "##r", "##k"]


@pytest.mark.xdist_group("minilm")
def test_common_words_fill_the_vocabulary_and_are_not_proposed(tmp_path: Path) -> None:
    recipe = replace(QUICK, steps=2, layers=1, vocabulary=600, evaluations=1)
    tokenizer, text_tokens = training._cut_vocabulary(TEXT, recipe, packaged_minilm())
    assert len(tokenizer) == 600
    text_words = {word for sentence in TOLD + DENIED for word in sentence.rstrip(".").split()}
    filler = {token for token, number in tokenizer.get_vocab().items() if number >= text_tokens}
    assert {"had", "not", "they"} <= filler
    assert not filler & text_words
    train(TEXT, tmp_path, recipe, packaged_minilm())
    model = MaskedLanguageModel("corpus", str(tmp_path), device="cpu")
    assert model.model.config.corpus_tokens == text_tokens
    assert set(model.words) == {word for word in text_words if len(word) > 2}
    assert model.tokens("they had not")[1:-1] == [
        tokenizer.get_vocab()[word] for word in ("they", "had", "not")
    ], "in a prompt they are words all the same"
