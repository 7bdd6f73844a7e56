"""Cells that tell nothing, or that something was not: empty ones, `unknown`, `not yet`, DNF."""

from __future__ import annotations

import re

from evidence_assets.tables.table import Cell, Kind


def tells_nothing(cell: Cell) -> bool:
    """Return whether a cell is empty, or says that nothing is known yet."""
    text = cell.text.strip().lower()
    return cell.value.kind is Kind.EMPTY or text in _UNTOLD or bool(_NOT_TOLD.fullmatch(text))


# What a cell says that tells nothing where others tell a value, besides those that are read as empty.
_UNTOLD = frozenset(
    {"unknown", "withheld", "not yet", "pending", "under investigation", "tba", "tbc", "tbd"}
    | {f"to be {word}" for word in ("announced", "confirmed", "decided", "determined")}
)
# `ISBN TBC` besides.
_NOT_TOLD = re.compile(
    r"(?:not|never)(?: yet)? "
    r"(?:known|told|stated|given|recorded|reported|measured|counted|published|disclosed)|"
    r"\w+ (?:tba|tbc|tbd)"
)


def tells_that_there_is_none(cell: Cell) -> bool:
    """Return whether a cell says that there is none of what its column tells: of warnings `None`, `–`."""
    return cell.text.strip().lower() in _NONE


_NONE = frozenset({"none", "no", "nil", "–", "-"})


def tells_of_nothing(cell: Cell) -> bool:
    """Return whether a cell is empty, or says that something was not: of when tools came back `not yet`."""
    return tells_nothing(cell) or cell.text.strip().lower() in _REFUSING


# Of who did not finish, did not start, was disqualified.
OUT_OF_A_CONTEST = frozenset({"dnf", "dns", "dnq", "dnp", "dsq", "dq", "ret", "retired", "disqualified"})
_REFUSING = OUT_OF_A_CONTEST | {"nothing", "none", "no", "never", "nil"}
