"""Questions about cells that are empty, about ranges that a column tells, and about what no column tells."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.questions.answering import read_grounded, read_question
from evidence_assets.tables.table import Table

FERRIES = make_table(
    "ferries",
    "Ferries on weekdays",
    [["Quay", "F 1", "F 2", "F 3"]],
    [
        ["Old Harbour", "06:10", "07:00", "08:15"],
        ["Heron Isle", "06:25", "–", "08:30"],
        ["Sandwick", "–", "07:40", "–"],
    ],
)
WATER = make_table(
    "water",
    "Water of the well",
    [["Substance", "Unit", "Result", "Permitted range"]],
    [
        ["Nitrate", "mg/l", "58", "< 50"],
        ["Iron", "mg/l", "0.12", "< 0.2"],
        ["Calcium", "mg/l", "96", "20–120"],
        ["Acidity", "pH", "6.1", "6.5–9.5"],
    ],
)
TASKS = make_table(
    "tasks",
    "Move of the workshop",
    [["No.", "Task", "Day", "Status"]],
    [
        ["1", "Opening party", "03.05.2024", "done"],
        ["2", "Move the lathe", "06.05.2024", "open"],
        ["3", "Paint the hall", "09.05.2024", "open"],
    ],
)
BIRDS = make_table(
    "birds",
    "Birds at the pond",
    [["Common name", "Scientific name", "Highest count"]],
    [["Grey heron", "Ardea cinerea", "4"], ["Mute swan", "Cygnus olor", "6"], ["Mallard", "Anas", "20"]],
)


def _proposed(question: str, table: Table) -> list[tuple[str, tuple[str, ...]]]:
    programs = read_question(question, table).programs
    return [(candidate.proposal.kind, candidate.values) for candidate in programs]


@pytest.mark.parametrize(
    ("question", "table", "values"),
    [
        ("How many quays does F 2 call at?", FERRIES, ["2"]),
        ("Which ferry calls at Sandwick?", FERRIES, ["F 2"]),
        ("Which ferries do not call at Sandwick?", FERRIES, ["F 1", "F 3"]),
        ("Which substances are above the permitted range?", WATER, ["Nitrate"]),
        ("Which substances are below the permitted range?", WATER, ["Acidity"]),
        ("Which substances are outside the permitted range?", WATER, ["Nitrate", "Acidity"]),
        ("How many tasks are open?", TASKS, ["2"]),
        ("What is the scientific name of the grey heron?", BIRDS, ["Ardea cinerea"]),
        ("Which bird had the highest count?", BIRDS, ["Mallard"]),
    ],
)
def test_what_cells_imply_is_proposed(question: str, table: Table, values: Sequence[str]) -> None:
    assert tuple(values) in [of_program for _, of_program in _proposed(question, table)]


def test_rows_in_a_state_that_no_cell_names_are_not_all_rows() -> None:
    assert "count" not in [kind for kind, _ in _proposed("How many tasks are finished?", TASKS)]


def test_a_date_is_no_year_where_all_dates_are_of_one() -> None:
    kinds = [kind for kind, _ in _proposed("When is the opening party?", TASKS)]
    assert "lookup" in kinds
    assert "year" not in kinds


def test_numbers_of_rows_and_units_answer_nothing_unnamed() -> None:
    counted = read_grounded(ground("How many people come to the opening party?", index_of(TASKS))).programs
    assert 0 not in [candidate.proposal.column for candidate in counted]
    measured = read_grounded(ground("What is the nitrate of the well?", index_of(WATER))).programs
    assert 1 not in [candidate.proposal.column for candidate in measured]


def test_a_deed_that_nothing_tells_is_told_by_no_column() -> None:
    assert not _proposed("What was served at the opening party?", TASKS)
