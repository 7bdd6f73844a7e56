"""Claims of rows that a table lacks, whose names share words with others', and of what words do not tell."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

ALLOTMENTS = make_table(
    "allotments",
    "Allotments of a town",
    [["Site", "Ward", "Plots", "Sheds", "Opened", "Renewed", "Note"]],
    [
        ["Upper Dale", "North", "48", "12", "1921", "1990", "fenced"],
        ["Mill Field", "South", "25", "10", "1978", "2012", "fenced"],
        ["Abbey Croft", "South", "71", "30", "1912", "1950", "open"],
        ["Priory Lane", "North", "19", "4", "2003", "2019", "open"],
        ["Holm", "North", "33", "9", "1965", "2001", "fenced"],
    ],
)
COURSES = make_table(
    "courses",
    "Courses of a school",
    [["Course", "Places", "Finishers", "Teacher", "Certified"]],
    [
        ["Drawing", "12", "9", "Una", "yes"],
        ["Etching", "8", "7", "Merle", "no"],
        ["Weaving", "15", "14", "Una", "yes"],
        ["Spinning", "10", "4", "Merle", "n/a"],
        ["Dyeing", "11", "10", "Osk", "n/a"],
        ["Felting", "9", "8", "Osk", "no"],
        ["Lacing", "7", "6", "Osk", "no"],
        ["Carving", "6", "5", "Una", "yes"],
    ],
)
CLUBS = make_table(
    "clubs",
    "Clubs",
    [["Club", "Members", "Limit", "Remaining"]],
    [["Rowers", "40", "50", "10"], ["Divers", "60", "50", "0"], ["Archers", "30", "30", "0"]],
)
HOUSES = make_table(
    "houses",
    "Houses",
    [["House", "Grade", "Built", "Owner"]],
    [
        ["Alder Hall", "I", "1690", "trust"],
        ["Birch Hall", "II*", "1720", "private"],
        ["Cedar Lodge", "II", "1820", "private"],
        ["Dale House", "I", "1755", "trust"],
    ],
)
PARISHES = make_table(
    "parishes",
    "Spirits by parish",
    [["Parish", "Region", "Farms", "Distilled 2022", "Distilled 2023"]],
    [
        ["Lorme", "Aude", "1", "20", "30"],
        ["Vals", "Aude", "3", "40", "35"],
        ["Tost", "Orne", "2", "50", "60"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Nether Dale has more plots than Holm.", None),
        ("Upper Dale has more plots than Holm.", True),
        ("Abbey Lane has 71 plots.", None),
        ("Abbey Croft has 71 plots.", True),
        ("Mill Croft has fewer plots than Holm.", None),
        ("Mill Field has more plots than Holm.", False),
    ],
)
def test_a_name_made_of_others_words_is_of_no_row(claim: str, truth: bool | None) -> None:
    assert decided(claim, ALLOTMENTS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Three sites in the South are open.", False),
        ("One site in the South is open.", True),
        ("All sites from North and South are fenced.", False),
        ("No site was renewed before 1940.", True),
        ("No site was renewed after 2010.", False),
        ("All sites are mostly fenced.", None),
        ("All of the sites from North and South are fenced.", False),
    ],
)
def test_no_number_and_no_part_is_passed_over(claim: str, truth: bool | None) -> None:
    assert decided(claim, ALLOTMENTS) is truth


def test_years_are_of_the_column_that_is_named() -> None:
    assert decided("None of the sites was renewed after 2010.", ALLOTMENTS) is False
    assert decided("None of the sites was renewed after 2020.", ALLOTMENTS) is True


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Weaving has the most places.", True),
        ("Carving has the most places.", False),
        ("Weaving had the largest number of finishers.", True),
        ("Spinning had the largest number of finishers.", False),
        ("None of the courses of Osk is certified.", None),
        ("All courses of Una are certified.", True),
        ("None of the courses of Una is certified.", False),
    ],
)
def test_what_is_counted_is_no_rank_and_what_is_missing_is_no_denial(claim: str, truth: bool | None) -> None:
    assert decided(claim, COURSES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Divers is over the limit.", True),
        ("Rowers is over the limit.", False),
        ("Divers is over the limit of the law.", None),
        ("Rowers left the league.", None),
        ("Two clubs have no places left.", True),
    ],
)
def test_limits_and_leaving_are_of_columns_only_where_they_say_so(claim: str, truth: bool | None) -> None:
    assert decided(claim, CLUBS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Two houses are of grade I.", True),
        ("Three houses are of grade I.", False),
        ("Alder Hall is a grade I house.", True),
        ("Cedar Lodge is a grade I house.", False),
    ],
)
def test_a_roman_one_is_a_number(claim: str, truth: bool) -> None:
    assert decided(claim, HOUSES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("One farm in Aude distilled more in 2023 than in 2022.", None),
        ("One parish in Aude distilled more in 2023 than in 2022.", True),
        ("Two parishes in Aude distilled more in 2023 than in 2022.", False),
    ],
)
def test_what_a_column_counts_are_no_rows(claim: str, truth: bool | None) -> None:
    assert decided(claim, PARISHES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Lorme broke down twice in 2023.", None),
        ("Lorme distilled twice as much in 2023 as in 2022.", False),
    ],
)
def test_what_happened_twice_is_no_multiple(claim: str, truth: bool | None) -> None:
    assert decided(claim, PARISHES) is truth


def test_parts_of_names_in_two_columns_are_of_no_row() -> None:
    recipes = make_table(
        "recipes",
        "Recipes in a cookbook",
        [["Recipe", "Chapter", "Minutes", "Eggs"]],
        [
            ["Lemon Tart", "Pastry", "75", "4"],
            ["Lime Tart", "Pastry", "70", "4"],
            ["Plum Cake", "Cakes", "90", "3"],
            ["Spice Cake", "Cakes", "60", "2"],
        ],
    )
    assert decided("Lemon Cake needs four eggs.", recipes) is None
    assert decided("Lemon Tart needs four eggs.", recipes) is True
    assert decided("Plum Cake needs four eggs.", recipes) is False
