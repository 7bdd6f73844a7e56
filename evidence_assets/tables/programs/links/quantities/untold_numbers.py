"""Numbers of a claim that no cell holds, and those that none of the table's columns could tell."""

from __future__ import annotations

from collections.abc import Container, Iterator

from evidence_assets.tables.programs.links.linking import LinkedClaim
from evidence_assets.tables.programs.links.quantities.claim_numbers import ends_a_name
from evidence_assets.tables.programs.wording.words import OF_UNITS
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
    tells_years = bool(index.years or index.dated)
    for position in linked.unknown:
        token = claim_tokens[position]
        if token.number is None or position in excluded:
            continue
        following = claim_tokens[position + 1 : position + 2]
        of_unit = bool(following) and following[0].key in OF_UNITS and not linked.in_header(position + 1)
        before = claim_tokens[position - 1].text if position else ""
        a_year = is_year(token.text) and before in _IN_YEARS and not tells_years
        # Of the nouns that ordinals stand before, no column that has such numbers tells one.
        of_no_column = token.ordinal and token.text.isalpha() and token.key in index.postings
        if (
            of_no_column
            or (of_unit and not index.told_by_unit(following[0].text))
            or a_year
            or ":" in token.text
        ):
            yield position


_IN_YEARS = frozenset({"in", "since", "by", "until", "after", "before", "from", "of"})
