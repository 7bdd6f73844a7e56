"""Programs proposed for a question, and what they bind of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.types import Cells, Number, NumberResult, Rows
from evidence_assets.tables.programs.index.columns.column_units import YEAR
from evidence_assets.tables.programs.index.columns.untold_cells import tells_nothing
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import positions_of
from evidence_assets.tables.programs.questions.columns.parts_of_amounts import wholes_of
from evidence_assets.tables.programs.questions.rows.chosen_rows import Selection
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.proposal import Bound, binding

Target = tuple[Role, str]


@dataclass(frozen=True, slots=True)
class QuestionProgram:
    """A program proposed for a question: rows whose cells of a column are asked for, or a number.

    `selection`: the rows that it starts from. `years`: whether of a date its year is asked for. `summed`: the
    column whose numbers are summed up, or differ.
    """

    kind: str
    program: Number | Rows
    column: int | None
    bound: Bound
    selection: Selection
    years: bool = False
    summed: int | None = None

    def tells_nothing(self, index: TableIndex) -> bool:
        """Return whether cells are asked for that are all empty, or say that nothing is known."""
        if self.column is None or not self.kind.startswith("lookup"):
            return False
        return all(tells_nothing(index.table.rows[row][self.column]) for row in self.selection.chosen)

    def describe(self, header: tuple[str, ...]) -> str:
        """Return the program in readable form."""
        text = self.program.describe(header)
        if self.column is None:
            return text
        return f"{'year of ' if self.years else ''}{header[self.column]}({text})"

    def values(self, index: TableIndex) -> tuple[tuple[str, ...], Cells]:
        """Return what it comes to, as texts, and the cells that it used."""
        result = self.program.run(index)
        if self.column is None or isinstance(result, NumberResult):
            number = getattr(result, "number", None)
            return (() if number is None else (f"{number:.10g}",)), result.cells
        rows = sorted(result.rows)
        if self.years:
            years = index.years.get(self.column, {})
            texts = [f"{years[row]:g}" if row in years else self._only_year(index, row) for row in rows]
        else:
            cells_of_rows = [index.table.rows[row][self.column] for row in rows]
            texts = [cell.text for cell in cells_of_rows if not tells_nothing(cell)]
        cells = result.cells | {(row, self.column) for row in rows}
        return tuple(dict.fromkeys(text for text in texts if text)), frozenset(cells)

    def _only_year(self, index: TableIndex, row: int) -> str:
        """Return the only year that a cell says, though it is read as no date: of `Sept 2020 (online)`."""
        years = {*YEAR.findall(index.table.rows[row][self.column or 0].text)}
        return years.pop() if len(years) == 1 else ""


def bound_by(
    wording: Wording, selection: Selection, columns: list[int], operators: tuple[int, ...]
) -> dict[int, tuple[Role, str]]:
    """Return what a program over a selection binds: columns, operators, and what is said of its rows."""
    used = [*columns, *selection.compared, *([] if selection.measure is None else [selection.measure])]
    used += sorted(wholes_of(wording, columns))
    words = [*wording.asking, *selection.operators, *operators, *_words_of_number(wording, selection)]
    # Who `founded` a club is its founder.
    words += [position for position, columns in wording.resembling.items() if not columns.isdisjoint(used)]
    bound = binding(wording.claim, selection.links, used, words)
    return bound | dict(_numbers_of_headers(wording, used, bound))


def _numbers_of_headers(wording: Wording, columns: list[int], bound: Bound) -> Iterator[tuple[int, Target]]:
    """Yield the numbers that end the names of columns, behind words that are bound: the 3 of `Q3 and Q4`."""
    claim = wording.claim
    for column in columns:
        for name in pairwise(claim.index.headers[column]):
            for position in range(1, len(claim.tokens)):
                before, number = claim.tokens[position - 1 : position + 1]
                if number.number is not None and (before.key, number.key) == name and position - 1 in bound:
                    yield position, (Role.EVIDENCE, f"column {claim.index.table.header[column]}")


def _words_of_number(wording: Wording, selection: Selection) -> Iterator[int]:
    """Yield where it is said of how many rows a selection is: `the two`, `any`, `in all`."""
    claim = wording.claim
    valued, totals = positions_of(selection.links), wording.of("total")
    for position, token in enumerate(claim.tokens):
        counts = token.number == len(selection.chosen) > 1 and not token.ordinal
        is_all = token.text in _OF_ALL and position not in totals
        if position not in valued and (counts or is_all or wording.is_any_time(position)):
            yield position


# Said of rows, it leaves none of them out.
_OF_ALL = frozenset({"any", "all", "whole", "entire"})
