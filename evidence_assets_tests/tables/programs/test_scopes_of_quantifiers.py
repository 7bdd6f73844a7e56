"""Claims of all, some, so many or none of the rows that a noun phrase tells, and what is said of them."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

KILNS = make_table(
    "kilns",
    "Potteries at the Marlow craft fair, 2023",
    [["Kiln", "Town", "Potters", "Fuel", "Medal", "Guild"]],
    [
        ["Ashdown", "Marlow", "12", "gas", "gold", "✓"],
        ["Brook", "Henley", "5", "wood", "silver", ""],
        ["Cotter", "Marlow", "9", "electricity", "gold", "✓"],
        ["Dane", "Reading", "7", "gas", "bronze", "✓"],
        ["Elm", "Henley", "15", "wood", "gold", ""],
    ],
)
CHOIRS = make_table(
    "choirs",
    "Rehearsals of the choirs of Ostby",
    [["Choir", "Day", "Room", "Singers", "Conductor"]],
    [
        ["Aurora", "Monday", "Hall", "40", "Lind"],
        ["Bel Canto", "Tuesday", "Chapel", "22", "Moe"],
        ["Cantus", "Monday", "Chapel", "18", "Lind"],
        ["Dolce", "Friday", "Hall", "55", "Ruud"],
        ["Echo", "Thursday", "School", "30", "Moe"],
    ],
)
INSPECTIONS = make_table(
    "inspections",
    "Food inspections in Haverby, 2021 to 2023",
    [["Restaurant", "Date", "Inspector", "Rating"]],
    [
        ["Anchor", "2021-03-04", "Holt", "A"],
        ["Bell", "2021-09-12", "Ines", "B"],
        ["Crown", "2022-02-20", "Holt", "C"],
        ["Anchor", "2022-11-02", "Ines", "B"],
        ["Duke", "2023-05-17", "Holt", "A"],
    ],
)
STEWS = make_table(
    "stews",
    "Ingredients of three stews, in grams",
    [["Ingredient", "Goulash", "Irish stew", "Tagine"]],
    [
        ["Beef", "800", "0", "0"],
        ["Lamb", "0", "700", "650"],
        ["Onion", "300", "250", "200"],
        ["Potato", "0", "900", "0"],
        ["Apricot", "0", "0", "150"],
    ],
)
PARKS = make_table(
    "parks",
    "Facilities of the parks of Wrenby",
    [["Facility", "Ash Park", "Lime Park", "Oak Park", "Elm Green"]],
    [
        ["Playground", "yes", "yes", "no", "yes"],
        ["Pond", "no", "yes", "no", "no"],
        ["Tennis courts", "2", "0", "4", "0"],
        ["Car park", "yes", "no", "yes", "no"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Every kiln with more than 8 potters took gold.", True),
        ("Every kiln with more than 6 potters took gold.", False),
        ("Every kiln that took gold has more than 8 potters.", True),
        ("Every kiln that took gold has more than 10 potters.", False),
        ("Every kiln with more than 8 potters uses wood.", False),
        ("No kiln with fewer than 9 potters took gold.", True),
    ],
)
def test_the_noun_phrase_tells_the_rows_and_the_verb_what_is_said_of_them(claim: str, truth: bool) -> None:
    assert verify(claim, KILNS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Every choir with at least 40 singers rehearses in the Hall.", True),
        ("Every choir with at least 30 singers rehearses in the Hall.", False),
        ("No choir rehearses on Fridays.", False),
        ("Of the two choirs conducted by Lind, only one rehearses in the Hall.", True),
        ("Of the two choirs conducted by Lind, only one rehearses on Monday.", False),
    ],
)
def test_any_verb_ends_the_noun_phrase(claim: str, truth: bool) -> None:
    assert verify(claim, CHOIRS).supported is truth


@pytest.mark.parametrize(
    "claim", ["Every kiln in Henley was repainted.", "Only one kiln in Henley was repainted."]
)
def test_a_verb_that_no_column_tells_is_said_of_no_rows(claim: str) -> None:
    assert not verify(claim, KILNS).decides


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Only one of the five kilns took silver.", True),
        ("Only one of the five kilns took gold.", False),
        ("Three of the five kilns belong to the guild.", True),
        ("Two of the five kilns belong to the guild.", False),
        ("Five of the kilns belong to the guild.", False),
        ("Exactly two kilns burn wood.", True),
        ("Exactly three kilns burn wood.", False),
    ],
)
def test_a_number_of_the_rows_counts_them_whatever_cells_hold_it(claim: str, truth: bool) -> None:
    assert verify(claim, KILNS).supported is truth


def test_a_row_is_told_to_come_once() -> None:
    assert verify("The Bell was inspected only once.", INSPECTIONS).supported is True
    assert verify("The Anchor was inspected only once.", INSPECTIONS).supported is False


def test_a_code_that_no_row_has_is_denied_rightly() -> None:
    assert verify("No restaurant received a rating of D during the period.", INSPECTIONS).supported is True
    assert verify("No restaurant received a rating of C during the period.", INSPECTIONS).supported is False


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Neither Brook nor Dane took gold.", True),
        ("Neither Brook, Dane nor Elm took gold.", False),
        ("None but Dane took bronze.", True),
        ("None but Ashdown took gold.", False),
        ("Ashdown, Cotter and Elm, but not Dane, took gold.", True),
        ("Ashdown, Cotter and Dane, but not Brook, took gold.", False),
        ("Ashdown, Cotter and Brook, but not Elm, took gold.", False),
    ],
)
def test_what_is_listed_is_each_said_or_denied(claim: str, truth: bool) -> None:
    assert verify(claim, KILNS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Beef is used in only one of the three stews.", True),
        ("Lamb is used in only one of the three stews.", False),
        ("Lamb is used in two of the three stews.", True),
        ("Onion is used in all three stews.", True),
        ("Lamb is used in all three stews.", False),
        ("The goulash contains no lamb.", True),
        ("The tagine contains no lamb.", False),
        ("Neither the goulash nor the tagine contains apricot.", False),
    ],
)
def test_things_may_be_columns(claim: str, truth: bool) -> None:
    assert verify(claim, STEWS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Only one of the four parks has a pond.", True),
        ("Two of the four parks have a playground.", False),
        ("Lime Park is the only park with a pond.", True),
        ("Ash Park is the only park with a pond.", False),
        ("Every park except Oak Park has a playground.", True),
        ("Every park except Lime Park has a playground.", False),
    ],
)
def test_columns_are_quantified_over(claim: str, truth: bool) -> None:
    assert verify(claim, PARKS).supported is truth


def test_of_columns_only_what_their_cells_tell_is_said() -> None:
    assert not verify("Two of the four parks were closed in winter.", PARKS).decides


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Apart from Brook, every kiln in Henley took gold.", True),
        ("Apart from Elm, every kiln in Henley took gold.", False),
        ("Every kiln in Marlow except Ashdown took gold.", False),
        ("With the exception of Brook, every kiln in Henley took gold.", True),
    ],
)
def test_an_exception_may_open_a_claim(claim: str, truth: bool) -> None:
    assert verify(claim, KILNS).supported is truth


def test_rows_that_are_named_are_no_columns() -> None:
    farms = make_table(
        "farms",
        "Fruit picked in 2023, in tonnes",
        [["Farm", "Apples", "Pears", "Plums"]],
        [["Ashby", "40", "12", "0"], ["Beck", "0", "25", "8"], ["Crook", "65", "0", "14"]],
    )

    assert verify("All farms except Beck picked apples.", farms).supported is not False


def test_rows_may_be_of_either_name() -> None:
    assert verify("Every kiln in Henley or Reading has more than 4 potters.", KILNS).supported is True
    assert verify("Every kiln in Henley or Reading has more than 6 potters.", KILNS).supported is False


MILLS = make_table(
    "mills",
    "",
    [["Mill", "Opened", "State", "Open on Monday", "Tonnes", "Loss 2021", "Leased"]],
    [
        ["Aske", "1912", "open", "yes", "140", "3", "yes"],
        ["Berrow", "1954", "closed", "no", "90", "0", "no"],
        ["Crake", "1987", "open", "yes", "220", "5", "yes"],
    ],
)


@pytest.mark.parametrize(
    "claim",
    [
        # Which mills are spoken of is not what is said of them.
        "All leased mills made a loss in 2021.",
        "Every leased mill grinds barley.",
        # An open mill is no mill that opened.
        "Every open mill ground more than 100 tonnes.",
        "No open mill ground fewer than 100 tonnes.",
        # More than 50 is no year in which something opened.
        "All open mills ground more than 50.",
        "No mill open on Monday sold more than 250.",
    ],
)
def test_a_word_for_which_rows_are_meant_is_neither_said_of_all_nor_passed_over(claim: str) -> None:
    assert not verify(claim, MILLS).decides


def test_what_is_said_of_all_stands_behind_their_verb() -> None:
    assert verify("All mills are leased.", MILLS).supported is False
    assert verify("All open mills are leased.", MILLS).supported is not False
    assert verify("Every mill open on Monday ground more than 100 tonnes.", MILLS).supported is True
