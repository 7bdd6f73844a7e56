"""Claims of what the table does not tell: a row that they name has nothing in the column they speak of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.cell_dates import parse_date
from evidence_assets.tables.programs.grammar.number_programs import Cell as NumberOfCell
from evidence_assets.tables.programs.grammar.row_programs import Extreme, Meet, Where
from evidence_assets.tables.programs.grammar.things import parts_of, substituted
from evidence_assets.tables.programs.grammar.truth_programs import Compare, Every, OnlyThese, Same, Surely
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.index.columns.untold_cells import tells_nothing
from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.cells.flag_links import NONE
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, limit_of
from evidence_assets.tables.programs.links.times.periods import tells_a_year
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows
from evidence_assets.tables.programs.readings.parts.proposal import Bound, Proposal, where
from evidence_assets.tables.programs.readings.rows.facts import UNMATCHED
from evidence_assets.tables.table import Kind, Table


def lacks_cell(claim: GroundedClaim, proposal: Proposal) -> bool:
    """Return whether a row that a claim names has nothing in a column that the claim says something of.

    A row is named by the only cell that says so. What is compared with a bound is missing wherever that cell
    stands; a header that is merely said, or a column by which a row is first, is of what the table's labels
    name.
    """
    bound = proposal.bound
    names = [
        link
        for link in claim.links
        if link.start in bound
        and (link in claim.names or _is_a_year(claim, link) or _is_of_an_edition(claim, link))
    ]
    spans = [link for link in claim.links if link.bound and link.start in bound]
    if proposal.kind.startswith(UNMATCHED) and any(_hangs_on_ends(claim.index, link) for link in spans):
        # What no cell says may be how many rows are so, which ends of numbers do not tell.
        return True
    shared = common_rows(tuple(names))
    # A program that passes over one of the names that tell the row is of that row still.
    for rows in (shared, common_rows(tuple(claim.names))):
        if any(rows & link.undetermined and not rows & link.rows for link in spans):
            # None of the rows named is told to meet it, some of them may.
            return True
    index, (compared, headed) = claim.index, _compared_and_headed(claim, spans, bound)
    # Where many cells of a column are empty, these say that there is nothing: `has no note of it`.
    of_nothing = _often_empty(index.table) if proposal.kind in _DENYING else frozenset[int]()
    headed -= of_nothing
    passed_over = frozenset(_rows_passed_over(claim, names, bound))
    if passed_over and _is_missing(index, passed_over, compared | headed | {*_columns_in_order(proposal)}):
        return True
    of_rows = [link for link in names if len(link.rows) == 1]
    rows = frozenset(row for link in of_rows for row in link.rows)
    if len(shared) == 1:
        # Of `the Friday in the hall`, each of several rows, the one that they name together.
        rows |= shared
    if not rows or any(rows & link.undetermined for link in spans):
        return bool(rows)
    labelled = {row for link in of_rows if _names_by_its_label(claim.index, link) for row in link.rows}
    values = [
        link
        for link in claim.links
        if link.start in bound
        and bound[link.start][0] is Role.EVIDENCE
        and not link.places.keys() <= of_nothing
    ]
    return (
        any(_is_within_a_range(claim, item, labelled) or _is_untold(index, item, labelled) for item in values)
        or _is_missing(index, rows, compared)
        or (labelled and _is_missing(index, labelled, compared | headed | _ordering(proposal)))
        or _is_told_by_an_end(claim, proposal, labelled)
    )


_DENYING = frozenset({"denied co-occurrence", "none"})


@kept_for_tables
def _often_empty(table: Table) -> frozenset[int]:
    """Return the columns of which more than a few cells tell nothing."""
    return frozenset(
        column
        for column in range(table.columns)
        if sum(map(tells_nothing, table.column(column))) > _FEW * len(table.rows)
    )


def _rows_passed_over(claim: GroundedClaim, names: Sequence[Link], bound: Bound) -> Iterator[int]:
    """Yield the rows that a name tells which a program leaves, with those that it binds: no others are meant.

    Of `the essays for Osen cost less than 20`, read without the essays, the row of these.
    """
    for link in claim.links:
        if link.start not in bound and (link.number is None or _is_a_year(claim, link)):
            rows = common_rows((*names, link))
            if len(rows) == 1 and len(common_rows(tuple(names))) > 1:
                yield from rows


def _is_told_by_an_end(claim: GroundedClaim, proposal: Proposal, rows: Collection[int]) -> bool:
    """Return whether a claim says of rows what an end of their number does not tell.

    Whatever a program passes over of the claim.
    """
    if not any(claim.index.half_open):
        return False
    said = {column for head in claim.linked.headers if len(head.columns) == 1 for column in head.columns}
    bounds = [link for link in claim.links if link.bound]
    # What stands in a relation to a bound, or in an order, an end may tell; what is equal it does not.
    in_relation = {column for link in bounds if limit_of(link) for column in link.places}
    columns = said.union(*(link.places for link in bounds)) - in_relation - {*_columns_in_order(proposal)}
    return any(row in claim.index.half_open[column] for column in columns for row in rows)


def _hangs_on_ends(index: TableIndex, link: Link) -> bool:
    """Return whether cells that tell but an end of their number, or a range, may meet a condition or not."""
    return any(row in index.told_in_part(column) for column in link.places for row in link.undetermined)


def _ordering(proposal: Proposal) -> set[int]:
    """Return the columns by which rows are first or last of which a program says that some are these."""
    extremes = (
        part
        for statement in proposal.parts
        if isinstance(statement, Meet | Every | OnlyThese)
        for part in parts_of(statement)
    )
    return {part.column for part in extremes if isinstance(part, Extreme)}


def _columns_in_order(proposal: Proposal) -> Iterator[int]:
    """Yield the columns whose cells a program puts in an order."""
    for part in proposal.parts:
        if isinstance(part, Extreme | Same):
            yield part.column
        elif isinstance(part, Compare):
            yield from (side.column for side in (part.left, part.right) if isinstance(side, NumberOfCell))


def _names_by_its_label(index: TableIndex, link: Link) -> bool:
    """Return whether a link is of what rows go by: a name, or a number, as those of lines."""
    label = index.table.label_column
    return label is None or label in link.places or any(map(index.numbers_its_rows, link.places))


def surely(claim: GroundedClaim, proposal: Proposal) -> Truth:
    """Return a program, undefined where it hangs on rows that nothing tells to meet a condition or not.

    Nobody can say that no van is lit where nothing tells it of one. A count is of what is told.
    """
    of_what_is_told = proposal.kind.startswith(_OF_WHAT_IS_TOLD)
    program = proposal.program if of_what_is_told else _surely_told(claim, proposal)
    for other in _with_half_open(claim.index, proposal):
        program = Surely(program, other)
    return program


def _surely_told(claim: GroundedClaim, proposal: Proposal) -> Truth:
    """Return a program, undefined where it hangs on rows with an empty cell in a column of a condition."""
    hopeful = proposal.program
    # Whose number is taken, `the pumpkin plot is larger than the kale plot`, is said to be one.
    numbers = [part for part in proposal.parts if isinstance(part, NumberOfCell)]
    taken = [part for number in numbers for part in parts_of(number.rows)]
    # What a claim begins with says of which rows it is.
    for link in claim.links[1:] or claim.links:
        missing = _may_meet(claim, link) if link.start in proposal.bound else frozenset[int]()
        known = where(claim, link)
        if missing and known not in taken:
            ((column, rows),) = link.places.items()
            of_all = replace(link, places={column: rows | missing})
            hopeful = substituted(hopeful, known, replace(known, link=of_all))
    for part in proposal.parts:
        # Two columns that are compared are told of no row that has nothing in one of them.
        if isinstance(part, Where) and part.link.undetermined and part.link not in claim.links:
            hopeful = substituted(hopeful, part, _with_rows(part, part.link.undetermined))
    return proposal.program if hopeful is proposal.program else Surely(proposal.program, hopeful)


def _with_half_open(index: TableIndex, proposal: Proposal) -> Iterator[Truth]:
    """Yield what a program may be, for all that cells tell which tell but an end of their number, or both.

    So for the month of what tells its year. Counted is the program with one such row more, and one more.
    """
    program = proposal.program
    for part in proposal.parts:
        if isinstance(part, Where):
            untold = sorted(_told_in_part(index, part.link)) if part.link.undetermined else []
            for most in range(len(untold)):
                yield substituted(program, part, _with_rows(part, frozenset(untold[: most + 1])))
        elif isinstance(part, Extreme):
            rows = part.run(index).rows
            if not rows.isdisjoint(index.told_in_part(part.column)) and len(rows) > 1:
                for row in sorted(rows):
                    yield substituted(program, part, Where.of_row(row, part.column))


def _told_in_part(index: TableIndex, link: Link) -> Iterator[int]:
    """Yield the rows of which cells tell something, but too little to say whether they meet a condition."""
    for row in link.undetermined:
        kinds = {index.table.rows[row][column].value.kind for column in link.places}
        # A row that lacks another date is undetermined for that.
        dates = {index.table.rows[row][column].value.kind for column in index.dates_and_years}
        is_dated = Kind.DATE in kinds and Kind.EMPTY not in dates
        if is_dated or any(row in index.told_in_part(column) for column in link.places):
            yield row


def _with_rows(part: Where, rows: frozenset[int]) -> Where:
    """Return the rows of a link's only column, with others."""
    places = {column: members | rows for column, members in part.link.places.items()}
    return replace(part, link=replace(part.link, places=places))


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
        frozenset(row for row, cell in enumerate(table.column(column)) if tells_nothing(cell))
        if column != table.label_column
        else frozenset[int]()
        for column in range(table.columns)
    ]
    return tuple(rows if len(rows) <= _FEW * len(table.rows) else frozenset() for rows in columns)


# Where more of a column's cells are empty, that says that there is nothing.
_FEW = 0.25


def _is_a_year(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a link names a row by its year: `the edition of 2020`."""
    of_time = link.places.keys() <= claim.index.dates_and_years
    return not link.bound and of_time and len(link.rows) == 1 and tells_a_year(claim.tokens[link.start])


def _is_of_an_edition(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a link names a row by its place among rows' names: of `4th`, `the fourth final`."""
    label = claim.index.table.label_column
    return claim.tokens[link.start].ordinal and label in link.full and len(link.places[label or 0]) == 1


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
        or (column in numeric and row not in index.series[column] | index.half_open[column])
        for row in rows
        for column in columns
    )


def _is_untold(index: TableIndex, link: Link, rows: Collection[int]) -> bool:
    """Return whether rows tell nothing where others have a value: `Una left on 3 May` of a `?`."""
    if link.bound or len(link.places) != 1 or not link.rows.isdisjoint(rows):
        return False
    return any(tells_nothing(index.table.rows[row][column]) for column in link.places for row in rows)


def _is_within_a_range(claim: GroundedClaim, link: Link, rows: Collection[int]) -> bool:
    """Return whether a number, or a bound, is told of rows whose cells tell a range around it alone."""
    if not link.bound and _is_a_day_within(claim, link, rows):
        return True
    limit = limit_of(link)
    number = limit[1] if limit else claim.column_numbers.get(link.start) or link.number
    exempt = claim.index.dates_and_years if limit else claim.index.bands.keys()
    if number is None or len(link.places) != 1 or not exempt.isdisjoint(link.places):
        return False
    values = [claim.index.table.rows[row][column].value for column in link.places for row in rows]
    ends = [(value.low, value.high) for value in values if value.kind is Kind.RANGE]
    return any(low is not None and high is not None and low < number < high for low, high in ends)


def _is_a_day_within(claim: GroundedClaim, link: Link, rows: Collection[int]) -> bool:
    """Return whether a day is told of rows whose cells tell but the month or the year that it is in."""
    columns = [column for column in link.places if column in claim.index.dated]
    ranges = [told for column in columns for row in rows if (told := claim.index.ranges[column].get(row))]
    said = parse_date(claim.phrase(link.start, link.end)) if ranges else None
    return said is not None and any(low <= (said.number or 0.0) <= high for low, high in ranges)
