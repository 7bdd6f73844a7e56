"""Numbers in brackets: losses where bare numbers stand around them, else of no known sign."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.table import Kind, Table

NOTE = "numbers in brackets among bare ones, read as negative: {}"


def theatres() -> Table:
    rows = [
        ["Old Mill", "410", "380", "(30)"],
        ["Lyceum", "1,500", "1,525", "25"],
        ["Playhouse", "720", "720", "0"],
        ["Arena", "(95)", "12", "107"],
    ]
    return make_table("theatres", "Surplus (£000)", [["Theatre", "2021", "2022", "Movement"]], rows)


def numbers(header: list[str], *rows: list[str]) -> list[list[float | None]]:
    table = make_table("t", "", [header], rows)
    return [[cell.value.number for cell in row[1:]] for row in table.rows]


def test_a_number_in_brackets_among_bare_ones_is_negative() -> None:
    table = theatres()
    assert [row[3].value.number for row in table.rows] == [-30, 25, 0, 107]
    assert table.rows[3][1].value.number == -95
    assert table.rows[0][3].text == "(30)"
    assert NOTE.format(2) in table.notes


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Old Mill had the lowest movement.", True),
        ("Playhouse had the lowest movement.", False),
        ("The movement of Old Mill was -30.", True),
        ("Arena had the lowest 2021.", True),
    ],
)
def test_claims_are_held_against_losses(claim: str, supported: bool) -> None:
    assert verify(claim, theatres()).supported is supported


def test_a_loss_does_not_bear_out_its_size() -> None:
    assert verify("The movement of Old Mill was 30.", theatres()).supported is not True
    assert answer("Which theatre had the lowest movement?", theatres()).values == ("Old Mill",)


@pytest.mark.parametrize("cell", ["(3.5%)", "(3.5)%", "(3.5) %"])
def test_a_share_in_brackets_is_negative_among_shares(cell: str) -> None:
    assert numbers(["Crop", "Area", "Change"], ["Rye", "40", cell], ["Oats", "30", "2%"])[0][1] == -3.5


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        (["", "Model 1", "Model 2"], [["Age", "0.52", "0.61"], ["", "(0.11)", "(0.09)"], ["N", "90", "88"]]),
        (["Answer", "Share", "Count"], [["Yes", "62%", "(31)"], ["No", "38%", "(19)"]]),
        (["Item", "Amount"], [["Sales", "900"], ["Wages", "(400)"], ["Left", "500"]]),
        (["Item", "Note", "Amount"], [["Sales", "2", "900"], ["Wages", "3", "(400)"], ["Left", "", "500"]]),
        (["Boat", "Race 1", "Race 2", "Race 3"], [["Kite", "1", "(4)", "2"], ["Gull", "(3)", "1", "1"]]),
        (["Site", "Before", "Shift"], [["A", "90", "(4)"], ["B", "80", "-2"], ["C", "70", "5"]]),
    ],
    ids=["errors", "counts", "costs", "costs with notes", "discards", "beside minus signs"],
)
def test_else_a_number_in_brackets_has_no_sign(header: list[str], rows: list[list[str]]) -> None:
    table = make_table("t", "", [header], rows)
    cells = [cell for row in table.rows for cell in row if cell.text.startswith("(")]
    assert {(cell.value.kind, cell.value.number) for cell in cells} == {(Kind.MIXED, None)}
    assert not any("brackets" in note for note in table.notes)


def test_a_number_of_no_known_sign_takes_no_part_in_extremes() -> None:
    table = make_table("t", "", [["Item", "Amount"]], [["Sales", "900"], ["Wages", "(400)"], ["Left", "500"]])
    assert verify("Wages had the lowest amount.", table).supported is not True
    assert verify("The amount of wages was 400.", table).supported is not False
