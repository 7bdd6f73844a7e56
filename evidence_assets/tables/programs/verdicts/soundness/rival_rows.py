"""Whether a verdict hangs on rows that a claim leaves open: one's number or a total, or an empty cell."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set

from evidence_assets.tables.programs.grammar.row_programs import Meet, Where
from evidence_assets.tables.programs.grammar.truth_programs import Not, Some
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.columns.untold_cells import tells_nothing
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import limit_of
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.wording.quantities import converted


def _hangs_on_a_total(outcome: Outcome) -> bool:
    """Return whether what a claim tells of several rows holds of one of them, and of their total does not.

    Or the other way round: `Ida ran 20 km in March` may be what she ran in all of it.
    """
    claim, program, truth = outcome.claim, outcome.proposal.program, outcome.result.truth
    of_total = _holds_of_the_total(claim, program)
    return of_total is not None and of_total is not truth


def _holds_of_the_total(claim: GroundedClaim, program: Truth) -> bool | None:
    """Return whether an amount is that of several named rows together; None of what states no such thing."""
    if not isinstance(program, Some) or not isinstance(program.rows, Meet):
        return None
    amounts = [part for part in program.rows.parts if isinstance(part, Where) and _is_an_amount(claim, part)]
    named: tuple[Rows, ...] = tuple(part for part in program.rows.parts if part not in amounts)
    if len(amounts) != 1 or not any(_is_a_name(part, claim.index.dates_and_years) for part in named):
        return None
    (column,), index = amounts[0].link.places, claim.index
    rows = Meet(named).run(index).rows - index.summaries
    numbers = [index.series[column][row] for row in rows if row in index.series[column]]
    if len(numbers) < _SEVERAL:
        return None
    relation, number = _told(claim, amounts[0])
    total = math.fsum(numbers)
    if relation == "=":
        return math.isclose(total, number, rel_tol=_ROUNDED)
    return operations.compare(total, relation, number)


def _hangs_on_an_empty_cell(outcome: Outcome) -> bool:
    """Return whether a row that a statement tells apart has nothing where a name is denied to it.

    Whether Kim inspected the green on 9 May nobody knows, where that inspection names nobody.
    """
    claim, program = outcome.claim, outcome.proposal.program
    statement = program.part if isinstance(program, Not) else program
    if not isinstance(statement, Some) or not isinstance(statement.rows, Meet):
        return False
    parts, index = statement.rows.parts, claim.index
    if not statement.run(index).truth and any(
        _is_compared_with_nothing(index, part, parts) for part in parts
    ):
        return True
    if statement.run(index).truth or len(parts) < _SEVERAL + 1:
        return False
    return any(
        _is_empty_there(index, part, Meet(tuple(other for other in parts if other is not part)))
        for part in parts
        if isinstance(part, Where) and part.link.full and part.link.number is None and not part.link.bound
    )


def _is_compared_with_nothing(index: TableIndex, part: Rows, parts: Sequence[Rows]) -> bool:
    """Return whether the row that others tell has nothing in a column that is compared with another's."""
    if not isinstance(part, Where) or part.link.bound[:1] not in ("<", ">") or limit_of(part.link):
        return False
    others = {name: place for place, name in enumerate(index.table.header)}
    other = others.get(part.link.bound.partition(" ")[2])
    if other is None:
        return False
    rows = Meet(tuple(condition for condition in parts if condition is not part)).run(index).rows
    columns = [*part.link.places, other]
    return len(rows) == 1 and any(tells_nothing(index.table.rows[row][c]) for row in rows for c in columns)


def _is_empty_there(index: TableIndex, part: Where, others: Rows) -> bool:
    columns, rows = part.link.places.keys(), others.run(index).rows
    if len(columns) != 1 or not rows:
        return False
    (column,) = columns
    cells = [index.table.rows[row][column] for row in rows]
    few = sum(map(tells_nothing, index.table.column(column))) <= _FEW * len(index.table.rows)
    return few and any(map(tells_nothing, cells))


_FEW = 0.5
# So many rows have a total, and so far off may it be told.
_SEVERAL, _ROUNDED = 2, 0.005


def _told(claim: GroundedClaim, amount: Where) -> tuple[str, float]:
    """Return the relation of an amount to the number that is told, and that number."""
    number = claim.column_numbers.get(amount.link.start, amount.link.number or 0.0)
    return limit_of(amount.link) or ("=", number)


def _is_a_name(part: Rows, times: Set[int]) -> bool:
    """Return whether rows are told by a whole cell, or by a time, and by no condition."""
    if not isinstance(part, Where) or not part.link.places:
        return False
    return (bool(part.link.full) and part.link.number is None) or part.link.places.keys() <= times


def _is_an_amount(claim: GroundedClaim, part: Where) -> bool:
    """Return whether rows are told by an amount that has a total: no share, rank or date."""
    index, link = claim.index, part.link
    if len(link.places) != 1 or not (link.number is not None or limit_of(link)):
        return False
    (column,) = link.places
    return _adds_up(index, column) and column != index.table.label_column


def _adds_up(index: TableIndex, column: int) -> bool:
    units = index.told_units[column]
    of_time = column in index.dates_and_years or column in index.clocks
    if (
        not index.is_numeric(column)
        or of_time
        or is_of_ranks(index, column)
        or index.numbers_its_rows(column)
    ):
        return False
    return bool(units) and "%" not in units and all(converted(1.0, unit, "degC") is None for unit in units)


CHECKS = (
    Check(_hangs_on_a_total, "it is otherwise for the total of those rows"),
    Check(_hangs_on_an_empty_cell, "the cell that would tell is empty"),
)
