"""Free questions that say what rows are not, and those of cells that tell nothing."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.questions.answering import answer, read_grounded, read_question
from evidence_assets.tables.programs.questions.wording.asked_nouns import PEOPLE, kind_of_persons
from evidence_assets.tables.programs.questions.wording.carried_words import carried_by
from evidence_assets.tables.programs.questions.wording.question_wording import Wording

KENNELS = make_table(
    "kennels",
    "Dogs staying at the kennels in July",
    [["Dog", "Breed", "Owner", "Vaccinated", "Weight (kg)", "Insurer"]],
    [
        ["Bramble", "Labrador", "Jane Kemp", "yes", "31.5", "Calder"],
        ["Otto", "Dachshund", "Mats Lind", "yes", "9.2", "–"],
        ["Pip", "Terrier", "Anna Shaw", "no", "7.8", "Calder"],
        ["Rex", "Labrador", "Mats Lind", "no", "34.1", "not yet known"],
    ],
)


def _candidates(question: str) -> list[tuple[str, tuple[str, ...]]]:
    programs = read_grounded(ground(question, index_of(KENNELS))).programs
    return [(candidate.proposal.selection.kind, candidate.values) for candidate in programs]


@pytest.mark.parametrize(
    ("question", "kind", "values"),
    [
        ("which dogs are not vaccinated?", "negation", ("Pip", "Rex")),
        ("which dog is no Labrador and is not vaccinated?", "negation", ("Pip",)),
        ("other than Bramble, which dogs are vaccinated?", "except", ("Otto",)),
        ("which dogs are no Labrador or Terrier?", "negation", ("Otto",)),
        ("which dog of more than 10 kg is not vaccinated?", "negation", ("Rex",)),
    ],
)
def test_each_refusal_is_of_the_value_behind_it(question: str, kind: str, values: tuple[str, ...]) -> None:
    assert (kind, values) in _candidates(question)


@pytest.mark.parametrize("question", ["who insures Otto?", "which insurer has Rex?"])
def test_a_cell_that_tells_nothing_may_be_what_is_asked_for(question: str) -> None:
    assert () in [values for _, values in _candidates(question)]
    assert not answer(question, KENNELS, {"no values, lookup": 9.0}).decides


def test_no_cell_answers_with_the_value_that_chose_its_row() -> None:
    programs = read_question("who owns Bramble?", KENNELS).programs
    assert ("Bramble",) not in [candidate.values for candidate in programs]
    assert ("Jane Kemp",) in [candidate.values for candidate in programs]


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("which breed is Otto?", "a column"),
        ("which dogs are vaccinated?", "the label"),
        ("which institute vaccinated Otto?", "unknown"),
        ("what was Otto's diagnosis?", "unknown"),
        ("how many kilograms does Otto weigh?", "a unit"),
        ("in which year was Otto born?", "a time"),
        ("who owns Otto?", "none"),
    ],
)
def test_the_noun_says_what_is_asked_for(question: str, noun: str) -> None:
    assert Wording(ground(question, index_of(KENNELS))).noun == noun


def test_columns_of_people_are_known_by_their_header_or_their_cells() -> None:
    index = index_of(KENNELS)
    of_people = [kind_of_persons(index, column) == PEOPLE for column in range(KENNELS.columns)]
    assert of_people == [False, False, True, False, False, True]


def test_in_any_year_asks_for_no_year() -> None:
    index = index_of(KENNELS)
    assert not Wording(ground("what was the highest weight in any year?", index)).of("year")
    assert Wording(ground("in which year was the weight highest?", index)).of("year")


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        ("who has Rex?", {2, 5}),
        ("where was Rex?", {1, 2, 5}),
        ("how old is Rex?", set()),
        ("which one is Rex?", {1, 2, 4, 5}),
    ],
)
def test_a_column_of_another_kind_answers_nothing(question: str, columns: set[int]) -> None:
    """Nobody is a number or a yes; how old a dog is, is not told by its weight."""
    programs = read_grounded(ground(question, index_of(KENNELS))).programs
    targets = {candidate.proposal.column for candidate in programs}
    assert targets - {None, KENNELS.label_column} == columns


def test_people_are_no_rows_of_dogs() -> None:
    index = index_of(KENNELS)
    assert not Wording(ground("how many people are there?", index)).amount.counts_rows
    assert Wording(ground("how many dogs are there?", index)).amount.counts_rows


@pytest.mark.parametrize(("question", "asks"), [("how much is Otto?", True), ("how many has Otto?", False)])
def test_how_much_something_is_may_be_told_in_money(question: str, asks: bool) -> None:
    prices = make_table("prices", "", [["Dog", "Fee"]], [["Otto", "£40"], ["Rex", "£55"]])
    assert bool(Wording(ground(question, index_of(prices))).amount.in_money) is asks


SOILS = make_table(
    "soils",
    "Nutrients in the soils of a garden, per cent",
    [["Nutrient", "Clay bed", "Raised bed", "Orchard"]],
    [
        ["Potassium", "14%", "21%", "9%"],
        ["Nitrogen", "32%", "58%", "21%"],
        ["Phosphorus", "18%", "40%", "12%"],
    ],
)


def test_shares_do_not_tell_how_many_there_are() -> None:
    index = index_of(SOILS)
    assert Wording(ground("how many worms live in the orchard?", index)).amount.shares == {1, 2, 3}
    assert not Wording(ground("how many percent of the orchard is nitrogen?", index)).amount.shares
    programs = read_grounded(ground("how many worms live in the orchard?", index)).programs
    assert not {"lookup", "sum"} & {candidate.proposal.kind for candidate in programs}


def test_which_institute_asks_for_no_date() -> None:
    rows = [["DM-1", "12 May 1997", "310"], ["DM-2", "3 June 2001", "155"]]
    cores = make_table("cores", "", [["Core", "Drilled", "Depth"]], rows)
    programs = read_question("which institute drilled the core DM-1?", cores).programs
    assert ("12 May 1997",) not in [candidate.values for candidate in programs]


@pytest.mark.parametrize(
    ("question", "is_carried"), [("which bed has potassium?", False), ("what has the raised bed?", True)]
)
def test_what_is_asked_for_is_no_condition(question: str, is_carried: bool) -> None:
    rows = [["Clay bed", "Nitrogen"], ["Raised bed", "Potassium"]]
    claim = ground(question, index_of(make_table("beds", "", [["Place", "Nutrient"]], rows)))
    assert (claim.texts.index("bed") in carried_by(Wording(claim))) is is_carried
