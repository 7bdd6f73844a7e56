"""Which rows are kept for a claim."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.reading.rarity import Rarity
from evidence_assets.tables.claim_parsing import parse_mentions
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.rows import (
    RowMentions,
    content_words,
    row_text,
    select_rows,
    word_coverage,
)
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.thesis_tables import measles

WORDS = st.frozensets(st.sampled_from(["quebec", "ontario", "d4", "d8", "2007", "94"]), max_size=4)


def pool(table: Table) -> list[frozenset[str]]:
    return [content_words(row_text(table, row)) for row in range(len(table.rows))]


def test_a_row_is_read_as_its_cells() -> None:
    assert row_text(measles(), 2) == "British Columbia 2010 82 7 D8 and H1"
    assert content_words("The provinces of Canada, 94 %") == {"provinc", "canada", "94"}


def test_rare_words_count_more() -> None:
    coverage = word_coverage(content_words("Quebec in 2007 under a dome"), pool(measles()))
    assert coverage[0] == 1.0
    assert coverage[1] == coverage[2] == 0.0
    assert 0.0 < coverage[3] < 0.5
    assert not word_coverage(frozenset({"dome"}), pool(measles())).any()
    rarity = Rarity(pool(measles()))
    assert rarity.weight("dome") > rarity.weight("2007") > rarity.weight("quebec")
    assert "dome" not in rarity


def test_the_best_rows_and_those_of_the_claims_numbers_are_kept() -> None:
    claim = "British Columbia had strain D8 and so had the province with 53 cases"
    mentions = parse_mentions(claim, TableIndex(measles())).rows
    selected = select_rows(content_words(claim), pool(measles()), 1, mentions)
    assert selected.kept == (1, 2)
    assert selected.guarded == (1,)
    assert int(np.argmax(selected.scores)) == 2


def test_an_extreme_keeps_every_row() -> None:
    mentions = parse_mentions("Quebec had the highest number of cases", TableIndex(measles())).rows
    assert select_rows(frozenset({"quebec"}), pool(measles()), 1, mentions).kept == (0, 1, 2, 3, 4)


def test_cosines_decide_among_rows_alike_in_words() -> None:
    near = np.array([0.0, 0.0, 0.0, 0.2, 0.3], np.float32)
    claim = frozenset({"quebec"})
    assert select_rows(claim, pool(measles()), 1, similarities=near).kept == (4,)
    assert select_rows(claim, pool(measles()), 1).kept == (0,)
    assert select_rows(claim, pool(measles()), 1, RowMentions({3: 2, 0: 1})).kept == (3,)


@given(st.lists(WORDS, min_size=1, max_size=7), WORDS, st.integers(1, 9), st.data())
def test_no_row_left_out_scores_above_one_kept(
    rows: list[frozenset[str]], claim: frozenset[str], most: int, data: st.DataObject
) -> None:
    numbers = data.draw(st.sets(st.integers(0, len(rows) - 1)))
    selected = select_rows(claim, rows, most, RowMentions({}, numbers))
    assert list(selected.kept) == sorted(set(selected.kept))
    assert numbers <= set(selected.kept)
    best = set(selected.kept) - set(selected.guarded)
    assert len(best) == min(most, len(rows))
    left = set(range(len(rows))) - best
    assert not left or min(selected.scores[list(best)]) >= max(selected.scores[list(left)])


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        select_rows(frozenset(), [frozenset()], 0)
    with pytest.raises(ValueError, match="shape"):
        select_rows(frozenset(), [frozenset()], 1, similarities=np.zeros(2))
    assert select_rows(frozenset({"a"}), [], 3).kept == ()
