"""Fits which sentence answers an open question, and how likely: `reading/weights/sentence_answers.json`.

    python -m benchmarks.text.fit_sentence_answers

Of XQuAD's articles of even place, each question as it is, and altered so that its passages no longer answer
it: the gold chunks taken out, or the answer alone; or a number, a name, a word or what asks exchanged for
another. And the development parts of `near_misses` and `several_steps`. No article of odd place and no
held-out domain chose anything.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.real_lake import made, prepare
from benchmarks.text.answerability import WEIGHTS, Retrieved, retrieved_of
from benchmarks.text.authored_domains import DEVELOPMENT, AuthoredDomains, environment
from benchmarks.text.near_misses import NEAR_MISSES
from benchmarks.text.several_steps import SEVERAL_STEPS
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.lake.catalogue import cache_folder
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.locations import default_root
from evidence_assets.models.encoder import EncodedWords
from evidence_assets.models.provider import Models
from evidence_assets.reading.sentences.answer_kinds import AnswerKind
from evidence_assets.reading.sentences.sentence_answers import repeats
from evidence_assets.reading.sentences.sentence_measures import MEASURES, MISSING, sentence_measures
from evidence_assets.reading.weights import SENTENCE_ANSWERS
from evidence_assets.systems.uscrake.arms import ARMS, DEFAULT_ARM
from evidence_assets.systems.uscrake.cases import Case, RetrievedEvidence, cases_of, source_of
from evidence_assets.text.function_words import function_words
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.roots import root
from evidence_assets.text.words import words

Values = NDArray[np.float64]
NAMES = (*MEASURES, *(f"{MISSING}{kind}" for kind in AnswerKind))
AS_IT_IS, UNANSWERABLE = "as it is", "unanswerable"
# What sentences are chosen by before anything is fitted.
_START = {"nearness": 1.0, "said": 1.0}
# For so many questions those of XQuAD that have an answer count, and as much those that have none; then the
# near misses' and those of several steps. The penalty of the weights is that of as many.
_COUNTS = (1_000.0, 500.0, 250.0)
_THRESHOLDS = np.arange(0.2, 0.8, 0.01).round(2)
_NUMBER = re.compile(r"\b\d+\b")
_NAME = re.compile(r"(?<=[^.?!\s] )[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*")
_JOINED = re.compile(r"\b([a-z]{3,}) (?:and|or|than) ([a-z]{3,})\b")
_LEAST_JOINED = 2
# Words that ask for a time, a place or a reason by the same clause: "When was it built?"
_ADVERBS = ("when", "where", "why")
_ADVERB = re.compile(
    r"(when|where|why)\b(?= (?:are|can|could|did|do|does|had|has|have|is|was|were|will|would)\b)", re.I
)


@dataclass(frozen=True)
class Variant:
    """A question and the texts that it is read with, and of which passage each is.

    `kind`: what was done to it; `answers`: none where it has none any more.
    """

    kind: str
    question: str
    texts: Sequence[str]
    passages: Sequence[str]
    answers: Sequence[str]


@dataclass(frozen=True)
class Measured:
    """A variant's n sentences: (n, names) measures, (n,) whether each holds an answer and may be chosen."""

    kind: str
    measures: Values
    right: NDArray[np.bool_]
    choosable: NDArray[np.bool_]


def fit() -> dict[str, Any]:
    """Return the weights, and the least probability that a sentence is given with."""
    prepare()
    _rank(["xquad"])
    words_of = _Words()
    xquad = measured(xquad_variants(retrieved_of("xquad", parity=0)), words_of)
    near_misses, several_steps = (_of_domains(of_set, words_of) for of_set in (NEAR_MISSES, SEVERAL_STEPS))
    return {
        "provenance": "logistic regression (benchmarks.text.fit_sentence_answers): whether the likeliest "
        "sentence holds the answer, questions of XQuAD's articles of even place as they are and altered so "
        "that none does, and the development parts of near_misses and several_steps, each domain of which is "
        "decided by weights of the others where `least` is chosen",
        **fitted(xquad, *(list(chain.from_iterable(of_set)) for of_set in (near_misses, several_steps))),
        "least": _least(xquad, near_misses, several_steps),
    }


def _of_domains(of_set: AuthoredDomains, words_of: _Words) -> list[list[Measured]]:
    """Return the measures of every question of each domain for development."""
    with environment():
        lake, names = of_set.prepared(DEVELOPMENT), of_set.domains(DEVELOPMENT)
        _rank(names)
    return [
        measured(plain_variants(retrieved_of(name, lake=lake, with_gold=False)), words_of) for name in names
    ]


def _rank(benchmarks: Sequence[str]) -> None:
    """Materialise what the default arm reads, and not the arm: its weights may lack a measure that is new."""
    retrieval = ARMS[DEFAULT_ARM].retrieval
    made([("ranked_chunks", f"{retrieval}|{name}") for name in benchmarks])
    made([("gold_chunks", name) for name in benchmarks])


def fitted(*sets: Sequence[Measured]) -> dict[str, float]:
    """Return the weights of a logistic regression on the sentences that weights choose.

    Other weights choose other sentences, which join the first, until none is new.

    Args:
        sets: XQuAD's questions, the near misses, and those of several steps.
    """
    from sklearn.linear_model import LogisticRegression

    weights = {name: _START.get(name, 0.0) for name in ("intercept", *NAMES)}
    counts = np.concatenate([_counts(of_set, count) for of_set, count in zip(sets, _COUNTS, strict=True)])
    every = list(chain.from_iterable(sets))
    chosen: list[tuple[int, int]] = []
    while new := sorted(set(enumerate(_chosen(every, weights)[0])) - set(chosen)):
        chosen += new
        of_variants = np.array([variant for variant, _ in chosen])
        rows = np.array([every[variant].measures[place] for variant, place in chosen])
        right = np.array([every[variant].right[place] for variant, place in chosen])
        # A variant counts the same however many of its sentences were chosen.
        shares = counts[of_variants] / np.bincount(of_variants)[of_variants]
        model = LogisticRegression(C=1.0, max_iter=2_000).fit(rows, right, sample_weight=shares)
        values = (model.intercept_[0], *model.coef_[0])
        weights = {name: round(float(value), 2) for name, value in zip(weights, values, strict=True)}
    return weights


def _least(xquad: Sequence[Measured], *sets: Sequence[Sequence[Measured]]) -> float:
    """Return the probability from which on the right sentences given, less the wrong ones, are most.

    `sets`: domains, each of which is decided by weights of all others.
    """
    probabilities, worth = [], []
    for of_domain in chain.from_iterable(sets):
        others = ([other for other in of_set if other is not of_domain] for of_set in sets)
        weights = fitted(xquad, *(list(chain.from_iterable(of_set)) for of_set in others))
        places, of_places = _chosen(of_domain, weights)
        right = [variant.right[chosen] for variant, chosen in zip(of_domain, places, strict=True)]
        probabilities.append(of_places)
        worth.append(np.where(right, 1, -1))
    given = [np.concatenate(probabilities) >= least for least in _THRESHOLDS]
    gains = [int(np.concatenate(worth) @ of_least) for of_least in given]
    return float(_THRESHOLDS[int(np.argmax(gains))])


def _chosen(variants: Sequence[Measured], weights: Mapping[str, float]) -> tuple[list[int], Values]:
    """Return which sentence of each variant weights choose, and how likely each is."""
    of_names = np.array([weights[name] for name in NAMES])
    scores = [
        np.where(variant.choosable, variant.measures @ of_names + weights["intercept"], -np.inf)
        for variant in variants
    ]
    best = np.array([of_variant.max() for of_variant in scores])
    return [int(of_variant.argmax()) for of_variant in scores], 1.0 / (1.0 + np.exp(-best))


def _counts(variants: Sequence[Measured], count: float) -> Values:
    """Return how much each variant counts, those with an answer as much as all others, by kind."""
    of_kinds = Counter(variant.kind for variant in variants)
    others = len(of_kinds) - 1
    return np.array(
        [count / of_kinds[variant.kind] / (1 if variant.kind == AS_IT_IS else others) for variant in variants]
    )


class _Words:
    """Texts as their words, each encoded once."""

    def __init__(self) -> None:
        self._encode = Models(cache_folder(Lake(default_root()))).encoder.encode_words
        self._encoded: dict[str, EncodedWords] = {}

    def of(self, texts: Sequence[str]) -> list[EncodedWords]:
        """Return texts as their words."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._encoded]
        self._encoded |= dict(zip(missing, self._encode(missing), strict=True)) if missing else {}
        return [self._encoded[text] for text in texts]


def measured(variants: Iterable[Variant], words_of: _Words) -> list[Measured]:
    """Return the measures of every sentence of variants."""
    return [_measured(variant, words_of) for variant in variants if variant.texts]


def _measured(variant: Variant, words_of: _Words) -> Measured:
    question, *sentences = words_of.of([variant.question, *variant.texts])
    rows = sentence_measures(variant.question, question, variant.texts, sentences, variant.passages)
    answers = [f" {normal_form(answer)} " for answer in variant.answers]
    return Measured(
        variant.kind,
        np.array([[row.get(name, 0.0) for name in NAMES] for row in rows]),
        np.array([_holds(text, answers) for text in variant.texts]),
        ~np.array(repeats(variant.question, variant.texts)),
    )


def _holds(text: str, answers: Sequence[str]) -> bool:
    """Return whether a text holds one of some answers in normal form, with a space before and behind."""
    return any(answer in f" {normal_form(text)} " for answer in answers)


def plain_variants(retrieved: Retrieved) -> Iterator[Variant]:
    """Yield questions as they are, those that have no answer as of a kind of their own."""
    for case in _cases(retrieved):
        kind = UNANSWERABLE if case.question["answerable"] is False else AS_IT_IS
        yield _variant(kind, case.question["question"], case.units, case.question["answers"])


def xquad_variants(retrieved: Retrieved) -> Iterator[Variant]:
    """Yield questions as they are, and each way to take away or exchange what answers it."""
    cases = list(_cases(retrieved))
    exchanges = Exchanges(
        [case.question["question"] for case in cases], retrieved.chunks.column("text").to_pylist()
    )
    for case in cases:
        question, answers = case.question["question"], case.question["answers"]
        gold = retrieved.gold[case.question["question_id"]]
        of_gold = [unit for unit in case.units if unit.source_key in gold]
        of_others = [unit for unit in case.units if unit.source_key not in gold]
        without_answer = [replace(unit, text=_without(unit.text, answers)) for unit in case.units]
        yield _variant(AS_IT_IS, question, case.units, answers)
        yield _variant("gold text out", question, of_others, answers)
        yield _variant("answer out", question, without_answer, ())
        for kind, exchanged in exchanges.of(question, " ".join(unit.text for unit in of_gold)):
            yield _variant(f"{kind} exchanged", exchanged, case.units, ())


def _variant(kind: str, question: str, units: Sequence[EvidenceUnit], answers: Sequence[str]) -> Variant:
    texts, passages = [unit.text for unit in units], [source_of(unit) for unit in units]
    return Variant(kind, question, texts, passages, answers)


def _cases(retrieved: Retrieved) -> Iterator[Case]:
    return cases_of(
        retrieved.questions, RetrievedEvidence(retrieved.ranked, retrieved.chunks), ARMS[DEFAULT_ARM]
    )


def _without(text: str, answers: Sequence[str]) -> str:
    """Return a text without answers; a full stop where nothing is left."""
    for answer in answers:
        text = re.sub(rf"\s*[,(]?\s*{re.escape(answer)}(?!\w)\)?", "", text)
    return text.strip() or "."


class Exchanges:
    """What stands in questions that is exchanged for something else which its gold text does not say.

    A number for another of about its size, a name for one of another question with as many words, a word for
    one that texts join it with: "summer and winter". What asks for a time, a place or a reason is exchanged
    for another of these whatever the text says: some of those may be answered all the same.
    """

    def __init__(self, questions: Sequence[str], texts: Sequence[str]) -> None:
        names = sorted({name for question in questions for name in _NAME.findall(question)})
        self._names: dict[int, list[str]] = {}
        for name in names:
            self._names.setdefault(len(name.split()), []).append(name)
        pairs = Counter(
            frozenset(pair)
            for text in texts
            for pair in _JOINED.findall(text)
            if function_words().isdisjoint(pair) and root(pair[0]) != root(pair[1])
        )
        self._joined: dict[str, list[str]] = {}
        for pair, count in sorted(pairs.items(), key=lambda item: (-item[1], sorted(item[0]))):
            if count >= _LEAST_JOINED:
                first, second = sorted(pair)
                self._joined.setdefault(first, []).append(second)
                self._joined.setdefault(second, []).append(first)

    def of(self, question: str, gold: str) -> Iterator[tuple[str, str]]:
        """Yield what was exchanged and the question with it, each kind once at most."""
        draw = int(text_hash(question)[:8], 16)
        said = frozenset(map(root, words(gold)))
        if match := _NUMBER.search(question):
            number = int(match.group())
            other = str(number + 1 + draw % max(3, number // 50))
            if other not in gold:
                yield "number", _put(question, match, other)
        for match in _NAME.finditer(question):
            others = self._names[len(match.group().split())]
            other = others[draw % len(others)]
            if other not in gold and other not in question:
                yield "name", _put(question, match, other)
                break
        if asked_otherwise := _asked_otherwise(question, draw):
            yield "asking word", asked_otherwise
        for match in re.finditer(r"\b[a-z]{3,}\b", question):
            others = [word for word in self._joined.get(match.group(), []) if root(word) not in said]
            if others and match.group() not in function_words():
                yield "word", _put(question, match, others[0])
                break


def _asked_otherwise(question: str, draw: int) -> str | None:
    """Return a question for a time, a place or a reason as one for another of them; None of any other."""
    match = _ADVERB.match(question)
    if match is None:
        return None
    others = [word for word in _ADVERBS if word != match[1].lower()]
    other = others[draw % len(others)]
    return _put(question, match, other.capitalize() if question[0].isupper() else other)


def _put(text: str, match: re.Match[str], other: str) -> str:
    return f"{text[: match.start()]}{other}{text[match.end() :]}"


if __name__ == "__main__":
    written = json.dumps(fit(), indent=2) + "\n"
    (WEIGHTS / f"{SENTENCE_ANSWERS}.json").write_text(written, encoding="utf-8")
