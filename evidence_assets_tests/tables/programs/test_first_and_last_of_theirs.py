"""What was the first, the last or the second of somebody is told by the order of times."""

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
PLACES = make_table(
    "places",
    "Results of the walker Lio Ruiz",
    [["Year", "Competition", "Venue", "Position", "Event"]],
    [
        ["2002", "Junior Games", "Bridgeport", "1st", "5 km"],
        ["2004", "Junior Games", "Grosseto", "4th", "10 km"],
        ["2005", "World Cup", "Helm", "8th", "20 km"],
        ["2007", "World Cup", "Osara", "4th", "20 km"],
        ["2009", "World Cup", "Berlau", "3rd", "20 km"],
        ["2010", "Island Games", "Mayar", "1st", "20 km"],
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


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (PRIZE, "Scribe's first win came in 2004.", True),
        (PRIZE, "Scribe's first win came in 2008.", False),
        (PRIZE, "Ladysix won her last prize in 2010.", True),
        (PRIZE, "Ladysix won for the first time in 2010.", False),
        (PRIZE, "Ladysix won for the second time in 2010.", True),
        (PRIZE, "In 2007, Ladysix won for the first time.", True),
        (PRIZE, "The last winner was Ladysix.", True),
        (PRIZE, "The first winner was Big Pony.", False),
        (PRIZE, "The first winner was crowned in 2004.", True),
        (PRIZE, "The last winner was crowned in 2004.", False),
        (PLACES, "His first fourth place came in Grosseto.", True),
        (PLACES, "His first fourth place came in Osara.", False),
        (PLACES, "His last fourth place came in Osara.", True),
    ],
)
def test_the_first_of_somebody_is_not_the_first_of_all(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (PRIZE, "Big Pony was not a winner until 2005.", True),
        (PRIZE, "Homebrew did not win until 2010.", False),
        (PRIZE, "Homebrew did not win until 2009.", True),
        (RACES, "Ladin did not win until round 2.", False),
        (RACES, "Spice did not win until round 2.", True),
    ],
)
def test_what_was_not_so_until_a_time_was_so_then(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth
