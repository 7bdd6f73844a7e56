"""What stands together in a row: by row, by list, by clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.reading import Reading
from evidence_assets.tables.programs.words import word_set

_CLAUSE = word_set("while but whereas and ;")
_LIST_MARKS = word_set("and or , the a be & both also with in on")


@dataclass(frozen=True)
class Together:
    """Whether values stand together. `rows`: where. `way`: by row, list or clause."""

    supported: bool
    way: str
    rows: frozenset[int]


def together(reading: Reading, links: tuple[Link, ...]) -> Together | None:
    """Return whether links stand together in a row, or, listed or split by clause, in a row each."""
    if not links:
        return None
    rows = common_rows(links)
    if rows:
        return Together(True, "row", rows)
    listed = _by_list(reading, links)
    if listed is not None:
        return listed
    split = _by_clause(reading, links)
    if split is not None:
        return split
    strong = tuple(link for link in links if not is_weak(link))
    if 1 < len(strong) < len(links) and common_rows(strong):
        return Together(True, "row but for a word", common_rows(strong))
    return Together(False, "row", frozenset())


def is_weak(link: Link) -> bool:
    """Return whether a link is of one word of a longer cell."""
    return link.words == 1 and link.number is None and not link.full and bool(link.places)


def common_rows(links: tuple[Link, ...]) -> frozenset[int]:
    """Return the rows that every link has a cell in."""
    if not links:
        return frozenset()
    found = links[0].rows if links[0].places else frozenset()
    for link in links[1:]:
        found &= link.rows if link.places else frozenset()
    return found


def rows_of(links: Sequence[Link]) -> frozenset[int]:
    """Return the rows that meet all links; links of one column are alternatives where none meets all."""
    rows = common_rows(tuple(links))
    if rows or not links:
        return rows
    by_column: dict[frozenset[int], frozenset[int]] = {}
    for link in links:
        columns = frozenset(link.places)
        by_column[columns] = by_column.get(columns, frozenset()) | link.rows
    kept = list(by_column.values())
    rows = kept[0]
    for other in kept[1:]:
        rows &= other
    return rows


def lists(reading: Reading, links: tuple[Link, ...]) -> list[list[int]]:
    """Return the groups of links that the claim lists side by side, from one column."""
    groups: list[list[int]] = []
    for at in range(1, len(links)):
        one, two = links[at - 1], links[at]
        gap = reading.tokens[one.end : two.start]
        joined = all(token.key in _LIST_MARKS for token in gap) and len(gap) <= 3 and len(gap) > 0
        shared = one.places.keys() & two.places.keys()
        if not joined or not shared or one.rows & two.rows:
            continue
        if groups and groups[-1][-1] == at - 1:
            groups[-1].append(at)
        else:
            groups.append([at - 1, at])
    return groups


def _by_list(reading: Reading, links: tuple[Link, ...]) -> Together | None:
    zipped = _zipped(links)
    if zipped is not None:
        return zipped
    groups = lists(reading, links)
    if not groups:
        return None
    inside = {at for group in groups for at in group}
    rest = [link for at, link in enumerate(links) if at not in inside]
    if len(groups) == 1:
        cases = [[links[at]] for at in groups[0]]
    elif len({len(group) for group in groups}) == 1:
        cases = [[links[at] for at in pick] for pick in zip(*groups, strict=True)]
    else:
        return None
    found: set[int] = set()
    for case in cases:
        rows = common_rows((*case, *rest))
        if not rows:
            return Together(False, "list", frozenset())
        found |= rows
    return Together(True, "list", frozenset(found))


def _zipped(links: tuple[Link, ...]) -> Together | None:
    """Return that links of two columns stand together pair by pair, in order; None where they do not."""
    by_column: dict[frozenset[int], list[Link]] = {}
    for link in links:
        if link.bound:
            continue
        by_column.setdefault(frozenset(link.places), []).append(link)
    several = [group for group in by_column.values() if len(group) > 1]
    if len(several) < 2 or len({len(group) for group in several}) > 1:
        return None
    inside = {id(link) for group in several for link in group}
    rest = [link for link in links if id(link) not in inside]
    found: set[int] = set()
    for pair in zip(*several, strict=True):
        rows = common_rows((*pair, *rest))
        if not rows:
            return None
        found |= rows
    return Together(True, "list", frozenset(found))


def _by_clause(reading: Reading, links: tuple[Link, ...]) -> Together | None:
    parts: list[list[Link]] = [[]]
    last = links[0]
    for link in links:
        gap = reading.tokens[last.end : link.start] if link is not last else ()
        conflict = parts[-1] and not common_rows((*parts[-1], link))
        if conflict and any(token.key in _CLAUSE for token in gap):
            parts.append([])
        parts[-1].append(link)
        last = link
    if len(parts) == 1:
        return None
    found: set[int] = set()
    subject = next((one for one in reading.linked.links if one.start == parts[0][0].start), parts[0][0])
    for number, part in enumerate(parts):
        full = part
        if number and len(part) == 1:
            full = [subject, *part] if not part[0].places.keys() & subject.places.keys() else part
            if len(full) == 1:
                return Together(False, "clause", frozenset())
        rows = common_rows(tuple(full))
        if not rows:
            return Together(False, "clause", frozenset())
        found |= rows
    return Together(True, "clause", frozenset(found))
