"""Times told of one thing and said of another: of an unnamed event, of another period, of the day before."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.wording.rates_of_time import times_reckoned_by
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import answered, decided

PLOTS = make_table(
    "plots",
    "Plots of the allotment",
    [["Plot", "Tenant", "Since", "Rent per month (£)"]],
    [
        ["1", "Okafor", "2018", "12"],
        ["2", "Haddad", "2012", "25"],
        ["3", "Brown", "2020", "10"],
        ["4", "Lindgren", "2018", "23"],
    ],
)
SHOPS = make_table(
    "shops",
    "Shops of the quay",
    [["Shop", "Opens", "Closes"]],
    [
        ["Baker", "06:00", "14:00"],
        ["Bar", "18:00", "02:00"],
        ["Chandler", "08:30", "17:30"],
        ["Cafe", "07:30", "16:00"],
    ],
)


@pytest.mark.parametrize(
    ("table", "question", "values"),
    [
        (PLOTS, "What does plot 2 cost per month?", {"25"}),
        (PLOTS, "Who has had a plot since 2012?", {"Haddad"}),
        (SHOPS, "Which shop closes last?", {"Bar"}),
        (SHOPS, "Which shop is open longest?", {"Chandler"}),
    ],
)
def test_what_is_told_is_answered(table: Table, question: str, values: set[str]) -> None:
    assert answered(question, table) == values


@pytest.mark.parametrize(
    "question",
    [
        "What did plot 1 cost in 2018?",
        "What does plot 2 cost per week?",
        "How much is plot 2 per year?",
        "What does plot 2 cost weekly?",
    ],
)
def test_an_amount_of_another_time_is_not_answered(question: str) -> None:
    assert answered(question, PLOTS) is None


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (PLOTS, "The rent of plot 2 is £25 per month.", True),
        (PLOTS, "The rent of plot 2 is £25 per week.", None),
        (PLOTS, "Plot 1 cost £12 in 2018.", None),
        (SHOPS, "The bar closes at 2 am.", True),
        (SHOPS, "The bar closes before the cafe.", False),
        (SHOPS, "The bar closes after the cafe.", True),
        (SHOPS, "The bar is open for eight hours.", True),
    ],
)
def test_claims_of_times(table: Table, claim: str, truth: bool | None) -> None:
    assert decided(claim, table) is truth


def test_times_that_amounts_are_reckoned_by() -> None:
    assert set(times_reckoned_by(["rent", "per", "month"]).values()) == {"month"}
    assert set(times_reckoned_by(["12", "euros", "an", "hour"]).values()) == {"hour"}
    assert set(times_reckoned_by(["the", "annual", "fee"]).values()) == {"year"}
    # What took a week, or happened in one, is reckoned by nothing.
    assert not times_reckoned_by(["done", "in", "a", "week"])
    assert not times_reckoned_by(["how", "many", "pears", "per", "tree"])


def test_a_header_tells_a_time_by_a_stroke() -> None:
    wages = make_table("wages", "Wages", [["Name", "Wage (€/h)"]], [["Ada", "12.75"], ["Umit", "18.20"]])
    assert index_of(wages).times_reckoned_by([1]) == {"hour"}
    assert decided("Ada earns 12.75 euros a day.", wages) is None


def test_delays_are_no_ends_behind_midnight() -> None:
    trains = make_table(
        "trains",
        "Trains",
        [["Train", "Scheduled", "Actual"]],
        [["A", "10:00", "09:55"], ["B", "11:00", "11:20"], ["C", "23:50", "00:10"], ["D", "12:00", "12:00"]],
    )
    assert index_of(trains).series[2] == {0: 595.0, 1: 680.0, 2: 1450.0, 3: 720.0}
