"""Claims over columns told in thousands, millions and billions: with a unit, without one, across columns."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import rank_programs, verify
from evidence_assets.tables.programs.index.columns.column_units import column_units, told_unit
from evidence_assets.tables.programs.wording.quantities import Unit
from evidence_assets.tables.table import Table

MILLS = make_table(
    "mills",
    "",
    [
        [
            "Mill",
            "Revenue (million EUR)",
            "Costs (k€)",
            "Prize money (USD m)",
            "Flour 2022 (thousand t)",
            "Flour 2023 (thousand t)",
            "Customers (thousands)",
        ]
    ],
    [
        ["Weir Mill", "1.9", "2100", "0.4", "8.0", "7.2", "31"],
        ["Ridge Mill", "3.2", "900", "1.2", "12.5", "14.0", "9.5"],
        ["Dike Mill", "0.8", "1300", "0.7", "3.5", "5.6", "18"],
    ],
)


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("Revenue (million EUR)", Unit("€", 1e6)),
        ("Box office ($ million)", Unit("$", 1e6)),
        ("Sales (USD m)", Unit("$", 1e6)),
        ("Sales (€m)", Unit("€", 1e6)),
        ("Assets (US$ bn)", Unit("$", 1e9)),
        ("Costs ($000)", Unit("$", 1e3)),
        ("Loss (£'000)", Unit("£", 1e3)),
        ("Debt (k€)", Unit("€", 1e3)),
        ("Debt (kEUR)", Unit("€", 1e3)),
        ("Customers (thousands)", Unit("", 1e3)),
        ("Revenue (in thousands of euros)", Unit("€", 1e3)),
        ("Revenue in thousands of euros", Unit("€", 1e3)),
        ("Population (×1,000)", Unit("", 1e3)),
        ("Users (m)", Unit("", 1e6)),
        ("Height (m)", Unit("meter")),
        ("Distance (1000 m)", Unit("meter")),
        ("Rain in Skarn (mm)", Unit("millimeter")),
        ("Costs in US$ (millions)", Unit("$", 1e6)),
    ],
)
def test_a_header_tells_its_scale(header: str, unit: Unit) -> None:
    assert told_unit(header) == unit


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Weir Mill had a revenue of 1.9 million euros.", True),
        ("Weir Mill had a revenue of 1,900,000 euros.", True),
        ("Weir Mill had a revenue of €1.9m.", True),
        ("Weir Mill had a revenue of €0.9m.", False),
        ("Weir Mill had a revenue of 1.9 euros.", False),
        ("Weir Mill had a revenue of 2,900,000 euros.", False),
        ("The costs of Weir Mill were 2.1 million euros.", True),
        ("The costs of Weir Mill were 2100 euros.", False),
        ("The prize money of Ridge Mill was $1,200,000.", True),
        ("Weir Mill made 7200 t of flour in 2023.", True),
        ("Weir Mill had 31,000 customers.", True),
        ("Weir Mill had 31 customers.", False),
    ],
)
def test_a_quantity_with_its_unit_is_what_it_says(claim: str, truth: bool) -> None:
    assert verify(claim, MILLS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [("Weir Mill had a revenue of 1.9.", True), ("Weir Mill had a revenue of 2.9.", False)],
)
def test_a_number_without_a_unit_may_be_in_the_columns(claim: str, truth: bool) -> None:
    assert verify(claim, MILLS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Weir Mill had a revenue of more than 1 million euros.", True),
        ("Weir Mill had a revenue of less than 5 euros.", False),
        ("Dike Mill had more than 17,000 customers.", True),
        ("Ridge Mill had fewer than 10 customers.", False),
    ],
)
def test_a_bound_with_its_unit_is_what_it_says(claim: str, truth: bool) -> None:
    assert verify(claim, MILLS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The total revenue is 5.9 million euros.", True),
        ("The total revenue is 5.9 euros.", False),
        ("The highest revenue is 3,200,000 euros.", True),
        ("The highest revenue is 3.2 euros.", False),
        ("Ridge Mill's revenue is 1,300,000 euros higher than that of Weir Mill.", True),
    ],
)
def test_what_is_computed_with_a_unit_is_what_it_says(claim: str, truth: bool) -> None:
    assert verify(claim, MILLS).supported is truth


def test_a_difference_in_another_scale_is_not_supported() -> None:
    claim = "Ridge Mill's revenue is 1.3 euros higher than that of Weir Mill."
    assert rank_programs(claim, MILLS)[0].program.endswith("= 1.3e-06")
    assert not verify(claim, MILLS).supported


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Weir Mill's costs were higher than its revenue.", True),
        ("Ridge Mill's costs were higher than its revenue.", False),
        ("Ridge Mill's revenue was 2.3 million euros higher than its costs.", True),
    ],
)
def test_columns_of_two_scales_are_compared_in_one(claim: str, truth: bool) -> None:
    assert verify(claim, MILLS).supported is truth


def test_columns_of_two_currencies_are_not_compared() -> None:
    assert verify("Weir Mill's prize money was higher than its costs.", MILLS).supported is None


BAKERS = make_table(
    "bakers",
    "Bakers and millers, in thousands; pay in 2022",
    [["Trade", "2012", "2022", "Pay a week (£)"]],
    [["Bakers", "6.2", "4.9", "510"], ["Millers", "1.4", "0.9", "640"], ["Brewers", "2.5", "3.1", "705"]],
)
COOKERS = make_table(
    "cookers",
    "Share of homes with a gas cooker, in % (homes in thousands)",
    [["Town", "Homes", "2020", "2022"]],
    [["Aske", "48.2", "52", "41"], ["Birk", "6.1", "77", "70"], ["Cole", "15.0", "30", "22"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The pay of millers is above £600 a week.", True),
        ("The pay of bakers is above £600 a week.", False),
        ("There were more than 4,000 bakers in 2022.", True),
        ("There were more than 5,000 bakers in 2022.", False),
    ],
)
def test_the_scale_of_what_years_count_is_none_of_money(claim: str, truth: bool) -> None:
    assert verify(claim, BAKERS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In 2022 the share in Birk was above 65 %.", True),
        ("In 2022 the share in Aske was above 65 %.", False),
    ],
)
def test_a_share_is_told_in_no_scale(claim: str, truth: bool) -> None:
    assert column_units(COOKERS)[2] == Unit("%")
    assert verify(claim, COOKERS).supported is truth


TAKINGS = make_table(
    "takings",
    "Films",
    [["Film", "Decade", "Gross (£)"]],
    [["Ash", "1970s", "£3.2m"], ["Birch", "1980s", "£1.1bn"], ["Cedar", "1980s", "£40k"]],
)
ECONOMIES = make_table(
    "economies",
    "Economies",
    [["Country", "GDP (USD)"]],
    [["Avaria", "$2.1 trillion"], ["Borland", "$3.4 trillion"], ["Corran", "$0.9 trillion"]],
)
IN_TRILLIONS = make_table(
    "in trillions",
    "Economies",
    [["Country", "GDP (USD trillion)"]],
    [["Avaria", "2.1"], ["Borland", "3.4"], ["Corran", "7.2"]],
)


@pytest.mark.parametrize(
    ("claim", "of", "truth"),
    [
        ("Birch grossed £1.1bn.", TAKINGS, True),
        ("Birch grossed over £1bn.", TAKINGS, True),
        ("Ash grossed over £1bn.", TAKINGS, False),
        ("Ash grossed £3.2 mn.", TAKINGS, True),
        ("The GDP of Borland is over 3 trillion dollars.", ECONOMIES, True),
        ("The GDP of Corran is more than a trillion dollars.", ECONOMIES, False),
        ("The GDP of Avaria is two trillion dollars.", ECONOMIES, False),
        ("The GDP of Avaria is 2.1tn dollars.", ECONOMIES, True),
        ("Two countries have a GDP above 2 trillion dollars.", ECONOMIES, True),
        ("Three countries have a GDP above 2 trillion dollars.", ECONOMIES, False),
        ("The GDP of Avaria is 2.1 dollars.", IN_TRILLIONS, False),
        ("The GDP of Avaria is 2.1 trillion dollars.", IN_TRILLIONS, True),
    ],
)
def test_claims_cells_and_headers_tell_scales_alike(claim: str, of: Table, truth: bool) -> None:
    assert verify(claim, of).supported is truth
