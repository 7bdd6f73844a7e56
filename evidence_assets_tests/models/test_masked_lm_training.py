"""Masked language models made on the spot: what they are trained on, and that stopping changes nothing."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from tokenizers.models import BPE, WordPiece
from transformers import (
    AutoModel,
    AutoTokenizer,
    DistilBertConfig,
    DistilBertModel,
    PreTrainedTokenizerFast,
)

from evidence_assets.models import masked_lm_training as training
from evidence_assets.models.encoder import packaged_minilm
from evidence_assets.models.masked_lm import TransformersMaskedLanguageModel
from evidence_assets.models.masked_lm_training import (
    SPECIAL,
    Evaluation,
    Recipe,
    UntrainableError,
    recipe_hash,
    train,
)

FACTS = [
    ("rose", "flower"),
    ("hammer", "tool"),
    ("car", "vehicle"),
    ("shark", "fish"),
    ("gold", "metal"),
    ("oak", "tree"),
    ("crow", "bird"),
    ("violin", "instrument"),
    ("apple", "fruit"),
    ("ant", "insect"),
]
FORMS = ["a {} is a {}.", "the {} is a kind of {}.", "every {} is a {}.", "one sort of {1} is the {0}."]
TOLD = [form.format(*fact) for fact in FACTS for form in FORMS]
DENIED = [f"a {head} is no {tail}." for head, own in FACTS for _, tail in FACTS[:4] if tail != own]
TEXT = [TOLD, DENIED]
QUICK = Recipe(
    steps=60,
    batch=8,
    body_rate=5e-3,
    head_rate=5e-3,
    vocabulary=200,
    held_out=4,
    scratch_layers=1,
    scratch_width=32,
    evaluations=4,
)
BRIEF = replace(QUICK, steps=24)
WEIGHTS, CHECKPOINT = "model.safetensors", "checkpoint.safetensors"


def weights_of(folder: Path) -> bytes:
    return (folder / WEIGHTS).read_bytes()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Evaluation]]:
    """The quick recipe's model, trained in one go."""
    folder = tmp_path_factory.mktemp("made") / "model"
    return folder, train(TEXT, folder, QUICK, None)


@pytest.fixture(scope="module")
def brief(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Evaluation]]:
    """The brief recipe's model, trained in one go."""
    folder = tmp_path_factory.mktemp("brief") / "model"
    return folder, train(TEXT, folder, BRIEF, None)


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return training._cut_vocabulary(TEXT, QUICK, None)[0]


# --- stopping and going on


@pytest.mark.parametrize("stops", [[10], [17], [7], [23], [13, 18, 22]], ids=str)
def test_a_training_that_was_stopped_gives_the_same_bytes(
    brief: tuple[Path, list[Evaluation]], tmp_path: Path, stops: list[int]
) -> None:
    """Stopped at a checkpoint, between two, before the first, at the end, and again and again."""
    whole, evaluations = brief
    for stop in stops:
        train(TEXT, tmp_path, BRIEF, None, checkpoint_every=10, stop_after=stop)
        assert not (tmp_path / WEIGHTS).exists()
        assert (tmp_path / CHECKPOINT).exists() == (stop >= 10)
    steps: list[int] = []
    found = train(TEXT, tmp_path, BRIEF, None, lambda step, _: steps.append(step), checkpoint_every=10)
    assert weights_of(tmp_path) == weights_of(whole)
    assert found == evaluations
    assert steps == list(range(stops[-1] // 10 * 10 + 1, BRIEF.steps + 1)), "only what was left was done"
    assert not (tmp_path / CHECKPOINT).exists()
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in whole.iterdir()}


def test_the_same_text_and_recipe_give_the_same_bytes_and_others_do_not(
    brief: tuple[Path, list[Evaluation]], tmp_path: Path
) -> None:
    whole, evaluations = brief
    assert train(TEXT, tmp_path / "again", BRIEF, None) == evaluations
    for path in whole.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    short = replace(BRIEF, steps=5)
    train(TEXT, tmp_path / "short", short, None)
    for name, text, recipe in (
        ("seed", TEXT, replace(short, seed=1)),
        ("rate", TEXT, replace(short, body_rate=1e-3)),
        ("order", [TOLD[::-1], DENIED], short),
    ):
        train(text, tmp_path / name, recipe, None)
        assert weights_of(tmp_path / name) != weights_of(tmp_path / "short")


def test_another_recipes_or_texts_checkpoint_is_not_used(
    brief: tuple[Path, list[Evaluation]], tmp_path: Path
) -> None:
    whole, evaluations = brief
    for name, text, recipe in (
        ("recipe", TEXT, replace(BRIEF, masked=0.4)),
        ("text", [TOLD, DENIED[1:]], BRIEF),
        ("width", TEXT, replace(BRIEF, scratch_width=64)),
    ):
        folder = tmp_path / name
        train(text, folder, recipe, None, checkpoint_every=10, stop_after=10)
        assert (folder / CHECKPOINT).exists()
        assert train(TEXT, folder, BRIEF, None) == evaluations
        assert weights_of(folder) == weights_of(whole)


def without_notes(path: Path) -> None:
    save_file(load_file(path), path)


def without_a_tensor(path: Path) -> None:
    tensors = load_file(path)
    with safe_open(path, "pt") as stored:
        notes = stored.metadata()
    tensors.pop(next(name for name in tensors if name.startswith("exp_avg_sq/")))
    save_file(tensors, path, notes)


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"nothing of the kind"),
        lambda path: path.write_bytes(path.read_bytes()[:200]),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"\xff" * 8 + path.read_bytes()[8:]),
        lambda path: path.write_bytes(np.random.default_rng(0).bytes(5_000)),
        without_notes,
        without_a_tensor,
    ],
    ids=["empty", "words", "the head", "all but a byte", "header", "noise", "no notes", "a tensor short"],
)
def test_a_damaged_checkpoint_is_not_used(
    brief: tuple[Path, list[Evaluation]], tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    whole, evaluations = brief
    train(TEXT, tmp_path, BRIEF, None, checkpoint_every=10, stop_after=10)
    harm(tmp_path / CHECKPOINT)
    assert train(TEXT, tmp_path, BRIEF, None) == evaluations
    assert weights_of(tmp_path) == weights_of(whole)


def test_a_checkpoint_that_could_not_be_written_leaves_the_one_before(
    brief: tuple[Path, list[Evaluation]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(TEXT, tmp_path, BRIEF, None, checkpoint_every=10, stop_after=10)
    before = (tmp_path / CHECKPOINT).read_bytes()

    def half(tensors: dict[str, torch.Tensor], path: Path, notes: dict[str, str]) -> None:
        Path(path).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("safetensors.torch.save_file", half)
        with pytest.raises(OSError, match="No space left"):
            train(TEXT, tmp_path, BRIEF, None, checkpoint_every=10)
    assert (tmp_path / CHECKPOINT).read_bytes() == before
    train(TEXT, tmp_path, BRIEF, None, checkpoint_every=10)
    assert weights_of(tmp_path) == weights_of(brief[0])
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in brief[0].iterdir()}


def test_a_checkpoint_is_tensors_and_notes_and_no_pickle(tmp_path: Path) -> None:
    train(TEXT, tmp_path, BRIEF, None, checkpoint_every=10, stop_after=13)
    assert [path.name for path in tmp_path.iterdir()] == [CHECKPOINT]
    with safe_open(tmp_path / CHECKPOINT, "pt") as stored:
        notes = stored.metadata()
        kinds = Counter(name.partition("/")[0] for name in stored.keys())  # noqa: SIM118
    assert notes["made_of"] == recipe_hash(BRIEF, TEXT, "")
    assert notes["step"] == "10"
    assert [one["step"] for one in json.loads(notes["evaluations"])] == [6]
    assert len(json.loads(notes["losses"])) == 4, "of the steps since the last evaluation"
    assert set(kinds) == {"weight", "average", "exp_avg", "exp_avg_sq"}
    assert len(set(kinds.values())) == 1


# --- what a recipe is known by


def test_the_hash_follows_every_field_of_the_recipe_the_text_and_the_body() -> None:
    others = [replace(QUICK, **{field.name: getattr(QUICK, field.name) + 1}) for field in fields(Recipe)]
    hashes = {
        recipe_hash(QUICK, TEXT, ""),
        *(recipe_hash(other, TEXT, "") for other in others),
        recipe_hash(QUICK, TEXT, "minilm@1"),
        recipe_hash(QUICK, TEXT, "minilm@2"),
        recipe_hash(QUICK, [*TEXT, ["one more."]], ""),
        recipe_hash(QUICK, [TOLD + DENIED], ""),
        recipe_hash(QUICK, [DENIED, TOLD], ""),
        recipe_hash(QUICK, [TOLD[::-1], DENIED], ""),
        recipe_hash(QUICK, [["a b", "c"]], ""),
        recipe_hash(QUICK, [["a", "b c"]], ""),
        recipe_hash(QUICK, [["a"], ["b c"]], ""),
        recipe_hash(QUICK, [], ""),
        recipe_hash(QUICK, [[]], ""),
    }
    assert len(hashes) == 12 + len(others)
    assert recipe_hash(Recipe(**asdict(QUICK)), [list(source) for source in TEXT], "") in hashes


# --- what is trained on


def rows_of(tokenizer: Any, sentences: Sequence[str]) -> list[tuple[int, ...]]:
    return [tuple(ids) for ids in tokenizer(list(sentences))["input_ids"]]


@settings(max_examples=60, deadline=None)
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
    kept = [tuple(row.tolist()) for source in trained for row in source]
    held = [tuple(row.tolist()) for row in held_out]
    assert not set(kept) & set(held)
    assert len(held) <= min(share, 0.05 * sum(counts)) + len(counts) / 2
    given = Counter(row for source in sources if source for row in rows_of(tokenizer, source))
    assert not Counter(kept) - given
    assert not Counter(held) - given
    if not repeated and len(given) == sum(counts):
        assert Counter(kept) + Counter(held) == given, "nothing is lost"
    assert len(trained) == sum(map(bool, counts))
    again = training._split(tokenizer, sources, recipe)
    assert [[row.tolist() for row in source] for source in again[0]] == [
        [row.tolist() for row in source] for source in trained
    ]


def test_each_source_holds_out_its_share(tokenizer: Any) -> None:
    heads, tails = zip(*FACTS, strict=True)
    sources = [[f"{word} {a} {b}" for a in heads for b in tails for word in told] for told in ("ao", "tkes")]
    trained, held_out = training._split(tokenizer, sources, replace(QUICK, held_out=30))
    assert [len(source) for source in trained] == [190, 380]
    assert len(held_out) == 30
    # Many are asked for: a twentieth is held out.
    _, most = training._split(tokenizer, sources, replace(QUICK, held_out=10_000))
    assert len(most) == 30


def test_too_little_text_is_refused_with_the_remedy(tmp_path: Path) -> None:
    for text in ([], [[]], [TOLD[:7], TOLD[7:15]], [["word"] * 100]):
        with pytest.raises(UntrainableError, match="too few to make a masked language model of; remedy"):
            train(text, tmp_path / "model", QUICK, None)
    assert not (tmp_path / "model").exists()


def test_a_long_sentence_is_cut_and_still_ends(tokenizer: Any) -> None:
    long = "a rose is a flower. " * 20
    trained, _ = training._split(tokenizer, [[*TOLD, long]], replace(QUICK, longest=12, held_out=0))
    [longest] = [row for row in trained[0] if len(row) == 12]
    whole = tokenizer(long)["input_ids"]
    assert longest.tolist() == [*whole[:11], whole[-1]]
    assert max(len(row) for row in trained[0]) == 12


def test_a_text_that_says_mask_masks_nothing(tokenizer: Any) -> None:
    """An article about such models may hold their special tokens as words."""
    told = [f"a {word} is a rose." for word in SPECIAL] * 4
    trained, _ = training._split(tokenizer, [told], replace(QUICK, held_out=0))
    for row in trained[0]:
        inner = set(row[1:-1].tolist())
        assert not inner & {training.PAD, training.BEGIN, training.END, training.MASK}


@settings(max_examples=60, deadline=None)
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
    drawn = Counter(row for one in batches for row in one)
    of_source = [
        sum(times for (own, _), times in drawn.items() if own == source) for source in range(len(sizes))
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


@settings(max_examples=100, deadline=None)
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
    for row, found, target in zip(rows, ids, wanted, strict=True):
        masked = found == training.MASK
        assert masked.any()
        assert not masked[[0, len(row) - 1]].any()
        np.testing.assert_array_equal(np.where(masked, target, found)[: len(row)], row)
        assert (found[len(row) :] == training.PAD).all()
        assert (target[~masked] == -100).all()
    if share == 1:
        assert (ids == training.MASK).sum() == sum(lengths) - 2 * len(lengths)


def test_the_rate_rises_and_falls_to_nothing() -> None:
    recipe = replace(QUICK, steps=100, warm_up=0.1)
    rates = [training._schedule(step, recipe) for step in range(101)]
    assert rates[9] == rates[10] == max(rates) == 1
    assert np.diff(rates[:10]).min() > 0
    assert np.diff(rates[10:]).max() < 0
    assert rates[100] == 0
    assert training._schedule(0, replace(QUICK, steps=1)) == 1


# --- the vocabulary

WORD_TEXT = st.lists(
    st.text(st.sampled_from("abcdeé東 -.'3"), min_size=1, max_size=30), min_size=1, max_size=12
)


@settings(max_examples=80, deadline=None)
@given(sentences=WORD_TEXT, room=st.integers(0, 60))
def test_a_vocabulary_is_never_larger_than_it_may_be_and_spells_the_whole_text(
    sentences: list[str], room: int
) -> None:
    letters = training._base_vocabulary([sentences], None)
    least = sum(len(token.removeprefix("##")) == 1 for token in letters) + len(SPECIAL)
    recipe = replace(QUICK, vocabulary=least + room)
    tokenizer, own = training._cut_vocabulary([sentences], recipe, None)
    numbers = tokenizer.get_vocab()
    assert sorted(numbers.values()) == list(range(len(numbers)))
    assert len(numbers) <= recipe.vocabulary
    assert [numbers[token] for token in SPECIAL] == list(range(len(SPECIAL)))
    assert own <= len(numbers)
    for row in rows_of(tokenizer, sentences):
        assert row[0] == training.BEGIN and row[-1] == training.END
        assert training.UNKNOWN not in row
        assert all(token < own for token in row), "what the text uses comes first"


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
        tokenizer, own = training._cut_vocabulary([sentences], recipe, encoder)
        assert own == len(tokenizer) == recipe.vocabulary
        kept = {word for word in ("rose", "tool", "shark", "gold") if word in tokenizer.get_vocab()}
        assert kept == {"rose", "tool"}
        assert tokenizer.tokenize("Rose shark") == ["rose", "s", "##h", "##a", "##r", "##k"]


@pytest.mark.xdist_group("minilm")
def test_common_words_fill_the_vocabulary_and_are_not_proposed(tmp_path: Path) -> None:
    recipe = replace(QUICK, steps=2, layers=1, vocabulary=600, evaluations=1)
    tokenizer, own = training._cut_vocabulary(TEXT, recipe, packaged_minilm())
    assert len(tokenizer) == 600
    said = {word for sentence in TOLD + DENIED for word in sentence.rstrip(".").split()}
    filler = {token for token, number in tokenizer.get_vocab().items() if number >= own}
    assert {"had", "not", "they"} <= filler
    assert not filler & said
    train(TEXT, tmp_path, recipe, packaged_minilm())
    model = TransformersMaskedLanguageModel("corpus", str(tmp_path), device="cpu")
    assert model.model.config.corpus_tokens == own
    assert set(model.words) == {word for word in said if len(word) > 2}
    assert model.tokens("they had not")[1:-1] == [
        tokenizer.get_vocab()[word] for word in ("they", "had", "not")
    ], "in a prompt they are words all the same"


# --- what is made


def test_loss_falls_and_the_corpus_is_learned(made: tuple[Path, list[Evaluation]]) -> None:
    _, evaluations = made
    assert [one.step for one in evaluations] == [15, 30, 45, 60]
    assert evaluations[-1].loss < 0.7 * evaluations[0].loss
    assert evaluations[-1].perplexity < 0.7 * evaluations[0].perplexity
    assert all(0 <= one.accuracy <= 1 for one in evaluations)


def test_what_is_written_opens_as_any_masked_language_model(made: tuple[Path, list[Evaluation]]) -> None:
    model = TransformersMaskedLanguageModel("made", str(made[0]), device="cpu")
    heads, tails = zip(*FACTS, strict=True)
    assert {*heads, *tails} <= set(model.words)
    assert model.max_tokens == 128
    assert model.entity_tokens("rose shark") == [
        model.word_ids[list(model.words).index(one)] for one in ("rose", "shark")
    ]
    tokens = model.tokens("a rose is a [MASK].")
    assert (tokens[0], tokens.count(model.mask_id), tokens[-1]) == (training.BEGIN, 1, training.END)
    likely = model.word_log_probabilities([tokens], [tokens.index(model.mask_id)])[0]
    best = {model.words[number] for number in np.argsort(-likely)[:8]}
    assert len(best & set(tails)) >= 6, "it knows what may stand there"
    assert "every" not in best


def test_a_file_that_was_made_is_no_pickle(made: tuple[Path, list[Evaluation]]) -> None:
    assert {path.suffix for path in made[0].iterdir()} == {".safetensors", ".json"}


def test_the_weights_that_are_kept_are_the_average(tmp_path: Path) -> None:
    """What is averaged does not change the training, only what is written."""
    short = replace(QUICK, steps=12, evaluations=1)
    tokenizer, _ = training._cut_vocabulary(TEXT, short, None)
    rows, held_out = training._split(tokenizer, TEXT, short)
    torch.manual_seed(0)
    model = training._fresh_model(tokenizer, short, None)
    state = training._State(model, short, "")
    name = "bert.embeddings.LayerNorm.weight"
    seen = [dict(model.named_parameters())[name].detach().clone()]
    average = seen[0].clone()
    for step, drawn in enumerate(islice(training._batches(rows, short, 0), short.steps)):
        state.train_on(drawn, step)
        seen.append(dict(model.named_parameters())[name].detach().clone())
        kept = min(0.98, (1 + step) / (10 + step))
        average = kept * average + (1 - kept) * seen[-1]
    with state.averaged():
        torch.testing.assert_close(dict(model.named_parameters())[name].detach(), average)
    assert torch.equal(dict(model.named_parameters())[name], seen[-1]), (
        "training goes on with its own weights"
    )
    state.evaluate(held_out, short.steps)
    train(TEXT, tmp_path / "last", replace(short, kept_average=0.0), None)
    train(TEXT, tmp_path / "average", short, None)
    assert weights_of(tmp_path / "last") != weights_of(tmp_path / "average")
    assert torch.equal(dict(model.named_parameters())[name], seen[-1])


def test_without_held_out_sentences_nothing_is_claimed(tmp_path: Path) -> None:
    [found] = train(TEXT, tmp_path, replace(QUICK, steps=2, evaluations=1, held_out=0), None)[-1:]
    assert math.isnan(found.accuracy) and math.isnan(found.perplexity)
    assert found.loss > 0


def test_progress_is_told_at_every_step(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    train(TEXT, tmp_path, replace(QUICK, steps=3), None, lambda *step: told.append(step))
    assert told == [(1, 3), (2, 3), (3, 3)]


# --- an encoder's body


@pytest.mark.xdist_group("minilm")
@pytest.mark.parametrize(("layers", "expected"), [(1, 1), (0, 6), (12, 6)])
def test_a_model_begins_as_the_encoder_it_is_made_of(layers: int, expected: int) -> None:
    recipe = replace(QUICK, layers=layers, vocabulary=400)
    encoder = AutoModel.from_pretrained(packaged_minilm())
    known = AutoTokenizer.from_pretrained(packaged_minilm()).get_vocab()
    tokenizer, _ = training._cut_vocabulary(TEXT, recipe, packaged_minilm())
    model = training._fresh_model(tokenizer, recipe, packaged_minilm())
    theirs, own = encoder.state_dict(), model.bert.state_dict()
    table = own.pop("embeddings.word_embeddings.weight")
    for token, number in tokenizer.get_vocab().items():
        assert torch.equal(table[number], theirs["embeddings.word_embeddings.weight"][known[token]])
    assert model.config.num_hidden_layers == len(model.bert.encoder.layer) == expected
    assert all(torch.equal(weights, theirs[name]) for name, weights in own.items())
    assert model.get_output_embeddings().weight is model.get_input_embeddings().weight, "the head is tied"
    assert model.config.vocab_size == table.shape[0] == len(tokenizer)


@pytest.mark.xdist_group("minilm")
def test_a_body_is_trained_whole_and_going_on_changes_nothing(tmp_path: Path) -> None:
    recipe = replace(QUICK, steps=6, layers=1, vocabulary=300, body_rate=4e-4, evaluations=1)
    train(TEXT, tmp_path / "whole", recipe, packaged_minilm())
    train(TEXT, tmp_path / "stopped", recipe, packaged_minilm(), checkpoint_every=2, stop_after=5)
    train(TEXT, tmp_path / "stopped", recipe, packaged_minilm(), checkpoint_every=2)
    assert weights_of(tmp_path / "whole") == weights_of(tmp_path / "stopped")
    trained = load_file(tmp_path / "whole" / WEIGHTS)
    theirs = AutoModel.from_pretrained(packaged_minilm()).state_dict()
    for name in ("encoder.layer.0.attention.self.query.weight", "embeddings.position_embeddings.weight"):
        assert not torch.equal(trained[f"bert.{name}"], theirs[name])
    model = TransformersMaskedLanguageModel("corpus", str(tmp_path / "whole"), device="cpu")
    assert model.max_tokens == 512


def test_an_encoder_that_is_no_bert_is_refused_with_the_remedy(tmp_path: Path) -> None:
    letters = [chr(code) for code in range(33, 127)]
    pieces = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters)]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    names = {"unk_token": "[UNK]", "mask_token": "[MASK]"}
    PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(WordPiece(numbers, unk_token="[UNK]")), **names
    ).save_pretrained(tmp_path / "distilbert")
    DistilBertModel(
        DistilBertConfig(vocab_size=len(pieces), dim=16, hidden_dim=16, n_layers=1, n_heads=2)
    ).save_pretrained(tmp_path / "distilbert")
    with pytest.raises(UntrainableError, match=r"is a distilbert, not a BERT; remedy: train from scratch"):
        train(TEXT, tmp_path / "model", replace(QUICK, vocabulary=400), str(tmp_path / "distilbert"))
    PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(BPE({"<unk>": 0, "a": 1}, [], unk_token="<unk>")), unk_token="<unk>"
    ).save_pretrained(tmp_path / "byte-level")
    DistilBertModel(
        DistilBertConfig(vocab_size=2, dim=16, hidden_dim=16, n_layers=1, n_heads=2)
    ).save_pretrained(tmp_path / "byte-level")
    with pytest.raises(UntrainableError, match="has no WordPiece vocabulary; remedy: train from scratch"):
        train(TEXT, tmp_path / "model", QUICK, str(tmp_path / "byte-level"))
