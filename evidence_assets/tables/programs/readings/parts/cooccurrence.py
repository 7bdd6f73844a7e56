"""Co-occurrence of values in rows: in one row, list item by list item, or clause by clause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from evidence_assets.tables.programs.grammar.row_programs import Either, Where
from evidence_assets.tables.programs.grammar.types import Rows
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, is_weak
from evidence_assets.text.words import word_set

_CLAUSE = word_set("while but whereas and ;")
_LIST_MARKS = word_set("and or nor , the a be & both also with in on")


@dataclass(frozen=True)
class Cooccurrence:
    """Links that must each time share a row. `way`: by row, list or clause."""

    way: str
    cases: tuple[tuple[Link, ...], ...]


def find_cooccurrence(claim: GroundedClaim, links: tuple[Link, ...]) -> Cooccurrence | None:
    """Return which links must share a row, or a row for each list item or clause; None without links."""
    if not links:
        return None
    if common_rows(links):
        return Cooccurrence("row", (links,))
    listed = _by_list(claim, links)
    if listed is not None:
        return listed
    split = _by_clause(claim, links)
    if split is not None:
        return split
    strong = tuple(link for link in links if not is_weak(link))
    if 1 < len(strong) < len(links) and common_rows(strong):
        return Cooccurrence("row but for a word", (strong,))
    return Cooccurrence("row", (links,))


def common_rows(links: tuple[Link, ...]) -> frozenset[int]:
    """Return the rows that every link has a cell in."""
    if not links:
        return frozenset()
    rows = links[0].rows if links[0].places else frozenset()
    for link in links[1:]:
        rows &= link.rows if link.places else frozenset()
    return rows


def rule_each_other_out(links: Iterable[Link]) -> bool:
    """Return whether two names are of one column alone and of different rows.

    No row could hold both, whatever a claim says of the two: `Merle outflies Dunlin`.
    """
    names = [link for link in links if link.number is None and not link.bound and len(link.places) == 1]
    return any(
        first.places.keys() == second.places.keys() and not first.rows & second.rows
        for first, second in combinations(names, 2)
    )


def alternatives(parts: Sequence[Where]) -> list[Rows]:
    """Return parts that are to be met: where no row meets all, those of the same columns as alternatives."""
    if len(parts) < 2 or common_rows(tuple(part.link for part in parts)):
        return list(parts)
    by_column: dict[frozenset[int], list[Where]] = {}
    for part in parts:
        by_column.setdefault(frozenset(part.link.places), []).append(part)
    return [group[0] if len(group) == 1 else Either(tuple(group)) for group in by_column.values()]


def enumerations(claim: GroundedClaim, links: tuple[Link, ...]) -> list[list[int]]:
    """Return the groups of links, by place, that the claim enumerates from one column."""
    groups: list[list[int]] = []
    for place in range(1, len(links)):
        left, right = links[place - 1], links[place]
        shared = left.places.keys() & right.places.keys()
        # `Version 4.0 and version 4.2` says the column twice.
        header_keys = {key for column in shared for key in claim.index.headers[column]}
        gap = claim.tokens[left.end : right.start]
        joined = all(token.key in _LIST_MARKS | header_keys for token in gap) and 0 < len(gap) <= 3
        if not joined or not shared or left.rows & right.rows:
            continue
        if groups and groups[-1][-1] == place - 1:
            groups[-1].append(place)
        else:
            groups.append([place - 1, place])
    return groups


def _by_list(claim: GroundedClaim, links: tuple[Link, ...]) -> Cooccurrence | None:
    zipped = _zipped(links)
    if zipped is not None:
        return zipped
    groups = enumerations(claim, links)
    if not groups:
        return None
    listed = {place for group in groups for place in group}
    unlisted = tuple(link for place, link in enumerate(links) if place not in listed)
    if len(groups) == 1:
        cases = [(links[place],) for place in groups[0]]
    elif len({len(group) for group in groups}) == 1:
        cases = [tuple(links[place] for place in pick) for pick in zip(*groups, strict=True)]
    else:
        return None
    return Cooccurrence("list", tuple((*case, *unlisted) for case in cases))


def _zipped(links: tuple[Link, ...]) -> Cooccurrence | None:
    """Return the co-occurrence of the links of two columns pair by pair, in order; None without it."""
    by_column: dict[frozenset[int], list[Link]] = {}
    for link in links:
        if link.bound:
            continue
        by_column.setdefault(frozenset(link.places), []).append(link)
    several = [group for group in by_column.values() if len(group) > 1]
    if len(several) < 2 or len({len(group) for group in several}) > 1:
        return None
    paired_links = {id(link) for group in several for link in group}
    unpaired = tuple(link for link in links if id(link) not in paired_links)
    cases = tuple((*pair, *unpaired) for pair in zip(*several, strict=True))
    return Cooccurrence("list", cases) if all(map(common_rows, cases)) else None


def _by_clause(claim: GroundedClaim, links: tuple[Link, ...]) -> Cooccurrence | None:
    parts: list[list[Link]] = [[]]
    last = links[0]
    for link in links:
        gap = claim.tokens[last.end : link.start] if link is not last else ()
        conflict = parts[-1] and not common_rows((*parts[-1], link))
        if conflict and any(token.key in _CLAUSE for token in gap):
            parts.append([])
        parts[-1].append(link)
        last = link
    if len(parts) == 1:
        return None
    subject = next((link for link in claim.linked.links if link.start == parts[0][0].start), parts[0][0])
    cases = []
    for number, part in enumerate(parts):
        # A clause of a single value goes on about the first one's subject.
        cases.append((subject, *part) if number and len(part) == 1 else tuple(part))
    return Cooccurrence("clause", tuple(cases))
