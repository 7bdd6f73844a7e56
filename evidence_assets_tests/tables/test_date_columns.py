"""Dates whose parts are told apart by the other cells of their column."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify


def dates(*texts: str) -> list[str]:
    rows = [[f"Ferry {n}", text, str(10 + n)] for n, text in enumerate(texts)]
    return [row[1].value.date for row in make_table("t", "", [["Ferry", "When", "Cars"]], rows).rows]


@pytest.mark.parametrize(
    ("texts", "read"),
    [
        (("04/07/2011", "23/02/2009"), ["2011-07-04", "2009-02-23"]),
        (("04/07/2011", "02/23/2009", ""), ["2011-04-07", "2009-02-23", ""]),
        (("04/07/2011", "05/05/2009"), ["2011", "2009-05-05"]),
        (("04/07/2011", "23/02/2009", "02/23/2009"), ["2011", "2009-02-23", "2009-02-23"]),
        (("04/07/2011", "23.02.2009"), ["2011", "2009-02-23"]),
    ],
    ids=["day first", "month first", "neither", "both", "points are another form"],
)
def test_days_and_months_stand_as_in_other_cells_of_the_column(
    texts: tuple[str, ...], read: list[str]
) -> None:
    assert dates(*texts) == read


@pytest.mark.parametrize(
    ("texts", "read"),
    [
        (("01/2024", "02/2024", ""), ["2024-01", "2024-02", ""]),
        (("Nov-98", "Dec-98", "Jan-99"), ["1998-11", "1998-12", "1999-01"]),
        (("Jan-24", "Feb-24"), ["2024-01", "2024-02"]),
        (("Jan-05", "Jan-12", "Feb-03"), ["", "", ""]),
        (("13/2024", "02/2024"), ["", ""]),
        (("1/2024", "2/2024"), ["", ""]),
        (("01/2024", "closed"), ["", ""]),
    ],
    ids=["numbers", "names", "one year", "days", "no month", "issues", "words"],
)
def test_months_of_years_told_in_short(texts: tuple[str, ...], read: list[str]) -> None:
    assert dates(*texts) == read


def test_claims_are_held_against_such_dates() -> None:
    rows = [["Alba", "04/07/2011", "80"], ["Brae", "23/02/2009", "60"], ["Clyde", "01/12/2010", "70"]]
    table = make_table("t", "", [["Ferry", "Launched", "Cars"]], rows)
    assert verify("Alba was launched on 4 July 2011.", table).supported is True
    assert verify("Alba was launched on 7 April 2011.", table).supported is not True
    assert "dates that are clear from others of their column: 2" in table.notes


@pytest.mark.parametrize("months", [("Jan-24", "Feb-24", "Mar-24"), ("01/2024", "02/2024", "03/2024")])
def test_claims_are_held_against_such_months(months: tuple[str, ...]) -> None:
    rows = [[month, cars] for month, cars in zip(months, ("80", "60", "70"), strict=True)]
    table = make_table("t", "", [["Month", "Cars"]], rows)
    assert verify("There were 60 cars in February 2024.", table).supported is True
    assert verify("Cars were highest in March 2024.", table).supported is False
