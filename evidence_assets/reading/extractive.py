"""The extractive family: options judged by the sentences that speak for them, with no language model.

Each option is measured against one pool of sentences, the same for all options of a question. The
measures are centred within the question, weighted, and turned into probabilities by a softmax. Weights
come in named sets (`weights/*.json`), each with what it was fitted on; its scale was fitted with it, so the
confidence is calibrated where questions are like those.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.rarity import Rarity
from evidence_assets.reading.weights import WEIGHT_SETS
from evidence_assets.text.negation import is_negated
from evidence_assets.text.words import words

MAX_CITED = 3
_ATTENTION_TEMPERATURE = 0.05
_CONTRAST_TEMPERATURE = 0.02
_BRIDGE_WEIGHT = 0.7
_TRIANGLE_WEIGHT = 0.3
_NEAREST = 20
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# Measures are rounded so that equal options score equally, whatever row of a matrix product they stood in.
_DECIMALS = 6

Scores = NDArray[np.float64]

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
)
TRIPLE_MEASURES = ("triple_hypothesis", "triple_contrast", "triple_attended")
PATH_MEASURES = ("path_lift", "path_nearness", "path_score", "path_hypothesis")
OPTION_MEASURES = ("plausibility", "question_echo", "option_echo", "length")
EVIDENCE_MEASURES = TEXT_MEASURES + TRIPLE_MEASURES + PATH_MEASURES
MEASURES = EVIDENCE_MEASURES + OPTION_MEASURES


@dataclass(frozen=True, slots=True)
class Candidates:
    """One question, ready to be judged.

    `question` (d,), `options` (n, d), `hypotheses` (n, d): unit vectors of the question, of each option,
    and of the question followed by each option. `sentences` (m, d): unit vectors of `sentence_texts`.
    `triples` (t, d): unit vectors of the triples, or passages, read out. `paths` (n, 4): what a graph
    measures of each option, in the order of `PATH_MEASURES`; None where no graph is walked.
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
    triple_...     hypothesis, contrast and attended, over the triples
    path_lift      by how much a walk from the question raises the option's concept
    path_nearness  what the cheapest path to it costs, negative
    path_score     best mean relevance of a path's nodes
    path_hypothesis  best cosine of question + option to a passage of its own
    plausibility   cosine of question and option: what is likely without evidence
    question_echo  cosine of question + option to the question
    option_echo    cosine of question + option to the option
    length         logarithm of the option's number of words

    Word shares are weighted by inverse frequency in the pool; words are compared by their stems.
    """
    values: dict[str, NDArray[np.floating]] = dict.fromkeys(MEASURES, np.zeros(len(candidates.option_texts)))
    values["plausibility"] = candidates.options @ candidates.question
    values["question_echo"] = candidates.hypotheses @ candidates.question
    values["option_echo"] = (candidates.hypotheses * candidates.options).sum(axis=1)
    values["length"] = np.log1p([len(words(option)) for option in candidates.option_texts])
    if len(candidates.sentences):
        to_question = candidates.sentences @ candidates.question
        to_option = candidates.options @ candidates.sentences.T
        to_hypothesis = candidates.hypotheses @ candidates.sentences.T
        values["hypothesis"] = to_hypothesis.max(axis=1)
        values["triangle"] = (to_hypothesis + _TRIANGLE_WEIGHT * (to_question + to_option)).max(axis=1)
        values["contrast"] = _contrast(to_hypothesis)
        values["attended"] = _attended(to_option, to_question)
        values["bridge"] = _bridges(candidates, to_question, to_option)[0]
        values["closest"] = to_option.max(axis=1)
        values["lexical"], values["overlap"], values["number"] = _word_measures(candidates, to_hypothesis)
    if len(candidates.triples):
        to_hypothesis = candidates.hypotheses @ candidates.triples.T
        values["triple_hypothesis"] = to_hypothesis.max(axis=1)
        values["triple_contrast"] = _contrast(to_hypothesis)
        values["triple_attended"] = _attended(
            candidates.options @ candidates.triples.T, candidates.triples @ candidates.question
        )
    if candidates.paths is not None:
        values.update(zip(PATH_MEASURES, candidates.paths.T, strict=True))
    columns = [np.asarray(values[name], dtype=np.float64) for name in MEASURES]
    measured: Scores = np.stack(columns, axis=1).round(_DECIMALS)
    return measured


def _contrast(to_hypothesis: NDArray[np.floating]) -> Scores:
    shared = to_hypothesis.mean(axis=0)
    preferred: Scores = (to_hypothesis - shared) @ _softmax(shared / _CONTRAST_TEMPERATURE)
    return preferred


def _attended(to_option: NDArray[np.floating], to_question: NDArray[np.floating]) -> Scores:
    weighted: Scores = to_option @ _softmax(to_question / _ATTENTION_TEMPERATURE)
    return weighted


def _softmax(values: NDArray[np.floating]) -> Scores:
    exponentials = np.exp(values - values.max())
    result: Scores = exponentials / exponentials.sum()
    return result


def _bridges(
    candidates: Candidates, to_question: NDArray[np.floating], to_option: NDArray[np.floating]
) -> tuple[Scores, list[tuple[int, int]]]:
    """Return each option's best two-sentence path and its sentences, the first near the question."""
    first = np.argsort(-to_question, kind="stable")[:_NEAREST]
    links = _BRIDGE_WEIGHT * (candidates.sentences[first] @ candidates.sentences.T)
    # A sentence is no bridge to itself, unless it is the only one.
    links[np.arange(len(first)), first] = -np.inf if len(candidates.sentences) > 1 else 0.0
    scores, pairs = [], []
    for option in to_option:
        paths = to_question[first][:, None] + links + option[None, :]
        row, column = np.unravel_index(int(np.argmax(paths)), paths.shape)
        scores.append(float(paths[row, column]))
        pairs.append((int(first[row]), int(column)))
    return np.array(scores), pairs


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=1 << 18)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in words(text))


def _word_measures(
    candidates: Candidates, to_hypothesis: NDArray[np.floating]
) -> tuple[Scores, Scores, Scores]:
    sentences = [_stems(sentence) for sentence in candidates.sentence_texts]
    numbers = [set(_NUMBER.findall(sentence)) for sentence in candidates.sentence_texts]
    question_stems = _stems(candidates.question_text)
    rarity = Rarity(sentences)
    lexical, overlap, number = (np.zeros(len(to_hypothesis)) for _ in range(3))
    for index, option in enumerate(candidates.option_texts):
        nearest = np.argsort(-to_hypothesis[index], kind="stable")[:_NEAREST].tolist()
        option_stems = _stems(option) - question_stems
        shares = [rarity.share(option_stems, sentences[place]) for place in nearest]
        lexical[index] = max(
            share * float(to_hypothesis[index, place]) for share, place in zip(shares, nearest, strict=True)
        )
        overlap[index] = max(
            share + rarity.share(question_stems, sentences[place])
            for share, place in zip(shares, nearest, strict=True)
        )
        option_numbers = set(_NUMBER.findall(option))
        if option_numbers:
            nearest_numbers = set().union(*(numbers[place] for place in nearest[:MAX_CITED]))
            number[index] = len(option_numbers & nearest_numbers) / len(option_numbers)
    return lexical, overlap, number


@cache
def load_weights(name: str) -> Mapping[str, float]:
    """Return a named set of weights, one a measure.

    Raises:
        ValueError: there is no such set, or it does not name exactly the measures.
    """
    if name not in WEIGHT_SETS:
        raise ValueError(f"no weights {name!r}: choose one of {', '.join(WEIGHT_SETS)}")
    path = files("evidence_assets.reading").joinpath("weights", f"{name}.json")
    weights: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))["weights"]
    if set(weights) != set(MEASURES):
        raise ValueError(f"weights/{name}.json names {sorted(weights)}; the measures are {sorted(MEASURES)}")
    return weights


def judge(candidates: Candidates, weights: Mapping[str, float]) -> Judgement:
    """Score the options and choose what to cite for each.

    Parameters
    ----------
    candidates
        At least one option.
    weights
        One weight a measure, as `load_weights` returns.
    """
    measures = measure_options(candidates)
    negated = is_negated(candidates.question_text)
    signs = np.array([-1.0 if negated and name in EVIDENCE_MEASURES else 1.0 for name in MEASURES])
    weight = np.array([weights[name] for name in MEASURES]) * signs
    scores = np.round((measures - measures.mean(axis=0)) @ weight, _DECIMALS)
    return Judgement(
        scores, _softmax(scores), measures, _citations(candidates), _cited_triples(candidates), negated
    )


def _citations(candidates: Candidates) -> list[list[int]]:
    """Return, for each option, the sentences its chain cites: its closest one, then its two-sentence path."""
    if not len(candidates.sentences):
        return [[] for _ in candidates.option_texts]
    to_question = candidates.sentences @ candidates.question
    pairs = _bridges(candidates, to_question, candidates.options @ candidates.sentences.T)[1]
    closest = (candidates.hypotheses @ candidates.sentences.T).argmax(axis=1)
    return [
        list(dict.fromkeys([int(nearest), *pair]))[:MAX_CITED]
        for nearest, pair in zip(closest, pairs, strict=True)
    ]


def _cited_triples(candidates: Candidates) -> list[list[int]]:
    """Return, for each option, the triple nearest to question and option."""
    if not len(candidates.triples):
        return [[] for _ in candidates.option_texts]
    nearest = (candidates.hypotheses @ candidates.triples.T).argmax(axis=1)
    return [[int(place)] for place in nearest]


def choose(scores: Sequence[float] | NDArray[np.floating]) -> Choice:
    """Return the best option; among equals the first, and say so.

    Raises:
        ValueError: there is no option, or a score is no number.
    """
    values = np.asarray(scores, dtype=np.float64)
    if not len(values):
        raise ValueError("no option to choose from")
    if np.isnan(values).any():
        raise ValueError(f"no choice between scores {values.tolist()}")
    equal = np.flatnonzero(values == values.max())
    rule = "none" if len(equal) == 1 else f"first of {len(equal)} equal scores"
    return Choice(int(equal[0]), rule)
