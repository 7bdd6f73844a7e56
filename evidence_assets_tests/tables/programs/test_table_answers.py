"""Free questions over small tables: values, and abstentions where a question is not accounted for."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left

LAKES = make_table(
    "lakes",
    "Lakes",
    [["Lake", "Country", "Depth (m)", "Surveyed"]],
    [
        ["Tuz", "Turkey", "2", "1951"],
        ["Palas", "Turkey", "15", "1964"],
        ["Bled", "Slovenia", "30", "1990"],
        ["Ohrid", "Albania", "288", "2004"],
    ],
)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("how many lakes are in Turkey?", ("2",)),
        ("which lake is in Slovenia?", ("Bled",)),
        ("what is the depth of Ohrid?", ("288",)),
        ("which lake has the highest depth?", ("Ohrid",)),
        ("which is deeper, Tuz or Palas?", ("Palas",)),
        ("what is the total depth of the lakes in Turkey?", ("17",)),
        ("what is the difference in depth between Bled and Palas?", ("15",)),
        ("which lakes are not in Turkey?", ("Bled", "Ohrid")),
        ("how many lakes are not in Turkey?", ("2",)),
        ("which country has the most lakes?", ("Turkey",)),
        ("which lake is listed after Palas?", ("Bled",)),
    ],
)
def test_a_question_is_answered_by_values(question: str, values: tuple[str, ...]) -> None:
    likeliest = answer(question, LAKES)
    assert likeliest.values == values
    assert likeliest.accounts and 0 < likeliest.confidence < 1


PLANTS = make_table(
    "plants",
    "Power plants",
    [["Plant", "Country", "Capacity (MW)", "Opened"]],
    [
        ["Alder Point", "Norway", "120", "1998"],
        ["Brinefield", "Denmark", "340", "2011"],
        ["Carrow", "Ireland", "85", "1974"],
        ["Dunmoor", "Denmark", "410", "2016"],
    ],
)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("which plant opened first?", ("Carrow",)),
        ("which plant was opened last?", ("Dunmoor",)),
        ("which plant in Denmark opened first?", ("Brinefield",)),
        ("what is the oldest plant?", ("Carrow",)),
        ("which plant is the newest?", ("Dunmoor",)),
    ],
)
def test_first_last_and_age_are_read_from_dates(question: str, values: tuple[str, ...]) -> None:
    answered = answer(question, PLANTS)
    assert answered.values == values and answered.accounts


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Carrow opened first", True),
        ("Alder Point opened first", False),
        ("Dunmoor opened last", True),
        ("Carrow is the oldest plant", True),
        ("Carrow is the youngest plant", False),
    ],
)
def test_claims_of_first_last_and_age_are_held_against_dates(claim: str, supported: bool) -> None:
    assert verify(claim, PLANTS).supported is supported


SEASON = make_table(
    "season",
    "A season",
    [["Team", "Wins", "Losses"]],
    [["Reds", "12", "4"], ["Blues", "8", "8"], ["Greens", "5", "11"], ["Total", "25", "23"]],
)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("which team has the most wins?", ("Reds",)),
        ("how many teams are there?", ("3",)),
        ("how many teams have more than 7 wins?", ("2",)),
        ("what is the total number of wins?", ("25",)),
        ("what is the average number of losses?", ("7.666666667",)),
    ],
)
def test_a_row_of_totals_is_no_row_of_its_own_unless_it_is_named(
    question: str, values: tuple[str, ...]
) -> None:
    assert answer(question, SEASON).values == values


@pytest.mark.parametrize(
    ("rows", "summaries"),
    [
        ([["a", "1", "2"], ["b", "3", "4"], ["Total", "4", "6"]], {2}),
        ([["Average", "2", "3"], ["a", "1", "2"], ["b", "3", "4"]], {0}),
        ([["a", "1", "2"], ["b", "3", "4"], ["Total", "9", "9"]], {2}),
        ([["a", "1", "2"], ["b", "3", "4"], ["c", "4", "6"]], set()),
        ([["total eclipse", "1", "2"], ["b", "3", "4"], ["c", "4", "6"]], set()),
    ],
)
def test_a_row_sums_up_the_others_by_name_and_numbers(rows: list[list[str]], summaries: set[int]) -> None:
    assert TableIndex(make_table("t", "", [["name", "x", "y"]], rows)).summaries == summaries


def test_a_last_row_of_three_sums_needs_no_name() -> None:
    rows = [["a", "1", "2", "5"], ["b", "3", "4", "6"], ["season", "4", "6", "11"]]
    assert TableIndex(make_table("t", "", [["name", "x", "y", "z"]], rows)).summaries == {2}


@pytest.mark.parametrize("question", ["", "who painted it?", "is it never deeper?", "¿qué?", "lake " * 2_000])
def test_what_is_not_accounted_for_is_not_answered(question: str) -> None:
    assert not answer(question, LAKES).accounts


def test_an_answer_names_its_cells_and_what_it_leaves() -> None:
    depth = answer("what is the depth of Ohrid?", LAKES)
    assert {(3, 2), (3, 0), (-1, 2), (-1, 0)} <= set(depth.cells)
    assert (depth.left, depth.accounting.unaccounted) == (Left.NOTHING, ())
    assert answer("what is the salty depth of Ohrid?", LAKES).accounting.unaccounted == ("salty",)


def test_who_did_what_nothing_tells_is_not_answered() -> None:
    trees = make_table(
        "trees",
        "Trees of the park",
        [["Tree", "Kind", "Planted by", "Height (m)"]],
        [
            ["Old Nan", "Oak", "Ada Reed", "21"],
            ["Gorse", "Pine", "Ben Hart", "14"],
            ["Tall Tom", "Ash", "Ada Reed", "30"],
        ],
    )
    assert not answer("Who owns Gorse?", trees).decides
    assert not answer("Who felled Old Nan?", trees).decides
    planted = answer("Who planted Gorse?", trees)
    assert planted.decides and planted.values == ("Ben Hart",)
