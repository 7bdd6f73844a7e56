"""Claims that say something else than a program by words that it would pass over or take apart."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

JOBS = make_table(
    "jobs",
    "Job book of a bindery, with prices per copy",
    [["Job", "Customer", "Work", "Received", "Collected", "Price (£)", "Estimate (£)"]],
    [
        ["412", "Town archive", "Registers, rebound", "3 Nov 2023", "19 Jan 2024", "90", "80–100"],
        ["415", "Lark Press", "Poems, leather", "27 Nov 2023", "16 Feb 2024", "45", "30–50"],
        ["416", "M. Oduya", "Thesis, cloth", "4 Dec 2023", "8 Mar 2024", "480", "400–450"],
        ["419", "Lark Press", "Essays, cloth", "22 Jan 2024", "–", "22", "20–25"],
        ["420", "J. Brandt", "Maps, boxed", "5 Feb 2024", "6 Mar 2024", "720", "600–700"],
    ],
)


@pytest.mark.parametrize(
    "claim",
    [
        # What numbers the rows is neither counted nor measured.
        "No customer brought in more than one job.",
        "The thesis of M. Oduya was the most laborious job.",
        "Three jobs went for more than their upper estimate.",
        # What comes before a hyphen is a part of a word.
        "Half-vellum works cost less than £100.",
        "J. Brandt is the only customer with more than one job.",
        # The row that is meant has an empty cell; another of the customer has none.
        "The essays for Lark Press were collected before the end of February 2024.",
    ],
)
def test_what_is_read_otherwise_than_it_is_said_decides_nothing(claim: str) -> None:
    assert not verify(claim, JOBS).decides


SALT = make_table(
    "salt",
    "Salt works and what they sell (output in thousand tonnes)",
    [["Year", "Rock salt", "Sea salt", "Average price (€/t)"]],
    [["2019", "1,185", "102", "37"], ["2020", "980", "110", "42"], ["2021", "1,425", "97", "46"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The average price rose by €9 per tonne from 2019 to 2021.", True),
        ("The average price rose by €7 per tonne from 2019 to 2021.", False),
    ],
)
def test_a_price_is_not_told_in_the_scale_of_another_unit(claim: str, truth: bool) -> None:
    assert verify(claim, SALT).supported is truth


PACKS = make_table(
    "packs",
    "Prices of a salt works",
    [["Product", "Pack", "Price per pack (€)", "Opened"]],
    [
        ["Flake salt", "125 g", "4.20", "1841"],
        ["Table salt", "1 kg", "1.10", "1852"],
        ["Gift box", "2 kg", "19.00", "1860"],
    ],
)


@pytest.mark.parametrize(
    "claim",
    ["The gift box is the most expensive product per kilogram.", "No product remained open after 1855."],
)
def test_a_price_for_something_else_and_a_beginning_decide_nothing(claim: str) -> None:
    assert not verify(claim, PACKS).decides


HARBOURS = make_table(
    "harbours",
    "Ships in the harbours of a coast",
    [["Harbour", "Year", "Ships", "Tonnage (t)"]],
    [
        ["Tarn", "2019", "61", "4,100"],
        ["Tarn", "2020", "58", "3,900"],
        ["Skell", "2019", "64", "2,100"],
        ["Skell", "2020", "50", "2,600"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In 2020, Tarn had more ships than Skell.", True),
        ("In 2019, Tarn had more ships than Skell.", False),
        ("Tarn had more ships than Skell in 2020.", True),
        ("Skell had fewer ships in 2020 than in 2019.", True),
        ("In 2020, Tarn had 8 more ships than Skell.", True),
        ("In 2020, Tarn had 9 more ships than Skell.", False),
    ],
)
def test_what_one_side_of_a_comparison_says_tells_the_row_of_the_other(claim: str, truth: bool) -> None:
    assert verify(claim, HARBOURS).supported is truth


SHOWS = make_table(
    "shows",
    "Dog show of a county",
    [["Year", "Held", "Judge", "Breed", "Dogs", "Bitches"]],
    [
        ["2015", "5–7 June", "D. Varga", "Beagle", "15", "12"],
        ["2016", "3–5 June", "L. Quist", "Pointer", "7", "7"],
        ["2017", "June", "R. Stead", "Samoyed", "8", "10"],
        ["2018", "9–11 September", "P. Hallow", "Whippet", "18", "23"],
        ["All years", "", "", "", "48", "52"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("From 2015 to 2017, the show was always held in June.", True),
        ("From 2015 to 2018, the show was always held in June.", False),
        ("The Whippet is the breed with the largest number of bitches.", True),
        ("D. Varga judged the Beagle.", True),
    ],
)
def test_months_stand_in_dates_and_totals_are_no_rows(claim: str, truth: bool) -> None:
    assert verify(claim, SHOWS).supported is truth


def test_a_verb_that_sounds_as_a_header_is_left() -> None:
    assert not verify("D. Varga breeds Beagles.", SHOWS).decides


SIZES = make_table(
    "sizes",
    "Sizes of paper",
    [["Size", "Height (mm)", "Typical use"]],
    [
        ["A2", "594", "Posters"],
        ["A3", "420", "Drawings"],
        ["A4", "297", "Letters"],
        ["DL", "220", "Envelope for A4, folded in 3"],
    ],
)


@pytest.mark.parametrize(("claim", "truth"), [("A3 is less than 400 millimetres high.", False)])
def test_a_code_is_no_letter_and_number_apart(claim: str, truth: bool) -> None:
    assert verify(claim, SIZES).supported is truth


FINALS = make_table(
    "finals",
    "Finals of a darts tournament",
    [["Edition", "Final played", "Winner", "Score (sets)"]],
    [
        ["1st", "7 March 2015", "Vos", "6–3"],
        ["2nd", "October 2016", "Garrod", "6–5"],
        ["3rd", "11 March 2017", "Vos", "6–2"],
        ["4th", "April 2018", "Brandt", "7–4"],
        ["5th", "9 March 2019", "Brandt", "7–6"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Every final up to and including 2017 was played in March.", False),
        ("The fourth final took place on 14 April 2018.", None),
        ("The fifth final took place on 9 March 2019.", True),
        ("The fifth final took place on 10 March 2019.", False),
    ],
)
def test_years_are_included_and_a_coarser_date_tells_no_day(claim: str, truth: bool | None) -> None:
    assert verify(claim, FINALS).supported is truth
