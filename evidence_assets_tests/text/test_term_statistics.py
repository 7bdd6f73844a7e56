"""Document frequencies, totals and the idf made from them."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import TERM_STATISTICS
from evidence_assets.text import term_statistics
from evidence_assets.text.term_statistics import TermStatistics, add_up_terms, count_terms, from_table
from evidence_assets_tests.testing.profiles import examples

_TEXTS = st.lists(st.text(alphabet="abAB. 1é_", max_size=30), max_size=12)


def split(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


@examples(150)
@given(_TEXTS)
def test_rows_are_the_counts(texts: list[str]) -> None:
    table = count_terms(iter(texts), "k")
    conform(table, TERM_STATISTICS)
    rows = {row["term"]: (row["document_frequency"], row["term_frequency"]) for row in table.to_pylist()}
    assert len(rows) == table.num_rows
    every = Counter(word for text in texts for word in split(text))
    holding = Counter(word for text in texts for word in set(split(text)))
    assert rows.pop("") == (len(texts), every.total())
    assert rows == {word: (holding[word], every[word]) for word in every}
    statistics = from_table(table)
    assert statistics.document_frequency == dict(holding)
    assert statistics.documents == len(texts)
    assert statistics.average_length == pytest.approx(every.total() / max(1, len(texts)))


@examples(60)
@given(shards=st.lists(_TEXTS, max_size=6), at_once=st.integers(0, 20))
def test_the_counts_of_shards_add_up_to_those_of_the_corpus(shards: list[list[str]], at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(term_statistics, "_ROWS_AT_ONCE", at_once)
        added = add_up_terms((count_terms(texts, "k") for texts in shards), "k")
    counted = count_terms((text for texts in shards for text in texts), "k")
    assert conform(added, TERM_STATISTICS).sort_by("term").equals(counted.sort_by("term"))


def test_from_table_takes_rows_in_any_order() -> None:
    table = count_terms(["the cat", "the dog sat"], "k")
    shuffled = table.take(pa.array([3, 1, 0, 4, 2]))
    assert (
        from_table(shuffled)
        == from_table(table)
        == TermStatistics({"the": 2, "cat": 1, "dog": 1, "sat": 1}, 2, 2.5)
    )


def test_missing_totals_are_refused() -> None:
    table = count_terms(["the cat"], "k")
    with pytest.raises(ValueError, match=r"no row of totals .*remedy"):
        from_table(table.slice(1))
    with pytest.raises(ValueError, match=r"no row of totals .*remedy"):
        from_table(table.slice(0, 0))


def test_idf_is_lucenes() -> None:
    statistics = TermStatistics({"the": 10, "cat": 3}, 10, 5.0)
    idf = statistics.idf(["the", "cat", "unknown", "the"])
    expected = [math.log(1 + (10 - n + 0.5) / (n + 0.5)) for n in (10, 3, 0, 10)]
    np.testing.assert_allclose(idf, expected, rtol=1e-12)
    assert idf[0] > 0  # a word of every chunk still counts for something
    assert statistics.idf([]).shape == (0,)


def test_the_printed_idf_is_negative_for_words_of_most_chunks() -> None:
    statistics = TermStatistics({"the": 10, "half": 5, "cat": 3}, 10, 5.0)
    idf = statistics.printed_idf(["the", "half", "cat", "unknown"])
    expected = [math.log((10 - n + 0.5) / (n + 0.5)) for n in (10, 5, 3, 0)]
    np.testing.assert_allclose(idf, expected, rtol=1e-12)
    assert idf[0] < idf[1] == 0 < idf[2] < idf[3]
    assert statistics.printed_idf([]).shape == (0,)
