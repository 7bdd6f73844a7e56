"""Claims and questions over tables whose rows are attributes and whose columns are what has them."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.derived.turned_tables import layouts_of
from evidence_assets.tables.programs.questions.answering import answer

KETTLES = make_table(
    "kettles",
    "Three kettles compared",
    [["", "Boreas", "Sirocco", "Zephyr"]],
    [
        ["Maker", "Anders", "Brandt", "Anders"],
        ["Volume (l)", "1.7", "1.2", "1.5"],
        ["Time to boil (s)", "150", "190", "170"],
        ["Price (€)", "39", "25", "54"],
        ["On sale since", "May 2019", "March 2021", "2022"],
    ],
)
CHOIR = make_table(
    "choir",
    "A choir in figures",
    [["Figure", "2020", "2021", "2022 p"]],
    [
        ["Singers", "41", "38", "45"],
        ["Concerts", "2", "6", "9"],
        ["Income (€ thousand)", "3.5", "7.2", "8.1"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Sirocco is the cheapest of the kettles.", True),
        ("Zephyr is the cheapest of the kettles.", False),
        ("Zephyr costs more than Boreas.", True),
        ("Sirocco costs more than Boreas.", False),
        ("Two of the kettles are by Anders.", True),
        ("Three of the kettles are by Anders.", False),
        ("Boreas holds more than 1.5 litres.", True),
    ],
)
def test_things_in_columns_are_rows_of_what_is_read(claim: str, truth: bool) -> None:
    assert verify(claim, KETTLES).supported is truth


def test_cells_are_told_where_the_table_has_them() -> None:
    verdict = verify("Zephyr costs more than Boreas.", KETTLES)

    assert {(3, 3), (3, 1)} <= set(verdict.cells)
    assert (3, 0) in verdict.cells


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The income was highest in 2022.", True),
        ("The income was highest in 2021.", False),
        ("The concerts rose from 2020 to 2021.", True),
        ("The singers rose from 2020 to 2021.", False),
    ],
)
def test_years_in_columns_are_read_both_ways(claim: str, truth: bool) -> None:
    assert verify(claim, CHOIR).supported is truth


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        # Things in rows, told in one unit: years are their columns.
        (["", "2020", "2021"], [["Elm", "4", "5"], ["Oak", "2", "9"], ["Ash", "1", "3"]]),
        # Things in rows, of which the columns tell several kinds.
        (
            ["", "Opened", "Seats"],
            [["Rex", "May 2001", "5"], ["Roxy", "June 2009", "9"], ["Apollo", "1999", "3"]],
        ),
        # Units in the header: the columns are the attributes.
        (["", "Height (m)", "Age"], [["A (old)", "4", "5"], ["B (m)", "2", "9"], ["C (kg)", "1", "3"]]),
        # A column that says what its rows are.
        (
            ["Spring", "Hot", "Cold"],
            [["Depth (m)", "4", "5"], ["Flow (l)", "2", "9"], ["Heat (°C)", "1", "3"]],
        ),
    ],
)
def test_a_table_of_things_in_rows_is_read_as_it_is(header: list[str], rows: list[list[str]]) -> None:
    table = make_table("things", "Things", [header], rows)

    assert layouts_of(table) == (table,)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which kettle has the highest price?", ("Zephyr",)),
        ("Who makes the Sirocco?", ("Brandt",)),
        ("What is the volume of the Boreas?", ("1.7",)),
        ("How many kettles are by Anders?", ("2",)),
    ],
)
def test_questions_are_asked_of_the_things_that_head_the_columns(
    question: str, values: tuple[str, ...]
) -> None:
    assert answer(question, KETTLES).values == values


def test_cells_of_an_answer_are_told_where_the_table_has_them() -> None:
    cells = answer("Who makes the Sirocco?", KETTLES).cells

    assert (0, 2) in cells
    assert set(cells) <= {(-1, 0), (-1, 2), (0, 0), (0, 2)}


@pytest.mark.parametrize(
    "names",
    [
        ["FY2019", "FY2020", "FY2021"],
        ["2019/20", "2020/21", "2021/22"],
        ["Q1", "Q2", "Q3", "Whole year"],
        ["Jan–Mar", "Apr–Jun", "Jul–Sep"],
        ["Q1 2020", "Q2 2020", "Q3 2020"],
    ],
)
def test_times_in_columns_are_read_both_ways(names: list[str]) -> None:
    numbers = [str(number) for number in range(len(names))]
    table = make_table(
        "forge",
        "A forge in figures",
        [["", *names]],
        [["Orders", *numbers], ["Income (€)", *numbers], ["Coal (t)", *numbers]],
    )

    assert len(layouts_of(table)) == 2


def test_who_asks_for_what_has_a_row_is_not_answered_by_columns() -> None:
    sites = make_table(
        "sites",
        "Lockers by site",
        [["Site", "Lockers", "Rented", "Benches"]],
        [["North", "40", "25", "6"], ["Quay", "30", "30", "7"], ["Mill", "22", "10", "9"]],
    )
    assert not answer("Which site has no lockers?", sites).values
    assert answer("Which site has 22 lockers?", sites).values == ("Mill",)
