"""BM25 statistics of a corpus: document and term frequencies, counted by shard and added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.lake.schemas import TERM_STATISTICS
from evidence_assets.text.words import words

TOTALS = ""
TERM_COUNTS = ("term", "document_frequency", "term_frequency")
_ROWS_AT_ONCE = 1 << 21
# One text's number of words, or many texts'.
_Length = TypeVar("_Length", float, NDArray[np.float64])
BM25_K1 = 1.2
BM25_B = 0.75


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """Document frequencies, and the corpus totals BM25 needs.

    `documents` is the number of chunks N, `average_length` the mean number of words a chunk.
    """

    document_frequency: Mapping[str, int]
    documents: int
    average_length: float

    def idf(self, terms: Iterable[str]) -> NDArray[np.float64]:
        """Return ln(1 + (N - n + 1/2) / (n + 1/2)) for each term: never negative (Lucene's form)."""
        return np.log1p(self._odds(terms))

    def printed_idf(self, terms: Iterable[str]) -> NDArray[np.float64]:
        """Return ln((N - n + 1/2) / (n + 1/2)), Robertson and Sparck Jones's form: negative if common."""
        return np.log(self._odds(terms))

    def length_norm(self, length: _Length) -> _Length:
        """Return k1 (1 - b + b length / average length): what a term's frequency is held against."""
        norm: _Length = BM25_K1 * (1.0 - BM25_B + BM25_B * length / max(self.average_length, 1e-12))
        return norm

    def _odds(self, terms: Iterable[str]) -> NDArray[np.float64]:
        frequency = np.array([self.document_frequency.get(term, 0) for term in terms], dtype=np.float64)
        odds: NDArray[np.float64] = (self.documents - frequency + 0.5) / (frequency + 0.5)
        return odds


def count_terms(texts: Iterable[str], corpus: str) -> pa.Table:
    """Return the `term_statistics` rows of a corpus's, or of one of its shards', chunk texts."""
    document_frequency: Counter[str] = Counter()
    term_frequency: Counter[str] = Counter()
    documents = 0
    for text in texts:
        text_words = words(text)
        documents += 1
        term_frequency.update(text_words)
        document_frequency.update(set(text_words))
    terms = [TOTALS, *document_frequency]
    return pa.table(
        {
            "corpus": [corpus] * len(terms),
            "term": terms,
            "document_frequency": [documents, *document_frequency.values()],
            "term_frequency": [term_frequency.total(), *(term_frequency[term] for term in terms[1:])],
        },
        schema=TERM_STATISTICS.schema,
    )


def add_up_terms(counts: Iterable[pa.Table], corpus: str) -> pa.Table:
    """Return the `term_statistics` rows of a corpus from those of its shards, in any order.

    In memory are the terms of the corpus and of some shards.
    """
    summed = count_terms((), corpus).select(list(TERM_COUNTS))
    waiting: list[pa.Table] = []
    for rows in counts:
        waiting.append(rows.select(list(TERM_COUNTS)))
        if sum(table.num_rows for table in waiting) > max(_ROWS_AT_ONCE, summed.num_rows):
            summed, waiting = _added([summed, *waiting]), []
    summed = _added([summed, *waiting])
    of_corpus = pa.array([corpus] * summed.num_rows, pa.string())
    return summed.append_column("corpus", of_corpus).select(TERM_STATISTICS.schema.names)


def _added(counts: Sequence[pa.Table]) -> pa.Table:
    term, *frequencies = TERM_COUNTS
    sums = pa.concat_tables(counts).group_by(term).aggregate([(name, "sum") for name in frequencies])
    named = sums.select([term, *(f"{name}_sum" for name in frequencies)]).rename_columns(list(TERM_COUNTS))
    return named.cast(counts[0].schema)


def from_table(rows: pa.Table) -> TermStatistics:
    """Return the statistics that `count_terms` wrote.

    Raises:
        ValueError: the row of totals is missing.
    """
    frequency = dict(
        zip(rows.column("term").to_pylist(), rows.column("document_frequency").to_pylist(), strict=True)
    )
    if TOTALS not in frequency:
        raise ValueError(
            "table term_statistics, column term: no row of totals (the empty term); remedy: materialise "
            "term_statistics anew"
        )
    documents = frequency.pop(TOTALS)
    position = rows.column("term").to_pylist().index(TOTALS)
    total = rows.column("term_frequency")[position].as_py()
    return TermStatistics(frequency, documents, total / max(documents, 1))
