"""Numbers that look like years, of columns that are of amounts."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.questions.answering import answer


def _table(header: str, cells: list[str]) -> tuple[bool, str]:
    """Return whether a column of cells is one of years, and the sum of them by a question."""
    rows = [[name, cell] for name, cell in zip(("Aden", "Brine", "Colby"), cells, strict=True)]
    table = make_table(header, "Offices", [["Office", header]], rows)
    total = answer(f"What is the total of {header.partition(' (')[0].lower()}?", table)
    return 1 in index_of(table).years, "".join(total.values)


@pytest.mark.parametrize(
    ("header", "cells", "total"),
    [
        ("Lowest salary (€)", ["1900", "2100", "1800"], "5800"),
        ("Copies", ["8400", "2100", "1900"], "12400"),
    ],
)
def test_amounts_are_no_years(header: str, cells: list[str], total: str) -> None:
    assert _table(header, cells) == (False, total)


@pytest.mark.parametrize("header", ["Opened", "Opened (UK)", "Year (m)"])
def test_years_stay_years_whatever_stands_in_brackets(header: str) -> None:
    assert _table(header, ["1900", "1950", "1987"])[0]
