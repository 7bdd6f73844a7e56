"""Rows that stand behind a named one, before it or between two are meant where all or none of them are."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

COMICS = make_table(
    "comics",
    "Harbour comics, collected editions",
    [["Edition", "Volume", "Title", "Main story", "Pages", "Release date"]],
    [
        ["1", "14", "The Pilots", "Low Water", "120", "3 May 2013"],
        ["2", "9", "Salt Girl", "Red Tide", "132", "7 June 2013"],
        ["3", "TBC", "Night Ferry", "Fog Bell", "TBC", "5 July 2013"],
        ["4", "22", "Old Harry", "?", "118", "2 August 2013"],
        ["5", "TBC", "The Diver", "None", "?", "6 September 2013"],
        ["6", "31", "Grey Gull", "Long Haul", "144", "4 October 2013"],
    ],
)
HEAT = make_table(
    "heat",
    "Regional swimming championships – women's 50 metre backstroke, semi-final",
    [["Rank", "Lane", "Name", "Nationality", "Time", "Notes"]],
    [
        ["1", "4", "Petra Novak", "Czech Republic", "28.41", "Q"],
        ["2", "5", "Siobhan Kelly", "Ireland", "28.55", "Q, SB"],
        ["3", "3", "Elena Ruiz", "Spain", "28.60", "Q"],
        ["4", "6", "Maja Dahl", "Sweden", "28.88", "q"],
        ["5", "2", "Freja Holm", "Denmark", "29.02", ""],
        ["6", "7", "Anna Kask", "Estonia", "29.20", "SB"],
        ["7", "1", "Claire Petit", "France", "29.31", ""],
        ["", "8", "Joan Reed", "United States", "", "DNF"],
    ],
)
HANDS = make_table(
    "hands",
    "Payout of a machine",
    [["Hand", "1 coin", "2 coins", "5 coins"]],
    [
        ["Royal flush", "250", "500", "4000"],
        ["Straight flush", "50", "100", "250"],
        ["Full house", "9", "18", "45"],
        ["Flush", "6", "12", "30"],
        ["Straight", "4", "8", "20"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (COMICS, "No edition after Old Harry has a confirmed volume.", False),
        (COMICS, "No edition between Salt Girl and Old Harry has a confirmed volume.", True),
        (HEAT, "Every swimmer listed above Maja Dahl was faster than 28.70.", True),
        (HANDS, "With five coins, no hand listed below the full house pays more than 30.", True),
        (HANDS, "With five coins, no hand listed below the full house pays more than 25.", False),
        (HANDS, "Every hand listed above the flush pays at least 250 on five coins.", False),
    ],
)
def test_rows_behind_another_and_between_two_are_meant(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth
