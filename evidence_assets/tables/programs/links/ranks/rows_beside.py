"""Links of the rows that stand behind a named one, before it or between two: `none listed below A`."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.tables.programs.index.rows_in_time import column_of_time, rows_in_time
from evidence_assets.tables.programs.links.linking import Link, LinkedClaim
from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, NOBODY
from evidence_assets.tables.programs.wording.words import ARTICLES, before_words


def rows_beside(linked: LinkedClaim, links: list[Link]) -> list[Link]:
    """Return the links, `listed below A` and `between A and B` as the rows that stand there.

    Before and after it in time, where a column tells that; above and below it in the table. Only where a
    claim speaks of all, any or none of them.
    """
    place = next((n for n, text in enumerate(linked.texts) if text in _OF_ROWS), None)
    if place is None:
        return links
    names = [link for link in links if link.start > place and _names_a_row(linked, link)]
    for number, link in enumerate(names):
        opening = before_words(linked.tokens, link.start, ARTICLES)
        text = linked.texts[opening] if opening >= 0 else ""
        listed = linked.texts[opening - 1] in _LISTED if opening > 0 else False
        in_time = text in _OF_TIME and not listed
        order = _rows_in_time(linked) if in_time else sorted(linked.index.rows - linked.index.summaries)
        ends = [link]
        if text == "between" and number + 1 < len(names) and _joined(linked, link, names[number + 1]):
            ends.append(names[number + 1])
        rows = _rows(linked, order, ends, text)
        # Behind another name it is of the two: `no A was before B`.
        if rows is None or any(name.start < opening for name in names):
            continue
        start, label = opening - listed, linked.index.table.label_column or 0
        words = " ".join(linked.texts[start : ends[-1].end])
        joint = Link.of_column(start, ends[-1].end, label, rows, words, 2)
        return [*(other for other in links if other not in ends), joint]
    return links


def _rows_in_time(linked: LinkedClaim) -> list[int]:
    """Return the rows of a known time in its order; none where two are of one time."""
    index, column = linked.index, column_of_time(linked.index)
    if column not in index.dates_and_years:
        return rows_in_time(index)
    moments = {row: time for row, time in index.series[column].items() if row not in index.summaries}
    return sorted(moments, key=moments.__getitem__) if len({*moments.values()}) == len(moments) else []


def _names_a_row(linked: LinkedClaim, link: Link) -> bool:
    label = linked.index.table.label_column
    return (
        label in link.places and link.number is None and not link.bound and len(link.places[label or 0]) == 1
    )


def _joined(linked: LinkedClaim, first: Link, second: Link) -> bool:
    between = linked.tokens[first.end : second.start]
    return [token.text for token in between[:1]] == ["and"] and all(token.stop for token in between)


def _rows(
    linked: LinkedClaim, order: Sequence[int], ends: Sequence[Link], text: str
) -> frozenset[int] | None:
    """Return the rows behind or before the only end, or between the two; None where no word says so."""
    label = linked.index.table.label_column or 0
    places = sorted(order.index(row) for end in ends for row in end.places[label] if row in order)
    if len(places) != len(ends):
        return None
    if len(ends) > 1:
        return frozenset(order[places[0] + 1 : places[1]])
    if text in _BEHIND:
        return frozenset(order[places[0] + 1 :])
    return frozenset(order[: places[0]]) if text in _BEFORE else None


_OF_ROWS = EACH | NOBODY | {"no", "none", "any", "only"}
_LISTED = frozenset({"listed", "shown", "ranked", "placed"})
_OF_TIME = frozenset({"after", "before", "between"})
_BEHIND, _BEFORE = frozenset({"below", "under", "after", "beneath"}), frozenset({"above", "before"})
