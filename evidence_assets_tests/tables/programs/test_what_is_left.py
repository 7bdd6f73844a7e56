"""What is left of places, whether all are taken, and so many of what a header names."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets_tests.testing.program_verdicts import decided

CAMPS = make_table(
    "camps",
    "Summer camps 2025: registrations",
    [["Camp", "Starts", "Places", "Booked", "Minimum age"]],
    [
        ["Forest Scouts", "7 July", "24", "24", "8"],
        ["Sailing School", "14 July", "16", "11", "12"],
        ["Science Lab", "14 July", "20", "20", "10"],
        ["Circus Week", "21 July", "30", "22", "7"],
        ["Music Camp", "18 August", "25", "n/a", "9"],
    ],
)
FISH = make_table(
    "fish",
    "Fish market",
    [["Fish", "Landed (kg)", "Sold (kg)"]],
    [["Cod", "1,150", "1,150"], ["Mackerel", "2,300", "1,860"], ["Turbot", "140", "118"]],
)


LOCKERS = make_table(
    "lockers",
    "Lockers by site",
    [["Site", "Lockers", "Rented", "Fee (£)"]],
    [["North", "40", "25", "60"], ["Quay", "30", "30", "75"], ["Mill", "22", "10", "90"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Sailing School has five places left.", True),
        ("The Sailing School has twelve places left.", False),
        ("There are ten free places at Circus Week.", False),
        ("Circus Week has more places left than the Sailing School.", True),
        ("Circus Week has fewer places left than the Sailing School.", False),
        ("The Forest Scouts camp is fully booked.", True),
        ("Circus Week is already full.", False),
        ("Two camps are fully booked.", True),
        ("The Sailing School is not fully booked.", True),
        ("Music Camp still has seven places available.", None),
        ("Music Camp is fully booked.", None),
        ("Circus Week has the most places.", True),
        ("The Sailing School has the most places.", False),
    ],
)
def test_what_is_left_follows_from_two_columns(claim: str, truth: bool | None) -> None:
    assert decided(claim, CAMPS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("440 kilograms of mackerel remained unsold.", True),
        ("150 kg of cod were left unsold.", False),
        ("The cod was sold out.", True),
        ("The turbot was sold out.", False),
    ],
)
def test_what_is_unsold_has_the_unit_of_what_was_there(claim: str, truth: bool) -> None:
    assert decided(claim, FISH) is truth


def test_what_is_left_is_cited_by_the_cells_that_it_follows_from() -> None:
    verdict = verify("The Sailing School has five places left.", CAMPS)
    assert {(1, 2), (1, 3)} <= set(verdict.cells)


def test_free_and_left_mean_something_else_where_nothing_is_counted() -> None:
    assert decided("Breakfast is free at the Science Lab.", CAMPS) is None
    assert decided("The instructor left the Science Lab.", CAMPS) is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Fifteen lockers are left at North.", True),
        ("Twelve lockers are free at Quay.", False),
        ("Mill has twelve unrented lockers.", True),
        ("Mill has the most lockers left.", False),
    ],
)
def test_the_column_that_is_named_tells_how_much_there_was(claim: str, truth: bool) -> None:
    assert decided(claim, LOCKERS) is truth
