"""Claims and questions of what is in, on, out of or off something, where cells tell it by such words."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.programs.verdicts.verification import verify

PARTS = make_table(
    "parts",
    "Spare parts of a bicycle workshop",
    [["Part", "Supply", "Price (€)"]],
    [
        ["Saddle", "in stock", "24"],
        ["Chain", "out of stock", "31"],
        ["Pedal", "in stock", "18"],
        ["Bell", "out of stock", "9"],
        ["Lamp", "in stock", "27"],
    ],
)
FERRIES = make_table(
    "ferries",
    "Ferries of a fjord",
    [["Ferry", "State", "Built"]],
    [
        ["Alke", "in service", "1991"],
        ["Lomvi", "not in service", "1978"],
        ["Teist", "in service", "2004"],
        ["Krykkje", "not in service", "1969"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The saddle is in stock.", True),
        ("The chain is in stock.", False),
        ("The saddle is out of stock.", False),
        ("The chain is out of stock.", True),
        ("The chain is not in stock.", True),
        ("The pedal is not out of stock.", True),
        ("Three parts are in stock.", True),
        ("Five parts are in stock.", False),
    ],
)
def test_what_is_out_of_something_is_not_in_it(claim: str, supported: bool) -> None:
    assert verify(claim, PARTS).supported is supported


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Alke is in service.", True),
        ("Lomvi is in service.", False),
        ("Lomvi is not in service.", True),
        ("Teist is not in service.", False),
        ("Teist is out of service.", False),
    ],
)
def test_what_a_cell_denies_with_such_a_word_is_denied(claim: str, supported: bool) -> None:
    assert verify(claim, FERRIES).supported is supported


def test_questions_go_by_the_side_that_they_name() -> None:
    assert answer("How many parts are in stock?", PARTS).values == ("3",)
    assert answer("Which parts are out of stock?", PARTS).values == ("Chain", "Bell")


def test_where_no_cell_names_a_side_all_that_hold_the_word_are_meant() -> None:
    rows = [["Alke", "service", "1991"], ["Lomvi", "repair", "1978"], ["Teist", "service", "2004"]]
    plain = make_table("plain", "Ferries of a fjord", [["Ferry", "State", "Built"]], rows)
    assert verify("Alke is in service.", plain).supported is True
