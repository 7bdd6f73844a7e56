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


def test_of_a_year_without_a_number_nothing_is_told() -> None:
    fair = make_table(
        "fair",
        FAIR.caption,
        [list(FAIR.header)],
        [*([cell.text for cell in row] for row in FAIR.rows), ["36th", "Sept 2022 (online)", "90", "–"]],
    )

    assert verify("The edition of 2022 drew more than 10,000 visitors.", fair).supported is None
    assert verify("The edition of 2021 drew more than 10,000 visitors.", fair).supported is False
    assert verify("The fair was held in October twice.", fair).supported is False


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The flood of April 1977 had a peak of 5.12 m.", False),
        ("The flood of April 1977 reached a peak of 4.52 m.", True),
        ("The flood of 1962 caused less damage than the one in 1977.", None),
    ],
)
def test_a_time_names_a_row_and_is_no_amount(claim: str, truth: bool | None) -> None:
    floods = make_table(
        "floods",
        "Floods of the Arn",
        [["Date", "Peak (m)", "Houses", "Damage (million kr)"]],
        [
            ["14 January 1986", "5.31", "412", "38"],
            ["2 March 1995", "5.12", "286", "31"],
            ["February 1962", "4.90", "150", "unknown"],
            ["19 April 1977", "4.52", "31", "2.1"],
        ],
    )

    assert verify(claim, floods).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The 33rd edition was held from 1 to 7 March 2018.", True),
        ("The 2018 edition was held from 1 to 7 March.", True),
        ("The 2018 edition was held from 2 to 6 March.", False),
        ("The 2019 edition was held from 28 February to 5 March.", True),
    ],
)
def test_a_claim_tells_the_days_of_a_row(claim: str, truth: bool) -> None:
    assert verify(claim, FAIR).supported is truth
