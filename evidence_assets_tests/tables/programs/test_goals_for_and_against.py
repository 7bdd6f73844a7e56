"""Claims of goals that a team scored and conceded, of which the table tells both."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import verdicts

WATERPOLO = make_table(
    "waterpolo",
    "Water polo, final table",
    [["Team", "Played", "Won", "Goals for", "Goals against"]],
    [["Otters", "10", "7", "81", "60"], ["Seals", "10", "5", "66", "66"], ["Newts", "10", "1", "39", "90"]],
)


@pytest.mark.parametrize(
    ("claim", "kind", "truth"),
    [
        ("The Otters scored more goals than they conceded.", "comparison of columns", True),
        ("The Newts scored more goals than they let in.", "comparison of columns", False),
        ("The Otters had a goal difference of 21.", "difference of columns", True),
        ("The Newts had a goal difference of 51.", "difference of columns", False),
    ],
)
def test_goals_are_of_the_column_that_a_verb_tells(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(WATERPOLO, claim, kind) == {truth}


def test_matches_of_a_team_are_no_part_of_what_others_won() -> None:
    assert verdicts(WATERPOLO, "The Seals won half of their matches.", "share of a total") == set()
