"""Claims over tables of measures: units of captions and cells, yes and no, years as columns, dates."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.columns.column_units import compound
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.wording.quantities import converted
from evidence_assets.tables.programs.wording.words import tokens

FERRIES = make_table(
    "ferries",
    "Passengers of the ferry lines (thousands per year)",
    [["Line", "2018", "2019", "Crossing", "Night service", "Opened"]],
    [
        ["Northern Ferry", "120", "150", "2 h 30 min", "yes", "3 May 1998"],
        ["Island Shuttle", "80", "72", "45 min", "no", "Q2 2004"],
        ["Harbour Line", "40", "80", "1 h 5 min", "yes", "November 2007"],
        ["Lagoon Boat", "95", "-", "20 min", "no", "2011"],
    ],
)


PATIENTS = make_table(
    "patients",
    "",
    [["Patient", "Age", "Sex", "Admitted"]],
    [
        ["P01", "54", "F", "2023-02-11"],
        ["P02", "61", "M", "2023-02-14"],
        ["P03", "47", "F", "2023-03-02"],
        ["P04", "70", "M", "2023-03-09"],
        ["P05", "38", "F", "2023-04-21"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The oldest patient is a man.", True),
        ("The youngest patient is a man.", False),
        ("Three patients are women.", True),
        ("All men are older than 60.", True),
        ("All women are older than 50.", False),
        ("Three of the five patients are women.", True),
        ("Two of the five patients are women.", False),
        ("P03 was admitted in March.", True),
        ("P02 was admitted in March.", False),
        ("Two patients were admitted in March.", True),
        ("More patients were admitted in February than in April.", True),
        ("P01 is 54 years old.", True),
        ("P01 is 55 years old.", False),
    ],
)
def test_sexes_ages_and_months_are_said_of_people(claim: str, truth: bool) -> None:
    assert verify(claim, PATIENTS).supported is truth


JOBS = make_table(
    "jobs",
    "",
    [["Title", "Company", "Remote"]],
    [
        ["Data engineer", "Northwind", "Yes"],
        ["Web developer", "Bluebell", "No"],
        ["Data analyst", "Northwind", "Yes"],
        ["Project manager", "Karst Ltd", "Partly"],
        ["Tester", "Bluebell", "No"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("All jobs at Northwind are remote.", True),
        ("All jobs at Bluebell are remote.", False),
        ("Two of the five jobs are remote.", True),
        ("The project manager job is remote.", None),
        ("The project manager job is not remote.", None),
    ],
)
def test_what_is_partly_so_is_neither_so_nor_not(claim: str, truth: bool | None) -> None:
    assert verify(claim, JOBS).supported is truth


# A river's mouth is another river.
RIVERS = make_table(
    "rivers",
    "",
    [["River", "Length", "Mouth"]],
    [
        ["Alder", "212 km", "Lake Moor"],
        ["Brenn", "87 km", "Alder"],
        ["Dale", "39 km", "Brenn"],
        ["Esk", "318 km", "Lake Moor"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Alder and the Brenn together are 299 km long.", True),
        ("The Alder and the Brenn together are 290 km long.", False),
        ("The Esk is 106 km longer than the Alder.", True),
        ("The Brenn is longer than the Dale.", True),
    ],
)
def test_names_that_are_joined_name_rows(claim: str, truth: bool) -> None:
    assert verify(claim, RIVERS).supported is truth


# Rows have a code and a name; prices are in a currency whose name is a weight's too.
ALLOTMENTS = make_table(
    "allotments",
    "",
    [["Plot", "Tenant", "Area (m²)", "Rent (£)", "Shed"]],
    [
        ["A1", "Morris", "120", "45", "yes"],
        ["A2", "Okafor", "95", "38.5", "no"],
        ["A3", "Lindqvist", "140", "52", "yes"],
        ["B2", "Romano", "n/a", "60", "yes"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The rent of A2 is over 30 pounds.", True),
        ("The rent of A2 is over 40 pounds.", False),
        ("The rent of A2 is 38.5 dollars.", None),
        ("A1 has a shed.", True),
        ("A2 has a shed.", False),
        ("The average rent is over 45 pounds.", True),
        ("The average rent is over £50.", False),
        ("The average area of the plots with a shed is above 125 square metres.", True),
        ("The rents add up to £195.5.", True),
        ("The rents add up to £180.", False),
        ("Romano's area is bigger than 100 square metres.", None),
        ("The area of B2 is bigger than 100 square metres.", None),
    ],
)
def test_codes_currencies_averages_and_missing_cells(claim: str, truth: bool | None) -> None:
    assert verify(claim, ALLOTMENTS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Northern Ferry carried more than 140,000 passengers in 2019.", True),
        ("Northern Ferry carried more than 160,000 passengers in 2019.", False),
        ("The crossing of Northern Ferry is longer than the crossing of Harbour Line.", True),
        ("The crossing of Island Shuttle is longer than the crossing of Harbour Line.", False),
        ("The crossing of Harbour Line is over one hour.", True),
        ("Two of the four lines have a night service.", True),
        ("Three of the four lines have a night service.", False),
        ("Island Shuttle has no night service.", True),
        ("Northern Ferry grew by 25 % from 2018 to 2019.", True),
        ("Northern Ferry fell from 2018 to 2019.", False),
        ("Harbour Line doubled from 2018 to 2019.", True),
        ("Northern Ferry opened in the 1990s.", True),
        ("Harbour Line opened in the first half of 2007.", False),
        ("Harbour Line, not Island Shuttle, has the longer crossing.", True),
    ],
)
def test_a_claim_is_read_in_the_units_of_its_table(claim: str, truth: bool) -> None:
    assert verify(claim, FERRIES).supported is truth


@pytest.mark.parametrize(
    "claim",
    [
        "Lagoon Boat carried more than 100,000 passengers in 2019.",
        "Island Shuttle opened in May 2004.",
        "Lagoon Boat grew from 2018 to 2019.",
        "Northern Ferry weighs more than 900 tonnes.",
    ],
)
def test_what_the_table_does_not_tell_is_not_decided(claim: str) -> None:
    verdict = verify(claim, FERRIES)
    assert verdict.supported is None or verdict.left is Left.DECISIVE


def test_a_quantity_in_two_units_is_one_number_of_the_first() -> None:
    assert compound("2 h 30 min") == (2.5, "hour")
    assert compound("2 of 30 boats") is None


def test_numbers_in_words_take_hundreds_and_thousands() -> None:
    assert [token.number for token in tokens("nine hundred thousand")] == [900_000.0]
    assert [token.number for token in tokens("a thousand beds")] == [1_000.0, None]
    assert [token.number for token in tokens("fifty")] == [50.0]


def test_money_is_converted_to_no_other_unit() -> None:
    assert converted(1.0, "chf", "second") is None
    assert converted(1.0, "chf", "chf") == 1.0


@pytest.mark.parametrize(
    ("claim", "truth"),
    [("The pier has a power of 1 kilowatt.", False), ("The pier has a power of 0.1 kilowatts.", True)],
)
def test_watts_are_told_by_their_letter_in_cells(claim: str, truth: bool) -> None:
    sites = make_table(
        "sites", "Sites", [["Site", "Power"]], [["Hill", "20 kW"], ["Moss", "1 kW"], ["Pier", "100 W"]]
    )

    assert verify(claim, sites).supported is truth
