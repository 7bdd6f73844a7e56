"""Programs of free questions that the grammar composes: bounds, groups, order, likeness, differences."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.questions.answering import answer, read_grounded
from evidence_assets.tables.programs.questions.wording.question_wording import Wording

BRIDGES = make_table(
    "bridges",
    "",
    [["Bridge", "River", "Length (m)", "Opened"]],
    [
        ["Alder Crossing", "Tamsel", "420", "1931"],
        ["Birch Span", "Tamsel", "185", "1967"],
        ["Cedar Arch", "Orrin", "610", "1988"],
        ["Dale Viaduct", "Kell", "95", "2004"],
        ["Elm Gate", "Tamsel", "330", "2011"],
    ],
)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("which rivers have at least 3 bridges?", ("Tamsel",)),
        ("which bridges are longer than Elm Gate?", ("Alder Crossing", "Cedar Arch")),
        ("which other bridge is over the same river as Elm Gate?", ("Alder Crossing", "Birch Span")),
        ("how many different rivers are there?", ("3",)),
        ("which bridge was opened last, Cedar Arch or Birch Span?", ("Cedar Arch",)),
        ("what is the average length of all bridges?", ("328",)),
    ],
)
def test_the_grammar_proposes_what_a_question_asks(question: str, values: tuple[str, ...]) -> None:
    programs = read_grounded(ground(question, index_of(BRIDGES))).programs
    assert values in [candidate.values for candidate in programs]


def test_an_answer_is_as_sure_as_all_programs_that_come_to_it() -> None:
    question = "how many bridges are over the Tamsel?"
    programs = read_grounded(ground(question, index_of(BRIDGES))).programs
    likeliest = answer(question, BRIDGES, {})
    alike = sum({*candidate.values} == {*likeliest.values} for candidate in programs)
    assert 0 < alike < len(programs)
    # Without weights every program is as likely, and that none is right.
    assert likeliest.confidence == round(alike / (len(programs) + 1), 4)


def test_other_weights_rank_otherwise() -> None:
    question = "how many bridges are over the Tamsel?"
    assert answer(question, BRIDGES, {"kind count": 9.0}).kind == "count"
    assert answer(question, BRIDGES, {"kind sum": 9.0}).kind == "sum"


def test_no_feature_is_a_word_of_the_question_or_the_table() -> None:
    reading = read_grounded(ground("which bridge over the Tamsel is the longest?", index_of(BRIDGES)))
    programs = reading.programs
    names = {name.lower() for candidate in programs for name in candidate.features} | set(reading.no_program)
    assert programs and not any(word in name for name in names for word in ("tamsel", "bridge", "cedar"))


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("how many bridges are there?", "how many"),
        ("what is the number of bridges?", "how many"),
        ("which river has the same number of bridges as Orrin?", "which"),
        ("how long is Elm Gate?", "how"),
        ("who built it?", "who"),
        ("did it open in 2004?", "yes or no"),
    ],
)
def test_the_form_of_a_question_is_told_by_the_word_that_asks(question: str, form: str) -> None:
    assert Wording(ground(question, index_of(BRIDGES))).form == form


RIVERS = make_table(
    "rivers",
    "",
    [["River", "Length (km)", "Discharge (m³/s)", "Countries"]],
    [
        ["Alder", "2850", "500", "3"],
        ["Brenn", "1233", "2900", "6"],
        ["Corrow", "652", "1540", "9"],
        ["Dale", "1094", "870", "1"],
    ],
)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("which river is the longest?", ("Alder",)),
        ("which river is the shortest?", ("Corrow",)),
        ("which river has the highest discharge?", ("Brenn",)),
        ("which river flows through the most countries?", ("Corrow",)),
        ("how much longer is the Alder than the Brenn?", ("1617",)),
    ],
)
def test_an_adjective_is_of_the_column_that_it_measures(question: str, values: tuple[str, ...]) -> None:
    """The longest river was the one through most countries, where each of its numbers was the highest."""
    assert answer(question, RIVERS).values == values
