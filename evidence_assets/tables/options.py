"""Multiple-choice questions answered from rows of a table or of a store of tables, without a language model.

Each option is measured by the rows that hold words of the question and of the option (a single row, or two
that share a word), by the rows nearest to the question, and by the extractive reader. All supported options
are reported beside the best: where they are several, the question is ambiguous (thesis 4.4.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.extractive import Candidates, Choice, choose, judge, load_weights
from evidence_assets.reading.rarity import Rarity
from evidence_assets.reading.weights import GENERAL
from evidence_assets.tables.rows import content_words, row_text
from evidence_assets.tables.table import Table
from evidence_assets.text.negation import is_negated

MEASURES = ("row", "pair", "attended", "extractive")
# Weights of standardised measures: all alike. The measures were chosen on the half of WorldTree's questions
# whose ids hash even; weights fitted there answer the other half no better (`benchmarks.table_questions`).
BALANCED: Mapping[str, float] = dict.fromkeys(MEASURES, 1.0)
_ATTENTION_TEMPERATURE = 0.1
_LINK_WEIGHT = 0.5
# Rows that the extractive family judges by, and rows that are tried for either end of a pair.
_JUDGED, _ENDS = 60, 20
_SATURATION, _LENGTH_SHARE = 1.2, 0.75
_DECIMALS = 6

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OptionQuestion:
    """A question and its options, encoded.

    `question` (d,), `options` (n, d), `hypotheses` (n, d): unit vectors of the question, of each option, and
    of the question followed by each option.
    """

    question_text: str
    option_texts: Sequence[str]
    question: FloatArray
    options: FloatArray
    hypotheses: FloatArray


class RowPool:
    """Rows that questions are answered from, with their words and vectors.

    Args:
        texts: One a row, as `row_text` gives it.
        vectors: (r, d) their unit vectors.

    Raises:
        ValueError: there is no row, or texts and vectors do not pair.
    """

    def __init__(self, texts: Sequence[str], vectors: FloatArray) -> None:
        if not len(texts) or len(texts) != len(vectors):
            raise ValueError(f"{len(texts)} rows and {len(vectors)} vectors: need one each, and a row")
        self.texts, self.vectors = texts, vectors
        self.words = [content_words(text) for text in texts]
        self.rarity = Rarity(self.words)
        lengths = np.array(list(map(len, self.words)), np.float64)
        mean = max(float(lengths.mean()), 1.0)
        self._damped = (1 + _SATURATION) / (
            1 + _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * lengths / mean)
        )
        self._rows: dict[str, list[int]] = {}
        for row, row_words in enumerate(self.words):
            for word in row_words:
                self._rows.setdefault(word, []).append(row)

    def searched(self, text: str) -> frozenset[str]:
        """Return the content words of a text that some row holds."""
        return frozenset(word for word in content_words(text) if word in self.rarity)

    def coverage(self, words: frozenset[str]) -> Scores:
        """Return (r,) the share of words, rare ones counting more, that each row holds; 0 without words."""
        weights = np.zeros(len(self.texts))
        for word in sorted(words):
            weights[self._rows.get(word, [])] += self.rarity.weight(word)
        return weights / max(self.rarity.total(words), 1e-12)

    def relevance(self, words: frozenset[str]) -> Scores:
        """Return (r,) BM25 of each row, a word counted once a row, over what one holding all would have."""
        return self.coverage(words) * self._damped

    def holding(self, words: frozenset[str]) -> list[int]:
        """Return the rows that hold all of some words, ascending; none of no words."""
        rows_of_words = [set(self._rows.get(word, ())) for word in sorted(words)]
        return sorted(set.intersection(*rows_of_words)) if rows_of_words else []

    def ranked(self, words: frozenset[str], vector: FloatArray, depth: int) -> list[int]:
        """Return the best `depth` rows for words and a unit vector: relevance and cosine alike."""
        return _best(self.relevance(words) + self.vectors @ vector, depth)


def pool_texts(tables: Sequence[Table]) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the text of every row of some tables that holds anything, and its place: table and row."""
    places = [
        (number, row)
        for number, table in enumerate(tables)
        for row in range(len(table.rows))
        if row_text(table, row)
    ]
    return [row_text(tables[number], row) for number, row in places], places


@dataclass(frozen=True, slots=True)
class OptionSupport:
    """How far the rows support each option.

    `measures` (n, m), by `MEASURES`; `scores` (n,). `supported`: options that the rows bear out as fully as
    any; none where no row names one. `evidence`: for each option its rows, by number, the best first.
    """

    measures: Scores
    scores: Scores
    choice: Choice
    supported: tuple[int, ...]
    evidence: list[list[int]]
    negated: bool

    @property
    def ambiguous(self) -> bool:
        """Whether the rows support several options."""
        return len(self.supported) > 1


def support_options(
    question: OptionQuestion, pool: RowPool, weights: Mapping[str, float] = BALANCED
) -> OptionSupport:
    """Measure, score and choose; a question that asks for the exception turns the scores.

    Raises:
        ValueError: there is no option, or the weights do not name the measures.
    """
    if set(weights) != set(MEASURES):
        raise ValueError(f"weights name {sorted(weights)}; the measures are {sorted(MEASURES)}")
    measures, evidence = measure_options(question, pool)
    negated = is_negated(question.question_text)
    supported = supported_options(question, pool)
    if negated:
        supported = tuple(n for n in range(len(question.option_texts)) if n not in supported)
    scores = weigh(measures, weights) * (-1.0 if negated else 1.0)
    return OptionSupport(measures, scores, choose(scores), supported, evidence, negated)


def weigh(measures: Scores, weights: Mapping[str, float]) -> Scores:
    """Return (n,) scores of (n, m) measures, each brought to mean 0 and deviation 1 over the options."""
    spread = measures.std(axis=0)
    standard = (measures - measures.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    result: Scores = np.round(standard @ np.array([weights[name] for name in MEASURES]), _DECIMALS)
    return result


def measure_options(question: OptionQuestion, pool: RowPool) -> tuple[Scores, list[list[int]]]:
    """Return (n, m) measures by `MEASURES`, and each option's rows.

    row        best share of the words of question and option in one row
    pair       best two rows that share a word, one near the question, one near the option: the share of the
               words that they hold, how rare the shared word is, and their cosines to question + option
    attended   the option's relevance to the rows, weighted by their nearness to the question
    extractive score of the extractive family, its general weights, over the nearest rows; without the turn
               that it makes where the exception is asked for

    Words of an option are those that the question does not say. An option's rows are the one best by
    relevance to both and cosine, then its pair.
    """
    question_words = pool.searched(question.question_text)
    question_relevance = pool.relevance(question_words)
    near_question = question_relevance + pool.vectors @ question.question
    attention = np.exp((near_question - near_question.max()) / _ATTENTION_TEMPERATURE)
    attention /= attention.sum()
    measures = np.zeros((len(question.option_texts), len(MEASURES)))
    evidence = []
    for number, text in enumerate(question.option_texts):
        option_words = _option_words(text, question_words)
        option_relevance = pool.relevance(option_words)
        near_option = option_relevance + pool.vectors @ question.options[number]
        hypothesis_similarity = pool.vectors @ question.hypotheses[number]
        pairs = [
            (first, second) for first in _best(near_question, _ENDS) for second in _best(near_option, _ENDS)
        ]
        value, pair = _best_pair(pool, question_words | option_words, hypothesis_similarity, pairs)
        measures[number, :3] = (
            pool.coverage(question_words | option_words).max(),
            value,
            attention @ option_relevance,
        )
        evidence.append(
            list(
                dict.fromkeys(
                    [*_best(question_relevance + option_relevance + hypothesis_similarity, 1), *pair]
                )
            )
        )
    measures[:, 3] = _extractive(question, pool)
    return np.round(measures, _DECIMALS), evidence


def _option_words(option: str, question: frozenset[str]) -> frozenset[str]:
    """Return the words of an option that are not in the question; all of them where all are."""
    words = content_words(option)
    return words - question or words


def _best(scores: NDArray[np.floating], depth: int) -> list[int]:
    return [int(place) for place in np.argsort(-np.round(scores, _DECIMALS), kind="stable")[:depth]]


def _best_pair(
    pool: RowPool, words: frozenset[str], similarity: NDArray[np.floating], pairs: Sequence[tuple[int, int]]
) -> tuple[float, list[int]]:
    """Return the best pair's value and rows; 0 and none where no two rows share a word.

    `similarity`: (r,) the rows' cosines to question + option.
    """
    rarest, total = pool.rarity.weight(""), max(pool.rarity.total(words), 1e-12)
    best, rows = 0.0, list[int]()
    for first, second in pairs:
        shared = pool.words[first] & pool.words[second]
        if first == second or not shared:
            continue
        covered = pool.rarity.total(words & (pool.words[first] | pool.words[second])) / total
        link = max(map(pool.rarity.weight, shared)) / rarest
        value = covered + _LINK_WEIGHT * link + float(similarity[first] + similarity[second]) / 2
        if round(value - best, _DECIMALS) > 0:
            best, rows = value, [first, second]
    return best, rows


def _extractive(question: OptionQuestion, pool: RowPool) -> Scores:
    """Return (n,) the extractive family's scores over the rows nearest to the question and its hypotheses."""
    nearest = np.vstack([question.hypotheses, question.question]) @ pool.vectors.T
    rows = sorted(_best(nearest.max(axis=0), _JUDGED))
    candidates = Candidates(
        question_text=question.question_text,
        option_texts=question.option_texts,
        sentence_texts=[pool.texts[row] for row in rows],
        question=question.question,
        options=question.options,
        hypotheses=question.hypotheses,
        sentences=pool.vectors[rows],
        triples=np.zeros((0, len(question.question)), np.float32),
    )
    judged = judge(candidates, load_weights(GENERAL))
    return -judged.scores if judged.negated else judged.scores


def supported_options(question: OptionQuestion, pool: RowPool) -> tuple[int, ...]:
    """Return the options with the highest support by rows; none where no row supports any.

    A row supports an option if it holds all of the option's words that are not in the question; the degree is
    the share of the question's words that it holds, of those that any row holds.
    """
    question_words = pool.searched(question.question_text)
    covered = pool.coverage(question_words) if question_words else np.ones(len(pool.texts))
    support = []
    for text in question.option_texts:
        rows = pool.holding(_option_words(text, question_words))
        support.append(round(float(covered[rows].max()), _DECIMALS) if rows else 0.0)
    highest = max(support, default=0.0)
    return tuple(number for number, value in enumerate(support) if value == highest and highest > 0.0)
