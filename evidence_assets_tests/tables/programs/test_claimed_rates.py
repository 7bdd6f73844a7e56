"""Claims of so much for each, and of what so many come to."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided, verdicts

PONDS = make_table(
    "ponds",
    "Ponds of an estate and what they yield",
    [["Pond", "Area (ha)", "Wardens", "Carp (kg)", "Income (€ thousand)", "Rent (€ a month)"]],
    [
        ["Mere", "2.0", "4", "1,200", "8.4", "150"],
        ["Tarn", "0.5", "2", "400", "3.0", "90"],
        ["Pool", "1.5", "3", "450", "2.1", "120"],
    ],
)
STALL = make_table(
    "stall",
    "Prices at a stall",
    [["Item", "Price (€)", "Shelf"]],
    [["Honey", "6.50", "5"], ["Bun", "4.20", "2"], ["Mead", "11.00", "1"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Mere gave 600 kilograms of carp to the hectare.", True),
        ("The Tarn gave 600 kilograms of carp to the hectare.", False),
        ("The Tarn gave more than 700 kilograms of carp per hectare.", True),
        ("The income of the Pool is 700 euros for each warden.", True),
        ("The income of the Mere is 700 euros for each warden.", False),
        ("A warden of the Mere had on average fewer than 400 carp.", True),
    ],
)
def test_an_amount_for_each_is_a_quotient(claim: str, truth: bool) -> None:
    assert verdicts(PONDS, claim, "quotient of columns") == {truth}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Two jars of honey come to 13 euros.", True),
        ("Three jars of honey come to 13 euros.", False),
        ("A dozen buns cost less than 50 euros.", False),
        ("A dozen buns cost more than 50 euros.", True),
    ],
)
def test_so_many_cost_as_many_times_the_price(claim: str, truth: bool) -> None:
    assert verdicts(STALL, claim, "so many times") == {truth}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("A year of rent for the Tarn comes to 1,080 euros.", True),
        ("A year of rent for the Pool comes to 1,080 euros.", False),
        ("Over a year, the rent of the Mere adds up to more than 1,500 euros.", True),
    ],
)
def test_a_longer_time_takes_so_many_of_a_shorter(claim: str, truth: bool) -> None:
    assert verify(claim, PONDS).supported is truth


@pytest.mark.parametrize(
    "claim",
    [
        # What the column tells is for each already.
        "The Tarn costs 90 euros a month.",
        # A year that is told, and a number of times.
        "In 2021 the Tarn cost 90 euros.",
        "At 120 euros the Pool costs two times what the Tarn does.",
    ],
)
def test_a_plain_amount_is_neither(claim: str) -> None:
    assert not verdicts(PONDS, claim, "so many times")
    assert not verdicts(PONDS, claim, "quotient of columns")


NESTS = make_table(
    "nests",
    "Birds ringed on an island and seen again",
    [["Bird", "Ringed", "Weight (g)", "Seen again (%)"]],
    [["Tern", "400", "110", "12.5"], ["Skua", "80", "1,400", "40"], ["Gull", "250", "980", "8"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Fifty of the terns were seen again.", True),
        ("Seventy of the terns were seen again.", False),
        ("More than thirty of the skuas were seen again.", True),
        ("More than thirty of the gulls were seen again.", False),
    ],
)
def test_a_part_of_a_number_is_its_share_in_percent(claim: str, truth: bool) -> None:
    assert verdicts(NESTS, claim, "percent of a number") == {truth}


@pytest.mark.parametrize(
    "claim", ["A tern weighs 110 grams.", "80 skuas were ringed.", "Of 400 terns most were lost."]
)
def test_what_the_row_tells_itself_is_no_part_of_a_number(claim: str) -> None:
    assert not verdicts(NESTS, claim, "percent of a number")


BREADS = make_table(
    "breads",
    "Price list of a bakery",
    [["Bread", "Weight", "Price"]],
    [["Rye", "1 kg", "£4.60"], ["Tin loaf", "800 g", "£2.80"], ["Scone", "–", "£1.60"]],
)
BY_WEIGHT = make_table(
    "by weight",
    "Price list of a bakery",
    [["Bread", "Weight", "Price (£ per kg)"]],
    [["Rye", "1 kg", "4.60"], ["Tin loaf", "800 g", "3.50"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The rye costs 46 pence per 100 grams.", True),
        ("The rye costs 40 pence per 100 grams.", False),
        ("The tin loaf costs £3.50 per kilogram.", True),
        ("The tin loaf costs £3.00 per kilogram.", False),
        ("The tin loaf costs 280 pence.", True),
        ("The tin loaf costs 290 pence.", False),
    ],
)
def test_a_rate_may_be_told_of_a_reference_amount(claim: str, truth: bool) -> None:
    assert verify(claim, BREADS).supported is truth


@pytest.mark.parametrize(
    ("claim", "table"),
    [
        ("The scone costs 40 pence per 100 grams.", BREADS),
        ("The rye costs 46 cents per 100 grams.", BREADS),
        ("The rye costs 46 pence per 100 grams.", BY_WEIGHT),
    ],
)
def test_a_rate_of_what_is_not_told_is_left_open(claim: str, table: Table) -> None:
    assert not verify(claim, table).decides


WALKS = make_table(
    "walks",
    "Walks from Ulmen station",
    [["Walk", "Distance (km)", "Time (min)", "Ascent (m)"]],
    [
        ["Lake round", "6.0", "95", "120"],
        ["Ridge path", "9.5", "170", "540"],
        ["Mill lane", "2.8", "40", "30"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Ridge path is walked at an average speed of more than 3 km/h.", True),
        ("The Lake round has an average speed of less than 3 kilometres per hour.", False),
        ("Mill lane is walked at an average speed of more than 60 metres per minute.", True),
        ("On the Mill lane the average speed is 5 km/h.", False),
    ],
)
def test_an_average_speed_follows_from_distance_and_time(claim: str, truth: bool) -> None:
    verdict = verify(claim, WALKS)
    assert verdict.decides
    assert verdict.supported is truth


STOCK = make_table(
    "stock",
    "Seeds of the Tarn nursery",
    [["Seed", "Price per bag", "Stock (bags)", "Weight (g)"]],
    [["Clover", "£4.50", "40", "250"], ["Vetch", "£6.00", "25", "500"], ["Lupin", "£3.20", "–", "100"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The stock of clover is worth £180.", True),
        ("The stock of vetch is worth £160.", False),
        ("At the listed price, the stock of vetch is worth £150.", True),
        ("The stock of clover is worth more than £200.", False),
        ("The stock of lupin is worth £32.", None),
    ],
)
def test_a_stock_is_worth_its_price_so_many_times(claim: str, truth: bool | None) -> None:
    assert decided(claim, STOCK) is truth
