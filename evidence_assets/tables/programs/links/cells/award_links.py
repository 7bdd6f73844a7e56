"""Links of verbs that say who won what others were nominated for: `took home`, `picked up`."""

from __future__ import annotations

from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.programs.links.linking import Link, LinkedClaim
from evidence_assets.tables.programs.wording.words import phrase_at
from evidence_assets.tables.table import Kind, Table
from evidence_assets.text.words import word_set

_WINNING = tuple(
    tuple(phrase.split())
    for phrase in (
        "picked up",
        "pick up",
        "picks up",
        "took home",
        "take home",
        "takes home",
        "brought home",
        "walked away with",
        "walk away with",
        "came away with",
    )
)
_NO_AWARDS = word_set("nod nods mention mentions shortlist shortlisted place places")
_WON, _NOMINATED = word_set("won win winner"), word_set("nominated nominee nomination")


def award_links(linked: LinkedClaim) -> list[Link]:
    """Return the link of what says that an award was won to the rows that say so, where others lost it.

    Not where the claim tells the outcome besides: `picked up a nomination`.
    """
    column = _column_of_outcomes(linked.index.table)
    if column is None or any(column in link.places for link in linked.links):
        return []
    if any(text.startswith("nominat") or text in _NO_AWARDS for text in linked.texts):
        return []
    cells = linked.index.table.column(column)
    won = frozenset(row for row in linked.index.rows if _first_word(cells[row].text) in _WON)
    for start in range(len(linked.texts)):
        phrase = phrase_at(linked.texts, start, _WINNING)
        if phrase:
            return [Link(start, start + len(phrase), {column: won}, frozenset({column}), 1)]
    return []


@kept_for_tables
def _column_of_outcomes(table: Table) -> int | None:
    """Return the only column that says of each row whether it won or was only nominated; None without one."""
    columns = []
    for column in range(table.columns):
        filled = [cell for cell in table.column(column) if cell.value.kind is not Kind.EMPTY]
        outcomes = {_first_word(cell.text) for cell in filled}
        of_outcomes = sum(_first_word(cell.text) in _WON | _NOMINATED for cell in filled)
        if outcomes & _WON and outcomes & _NOMINATED and of_outcomes >= _MOSTLY * len(filled):
            columns.append(column)
    return columns[0] if len(columns) == 1 else None


_MOSTLY = 0.8


def _first_word(text: str) -> str:
    return (text.lower().split() or [""])[0].strip(".,;:*")
