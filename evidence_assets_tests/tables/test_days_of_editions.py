"""Claims over dates of several days: 12–20 May 2017, of which the year names the row."""

from __future__ import annotations

import pytest

from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Kind

FAIR = make_table(
    "fair",
    "Trade fair of Lannoy",
    [["Edition", "Dates", "Exhibitors", "Visitors"]],
    [
        ["31st", "3–7 March 2016", "210", "18,400"],
        ["32nd", "2–6 March 2017", "221", "19,100"],
        ["33rd", "1–7 March 2018", "240", "21,700"],
        ["34th", "28 Feb–5 Mar 2019", "236", "20,900"],
        ["35th", "14–16 Oct 2021", "128", "7,300"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The 2018 edition lasted two days longer than that of 2017.", True),
        ("The 2019 edition lasted two days longer than that of 2017.", False),
        ("The 2021 edition was the shortest.", True),
        ("The edition of 2021 had 128 exhibitors.", True),
        ("The 2019 edition had 240 exhibitors.", False),
        ("The fair had more visitors in 2018 than in 2021.", True),
        ("The fair had more exhibitors in 2019 than in 2018.", False),
        ("From 2016 to 2021 the fair was held in October only once.", True),
        ("The fair drew more sponsors in 2018 than in 2021.", None),
    ],
)
def test_rows_are_named_by_the_years_of_their_dates(claim: str, truth: bool | None) -> None:
    assert verify(claim, FAIR).supported is truth


@pytest.mark.parametrize(
    ("text", "first", "days"),
    [
        ("12–20 May 2017", "2017-05-12", 9),
        ("28 Feb – 5 Mar 2019", "2019-02-28", 6),
        ("3 to 7 March", "--03-03", 5),
    ],
)
def test_a_cell_tells_several_days(text: str, first: str, days: int) -> None:
    value = parse_value(text)

    assert (value.kind, value.date) == (Kind.DATE, first)
    assert (value.high or 0) - (value.low or 0) + 1 == days


def test_days_that_go_back_are_no_span() -> None:
    assert parse_value("20–12 May 2017").kind is not Kind.DATE
