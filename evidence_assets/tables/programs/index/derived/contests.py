"""Tables of contests, with what they imply and do not print: outcomes, margins, and a row for each side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evidence_assets.tables.hygiene import find_label_column
from evidence_assets.tables.programs.index.derived.contest_cells import (
    Numbers,
    Sides,
    outcome_of,
    outcomes_of,
    sides_of,
    told_for_and_against,
    told_in_order,
)
from evidence_assets.tables.programs.index.derived.derived_tables import cell_of
from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.programs.index.table_index import TableIndex, index_of
from evidence_assets.tables.programs.wording.words import number_key
from evidence_assets.tables.table import Cell, Table

Place = tuple[int, int]
_OPPOSITES = {"W": "L", "L": "W", "D": "D"}
RESULT, SCORE, MARGIN = "Outcome", "Score", "Margin"
COMBINED, SCORED, CONCEDED = "Combined score, total points", "Points for", "Points against"


@dataclass(frozen=True, slots=True)
class ContestTable(Table):
    """A table of contests with columns of what follows from their cells.

    `origins`: of each row and column, the cells that it is told by. `result`, `margin`: the columns of
    outcomes and of by how much; `team`, `opponent`: of a row's side and of the other, None where rows are of
    one side alone, or of both. `of_sides`: each contest is two rows.
    """

    origins: tuple[tuple[tuple[Place, ...], ...], ...] = ()
    result: int = 0
    margin: int | None = None
    team: int | None = None
    opponent: int | None = None
    side: int | None = None
    derived: tuple[int, ...] = ()
    of_sides: bool = False

    def published(self, row: int, column: int) -> tuple[Place, ...]:
        """Return the cells of the published table that tell a cell; row -1 is the header."""
        if row >= 0:
            return self.origins[row][column]
        columns = {place for origins in self.origins for _, place in origins[column]}
        return tuple((-1, place) for place in sorted(columns))


@dataclass(frozen=True, slots=True)
class _Column:
    """A column to be: its name, its cells, the places that tell each, and if its numbers are worked out."""

    name: str
    cells: Sequence[Cell]
    origins: Sequence[tuple[Place, ...]]
    is_derived: bool = False


@kept_for_tables
def contests_of(table: Table) -> tuple[ContestTable, ...]:
    """Return a table of contests as its rows with what follows from them, and as the sides of each.

    None for a table whose rows are no contests; the first alone where rows are of one side.
    """
    index = index_of(table)
    sides = sides_of(index)
    if sides is not None:
        return _matches(index, sides), _sides(index, sides)
    printed = outcomes_of(index)
    if printed is not None:
        column, outcomes = printed
        return (_of_one_side(index, outcomes, *told_for_and_against(index, outcomes, column), column),)
    scores, sources = told_in_order(index)
    if scores:
        return (_of_one_side(index, {row: outcome_of(*s) for row, s in scores.items()}, scores, sources),)
    return ()


def _of_one_side(
    index: TableIndex,
    outcomes: Mapping[int, str],
    scores: Numbers,
    sources: tuple[int, int],
    printed: int | None = None,
) -> ContestTable:
    """Return rows of one side's contests. `printed`: the column of their outcomes, None where scores tell."""
    rows = range(len(index.table.rows))
    columns = [_kept(index, column, rows) for column in range(index.table.columns)]
    places = [((row, printed),) if printed is not None else _places(row, sources) for row in rows]
    name = RESULT if printed is None else index.table.header[printed]
    result = _Column(name, [cell_of(outcomes.get(row, "")) for row in rows], places)
    # The column of outcomes is replaced by what it tells of them, and a score in it kept.
    position = len(columns) if printed is None else printed
    columns[position : position + 1] = [result]
    if printed is not None and printed in sources and scores:
        columns.append(replace(_kept(index, printed, rows), name=SCORE))
    numbers = [*_numbers(scores, [(row, False) for row in rows], sources)][:-1]
    if sources[0] != sources[1]:
        # Columns of their own tell what was for and against.
        numbers = numbers[:1]
    opponents = [c for c, keys in enumerate(index.headers) if _OF_OPPONENTS & {*keys}]
    return _made(
        index.table,
        [*columns, *numbers],
        result=position,
        margin=len(columns) if numbers else None,
        opponent=opponents[0] if opponents else None,
    )


_OF_OPPONENTS = frozenset({"oppon", "opponent", "opposit", "against", "team", "visitor"})


def _matches(index: TableIndex, sides: Sides) -> ContestTable:
    """Return each contest as a row, with whether it was decided and by how much."""
    rows = range(len(index.table.rows))
    columns = [_kept(index, column, rows) for column in range(index.table.columns)]
    # Of a contest that somebody won, the one side's outcome is as good as the other's.
    decided = [cell_of(sides.outcome(index, row).replace("L", "W")) for row in rows]
    places = [_places(row, sides.sources) for row in rows]
    numbers = [*_numbers(sides.scores, [(row, False) for row in rows], sides.sources)]
    of_both = [column for column in numbers if column.name in {MARGIN, COMBINED}]
    return _made(
        index.table,
        [*columns, _Column(RESULT, decided, places), *of_both],
        result=len(columns),
        margin=len(columns) + 1 if of_both else None,
    )


def _sides(index: TableIndex, sides: Sides) -> ContestTable:
    """Return each side of each contest as a row, the other as its opponent."""
    ends = [(row, turned) for row in range(len(index.table.rows)) for turned in (False, True)]
    rows = [row for row, _ in ends]
    names = [[sides.names[turned] for _, turned in ends], [sides.names[not turned] for _, turned in ends]]
    # A cell of both scores is told of both sides; one that names the winner, by the outcome of each.
    of_one = sides.told or sides.sources[0] != sides.sources[1]
    taken = {*sides.names, *(sides.sources if of_one else ())}
    kept = [_kept(index, column, rows) for column in range(index.table.columns) if column not in taken]
    outcomes = [sides.outcome(index, row) for row, _ in ends]
    outcomes = [_OPPOSITES.get(o, "") if turned else o for o, (_, turned) in zip(outcomes, ends, strict=True)]
    words = _words_of_sides(index, sides)
    team, opponent = (
        _Column(
            name,
            [index.table.rows[row][column] for row, column in zip(rows, columns, strict=True)],
            [((row, column),) for row, column in zip(rows, columns, strict=True)],
        )
        for name, columns in zip(("Team", "Opponent"), names, strict=True)
    )
    heads = [((-1, column),) for column in names[0]]
    side = _Column("Side", [cell_of(words[turned]) for _, turned in ends], heads)
    results = _Column(RESULT, [*map(cell_of, outcomes)], [_places(row, sides.sources) for row in rows])
    numbers = [*_numbers(sides.scores, ends, sides.sources)][:-1]
    first = len(kept)
    return _made(
        index.table,
        [*kept, team, opponent, side, results, *numbers],
        result=first + 3,
        margin=first + 4 if numbers else None,
        team=first,
        opponent=first + 1,
        side=first + 2,
    )


def _words_of_sides(index: TableIndex, sides: Sides) -> tuple[str, str]:
    """Return what the headers call the sides: home and away; nothing where they say who won."""
    names = [index.table.header[column] for column in sides.names]
    rows = sorted(sides.told or sides.scores)
    if all(sides.outcome(index, row) == sides.outcome(index, rows[0]) for row in rows):
        return "", ""
    words = [name.split() for name in names]
    apart = [" ".join(word for word in these if word not in those) for these, those in (words, words[::-1])]
    first, second = (name if len(part) < 2 else part for name, part in zip(names, apart, strict=True))
    return first, second


def _numbers(
    scores: Numbers, ends: Sequence[tuple[int, bool]], sources: tuple[int, int]
) -> Iterator[_Column]:
    """Yield the columns of margins, of points for and against, and of both together.

    `ends`: each row, and if turned.
    """
    places = [_places(row, sources) for row, _ in ends]
    if not scores:
        return
    pairs = [scores.get(row, ()) for row, _ in ends]
    pairs = [pair[::-1] if turned else pair for pair, (_, turned) in zip(pairs, ends, strict=True)]
    numbers = {
        MARGIN: [[abs(pair[0] - pair[1])] if pair else [] for pair in pairs],
        SCORED: [[*pair[:1]] for pair in pairs],
        CONCEDED: [[*pair[1:]] for pair in pairs],
        COMBINED: [[sum(pair)] if pair else [] for pair in pairs],
    }
    for name, by_row in numbers.items():
        yield _Column(
            name, [cell_of("".join(map(number_key, cell))) for cell in by_row], places, is_derived=True
        )


def _places(row: int, sources: tuple[int, int]) -> tuple[Place, ...]:
    return tuple((row, column) for column in sorted({*sources}))


def _kept(index: TableIndex, column: int, rows: Sequence[int]) -> _Column:
    cells = [index.table.rows[row][column] for row in rows]
    return _Column(index.table.header[column], cells, [((row, column),) for row in rows])


def _made(
    table: Table,
    columns: Sequence[_Column],
    *,
    result: int,
    margin: int | None,
    team: int | None = None,
    opponent: int | None = None,
    side: int | None = None,
) -> ContestTable:
    of_sides = team is not None
    header: list[str] = []
    for column in columns:
        header.append(column.name if column.name not in header else f"{column.name} ({len(header)})")
    rows = tuple(zip(*(column.cells for column in columns), strict=True))
    return ContestTable(
        table_id=table.table_id,
        caption=table.caption,
        header=tuple(header),
        rows=rows,
        label_column=find_label_column(rows) if of_sides else table.label_column,
        has_header=table.has_header,
        padded=table.padded,
        notes=(*table.notes, "outcomes and margins of contests worked out"),
        origins=tuple(zip(*(column.origins for column in columns), strict=True)),
        result=result,
        margin=margin,
        team=team,
        opponent=opponent,
        side=side,
        derived=tuple(n for n, column in enumerate(columns) if column.is_derived),
        of_sides=of_sides,
    )
