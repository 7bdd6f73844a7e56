"""So many at the top of an order are meant by a superlative behind a number, and who leads tops it."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.claimed_tables import HEAT, INCOME
from evidence_assets_tests.testing.program_verdicts import decided

BOOKS = make_table(
    "books",
    "The Dragoon novels",
    [["Title", "Author", "Year", "Length"]],
    [
        ["Bull", "Sapper", "1920", "320 pp"],
        ["The Gang", "Sapper", "1922", "318 pp"],
        ["Dragoon Stands", "Gerard Fair", "1938", "310 pp"],
        ["Dragoon Returns", "Gerard Fair", "1940", "290 pp"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("None of the three fastest swam in lane 6.", True),
        ("None of the three fastest swam in lane 3.", False),
        ("The two fastest both swam in lanes 4 and 5.", True),
        ("Elena Ruiz was among the three fastest.", True),
        ("Maja Dahl was among the three fastest.", False),
    ],
)
def test_the_fastest_took_the_shortest_times(claim: str, truth: bool) -> None:
    assert decided(claim, HEAT) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No swimmer in lane 6 was faster than 28.80.", True),
        ("Three swimmers were faster than 28.70.", True),
        ("Two swimmers were slower than 28.70.", False),
    ],
)
def test_what_was_faster_took_less_time(claim: str, truth: bool) -> None:
    assert decided(claim, HEAT) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Tioga tops the list with an income per head of 24,885.", True),
        ("Yates tops the list with an income per head of 19,650.", False),
        ("Broome leads the table for population.", True),
    ],
)
def test_who_tops_the_list_has_the_most(claim: str, truth: bool) -> None:
    assert decided(claim, INCOME) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Gerard Fair's longest book was Dragoon Stands.", True),
        ("Gerard Fair's longest book was Bull.", False),
        ("Sapper's longest book was The Gang.", False),
    ],
)
def test_what_is_somebodys_longest_is_the_longest_of_theirs(claim: str, truth: bool) -> None:
    assert decided(claim, BOOKS) is truth
