"""Claims over matches, races and rosters: what is compared, counted and commonest in them."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.verdicts.claim_ranking import runs
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import verdicts

MATCHES = make_table(
    "matches",
    "Matches of the summer cup",
    [["Date", "Home team", "Home team score", "Away team", "Away team score", "Crowd"]],
    [
        ["4 August 2007", "Tarn", "16", "Ulla", "9", "9400"],
        ["20 July 2007", "Brenn", "12", "Corra", "18", "7100"],
        ["11 August 2007", "Dove", "20", "Elm", "7", "6200"],
    ],
)
RACE = make_table(
    "race",
    "Drivers of a race",
    [["Driver", "Rank", "Qualifying", "Qualifying wins", "Wins in the rain"]],
    [
        ["Aumann", "1", "1:15.978", "7", "3"],
        ["Berg", "2", "1:15.834", "2", "1"],
        ["Cole", "3", "1:16.422", "0", "0"],
    ],
)
EPISODES = make_table(
    "episodes",
    "Episodes of a play for radio",
    [["Title", "Written by", "Station", "Minutes"]],
    [
        ["The Mill", "Rauch", "Nord", "30"],
        ["The Weir", "Bernstein", "Nord", "28"],
        ["The Lock", "Rauch", "Nord", "4"],
        ["The Ford", "Hilton", "Sued", "31"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (
            RACE,
            "Aumann had more qualifying wins in all the long years of the series than Berg.",
            "comparison",
            True,
        ),
        (
            MATCHES,
            "The crowd on 4 August 2007 was larger than the crowd on 20 July 2007.",
            "comparison",
            True,
        ),
        (RACE, "Aumann had qualifying wins 7 more times than Cole.", "difference", True),
        (RACE, "In qualifying wins Aumann had more than 4 more than Berg.", "difference", True),
        (RACE, "Berg had the fastest qualifying.", "superlative", True),
        (MATCHES, "Elm had the lowest score.", "superlative", True),
        (RACE, "Only Cole did not get any qualifying wins.", "only", True),
        (RACE, "2 of the drivers got qualifying wins.", "count", True),
        (RACE, "Cole is not a driver of qualifying wins.", "none of a column", True),
        (EPISODES, "3 of the 4 episodes were on Nord.", "count", True),
        (EPISODES, "3 episodes out of the 4 were on Nord.", "count", True),
    ],
)
def test_a_claim_is_read_however_far_its_words_stand_apart(
    table: Table, claim: str, kind: str, truth: bool
) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("claim", "rows"),
    [
        ("two plays of between 28 and 30 minutes", {0, 1}),
        ("the plays between minutes 28 and 31 were on air", {0, 1, 3}),
    ],
)
def test_two_values_of_a_column_may_be_a_range(claim: str, rows: set[int]) -> None:
    ranges = [link for link in ground(claim, index_of(EPISODES)).links if link.bound]

    assert [link.rows for link in ranges] == [rows]


def test_a_count_of_all_leaves_nothing() -> None:
    claim = ground("Of all the plays 2 were by Rauch.", index_of(EPISODES))

    counts = {run.left for run in runs(claim) if run.proposal.kind == "loose count"}
    assert counts == {Left.NOTHING}


def test_two_names_are_no_range() -> None:
    claim = ground("It was chosen between The Mill and The Lock.", index_of(EPISODES))

    assert not any(link.bound for link in claim.links)


def test_an_average_of_all_leaves_nothing() -> None:
    claim = ground("The average of all the qualifying wins is 3.", index_of(RACE))

    assert {run.left for run in runs(claim) if run.proposal.kind == "average"} == {Left.NOTHING}


def test_the_whole_of_which_a_claim_counts_a_part_is_no_value() -> None:
    claim = ground("3 of the 4 episodes were on Nord", index_of(EPISODES))

    assert claim.row_total == 3
    assert [claim.phrase(link.start, link.end) for link in claim.links] == ["nord"]


def test_a_number_that_counts_no_part_may_be_a_value() -> None:
    assert ground("The Lock takes 4 minutes", index_of(EPISODES)).row_total is None


@pytest.mark.parametrize(
    ("claim", "truth"), [("Rauch wrote the most episodes.", True), ("Hilton wrote the most episodes.", False)]
)
def test_what_no_column_tells_is_commonest_by_its_rows(claim: str, truth: bool) -> None:
    assert verdicts(EPISODES, claim, "commonest") == {truth}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Aumann outranks Cole.", True),
        ("Cole out ranked Berg.", False),
        ("Cole finished behind Berg.", True),
        ("Cole is ranked above Berg.", False),
    ],
)
def test_a_row_outranks_those_of_later_ranks(claim: str, truth: bool) -> None:
    assert verdicts(RACE, claim, "comparison") == {truth}


def test_a_count_may_be_of_some_of_the_values() -> None:
    claim = "2 plays by Rauch were on air after The Ford."

    assert verdicts(EPISODES, claim, "count of some") == {True}
