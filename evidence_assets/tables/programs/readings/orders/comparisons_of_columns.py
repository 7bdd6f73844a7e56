"""Comparisons of two columns, in one row or in as many as a claim tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.tables.programs.grammar.number_programs import Cell
from evidence_assets.tables.programs.grammar.row_programs import Meet, Where, meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Every
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.rows_in_time import rows_in_time
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.readings.parts.compared_rows import sign_of
from evidence_assets.tables.programs.readings.parts.counters import counts_no_rows
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    are_so_many,
    binding,
    numeric_columns,
    proposed,
    where,
)
from evidence_assets.tables.programs.readings.parts.told_differences import by_how_much
from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, RELATIVE_PRONOUNS
from evidence_assets.tables.programs.wording.turns import overtakes, words_of_overtaking


def comparison_of_columns(
    claim: GroundedClaim,
    words: tuple[int, int],
    left_head: HeaderLink,
    right_head: HeaderLink,
    links: list[Link],
) -> Iterator[Proposal]:
    """Yield the comparison of two columns in one row."""
    index = claim.index
    rows = meet([where(claim, link) for link in links])
    for left in numeric_columns(claim, [left_head]):
        for right in numeric_columns(claim, [right_head]):
            shared = rows.run(index).rows & index.series[left].keys() & index.series[right].keys()
            if left != right and len(shared) > 1:
                yield from _counted_rows(claim, words, (left, right), links, shared)
                return
            factor = index.factor(left, right)
            if left == right or len(shared) != 1 or factor is None:
                continue
            sign = sign_of(claim, words[0], left)
            kind, program, number = by_how_much(
                claim, words[0], sign, Cell(rows, left), Cell(rows, right, factor)
            )
            saying: Sequence[int] = words
            if overtakes(claim.texts, words[0]) and (order := rows_in_time(index)):
                saying = words_of_overtaking(claim.texts, words)
                before = order[: order.index(min(shared))][-1:]
                program = All(
                    (program, *(_is_not_so_yet(row, left, right, (sign, factor)) for row in before))
                )
            yield proposed(claim, f"{kind} of columns", program, links, [left, right], saying, number)
            return


def _is_not_so_yet(row: int, left: int, right: int, scale: tuple[int, float]) -> Compare:
    """Return whether a column's number is not yet above another's in a row, or below it by its sign."""
    sign, factor = scale
    relation = "<=" if sign > 0 else ">="
    cells = Cell(Where.of_row(row, left), left), Cell(Where.of_row(row, right), right, factor)
    return Compare(cells[0], relation, cells[1])


def _counted_rows(
    claim: GroundedClaim,
    words: tuple[int, int],
    columns: tuple[int, int],
    links: list[Link],
    shared: frozenset[int],
) -> Iterator[Proposal]:
    """Yield in how many rows, in all or in any, a column's number is above another's."""
    left, right = (claim.index.series[column] for column in columns)
    factor = claim.index.factor(*columns)
    if factor is None:
        return
    relation = ">" if sign_of(claim, words[0], columns[0]) > 0 else "<"
    rows = frozenset(row for row in shared if operations.compare(left[row], relation, factor * right[row]))
    condition = f"{relation} {claim.index.table.header[columns[1]]}"
    untold = claim.index.rows - claim.index.summaries - shared
    above = Link.of_column(words[0], words[1] + 1, columns[0], rows, condition, undetermined=untold)
    counts = [
        n
        for n, token in enumerate(claim.tokens)
        if token.number is not None
        and not token.ordinal
        and n < words[0]
        and token.number == int(token.number)
        and not claim.linked.in_header(n)
        and not counts_no_rows(claim, n)
    ]
    quantifiers = [n for n, text in enumerate(claim.texts) if text in EACH]
    names = [link for link in links if link.start not in counts]
    names += _conditions_of_each(claim, quantifiers, columns)
    scope = meet([where(claim, link) for link in names])
    nouns = [head for head in claim.linked.headers if counts and 0 < head.start - counts[0] <= 2]
    noun_columns = [column for head in nouns for column in head.columns]
    bound = binding(claim, names, [*columns, *noun_columns], [*words, *counts[:1], *quantifiers])
    fitting = Meet((scope, where(claim, above)))
    if counts:
        yield Proposal("count of compared rows", are_so_many(claim, fitting, counts[0]), bound)
    elif quantifiers:
        yield Proposal("all compared rows", Every(scope, where(claim, above)), bound)


def _conditions_of_each(
    claim: GroundedClaim, quantifiers: list[int], columns: tuple[int, int]
) -> Iterator[Link]:
    """Yield the conditions of `in every zone that has a waiting list`: it is said of these alone."""
    texts = claim.texts
    for link in claim.links:
        between = texts[quantifiers[0] : link.start] if quantifiers else ()
        if link.bound and _OPENING_CONDITIONS.intersection(between) and not {*columns} & link.places.keys():
            yield link


_OPENING_CONDITIONS = RELATIVE_PRONOUNS | {"with", "without"}
