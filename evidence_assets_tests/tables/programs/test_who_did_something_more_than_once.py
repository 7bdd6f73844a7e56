"""That none did something more than once, or somebody alone, is decided by how often each did."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

PRIZE = make_table(
    "prize",
    "Taite Prize",
    [["Year", "Winner", "Album", "Finalists"]],
    [
        ["2004", "Scribe", "The Crusader", "Mareko, Nesian"],
        ["2005", "Big Pony", "Magic City", "Scribe, Tiki"],
        ["2006", "Frontline", "Borrowed Time", "Mareko, Opensouls"],
        ["2007", "Ladysix", "Time Tells", "Savage, Tiki"],
        ["2008", "Scribe", "Rhyme Book", "Mareko, Tha Feel"],
        ["2009", "Homebrew", "Kiwi Sound", "Savage, Opensouls"],
        ["2010", "Ladysix", "Half Light", "Tiki, Opensouls"],
    ],
)
RACES = make_table(
    "races",
    "Superbike season",
    [["Round", "Circuit", "Pole position", "Winner"]],
    [
        ["1", "Daylon", "Ben Spice", "Matt Ladin"],
        ["2", "Fontane", "Matt Ladin", "Ben Spice"],
        ["3", "Barbery", "Ben Spice", "Ben Spice"],
        ["4", "Mid Ohia", "Neil Hodge", "Matt Ladin"],
    ],
)
DRAFT = make_table(
    "draft",
    "Draft of the harbour league",
    [["Pick", "Player", "Position", "Team"]],
    [
        ["11", "Eino Falk", "centre", "Gulls"],
        ["17", "Ari Rask", "goalkeeper", "Owls"],
        ["23", "Tor Nygard", "wing", "Gulls"],
        ["31", "Olav Krog", "centre", "Terns"],
        ["44", "Jan Lund", "defence", "Owls"],
    ],
)
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
