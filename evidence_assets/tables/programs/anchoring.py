"""Which of a claim's values are said of which of its headers."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.linking import HeaderLink, Link, Linked
from evidence_assets.tables.programs.words import word_set

_AFTER_HEADER = word_set("be of as at a an the in on : = number ( ' to")
_BEFORE_HEADER = word_set("be the a an as in ' their his her")
_ANCHOR_WIDEST = 3
_SHARED_VALUES = 0.2


def anchored(linked: Linked) -> tuple[list[Link], dict[int, HeaderLink]]:
    """Return the links held to the columns that the claim names for them, and headers by first token."""
    links, anchors = anchor(linked)
    links = [_told_by_header(linked, one, anchors) for one in links]
    links = [_beyond(linked, one, anchors) for one in links]
    return _turned(linked, links), anchors


def anchor(linked: Linked) -> tuple[list[Link], dict[int, HeaderLink]]:
    """Return the links, each held to the column whose header stands beside it in the claim."""
    pairs = sorted(_pairs(linked), key=lambda pair: pair[:4])
    used_headers: set[int] = set()
    anchors: dict[int, HeaderLink] = {}
    for _, _, value, head in pairs:
        if value in anchors or head in used_headers:
            continue
        used_headers.add(head)
        anchors[value] = linked.headers[head]
    _anchor_far(linked, anchors, used_headers)
    links: list[Link] = []
    for at, link in enumerate(linked.links):
        header = anchors.get(at)
        kept = link.within(header.columns) if header else link
        links.append(kept if header is None or kept.places or _rival(linked, link, header) else link)
    return links, {link.start: anchors[at] for at, link in enumerate(links) if at in anchors}


def _pairs(linked: Linked) -> Iterator[tuple[bool, float, int, int]]:
    """Yield values and headers near each other: whether they disagree, how far apart, and which they are."""
    for value, link in enumerate(linked.links):
        for number, head in enumerate(linked.headers):
            before = head.end <= link.start
            gap = linked.tokens[head.end : link.start] if before else linked.tokens[link.end : head.start]
            allowed = _AFTER_HEADER if before else _BEFORE_HEADER
            begin = min(head.end, link.end)
            inner = [token for at, token in enumerate(gap, begin) if not linked.in_header(at)]
            if len(inner) > _ANCHOR_WIDEST or any(token.key not in allowed for token in inner):
                continue
            fits = bool(head.columns & link.places.keys())
            if not fits and not _contradicts(linked, link, head, before):
                continue
            yield not fits, len(gap) + (0.0 if before else 0.5), value, number


def _contradicts(linked: Linked, link: Link, head: HeaderLink, before: bool) -> bool:
    """Return whether a header beside a value that its column has not tells against the claim.

    A number does not where the header stands behind it (`3 games`), or another header fits it.
    """
    if link.number is not None and (
        not before or any(other.columns & link.places.keys() for other in linked.headers)
    ):
        return False
    return _rival(linked, link, head)


def _anchor_far(linked: Linked, anchors: dict[int, HeaderLink], used: set[int]) -> None:
    """Hold the last value after the last copula to the header that opens the claim."""
    copulas = [at for at, token in enumerate(linked.tokens) if token.key == "be"]
    if not copulas:
        return
    last = copulas[-1]
    free = [n for n, head in enumerate(linked.headers) if n not in used and head.end <= last]
    values = [n for n, link in enumerate(linked.links) if link.start > last and n not in anchors]
    if not free or not values or linked.headers[free[0]].start > 2:
        return
    head, link = linked.headers[free[0]], linked.links[values[0]]
    if head.columns & link.places.keys() or _rival(linked, link, head):
        anchors[values[0]] = head


def _rival(linked: Linked, link: Link, head: HeaderLink) -> bool:
    """Return whether a value that stands elsewhere could have stood in the header's column."""
    if head.share < 1.0:
        return False
    if link.number is not None:
        return all(linked.index.is_numeric(column) for column in head.columns)
    index = linked.index
    own = {key for column in link.places for key in index.headers[column]}
    if any(own & set(index.headers[column]) for column in head.columns):
        return True
    for column in head.columns:
        here = {index.keys[row, column] for row in range(len(index.cells))}
        for other in link.places:
            there = {index.keys[row, other] for row in range(len(index.cells))}
            if len(here & there) >= _SHARED_VALUES * min(len(here), len(there)):
                return True
    return False


def _told_by_header(linked: Linked, one: Link, anchors: dict[int, HeaderLink]) -> Link:
    """Return a link that may lie in several columns held to the one that the claim names elsewhere."""
    if len(one.places) < 2 or one.start in anchors or one.number is not None:
        return one
    taken = {(head.start, head.end) for head in anchors.values()}
    named = [head for head in linked.headers if (head.start, head.end) not in taken]
    columns = {column for head in named for column in head.columns if column in one.places}
    return one.within(columns) if len(columns) == 1 else one


def _beyond(linked: Linked, one: Link, anchors: dict[int, HeaderLink]) -> Link:
    """Return the link of `before week 7` as a bound on the weeks; others as they are."""
    head = anchors.get(one.start)
    if head is None or one.number is None or head.end > one.start or not head.start or len(one.places) != 1:
        return one
    relation = {"before": "<", "after": ">"}.get(linked.tokens[head.start - 1].text)
    column = next(iter(one.places))
    if relation is None or not linked.index.is_numeric(column):
        return one
    rows = operations.where(linked.index.series[column], column, relation, one.number).rows
    return Link(
        one.start,
        one.end,
        {column: frozenset(rows)},
        frozenset({column}),
        1,
        bound=f"{relation} {one.number:g}",
    )


_TURNS = {"win": "lose", "lose": "win", "beat": "lose", "defeat": "lose"}
_OPPONENTS = frozenset({"oppon", "opponent", "team", "against", "visitor"})


def _turned(linked: Linked, links: list[Link]) -> list[Link]:
    """Return the links with an opponent's win as the loss that the column of outcomes tells of it."""
    made = []
    for at, one in enumerate(links):
        word = linked.tokens[one.start].key
        turned = _TURNS.get(word) if one.end == one.start + 1 and at else None
        before = links[at - 1] if at else one
        subject = before.end == one.start and any(
            _OPPONENTS & set(linked.index.headers[column]) for column in before.places
        )
        if turned is None or not subject or not linked.index.outcomes.intersection(one.places):
            made.append(one)
            continue
        places: dict[int, set[int]] = {}
        for row, column in linked.index.postings.get(turned, ()):
            if column in linked.index.outcomes:
                places.setdefault(column, set()).add(row)
        kept = {column: frozenset(rows) for column, rows in places.items()}
        made.append(Link(one.start, one.end, kept, one.full, one.words))
    return made
