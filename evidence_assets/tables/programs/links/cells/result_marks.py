"""Links of what a list of results tells by a mark: `qualified` of Q, `a personal best` of PB."""

from __future__ import annotations

import re

from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.programs.links.cells.flag_links import NONE
from evidence_assets.tables.programs.links.linking import Link, LinkedClaim
from evidence_assets.tables.table import Table
from evidence_assets.text.words import word_set

# Marks of results in athletics, swimming and rowing, and those that only say how somebody qualified.
_MARKS = word_set("q qa qb qr sb pb nr wr or cr ar gr er mr wl nl jr dnf dns dsq dq nm")
_QUALIFIED = word_set("""
    qualify qualifies qualified advance advances advanced progress progresses progressed
""")
_BESTS = {
    ("season", "best"): "sb",
    ("seasonal", "best"): "sb",
    ("personal", "best"): "pb",
    ("national", "record"): "nr",
    ("world", "record"): "wr",
    ("olympic", "record"): "or",
    ("championship", "record"): "cr",
    ("games", "record"): "gr",
}
_PARTS = re.compile(r"[\s,;/]+")


def result_marks(linked: LinkedClaim) -> list[Link]:
    """Return the links of words that a mark stands for, to the rows that have it; the others have it not."""
    column = _column_of_marks(linked.index.table)
    links: list[Link] = []
    for place, text in enumerate(linked.texts if column is not None else ()):
        best = _BESTS.get((text, "".join(linked.texts[place + 1 : place + 2]).removesuffix("s")))
        mark = "q" if text in _QUALIFIED else best
        rows = frozenset(
            row for row in linked.index.rows if mark in _marks_of(linked.index.table, row, column)
        )
        if mark is not None and rows:
            end = place + 1 + (best is not None)
            links.append(Link.of_column(place, end, column or 0, rows, f"{mark.upper()} > {NONE}"))
    return links


def _marks_of(table: Table, row: int, column: int | None) -> frozenset[str]:
    text = "" if column is None else table.rows[row][column].text.strip().lower()
    return frozenset(_PARTS.split(text)) if text else frozenset()


@kept_for_tables
def _column_of_marks(table: Table) -> int | None:
    """Return the only column whose cells hold marks of results, or nothing; None without one."""
    columns = []
    for column in range(table.columns):
        marks = [_marks_of(table, row, column) for row in range(len(table.rows))]
        if any(marks) and all(of_row <= _MARKS for of_row in marks):
            columns.append(column)
    return columns[0] if len(columns) == 1 else None
