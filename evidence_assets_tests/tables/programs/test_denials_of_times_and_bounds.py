"""Claims that deny a time, a bound or a number of things, each decided by the cells that tell it."""

from __future__ import annotations

import pytest

from evidence_assets.tables.cell_dates import parse_date
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets_tests.testing.program_verdicts import decided

VOLUMES = make_table(
    "volumes",
    "Encyclopedia of the Sarn valley",
    [["Volume", "Year", "Articles", "Maps"]],
    [
        ["1", "1974", "420", "12"],
        ["2", "1976", "390", "15"],
        ["3", "1977", "510", "9"],
        ["4", "1978", "350", "20"],
        ["TOTAL (1–4)", "1974–1978", "1,670", "56"],
        ["5", "1979", "", ""],
    ],
)
SHIPS = make_table(
    "ships",
    "Ships of the Corran Line",
    [["Ship", "Tonnage", "Berth", "Bought", "Notes"]],
    [
        ["Alaunia", "8,400 GRT", "Osen", "4 March 1961", "Sold to the Vale Line, scrapped 1987"],
        ["Brenta", "12,600 GRT", "Vik", "9 June 1963", "Lengthened by two ships' yards"],
        ["Carinth", "15,100 GRT", "Osen", "22 June 1963", "Scrapped 1990"],
        ["Dorada", "10,050 GRT", "Vik", "1 May 1970", "Sunk in a storm in 1974"],
    ],
)
RECORDS = make_table(
    "records",
    "Osen United records",
    [["Record", "Date and time", "Opponent"]],
    [
        ["Biggest win", "19.10.1912 at 15:00", "Vik Rovers"],
        ["Biggest defeat", "09.11.1946 at 14:30", "Corran Town"],
        ["Highest attendance", "24.11.1970 at 15:00", "Sarn City"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No volume came out in 1975.", True),
        ("No volume came out in 1977.", False),
        ("None of the volumes appeared in 1975 or 1980.", True),
        ("None of the volumes appeared in 1975 or 1976.", False),
        ("Volume 3 holds more articles than any other volume.", True),
    ],
)
def test_years_that_no_row_has_are_denied_rightly_and_totals_are_no_rows(claim: str, truth: bool) -> None:
    assert decided(claim, VOLUMES) is truth


def test_a_total_is_named_with_the_rows_that_it_is_of() -> None:
    assert index_of(VOLUMES).summaries == {4}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Alaunia is the only ship that did not reach 10,000 GRT.", True),
        ("Dorada is the only ship that did not reach 12,000 GRT.", False),
        ("No ship had more than 15,100 GRT.", True),
        ("No ship had more than 12,600 GRT.", False),
    ],
)
def test_a_bound_is_of_the_column_whose_cells_say_its_unit(claim: str, truth: bool) -> None:
    assert decided(claim, SHIPS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No ship was bought later than 1 May 1970.", True),
        ("No ship was bought later than 22 June 1963.", False),
        ("No ship was bought earlier than 4 March 1961.", True),
        ("No ship was bought between 4 March 1961 and 9 June 1963.", True),
        ("No ship was bought between 4 March 1961 and 22 June 1963.", False),
        ("No ship was bought between 1 July 1963 and 30 April 1970.", True),
    ],
)
def test_later_than_a_date_is_behind_it(claim: str, truth: bool) -> None:
    assert decided(claim, SHIPS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("None of the two Osen ships was bought after 1964.", True),
        ("None of the three Osen ships was bought after 1964.", False),
        ("Vik isn't the berth of more than one ship.", False),
        ("Vik isn't the berth of more than two ships.", True),
        ("Alaunia does not have as much tonnage as Brenta.", True),
        ("Carinth does not have as much tonnage as Brenta.", False),
    ],
)
def test_numbers_of_what_is_denied_are_counted(claim: str, truth: bool) -> None:
    assert decided(claim, SHIPS) is truth


def test_no_ship_has_both_of_what_stands_in_two_columns() -> None:
    assert (
        decided("There is no ship that has both a tonnage of 8,400 GRT and a berth in Osen.", SHIPS) is False
    )
    assert decided("There is no ship that has both a tonnage of 8,400 GRT and a berth in Vik.", SHIPS) is True


def test_since_before_a_name_opens_a_reason_that_no_column_tells() -> None:
    table = make_table(
        "walk",
        "A walk over 50 km",
        [["Name", "Nation", "Time"]],
        [
            ["Ugo Fri", "Italy", "4:59:06"],
            ["Karl Hahn", "Germany", "5:06:06"],
            ["Etto Riva", "Italy", "5:07:39"],
        ],
    )
    assert decided("Ugo Fri was not the quickest of those from Italy.", table) is False
    assert (
        decided("Ugo Fri was not the quickest of those from Italy, since Etto Riva beat him.", table) is None
    )


def test_no_before_a_number_denies_nothing() -> None:
    table = make_table(
        "bows",
        "Bows of a club",
        [["Bow", "Wood", "Made"]],
        [["no. 5", "ash", "2012"], ["no. 6", "yew", "2014"], ["no. 7", "yew", "2017"]],
    )
    assert decided("Bow no. 6 was made in 2015.", table) is False


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No record was set from 1947 through 1969.", True),
        ("No record was set from 1940 through 1969.", False),
        ("None of the records has been set since 1946.", False),
        ("The biggest defeat was in 1946.", True),
        ("Corran Town is the only opponent of a match that did not start at 15:00.", True),
    ],
)
def test_a_date_with_a_time_of_day_is_a_date(claim: str, truth: bool) -> None:
    assert decided(claim, RECORDS) is truth


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("19.10.1912 at 15:00", "1912-10-19"),
        ("4 March 1961, 9:30 am", "1961-03-04"),
        ("10 december 1977 01:18:40", "1977-12-10"),
    ],
)
def test_the_time_of_day_behind_a_date_is_passed_over(text: str, date: str) -> None:
    value = parse_date(text)
    assert value is not None and value.date == date


def test_a_time_of_day_alone_or_behind_a_year_is_no_date() -> None:
    assert parse_date("15:00") is None
    assert parse_date("1912 at 15:00") is None
