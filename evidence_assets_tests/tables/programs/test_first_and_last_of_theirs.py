"""What was the first, the last or the second of somebody is told by the order of times."""

from __future__ import annotations

import pytest

from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.claimed_tables import PLACES, PRIZE, RACES
from evidence_assets_tests.testing.program_verdicts import decided


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
