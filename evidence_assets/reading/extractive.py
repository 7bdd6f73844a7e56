"""The extractive family: options judged by the sentences that speak for them, with no language model.

Each option is measured against the sentences and triples that it was given, and its chain cites no other.
The measures are weighed and turned into probabilities (`combination`). Weights come in named sets
(`weights/*.json`), each with what it was fitted on; its scale was fitted with it, so the confidence is
calibrated where questions are like those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.experiment import Answer, tie_rule
from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.baselines import longest_option
from evidence_assets.reading.prompting.replies import letter
from evidence_assets.reading.rarity import Rarity
from evidence_assets.reading.weighing.combination import Scores, Weights, combined, softmax
from evidence_assets.reading.weights import WEIGHT_SETS, read_weights
from evidence_assets.text.negation import is_negated
from evidence_assets.text.roots import stem
from evidence_assets.text.words import NUMBER, words

MAX_CITED = 3
_ATTENTION_TEMPERATURE = 0.05
_CONTRAST_TEMPERATURE = 0.02
_BRIDGE_WEIGHT = 0.7
_TRIANGLE_WEIGHT = 0.3
_NEAREST = 20
_LINKS = 3
# Measures are rounded so that equal options score equally, whatever row of a matrix product they stood in.
_DECIMALS = 6

Flags = NDArray[np.bool_]

# What text says of an option, what triples do, what paths of a graph do, then what it says of itself.
# Negation asks for the option that evidence speaks least for: it turns all but the last round.
TEXT_MEASURES = (
    "hypothesis",
    "triangle",
    "contrast",
    "attended",
    "bridge",
    "closest",
    "lexical",
    "overlap",
    "number",
    "link",
)
TRIPLE_MEASURES = ("triple_hypothesis", "triple_contrast", "triple_attended")
PATH_MEASURES = ("path_lift", "path_nearness", "path_score", "path_hypothesis")
OPTION_MEASURES = ("plausibility", "question_echo", "option_echo", "length", "characters")
EVIDENCE_MEASURES = TEXT_MEASURES + TRIPLE_MEASURES + PATH_MEASURES
MEASURES = EVIDENCE_MEASURES + OPTION_MEASURES
_NEARNESS = MEASURES.index("hypothesis")


@dataclass(frozen=True, slots=True)
class Candidates:
    """One question, ready to be judged.

    `question` (d,), `options` (n, d), `hypotheses` (n, d): unit vectors of the question, of each option,
    and of the question followed by each option. `sentences` (m, d): unit vectors of `sentence_texts`.
    `triples` (t, d): unit vectors of the triples, or passages, read out. `paths` (n, 4): what a graph
    measures of each option, in the order of `PATH_MEASURES`; None where no graph is walked.
    `sentences_given` (n, m), `triples_given` (n, t): which option was given which; None where every option
    was given all.
    """

    question_text: str
    option_texts: Sequence[str]
    sentence_texts: Sequence[str]
    question: FloatArray
    options: FloatArray
    hypotheses: FloatArray
    sentences: FloatArray
    triples: FloatArray
    paths: FloatArray | None = None
    sentences_given: Flags | None = None
    triples_given: Flags | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """Every option's score, probability, measures (n, measures), and what is cited for it.

    `cited` holds places among the sentences; `cited_triples` among the triples.
    """

    scores: Scores
    probabilities: Scores
    measures: Scores
    cited: list[list[int]]
    cited_triples: list[list[int]]
    negated: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen option, and the rule that chose it where scores were equal."""

    index: int
    tie_break: str


def measure_options(candidates: Candidates) -> Scores:
    """Return (n, measures), the columns in the order of `MEASURES`.

    hypothesis     best cosine of question + option to any sentence
    triangle       the same, with the sentence's cosines to question and option at 0.3 each
    contrast       by how much the sentences nearest to any hypothesis prefer this one
    attended       option's cosine to the sentences, weighted by their closeness to the question
    bridge         best two-sentence path: question to first, first to second, second to option
    closest        best cosine of the option alone to any sentence
    lexical        best share of the option's own words in a near sentence, times its cosine
    overlap        best sum of shares of the option's and of the question's words in a near sentence
    number         share of the option's numbers found in its nearest sentences; 0 without numbers
    link           mean of the best three sentences by the lesser of their cosines to question and option
    triple_...     hypothesis, contrast and attended, over the triples
    path_lift      by how much a walk from the question raises the option's concept
    path_nearness  what the cheapest path to it costs, negative
    path_score     best mean relevance of a path's nodes
    path_hypothesis  best cosine of question + option to a passage of its own
    plausibility   cosine of question and option: what is likely without evidence
    question_echo  cosine of question + option to the question
    option_echo    cosine of question + option to the option
    length         logarithm of the option's number of words
    characters     square root of the option's number of characters

    Measures of sentences and triples are over those that the option was given: what another option was given
    changes none of them. An option that was given none of a kind has the mean of the others: neither support
    nor the lack of it. Word shares are weighted by inverse frequency among the option's sentences; words are
    compared by their stems.
    """
    options = len(candidates.option_texts)
    values: dict[str, NDArray[np.floating]] = dict.fromkeys(MEASURES, np.zeros(options))
    values["plausibility"] = _products(candidates.options, candidates.question)
    values["question_echo"] = _products(candidates.hypotheses, candidates.question)
    values["option_echo"] = (candidates.hypotheses * candidates.options).sum(axis=1, dtype=np.float64)
    values["length"] = np.log1p([len(words(option)) for option in candidates.option_texts])
    values["characters"] = np.sqrt(longest_option(candidates.option_texts))
    stems, numbers = _stems_and_numbers(candidates.sentence_texts)
    of_sentences = [
        _sentence_measures(candidates, near, stems, numbers) if len(near.places) else None
        for near in _sentence_cosines(candidates)
    ]
    of_triples = [
        [float(near.to_hypothesis.max()), _contrast(near), _attended(near)] if len(near.places) else None
        for near in _triple_cosines(candidates)
    ]
    values.update(zip(TEXT_MEASURES, _columns(of_sentences, len(TEXT_MEASURES)), strict=True))
    values.update(zip(TRIPLE_MEASURES, _columns(of_triples, len(TRIPLE_MEASURES)), strict=True))
    if candidates.paths is not None:
        values.update(zip(PATH_MEASURES, candidates.paths.T, strict=True))
    columns = [np.asarray(values[name], dtype=np.float64) for name in MEASURES]
    measured: Scores = np.stack(columns, axis=1).round(_DECIMALS)
    return measured


def _products(left: FloatArray, right: FloatArray) -> Scores:
    """Return the products of rows and columns in double precision.

    In single precision equal rows can differ, as sums run in another order, and equal options with them.
    """
    products: Scores = left.astype(np.float64) @ right.astype(np.float64)
    return products


@dataclass(frozen=True, slots=True)
class _Cosines:
    """Cosines of the k units of one kind that one option was given, and their places among all.

    `to_question`, `to_option` (k,): to the question, to the option. `to_hypotheses` (n, k): to the question
    followed by each option, of which this is number `option`.
    """

    option: int
    places: NDArray[np.intp]
    to_question: Scores
    to_option: Scores
    to_hypotheses: Scores

    @property
    def to_hypothesis(self) -> Scores:
        cosines: Scores = self.to_hypotheses[self.option]
        return cosines


def _sentence_cosines(candidates: Candidates) -> list[_Cosines]:
    return _cosines(candidates, candidates.sentences, candidates.sentences_given)


def _triple_cosines(candidates: Candidates) -> list[_Cosines]:
    return _cosines(candidates, candidates.triples, candidates.triples_given)


def _cosines(candidates: Candidates, units: FloatArray, given: Flags | None) -> list[_Cosines]:
    """Return every option's cosines to those of the units, (m, d), that it was given."""
    to_question = _products(units, candidates.question)
    to_options, to_hypotheses = (_products(of, units.T) for of in (candidates.options, candidates.hypotheses))
    if given is None:
        given = np.ones(to_options.shape, dtype=np.bool_)
    places_given = [np.flatnonzero(of_option) for of_option in given]
    return [
        _Cosines(option, places, to_question[places], to_options[option, places], to_hypotheses[:, places])
        for option, places in enumerate(places_given)
    ]


def _columns(rows: Sequence[Sequence[float] | None], width: int) -> Scores:
    """Return (width, n) measures of n options; those without any have the mean of the others."""
    measured = [row for row in rows if row is not None]
    mean = np.mean(measured, axis=0) if measured else np.zeros(width)
    columns: Scores = np.array([mean if row is None else row for row in rows], dtype=np.float64).T
    return columns


def _sentence_measures(
    candidates: Candidates, near: _Cosines, stems: Sequence[frozenset[str]], numbers: Sequence[set[str]]
) -> list[float]:
    """Return the measures of one option that was given a sentence, in the order of `TEXT_MEASURES`."""
    triangle = near.to_hypothesis + _TRIANGLE_WEIGHT * (near.to_question + near.to_option)
    return [
        float(near.to_hypothesis.max()),
        float(triangle.max()),
        _contrast(near),
        _attended(near),
        _bridge(candidates.sentences, near)[0],
        float(near.to_option.max()),
        *_word_measures(candidates, near, stems, numbers),
        _link(near),
    ]


def _link(near: _Cosines) -> float:
    lesser = np.minimum(near.to_question, near.to_option)
    return float(np.sort(lesser)[-_LINKS:].mean())


def _contrast(near: _Cosines) -> float:
    shared = near.to_hypotheses.mean(axis=0)
    return float((near.to_hypothesis - shared) @ softmax(shared / _CONTRAST_TEMPERATURE))


def _attended(near: _Cosines) -> float:
    return float(near.to_option @ softmax(near.to_question / _ATTENTION_TEMPERATURE))


def _bridge(sentences: FloatArray, near: _Cosines) -> tuple[float, tuple[int, int]]:
    """Return an option's best two-sentence path and its sentences, the first near the question."""
    first = np.argsort(-near.to_question, kind="stable")[:_NEAREST]
    option_sentences = sentences[near.places]
    links = _BRIDGE_WEIGHT * _products(option_sentences[first], option_sentences.T)
    # A sentence is no bridge to itself, unless it is the only one.
    links[np.arange(len(first)), first] = -np.inf if len(option_sentences) > 1 else 0.0
    paths = near.to_question[first][:, None] + links + near.to_option[None, :]
    row, column = np.unravel_index(int(np.argmax(paths)), paths.shape)
    return float(paths[row, column]), (int(near.places[first[row]]), int(near.places[column]))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))


def _stems_and_numbers(texts: Sequence[str]) -> tuple[list[frozenset[str]], list[set[str]]]:
    return [_stems(text) for text in texts], [set(NUMBER.findall(text)) for text in texts]


def _word_measures(
    candidates: Candidates, near: _Cosines, stems: Sequence[frozenset[str]], numbers: Sequence[set[str]]
) -> tuple[float, float, float]:
    """Return lexical, overlap and number of one option; `stems`, `numbers`: those of every sentence."""
    option = candidates.option_texts[near.option]
    question_stems = _stems(candidates.question_text)
    option_stems = _stems(option) - question_stems
    rarity = Rarity([stems[place] for place in near.places])
    nearest = np.argsort(-near.to_hypothesis, kind="stable")[:_NEAREST]
    places, cosines = near.places[nearest].tolist(), near.to_hypothesis[nearest].tolist()
    shares = [rarity.share(option_stems, stems[place]) for place in places]
    lexical = max(share * cosine for share, cosine in zip(shares, cosines, strict=True))
    overlap = max(
        share + rarity.share(question_stems, stems[place])
        for share, place in zip(shares, places, strict=True)
    )
    option_numbers = set(NUMBER.findall(option))
    if not option_numbers:
        return lexical, overlap, 0.0
    nearest_numbers = set[str]().union(*(numbers[place] for place in places[:MAX_CITED]))
    return lexical, overlap, len(option_numbers & nearest_numbers) / len(option_numbers)


@cache
def load_weights(name: str) -> Weights:
    """Return a named set of weights, one a measure, in the order of `MEASURES`.

    Raises:
        ValueError: there is no such set, or it does not name exactly the measures.
    """
    if name not in WEIGHT_SETS:
        raise ValueError(f"no weights {name!r}: choose one of {', '.join(WEIGHT_SETS)}")
    kept = read_weights(name)
    for part in ("near", "far"):
        if set(kept[part]) != set(MEASURES):
            raise ValueError(
                f"weights/{name}.json names {sorted(kept[part])} of {part!r}; the measures are "
                f"{sorted(MEASURES)}"
            )
    near, far = (np.array([kept[part][measure] for measure in MEASURES]) for part in ("near", "far"))
    return Weights(near, far, kept["low"], kept["high"])


def judge(candidates: Candidates, weights: Weights) -> Judgement:
    """Score the options and choose what to cite for each.

    Args:
        candidates: At least one option.
        weights: One weight a measure, as `load_weights` returns.
    """
    measures = measure_options(candidates)
    negated = is_negated(candidates.question_text)
    scores = combined(directed(measures, negated), weights, nearness(measures))
    return Judgement(
        scores, softmax(scores), measures, _citations(candidates), _cited_triples(candidates), negated
    )


def nearness(measures: Scores) -> float:
    """Return the best cosine of a sentence to the question with an option; 0 without a sentence.

    `measures`: (n, measures) as `measure_options` returns. Triples do not count: read out, they are near to
    everything that they name.
    """
    return max(0.0, float(measures[:, _NEARNESS].max()))


def directed(measures: Scores, negated: bool) -> Scores:
    """Return (n, measures) that speak for an option the more, the greater they are.

    A negated question asks for the option that evidence speaks least for: what evidence says is turned round.
    """
    turned = [-1.0 if negated and name in EVIDENCE_MEASURES else 1.0 for name in MEASURES]
    result: Scores = measures * np.array(turned)
    return result


def _citations(candidates: Candidates) -> list[list[int]]:
    """Return, for each option, the sentences its chain cites: its closest one, then its two-sentence path.

    All are among those that the option was given; none where it was given none.
    """
    cited = []
    for near in _sentence_cosines(candidates):
        if not len(near.places):
            cited.append(list[int]())
            continue
        closest = int(near.places[near.to_hypothesis.argmax()])
        pair = _bridge(candidates.sentences, near)[1]
        cited.append(list(dict.fromkeys([closest, *pair]))[:MAX_CITED])
    return cited


def _cited_triples(candidates: Candidates) -> list[list[int]]:
    """Return, for each option, that of its triples which is nearest to question and option."""
    return [
        [int(near.places[near.to_hypothesis.argmax()])] if len(near.places) else []
        for near in _triple_cosines(candidates)
    ]


def choose(scores: Sequence[float] | NDArray[np.floating]) -> Choice:
    """Return the best option; of equal ones the first, with the rule that decided.

    Raises:
        ValueError: there is no option, or a score is no number.
    """
    values = np.asarray(scores, dtype=np.float64)
    if not len(values):
        raise ValueError("no option to choose from")
    if np.isnan(values).any():
        raise ValueError(f"no choice between scores {values.tolist()}")
    equal = np.flatnonzero(values == values.max())
    rule = tie_rule(len(equal), "equal scores")
    return Choice(int(equal[0]), rule)


def option_answer(choice: Choice, confidence: float | None, reader: str) -> Answer:
    """Return the answer that a chosen option is. `reader`: what rows name it."""
    return Answer(
        choice.index, confidence, reader, f"Answer: {letter(choice.index)}", tie_break=choice.tie_break
    )
