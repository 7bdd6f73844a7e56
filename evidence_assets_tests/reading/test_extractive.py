"""Options judged by sentences: known measures, and what must not change the answer."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidence_assets.reading import extractive
from evidence_assets.reading.extractive import (
    MAX_CITED,
    MEASURES,
    OPTION_MEASURES,
    TEXT_MEASURES,
    TRIPLE_MEASURES,
    Candidates,
    choose,
    judge,
    load_weights,
    measure_options,
    nearness,
)
from evidence_assets.reading.weighing.combination import Weights
from evidence_assets.reading.weights import GENERAL, WEIGHT_SETS
from evidence_assets_tests.testing.profiles import examples

E = np.eye(6, dtype=np.float32)
NONE = E[:0]
WEIGHTS = load_weights(GENERAL)


def between(*vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    total = np.sum(vectors, axis=0)
    unit: NDArray[np.float32] = (total / np.linalg.norm(total)).astype(np.float32)
    return unit


def column(measures: NDArray[np.float64], name: str) -> list[float]:
    values: list[float] = measures[:, MEASURES.index(name)].tolist()
    return values


def weighing(name: str, weight: float = 1.0) -> Weights:
    """Weights of one measure alone, near and far."""
    alone = np.array([weight * (measure == name) for measure in MEASURES])
    return Weights(alone, alone)


def random_case(
    options: int, sentences: int, seed: int, question: str = "What is it?", triples: int = 3
) -> Candidates:
    random = np.random.default_rng(seed)

    def unit(count: int) -> NDArray[np.float32]:
        drawn = random.normal(size=(count, 6))
        units: NDArray[np.float32] = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
        return units

    vocabulary = ["cat", "dog", "3", "1,000", "mat", "it", "ran"]
    return Candidates(
        question_text=question,
        option_texts=[
            " ".join(random.choice(vocabulary, size=random.integers(1, 4))) for _ in range(options)
        ],
        sentence_texts=[
            " ".join(random.choice(vocabulary, size=random.integers(1, 6))) for _ in range(sentences)
        ],
        question=unit(1)[0],
        options=unit(options),
        hypotheses=unit(options),
        sentences=unit(sentences),
        triples=unit(triples),
    )


# Question e0. Two sentences: one on the question and option A (e0 + e1), one on option B alone (e2).
KNOWN = Candidates(
    question_text="Which animal weighs 5 kg?",
    option_texts=["cat", "big dog 7", "a 5 12"],
    sentence_texts=["The cat weighs five.", "A dog of 7 or 12."],
    question=E[0],
    options=np.stack([E[1], E[2], E[3]]),
    hypotheses=np.stack([between(E[0], E[1]), between(E[0], E[2]), between(E[0], E[3])]),
    sentences=np.stack([between(E[0], E[1]), E[2]]),
    triples=NONE,
)


def test_measures_are_those_worked_out_by_hand() -> None:
    measures = measure_options(KNOWN)
    assert measures.shape == (3, len(MEASURES))
    half = np.sqrt(0.5)
    np.testing.assert_allclose(column(measures, "hypothesis"), [1, half, 0.5], atol=1e-6)
    triangle = [1 + 0.6 * half, half + 0.3, 0.5 + 0.3 * half]
    np.testing.assert_allclose(column(measures, "triangle"), triangle, atol=1e-6)
    np.testing.assert_allclose(column(measures, "closest"), [half, 1, 0], atol=1e-6)
    np.testing.assert_allclose(column(measures, "plausibility"), [0, 0, 0], atol=1e-6)
    np.testing.assert_allclose(column(measures, "question_echo"), [half] * 3, atol=1e-6)
    np.testing.assert_allclose(column(measures, "option_echo"), [half] * 3, atol=1e-6)
    np.testing.assert_allclose(column(measures, "length"), [np.log(2), np.log(4), np.log(4)], atol=1e-6)
    np.testing.assert_allclose(column(measures, "characters"), np.sqrt([3, 9, 6]), atol=1e-6)
    # The lesser cosine of each sentence to question and option, s1's to the question being 0; both are taken.
    np.testing.assert_allclose(column(measures, "link"), [half / 2, 0, 0], atol=1e-6)
    # The first sentence is nearer to the question by .707: at temperature .05 it gets all the attention.
    np.testing.assert_allclose(column(measures, "attended"), [half, 0, 0], atol=1e-5)
    # Bridges: question to s0 to s1 (link 0) or back. A: q.s1 + 0 + s0.A = .707; B: q.s0 + 0 + s1.B.
    np.testing.assert_allclose(column(measures, "bridge"), [half, half + 1, half], atol=1e-5)
    # Of two sentences a word is in none (weight ln 6) or in one (ln 2). B's own words: big, dog, 7; of the
    # third option's words "5" is the question's, and its cosine to s1 is 0.
    rare, known = np.log(6), np.log(2)
    option_share = 2 * known / (2 * known + rare)
    question_share = known / (known + 4 * rare)  # of which, animal, weigh, 5, kg s0 has "weigh"
    np.testing.assert_allclose(column(measures, "lexical"), [1, option_share * half, 0], atol=1e-5)
    np.testing.assert_allclose(column(measures, "overlap"), [1 + question_share, option_share, 1], atol=1e-5)
    np.testing.assert_allclose(column(measures, "number"), [0, 1, 0.5])
    contrast = column(measures, "contrast")
    assert contrast[0] == max(contrast)
    assert sum(contrast) == pytest.approx(0, abs=2e-6)


def test_bridge_goes_over_two_sentences_when_there_are_two() -> None:
    link = between(E[1], E[2])
    case = Candidates(
        "q", ["far", "near"], ["s0", "s1"], E[0], np.stack([E[2], E[1]]), np.stack([E[4], E[5]]),
        np.stack([between(E[0], E[1]), link]), NONE,
    )  # fmt: skip
    half = np.sqrt(0.5)
    np.testing.assert_allclose(
        column(measure_options(case), "bridge"), [half + 0.7 * 0.5 + half] * 2, atol=1e-5
    )
    alone = Candidates("q", ["near"], ["s0"], E[0], E[1:2], E[4:5], between(E[0], E[1])[None], NONE)
    np.testing.assert_allclose(column(measure_options(alone), "bridge"), [half + half], atol=1e-5)
    assert judge(alone, WEIGHTS).cited == [[0]]


def test_numbers_count_in_the_three_nearest_sentences_only() -> None:
    nearness = [0.9, 0.8, 0.7, 0.6]
    sentences = np.stack(
        [value * E[0] + np.sqrt(1 - value**2) * E[2 + place] for place, value in enumerate(nearness)]
    )
    case = Candidates(
        "How many?",
        ["3 or 4", "1,000.5", "none", "41"],
        ["3 here", "nothing", "about 1,000.5", "4"],
        E[1],
        np.stack([E[0]] * 4),
        np.stack([E[0]] * 4),
        sentences.astype(np.float32),
        NONE,
    )
    assert column(measure_options(case), "number") == [0.5, 1.0, 0.0, 0.0]


@pytest.mark.parametrize(("sentences", "triples"), [(0, 0), (0, 4), (4, 0)])
def test_without_evidence_of_a_kind_only_what_needs_none_is_measured(sentences: int, triples: int) -> None:
    case = random_case(3, sentences, 0, triples=triples)
    judgement = judge(case, WEIGHTS)
    for names, count in ((TEXT_MEASURES, sentences), (TRIPLE_MEASURES, triples)):
        for name in names:
            if name != "number":
                assert any(column(judgement.measures, name)) == bool(count)
    if not sentences:
        assert column(judgement.measures, "number") == [0, 0, 0]
    np.testing.assert_allclose(
        column(judgement.measures, "plausibility"), case.options @ case.question, atol=1e-6
    )
    assert [bool(cited) for cited in judgement.cited] == [bool(sentences)] * 3
    assert [len(cited) for cited in judgement.cited_triples] == [bool(triples)] * 3
    assert judgement.probabilities.sum() == pytest.approx(1)


def test_triples_are_measured_as_sentences_are() -> None:
    """Hypothesis, contrast and attended, of the triples alone."""
    case = random_case(4, 7, 11)
    moved = Candidates(
        case.question_text,
        case.option_texts,
        ["words"] * len(case.triples),
        case.question,
        case.options,
        case.hypotheses,
        case.triples,
        NONE,
    )
    measures, expected = measure_options(case), measure_options(moved)
    for name in TRIPLE_MEASURES:
        text_measure = name.removeprefix("triple_")
        assert column(measures, name) == column(expected, text_measure)
        assert column(measures, name) != column(measures, text_measure)


def test_triple_measures_are_those_worked_out_by_hand() -> None:
    """One triple on question and option A, one on option B alone."""
    case = Candidates(
        "q",
        ["A", "B"],
        [],
        E[0],
        np.stack([E[1], E[2]]),
        np.stack([between(E[0], E[1]), between(E[0], E[2])]),
        NONE,
        np.stack([between(E[0], E[1]), E[2]]),
    )
    judgement = judge(case, WEIGHTS)
    half = np.sqrt(0.5)
    np.testing.assert_allclose(column(judgement.measures, "triple_hypothesis"), [1, half], atol=1e-6)
    np.testing.assert_allclose(column(judgement.measures, "triple_attended"), [half, 0], atol=1e-5)
    # Both hypotheses together are nearest to the first triple (1 and .5 against 0 and .707): it decides.
    np.testing.assert_allclose(column(judgement.measures, "triple_contrast"), [0.25, -0.25], atol=1e-4)
    assert judgement.cited == [[], []]
    assert judgement.cited_triples == [[0], [1]]


_CASES = st.builds(
    random_case,
    options=st.integers(1, 6),
    sentences=st.integers(0, 30),
    seed=st.integers(0, 10_000),
    question=st.sampled_from(["What is it?", "Which is NOT it?"]),
    triples=st.integers(0, 12),
)


@examples(150)
@given(_CASES)
def test_judgements_are_probabilities_with_citations(case: Candidates) -> None:
    judgement = judge(case, WEIGHTS)
    count = len(case.option_texts)
    assert judgement.probabilities.sum() == pytest.approx(1)
    assert (judgement.probabilities > 0).all()
    assert (np.diff(judgement.probabilities[np.argsort(judgement.scores)]) >= 0).all()
    assert np.isfinite(judgement.measures).all()
    assert judgement.negated == ("NOT" in case.question_text)
    assert len(judgement.cited) == count
    for option, cited in enumerate(judgement.cited):
        assert len(cited) == len(set(cited)) <= MAX_CITED
        assert all(0 <= place < len(case.sentence_texts) for place in cited)
        if len(case.sentences):
            assert cited[0] == int(np.argmax(case.sentences @ case.hypotheses[option]))
    nearest = [
        int(np.argmax(case.triples @ hypothesis)) for hypothesis in case.hypotheses if len(case.triples)
    ]
    assert judgement.cited_triples == ([[place] for place in nearest] or [[]] * count)


@examples(100)
@given(case=_CASES, data=st.data())
def test_the_order_of_options_does_not_matter(case: Candidates, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(case.option_texts))))
    moved = Candidates(
        case.question_text,
        [case.option_texts[place] for place in order],
        case.sentence_texts,
        case.question,
        case.options[order],
        case.hypotheses[order],
        case.sentences,
        case.triples,
    )
    before, after = judge(case, WEIGHTS), judge(moved, WEIGHTS)
    np.testing.assert_allclose(after.scores, before.scores[order], atol=1e-5)
    np.testing.assert_allclose(after.probabilities, before.probabilities[order], atol=1e-5)
    np.testing.assert_allclose(after.measures, before.measures[order], atol=1e-5)


@examples(50)
@given(seed=st.integers(0, 10_000), name=st.sampled_from(MEASURES))
def test_negation_turns_what_evidence_says_around(seed: int, name: str) -> None:
    weights = weighing(name)
    plain, negated = (
        judge(random_case(4, 8, seed, question), weights) for question in ("What is it?", "Which is NOT it?")
    )
    if name == "overlap":  # counts the question's words, so the measure itself differs between the two
        expected = -(negated.measures - negated.measures.mean(axis=0))[:, MEASURES.index(name)]
    else:
        expected = plain.scores if name in OPTION_MEASURES else -plain.scores
    np.testing.assert_allclose(negated.scores, expected, atol=1e-6)


def test_the_supported_option_wins_and_loses_where_the_exception_is_asked() -> None:
    weights = weighing("hypothesis", 5.0)
    assert choose(judge(KNOWN, weights).scores).index == 0
    exception = Candidates("Which is NOT it?", *(getattr(KNOWN, name) for name in KNOWN.__slots__[1:]))
    assert choose(judge(exception, weights).scores).index == 2


def test_one_option_is_certain() -> None:
    judgement = judge(random_case(1, 5, 3), WEIGHTS)
    assert judgement.probabilities.tolist() == [1.0]
    assert judgement.scores.tolist() == [0.0]


@pytest.mark.parametrize("sentences", [0, 4])
def test_options_that_are_all_equal_are_a_tie_and_share_the_probability(sentences: int) -> None:
    case = random_case(4, sentences, 9, triples=0)
    same = dataclasses.replace(
        case,
        option_texts=["a mat"] * 4,
        options=np.repeat(case.options[:1], 4, axis=0),
        hypotheses=np.repeat(case.hypotheses[:1], 4, axis=0),
    )
    judgement = judge(same, WEIGHTS)
    assert judgement.scores.tolist() == [0.0] * 4
    assert judgement.probabilities.tolist() == [0.25] * 4
    assert choose(judgement.scores).tie_break == "first of 4 equal scores"


@pytest.mark.parametrize("sentences", [0, 4])
def test_an_empty_option_is_judged_as_any_other(sentences: int) -> None:
    case = random_case(3, sentences, 2, triples=sentences)
    judgement = judge(dataclasses.replace(case, option_texts=["", "a cat", " "]), WEIGHTS)
    assert np.isfinite(judgement.measures).all()
    assert judgement.probabilities.sum() == pytest.approx(1)
    assert column(judgement.measures, "characters")[::2] == [0, 0]


def test_how_near_the_text_comes_decides_which_weights_hold() -> None:
    """The nearest sentence decides: with none, or far ones, what the options say of themselves counts."""
    by_text, by_itself = (weighing(name).near for name in ("hypothesis", "plausibility"))
    weights = Weights(by_text, by_itself, low=0.2, high=0.6)
    # Question and option A are alike; a sentence is on option B.
    case = Candidates(
        "q", ["A", "B"], ["s"], E[0], np.stack([between(E[0], E[1]), E[2]]), E[3:5], E[4:5], NONE
    )  # fmt: skip
    assert nearness(measure_options(case)) == 1
    assert choose(judge(case, weights).scores).index == 1
    unread = dataclasses.replace(case, sentence_texts=[], sentences=NONE)
    assert nearness(measure_options(unread)) == 0
    assert choose(judge(unread, weights).scores).index == 0


@pytest.mark.parametrize("options", [2, 3, 4, 5])
def test_equal_options_are_equal_to_the_last_bit(options: int) -> None:
    """Or the tie is not seen, and which of them is chosen is the matrix library's rounding."""
    for seed in range(10):
        case = random_case(options, 40, seed)
        for vectors in (case.options, case.hypotheses):
            vectors[-1] = vectors[0]
        case = Candidates(
            case.question_text,
            [*case.option_texts[:-1], case.option_texts[0]],
            case.sentence_texts,
            case.question,
            case.options,
            case.hypotheses,
            case.sentences,
            case.triples,
        )
        judgement = judge(case, WEIGHTS)
        assert judgement.scores[0] == judgement.scores[-1]
        if choose(judgement.scores).index in (0, options - 1):
            assert choose(judgement.scores).tie_break == "first of 2 equal scores"


@pytest.mark.parametrize("name", WEIGHT_SETS)
def test_every_set_of_weights_names_every_measure(name: str) -> None:
    weights = load_weights(name)
    assert weights.near.shape == weights.far.shape == (len(MEASURES),)
    assert np.isfinite([*weights.near, *weights.far]).all()
    assert weights.low < weights.high


@pytest.mark.parametrize("name", ["", "unheard_of", "../weights/general", "General"])
def test_unknown_weights_are_told_what_there_is(name: str) -> None:
    with pytest.raises(ValueError, match="choose one of") as raised:
        load_weights(name)
    assert all(known in str(raised.value) for known in WEIGHT_SETS)


def test_weights_of_other_measures_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = {name: 1.0 for name in MEASURES if name not in TRIPLE_MEASURES}
    content = {"low": 0.0, "high": 1.0, "near": dict.fromkeys(MEASURES, 1.0), "far": weights}
    monkeypatch.setattr(extractive, "read_weights", lambda _: content)
    load_weights.cache_clear()
    with pytest.raises(ValueError, match=rf"weights/{GENERAL}\.json names .*the measures are"):
        load_weights(GENERAL)


@pytest.mark.parametrize(
    ("option", "sentence", "same"),
    [
        ("cats", "A cat sleeps.", True),
        ("planting", "He planted it.", True),
        ("boxes", "A box.", True),
        ("horses", "One horse ran.", True),
        ("temperatures", "The temperature fell.", True),
        ("glass", "Two glasses broke.", True),
        ("cities", "The city grew.", True),
        ("plant", "The planet turns.", False),
    ],
)
def test_words_are_compared_by_their_stems(option: str, sentence: str, same: bool) -> None:
    vectors = np.eye(4, dtype=np.float32)
    vector = vectors[1:2]
    case = Candidates("What?", [option], [sentence], vectors[0], vector, vector, vector, vectors[:0])
    lexical = measure_options(case)[0, MEASURES.index("lexical")]
    assert bool(lexical > 0) is same


def test_the_highest_score_is_chosen_and_a_tie_is_told() -> None:
    assert (choose([0.1, 0.9, 0.3]).index, choose([0.1, 0.9, 0.3]).tie_break) == (1, "none")
    assert (choose([2, 5, 5, 5]).index, choose([2, 5, 5, 5]).tie_break) == (1, "first of 3 equal scores")
    assert choose(np.array([-np.inf, -np.inf])).tie_break == "first of 2 equal scores"
    assert choose([3.0]).index == 0
    with pytest.raises(ValueError, match="no option"):
        choose([])


def given_some(case: Candidates, seed: int) -> Candidates:
    """The same question, each option given some of the sentences and triples, perhaps none."""
    random = np.random.default_rng(seed)
    options = len(case.option_texts)
    return dataclasses.replace(
        case,
        sentences_given=random.random((options, len(case.sentences))) < 0.4,
        triples_given=random.random((options, len(case.triples))) < 0.4,
    )


@examples(100)
@given(case=_CASES, seed=st.integers(0, 10_000))
def test_an_option_is_judged_by_what_it_was_given_and_cites_nothing_else(case: Candidates, seed: int) -> None:
    case = given_some(case, seed)
    assert case.sentences_given is not None
    assert case.triples_given is not None
    judgement = judge(case, WEIGHTS)
    assert np.isfinite(judgement.measures).all()
    for option in range(len(case.option_texts)):
        sentences = np.flatnonzero(case.sentences_given[option])
        triples = np.flatnonzero(case.triples_given[option])
        alone = Candidates(
            case.question_text,
            case.option_texts,
            [case.sentence_texts[place] for place in sentences.tolist()],
            case.question,
            case.options,
            case.hypotheses,
            case.sentences[sentences],
            case.triples[triples],
        )
        expected = judge(alone, WEIGHTS)
        for name in (*(TEXT_MEASURES if len(sentences) else ()), *(TRIPLE_MEASURES if len(triples) else ())):
            assert column(judgement.measures, name)[option] == pytest.approx(
                column(expected.measures, name)[option], abs=2e-6
            )
        assert judgement.cited[option] == [sentences[place] for place in expected.cited[option]]
        assert judgement.cited_triples[option] == [triples[place] for place in expected.cited_triples[option]]


def test_an_option_given_nothing_of_a_kind_has_the_mean_of_the_others() -> None:
    case = random_case(3, 6, 5)
    given_to = np.ones((3, 6), dtype=bool)
    given_to[1] = False
    judgement = judge(dataclasses.replace(case, sentences_given=given_to), WEIGHTS)
    for name in TEXT_MEASURES:
        first, second, third = column(judgement.measures, name)
        assert second == pytest.approx((first + third) / 2, abs=2e-6)
    assert judgement.cited[1] == []
    assert judgement.cited_triples[1] != []
