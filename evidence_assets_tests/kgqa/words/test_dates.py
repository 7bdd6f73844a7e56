"""Days and months of a year as values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.kgqa.words.dates import Moment, date_at, date_of, value_of_date
from evidence_assets.reading.accounting import spans


@pytest.mark.parametrize(
    ("text", "date"),
    [
        pytest.param("2022-09-19", (2022, 9, 19), id="ISO"),
        pytest.param("2022-09-19T10:30", (2022, 9, 19), id="with a time of day"),
        pytest.param("2022-09", (2022, 9, 0), id="a month in figures"),
        pytest.param("19 September 2022", (2022, 9, 19), id="day first"),
        pytest.param("19th of September, 2022", (2022, 9, 19), id="ordinal"),
        pytest.param("September 19, 2022", (2022, 9, 19), id="month first"),
        pytest.param("Sept 19th 2022", (2022, 9, 19), id="written short"),
        pytest.param("May 2022", (2022, 5, 0), id="a month"),
        pytest.param("19 September", None, id="no year"),
        pytest.param("32 May 2022", None, id="no day"),
        pytest.param("2022-13-01", None, id="no month"),
        pytest.param("2022", None, id="a year"),
        pytest.param("May 2022 Festival", None, id="a name"),
    ],
)
def test_a_text_is_a_date_as_a_whole(text: str, date: tuple[int, int, int] | None) -> None:
    parsed = date_of(text)
    assert (parsed and parsed[:3]) == date
    assert math.isnan(value_of_date(text)) == (date is None)


def test_a_date_ends_behind_its_year() -> None:
    text = "taken on the 3rd of may 2022 by"
    lowered = [text[start:end] for start, end in spans(text)]
    date = date_at(lowered, 3)
    assert date is not None
    assert lowered[date.end :] == ["by"]


@given(st.dates(), st.dates())
def test_values_are_in_the_order_of_days_and_each_lies_before_the_next(first: object, second: object) -> None:
    one, other = date_of(str(first)), date_of(str(second))
    assert one is not None
    assert other is not None
    assert (one.begin < other.begin) == (str(first) < str(second))
    assert (one.after <= other.begin) == (str(first) < str(second))


@given(st.dates())
def test_the_value_of_a_day_is_shown_as_that_day(day: object) -> None:
    date = date_of(str(day))
    assert date is not None
    assert f"{date.begin:g}" == str(day)


def test_what_follows_a_day_is_shown_as_the_next_of_the_calendar() -> None:
    shown = [
        f"{date.after:g}"
        for text in ("2021-12-31", "2022-02-28", "30 April 2022", "May 2022")
        if (date := date_of(text))
    ]
    assert shown == ["2022-01-01", "2022-03-01", "2022-05-01", "2022-06-01"]
    assert f"{Moment(2022.0):g}" == "2022-01-01"
