"""People and things are called after the country that a cell names."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

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


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Dane did not qualify.", True),
        ("The Frenchwoman did not advance.", True),
        ("The American finished.", False),
        ("The Irish swimmer qualified.", True),
    ],
)
def test_somebody_is_called_after_the_country_of_their_row(claim: str, truth: bool) -> None:
    assert decided(claim, HEAT) is truth
