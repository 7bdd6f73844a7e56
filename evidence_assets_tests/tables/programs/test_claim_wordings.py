"""Wordings of claims, each with the program that reads it and what that comes to."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.verdicts.claim_ranking import runs
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import verdicts

LAKES = make_table(
    "lakes",
    "Lakes of Arvania",
    [["Lake", "Area (km²)", "Depth (m)", "Water (°C)", "Fished"]],
    [
        ["Ulla", "120", "40", "9", "yes"],
        ["Brenn", "60", "75", "12", "no"],
        ["Corra", "30", "12", "18", "yes"],
        ["Dove", "15", "6", "21", "no"],
    ],
)
MILLS = make_table(
    "mills",
    "Paper made by the mills of Tarn (thousand tonnes)",
    [["Mill", "2010", "2015", "2020"]],
    [
        ["Alder", "40", "60", "120"],
        ["Birch", "30", "24", "12"],
        ["Cedar", "50", "50", "55"],
        ["Elm", "20", "30", "25"],
    ],
)
LOANS = make_table(
    "loans",
    "Instruments lent by the school",
    [["Pupil", "Instrument", "Lent", "Returned", "Fee (€)", "Deposit (€)"]],
    [
        ["Ada", "cello", "3 May 2021", "17 May 2021", "20", "100"],
        ["Ben", "flute", "10 May 2021", "13 May 2021", "5", "40"],
        ["Cleo", "horn", "1 June 2021", "1 July 2021", "15", "0"],
    ],
)
CREWS = make_table(
    "crews",
    "Boats of the survey and who sails on them",
    [["Person", "Boat", "Duty", "Home"]],
    [
        ["Abe", "Orla", "diver", "Port Ansel"],
        ["Bea", "Orla", "cook", "Port Ansel"],
        ["Cal", "Petrel", "diver", "Port Ansel"],
        ["Dot", "Petrel", "mate", "Port Ansel"],
        ["Eve", "Orla", "mate", "Skelling"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (LAKES, "No lake is deeper than Brenn.", "none", True),
        (LAKES, "Nothing is colder than Brenn.", "none", False),
        (LAKES, "There is no bigger lake than Ulla.", "none", True),
        (LAKES, "Only Brenn is deeper than Ulla.", "only", True),
        (LAKES, "Only Corra is warmer than Brenn.", "only", False),
        (LAKES, "Three lakes are warmer than Ulla.", "count", True),
        (LAKES, "Every lake except Dove is deeper than 10 m.", "all but", True),
        (LAKES, "Except for Corra and Dove, all lakes are deeper than 50 m.", "all but", False),
        (LAKES, "All lakes apart from Dove are deeper than 10 m.", "all but", True),
        (LOANS, "Nobody other than Ada borrowed the cello.", "none but, each by name", True),
        (LOANS, "Nobody apart from Ada and Ben had the flute.", "none but, each by name", False),
        (CREWS, "Everybody but Eve is a diver.", "all but", False),
        (CREWS, "Everybody comes from Port Ansel, Eve excepted.", "all but", True),
        (CREWS, "Orla is the only boat with more than two people.", "only so many", True),
        (CREWS, "Petrel is the only boat that carries two people.", "only so many", True),
        (CREWS, "Petrel is the only boat that carries one of the divers.", "only so many", False),
        (CREWS, "Two thirds of the people are divers.", "majority", False),
        (CREWS, "More than a quarter of the people are divers.", "majority", True),
        (CREWS, "Three in five of the people sail on Orla.", "majority", True),
        (CREWS, "Fewer than two out of five people are divers.", "majority", False),
        (LAKES, "Three quarters of the lakes are warmer than 10 °C.", "majority", True),
        (LAKES, "Over half of the lakes are warmer than 15 °C.", "majority", False),
        (LAKES, "Ulla is twice as big as Brenn.", "ratio", True),
        (LAKES, "Brenn is more than six times as deep as Corra.", "ratio", True),
        (LAKES, "Brenn is more than seven times as deep as Corra.", "ratio", False),
        (LAKES, "Corra and Dove together are smaller than Brenn.", "comparison", True),
        (LAKES, "Corra and Brenn put together are smaller than Dove.", "comparison", False),
        (LAKES, "Brenn is deeper than Ulla by 35 m.", "difference", True),
        (LAKES, "Two of the lakes are not fished.", "count of the others", True),
        (LAKES, "Three of the lakes are not fished.", "count of the others", False),
        (MILLS, "Birch shrank every year.", "condition of a row", True),
        (MILLS, "Elm grew every year.", "condition of a row", False),
        (MILLS, "Alder doubled from 2015 to 2020.", "condition of a row", True),
        (MILLS, "Alder trebled in the ten years to 2020.", "condition of a row", True),
        (MILLS, "Birch halved between 2010 and 2015.", "condition of a row", False),
        (MILLS, "Cedar grew by 10 percent from 2015 to 2020.", "condition of a row", True),
        (MILLS, "Alder grew by more than 60 percent from 2010 to 2015.", "condition of a row", False),
        (MILLS, "Cedar stayed the same from 2010 to 2015.", "condition of a row", True),
        (MILLS, "Nowhere did it fall from 2015 to 2020.", "none", False),
        (MILLS, "Birch made half as much in 2020 as in 2015.", "condition of a row", True),
        (MILLS, "Alder has more than half of all paper of 2020.", "share of a total", True),
        (LOANS, "The cello came back after 14 days.", "time between dates", True),
        (LOANS, "The flute came back after two weeks.", "time between dates", False),
        (LOANS, "For the cello, fee and deposit together are €120.", "sum of columns", True),
    ],
)
def test_a_wording_is_read_by_its_program(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("twenty-five", 25),
        ("sixty five", 65),
        ("two and a half", 2.5),
        ("half a million", 500_000),
        ("a quarter of a million", 250_000),
        ("a dozen", 12),
        ("two dozen", 24),
        ("three hundred", 300),
        ("a billion", 1_000_000_000),
        ("twenty-first", 21),
        ("thirtieth", 30),
    ],
)
def test_numbers_in_words_are_numbers(text: str, number: float) -> None:
    assert [token.number for token in tokens(text)] == [number]


@pytest.mark.parametrize("claim", ["Corra is denser than Dove.", "Ulla is older than Brenn."])
def test_an_adjective_of_a_dimension_that_no_column_tells_compares_nothing(claim: str) -> None:
    for run in runs(ground(claim, index_of(LAKES))):
        assert run.left is Left.DECISIVE


def test_a_name_that_the_table_lacks_is_decisive() -> None:
    programs = runs(ground("Ulla is deeper than Corra in Norway.", index_of(LAKES)))

    assert programs
    assert all(run.left is Left.DECISIVE for run in programs)


def test_a_negation_within_a_name_negates_nothing() -> None:
    table = make_table(
        "votes", "Votes", [["Town", "Other", "No preference"]], [["Ash", "9", "20"], ["Oak", "7", "31"]]
    )

    assert ground("Ash has no preference of 20.", index_of(table)).negation is None
    assert ground("Ash has no other of 20.", index_of(table)).negation == 2
