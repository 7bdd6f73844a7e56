"""Claims that quantify over rows in further words: without exception, every one, almost all."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

TREES = make_table(
    "trees",
    "Trees of the park",
    [["Tree", "Species", "Height (m)", "Planted", "Protected", "Last pruned", "Inspector"]],
    [
        ["T1", "oak", "22", "1880", "yes", "2019", "Roe"],
        ["T2", "oak", "18", "1904", "yes", "2021", "Lund"],
        ["T3", "ash", "15", "1950", "no", "", "Roe"],
        ["T4", "beech", "25", "1871", "yes", "2018", ""],
        ["T5", "ash", "9", "1999", "no", "2022", "Lund"],
        ["T6", "lime", "12", "1968", "no", "2022", "Roe"],
    ],
)
VISITS = make_table(
    "visits",
    "Visitors (thousands)",
    [["Site", "2021", "2022", "2023", "Ticket"]],
    [
        ["Castle", "40", "52", "61", "£8"],
        ["Mill", "12", "10", "14", "free"],
        ["Abbey", "30", "31", "29", "£5"],
        ["Garden", "22", "35", "35", "free"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Without exception, the oaks are protected.", True),
        ("The ashes, without exception, are protected.", False),
        ("Every one of the oaks is protected.", True),
        ("There are two oaks and two ashes.", True),
        ("There are two oaks and three ashes.", False),
        ("Every one of the ashes is protected.", False),
        ("A minority of the trees is taller than 20 m.", True),
        ("One of the two oaks is taller than 20 m.", True),
        ("The oaks are protected but the ashes are not.", True),
        ("The oaks are protected but the beech is not.", False),
        ("Lund did not inspect any tree taller than 20 m.", True),
        ("Roe did not inspect any tree taller than 20 m.", False),
        ("At most two trees were pruned in 2022.", True),
        ("Two of the three trees that Roe inspected are unprotected.", True),
        ("All of the oaks are unprotected.", False),
        ("The oaks are protected, and so is the beech.", True),
        ("The oaks are protected, and so is the lime.", False),
        ("The ashes are not protected, nor is the lime.", True),
        ("The ashes are not protected, and neither is the beech.", False),
        ("Fewer than two trees were pruned in 2022.", False),
    ],
)
def test_rows_quantified_in_other_words(claim: str, truth: bool) -> None:
    assert verify(claim, TREES).supported is truth


def test_almost_all_is_not_all() -> None:
    assert verify("Almost all trees are taller than 10 m.", TREES).supported is True
    assert verify("Almost all trees are taller than 20 m.", TREES).supported is False


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In each of the three years the Castle had more visitors than any other site.", True),
        ("In each of the three years the Abbey had more visitors than any other site.", False),
        ("The Garden was ahead of the Abbey in two of the three years.", True),
        ("The Garden was ahead of the Abbey in all three years.", False),
        ("The Castle has never had fewer than 40 thousand visitors.", True),
        ("The Castle has never had fewer than 45 thousand visitors.", False),
        ("In 2022 no site but the Castle had more than 40 thousand visitors.", True),
        ("In 2022 no site but the Castle had more than 30 thousand visitors.", False),
    ],
)
def test_years_and_exceptions_among_visitors(claim: str, truth: bool) -> None:
    assert verify(claim, VISITS).supported is truth
