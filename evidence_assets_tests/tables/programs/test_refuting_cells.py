"""What a refuted claim rests on: the cells of the row that it is of, in the columns it speaks of."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.grammar.refuting_cells import refuting_cells
from evidence_assets.tables.programs.grammar.row_programs import Meet, Where
from evidence_assets.tables.programs.grammar.truth_programs import Some
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.verdicts.verification import verify

SHOP = make_table(
    "shop",
    "Price list of a tool shop",
    [["Item", "Price (EUR)", "In stock", "Card payment"]],
    [
        ["Claw hammer", "18.90", "7", "yes"],
        ["Spirit level", "24.00", "3", "no"],
        ["Tape measure", "9.30", "21", "yes"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "cells"),
    [
        ("The tape measure costs more than 10 euros.", {(2, 0), (2, 1)}),
        ("The spirit level takes card payment.", {(1, 0), (1, 3)}),
        ("The claw hammer costs 9.30 euros.", {(0, 0), (0, 1)}),
        ("The claw hammer and the tape measure cost more than 20 euros.", {(0, 0), (0, 1), (2, 0), (2, 1)}),
    ],
)
def test_a_row_that_is_not_so_tells_what_it_is(claim: str, cells: set[tuple[int, int]]) -> None:
    verdict = verify(claim, SHOP)
    assert verdict.supported is False
    assert {cell for cell in verdict.cells if cell[0] >= 0} == cells
    assert {column for row, column in verdict.cells if row < 0} == {column for _, column in cells}


def test_what_is_borne_out_rests_on_what_it_used() -> None:
    verdict = verify("The tape measure costs 9.30 euros.", SHOP)
    assert verdict.supported is True
    assert {cell for cell in verdict.cells if cell[0] >= 0} == {(2, 0), (2, 1)}


@pytest.mark.parametrize(("rows", "cited"), [(3, 3), (9, 0)])
def test_where_no_row_is_nearer_than_many_none_is_cited(rows: int, cited: int) -> None:
    cells = [[f"Crate {number}", "5", "Vale"] for number in range(rows)]
    table = make_table("stock", "Stock", [["Crate", "Count", "Store"]], cells)
    in_vale = Where(Link.of_column(0, 1, 2, frozenset(range(rows)), ""), "vale")
    full = Where(Link.of_column(1, 2, 1, frozenset(), "> 10"), "")
    found = refuting_cells(Some(Meet((in_vale, full))), index_of(table))
    assert {row for row, _ in found} == set(range(cited))
    assert {column for _, column in found} == ({1, 2} if cited else set())


@pytest.mark.parametrize(
    ("claim", "cells"),
    [
        ("The claw hammer costs 9.30 euros and 7 are in stock.", {(0, 0), (0, 1), (0, 2)}),
        ("The spirit level and the tape measure cost more than 20 euros.", {(1, 0), (1, 1), (2, 0), (2, 1)}),
    ],
)
def test_of_several_things_said_those_that_fail_are_cited_too(
    claim: str, cells: set[tuple[int, int]]
) -> None:
    verdict = verify(claim, SHOP)
    assert verdict.supported is False
    assert {cell for cell in verdict.cells if cell[0] >= 0} == cells


def test_of_all_rows_those_that_have_it_not_are_cited() -> None:
    verdict = verify("All items cost more than 10 euros.", SHOP)
    assert verdict.supported is False
    assert (2, 1) in verdict.cells
