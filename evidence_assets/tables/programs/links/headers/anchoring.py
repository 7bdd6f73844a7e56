"""Anchoring: which header of a claim each of its values belongs to."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.contests.contest_links import with_sides, without_sides
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, LinkedClaim, positions_of
from evidence_assets.tables.programs.links.quantities.claim_numbers import names_rows_by_numbers
from evidence_assets.tables.programs.links.times.periods import tells_a_year
from evidence_assets.tables.programs.wording.words import ARTICLES, before_words, word_key, word_keys
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.words import word_set

_AFTER_HEADER = word_set("be of as at a an the in on : = number ( ' to") | {
    *map(word_key, ("only", "just", "exactly"))
}
_BEFORE_HEADER = word_set("be do the a an as in on ' their his her") | {word_key("people")}
_JOINING = frozenset({"and", "or", "nor", ",", "than"})
_ANCHOR_WIDEST = 3
_LIMITING = frozenset({"only", "just", "exactly", "still"})
_SHARED_VALUES = 0.2
_PAIRS_OF_COLUMNS_AT_ONCE = 64


def anchored(linked: LinkedClaim) -> tuple[list[Link], dict[int, HeaderLink]]:
    """Return the links, restricted to the columns that the claim names for them, and the anchors."""
    of_rows = _without_parts_of_labels(without_sides(linked))
    links, anchors = anchor(of_rows)
    links = [_restricted_by_header(of_rows, link, anchors) for link in links]
    links = _of_the_named_side(of_rows, links, anchors)
    links = _named_together(linked, links)
    links = [_of_a_numbered_row(linked, _of_the_month_of_a_row(linked, link)) for link in links]
    links = [_as_bound(linked, link, anchors) for link in links]
    return with_sides(linked, links), anchors


def anchor(linked: LinkedClaim) -> tuple[list[Link], dict[int, HeaderLink]]:
    """Return the links, each restricted to the column whose header is beside it in the claim, and anchors."""
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
    for place, link in enumerate(linked.links):
        header = anchors.get(place)
        restricted = _in_columns(linked, link, header.columns) if header else link
        if header is not None and link.number is not None and _is_on_what_follows(linked, link, header):
            # `Third on the grid`, where places are told by another column.
            restricted = _of_the_number(linked, link, header.columns)
        links.append(
            restricted
            if header is None
            or restricted.places
            or _ends_in_by(linked, header)
            or _could_stand_in(linked, link, header)
            or _is_on_what_follows(linked, link, header)
            else link
        )
    return links, {link.start: anchors[place] for place, link in enumerate(links) if place in anchors}


def _of_the_number(linked: LinkedClaim, link: Link, columns: Collection[int]) -> Link:
    """Return the rows that have a link's number in some columns."""
    series = linked.index.series
    rows = {
        column: frozenset(row for row, number in series[column].items() if number == link.number)
        for column in columns
    }
    return replace(
        link, places={column: found for column, found in rows.items() if found}, full=frozenset(columns)
    )


def _pairs(linked: LinkedClaim) -> Iterator[tuple[bool, float, int, int]]:
    """Yield nearby values and headers: whether they disagree, their distance, both their numbers."""
    headed = positions_of(linked.headers)
    for value, link in enumerate(linked.links):
        for number, head in enumerate(linked.headers):
            before = head.end <= link.start
            gap = linked.tokens[head.end : link.start] if before else linked.tokens[link.end : head.start]
            allowed = _AFTER_HEADER if before else _BEFORE_HEADER
            begin = min(head.end, link.end)
            particles = linked.index.closings[min(head.columns)] if before else ()
            inner = [
                token
                for position, token in enumerate(gap, begin)
                if position not in headed and token.text not in particles
            ]
            does = _is_by(linked, link, head, [token.text for token in gap])
            far = len(inner) > _ANCHOR_WIDEST or any(token.key not in allowed for token in inner)
            if far and not does:
                continue
            fits = bool(head.columns & link.places.keys())
            if _has_what_is_named(linked, link, head):
                continue
            if not fits and not does and _is_a_time(linked, link, head, before=before):
                continue
            on = not before and _is_on_what_follows(linked, link, head)
            if not fits and not does and not on and not _contradicts(linked, link, head, before):
                continue
            yield not fits, len(gap) + (0.0 if before else 0.5), value, number


def _has_what_is_named(linked: LinkedClaim, link: Link, head: HeaderLink) -> bool:
    """Return whether a name has what a header says: of `the scientific name of the grey heron`.

    Corran has its own seat, though it is called Port Corran.
    """
    is_name = bool(link.full) and link.number is None and head.columns.isdisjoint(link.full)
    return is_name and head.end < link.start and linked.tokens[head.end].text == "of"


def _is_a_time(linked: LinkedClaim, link: Link, head: HeaderLink, *, before: bool) -> bool:
    """Return whether a number is the year of what a header before it says: of `more visits in 2023`.

    Of `the edition of 2021` too, which names a row by its year.
    """
    index = linked.index
    times = index.dates_and_years
    if not before or link.places.keys().isdisjoint(times) or head.columns & times:
        return False
    year, preposition = linked.tokens[link.start], linked.tokens[link.start - 1].text
    if not tells_a_year(year) or link.end > link.start + 1:
        return False
    names_rows = head.columns == {index.table.label_column} or not any(
        operations.is_of_their_size(year.number or 0.0, index.series[column].values())
        for column in head.columns
    )
    return preposition == "in" or (preposition == "of" and names_rows)


def _is_by(linked: LinkedClaim, link: Link, head: HeaderLink, gap: list[str]) -> bool:
    """Return whether a name is told to have done what a header says: `written by A`, `A wrote`."""
    before = head.end <= link.start
    return link.number is None and _ends_in_by(linked, head) and gap == (["by"] if before else [])


def _ends_in_by(linked: LinkedClaim, head: HeaderLink) -> bool:
    """Return whether a header says by whom something was done: `written by`."""
    names = [linked.index.table.header[column].lower().rstrip(" :") for column in head.columns]
    return all(name.endswith(" by") for name in names)


def _contradicts(linked: LinkedClaim, link: Link, head: HeaderLink, before: bool) -> bool:
    """Return whether a header beside a value that is not in its column contradicts the claim.

    A number does not where the header follows it (`won 3 games`), unless rows have so many (`has 3 rooms`) or
    another number is told so beside it (`3 rooms and 4 beds`), or where another header fits it.
    """
    if not before and _is_one_of_several_amounts(linked, link, head):
        return _could_stand_in(linked, link, head)
    if link.number is not None and (
        not (before or _is_of_what_rows_have(linked, link, head))
        or any(header.columns & link.places.keys() for header in linked.headers)
    ):
        return False
    return _could_stand_in(linked, link, head)


def _is_one_of_several_amounts(linked: LinkedClaim, link: Link, head: HeaderLink) -> bool:
    """Return whether a number and its header are joined to another and its own: `3 rooms and 4 beds`."""
    if link.number is None or head.start != link.end or linked.tokens[link.start].ordinal:
        return False
    others = [other for other in linked.links if other.number is not None and other.start != link.start]
    return any(
        linked.texts[first.end : second] in _JOINTS_OF_AMOUNTS
        for other in others
        for beside in linked.headers
        if beside.start == other.end and beside.columns & other.places.keys() and beside != head
        for first, second in ((beside, link.start), (head, other.start))
    )


_JOINTS_OF_AMOUNTS = {("and",), (",",), (",", "and"), ("but",), (",", "but")}


def _is_on_what_follows(linked: LinkedClaim, link: Link, head: HeaderLink) -> bool:
    """Return whether a number is told of the column of numbers behind `on`: `number 85 on the Hot 100`."""
    gap = [token.text for token in linked.tokens[link.end : head.start] if token.text not in ARTICLES]
    words = sum(not token.stop for token in linked.tokens[head.start : head.end])
    whole = head.share == 1.0 or words > 1
    is_number = link.number is not None and not tells_a_year(linked.tokens[link.start])
    return is_number and whole and gap == ["on"] and all(map(linked.index.is_numeric, head.columns))


def _is_of_what_rows_have(linked: LinkedClaim, link: Link, head: HeaderLink) -> bool:
    """Return whether rows are said to have so many of what a header names: `has 3 rooms`, `5 places left`."""
    number = linked.tokens[link.start]
    if head.start != link.end or number.ordinal or tells_a_year(number):
        return False
    words = sum(not token.stop for token in linked.tokens[head.start : head.end])
    place = before_words(linked.tokens, link.start, _LIMITING)
    return words > 1 or (place >= 0 and linked.tokens[place].text == "have")


def _anchor_far(linked: LinkedClaim, anchors: dict[int, HeaderLink], used: set[int]) -> None:
    """Anchor the first free value after the last copula to the header that opens the claim."""
    copulas = [position for position, token in enumerate(linked.tokens) if token.key == "be"]
    if not copulas:
        return
    last_copula = copulas[-1]
    free = [n for n, head in enumerate(linked.headers) if n not in used and head.end <= last_copula]
    values = [n for n, link in enumerate(linked.links) if link.start > last_copula and n not in anchors]
    if not free or not values or linked.headers[free[0]].start > 2:
        return
    head, link = linked.headers[free[0]], linked.links[values[0]]
    place = before_words(linked.tokens, link.start, ARTICLES)
    if _is_a_time(linked, link, head, before=True) or linked.tokens[place].text == "for":
        # `The balance was larger in 2020 than in 2017`, `no album is given for the video`.
        return
    if head.columns & link.places.keys() or _could_stand_in(linked, link, head):
        anchors[values[0]] = head


def _could_stand_in(linked: LinkedClaim, link: Link, head: HeaderLink) -> bool:
    """Return whether a value of other columns is of the kind that the header's column holds."""
    if head.share < 1.0:
        return False
    if link.number is not None:
        return all(linked.index.is_numeric(column) for column in head.columns)
    index = linked.index
    if {*head.columns, *link.places} <= {*index.dated}:
        return True
    said = {token.key for token in linked.tokens[head.start : head.end] if not token.stop}
    if any(said.issubset(index.headers[column]) for column in link.places):
        # `A translates from Latin` says the column Translator as well as Translated from.
        return False
    header_words = {key for column in link.places for key in index.headers[column]}
    shares_a_word = any(header_words & set(index.headers[column]) for column in head.columns)
    return shares_a_word or any(
        _are_of_one_kind(index, column, of_link) for column in head.columns for of_link in link.places
    )


@lru_cache(maxsize=_PAIRS_OF_COLUMNS_AT_ONCE)
def _are_of_one_kind(index: TableIndex, first: int, second: int) -> bool:
    """Return whether two columns share many of their cells that tell something."""
    cells, others = (
        {index.keys[row, column] for row in range(len(index.cells))} - {()} for column in (first, second)
    )
    return len(cells & others) >= max(1, _SHARED_VALUES * min(len(cells), len(others)))


def _without_parts_of_labels(linked: LinkedClaim) -> LinkedClaim:
    """Return the links, a whole cell of another column no part of the labels that the claim speaks of.

    Of `how many tasks are open` a task called Opening party is none, where a status is open.
    """
    label = linked.index.table.label_column
    said = any(label in head.columns for head in linked.headers)
    links = [
        link.within(link.places.keys() - {label})
        if said and link.full and label not in link.full and link.words == 1 and link.number is None
        else link
        for link in linked.links
    ]
    return replace(linked, links=links)


def _named_together(linked: LinkedClaim, links: list[Link]) -> list[Link]:
    """Return the links, those of names that `and` or `than` joins restricted to the labels of rows.

    Where rows speak of each other, as a river's mouth is another river, a name stands in several columns.
    What is joined names rows, where the label of each row is its own.
    """
    index, label = linked.index, linked.index.table.label_column
    if label is None or len({index.keys[row, label] for row in index.rows}) < len(index.rows):
        return links
    together: set[int] = set()
    names = [place for place, link in enumerate(links) if label in link.full and link.number is None]
    for first, second in pairwise(names):
        gap = [token.text for token in linked.tokens[links[first].end : links[second].start]]
        joining = gap[:-1] if gap[-1:] == ["the"] else gap
        if joining[-1:] and joining[-1] in _JOINING:
            together |= {first, second}
    return [link.within([label]) if place in together else link for place, link in enumerate(links)]


def _of_the_month_of_a_row(linked: LinkedClaim, link: Link) -> Link:
    """Return a month as the row that goes by it, where rows go by months, and no other time is named.

    Of `the most in August`, though another column tells that the bill of July was paid then.
    """
    index, label = linked.index, linked.index.table.label_column
    is_month = link.end == link.start + 1 and linked.tokens[link.start].text in MONTHS
    if not is_month or label not in link.places or len(link.places) < 2 or not _goes_by_months(index):
        return link
    others = {key for column in link.places if column != label for key in index.headers[column]}
    return link if any(token.key in others for token in linked.tokens) else link.within([label])


@lru_cache(maxsize=_PAIRS_OF_COLUMNS_AT_ONCE)
def _goes_by_months(index: TableIndex) -> bool:
    """Return whether rows go by months in words; `2024-01` may be a number of theirs."""
    label = index.table.label_column
    return label in index.dated and all(
        any(map(str.isalpha, index.table.rows[row][label].text)) for row in index.rows
    )


def _of_a_numbered_row(linked: LinkedClaim, link: Link) -> Link:
    """Return a number behind the caption's noun for a row as that row's: of engines by number, `engine 4`."""
    index = linked.index
    if link.number is None or not link.start or 0 not in link.places or not names_rows_by_numbers(index):
        return link
    before = linked.tokens[link.start - 1]
    names_a_row = before.key in index.caption and not before.stop and not before.text.endswith("s")
    return link.within([0]) if names_a_row else link


def _restricted_by_header(linked: LinkedClaim, link: Link, anchors: dict[int, HeaderLink]) -> Link:
    """Return a link of several columns restricted to the one that the claim names elsewhere, if any."""
    if len(link.places) < 2 or link.start in anchors or link.number is not None:
        return link
    anchoring = {(head.start, head.end) for head in anchors.values()}
    unanchored = [
        head
        for head in linked.headers
        if (head.start, head.end) not in anchoring and not _has_what_is_named(linked, link, head)
    ]
    columns = {column for head in unanchored for column in head.columns if column in link.places}
    return _in_columns(linked, link, columns) if len(columns) == 1 else link


def _of_the_named_side(linked: LinkedClaim, links: list[Link], anchors: dict[int, HeaderLink]) -> list[Link]:
    """Return the links, a name of another side in none of the column that it is said to be in.

    Of `A played at home`, `A never won gold`, where A is an away team, or has won bronze.
    """
    for head in linked.headers:
        if len(head.columns) > 1 or head in anchors.values() or not _is_said_of_a_name(linked, head):
            continue
        if any(head.columns & link.places.keys() and not link.bound for link in links):
            continue
        named = [link for link in links if _stands_on_another_side(linked, link, head, anchors)]
        if len(named) == 1:
            anchors[named[0].start] = head
            links = [_in_columns(linked, link, head.columns) if link is named[0] else link for link in links]
    return links


def _is_said_of_a_name(linked: LinkedClaim, head: HeaderLink) -> bool:
    """Return whether a verb of having or being, or `at`, stands before a header, articles aside."""
    place = before_words(linked.tokens, head.start, _BETWEEN_VERB_AND_SIDE)
    return place > 0 and linked.tokens[place].key in _HAVING_A_SIDE


# As keys: before the side that something is said to be on.
_HAVING_A_SIDE = word_keys("at as be have win won earn receive play")
_BETWEEN_VERB_AND_SIDE = frozenset({"a", "an", "the", "any", "not", "no", "single"})


def _stands_on_another_side(
    linked: LinkedClaim, link: Link, head: HeaderLink, anchors: dict[int, HeaderLink]
) -> bool:
    """Return whether a name stands before a header, in columns alone that are beside the header's."""
    is_name = bool(link.full) and link.number is None and not link.bound and link.end <= head.start
    if not is_name or link.start in anchors:
        return False
    (column,) = head.columns
    return all(_are_sides(linked.index, column, other) for other in link.places)


def _are_sides(index: TableIndex, first: int, second: int) -> bool:
    """Return whether two columns are of names of one kind: `home team` and `away team`, gold and silver."""
    if not {first, second}.isdisjoint({*index.numeric_columns, *index.flags}):
        return False
    heads = set(index.headers[first]), set(index.headers[second])
    differ_by_a_word = bool(heads[0] & heads[1]) and len(heads[0] - heads[1]) == len(heads[1] - heads[0]) == 1
    return differ_by_a_word or _are_of_one_kind(index, first, second)


def _in_columns(linked: LinkedClaim, link: Link, columns: Collection[int]) -> Link:
    """Return a link restricted to some columns, of none of their rows where these hold another name.

    Melbourne is a home team: the away team North Melbourne is another.
    """
    restricted = link.within(columns)
    if restricted.full or link.number is not None or not link.full:
        return restricted
    heads = linked.index.headers
    of_whole = {key for column in link.full for key in heads[column]}
    places = {
        column: rows if of_whole.isdisjoint(heads[column]) else frozenset[int]()
        for column, rows in restricted.places.items()
    }
    return replace(restricted, places=places, full=frozenset(places))


def _as_bound(linked: LinkedClaim, link: Link, anchors: dict[int, HeaderLink]) -> Link:
    """Return a link such as `before week 7` as a bound on the column's numbers; others as they are."""
    head = anchors.get(link.start)
    if head is None or link.number is None or not 0 < head.start < head.end <= link.start:
        return link
    if len(link.places) != 1:
        return link
    relation = {"before": "<", "after": ">"}.get(linked.tokens[head.start - 1].text)
    column = next(iter(link.places))
    if relation is None or not linked.index.is_numeric(column):
        return link
    rows, untold = linked.index.rows_within(column, relation, link.number)
    condition = f"{relation} {link.number:g}"
    return Link.of_column(link.start, link.end, column, rows, condition, undetermined=untold)
