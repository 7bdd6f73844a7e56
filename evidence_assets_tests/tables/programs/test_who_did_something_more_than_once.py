"""That none did something more than once, or somebody alone, is decided by how often each did."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.claimed_tables import DRAFT, PRIZE, RACES
from evidence_assets_tests.testing.program_verdicts import decided

GAMES = make_table(
    "season",
    "1992 Harbour Dolphins season",
    [["Week", "Date", "Opponent", "Result", "Attendance"]],
    [
        ["1", "September 8", "Lions", "W 49-21", "72,216"],
        ["2", "September 15", "Colts", "W 21-13", "56,650"],
        ["3", "September 22", "Jets", "L 3-30", "73,426"],
        ["4", "September 29", "Chiefs", "L 30-48", "78,178"],
        ["5", "October 6", "Colts", "W 26-13", "73,369"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (PRIZE, "No act has won more than once.", False),
        (PRIZE, "No album won more than once.", True),
        (PRIZE, "Only Scribe won more than once.", False),
        (RACES, "Nobody won twice.", False),
        (RACES, "Nobody won three times.", True),
        (DRAFT, "No team picked more than once.", False),
    ],
)
def test_nobody_did_it_so_often(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Mareko was never among the finalists.", False),
        ("Frontline was never among the finalists.", True),
    ],
)
def test_who_was_never_among_others_stands_in_no_cell_of_theirs(claim: str, truth: bool) -> None:
    assert decided(claim, PRIZE) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Dolphins won three games and lost two.", True),
        ("The Dolphins won two games and lost three.", False),
        ("Neither of the two games against the Colts was lost.", True),
        ("Neither of the two games against the Colts was won.", False),
        ("The Dolphins won two games in a row.", True),
    ],
)
def test_of_contests_it_is_told_how_many_ended_so(claim: str, truth: bool) -> None:
    assert decided(claim, GAMES) is truth
