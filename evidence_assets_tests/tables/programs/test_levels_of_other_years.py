"""What regained, exceeded or stayed below its level of another year."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

AIRPORTS = make_table(
    "airports",
    "Passengers at the airports of Estland, in thousands",
    [["Airport", "2018", "2019", "2020", "2022", "2023"]],
    [
        ["Harrad", "8,120", "8,430", "2,210", "6,870", "8,260"],
        ["Mosk", "1,940", "2,010", "610", "1,690", "1,880"],
        ["Sund Island", "240", "255", "140", "251", "268"],
        ["Port Elden", "3,310", "3,260", "870", "n/a", "3,120"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("By 2023, Sund Island had regained its 2018 level.", True),
        ("By 2023, Mosk had regained its 2018 level.", False),
        ("Port Elden had not returned to its 2019 level by 2023.", True),
        ("Only Sund Island exceeded its 2019 level in 2023.", True),
        ("Only Harrad exceeded its 2019 level in 2023.", False),
        ("Two airports exceeded their 2018 figures in 2023.", True),
        ("Three of the four airports were still below their 2019 level in 2023.", True),
        ("Harrad exceeded its level of 2019 in 2023.", False),
        ("Port Elden had regained its 2018 level by 2022.", None),
        ("Harrad will regain its 2019 level in 2024.", None),
        ("Mosk had almost regained its 2018 level by 2023.", None),
    ],
)
def test_a_level_of_another_year_is_a_bound(claim: str, truth: bool | None) -> None:
    assert decided(claim, AIRPORTS) is truth
