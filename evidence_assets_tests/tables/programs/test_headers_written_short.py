"""Headers that write words short, have a year that the claim leaves out, or a side before their unit."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.programs.wording.abbreviations import is_short_for

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


@pytest.mark.parametrize(
    ("short", "word", "has_a_point", "is_short"),
    [
        ("pt", "patient", False, True),
        ("emp", "employe", True, True),
        ("emp", "employe", False, False),
        ("dept", "depart", True, False),
        ("qty", "quantity", False, True),
        ("rent", "requirement", False, False),
        ("pt", "plot", False, False),
        ("wt", "wheat", False, True),
    ],
)
def test_what_is_short_for_a_word(short: str, word: str, has_a_point: bool, is_short: bool) -> None:
    assert is_short_for(short, word, has_a_point=has_a_point) == is_short


def test_units_are_short_for_nothing() -> None:
    strains = make_table(
        "strains",
        "",
        [["Strain", "Density (million cells/mL)", "Doubling time"]],
        [["Br-7", "7", "20"], ["Br-9", "9", "35"], ["Br-11", "5", "40"]],
    )
    verdict = verify("Br-7 multiplies faster than any of the other strains.", strains)
    assert "Density" not in verdict.program


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


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Hanna Voss is the lowest paid employee.", True),
        ("Two employees have left.", True),
        ("Jonas Pfeil joined after Aiko Tana.", False),
    ],
)
def test_rows_of_people_are_told_of_in_their_words(claim: str, supported: bool) -> None:
    assert verify(claim, STAFF).supported == supported


def test_when_somebody_left_is_no_day_that_they_came() -> None:
    assert answer("When did Hanna Voss leave?", STAFF).values == ("31/12/2021",)
