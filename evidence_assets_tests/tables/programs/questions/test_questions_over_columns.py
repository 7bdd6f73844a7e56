"""Free questions that compare columns, or whose answer is what a column is called."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.derived.turned_tables import as_published, question_layouts_of
from evidence_assets.tables.programs.questions.answering import read_question
from evidence_assets.tables.table import Table

DEPARTMENTS = make_table(
    "departments",
    "Staff of a freight company",
    [["Department", "Site", "Employees 2020", "Employees 2023", "Budget planned (€k)", "Budget spent (€k)"]],
    [
        ["Warehouse", "Kiel", "140", "122", "3,200", "3,350"],
        ["Transport", "Kiel", "95", "110", "4,100", "3,980"],
        ["Finance", "Bonn", "22", "22", "900", "900"],
        ["Customer service", "Bonn", "40", "36", "1,100", "1,040"],
    ],
)
CHANNELS = make_table(
    "channels",
    "Share of viewing by channel",
    [["Channel", "Ownership", "2010", "2015", "2020"]],
    [["Nova", "private", "21.4", "19.0", "17.2"], ["Prisma", "public", "11.5", "12.2", "14.9"]],
)
BREADS = make_table(
    "breads",
    "Formulas, grams per batch",
    [["Ingredient", "Farmhouse", "Baguette"]],
    [["Flour", "9,500", "9,900"], ["Salt", "200", "180"], ["Water", "6,100", "6,800"]],
)
CAMPING = make_table(
    "camping",
    "Festivals",
    [["Festival", "Camping", "Visitors"]],
    [["Hollentide", "yes", "25,000"], ["Straw Fair", "no", "21,000"], ["Marrow Blues", "yes", "18,000"]],
)


@pytest.mark.parametrize(
    ("question", "table", "values"),
    [
        (
            "which departments lost employees between 2020 and 2023?",
            DEPARTMENTS,
            ("Warehouse", "Customer service"),
        ),
        (
            "which Bonn departments had fewer employees in 2023 than in 2020?",
            DEPARTMENTS,
            ("Customer service",),
        ),
        ("which departments spent more than planned?", DEPARTMENTS, ("Warehouse",)),
        ("in which year was the share of Nova the highest?", CHANNELS, ("2010",)),
        ("which bread takes the most salt?", BREADS, ("Farmhouse",)),
        ("which festivals offer camping?", CAMPING, ("Hollentide", "Marrow Blues")),
        ("how many visitors do the three festivals have?", CAMPING, ("64000",)),
    ],
)
def test_a_question_is_accounted_for_by_a_program(
    question: str, table: Table, values: tuple[str, ...]
) -> None:
    programs = read_question(question, table).programs
    assert values in [candidate.values for candidate in programs if candidate.accounts]


FIELDS = make_table(
    "fields",
    "Harvest",
    [["Field", "Country", "Area (ha)", "Yield (t/ha)", "Crust", "Crumb"]],
    [
        ["Long Acre", "Austria", "14.0", "7.9", "9", "8"],
        ["Nine Elms", "Italy", "18.5", "7.2", "7", "9"],
        ["Brickyard", "Italy", "16.0", "5.1", "9", "9"],
        ["Gallows Hill", "Austria", "9.5", "8.4", "6", "9"],
    ],
)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        (
            "which fields larger than 13 hectares had a yield of more than 7 tonnes a hectare?",
            ("Long Acre", "Nine Elms"),
        ),
        ("which field outside Italy has the lowest yield?", ("Long Acre",)),
        ("which fields got 9 for crust?", ("Long Acre", "Brickyard")),
    ],
)
def test_conditions_are_of_the_columns_that_a_question_names(question: str, values: tuple[str, ...]) -> None:
    programs = read_question(question, FIELDS).programs
    assert values in [candidate.values for candidate in programs if candidate.accounts]


def test_an_adjective_of_no_column_is_of_the_thing_that_a_column_is_of() -> None:
    programs = read_question("in which year was Nova dearest?", CHANNELS).programs
    of_no_column = [c for c in programs if c.proposal.selection.kind == "extreme of an untold measure"]
    assert ("2010",) in [candidate.values for candidate in of_no_column if candidate.accounts]
    programs = read_question("which field of Italy is the deepest?", FIELDS).programs
    assert all(c.proposal.selection.measure is None for c in programs)


def test_that_a_flag_says_yes_is_no_answer() -> None:
    programs = read_question("which festivals offer camping?", CAMPING).programs
    assert ("yes",) not in [candidate.values for candidate in programs]


def test_the_cells_of_columns_that_became_rows_are_those_of_the_table() -> None:
    *_, turned = question_layouts_of(CHANNELS)
    assert [row[0].text for row in turned.rows] == ["2010", "2015", "2020"]
    assert as_published(CHANNELS, turned, (0, 1)) == ((0, 2),)
    assert as_published(CHANNELS, turned, (2, 0)) == ((-1, 4),)
    assert as_published(CHANNELS, turned, (-1, 2)) == ((1, 0),)
