"""Links of what is given of rows, or not: `no co-star is named`, `lacks a number`, `made the charts`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from evidence_assets.tables.programs.index.columns.untold_cells import tells_nothing
from evidence_assets.tables.programs.links.cells.denied_modifiers import LACKING
from evidence_assets.tables.programs.links.cells.flag_links import NONE
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, LinkedClaim
from evidence_assets.tables.programs.wording.words import ARTICLES
from evidence_assets.text.words import word_set


def given_links(linked: LinkedClaim) -> list[Link]:
    """Return the links of a claim that says whether a cell is filled: those that are, or that are not."""
    links: list[Link] = []
    if linked.said.isdisjoint(_TELLING):
        return links
    for head in linked.headers:
        column = min(head.columns)
        empty = frozenset(
            row
            for row in linked.index.rows - linked.index.summaries
            if tells_nothing(linked.index.table.rows[row][column])
        )
        if len(head.columns) > 1 or column == linked.index.table.label_column or not empty:
            continue
        filled = linked.index.rows - linked.index.summaries - empty
        links += [
            Link.of_column(place, place + 1, column, filled, f"> {NONE}") for place in _given(linked, head)
        ]
        links += [
            Link.of_column(place, head.end, column, empty, f"{LACKING}told or {NONE}")
            for place in _before(linked, head, _LACKING)
        ]
        links += [
            Link.of_column(place, head.end, column, filled, f"> {NONE}")
            for place in _before(linked, head, _MAKING)
            if linked.index.is_numeric(column)
        ]
        links += [
            Link.of_column(place, head.end, column, filled, f"> {NONE}")
            for place in _before(linked, head, _HAVING)
            if linked.texts[place - 1] in _DENYING
        ]
    return links


def _given(linked: LinkedClaim, head: HeaderLink) -> Iterator[int]:
    """Yield where a participle behind a header says that its cell tells something: `is given`, `listed`.

    Not where it says what that is: `is given as 20`, `is named Una`.
    """
    texts = linked.texts
    is_plural = texts[head.end - 1].endswith("s")
    if is_plural and texts[max(0, head.start - 1)] == "no" and linked.index.is_numeric(min(head.columns)):
        # Where no injuries are recorded there were none.
        return
    starts = {link.start for link in linked.links}
    for place in range(head.end, min(len(texts), head.end + _FAR)):
        if texts[place] in _MARKS:
            return
        if texts[place] not in _GIVEN:
            continue
        before = [text for text in texts[head.end : place] if text not in _PASSED_OVER]
        says_what = texts[place + 1 : place + 2] in (("as",), ("by",), ("to",)) or place + 1 in starts
        if not says_what and (place == head.end or before[-1:] == ["be"]):
            yield place
        return


_GIVEN = word_set("""
    given listed named noted mentioned recorded stated shown specified provided known indicated reported
    documented available
""")
_PASSED_OVER = frozenset({"not", "ever", "never", "yet", "been"})
_MARKS = frozenset({".", ",", ";"})
_FAR = 8


def _before(linked: LinkedClaim, head: HeaderLink, verbs: Collection[str]) -> Iterator[int]:
    """Yield where a verb stands before a header, of which it says that a row is in it, or not."""
    place = head.start - 1
    while place > 0 and linked.texts[place] in ARTICLES | {"any"}:
        place -= 1
    if place >= 0 and linked.texts[place] in verbs:
        yield place


_LACKING = word_set("lack lacks lacked lacking missed miss misses missing")
# Of who does not have a number.
_HAVING, _DENYING = frozenset({"have"}), frozenset({"not", "never"})
# Who made the charts has a place in them.
_MAKING = word_set("made make makes entered enter enters")
_TELLING = _GIVEN | _LACKING | _MAKING | _HAVING
