"""Numbers of a claim that names one time, a year or a day, of whose columns alone they are."""

from __future__ import annotations

from collections.abc import Collection

from evidence_assets.tables.programs.links.linking import HeaderLink, Link, LinkedClaim
from evidence_assets.tables.programs.links.times.period_headers import recurring_parts


def of_the_named_time(
    linked: LinkedClaim, links: list[Link], of_periods: Collection[HeaderLink]
) -> list[Link]:
    """Return the links, numbers without the columns of other times than the only one that a claim names.

    A number that other times alone have is none of the table's.
    """
    years = _told_years(linked)
    others = (
        _of_other_years(linked, of_periods)
        if linked.index.year_columns
        else _of_other_parts(linked, of_periods)
    )
    if others is None:
        return links
    kept = []
    for item in links:
        places = item.places.keys() - others
        if item.number is None or item.bound or not item.places or item.start in years:
            kept.append(item)
        elif places:
            kept.append(item.within(places))
        else:
            linked.unknown = sorted({*linked.unknown, item.start})
    return kept


def _told_years(linked: LinkedClaim) -> list[int]:
    """Return where a claim says the years of columns."""
    return [n for n, token in enumerate(linked.tokens) if token.number in linked.index.years_of_columns]


def _of_other_years(linked: LinkedClaim, of_periods: Collection[HeaderLink]) -> set[int] | None:
    """Return the columns of other years, and of other parts of it, than the only one named; None without."""
    places, columns = _told_years(linked), linked.index.year_columns
    years = {linked.tokens[n].number for n in places}
    if len(years) != 1 or len(of_periods) > 1 or any(_opens_a_bound(linked, n) for n in places):
        return None
    named = {column for column, year in columns.items() if year in years}
    return columns.keys() - named.intersection(*(head.columns for head in of_periods))


def _of_other_parts(linked: LinkedClaim, of_periods: Collection[HeaderLink]) -> set[int] | None:
    """Return the columns of other days, or parts of a year, than the only one named; None without one."""
    parts = recurring_parts(linked.index)
    named = [head for head in of_periods if head.columns <= parts.keys()]
    if len(named) != 1 or len(of_periods) > 1 or len(named[0].columns) > 1:
        return None
    return None if _opens_a_bound(linked, named[0].start) else parts.keys() - named[0].columns


def _opens_a_bound(linked: LinkedClaim, position: int) -> bool:
    """Return whether a time is one end of a longer one: `since 2019`."""
    return position > 0 and linked.tokens[position - 1].text in _BOUNDING_TIME


_BOUNDING_TIME = frozenset({"since", "before", "after", "until", "from", "than"})
