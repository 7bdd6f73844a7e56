"""Columns of where something comes from and of where it goes to, which `from` and `to` bind a name to."""

from __future__ import annotations

from dataclasses import replace

from evidence_assets.tables.programs.index.kept import kept_for_indexes
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, LinkedClaim
from evidence_assets.tables.programs.wording.words import ARTICLES, word_keys
from evidence_assets.tables.programs.wording.words_of_time import BEGINNING, ENDING
from evidence_assets.text.roots import root

# Words of headers that mean the same, as keys.
_MEANT = {
    "from": word_keys("origin start source sender departure seller"),
    "to": word_keys("destination end target recipient arrival terminus buyer"),
}


def directed(
    linked: LinkedClaim, links: list[Link], anchors: dict[int, HeaderLink]
) -> tuple[list[Link], dict[int, HeaderLink]]:
    """Return links and their headers, each name behind `from` or `to` in the column of that direction alone.

    A name that this column does not have is in no row of it: `from Basel` where all trains go there.
    """
    columns = _columns(linked.index)
    if not columns:
        return links, anchors
    bound, anchors = [], dict(anchors)
    for link in links:
        before = link.start - 1
        if before > 0 and linked.tokens[before].text in ARTICLES:
            before -= 1
        column = columns.get(_direction(linked, before)) if before >= 0 else None
        if column is None or link.number is not None or link.places.keys().isdisjoint(columns.values()):
            bound.append(link)
            continue
        head = HeaderLink(before, before + 1, frozenset({column}), 1.0)
        linked.headers = sorted([*linked.headers, head], key=lambda item: item.start)
        anchors[link.start] = head
        rows = {column: link.places.get(column, frozenset())}
        bound.append(replace(link, places=rows, full=frozenset(rows)))
    return bound, anchors


def _direction(linked: LinkedClaim, position: int) -> str:
    """Return `from` or `to` where that stands at a position, or `at` behind a verb that says it."""
    text = linked.tokens[position].text
    if text not in {"at", "in"} or not position:
        return text
    return _SAID_BY.get(root(linked.tokens[position - 1].text), text)


# Roots of verbs of where something comes from, or goes to: `started at A and ended at B`.
_SAID_BY = {
    **dict.fromkeys(map(root, BEGINNING | {"depart", "originate"}), "from"),
    **dict.fromkeys(map(root, ENDING | {"arrive", "terminate"}), "to"),
}


@kept_for_indexes
def _columns(index: TableIndex) -> dict[str, int]:
    """Return the column of names of each direction; none unless the table tells both."""
    columns = {
        word: column
        for word, meant in _MEANT.items()
        if (column := _only_column(index, word, meant)) is not None
    }
    return columns if len(set(columns.values())) == len(_MEANT) else {}


def _only_column(index: TableIndex, word: str, meant: frozenset[str]) -> int | None:
    names = [
        column
        for column in range(index.table.columns)
        if not index.is_numeric(column) and column not in {*index.dated, *index.clocks}
    ]
    said = [c for c in names if word in (index.table.header[c].lower().split() or [""])[-1:]]
    alike = said or [c for c in names if not meant.isdisjoint(index.headers[c])]
    return alike[0] if len(alike) == 1 else None
