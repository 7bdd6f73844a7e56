"""Prompts put to a model: where the masks are, what each word's log-probability is conditional on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.extraction import probing
from evidence_assets.extraction.probing import (
    HEAD,
    SHAPES,
    TAIL,
    Cloze,
    Filling,
    Probe,
    PromptError,
    Shape,
    check_prompt,
    cloze,
    entity_log_probabilities,
    filled,
    word_indices,
)
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets_tests.testing.masked_lm_samples import MASK, HashedModel, Literal, tiny_bert, words_of
from evidence_assets_tests.testing.profiles import examples

WORDS = ["apple", "bread", "cheese", "drum", "eagle", "part", "the", "of", "is", "by", "holds"]
PROMPTS = (f"{HEAD} is part of {TAIL}", f"the {TAIL} holds {HEAD}.")
ENTITIES = ["apple", "cheese", "part of bread", "egg", "the drum", "xylem bread"]


@pytest.fixture
def hashed() -> HashedModel:
    return HashedModel(WORDS)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> MaskedLanguageModel:
    return tiny_bert(tmp_path_factory.mktemp("bert"), WORDS)


@pytest.fixture(params=["hashed", "bert"])
def model(request: pytest.FixtureRequest) -> MaskedLanguageModel:
    chosen: MaskedLanguageModel = request.getfixturevalue(request.param)
    return chosen


# Prompts


@pytest.mark.parametrize(
    "prompt",
    [f"{HEAD} is in", f"in {TAIL}", "", f"{HEAD} or {HEAD} in {TAIL}", f"{HEAD} in {TAIL} or {TAIL}"],
)
def test_a_prompt_without_either_slot_or_with_one_twice_is_refused(prompt: str, hashed: HashedModel) -> None:
    for refused in (lambda: check_prompt(prompt), lambda: cloze(hashed, prompt, 1, 1)):
        with pytest.raises(PromptError, match=r"<ENT[01]> [02] times; remedy"):
            refused()


@pytest.mark.parametrize("prompt", [f"{HEAD} {TAIL}", f"{TAIL}{HEAD}.", f" {HEAD} . {TAIL} ."])
def test_a_prompt_of_nothing_but_slots_is_refused(prompt: str) -> None:
    with pytest.raises(PromptError, match="says nothing"):
        check_prompt(prompt)


def test_a_prompt_that_the_model_cannot_take_is_refused_where_it_is_first_met(hashed: HashedModel) -> None:
    short = HashedModel(WORDS, max_tokens=10)
    # Two special tokens, three words, a full stop, two words of each entity.
    fits, too_long = f"{HEAD} is part of {TAIL}", f"{HEAD} is the part of {TAIL}"
    assert len(cloze(short, fits, 2, 2).tokens) == 10
    assert len(cloze(short, too_long, 1, 2).tokens) == 10
    with pytest.raises(PromptError, match="has 11 tokens, the model takes 10; remedy"):
        cloze(short, too_long, 2, 2)
    with pytest.raises(PromptError, match="the model takes 10"):
        Probe(short, [fits, too_long], [1, 1])
    with pytest.raises(PromptError, match="letters; remedy"):
        cloze(hashed, f"{HEAD} is {'very ' * 500}{TAIL}", 1, 1)


def test_a_prompt_that_holds_a_mask_of_its_own_is_refused(model: MaskedLanguageModel) -> None:
    with pytest.raises(PromptError, match=r"own mask, \[MASK\]; remedy"):
        cloze(model, f"{HEAD} is {MASK} of {TAIL}", 1, 1)


@pytest.mark.parametrize(
    ("prompt", "head", "tail", "sentence"),
    [
        (f"{HEAD} is in {TAIL}", "egg white", "egg", "egg white is in egg."),
        (f"{TAIL} holds {HEAD}.", "egg white", "egg", "egg holds egg white."),
        (f"is {HEAD} in {TAIL}?", "a", "b", "is a in b?"),
        (f"so {TAIL}, not {HEAD}! ", "a", "b", "so b, not a! "),
        (f"{HEAD} is in {TAIL}  ", "a", "b", "a is in b."),
        # What an entity says is never taken for a slot.
        (f"{HEAD} is in {TAIL}", TAIL, "b", f"{TAIL} is in b."),
        (f"{HEAD} is in {TAIL}", "a", HEAD, f"a is in {HEAD}."),
        (f"{TAIL} holds {HEAD}", "a", HEAD, f"{HEAD} holds a."),
        (f"{TAIL} holds {HEAD}", TAIL, "b", f"b holds {TAIL}."),
    ],
)
def test_a_filled_prompt_is_a_sentence(prompt: str, head: str, tail: str, sentence: str) -> None:
    assert filled(prompt, head, tail) == sentence


def test_a_cloze_knows_its_places_whichever_entity_is_read_first(model: MaskedLanguageModel) -> None:
    assert cloze(model, PROMPTS[0], 2, 1) == Cloze(
        tuple(model.tokens(f"{MASK} {MASK} is part of {MASK}.")), (1, 2), (6,)
    )
    assert cloze(model, PROMPTS[1], 2, 1) == Cloze(
        tuple(model.tokens(f"the {MASK} holds {MASK} {MASK}.")), (4, 5), (2,)
    )
    assert cloze(model, PROMPTS[1], 1, 2) == Cloze(
        tuple(model.tokens(f"the {MASK} {MASK} holds {MASK}.")), (5,), (2, 3)
    )


@given(
    filler=st.lists(st.sampled_from(WORDS), min_size=3, max_size=3),
    head=st.integers(1, 4),
    tail=st.integers(1, 4),
    tail_first=st.booleans(),
)
def test_a_cloze_filled_in_is_the_filled_prompt(
    filler: list[str], head: int, tail: int, tail_first: bool
) -> None:
    model = HashedModel(WORDS)
    slots = [TAIL, HEAD] if tail_first else [HEAD, TAIL]
    prompt = f"{filler[0]} {slots[0]} {filler[1]} {slots[1]} {filler[2]}"
    masked = cloze(model, prompt, head, tail)
    row = list(masked.tokens)
    ends = (WORDS[:head], WORDS[4 : 4 + tail])
    for places, words in zip((masked.head, masked.tail), ends, strict=True):
        for place, word in zip(places, words, strict=True):
            assert row[place] == model.mask_id
            [row[place]] = model.entity_tokens(word)
    assert row == model.tokens(filled(prompt, " ".join(ends[0]), " ".join(ends[1])))


@pytest.mark.parametrize("head_first", [True, False])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_an_order_of_filling(shape: Shape, head_first: bool, hashed: HashedModel) -> None:
    filling = Filling(shape, head_first)
    head, tail = (1, 2)[: shape.head], (3, 4)[: shape.tail]
    order = filling.order(head, tail)
    assert order == ((*head, *tail) if head_first else (*tail, *head))
    assert (filling.first, filling.second) == (
        (len(head), len(tail)) if head_first else (len(tail), len(head))
    )
    masked = cloze(hashed, PROMPTS[1], *shape)
    ends = (masked.head, masked.tail) if head_first else (masked.tail, masked.head)
    assert filling.places(masked) == (*ends[0], *ends[1])


def test_shapes_have_the_names_of_the_tables() -> None:
    assert [str(shape) for shape in SHAPES] == ["1-1", "1-2", "2-1", "2-2"]


# Probes


def test_every_prompt_has_a_positive_weight(hashed: HashedModel) -> None:
    for prompts, weights in (((), ()), (PROMPTS, (1,)), (PROMPTS, (1, 0)), (PROMPTS, (1, -1))):
        with pytest.raises(ValueError, match="weight"):
            Probe(hashed, prompts, weights)
    with pytest.raises(ValueError, match="empty"):
        Probe(hashed, PROMPTS, ())
    with pytest.raises(PromptError):
        Probe(hashed, [PROMPTS[0], HEAD], (1, 1))


def test_weights_are_scaled_to_one(hashed: HashedModel) -> None:
    np.testing.assert_allclose(Probe(hashed, PROMPTS, (1, 4)).weights, [0.2, 0.8], rtol=1e-6)


def test_the_weights_are_what_the_prompts_count_for(model: MaskedLanguageModel) -> None:
    filling, prefixes = Filling(Shape(1, 2), True), [(0,), (3,)]
    alone = [Probe(model, [prompt], [5]).continuations(filling, prefixes) for prompt in PROMPTS]
    assert np.abs(alone[0] - alone[1]).max() > 0.5
    averages = []
    for weights in ((1, 1), (1, 9), (9, 1)):
        share = np.array(weights) / sum(weights)
        averages.append(Probe(model, PROMPTS, weights).continuations(filling, prefixes))
        np.testing.assert_allclose(averages[-1], share[0] * alone[0] + share[1] * alone[1], atol=1e-5)
    assert np.abs(averages[1] - averages[2]).max() > 0.25


@pytest.mark.parametrize("head_first", [True, False])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_continuations_are_those_of_the_sentence_with_the_rest_masked(
    shape: Shape, head_first: bool, model: MaskedLanguageModel
) -> None:
    probe = Probe(model, PROMPTS, (2, 3))
    literal = Literal(probe)
    for depth in range(sum(shape)):
        prefixes = [tuple(range(start, start + depth)) for start in (0, 2)][: 1 if depth == 0 else 2]
        for prompt in PROMPTS:
            continuations = probe.continuations_of(prompt, Filling(shape, head_first), prefixes)
            assert continuations.shape == (len(prefixes), len(model.words))
            expected = [literal.of_prompt(prompt, shape, head_first, prefix) for prefix in prefixes]
            np.testing.assert_allclose(continuations, expected, atol=1e-4)


def test_passes_are_the_rows_that_the_model_was_run_on(hashed: HashedModel) -> None:
    probe = Probe(hashed, PROMPTS, (2, 3))
    assert probe.passes == 0
    probe.continuations(Filling(Shape(1, 1), True), [(0,), (1,), (2,)])
    assert probe.passes == hashed.rows_run == 6
    # Two pairs share their first word: three prefixes in all, under each prompt.
    probe.chains(Filling(Shape(1, 1), True), [(0, 1), (0, 2), (1, 2)])
    assert probe.passes == hashed.rows_run == 12


@examples(20)
@given(
    shape=st.sampled_from(SHAPES),
    head_first=st.booleans(),
    first=st.integers(0, 2),
    together=st.integers(1, 5),
    data=st.data(),
)
def test_chains_are_the_continuations_of_every_prefix(
    shape: Shape, head_first: bool, first: int, together: int, data: st.DataObject
) -> None:
    model = HashedModel(WORDS)
    probe, filling = Probe(model, PROMPTS, (2, 3)), Filling(shape, head_first)
    steps = sum(shape)
    word = st.integers(0, len(model.words) - 1)
    words = data.draw(st.lists(st.tuples(*[word] * steps), max_size=7))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probing, "_TOGETHER", together)
        chains = probe.chains(filling, words, min(first, steps - 1))
    assert chains.shape == (2, len(words), steps - min(first, steps - 1))
    for place, prompt in enumerate(PROMPTS):
        for number, chain in enumerate(words):
            for step in range(min(first, steps - 1), steps):
                expected = probe.continuations_of(prompt, filling, [chain[:step]])[0, chain[step]]
                assert chains[place, number, step - min(first, steps - 1)] == expected


# Pairs of any words


def literal_conditional(
    model: MaskedLanguageModel, prompt: str, hidden: str, given_: str, hides_head: bool
) -> float:
    """The least of a hidden entity's tokens, from rows built token by token."""
    before, after = prompt.rstrip(".").split(HEAD if hides_head else TAIL)
    shown_slot = TAIL if hides_head else HEAD
    hidden_tokens = model.entity_tokens(hidden)
    left = model.entity_tokens(before.replace(shown_slot, given_))
    right = model.entity_tokens(after.replace(shown_slot, given_) + ".")
    start, end = model.tokens("")
    least = 0.0
    for step, token in enumerate(hidden_tokens):
        row = [
            start,
            *left,
            *hidden_tokens[:step],
            *[model.mask_id] * (len(hidden_tokens) - step),
            *right,
            end,
        ]
        place = 1 + len(left) + step
        least = min(least, float(model.token_log_probabilities([row], [place], [token])[0]))
    return least


@pytest.mark.parametrize("prompt", PROMPTS)
def test_an_entitys_log_probability_is_the_least_of_its_tokens(
    prompt: str, model: MaskedLanguageModel
) -> None:
    pairs = [(head, tail) for head in ENTITIES for tail in ENTITIES if head != tail]
    # "egg" and "xylem" are spelled.
    assert len(model.entity_tokens("egg")) == 3
    log_probabilities = entity_log_probabilities(model, prompt, pairs)
    expected = [
        [
            literal_conditional(model, prompt, head, tail, True),
            literal_conditional(model, prompt, tail, head, False),
        ]
        for head, tail in pairs
    ]
    np.testing.assert_allclose(log_probabilities, expected, atol=1e-4)
    assert log_probabilities.shape == (len(pairs), 2)
    assert (log_probabilities < 0).all()


def test_entities_of_known_words_score_as_in_a_search(hashed: HashedModel) -> None:
    numbers = word_indices(hashed)
    probe = Probe(hashed, PROMPTS[1:], [1])
    pairs = [("apple", "bread"), ("apple", "drum eagle"), ("cheese bread", "apple drum")]
    log_probabilities = entity_log_probabilities(hashed, PROMPTS[1], pairs)
    literal = Literal(probe)
    for (head, tail), values in zip(pairs, log_probabilities.tolist(), strict=True):
        ends = words_of((head, tail), numbers)
        forward, backward = literal.chain(*ends, True), literal.chain(*ends, False)
        assert values == pytest.approx([min(backward[len(ends[1]) :]), min(forward[len(ends[0]) :])])


def test_no_pairs_have_no_log_probabilities(hashed: HashedModel) -> None:
    assert entity_log_probabilities(hashed, PROMPTS[0], []).shape == (0, 2)


def test_words_have_their_numbers(model: MaskedLanguageModel) -> None:
    numbers = word_indices(model)
    assert list(numbers) == sorted(word for word in WORDS if len(word) > 2)
    assert [model.words[numbers[word]] for word in numbers] == list(numbers)


# The models of these tests


def test_the_samples_speak_the_protocol(model: MaskedLanguageModel) -> None:
    """What the other tests take for granted: normalised, decided by the row, one token a word."""
    row = model.tokens(f"{MASK} is part of bread.")
    other_row = model.tokens(f"{MASK} is part of cheese.")
    assert (len(row), row[1]) == (8, model.mask_id)
    size = len(model.vocabulary) if isinstance(model, HashedModel) else model.model.config.vocab_size
    everything = list(range(size))
    distribution = model.token_log_probabilities([row] * len(everything), [1] * len(everything), everything)
    assert np.exp(distribution.astype(np.float64)).sum() == pytest.approx(1, abs=1e-4)
    assert model.entropies([row], [1])[0] == pytest.approx(
        -(np.exp(distribution) * distribution).sum(), rel=1e-4
    )
    words = model.word_log_probabilities([row, other_row], [1, 1])
    np.testing.assert_allclose(words[0], distribution[model.word_ids], atol=1e-4)
    assert np.abs(words[0] - words[1]).max() > 0.1
    assert [model.entity_tokens(word) for word in model.words] == [
        [token] for token in model.word_ids.tolist()
    ]
