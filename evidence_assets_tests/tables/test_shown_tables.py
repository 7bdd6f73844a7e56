"""Tables as they are shown, and the cells that a reply cites."""

from __future__ import annotations

import re

import pytest

from evidence_assets.evidence.citations import VALID, citation_status
from evidence_assets.tables.cell_citations import read_cell_citations
from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.shown import ShownTable, quoted_line, read_out
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


BALANCE = Table(
    "b",
    "Shares of 2019",
    ("Item", "OASI", "OASDI", "Strain"),
    (
        cells("Report of 2019", "-2.67", "-2.78", "D4"),
        cells("Total change", "-0.47", "-0.43", "D8 and H1"),
        cells("Beneficiaries", "1,678,000", "0.45", "none known"),
    ),
)
ALL = ShownTable(MEASLES, (0, 1, 2, 3), (0, 1, 2))
BALANCES = ShownTable(BALANCE, (0, 1, 2, 3), (0, 1, 2))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        # The cell is a label: it holds no number at all.
        ("Quebec had 500 cases [R1.C1].", "no number 500: Quebec at R1.C1"),
        ("Quebec had five hundred cases [R1.C1].", "no number five hundred: Quebec at R1.C1"),
        # The number stands in the row, in another cell than the one that is cited.
        ("Quebec had 94 cases [R1.C1].", "no number 94: Quebec at R1.C1"),
        ("Quebec had ninety-four cases [R1.C4].", "number differs: 24 at R1.C4"),
        ("It had 94 cases and then 500 more [R1.C3].", "number differs: 94 at R1.C3"),
        ("There were ninety-five cases [R1.C3].", "number differs: 94 at R1.C3"),
        ("In 2007 [R1.C3].", "number differs: 94 at R1.C3"),
        ("More than 500 cases [R1.C3].", "number differs: 94 at R1.C3"),
        (
            "The two together are 800 [R1.C3][R2.C3].",
            "number differs: 94 at R1.C3; number differs: 53 at R2.C3",
        ),
        ("Ontario was hit [R1.C1].", "not said: Quebec at R1.C1"),
        ("It is so [R1.C1].", "not said: Quebec at R1.C1"),
        ("It is so [R1.C3].", "not said: 94 at R1.C3"),
        # In one pair of brackets each is held against its own cell as well.
        ("More than 53 [R2.C3; R1.C1].", "not said: Quebec at R1.C1"),
        (f"There were 12345 of them{' as one sees there' * 9} [R1.C3].", "number differs: 94 at R1.C3"),
    ],
)
def test_a_citation_is_held_against_its_own_cell(text: str, wrong: str) -> None:
    assert read_cell_citations(text, ALL)[2] == wrong


@pytest.mark.parametrize(
    "text",
    [
        "Quebec [R1.C1] had ninety-four cases [R1.C3].",
        "In 2007 Quebec [R1.C1] had 94 cases [R1.C3].",
        "94 cases in 2007 [R1.C3].",
        "The claim has 500, the table 94 [R1.C3].",
        "It has 94 cases, not 500 [R1.C3].",
        "Quebec had more than 50 cases [R1.C3].",
        "Quebec had the fewest [R1.C3].",
        "The sum is 147 [R1.C3; R2.C3].",
        "That is 41 more [R1.C3] [R2.C3].",
        "Two of them are above 50 [R1.C3, R2.C3].",
        "94 is 1.77 times 53 [R1.C3; R2.C3].",
        "One of the provinces is Quebec [R1.C1].",
        "It spread for four years [R1.C2; R3.C2].",
        "There were 94 cases. [R1.C3]",
    ],
)
def test_what_a_cell_holds_or_what_follows_from_it_bears_a_citation_out(text: str) -> None:
    assert read_cell_citations(text, ALL)[2] == VALID


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("OASI stands at -2.67 [R1.C2], OASDI at -2.78 [R1.C3].", VALID),
        ("OASI stands at 2.67 [R1.C2].", "number differs: -2.67 at R1.C2"),
        ("OASI stands at -2.7 [R1.C2].", VALID),
        ("There are 1.7 million beneficiaries [R3.C2].", VALID),
        ("There are 1.6 million beneficiaries [R3.C2].", "number differs: 1,678,000 at R3.C2"),
        ("That is 45 % of them [R3.C3].", VALID),
        ("That is 46 % of them [R3.C3].", "number differs: 0.45 at R3.C3"),
        ("The strain was D4 [R1.C4].", VALID),
        ("The strain was D8 [R1.C4].", "not said: D4 at R1.C4"),
    ],
)
def test_signs_scales_and_names_with_digits_are_held_against_the_cell(text: str, status: str) -> None:
    assert read_cell_citations(text, BALANCES)[2] == status


@pytest.mark.parametrize("digits", ["9" * 5_000, f"0.{'3' * 5_000}", f"{'9' * 400} million"])
def test_numbers_beyond_measure_are_held_against_the_cell_as_others_are(digits: str) -> None:
    assert read_cell_citations(f"There were {digits} [R1.C3; R2.C3].", ALL)[2] != VALID
    table = Table("t", "", ("Name", "Count"), (cells("Quebec", digits), cells("Ontario", "53")))
    shown = ShownTable(table, (0, 1), (0, 1))
    assert read_cell_citations("There were 53 [R2.C2; R1.C2].", shown)[2] == VALID
