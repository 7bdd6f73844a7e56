"""Programs proposed for a question, and what they bind of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.types import Cells, Number, NumberResult, Rows
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import positions_of
from evidence_assets.tables.programs.questions.question_wording import Wording
from evidence_assets.tables.programs.questions.selections import Selection
from evidence_assets.tables.programs.readings.parts.proposal import Bound, binding
from evidence_assets.tables.programs.verdicts.missing_cells import tells_nothing


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

    @property
    def is_of_cells(self) -> bool:
        """Whether cells are asked for, and nothing that is computed of them."""
        return self.column is not None and self.kind.startswith("lookup")

    def read(self, header: tuple[str, ...]) -> str:
        """Return the program in readable form."""
        text = self.program.read(header)
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
            texts = [f"{years[row]:g}" for row in rows if row in years]
        else:
            cells_of_rows = [index.table.rows[row][self.column] for row in rows]
            texts = [cell.text for cell in cells_of_rows if not tells_nothing(cell)]
        cells = result.cells | {(row, self.column) for row in rows}
        return tuple(dict.fromkeys(text for text in texts if text)), frozenset(cells)


def bound_by(
    wording: Wording, selection: Selection, columns: list[int], operators: tuple[int, ...]
) -> dict[int, tuple[Role, str]]:
    """Return what a program over a selection binds: columns, operators, and what is said of its rows."""
    used = [*columns, *selection.compared, *([] if selection.measure is None else [selection.measure])]
    words = [*wording.asking, *selection.operators, *operators, *_words_of_number(wording, selection)]
    # Who `founded` a club is its founder.
    words += [position for position, columns in wording.resembling.items() if not columns.isdisjoint(used)]
    return binding(wording.claim, selection.links, used, words)


def _words_of_number(wording: Wording, selection: Selection) -> Iterator[int]:
    """Yield where it is said of how many rows a selection is: `the two`, `any`, `in all`."""
    claim = wording.claim
    valued = positions_of(selection.links)
    for position, token in enumerate(claim.tokens):
        counts = token.number == len(selection.chosen) > 1 and not token.ordinal
        if position not in valued and (counts or token.text in _OF_ALL or wording.is_any_time(position)):
            yield position


# Said of rows, it leaves none of them out.
_OF_ALL = frozenset({"any", "all", "whole", "entire"})
