"""Free questions that say what rows are not, and those of cells that tell nothing."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.questions.answering import answer, read_grounded, read_question
from evidence_assets.tables.programs.questions.asked_nouns import tells_persons
from evidence_assets.tables.programs.questions.question_wording import Wording

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
    told = [tells_persons(index_of(KENNELS), column) for column in range(KENNELS.columns)]
    assert told == [False, False, True, False, False, True]


def test_in_any_year_asks_for_no_year() -> None:
    index = index_of(KENNELS)
    assert not Wording(ground("what was the highest weight in any year?", index)).of("year")
    assert Wording(ground("in which year was the weight highest?", index)).of("year")
