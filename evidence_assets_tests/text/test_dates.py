"""Dates as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.reading.accounting import spans
from evidence_assets.text.calendar_words import MONTH_NAMES
from evidence_assets.text.dates import Date, date_at, date_of


@pytest.mark.parametrize(
    ("text", "date"),
    [
        pytest.param("2022-09-19", Date(2022, 9, 19), id="ISO"),
        pytest.param("2022-09-19T10:30", Date(2022, 9, 19), id="with a time of day"),
        pytest.param("2022-09-19T10:30:00+02:00", Date(2022, 9, 19), id="with its time zone"),
        pytest.param("19.09.2022 at 10:30", Date(2022, 9, 19), id="at a time of day"),
        pytest.param("2022/9/19", Date(2022, 9, 19), id="year first, slashes"),
        pytest.param("19.9.2022", Date(2022, 9, 19), id="points"),
        pytest.param("9/19/2022", Date(2022, 9, 19), id="month first, in figures"),
        pytest.param("19/9/2022", Date(2022, 9, 19), id="day first, in figures"),
        pytest.param("4/7/2022", Date(2022), id="day or month first"),
        pytest.param("19 September 2022", Date(2022, 9, 19), id="day first"),
        pytest.param("Mon, 19 Sep 2022", Date(2022, 9, 19), id="with the day of the week"),
        pytest.param("19th of September, 2022", Date(2022, 9, 19), id="ordinal"),
        pytest.param("September 19, 2022", Date(2022, 9, 19), id="month first"),
        pytest.param("september 19 , 2022", Date(2022, 9, 19), id="marks apart"),
        pytest.param("Sept. 19th 2022", Date(2022, 9, 19), id="written short"),
        pytest.param("2022 Sep 19", Date(2022, 9, 19), id="year first"),
        pytest.param("2022-09", Date(2022, 9), id="a month in figures"),
        pytest.param("2007-11", None, id="rather years"),
        pytest.param("May of 2022", Date(2022, 5), id="a month"),
        pytest.param("29 February", Date(0, 2, 29), id="no year"),
        pytest.param("2022", Date(2022), id="a year"),
        pytest.param("3022", None, id="an amount"),
        pytest.param("29 February 2022", None, id="no day of that year"),
        pytest.param("2022-13-01", None, id="no month"),
        pytest.param("0000-05-01", None, id="no year of the calendar"),
        pytest.param("May 2022 Festival", None, id="a name"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_a_text_is_a_date_as_a_whole(text: str, date: Date | None) -> None:
    assert date_of(text) == date


@pytest.mark.parametrize(
    ("text", "date", "behind"),
    [
        pytest.param("3rd of may 2022 by", Date(2022, 5, 3), ["by"], id="a day"),
        pytest.param("may 3, 2022, and", Date(2022, 5, 3), ["and"], id="month first"),
        pytest.param("may 2022 2 of them", Date(2022, 5), ["2", "of", "them"], id="a month before a number"),
        pytest.param("2022-05-03 or later", Date(2022, 5, 3), ["or", "later"], id="ISO"),
    ],
)
def test_a_date_among_words_ends_behind_its_last(text: str, date: Date, behind: list[str]) -> None:
    words = [text[start:end] for start, end in spans(text)]
    found = date_at(words, 0)
    assert found is not None
    assert (found[0], words[found[1] :]) == (date, behind)


@pytest.mark.parametrize("text", ["of may 2022", "may they come", "3 may", "12 of 2022", "2022"])
def test_no_date_with_its_month_and_year_begins_there(text: str) -> None:
    assert date_at(text.split(), 0) is None
    assert date_at(text.split(), len(text.split())) is None


@given(st.dates())
def test_every_way_to_write_a_day_tells_it(day: object) -> None:
    year, month, number = map(int, str(day).split("-"))
    name = MONTH_NAMES[month - 1]
    written = [
        f"{name} {number}, {year:04d}",
        f"{number} {name.title()} {year:04d}",
        f"{name[:3]} {number} {year:04d}",
    ]
    assert {date_of(text) for text in (*written, str(day))} == {Date(year, month, number)}
    assert Date(year, month, number).iso == str(day)
