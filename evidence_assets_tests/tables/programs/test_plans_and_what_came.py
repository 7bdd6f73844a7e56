"""Claims of what was more, or less, than planned, of a table with a column of either."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

BUDGET = make_table(
    "budget",
    "Costs of a fair, in euros",
    [["Item", "Budget 2023", "Actual 2023", "Budget 2024"]],
    [
        ["Fees", "840", "885", "920"],
        ["Stages", "460", "452", "480"],
        ["Security", "185", "231", "240"],
        ["Insurance", "65", "65", "65"],
        ["Total", "1,550", "1,633", "1,705"],
    ],
)
FIGURES = make_table(
    "figures", "Costs of a fair, in euros", [["Item", "2022", "2023"]], [["Fees", "840", "885"]]
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Security cost more than planned in 2023.", True),
        ("Stages cost more than planned in 2023.", False),
        ("Fees were 45 euros over budget in 2023.", True),
        ("Fees were 40 euros over budget in 2023.", False),
        ("In 2023 the fair spent 83 euros more than it had budgeted.", True),
        ("In 2023 the fair spent 70 euros more than it had budgeted.", False),
        ("Security was the only item that cost more than planned in 2023.", False),
        ("Stages were the only item that cost less than planned in 2023.", True),
        ("Two items cost more than planned in 2023.", True),
        ("Three items cost more than planned in 2023.", False),
    ],
)
def test_a_plan_is_held_against_what_came(claim: str, truth: bool) -> None:
    assert verify(claim, BUDGET).supported is truth


@pytest.mark.parametrize(
    "claim", ["Fees cost more than planned in 2023.", "In 2023 the fair spent 45 euros more than planned."]
)
def test_without_plans_nothing_was_planned(claim: str) -> None:
    assert not verify(claim, FIGURES).decides
