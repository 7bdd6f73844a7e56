"""Shares that a claim tells: of the rows of a group, and of what all rows have together."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets_tests.testing.program_verdicts import verdicts

SHOPS = make_table(
    "shops",
    "Shops of a street",
    [["Shop", "Trade", "Staff", "Rent (£)"]],
    [
        ["Ash", "bakery", "4", "900"],
        ["Birk", "bakery", "2", "700"],
        ["Cole", "butcher", "6", "1,200"],
        ["Dorn", "bakery", "3", "800"],
        ["Elm", "cobbler", "1", "400"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The bakeries employ more than half of all staff.", True),
        ("The bakeries employ a third of all staff.", False),
        ("Most of the rent comes from bakeries.", True),
        ("Most of the staff work at the butcher.", False),
        ("Less than half of the staff work at bakeries.", False),
    ],
)
def test_a_share_of_what_is_summed_is_no_share_of_rows(claim: str, truth: bool) -> None:
    assert verdicts(SHOPS, claim, "share of a total") == {truth}
    assert not verdicts(SHOPS, claim, "majority")


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Over half of the shops are bakeries.", True),
        ("Two thirds of the bakeries have at least 3 staff.", True),
        ("Over half of the bakeries have fewer than 3 staff.", False),
        ("A third of the shops pay less than £850.", False),
    ],
)
def test_a_share_of_rows_is_of_those_named(claim: str, truth: bool) -> None:
    assert verdicts(SHOPS, claim, "majority") == {truth}
    assert not verdicts(SHOPS, claim, "share of a total")


def test_a_share_of_what_a_row_has_is_none_of_the_total() -> None:
    assert verify("Cole lost less than half of its staff.", SHOPS).supported is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Two of the five shops have more than 3 staff.", True),
        ("Two of five shops have more than 3 staff.", True),
        ("Two of six shops have more than 3 staff.", False),
        ("Two of the three bakeries pay more than £750.", True),
    ],
)
def test_a_part_is_of_as_many_as_there_are(claim: str, truth: bool) -> None:
    assert verify(claim, SHOPS).supported is truth


def test_no_count_is_read_of_a_whole_that_is_none() -> None:
    assert verdicts(SHOPS, "One of the seven shops is a butcher.", "count") == set()
