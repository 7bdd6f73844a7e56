"""Links of what is given of rows, or not: `no co-star is named`, `has neither dates nor comments`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from evidence_assets.tables.programs.index.columns.untold_cells import tells_nothing, tells_of_nothing
from evidence_assets.tables.programs.links.cells.denied_modifiers import LACKING
from evidence_assets.tables.programs.links.cells.flag_links import NONE
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, LinkedClaim
from evidence_assets.tables.programs.wording.words import ARTICLES
from evidence_assets.tables.table import Cell, Kind
from evidence_assets.text.words import word_set, words


def given_links(linked: LinkedClaim) -> list[Link]:
    """Return the links of a claim that says whether a cell is filled: those that are, or that are not."""
    if linked.said.isdisjoint(_TELLING):
        return []
    links: list[Link] = []
    for heads in _listed(linked):
        opened = list(_opened(linked, heads))
        links += opened
        if not opened:
            links += [link for head in heads for link in _said_behind(linked, head)]
    return links


def _listed(linked: LinkedClaim) -> Iterator[list[HeaderLink]]:
    """Yield the headers of one column each, those that a claim lists together: `dates nor comments`."""
    label = linked.index.table.label_column
    of_no_value = {label, *linked.index.flags}
    heads = [
        head for head in linked.headers if len(head.columns) == 1 and head.columns.isdisjoint(of_no_value)
    ]
    listed: list[HeaderLink] = []
    for head in sorted(heads, key=lambda head: head.start):
        between = linked.texts[listed[-1].end : head.start] if listed else ()
        if listed and not _JOINTS.isdisjoint(between) and _BETWEEN.issuperset(between):
            listed.append(head)
            continue
        if listed:
            yield listed
        listed = [head]
    if listed:
        yield listed


def _is_named(linked: LinkedClaim, head: HeaderLink) -> bool:
    """Return whether a claim says a header's own noun, in the singular or the plural: of Winner no `win`."""
    name = {word.removesuffix("s") for word in words(linked.index.table.header[min(head.columns)].lower())}
    return linked.texts[head.end - 1].removesuffix("s") in name


def _opened(linked: LinkedClaim, heads: Sequence[HeaderLink]) -> Iterator[Link]:
    """Yield the links of headers before which it stands that a row has them, or not: `lacks both A and B`."""
    place = heads[0].start - 1
    while place > 0 and linked.texts[place] in _PASSED_OVER:
        place -= 1
    is_filled = _says_filled(linked, place, heads)
    if place and linked.texts[place - 1 : place + 1] == ("available", "on"):
        # `Available on analogue`: what stands in that column says how.
        place, is_filled = place - 1, True
    if is_filled is None or not all(_is_named(linked, head) for head in heads):
        return
    for head in heads:
        column = min(head.columns)
        empty, filled = _empty_and_filled(linked, column, tells_of_nothing)
        start = place if head is heads[0] else _denied_from(linked, head)
        if not empty and (is_filled or linked.index.is_numeric(column)):
            # Where nothing is empty, what all rows have tells none of them apart.
            continue
        rows, condition = (filled, f"> {NONE}") if is_filled else (empty, f"{LACKING}told or {NONE}")
        yield Link.of_column(start, head.end, column, rows, condition)


def _denied_from(linked: LinkedClaim, head: HeaderLink) -> int:
    """Return where a header of a list begins, with what denies it again: of `A nor B`, `A and no B`."""
    before = range(max(0, head.start - _FEW_WORDS), head.start)
    return next((place for place in before if linked.texts[place] in _NO | {"nor"}), head.start)


def _says_filled(linked: LinkedClaim, place: int, heads: Sequence[HeaderLink]) -> bool | None:
    """Return whether a word says that rows have the headers behind it, or lack them; None where neither.

    Not where what they have is said, or how much: `has a town of 300`, `has no town named Osen`.
    """
    texts, text = linked.texts, linked.texts[max(0, place)]
    column, last = min(heads[-1].columns), heads[-1]
    is_told = not _GIVEN.isdisjoint(texts[place + 1 : heads[0].start])
    end = last.end + (texts[last.end : last.end + 1] in {(word,) for word in _OF_VALUES})
    ends = is_told or _ends(texts[end : end + 1])
    # `Bridges with notes have an architect.`
    ends = ends or (text in {"with", "without"} and texts[end : end + 1] in {("have",), ("be",)})
    if place < 0 or not ends or last.end in _starts(linked, column):
        return None
    before = texts[max(0, place - 2) : place]
    if text in _LACKING:
        return False
    if text in _NO:
        is_had = text == "without" or before == ("there", "be") or not _HAVING.isdisjoint(texts[:place])
        return False if is_had and not _is_given_behind(linked, last) else None
    is_amount = linked.index.is_numeric(column)
    fills = text in (_MAKING if is_amount else _HAVING) or (text in _HAVING and is_told)
    is_denied = text in _HAVING and before[-1:] and before[-1] in _DENYING
    return True if fills or is_denied else None


def _ends(behind: Sequence[str]) -> bool:
    return not behind or behind[0] in _ENDS


def _starts(linked: LinkedClaim, column: int) -> frozenset[int]:
    """Return where what cells of a column hold is said."""
    return frozenset(link.start for link in linked.links if column in link.places)


def _said_behind(linked: LinkedClaim, head: HeaderLink) -> Iterator[Link]:
    """Yield the link of what stands behind a header: that it is given, or yet to be, or blank."""
    column = min(head.columns)
    empty, filled = _empty_and_filled(linked, column, tells_nothing)
    texts = linked.texts
    for place in range(head.end, min(len(texts), head.end + _FAR)):
        if not empty or texts[place] in _MARKS:
            return
        before = texts[head.end : place]
        if texts[place] in _BLANK and before[-1:] == ("be",) and before[:1] in {("be",), ("of",), ("for",)}:
            yield Link.of_column(place, place + 1, column, empty, f"{LACKING}told or {NONE}")
            return
        if texts[place] not in _GIVEN:
            continue
        if before[-2:] == ("to", "be") and not _STILL.isdisjoint(before):
            start = next(n for n in range(head.end, place) if texts[n] in _STILL)
            yield Link.of_column(start, place + 1, column, empty, f"{LACKING}told or {NONE}")
        elif _is_given(linked, head, place):
            yield Link.of_column(place, place + 1, column, filled, f"> {NONE}")
        return


def _is_given(linked: LinkedClaim, head: HeaderLink, place: int) -> bool:
    """Return whether a participle says of a header that its cell tells something: `is given`, `listed`.

    Not where it says what that is: `is given as 20`, `is named Una`.
    """
    texts = linked.texts
    column = min(head.columns)
    kinds = {cell.value.kind for cell in linked.index.table.column(column)}
    is_count = linked.index.is_numeric(column) and Kind.RANGE not in kinds
    is_count = is_count and column not in linked.index.times
    if is_count and texts[head.end - 1].endswith("s") and texts[max(0, head.start - 1)] == "no":
        # Where no injuries are recorded there were none.
        return False
    before = [text for text in texts[head.end : place] if text not in _ADVERBS]
    starts = {link.start for link in linked.links}
    says_what = texts[place + 1 : place + 2] in (("as",), ("by",), ("to",)) or place + 1 in starts
    return not says_what and (place == head.end or before[-1:] == ["be"])


def _is_given_behind(linked: LinkedClaim, head: HeaderLink) -> bool:
    behind = linked.texts[head.end : head.end + _FEW_WORDS]
    return behind[:1] == ("be",) and not _GIVEN.isdisjoint(behind[1:])


def _empty_and_filled(
    linked: LinkedClaim, column: int, is_empty: Callable[[Cell], bool]
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the rows whose cell of a column is empty, and the others; sums of rows are neither."""
    index = linked.index
    rows = index.rows - index.summaries
    empty = frozenset(row for row in rows if is_empty(index.table.rows[row][column]))
    return empty, rows - empty


_GIVEN = word_set("""
    given listed named noted mentioned recorded stated shown specified provided known indicated reported
    documented available confirmed announced disclosed published
""")
_BLANK = word_set("unknown blank missing empty unlisted unrecorded unspecified unconfirmed")
_STILL = word_set("yet still remain remains remained")
_ADVERBS = frozenset({"not", "ever", "never", "yet", "been"})
_MARKS = frozenset({".", ",", ";"})
_FAR, _FEW_WORDS = 8, 3
_LACKING = word_set("lack lacks lacked lacking missed miss misses missing")
_NO = frozenset({"no", "without", "neither"})
_HAVING, _DENYING = frozenset({"have", "with"}), frozenset({"not", "never"})
# Who made the charts has a place in them.
_MAKING = word_set("made make makes entered enter enters")
_TELLING = _GIVEN | _BLANK | _LACKING | _MAKING | _HAVING | {"without", "no"}
# What stands between such a word and the header, or between two headers of a list.
_PASSED_OVER = ARTICLES | _GIVEN | {"any", "both", "single", "other", "either"}
_OF_VALUES = word_set("number numbers count name names figure figures")
_JOINTS = frozenset({"and", "or", "nor"})
_BETWEEN = _JOINTS | _PASSED_OVER | _OF_VALUES | {",", "no", "without"}
# What ends what is said of a header, which else says what it holds: `a town of 300`, `no town named Osen`.
_ENDS = word_set(". , ; and or but nor while for in on at though although yet")
