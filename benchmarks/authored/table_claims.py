"""Claims over small tables, written for this project: the label of each follows from a rule run in DuckDB.

`python -m benchmarks.authored.table_claims` checks the files and prints the counts that the README holds.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal, TypeVar

import duckdb
import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

FOLDER = Path(__file__).parent / "table_claims"

Label = Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFORMATION"]
Kind = Literal[
    "lookup",
    "comparison",
    "superlative",
    "ordinal",
    "count",
    "arithmetic",
    "change",
    "unit_conversion",
    "coarser_date",
    "negation",
    "quantifier",
    "conjunction",
    "contrast",
    "absent_predicate",
    "absent_entity",
    "absent_attribute",
    "cause_or_opinion",
    "finer_precision",
    "missing_cell",
]
LABELS: tuple[Label, ...] = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFORMATION")
ROWS = range(5, 15)
COLUMNS = range(3, 8)

_COUNTS_BEGIN, _COUNTS_END = "<!-- counts -->\n", "<!-- /counts -->\n"
_Read = TypeVar("_Read")


class ClaimSetError(ValueError):
    """A file of the set breaks its rules; the message names the file, the claim or field, and the remedy."""


@dataclass(frozen=True)
class Table:
    """A table as a reader sees it; `source` is `invented` or `common knowledge`."""

    name: str
    domain: str
    source: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Claim:
    """A claim over one table.

    `rule` is the SQL expression over the typed table that decides the label; None where no expression could,
    and then `missing` quotes the words of the claim that nothing in the table accounts for.
    """

    id: str
    table: Table
    text: str
    kind: Kind
    label: Label
    rule: str | None
    missing: str | None


class FileModel(BaseModel):
    """What a file holds, with nothing besides and nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _Column(FileModel):
    type: Literal["VARCHAR", "DOUBLE", "INTEGER", "BOOLEAN", "DATE"]
    values: list[str | float | int | bool | date | None]


class TableEntry(FileModel):
    """A table's file: the table as shown, and its columns typed for rules and queries."""

    domain: str
    source: Literal["invented", "common knowledge"]
    caption: str
    header: list[str]
    rows: list[list[str]]
    typed: dict[str, _Column]


class _ClaimEntry(FileModel):
    id: str
    table: str
    claim: str
    kind: Kind
    rule: str | None
    missing: str | None = None


def load(folder: Path = FOLDER) -> list[Claim]:
    """Every claim of the set with its label, in the order of the files.

    Raises ClaimSetError where a file cannot be read, a rule does not run, or an id or a claim stands twice.
    """
    tables = {file.stem: read_table(file) for file in sorted((folder / "tables").glob("*.yaml"))}
    database = duckdb.connect()
    connections = {name: typed_view(database, entry) for name, (_, entry) in tables.items()}
    claims = []
    for file, entry in _claim_entries(folder):
        if entry.table not in tables or tables[entry.table][0].domain != file.stem:
            raise ClaimSetError(
                f"{file}: {entry.id}: no table `{entry.table}` of the domain `{file.stem}`; "
                "correct the table's name, or move the claim to its domain's file"
            )
        label = _label(file, entry, connections[entry.table])
        table = tables[entry.table][0]
        claims.append(Claim(entry.id, table, entry.claim, entry.kind, label, entry.rule, entry.missing))
    return claims


def counts(claims: list[Claim]) -> str:
    """The number of claims by domain and by kind, for each label, as two Markdown tables."""
    tables = {claim.table.name: claim.table.domain for claim in claims}
    domain_tables = Counter(tables.values())
    by_domain = Counter((claim.table.domain, claim.label) for claim in claims)
    by_kind = Counter((claim.kind, claim.label) for claim in claims)
    totals = Counter(claim.label for claim in claims)
    lines = [
        f"| domain | tables | {' | '.join(LABELS)} | all |",
        "|---|--:|--:|--:|--:|--:|",
        *(
            f"| {domain} | {domain_tables[domain]} | {_cells([by_domain[domain, x] for x in LABELS])} |"
            for domain in sorted(domain_tables)
        ),
        f"| all | {len(tables)} | {_cells([totals[label] for label in LABELS])} |",
        "",
        f"| kind | {' | '.join(LABELS)} | all |",
        "|---|--:|--:|--:|--:|",
        *(
            f"| {kind} | {_cells([by_kind[kind, label] for label in LABELS])} |"
            for kind in sorted({claim.kind for claim in claims})
        ),
    ]
    return "\n".join(lines) + "\n"


def check_readme(claims: list[Claim], folder: Path = FOLDER) -> None:
    """Raises ClaimSetError where the README's counts are not those of the claims."""
    readme = folder / "README.md"
    _, begin, rest = readme.read_text(encoding="utf-8").partition(_COUNTS_BEGIN)
    held, end, _ = rest.partition(_COUNTS_END)
    if not (begin and end and held == counts(claims)):
        raise ClaimSetError(
            f"{readme}: the counts are not those of the claims; put what "
            f"`python -m benchmarks.authored.table_claims` prints between {_COUNTS_BEGIN.strip()} "
            f"and {_COUNTS_END.strip()}"
        )


def _cells(numbers: list[int]) -> str:
    return " | ".join(str(number) for number in [*numbers, sum(numbers)])


def read_file(file: Path, model: type[_Read]) -> _Read:
    """What a YAML file holds. Raises ClaimSetError where it is not as the layout says."""
    try:
        content = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        return TypeAdapter(model).validate_python(content)
    except (yaml.YAMLError, ValidationError) as error:
        raise ClaimSetError(f"{file}: {error}; write the file as the README's layout says") from error


def read_table(file: Path) -> tuple[Table, TableEntry]:
    """A table, and its file's entry. Raises ClaimSetError where its size is not allowed or a row is short."""
    entry = read_file(file, TableEntry)
    if len(entry.rows) not in ROWS or len(entry.header) not in COLUMNS:
        raise ClaimSetError(
            f"{file}: {len(entry.rows)} rows and {len(entry.header)} columns; "
            f"a table has {ROWS[0]} to {ROWS[-1]} rows and {COLUMNS[0]} to {COLUMNS[-1]} columns"
        )
    for number, row in enumerate(entry.rows, start=1):
        if len(row) != len(entry.header):
            raise ClaimSetError(f"{file}: row {number}: {len(row)} cells; write {len(entry.header)}")
    for name, column in entry.typed.items():
        if len(column.values) != len(entry.rows):
            raise ClaimSetError(
                f"{file}: typed column {name}: {len(column.values)} values; write {len(entry.rows)}"
            )
    rows = tuple(tuple(row) for row in entry.rows)
    return Table(file.stem, entry.domain, entry.source, entry.caption, tuple(entry.header), rows), entry


def typed_view(database: duckdb.DuckDBPyConnection, entry: TableEntry) -> duckdb.DuckDBPyConnection:
    """A connection of its own to the database: its view `t` holds the typed columns of the table."""
    connection = database.cursor()
    columns = ", ".join(f"{name} {column.type}" for name, column in entry.typed.items())
    connection.execute(f"CREATE TEMP TABLE typed ({columns})")
    rows = list(zip(*(column.values for column in entry.typed.values()), strict=True))
    # One statement: each takes longer than its row.
    places = ", ".join([f"({', '.join('?' * len(entry.typed))})"] * len(rows))
    connection.execute(f"INSERT INTO typed VALUES {places}", [value for row in rows for value in row])
    connection.execute("CREATE TEMP VIEW t AS SELECT * FROM typed")
    return connection


def _claim_entries(folder: Path) -> Iterator[tuple[Path, _ClaimEntry]]:
    """Every claim as its file has it; no id and no wording, letter case aside, comes twice."""
    ids: set[str] = set()
    wordings: set[str] = set()
    for file in sorted((folder / "claims").glob("*.yaml")):
        for entry in read_file(file, list[_ClaimEntry]):
            wording = entry.claim.casefold().strip()
            if entry.id in ids:
                raise ClaimSetError(f"{file}: {entry.id}: the id stands twice; number one of the two anew")
            if wording in wordings:
                raise ClaimSetError(f"{file}: {entry.id}: the claim stands twice; drop or reword it")
            ids.add(entry.id)
            wordings.add(wording)
            yield file, entry


def _label(file: Path, entry: _ClaimEntry, connection: duckdb.DuckDBPyConnection) -> Label:
    """The label that the rule decides: true, false and NULL are the three labels, in their order.

    A rule that meets a missing cell gives NULL. So does a rule that misspells a name; that is why a claim of
    which the table does not tell enough must also quote the words that are missing.
    """
    outcome = None
    if entry.rule is not None:
        try:
            row = connection.execute(f"SELECT ({entry.rule})").fetchone()
        except duckdb.Error as error:
            raise ClaimSetError(f"{file}: {entry.id}: the rule does not run; correct it: {error}") from error
        outcome = row[0] if row else None
    if outcome is not None and not isinstance(outcome, bool):
        raise ClaimSetError(
            f"{file}: {entry.id}: the rule gives {outcome!r}; write one that is true, false or NULL"
        )
    if (outcome is None) != (entry.missing is not None):
        raise ClaimSetError(
            f"{file}: {entry.id}: the rule gives {outcome}, and `missing` is {entry.missing!r}; correct the "
            "rule, or quote in `missing` the words without support exactly where the outcome is NULL"
        )
    if entry.missing is not None and entry.missing not in entry.claim:
        raise ClaimSetError(f"{file}: {entry.id}: `missing` is not in the claim; quote its words exactly")
    if outcome is None:
        return "NOT ENOUGH INFORMATION"
    return "SUPPORTS" if outcome else "REFUTES"


def main() -> int:
    """Prints the counts; an error of the set goes to stderr with exit status 1."""
    try:
        claims = load()
        sys.stdout.write(counts(claims))
        check_readme(claims)
    except ClaimSetError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
