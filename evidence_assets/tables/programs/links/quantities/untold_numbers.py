"""Numbers of a claim that no cell holds, and those that none of the table's columns could tell."""

from __future__ import annotations

from collections.abc import Container, Iterator

from evidence_assets.tables.programs.index.kept import kept_for_indexes
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import LinkedClaim
from evidence_assets.tables.programs.links.quantities.claim_numbers import ends_a_name
from evidence_assets.tables.programs.wording.words import OF_UNITS
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.dates import is_year


def absent_numbers(linked: LinkedClaim, excluded: Container[int]) -> Iterator[int]:
    """Yield the positions of numbers that no cell holds, none of a name or of a column's year."""
    for position in linked.unknown:
        number = linked.tokens[position].number
        is_told = (
            number is not None and number not in linked.index.years_of_columns and position not in excluded
        )
        if is_told and not ends_a_name(linked.tokens, position):
            yield position


def untold_numbers(linked: LinkedClaim, excluded: Container[int]) -> Iterator[int]:
    """Yield numbers that no column could tell: of a unit, a time of day or a year that none is of."""
    index, claim_tokens = linked.index, linked.tokens
    tells_years = bool(index.years) or _dates_tell_years(index)
    for position in linked.unknown:
        token = claim_tokens[position]
        if token.number is None or position in excluded:
            continue
        following = claim_tokens[position + 1 : position + 2]
        of_unit = bool(following) and following[0].key in OF_UNITS and not linked.in_header(position + 1)
        before = claim_tokens[position - 1].text if position else ""
        a_year = is_year(token.text) and not tells_years and (before in _IN_YEARS or before in MONTHS)
        # Of the nouns that ordinals stand before, no column that has such numbers tells one.
        of_no_column = token.ordinal and token.text.isalpha() and token.key in index.postings
        if (
            of_no_column
            or (of_unit and not index.told_by_unit(following[0].text))
            or a_year
            or ":" in token.text
        ):
            yield position


@kept_for_indexes
def _dates_tell_years(index: TableIndex) -> bool:
    """Return whether dates of a table tell their year: of `5 March` none does."""
    dates = (cell.value.date for column in index.dated for cell in index.table.column(column))
    return any(date and not date.startswith("--") for date in dates)


_IN_YEARS = frozenset({"in", "since", "by", "until", "after", "before", "from", "of"})
