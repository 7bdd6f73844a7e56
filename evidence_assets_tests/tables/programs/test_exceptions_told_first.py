"""An exception that a claim opens with is one from what it says of none or all."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.claimed_tables import INCOME, RACES, TOWNS
from evidence_assets_tests.testing.program_verdicts import decided


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Apart from Emma, no township has more than 2,000 inhabitants.", True),
        ("Except for Newton, no township has more than 2,000 inhabitants.", False),
        ("Other than Lakin, every township covers more than 90 square kilometres.", True),
    ],
)
def test_what_is_excepted_alone_is_not_so(claim: str, truth: bool) -> None:
    assert decided(claim, TOWNS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No rider other than Ladin and Spice won a race.", True),
        ("Nobody but Spice won.", False),
    ],
)
def test_nobody_but_those_named_did_it(claim: str, truth: bool) -> None:
    assert decided(claim, RACES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No township has as many residents as Emma.", True),
        ("No township has as many residents as Burton.", False),
    ],
)
def test_none_has_as_many_where_each_has_fewer(claim: str, truth: bool) -> None:
    assert decided(claim, TOWNS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Schuyler does not even have 20,000 inhabitants.", True),
        ("Yates does not even have 20,000 inhabitants.", False),
    ],
)
def test_not_even_so_many_are_fewer(claim: str, truth: bool) -> None:
    assert decided(claim, INCOME) is truth
