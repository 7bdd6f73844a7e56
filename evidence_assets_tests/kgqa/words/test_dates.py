"""Days and months of a year as values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.kgqa.words.dates import Moment, beginning, date_of_label, end, value_of_date
from evidence_assets.text.dates import Date


@pytest.mark.parametrize(
    ("label", "date"),
    [
        pytest.param(" 2022-09-19 ", Date(2022, 9, 19), id="a day"),
        pytest.param("19.09.2022", Date(2022, 9, 19), id="a day with points"),
        pytest.param("May 2022", Date(2022, 5), id="a month"),
        pytest.param("2022", None, id="a year is a number"),
        pytest.param("4/7/2022", None, id="day or month first"),
        pytest.param("19 September", None, id="of no year"),
        pytest.param("May 2022 Festival", None, id="a name"),
    ],
)
def test_a_label_that_is_a_day_or_month_of_a_year_has_a_value(label: str, date: Date | None) -> None:
    assert date_of_label(label) == date
    assert math.isnan(value_of_date(label)) == (date is None)


def _date(text: str) -> Date:
    date = date_of_label(text)
    assert date is not None
    return date


@given(st.dates(), st.dates())
def test_values_are_in_the_order_of_days_and_each_lies_before_the_next(first: object, second: object) -> None:
    one, other = _date(str(first)), _date(str(second))
    assert (beginning(one) < beginning(other)) == (str(first) < str(second))
    assert (end(one) <= beginning(other)) == (str(first) < str(second))


@given(st.dates())
def test_the_value_of_a_day_is_shown_as_that_day(day: object) -> None:
    assert f"{beginning(_date(str(day))):g}" == str(day)


def test_what_follows_a_day_is_shown_as_the_next_of_the_calendar() -> None:
    shown = [f"{end(_date(text)):g}" for text in ("2021-12-31", "2022-02-28", "30 April 2022", "May 2022")]
    assert shown == ["2022-01-01", "2022-03-01", "2022-05-01", "2022-06-01"]
    assert f"{Moment(2022.0):g}" == "2022-01-01"
