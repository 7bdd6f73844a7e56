"""Claims of how long, and until when, something went on whose cells tell the first and the last year."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets_tests.testing.program_verdicts import decided

MINES = make_table(
    "mines",
    "Mines of the Orr valley",
    [["Mine", "Worked", "Ore"]],
    [
        ["Deepwell", "1840–1921", "Lead"],
        ["Fairholm", "1866–1873", "Copper"],
        ["Gannet", "1902–1934", "Lead"],
        ["Highcross", "since 1951", "Spar"],
        ["Ivy Level", "1888–1919", "Zinc"],
    ],
)
VANS = make_table(
    "vans",
    "Tours of van 3",
    [["Tour", "Set off", "Set down", "From", "To", "Fee"]],
    [
        ["1", "08:10", "08:35", "Depot", "Harbour", "£12"],
        ["2", "09:00", "09:48", "Harbour", "Mill", "£18"],
        ["3", "10:15", "–", "Mill", "Depot", "£9"],
        ["4", "11:30", "11:50", "Depot", "Mill", "£11"],
    ],
)
FARES = make_table(
    "fares",
    "Fares to the islands (€)",
    [["Island", "Distance (km)", "Day", "Night"]],
    [["Ayre", "12.5", "14", "19"], ["Bute", "20.0", "22", "n/a"], ["Cray", "31.5", "35", "44"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Deepwell was worked for longer than Gannet.", True),
        ("Fairholm was worked for longer than Ivy Level.", False),
        ("Gannet was worked until 1934.", True),
        ("Gannet was worked until 1921.", False),
        ("Ivy Level was worked until the 1910s.", True),
        ("Fairholm was worked until the 1890s.", False),
        ("Work at Deepwell began in the 1840s.", True),
        ("Work at Ivy Level ended in 1888.", False),
        ("Gannet was first worked in 1902.", True),
        ("Gannet was last worked in the 1920s.", False),
    ],
)
def test_how_long_and_until_when(claim: str, truth: bool) -> None:
    assert decided(claim, MINES) is truth


def test_what_goes_on_has_no_last_year() -> None:
    assert index_of(MINES).last_years(1) == {0: 1921.0, 1: 1873.0, 2: 1934.0, 4: 1919.0}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Tour 2 took 48 minutes.", True),
        ("Tour 1 took 35 minutes.", False),
        ("Tour 2 started at Harbour and ended at Mill.", True),
        ("Tour 4 started at Depot and ended at Harbour.", False),
    ],
)
def test_times_of_day_are_no_pairs_of_numbers(claim: str, truth: bool) -> None:
    assert index_of(VANS).pairs == {}
    assert verify(claim, VANS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No day fare exceeds 30 euros.", False),
        ("No day fare exceeds 40 euros.", True),
        ("A night trip to Cray costs 44 euros.", True),
        ("A night trip to Ayre costs 14 euros.", False),
        ("A night trip to Bute costs 22 euros.", None),
    ],
)
def test_a_caption_tells_the_money_of_bare_columns(claim: str, truth: bool | None) -> None:
    assert decided(claim, FARES) is truth


def test_a_comparative_before_an_unknown_noun_is_of_that() -> None:
    cartons = make_table(
        "cartons",
        "Deposits",
        [["Container", "Volume (l)", "Deposit (€)"]],
        [["Juice carton", "1.0", "0.10"], ["Milk bottle", "1.5", "0.15"], ["Can", "0.5", "0.25"]],
    )
    assert not verify("A smaller share of juice cartons than of milk bottles is returned.", cartons).decides
