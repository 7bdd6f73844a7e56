"""Free questions over the tables of the authored claims: a query over a table in DuckDB decides each answer.

`python -m benchmarks.authored.table_questions` checks the files and prints how many there are of each kind.
"""

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import duckdb

from benchmarks.authored.table_claims import (
    FOLDER,
    ClaimSetError,
    FileModel,
    Table,
    read_file,
    read_table,
    typed_view,
)

QUESTIONS = Path(__file__).parent / "table_questions"

Kind = Literal[
    "lookup",
    "superlative",
    "count",
    "difference",
    "sum",
    "average",
    "change",
    "duration",
    "condition",
    "comparison",
    "when",
    "ordinal",
    "choice",
    "yes_no",
    "absent",
]


@dataclass(frozen=True)
class TableQuestion:
    """A question over one table. `answers`: names and numbers; none where the table does not tell."""

    id: str
    table: Table
    text: str
    kind: Kind
    answers: tuple[str, ...]


class _QuestionEntry(FileModel):
    id: str
    table: str
    question: str
    kind: Kind
    query: str | None
    missing: str | None = None


def load(folder: Path = QUESTIONS, claims: Path = FOLDER) -> list[TableQuestion]:
    """Every question with its answers, in the order of the files.

    Raises ClaimSetError where a file cannot be read, a query does not run or gives nothing, an id stands
    twice, or a question has neither a query nor those of its words that the table lacks.
    """
    tables = {file.stem: read_table(file) for file in sorted((claims / "tables").glob("*.yaml"))}
    database = duckdb.connect()
    views = {name: typed_view(database, entry) for name, (_, entry) in tables.items()}
    questions: dict[str, TableQuestion] = {}
    for file in sorted(folder.glob("*.yaml")):
        for entry in read_file(file, list[_QuestionEntry]):
            where = f"{file}: {entry.id}"
            if entry.table not in tables or tables[entry.table][0].domain != file.stem:
                raise ClaimSetError(f"{where}: no table `{entry.table}` of `{file.stem}`; correct its name")
            if entry.id in questions:
                raise ClaimSetError(f"{where}: the id stands twice; number one of the two anew")
            answers = _answers(where, entry, views[entry.table])
            table = tables[entry.table][0]
            questions[entry.id] = TableQuestion(entry.id, table, entry.question, entry.kind, answers)
    return list(questions.values())


def _answers(where: str, entry: _QuestionEntry, view: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    absent = entry.kind == "absent"
    if absent != (entry.query is None) or absent != (entry.missing is not None):
        raise ClaimSetError(f"{where}: give a query, or be `absent` and quote in `missing` what is lacking")
    if entry.missing is not None and entry.missing not in entry.question:
        raise ClaimSetError(f"{where}: `missing` is not in the question; quote its words exactly")
    if entry.query is None:
        return ()
    try:
        rows = view.execute(entry.query).fetchall()
    except duckdb.Error as error:
        raise ClaimSetError(f"{where}: the query does not run; correct it: {error}") from error
    values = [row[0] for row in rows]
    if not values or None in values:
        raise ClaimSetError(f"{where}: the query gives {values}; a question that has an answer gives values")
    return tuple(f"{value:.10g}" if isinstance(value, float) else str(value) for value in values)


def main() -> int:
    """Prints the number of questions by kind; an error of the set goes to stderr with exit status 1."""
    try:
        questions = load()
    except ClaimSetError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for kind, number in sorted(Counter(question.kind for question in questions).items()):
        sys.stdout.write(f"{number:5} {kind}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
