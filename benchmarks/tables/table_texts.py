"""Public tables with what is claimed or asked of them: SciTab, TabFact's small test set, WorldTree.

Needs the data sets (see real_texts), under `tables`.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.real_texts import real_data
from benchmarks.tables import table_sets
from evidence_assets.tables.hygiene import EmptyTableError, make_table
from evidence_assets.tables.rows import content_words
from evidence_assets.tables.table import Table

_OPTION = re.compile(r"\s*\(([A-E1-5])\)\s*")
_PLACEHOLDER = "Text of licensed questions"


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """Claims (or questions) and the number of the table that each is about.

    `named`: the columns that the gold names, one set a claim; empty where it names none.
    """

    name: str
    tables: list[Table]
    claims: list[str]
    owners: list[int]
    named: list[frozenset[int]]


@dataclass(frozen=True, slots=True)
class Question:
    """A WorldTree question. `gold`: places of its explanation's rows, table and row."""

    question_id: str
    text: str
    options: list[str]
    right: int
    gold: list[tuple[int, int]]


def scitab() -> ClaimSet:
    """Return SciTab: 1,224 claims over the tables of papers; no gold columns."""
    claims = table_sets.scitab(real_data() / "tables" / "sci_tab.json")
    tables = {table.table_id: table for table, _, _ in claims}
    numbers = {table_id: number for number, table_id in enumerate(tables)}
    owners = [numbers[table.table_id] for table, _, _ in claims]
    statements = [text for _, text, _ in claims]
    return ClaimSet("scitab", list(tables.values()), statements, owners, [frozenset()] * len(statements))


def tabfact() -> ClaimSet:
    """Return TabFact's small test set; gold columns are those whose header's words stand all in the claim."""
    folder = real_data() / "tables" / "tabfact_small"
    names = json.loads((folder / "small_test_id.json").read_text(encoding="utf-8"))
    examples = json.loads((folder / "test_examples.json").read_text(encoding="utf-8"))
    tables, claims, owners, named = list[Table](), list[str](), list[int](), list[frozenset[int]]()
    for name in names:
        lines = (folder / "csv" / name).read_text(encoding="utf-8").splitlines()
        header, *rows = [line.split("#") for line in lines]
        table = make_table(name, examples[name][2], [header], rows)
        wanted = [content_words(column) for column in table.header]
        for claim in examples[name][0]:
            claim_words = content_words(claim)
            claims.append(claim)
            owners.append(len(tables))
            named.append(frozenset(n for n, column in enumerate(wanted) if column and column <= claim_words))
        tables.append(table)
    return ClaimSet("tabfact", tables, claims, owners, named)


def worldtree() -> tuple[list[Table], list[Question]]:
    """Return WorldTree's tables and the questions whose text is there and that have an explanation."""
    folder = real_data() / "tables" / "worldtree" / "tsv"
    tables: list[Table] = []
    places: dict[str, tuple[int, int]] = {}
    for path in sorted((folder / "tables").glob("*.tsv")):
        header, *rows = _tab_separated(path)
        shown = [number for number, name in enumerate(header) if name and not name.startswith("[SKIP]")]
        filled = [row for row in rows if any(row[number].strip() for number in shown if number < len(row))]
        names = [header[number].removeprefix("[FILL]").strip() for number in shown]
        cells = [[row[number] if number < len(row) else "" for number in shown] for row in filled]
        try:
            table = make_table(path.stem, path.stem, [names], cells)
        except EmptyTableError:
            continue
        at = header.index("[SKIP] UID")
        for place, row in enumerate(filled):
            if at < len(row) and row[at].strip():
                places.setdefault(row[at].strip(), (len(tables), place))
        tables.append(table)
    return tables, [
        question
        for row in _questions(folder / "questionsAndExplanations.tsv")
        if (question := _question(row, places)) is not None
    ]


def _tab_separated(path: Path) -> list[list[str]]:
    text = path.read_text(encoding="utf-8", errors="replace")
    return [line.split("\t") for line in text.splitlines() if line.strip()]


def _questions(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            {key: value or "" for key, value in row.items() if key}
            for row in csv.DictReader(lines, delimiter="\t")
        ]


def _question(row: dict[str, str], places: dict[str, tuple[int, int]]) -> Question | None:
    text = row["question"]
    if _PLACEHOLDER in text or not row["explanation"].strip():
        return None
    stem, *parts = _OPTION.split(text)
    letters, options = parts[::2], [option.strip() for option in parts[1::2]]
    if row["AnswerKey"] not in letters:
        return None
    identifiers = [part.split("|")[0] for part in row["explanation"].split()]
    gold = list(dict.fromkeys(places[identifier] for identifier in identifiers if identifier in places))
    return Question(row[",,QuestionID"], stem.strip(), options, letters.index(row["AnswerKey"]), gold)


def worldtree_claims(tables: Sequence[Table], questions: Sequence[Question]) -> ClaimSet:
    """Return every question with each table that holds a gold row of it.

    Gold columns are those of the gold rows that hold a word of the right option which the question does not
    say: they bear the answer.
    """
    claims, owners, named = list[str](), list[int](), list[frozenset[int]]()
    for question in questions:
        option_words = content_words(question.options[question.right]) - content_words(question.text)
        bearing: dict[int, set[int]] = {}
        for number, row in question.gold:
            cells = tables[number].rows[row]
            held = {column for column, cell in enumerate(cells) if option_words & content_words(cell.text)}
            bearing.setdefault(number, set()).update(held)
        for number, columns in bearing.items():
            claims.append(question.text)
            owners.append(number)
            named.append(frozenset(columns))
    return ClaimSet("worldtree", list(tables), claims, owners, named)
