"""Points that part thousands, in tables whose decimal mark is a comma, and in no others."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

HEADER = ["Farm", "Harvest (kg)", "Area (ha)"]


def numbers(*rows: list[str]) -> list[float | None]:
    table = make_table("farms", "", [HEADER], rows)
    return [cell.value.number for row in table.rows for cell in row[1:]]


def test_a_comma_elsewhere_tells_that_points_part_thousands() -> None:
    rows = [["Aldea", "2.310", "2,5"], ["Brisa", "12.370*", "13,9"], ["Cerro", "1.234.500", "1,1"]]
    assert numbers(*rows) == [2310, 2.5, 12370, 13.9, 1234500, 1.1]
    table = make_table("farms", "", [HEADER], rows)
    assert table.rows[0][1].text == "2.310"
    assert "commas are decimal marks, so points part thousands, in cells: 3" in table.notes


@pytest.mark.parametrize(
    "cell",
    ["2.5", "0.250", "1,250", "12", "1,234.5", "12.03.2021"],
    ids=["a point", "less than one", "may be thousands", "no mark", "both marks", "a date"],
)
def test_else_a_lone_point_is_the_decimal_mark(cell: str) -> None:
    assert numbers(["Aldea", "2.310", cell])[0] == 2.31


def test_marks_that_contradict_leave_each_cell_to_itself() -> None:
    assert numbers(["Aldea", "2.310", "2,5"], ["Brisa", "1.5", "3"]) == [2.31, 2.5, 1.5, 3]


def test_both_marks_in_one_number_tell_of_the_others() -> None:
    assert numbers(["Aldea", "2.310", "1.480,25"]) == [2310, 1480.25]


def test_dates_and_texts_are_no_numbers() -> None:
    rows = [["Aldea 1.234 x", "12.03.2021", "2,5"]]
    table = make_table("farms", "", [HEADER], rows)
    assert table.rows[0][1] == make_table("farms", "", [HEADER], [[*rows[0][:2], "2"]]).rows[0][1]


def test_claims_are_held_against_thousands() -> None:
    table = make_table("farms", "", [HEADER], [["Aldea", "2.310", "2,5"], ["Brisa", "1.450", "1,8"]])
    assert verify("Aldea harvested 2,310 kg.", table).supported is True
    assert verify("Aldea harvested 2.31 kg.", table).supported is not True
