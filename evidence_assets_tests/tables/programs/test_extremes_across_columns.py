"""Extremes among columns: the best season of a row or of all, and what is the highest in each class."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

ORCHARD = make_table(
    "orchard",
    "Harvest of an orchard, in tonnes",
    [["Variety", "Spring", "Summer", "Autumn"]],
    [["Pearl", "2", "14", "9"], ["Rust 5", "0", "22", "41"], ["Total", "2", "36", "50"]],
)
HEATS = make_table(
    "heats",
    "Rowing race, points of each crew",
    [["Rank", "Crew", "Heat 1", "Heat 2", "Heat 3", "Total"]],
    [
        ["1", "Osprey", "10", "9", "10", "29"],
        ["2", "Heron", "8", "10", "8", "26"],
        ["3", "Teal", "7", "8", "9", "24"],
    ],
)
SHARES = make_table(
    "shares",
    "Shares of viewing in %",
    [["Channel", "Spring", "Summer", "Autumn"]],
    [["Nova", "20", "24", "30"], ["Prisma", "41", "36", "12"]],
)
ROUTES = make_table(
    "routes",
    "Passengers by route",
    [["Route", "2021", "2022", "2023"]],
    [["Dray", "310", "420", "505"], ["Ellan", "120", "96", "88"]],
)
ANIMALS = make_table(
    "animals", "Stock of a zoo", [["Species", "Animals"]], [["Stork", "12"], ["Camel", "6"], ["Lemur", "17"]]
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Autumn was the best season for the orchard as a whole.", True),
        ("Summer was the best season for the orchard as a whole.", False),
        ("Summer was the best season for Pearl.", True),
        ("Autumn was the best season for Pearl.", False),
        ("Summer was the second-best season for the orchard as a whole.", True),
    ],
)
def test_a_column_may_be_the_best_of_its_row(claim: str, truth: bool) -> None:
    assert verify(claim, ORCHARD).supported is truth


def test_shares_add_up_to_nothing() -> None:
    assert not verify("Autumn was the best season for all channels as a whole.", SHARES).decides


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Osprey had the highest points in every heat.", False),
        ("Osprey had the highest points in all three heats.", False),
        ("Osprey had the highest points in both heat 1 and heat 3.", True),
        ("Teal had the lowest points in both heat 1 and heat 2.", True),
        ("Teal had the lowest points in both heat 1 and heat 3.", False),
    ],
)
def test_an_extreme_may_be_told_of_several_columns(claim: str, truth: bool) -> None:
    assert verify(claim, HEATS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("2023 was the busiest year on the Dray route.", True),
        ("2021 was the busiest year on the Dray route.", False),
    ],
)
def test_a_year_may_be_the_busiest(claim: str, truth: bool) -> None:
    assert verify(claim, ROUTES).supported is truth


@pytest.mark.parametrize(
    "claim",
    [
        "August was the busiest month of 2023 on the Dray route.",
        "The Dray route had more than 30 times the passengers of the mail boat in 2023.",
    ],
)
def test_no_year_tells_what_is_of_a_part_of_it_or_of_another_row(claim: str) -> None:
    assert not verify(claim, ROUTES).decides


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Lemurs were the most numerous animals.", True),
        ("Storks were the most numerous animals.", False),
        ("Camels were the least numerous animals.", True),
    ],
)
def test_the_most_numerous_are_most(claim: str, truth: bool) -> None:
    assert verify(claim, ANIMALS).supported is truth
