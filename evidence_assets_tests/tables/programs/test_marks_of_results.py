"""Marks of a list of results say who qualified, who finished and who was at their best."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.claimed_tables import HEAT
from evidence_assets_tests.testing.program_verdicts import decided

RUNNERS = make_table(
    "walk",
    "Grand walk over 50 kilometres",
    [["Rank", "Name", "Nationality", "Time", "Notes"]],
    [
        ["1", "Tom Hale", "Great Britain", "4:50:10", ""],
        ["2", "Janis Ozol", "Latvia", "4:57:20", ""],
        ["3", "Ugo Ferri", "Italy", "4:59:06", ""],
        ["4", "Karl Hahn", "Germany", "5:06:06", ""],
        ["5", "Ettore Riva", "Italy", "5:07:39", ""],
        ["6", "Ernie Cross", "United States", "5:28:02", ""],
        ["", "Harry Hink", "United States", "", "DNF"],
        ["", "Luca Preti", "Italy", "", "DNF"],
        ["", "Henri Cim", "Canada", "", "DSQ"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Petra Novak qualified.", True),
        ("Freja Holm qualified.", False),
        ("Anna Kask did not qualify.", True),
        ("Maja Dahl failed to qualify.", False),
        ("Four of the eight swimmers qualified.", True),
        ("Five of the eight swimmers qualified.", False),
        ("Siobhan Kelly swam a season's best.", True),
        ("Elena Ruiz swam a season's best.", False),
    ],
)
def test_a_letter_says_who_qualified(claim: str, truth: bool) -> None:
    assert decided(claim, HEAT) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Three walkers did not finish.", True),
        ("All of the Americans finished.", False),
        ("Both Americans finished.", False),
        ("Every German finished.", True),
        ("Two of the three Italians finished.", True),
        ("Harry Hink dropped out.", True),
        ("Karl Hahn dropped out.", False),
        ("The Canadian failed to finish.", True),
        ("Nobody failed to finish.", False),
        ("Not every American made it to the finish.", True),
        ("Neither Tom Hale of Great Britain nor Karl Hahn of Germany finished.", False),
        ("Neither Harry Hink of the United States nor Luca Preti of Italy finished.", True),
    ],
)
def test_who_has_a_mark_of_not_finishing_did_not_finish(claim: str, truth: bool) -> None:
    assert decided(claim, RUNNERS) is truth
