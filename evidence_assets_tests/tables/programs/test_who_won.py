"""Who won is who came first, where a column tells places, and nothing that takes part in it."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import answered, decided

GALA = make_table(
    "gala",
    "Winter gala",
    [["Event", "Swimmer", "Result", "Place"]],
    [
        ["50 m Freestyle", "Ada Brandt", "29.41", "1"],
        ["50 m Freestyle", "Lucy Okafor", "30.12", "2"],
        ["100 m Backstroke", "Ada Brandt", "1:13.04", "2"],
        ["100 m Backstroke", "Freya Lund", "1:11.86", "1"],
        ["100 m Backstroke", "Lucy Okafor", "1:18.30", "3"],
    ],
)
MEDALS = make_table(
    "medals",
    "Medals of the games",
    [["Rank", "Nation", "Gold", "Silver"]],
    [["1", "Russia", "9", "5"], ["2", "Spain", "5", "7"], ["3", "Chile", "1", "2"]],
)
PARCELS = make_table(
    "parcels",
    "Parcels",
    [["Parcel no.", "Town", "Weight (kg)"]],
    [["P-1", "Porto", "12.0"], ["P-2", "Turin", "3.5"], ["P-3", "Graz", "0.8"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Freya Lund won the 100 m backstroke.", True),
        ("Ada Brandt won the 100 m backstroke.", False),
        ("Lucy Okafor won the 50 m freestyle.", False),
        ("Lucy Okafor did not win the 50 m freestyle.", True),
    ],
)
def test_who_won(claim: str, truth: bool) -> None:
    assert decided(claim, GALA) is truth


@pytest.mark.parametrize(
    ("question", "value"),
    [("Who won the 100 m backstroke?", "Freya Lund"), ("Who won the 50 m freestyle?", "Ada Brandt")],
)
def test_who_is_asked_for(question: str, value: str) -> None:
    assert answered(question, GALA) == {value}


def test_what_is_won_is_counted_and_ranks_nothing() -> None:
    assert answered("How many silver medals did Spain win?", MEDALS) == {"7"}
    assert decided("Spain won seven silver medals.", MEDALS) is True


def test_how_heavy_something_is_no_number_of_it_tells() -> None:
    assert answered("How heavy is the parcel to Porto?", PARCELS) in (None, {"12.0"})
