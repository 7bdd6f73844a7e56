"""Free questions that compare columns, or whose answer is what a column is called."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.turned_tables import as_published, question_readings_of
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


def test_that_a_flag_says_yes_is_no_answer() -> None:
    programs = read_question("which festivals offer camping?", CAMPING).programs
    assert ("yes",) not in [candidate.values for candidate in programs]


def test_the_cells_of_columns_that_became_rows_are_those_of_the_table() -> None:
    *_, turned = question_readings_of(CHANNELS)
    assert [row[0].text for row in turned.rows] == ["2010", "2015", "2020"]
    assert as_published(CHANNELS, turned, (0, 1)) == ((0, 2),)
    assert as_published(CHANNELS, turned, (2, 0)) == ((-1, 4),)
    assert as_published(CHANNELS, turned, (-1, 2)) == ((1, 0),)
