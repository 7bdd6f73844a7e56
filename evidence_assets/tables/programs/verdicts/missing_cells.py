"""Claims of what the table does not tell: a row that they name has nothing in the column they speak of."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.things import substituted
from evidence_assets.tables.programs.grammar.truth_programs import Surely
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.flag_links import NONE
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.periods import tells_a_year
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows
from evidence_assets.tables.programs.readings.parts.proposal import Bound, Proposal, where
from evidence_assets.tables.table import Cell, Kind, Table


def lacks_cell(claim: GroundedClaim, bound: Bound) -> bool:
    """Return whether a row that a claim names has nothing in a column that the claim says something of.

    A row is named by the only cell that says so. What is compared with a bound is missing wherever that cell
    stands; a header that is merely said is of what the table's labels name.
    """
    names = [
        link
        for link in claim.links
        if link.start in bound and (link in claim.names or _is_a_year(claim, link))
    ]
    spans = [link for link in claim.links if link.bound and link.start in bound]
    shared = common_rows(tuple(names))
    # A program that passes over one of the names that tell the row is of that row still.
    for rows in (shared, common_rows(tuple(claim.names))):
        if any(rows & link.undetermined and not rows & link.rows for link in spans):
            # None of the rows named is told to meet it, some of them may.
            return True
    of_rows = [link for link in names if len(link.rows) == 1]
    rows = frozenset(row for link in of_rows for row in link.rows)
    if len(shared) == 1:
        # Of `the Friday in the hall`, each of several rows, the one that they name together.
        rows |= shared
    if not rows:
        return False
    if any(rows & link.undetermined for link in spans):
        return True
    labelled = {row for link in of_rows if _names_by_its_label(claim.index, link) for row in link.rows}
    values = [link for link in claim.links if link.start in bound and bound[link.start][0] is Role.EVIDENCE]
    if any(
        _is_within_a_range(claim, link, labelled) or _is_untold(claim.index, link, labelled)
        for link in values
    ):
        return True
    compared, headed = _compared_and_headed(claim, spans, bound)
    return _is_missing(claim.index, rows, compared) or _is_missing(claim.index, labelled, compared | headed)


def _names_by_its_label(index: TableIndex, link: Link) -> bool:
    """Return whether a link is of what rows go by: a name, or a number, as those of lines."""
    label = index.table.label_column
    return label is None or label in link.places or any(map(index.numbers_its_rows, link.places))


def surely(claim: GroundedClaim, proposal: Proposal) -> Truth:
    """Return a program, undefined where it hangs on rows that nothing tells to meet a condition or not.

    Nobody can say that no van is lit where nothing tells it of one. A count is of what is told.
    """
    hopeful = proposal.program
    if proposal.kind.startswith(_OF_WHAT_IS_TOLD):
        return hopeful
    # What a claim begins with says of which rows it is.
    for link in claim.links[1:] or claim.links:
        missing = _may_meet(claim, link) if link.start in proposal.bound else frozenset[int]()
        if missing:
            known = where(claim, link)
            ((column, rows),) = link.places.items()
            of_all = replace(link, places={column: rows | missing})
            hopeful = substituted(hopeful, known, replace(known, link=of_all))
    return proposal.program if hopeful is proposal.program else Surely(proposal.program, hopeful)


_OF_WHAT_IS_TOLD = ("count", "loose count", "both")


def _may_meet(claim: GroundedClaim, link: Link) -> frozenset[int]:
    """Return the rows whose cells of a link's only column tell nothing, where few do."""
    if len(link.places) != 1 or link.bound.endswith(NONE):
        return frozenset()
    ((column, rows),) = link.places.items()
    return _untold_rows(claim.index.table)[column] - rows


@kept_for_tables
def _untold_rows(table: Table) -> tuple[frozenset[int], ...]:
    """Return the rows whose cells tell nothing, by column; none of names, and none where many do."""
    columns = [
        frozenset() if column == table.label_column else _untold_in(table.column(column))
        for column in range(table.columns)
    ]
    return tuple(rows if len(rows) <= _FEW * len(table.rows) else frozenset() for rows in columns)


def _untold_in(cells: Sequence[Cell]) -> frozenset[int]:
    return frozenset(row for row, cell in enumerate(cells) if tells_nothing(cell))


# Where more of a column's cells are empty, that says that there is nothing.
_FEW = 0.25


def _is_a_year(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a link names a row by its year: `the edition of 2020`."""
    of_time = link.places.keys() <= {*claim.index.dated, *claim.index.years}
    return not link.bound and of_time and len(link.rows) == 1 and tells_a_year(claim.tokens[link.start])


def _compared_and_headed(
    claim: GroundedClaim, spans: Collection[Link], bound: Bound
) -> tuple[set[int], set[int]]:
    """Return the columns that a claim compares with a bound, and those whose headers it says.

    Without those that it says to hold something or nothing, where an empty cell tells that.
    """
    of_none = {column for link in spans if link.bound.endswith(NONE) for column in link.places}
    compared = {column for link in spans for column in link.places if len(link.places) == 1}
    heads = [head for head in claim.linked.headers if head.start in bound and len(head.columns) == 1]
    return compared - of_none, {column for head in heads for column in head.columns} - of_none


def _is_missing(index: TableIndex, rows: Collection[int], columns: Collection[int]) -> bool:
    """Return whether a row tells nothing in a column, or no number where others tell one and no codes."""
    numeric = {column for column in columns if index.is_numeric(column) and not index.is_of_codes(column)}
    return any(
        index.table.rows[row][column].value.kind is Kind.EMPTY
        or (column in numeric and row not in index.series[column])
        for row in rows
        for column in columns
    )


def _is_untold(index: TableIndex, link: Link, rows: Collection[int]) -> bool:
    """Return whether rows tell nothing where others have a value: `Una left on 3 May` of a `?`."""
    if link.bound or len(link.places) != 1 or not link.rows.isdisjoint(rows):
        return False
    return any(tells_nothing(index.table.rows[row][column]) for column in link.places for row in rows)


def tells_nothing(cell: Cell) -> bool:
    """Return whether a cell is empty, or says that nothing is known yet."""
    text = cell.text.strip().lower()
    return cell.value.kind is Kind.EMPTY or text in _UNTOLD or bool(_NOT_TOLD.fullmatch(text))


# What a cell says that tells nothing where others tell a value, besides those that are read as empty.
_UNTOLD = frozenset(
    {"unknown", "withheld", "not yet", "pending", "under investigation", "tba", "tbc", "tbd"}
    | {f"to be {word}" for word in ("announced", "confirmed", "decided", "determined")}
)
_NOT_TOLD = re.compile(
    r"(?:not|never)(?: yet)? "
    r"(?:known|told|stated|given|recorded|reported|measured|counted|published|disclosed)"
)


def _is_within_a_range(claim: GroundedClaim, link: Link, rows: Collection[int]) -> bool:
    """Return whether a number, or a bound, is told of rows whose cells tell a range around it alone."""
    bound = _BOUND.fullmatch(link.bound)
    number = float(bound[1]) if bound else claim.column_numbers.get(link.start) or link.number
    exempt = {*claim.index.years, *claim.index.dated} if bound else claim.index.bands.keys()
    if number is None or len(link.places) != 1 or not exempt.isdisjoint(link.places):
        return False
    values = [claim.index.table.rows[row][column].value for column in link.places for row in rows]
    ends = [(value.low, value.high) for value in values if value.kind is Kind.RANGE]
    return any(low is not None and high is not None and low < number < high for low, high in ends)


_BOUND = re.compile(r"[<>]=? (-?[\d.]+)")
