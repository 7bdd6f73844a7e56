"""Superlatives that name no column: of sizes, of quality, and of rows that a word narrows."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.questions.answering import answer

DISTRICTS = make_table(
    "districts",
    "Districts of the city",
    [["District", "Schools", "Parks", "Cafes"]],
    [["Northgate", "4", "3", "12"], ["Riverside", "6", "5", "8"], ["Oldtown", "2", "1", "25"]],
)
CAR_PARKS = make_table(
    "car_parks",
    "Car parks of the town",
    [["Car park", "Spaces", "Disabled bays", "Price"]],
    [
        ["Abbey Gate", "214", "8", "£3.20"],
        ["Brewhouse Lane", "68", "6", "£2.60"],
        ["Fair Field", "90", "2", "£4"],
    ],
)
PHONES = make_table(
    "phones",
    "Phones tested",
    [["Model", "Weight (g)", "Battery (mAh)", "Price (€)", "Rating"]],
    [
        ["Alpha", "172", "4100", "499", "4.2"],
        ["Beta", "188", "5000", "349", "4.5"],
        ["Gamma", "201", "4600", "699", "3.9"],
    ],
)
BREAD = make_table(
    "bread",
    "Bread of the bakery",
    [["Bread", "Price (€)", "Weight (g)"]],
    [["Rye loaf", "3.80", "1000"], ["Baguette", "1.60", "250"], ["Ciabatta", "2.40", "300"]],
)
DAMS = make_table(
    "dams",
    "Dams in the region",
    [["Dam", "River", "Height (m)"]],
    [["Alder", "Lune", "42"], ["Birch", "Tarn", "88"], ["Drake", "Sill", "105"]],
)


@pytest.mark.parametrize("claim", ["Oldtown is the smallest district.", "Riverside is the largest district."])
def test_several_counts_tell_no_size(claim: str) -> None:
    assert not verify(claim, DISTRICTS).decides


def test_a_count_that_others_are_parts_of_tells_the_size() -> None:
    assert verify("Brewhouse Lane is the smallest car park.", CAR_PARKS).supported is True
    assert answer("Which is the smallest car park?", CAR_PARKS).values == ("Brewhouse Lane",)


def test_a_rating_tells_what_is_best_and_no_size() -> None:
    assert answer("Which phone is the best?", PHONES).values == ("Beta",)
    assert not answer("Which phone is the largest?", PHONES).decides


@pytest.mark.parametrize("question", ["Which bread sells best?", "Which bread has the best taste?"])
def test_prices_and_weights_tell_nothing_of_what_is_best(question: str) -> None:
    assert not answer(question, BREAD).decides
    assert not verify("The baguette is the best bread.", BREAD).decides


def test_a_word_behind_a_superlative_says_among_which_rows() -> None:
    assert not verify("Drake is the tallest concrete dam.", DAMS).decides
    assert verify("Drake is the tallest dam.", DAMS).supported is True
