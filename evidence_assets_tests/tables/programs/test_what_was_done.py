"""What rows did, where a column tells when, and has nothing of others: who has paid, who did not finish."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import answered, decided

MEMBERS = make_table(
    "members",
    "Members",
    [["Name", "Joined", "Paid on", "Books", "Town location"]],
    [
        ["Ann", "2001", "3 May 2023", "2", "Ulm"],
        ["Bob", "1999", "", "1", ""],
        ["Cleo", "2010", "9 May 2023", "4", "Bonn"],
        ["Dora", "2015", "unknown", "", "Ulm"],
    ],
)
REGATTA = make_table(
    "regatta",
    "Regatta",
    [["Boat", "Start", "Finish"]],
    [
        ["Sea Fret", "10:00", "11:39"],
        ["Kittiwake", "10:00", "11:42"],
        ["Puffin", "10:10", "12:15"],
        ["Gannet", "10:10", "DNF"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (MEMBERS, "Ann has paid.", True),
        (MEMBERS, "Ann has not paid.", False),
        (MEMBERS, "Bob has paid.", False),
        (MEMBERS, "Bob has not paid yet.", True),
        (MEMBERS, "All members have paid.", False),
        (MEMBERS, "Ann paid on 3 May 2023.", True),
        # Of Dora nothing tells it.
        (MEMBERS, "Dora has paid.", None),
        (MEMBERS, "Dora has not paid.", None),
        (REGATTA, "Three boats finished.", True),
        (REGATTA, "Four boats finished.", False),
        (REGATTA, "Gannet did not finish.", True),
        (REGATTA, "Gannet finished.", False),
        (REGATTA, "Puffin finished last.", True),
    ],
)
def test_claims_of_what_was_done(table: Table, claim: str, truth: bool | None) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("table", "question", "values"),
    [
        (MEMBERS, "Who has paid?", {"Ann", "Cleo"}),
        (MEMBERS, "Did Ann pay?", {"yes"}),
        (MEMBERS, "Has Bob paid?", {"no"}),
        (MEMBERS, "When did Cleo pay?", {"9 May 2023"}),
        (REGATTA, "How many boats finished?", {"3"}),
        (REGATTA, "Which boats did not finish?", {"Gannet"}),
        (REGATTA, "Which boat finished last?", {"Puffin"}),
    ],
)
def test_questions_of_what_was_done(table: Table, question: str, values: set[str]) -> None:
    assert answered(question, table) == values
