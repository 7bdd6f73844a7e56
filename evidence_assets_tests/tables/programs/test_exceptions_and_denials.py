"""Tests of claims about all or none but some, about some and no others, and of denials of all rows."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

FERRIES = make_table(
    "ferries",
    "Ferries of the Sound",
    [["Ferry", "Route", "Built", "Length (m)", "Cars", "Bar on board", "Home port"]],
    [
        ["Alma", "North", "1998", "62", "40", "yes", "Brugg"],
        ["Berit", "North", "2004", "71", "55", "no", "Brugg"],
        ["Clio", "South", "2011", "54", "30", "yes", "Osen"],
        ["Dagny", "South", "2011", "90", "80", "no", "Osen"],
        ["Edda", "West", "2016", "48", "0", "no", "Tarn"],
        ["Freya", "West", "2019", "35", "0", "yes", "Tarn"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("All the ferries bar the Dagny are shorter than 80 m.", True),
        ("All the ferries bar the Edda are shorter than 80 m.", False),
        ("All but one of the ferries were built after 2000.", True),
        ("All but two of the ferries were built after 2000.", False),
        ("All but two of the ferries are shorter than 70 m.", True),
        ("Nobody but the Dagny carries more than 60 cars.", True),
        ("Nobody but the Alma carries more than 30 cars.", False),
    ],
)
def test_exceptions(claim: str, truth: bool) -> None:
    assert verify(claim, FERRIES).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Dagny is longer than 80 m, and no other ferry is.", True),
        ("The Dagny is longer than 60 m, and no other ferry is.", False),
        ("The Dagny is longer than 80 m and nobody else is.", True),
        ("The Clio was built in 2011, and no other ferry was.", False),
    ],
)
def test_no_other(claim: str, truth: bool) -> None:
    assert verify(claim, FERRIES).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Not one of the ferries was built in 2005 or 2006.", True),
        ("Not one of the ferries was built in 2004.", False),
        ("No ferry was built in 2005.", True),
        ("No one built a ferry in 2004.", False),
        ("Neither of the West ferries carries cars.", True),
        ("Neither of the South ferries carries cars.", False),
    ],
)
def test_denials_of_all_rows(claim: str, truth: bool) -> None:
    assert verify(claim, FERRIES).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The ferries from Osen were all built in 2011.", True),
        ("The ferries from Brugg were all built in 2004.", False),
        ("The ferries from Osen both date from 2011.", True),
        ("The two ferries from Osen were both built in 2011.", True),
        ("The two ferries from Brugg were both built in 2004.", False),
        ("Both ferries of the South were built in 2011 and have a bar on board.", False),
        ("Both ferries of the West were built after 2015 and carry no cars.", True),
    ],
)
def test_quantifiers_of_what_stands_before_them(claim: str, truth: bool) -> None:
    assert verify(claim, FERRIES).supported is truth


def test_a_name_in_the_scope_of_a_denial_is_not_denied() -> None:
    """Of what nothing is told but that it is of a port, that it is denies nothing."""
    for claim in (
        "Not one of the ferries listed for Tarn goes fast.",
        "The Alma has no siren, and neither did the Berit.",
        "Nothing at Osen goes into a deeper dock than the Dagny.",
    ):
        assert not verify(claim, FERRIES).decides


def test_the_bar_of_a_ferry_excepts_nothing() -> None:
    assert verify("All ferries with a bar on board were built after 1990.", FERRIES).supported is True


def test_what_is_denied_besides_is_part_of_a_claim() -> None:
    """Half of a claim bears none out while its other half denies something that nothing tells."""
    assert not verify("Two ferries were built in 2011 and never sank.", FERRIES).decides
    assert verify("The Clio was built in 2011 and not in 2016.", FERRIES).supported is True
    assert verify("The Clio was built in 2011 and carries no cars.", FERRIES).supported is False


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Every ferry but the Dagny has a length of less than 80 m.", True),
        ("Every ferry but the Edda has a length of less than 80 m.", False),
    ],
)
def test_but_behind_what_all_are(claim: str, truth: bool) -> None:
    assert verify(claim, FERRIES).supported is truth
