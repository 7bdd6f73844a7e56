"""Claims that a share of rows, or of what they have together, is what is told: `most of`, `nearly half`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import Aggregate, Arithmetic, Cell
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Where, Without
from evidence_assets.tables.programs.grammar.truth_programs import All, Share
from evidence_assets.tables.programs.grammar.types import Number, Rows
from evidence_assets.tables.programs.index.derived.turned_tables import has_attributes_as_rows
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.readings.arithmetic.shares_of_wholes import (
    SHARE,
    is_part,
    near_share,
    share_of_a_row,
    share_of_the_rows_whole,
)
from evidence_assets.tables.programs.readings.parts.compared_rows import single_rows
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows
from evidence_assets.tables.programs.readings.parts.extreme_columns import named_or_only_columns
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    binding,
    denied,
    numeric_columns,
    proposed,
    restricted,
)
from evidence_assets.tables.programs.readings.parts.scopes import scope_and_predicates
from evidence_assets.tables.programs.wording.claimed_shares import (
    ClaimedShare,
    percentage,
)
from evidence_assets.tables.programs.wording.kept_for_claims import kept_for_claims
from evidence_assets.tables.programs.wording.trigger_lexicon import each_word
from evidence_assets.tables.programs.wording.words_of_wholes import adding_words


def share_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a share of rows, of a column's sum or of a column in percent is what a claim tells."""
    part = next(_share_of_its_whole(claim), None) or next(_share_of_another_column(claim), None)
    part = part or _share_of_another_row(claim)
    if part is not None:
        yield part
    elif (of_a_row := share_of_a_row(claim)) is not None:
        yield from share_of_the_rows_whole(claim, *of_a_row)
    elif (amount := _amount_of_rows(claim)) is not None:
        yield amount
    else:
        yield from _share_of_rows(claim)
        yield from _share_of_total(claim)
    yield from _share_in_percent(claim)


def _share_of_rows(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `most of the A have B`: whether such a share of the rows of A, or of all, has B."""
    share = claim.linked.share
    if share is None:
        return
    operators = share.words
    scope, predicates = scope_and_predicates(claim, operators[-1])
    if not predicates and scope and scope[0].start - operators[-1] > _NEAR:
        scope, predicates = [], scope
    label = claim.index.table.label_column
    if not predicates or any(len(link.rows) == 1 and link.places.keys() == {label} for link in predicates):
        # What one row is called is no share of the rows.
        return
    bound = binding(claim, [*scope, *predicates], operators=operators)
    holding = restricted(claim, predicates)
    if claim.negation is not None and operators[-1] < claim.negation < predicates[0].start:
        holding = Without(AllRows(), holding)
        bound[claim.negation] = (Role.OPERATOR, "negation")
    program = Share(restricted(claim, scope), holding, share.relation, share.share)
    yield Proposal("majority", denied(claim, program, bound), bound)


# What a share is of stands no further behind it: `most of the old Sandholm kites`.
_NEAR = 3


def _amount_of_rows(claim: GroundedClaim) -> Proposal | None:
    """Return `most of the C comes from A`, `A has a third of all C`: the sum of A's numbers in that of C's.

    None where no column of numbers stands behind the share.
    """
    part = claim.linked.share or claim.linked.fraction
    if part is None or _is_of_itself(claim.texts, part.words[-1]):
        return None
    place, index = part.words[-1], claim.index
    opening = next((n for n in range(place + 1, place + _NEAR) if claim.texts[n : n + 1] == ("of",)), None)
    behind = [head for head in claim.linked.headers if opening and 0 < head.start - opening <= _NEAR]
    links = [link for link in claim.names if link.start not in part.words]
    if not behind or not links or _is_within(claim, links, behind[0]):
        return None
    rows = restricted(claim, links)
    for column in numeric_columns(claim, behind[:1]):
        is_amount = column not in {*index.dates_and_years, index.table.label_column}
        is_amount = is_amount and not has_attributes_as_rows(index.table)
        has_numbers = not rows.run(index).rows.isdisjoint(index.series[column])
        if is_amount and has_numbers and "%" not in index.told_units[column]:
            adding = adding_words(claim.texts, range(len(claim.texts)))
            return _in_the_total(claim, part, Aggregate("sum", rows, column), column, links, adding)
    return None


def _in_the_total(
    claim: GroundedClaim,
    part: ClaimedShare,
    number: Number,
    column: int,
    links: list[Link],
    adding: Sequence[int],
) -> Proposal:
    """Return whether a number is the claimed share of what all rows have together in a column."""
    share = Arithmetic("% of", number, Aggregate("sum", AllRows(), column))
    program, words = near_share(claim, part, share)
    behind = range(part.words[-1] + 1, min(len(claim.texts), part.words[-1] + 1 + _NEAR))
    every = [n for n in behind if claim.texts[n] in _OF_ALL and not claim.linked.in_header(n)]
    return proposed(claim, "share of a total", program, links, [column], [*words, *every, *adding])


_OF_ALL = frozenset({"all", "total", "combined", "overall", "entire", "whole"})


def _is_within(claim: GroundedClaim, links: list[Link], head: HeaderLink) -> bool:
    """Return whether a share is of what some rows have: `of the Osen hens`, `of hens in Osen are hurt`.

    What is said of a part of them stands behind where they are named.
    """
    last = max(link.end for link in links)
    before = any(link.end == head.start for link in links)
    return before or (last > head.end and any(position >= last for position in claim.linked.unknown))


def _is_of_itself(texts: tuple[str, ...], place: int) -> bool:
    """Return whether a share is of what a row has, or of a unit: `a third of its trade`, `half of a day`."""
    return texts[place + 1 : place + 2] == ("of",) and "".join(texts[place + 2 : place + 3]) in _NOT_OF_ALL


_NOT_OF_ALL = frozenset({"a", "an", "its", "their", "his", "her"})


def _share_of_total(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A has more than half of all C`, `A's share was below 20 %`: beside the sum of the column's."""
    part, index = _share_of_a_whole(claim), claim.index
    if part is None or _is_of_itself(claim.texts, part.words[-1]):
        return
    for column, _ in named_or_only_columns(claim, claim.linked.headers, part.words[-1]):
        amount = _amount_of(claim, claim.names, column)
        if amount is None or "%" in index.told_units[column] or column in index.years:
            continue
        if has_attributes_as_rows(index.table):
            # Farms, cows and prices have nothing together.
            return
        yield _in_the_total(claim, part, amount.number, column, amount.links, amount.words)
        return


class _Amount(NamedTuple):
    """A number of a row, or of several together, the links that name them, and the words that add them up."""

    number: Number
    rows: Rows
    links: list[Link]
    words: list[int]


def _amount_of(claim: GroundedClaim, links: list[Link], column: int) -> _Amount | None:
    """Return the number of the only row that links name, or of all that they name where they are added up."""
    rows = single_rows(claim, links, column)
    if rows is not None and len(links) == len(rows[1]):
        return _Amount(Cell(rows[0], column), rows[0], rows[1], [])
    adding = adding_words(claim.texts, range(len(claim.texts)))
    parts = [link for link in links if column not in link.places]
    several = len(parts) > 1 and not common_rows(tuple(parts))
    if adding and several:
        together = restricted(claim, parts)
        return _Amount(Aggregate("sum", together, column), together, parts, adding)
    return None if rows is None else _Amount(Cell(rows[0], column), rows[0], rows[1], [])


def _share_of_another_row(claim: GroundedClaim) -> Proposal | None:
    """Return `the water amounts to 80 % of the flour`: a row's number in that of others, named behind it."""
    part = _share_of_a_whole(claim)
    if part is None:
        return None
    place = part.words[-1]
    names = [link for link in claim.names if link.start not in part.words]
    wholes = [link for link in names if link.start > place]
    for column in numeric_columns(claim, claim.linked.headers):
        apart = [link for link in wholes if column not in link.places]
        amount = _amount_of(claim, [link for link in names if link.end <= place], column)
        if amount is None or not apart or column in claim.index.dates_and_years:
            continue
        whole = restricted(claim, apart)
        if not whole.run(claim.index).rows.isdisjoint(amount.rows.run(claim.index).rows):
            continue
        share = Arithmetic("% of", amount.number, Aggregate("sum", whole, column))
        program, words = near_share(claim, part, share)
        amounts = [n for n in range(1, place) if claim.texts[n - 1 : n + 1] in _AMOUNTING]
        operators = [*words, *amount.words, *(m for n in amounts for m in (n - 1, n))]
        return proposed(claim, "share of a total", program, [*amount.links, *apart], [column], operators)
    return None


_AMOUNTING = {(verb, "to") for verb in ("amounts", "amounted", "amount", "comes", "came", "equals")}


def _share_of_its_whole(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `steel makes up half of A` of a column `of which steel`: of what A has altogether."""
    part, index = _share_of_a_whole(claim), claim.index
    if part is None:
        return
    for less in numeric_columns(claim, claim.linked.headers):
        if not index.table.header[less].lower().strip().startswith(_OF_WHICH):
            continue
        before = (c for c in range(less - 1, -1, -1) if is_part(index, less, c))
        whole = next(before, None)
        rows = None if whole is None else single_rows(claim, claim.names, less)
        if whole is None or rows is None:
            continue
        program, words = near_share(
            claim, part, Arithmetic("% of", Cell(rows[0], less), Cell(rows[0], whole))
        )
        yield proposed(claim, "share of a column", program, rows[1], [less, whole], words)
        return


_OF_WHICH = ("of which", "of them", "of these", "thereof")


def _share_of_another_column(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A won half of its matches`, `40 % of A's patients recovered`: of a row's number in another.

    One column is a part of another if no row has more in it.
    """
    part, index = _share_of_a_whole(claim), claim.index
    if part is None:
        return
    first = part.words[0]
    place = first if claim.texts[first] in SHARE else part.words[-1]
    behind = [head for head in claim.linked.headers if head.start > place]
    for whole_head in behind[:1]:
        others = [head for head in claim.linked.headers if head is not whole_head]
        for whole, less in product(numeric_columns(claim, [whole_head]), numeric_columns(claim, others)):
            rows = single_rows(claim, claim.names, less)
            if rows is None or not is_part(index, less, whole):
                continue
            share = Arithmetic("% of", Cell(rows[0], less), Cell(rows[0], whole))
            program, words = near_share(claim, part, share)
            yield proposed(claim, "share of a column", program, rows[1], [less, whole], words)
            return


@kept_for_claims
def _share_of_a_whole(claim: GroundedClaim) -> ClaimedShare | None:
    """Return the share of something that a claim tells, as a fraction or in percent; None without one."""
    part, texts = claim.linked.fraction, claim.texts
    if part is None and not any("%" in units for units in claim.index.told_units):
        # Where a table tells percentages, a claimed one is one of them.
        part = percentage(claim.tokens)
    if part is None:
        return None
    place = part.words[-1]
    share = [n for n, text in enumerate(texts[:place]) if text in SHARE and texts[n + 1 : n + 2] == ("of",)]
    if share:
        return replace(part, words=(share[0], *part.words))
    return part if "of" in texts[place : place + 3] and not _is_of_itself(texts, place) else None


def _share_in_percent(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `two thirds of A are C`, `nearly half`, of a column told in percent: A's number is near it."""
    part = claim.linked.fraction
    if part is None:
        return
    for column in numeric_columns(claim, claim.linked.headers):
        if "%" not in claim.index.told_units[column]:
            continue
        if not claim.links and (quantifier := each_word(claim.texts)) is not None:
            yield _share_of_each(claim, part, column, quantifier)
            return
        rows = single_rows(claim, claim.names, column)
        if rows is None:
            continue
        program, words = near_share(claim, part, Cell(rows[0], column))
        yield proposed(claim, "share in percent", program, rows[1], [column], words)
        return


def _share_of_each(claim: GroundedClaim, part: ClaimedShare, column: int, quantifier: int) -> Proposal:
    """Return whether the number of percent of each row is near a share: `in every class, at least half`."""
    index = claim.index
    rows = index.series[column].keys() - index.summaries
    each = [Cell(Where.of_row(row, column), column) for row in sorted(rows)]
    parts, words = zip(*(near_share(claim, part, number) for number in each), strict=True)
    nouns = [head.start for head in claim.linked.headers if head.start == quantifier + 1]
    return proposed(claim, "share in percent", All(parts), (), [column], [quantifier, *nouns, *words[0]])
