"""Who did what, one of how many, tied with others, and what an extreme is chosen from."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import verdicts

EPISODES = make_table(
    "episodes",
    "Episodes of a serial",
    [["Episode", "Written by", "Directed by", "Aired", "Viewers"]],
    [
        ["Arrival", "Ida Roe", "Max Lund", "3 May 2009", "5"],
        ["Descent", "Max Lund", "Ben Orr", "10 May 2009", "9"],
        ["Harvest", "Ida Roe", "Ben Orr", "17 May 2009", "9"],
        ["Winter", "Max Lund", "Ida Roe", "24 May 2009", "2"],
    ],
)
CLUBS = make_table(
    "clubs",
    "Clubs of a league",
    [["Club", "Region", "Goals for", "Goals against"]],
    [["Ash", "North", "40", "10"], ["Birk", "North", "30", "25"], ["Cole", "South", "20", "50"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (CLUBS, "Ash is one of the two in the North.", "one of", True),
        (CLUBS, "Cole is one of the two in the North.", "one of", False),
        (CLUBS, "Ash is one of the three in the North.", "one of", False),
        (EPISODES, "Descent is tied for the most viewers.", "superlative", True),
        (EPISODES, "Winter is tied for the lowest viewers.", "superlative", False),
        (EPISODES, "The lowest viewers were of Winter, which aired on 24 May 2009.", "superlative", True),
        (EPISODES, "The lowest viewers were of Winter, which aired on 3 May 2009.", "superlative", False),
        (EPISODES, "Ida Roe wrote several episodes.", "count", True),
        (EPISODES, "Ida Roe directed several episodes.", "count", False),
        (CLUBS, "Cole has the most goals against.", "superlative", True),
        (CLUBS, "Ash has the most goals against.", "superlative", False),
        (CLUBS, "Ash has the most goals for.", "superlative", True),
        (EPISODES, "Winter was directed by Ida Roe.", "co-occurrence by row", True),
        (EPISODES, "Winter was written by Ida Roe.", "co-occurrence by row", False),
    ],
)
def test_a_claim_is_of_whom_its_wording_names(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        # Nobody of that name is in the table.
        ("Dorn is one of the two in the North.", "one of"),
        ("Dorn is tied for the most goals against.", "superlative"),
        # Where it is one of is not told.
        ("Ash is one of the two beside a lake.", "one of"),
    ],
)
def test_whom_the_table_lacks_has_no_reading(claim: str, kind: str) -> None:
    assert not verdicts(CLUBS, claim, kind)


def test_a_name_that_no_column_of_what_was_done_holds_is_in_none_of_its_rows() -> None:
    claim = ground("Arrival was written by Ben Orr.", index_of(EPISODES))

    assert not any(link.rows for link in claim.links if claim.phrase(link.start, link.end) == "ben orr")


MEDALS = make_table(
    "medals",
    "A regatta",
    [["Crew", "Gold", "Silver", "Total"]],
    [["Ash", "3", "0", "3"], ["Birk", "1", "4", "5"], ["Cole", "0", "2", "2"]],
)


@pytest.mark.parametrize(
    ("claim", "kind", "truth"),
    [
        # How many there are in all, where no column is named.
        ("Birk won the most medals.", "superlative in the only column", True),
        ("Ash won the most medals.", "superlative in the only column", False),
        ("Ash won 2 fewer medals than Birk.", "difference in the only column", True),
        ("Ash won 1 fewer medals than Birk.", "difference in the only column", False),
        # What is bound is not what the extreme is of.
        ("Ash has the most medals without a single silver.", "superlative in the only column", True),
        ("Birk has the most medals without a single silver.", "superlative in the only column", False),
        # One value is denied, the other told.
        ("The most gold is not of Birk but of Ash.", "superlative", True),
        ("The most gold is not of Ash but of Birk.", "superlative", False),
        # The second clause speaks of the first one's column.
        ("The lowest silver is 0 and the highest is 4.", "conjunction", True),
        ("The lowest silver is 0 and the highest is 5.", "conjunction", False),
    ],
)
def test_an_extreme_is_of_the_column_that_its_wording_means(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(MEDALS, claim, kind) == {truth}


def test_an_extreme_of_nobody_in_the_table_has_no_reading() -> None:
    assert not verdicts(MEDALS, "Dorn won the most medals.", "superlative in the only column")
