"""Links of what a list of results tells by marks: `qualified` of Q, `a personal best` of PB, `finished`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence_assets.tables.programs.index.columns.untold_cells import OUT_OF_A_CONTEST
from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.programs.links.cells.denied_modifiers import LACKING
from evidence_assets.tables.programs.links.cells.flag_links import NONE
from evidence_assets.tables.programs.links.linking import Link, LinkedClaim
from evidence_assets.tables.programs.wording.words import phrase_at
from evidence_assets.tables.table import Table
from evidence_assets.text.words import word_set

# Marks of results in athletics, swimming and rowing.
_MARKS = OUT_OF_A_CONTEST | word_set("q qa qb qr sb pb nr wr or cr ar gr er mr wl nl jr nm")
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
_SETTING = word_set("set sets swam ran rowed posted recorded clocked achieved threw jumped broke with")
_MISSING = word_set("missed off outside short")
_PARTS = re.compile(r"[\s,;/]+")


def result_marks(linked: LinkedClaim) -> list[Link]:
    """Return the links of words that a mark stands for, to the rows that have it; the others have it not."""
    return [*_qualified(linked), *_finished(linked)]


def _qualified(linked: LinkedClaim) -> list[Link]:
    table, column = linked.index.table, _column_of_marks(linked.index.table)
    links: list[Link] = []
    for place, text in enumerate(linked.texts if column is not None else ()):
        best = _best_set(linked.texts, place)
        mark = "q" if text in _QUALIFIED else best
        rows = frozenset(row for row in linked.index.rows if mark in _marks_of(table, row, column))
        if mark is not None and rows:
            end = place + 1 + (best is not None)
            links.append(Link.of_column(place, end, column or 0, rows, f"{mark.upper()} > {NONE}"))
    return links


def _best_set(texts: Sequence[str], place: int) -> str | None:
    """Return the mark of a best that is said to have been set, `swam a personal best`; None of others."""
    best = _BESTS.get((texts[place], "".join(texts[place + 1 : place + 2]).removesuffix("s")))
    is_set = not _SETTING.isdisjoint(texts[:place]) and _MISSING.isdisjoint(texts[:place])
    return best if is_set and texts[place + 2 : place + 3] != ("be",) else None


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


def _finished(linked: LinkedClaim) -> list[Link]:
    """Return the links of who finished, and who dropped out, where marks tell that some did not finish."""
    out = _out_of_the_contest(linked.index.table)
    if not out:
        return []
    column = max(sorted(out), key=lambda column: len(out[column]))
    rows_out = frozenset[int]().union(*out.values()) & linked.index.rows
    links: list[Link] = []
    for start in range(len(linked.texts)):
        if links and start < links[-1].end:
            continue
        dropped = phrase_at(linked.texts, start, _DROPPING_OUT)
        finished = phrase_at(linked.texts, start, _FINISHING)
        if not _ends(linked.texts, start + len(dropped or finished)):
            continue
        rows = rows_out if dropped else linked.index.rows - linked.index.summaries - rows_out
        if dropped or finished:
            end = start + len(dropped or finished)
            condition = f"{LACKING}finished or {NONE}" if dropped else f"finished > {NONE}"
            links.append(Link.of_column(start, end, column, rows, condition))
    return links


def _ends(texts: Sequence[str], end: int) -> bool:
    """Return whether nothing is said of how somebody finished: not `third`, `ahead of`, `in 2004`."""
    return not texts[end : end + 1] or texts[end] in _CLOSING


def _is_out(marks: frozenset[str]) -> bool:
    """Return whether a cell is a mark of who did not finish, alone or beside another: `DNF`, `DNF 2`.

    A text that says `retired` among other words tells something else.
    """
    return len(marks) <= _FEW_WORDS and any(
        mark in OUT_OF_A_CONTEST and (len(marks) == 1 or len(mark) <= _LONGEST_MARK) for mark in marks
    )


_FEW_WORDS, _LONGEST_MARK = 3, 3


@kept_for_tables
def _out_of_the_contest(table: Table) -> dict[int, frozenset[int]]:
    """Return the rows of those who did not finish, or did not start, by the column that says so."""
    every = range(len(table.rows))
    rows = {
        column: frozenset(row for row in every if _is_out(_marks_of(table, row, column)))
        for column in range(table.columns)
    }
    return {column: told for column, told in rows.items() if told}


_DROPPING_OUT = (
    ("failed", "to", "finish"),
    ("fail", "to", "finish"),
    ("dropped", "out"),
    ("drop", "out"),
    ("withdrew",),
    ("abandoned",),
    ("retired",),
)
_FINISHING = (
    ("made", "it", "to", "the", "finish"),
    ("reached", "the", "finish"),
    ("reach", "the", "finish"),
    ("crossed", "the", "finish", "line"),
    ("finished",),
    ("finish",),
    ("completed",),
)
_CLOSING = word_set(". , ; the it this that both all and but or nor at")
