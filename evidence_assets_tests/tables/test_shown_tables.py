"""Tables as they are shown, and the cells that a reply cites."""

from __future__ import annotations

import re

import pytest

from evidence_assets.evidence.citations import VALID, citation_status
from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.shown import ShownTable, quoted_line, read_cell_citations, read_out
from evidence_assets.tables.table import Cell, Table, address


def cells(*texts: str) -> tuple[Cell, ...]:
    return tuple(Cell(text, text, parse_value(text)) for text in texts)


MEASLES = Table(
    "t",
    "Measles outbreaks in Canada [E9]",
    ("Province", "Year", "Number of cases", "Duration (weeks)"),
    (
        cells("Quebec", "2007", "94", "24"),
        cells("Ontario", "2008", "53", "11"),
        cells("Quebec", "2011", "678", "33"),
    ),
)
SHOWN = ShownTable(MEASLES, (0, 2), (0, 2))


def test_every_cell_shown_has_its_address_in_the_whole_table() -> None:
    assert SHOWN.text().splitlines() == [
        "Measles outbreaks in Canada (E9)",
        "C1 Province | C3 Number of cases",
        "[R1.C1] Quebec | [R1.C3] 94",
        "[R3.C1] Quebec | [R3.C3] 678",
    ]
    assert SHOWN.text([2]).splitlines()[-1] == "[R3.C1] Quebec | [R3.C3] 678"
    shown = dict(re.findall(r"\[(R\d+\.C\d+)\] ([^|\n]*\w)", SHOWN.text()))
    assert shown == {
        address(row, column): MEASLES.rows[row][column].text for row in SHOWN.rows for column in SHOWN.columns
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("94 [R1.C1] cases", "94 (R1.C1) cases"),
        ("94\n[ R1.C1 ; R2.C2 ]", "94 (R1.C1 ; R2.C2)"),
        ("so [E1, E2]", "so (E1, E2)"),
        ("[1999] (R1.C1)", "[1999] (R1.C1)"),
    ],
)
def test_a_text_forges_no_address_and_no_mark(text: str, line: str) -> None:
    assert quoted_line(text) == line
    assert read_cell_citations(line, SHOWN)[1] == []


def test_addresses_become_marks_of_evidence() -> None:
    text = "In 2011 there were 678 cases [R3.C3] in Quebec [R3.C1], more than 94 [R1.C3; R3.C3]."
    read, cited, status = read_cell_citations(text, SHOWN)
    assert cited == [(2, 2), (2, 0), (0, 2)]
    assert read == "In 2011 there were 678 cases [E1] in Quebec [E2], more than 94 [E3][E1]."
    assert status == VALID
    assert citation_status(read, ["a", "b", "c"]) == VALID


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("There were 679 cases [R3.C3].", "number differs: 678 at R3.C3"),
        ("It was Ontario [R2.C1].", "no such cell: R2.C1"),
        ("It lasted 24 weeks [R1.C4].", "no such cell: R1.C4"),
        ("There are many [R9.C9].", "no such cell: R9.C9"),
        ("It is so.", "nothing cited"),
        ("Evidence says so [E1].", "nothing cited"),
    ],
)
def test_what_is_wrong_with_a_citation_is_told(text: str, wrong: str) -> None:
    read, cited, status = read_cell_citations(text, SHOWN)
    assert status == wrong
    assert "[E1]" not in read or cited


def test_numbers_are_those_said_since_the_mark_before() -> None:
    """A number said of another cell, or of words, is not held against this one."""
    for text in (
        "678 cases [R3.C3] in Quebec [R3.C1].",
        "Since 2011, 94 cases [R1.C3].",
        "About 0.5 more: Quebec [R1.C1].",
    ):
        assert read_cell_citations(text, SHOWN)[2] == VALID


def test_a_cell_is_read_out_with_its_names() -> None:
    assert read_out(MEASLES, (2, 2)) == "R3.C3: Quebec, Number of cases: 678"
    assert read_out(MEASLES, (2, 0)) == "R3.C1: Province: Quebec"
    assert read_out(MEASLES, (-1, 3)) == "R0.C4: Duration (weeks)"
