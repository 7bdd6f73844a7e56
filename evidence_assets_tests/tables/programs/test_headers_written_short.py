"""Headers that write words short, have a year that the claim leaves out, or a side before their unit."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.columns.short_headers import columns_written_short
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.programs.wording.initials import INITIALS
from evidence_assets.tables.table import Table

CLINIC = make_table(
    "clinic",
    "",
    [["Pt", "Drug", "SBP before (mmHg)", "SBP after (mmHg)", "Wt (kg)"]],
    [
        ["P01", "lisinopril", "158", "136", "71"],
        ["P02", "amlodipine", "164", "149", "88"],
        ["P03", "lisinopril", "171", "138", "95"],
        ["P04", "placebo", "149", "151", "64"],
    ],
)
ELECTION = make_table(
    "election",
    "",
    [["Party", "Seats 2016", "Seats 2020", "In government"]],
    [
        ["Greens", "20", "30", "yes"],
        ["Liberals", "23", "24", "yes"],
        ["Farmers", "17", "12", "no"],
        ["Left", "9", "13", "no"],
    ],
)
STAFF = make_table(
    "staff",
    "",
    [["Emp. ID", "Name", "Dept.", "Hire date", "Salary (k USD)", "Left on"]],
    [
        ["12", "Marta Oye", "Executive", "03/09/2009", "210", ""],
        ["15", "Jonas Pfeil", "Finance", "17/01/2011", "165", ""],
        ["21", "Aiko Tana", "Engineering", "22/06/2012", "172", "30/06/2022"],
        ["34", "Hanna Voss", "Finance", "11/04/2016", "41", "31/12/2021"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Two of the patients were on lisinopril.", True),
        ("The heaviest patient was on placebo.", False),
        ("Systolic blood pressure before treatment was 171 mmHg in patient P03.", True),
        ("In patient P04 the SBP after was 149.", False),
    ],
)
def test_words_are_those_that_a_header_writes_short(claim: str, supported: bool) -> None:
    assert verify(claim, CLINIC).supported == supported


def test_initials_are_spelt_out_in_questions() -> None:
    highest = answer("Who had the highest systolic blood pressure before treatment?", CLINIC)
    assert highest.values == ("P03",)
    assert answer("How many patients received lisinopril?", CLINIC).values == ("2",)


def test_initials_are_those_of_their_words() -> None:
    assert INITIALS["systolic", "blood", "pressure"] == "sbp"
    assert all(len(words) == len(short) > 2 for words, short in INITIALS.items())


@pytest.mark.parametrize(
    "claim",
    [
        "Several brown patients had the highest weight.",
        "The patient with the most small brown pills was P03.",
    ],
)
def test_other_words_that_fit_a_short_header_say_nothing_of_it(claim: str) -> None:
    assert verify(claim, CLINIC).confidence < 0.8


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Every party in government has at least 24 seats.", True),
        ("The Left has at least 13 seats.", True),
        ("The Greens had 20 seats in 2016.", True),
        ("The Farmers lost five seats.", True),
        ("The Farmers gained five seats.", False),
    ],
)
def test_of_several_years_the_latest_is_meant_where_none_is_told(claim: str, supported: bool) -> None:
    assert verify(claim, ELECTION).supported == supported


CITIES = make_table(
    "cities",
    "",
    [["City", "Population 2020", "Population 2050"]],
    [["Rome", "100", "50"], ["Oslo", "80", "95"], ["Bern", "60", "70"]],
)
SPENT = make_table(
    "spent",
    "",
    [["Team", "Spent 2022 (€)", "Spent 2023 (€)"]],
    [["HR", "30", "15"], ["IT", "10", "20"], ["Ops", "5", "6"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "supported"),
    [
        (CITIES, "Rome has the largest population.", True),
        (SPENT, "IT spent 30 altogether.", True),
        (SPENT, "HR's spending topped 25.", True),
        (SPENT, "IT and HR together spent 35.", True),
        (SPENT, "HR spent more than IT at the outset.", True),
    ],
)
def test_forecasts_sums_over_years_and_what_once_was_are_not_of_the_latest(
    table: Table, claim: str, supported: bool
) -> None:
    assert verify(claim, table).supported == supported


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Hanna Voss is the employee with the lowest salary.", True),
        ("Two employees have left.", True),
        ("Jonas Pfeil joined after Aiko Tana.", False),
    ],
)
def test_rows_of_people_are_told_of_in_their_words(claim: str, supported: bool) -> None:
    assert verify(claim, STAFF).supported == supported


@pytest.mark.parametrize(
    "claim",
    [
        "Marta Oye hired staff in 2009.",
        "Jonas Pfeil pays less than Marta Oye.",
        "Aiko Tana hired 20 employees.",
    ],
)
def test_who_hires_and_pays_is_not_who_is_hired_and_paid(claim: str) -> None:
    assert verify(claim, STAFF).confidence < 0.8


def test_when_somebody_left_is_no_day_that_they_came() -> None:
    assert answer("When did Hanna Voss leave?", STAFF).values == ("31/12/2021",)


ROTA = make_table(
    "rota",
    "",
    [["Name", "Since", "Hrs", "Driving lic.", "Vols."]],
    [
        ["Marta", "2016", "24", "yes", "3"],
        ["Jonas", "2021", "18", "no", "5"],
        ["Aisha", "2019", "32", "yes", "1"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Aisha put in the most hours.", True),
        ("Marta worked fewer hours than Jonas.", False),
        ("Together they worked 74 hours.", True),
        ("Jonas brought the most volunteers.", True),
        ("Jonas has a driving licence.", False),
    ],
)
def test_a_word_cut_off_or_a_unit_is_the_header_that_a_claim_spells_out(claim: str, supported: bool) -> None:
    assert verify(claim, ROTA).supported == supported


@pytest.mark.parametrize(
    ("header", "key", "columns"),
    [
        (["Name", "Pers."], "person", {1}),
        (["Name", "Vols."], "volunt", {1}),
        (["Name", "Hrs"], "hour", {1}),
        (["Name", "Pers"], "person", set()),
        (["Name", "No."], "northern", set()),
        (["Dep.", "Dep. fee"], "depart", {0}),
        (["Arr.", "Planned arr. (h)"], "arriv", set()),
        (["Emp. ID", "Name"], "employe", set()),
        (["Name", "Length (m)"], "meter", set()),
    ],
)
def test_a_short_word_names_one_column_or_none(header: list[str], key: str, columns: set[int]) -> None:
    assert columns_written_short(header, key) == columns
