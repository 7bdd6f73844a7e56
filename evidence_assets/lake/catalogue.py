"""`evidence.duckdb`: a view a table and the lineage macros, holding no data, rebuilt from nothing at will."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidence_assets.lake.locations import check_folder, lake_folder
from evidence_assets.lake.schemas import (
    EVIDENCE,
    HARVESTED_TRIPLES,
    PREDICTION_EVIDENCE,
    PREDICTIONS,
    PUBLISHED_SCORES,
    TABLES_BY_NAME,
    TRIPLES,
    Table,
)
from evidence_assets.lake.schemas.descriptions import column_description
from evidence_assets.lake.store_failures import store_failure

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from evidence_assets.lake.lake import Lake
    from evidence_assets.lake.listed_store import ListedStore

FILE_NAME = "evidence.duckdb"
# What the macros choose from: an experiment's tables stand side by side, so one file leads to the others.
_ROWS = {
    PREDICTIONS: "Every prediction, with the file that it stands in.",
    PREDICTION_EVIDENCE: "The evidence of every prediction, with the file that says it.",
    EVIDENCE: "Every unit of evidence as each experiment wrote it, with its file: the view evidence before "
    "its rows are made distinct.",
}
# Columns of the views of SQL files that mean what they mean in a table; the files themselves tell the others.
_TAKEN: Mapping[str, Mapping[Table, Sequence[str]]] = {
    "evidence_states": {EVIDENCE: ("evidence_id", "source_table", "source_key")},
    "stale_predictions": {
        PREDICTIONS: ("prediction_id", "system", "arm", "benchmark", "question_id", "predicted"),
        EVIDENCE: ("evidence_id", "source_table", "source_key"),
    },
    "score_comparison": {PUBLISHED_SCORES: ("system", "benchmark", "metric", "source", "table_number")},
}
# Where a client says that the lake lies now; what would be taken for a pattern there is put in brackets.
_MOVED_TO = r"regexp_replace(getvariable('evidence_lake'), '([*?[])', '[\1]', 'g')"
_COLUMNS = 'MAP(VARCHAR, STRUCT(name VARCHAR, "type" VARCHAR, default_value VARCHAR))'
_MACROS = Path(__file__).with_name("lineage_macros.sql")
_COMPARISON = Path(__file__).with_name("score_comparison.sql")
# A harvest's rows as `triples` rows: the weight is the confidence, the prompts that found each its sources.
_MINED = (
    "SELECT triple_id, kg, head, relation, tail, confidence AS weight, "
    "CASE WHEN len(found) > 0 THEN found ELSE [{'source': kg, 'record': 'all prompts', "
    "'licence': 'mined from ' || model_id}] END AS sources FROM (SELECT *, "
    "[{'source': kg, 'record': each.prompt, 'licence': 'mined from ' || model_id} "
    "FOR each IN prompts IF each.found OR len(prompts) = 1] AS found FROM HARVESTED)"
)


def rows_of(result: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Return a query's rows, their values by column."""
    names = [column[0] for column in result.description or []]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def view_statement(table: Table, files: Callable[[Table], str]) -> str:
    """Return the SQL that makes one table's view over its files, each table's told as `_files` tells them.

    A table of shared rows shows each key once, without the partition columns, of which a row has several
    values. What a harvest mined is shown among the triples too.
    """
    hidden = table.partition_columns if table.shared_rows else ()
    columns = ", ".join(f'"{name}"' for name in table.schema.names if name not in hidden)
    distinct = f"DISTINCT ON ({', '.join(table.key)}) " if table.shared_rows else ""
    rows = f"SELECT {distinct}{columns} FROM {files(table)}"  # noqa: S608
    if table is TRIPLES:
        rows += f" UNION ALL BY NAME {_MINED.replace('HARVESTED', files(HARVESTED_TRIPLES))}"
    return f'CREATE VIEW "{table.name}" AS {rows}'


def _files(lake: Lake, shapes: str, table: Table) -> str:
    """Return the SQL that reads a table's files, those too that are written later.

    `shapes`: the root of the empty file that a table without data is read from.
    """
    from evidence_assets.lake.filesystem import is_local, literal_pattern
    from evidence_assets.lake.lake import FILE_NAME

    # A store lists whatever begins alike at once, and folder by folder where their number is said.
    at_once = not is_local(lake.filesystem)
    folders = "**/*.parquet" if at_once else "*/" * len(table.partition_columns) + FILE_NAME
    root = f"coalesce({_MOVED_TO}, {_quoted(literal_pattern(lake.uri))})"
    patterns = [f"{root} || {_quoted(f'/{table.name}/{folders}')}"]
    if not (at_once and shapes == lake.uri):
        of_shapes = root if shapes == lake.uri else _quoted(literal_pattern(shapes))
        patterns.insert(0, f"{of_shapes} || {_quoted(f'/{table.name}/_schema.parquet')}")
    options = f"schema = {_declared_columns()[table.name]}, allow_empty = true"
    return f"read_parquet([{', '.join(patterns)}], {options})"


@cache
def _declared_columns() -> Mapping[str, str]:
    """Return the columns of each table, by its name, as `read_parquet` takes them.

    Told them, it opens no file to learn them. A column, or a part of one, that a file of an earlier version
    does not have is null.
    """
    import duckdb

    declared = {}
    with duckdb.connect() as connection:
        for table in TABLES_BY_NAME.values():
            kinds = connection.from_arrow(table.schema.empty_table()).types
            columns = {
                name: {"name": name, "type": str(kind), "default_value": None}
                for name, kind in zip(table.schema.names, kinds, strict=True)
            }
            declared[table.name] = f"{_quoted(json.dumps(columns))}::JSON::{_COLUMNS}"
    return declared


def rows_view(table: Table) -> str:
    """Return the view of a table's rows as each experiment wrote them, with their files."""
    return f"{table.name.removesuffix('s')}_rows"


def comment_statements(table: Table) -> Iterator[str]:
    """Yield the SQL that says in the catalogue what a table's view and its columns hold."""
    yield f'COMMENT ON VIEW "{table.name}" IS {_quoted(table.description)}'
    hidden = table.partition_columns if table.shared_rows else ()
    yield from _column_comments(table.name, [column for column in table.schema if column.name not in hidden])


def _column_comments(view: str, columns: Iterable[pa.Field]) -> Iterator[str]:
    for column in columns:
        if words := column_description(column):
            yield f'COMMENT ON COLUMN "{view}"."{column.name}" IS {_quoted(words)}'


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _statements(files: Callable[[Table], str]) -> list[str]:
    """Return the SQL that makes a catalogue over each table's files, told as `_files` tells them."""
    views: list[str] = []
    comments: list[str] = []
    for table in TABLES_BY_NAME.values():
        views.append(view_statement(table, files))
        comments += comment_statements(table)
    for table, description in _ROWS.items():
        rows = replace(table, name=rows_view(table), description=description, shared_rows=False)
        views.append(f"CREATE VIEW {rows.name} AS SELECT *, filename FROM {files(table)}")  # noqa: S608
        comments += comment_statements(rows)
        comments.append(f"COMMENT ON COLUMN {rows.name}.filename IS 'the file that the row stands in'")
    written = [file.read_text(encoding="utf-8") for file in (_MACROS, _COMPARISON)]
    view_comments = [
        statement
        for view, columns in _TAKEN.items()
        for table, names in columns.items()
        for statement in _column_comments(view, map(table.schema.field, names))
    ]
    return [*views, *comments, *written, *view_comments]


def build(lake: Lake, to_read: bool = False) -> str:
    """Write the lake's catalogue and return its path; one that is already right is left untouched.

    `to_read`: in a store, where a look at a file is a request, the tables' empty files are taken to stand
    where the catalogue is right, since it is written after them. Otherwise each is looked at.
    """
    from evidence_assets.lake.filesystem import copy_in, is_local

    path = f"{lake.path}/{FILE_NAME}"
    statements = _statements(partial(_files, lake, lake.uri))
    fingerprint = _definition(statements)
    trusts = to_read and not is_local(lake.filesystem)
    if not trusts:
        lake.ensure_empty_files()
    if lake.filesystem.exists(path) and _fingerprint(lake, path) == fingerprint:
        return path
    if trusts:
        lake.ensure_empty_files()
    with tempfile.TemporaryDirectory(prefix="evidence-assets-") as folder:
        local = Path(folder) / FILE_NAME
        _make(lake, local, statements)
        copy_in(lake.filesystem, local, path)
    return path


def _definition(statements: Sequence[str]) -> str:
    """Return what tells one catalogue from another: its SQL, and the columns of the tables' empty files."""
    columns = (f"{table.name}: {table.schema.to_string()}" for table in TABLES_BY_NAME.values())
    return "\n".join([*statements, *columns])


def _make(lake: Lake, file: Path, statements: Sequence[str]) -> None:
    import duckdb

    with duckdb.connect(str(file)) as connection:
        _register(connection, lake)
        # One transaction: each statement by itself would wait for the disk.
        connection.begin()
        for statement in statements:
            connection.execute(statement)
        connection.execute("CREATE TABLE catalogue_definition AS SELECT ? AS sql", [_definition(statements)])
        connection.commit()


@contextmanager
def _opened(lake: Lake) -> Iterator[Path]:
    """Yield a local path of the lake's catalogue; of a lake that cannot be written, one made beside it."""
    from evidence_assets.lake.filesystem import local_copy
    from evidence_assets.lake.lake import Lake

    try:
        path = build(lake, to_read=True)
    except OSError as error:
        # Who may only read is refused too, and is told of what may not be read by the query.
        failure = store_failure(error, lake.uri)
        if failure is not None and not isinstance(error, PermissionError):
            raise failure from error
        with tempfile.TemporaryDirectory(prefix="evidence-assets-") as folder:
            Lake(folder).ensure_empty_files()
            made = Path(folder) / FILE_NAME
            _make(lake, made, _statements(partial(_files, lake, folder)))
            yield made
        return
    with local_copy(lake.filesystem, path) as local:
        yield local


def _fingerprint(lake: Lake, path: str) -> str | None:
    from evidence_assets.lake.filesystem import is_local, local_copy

    if is_local(lake.filesystem):
        status = Path(path).stat()
        return _unchanged_fingerprint(path, (status.st_ino, status.st_mtime_ns, status.st_size))
    with local_copy(lake.filesystem, path) as local:
        return _read_fingerprint(str(local))


@lru_cache(maxsize=64)
def _unchanged_fingerprint(path: str, stamp: tuple[int, int, int]) -> str | None:
    """Return the fingerprint of a local file, cached while its stamp stays: every check opens the file."""
    return _read_fingerprint(path)


def _read_fingerprint(path: str) -> str | None:
    import duckdb

    try:
        with duckdb.connect(path, read_only=True) as connection:
            row = connection.execute("SELECT sql FROM catalogue_definition").fetchone()
            return str(row[0]) if row else None
    except duckdb.Error:
        return None  # not a catalogue of ours, or one from another version: it is rebuilt


@contextmanager
def connect(lake: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a read-only connection to the lake's catalogue, which is built if it is not there.

    For an object-store root the connection reads through the lake's own filesystem, so that it needs no
    DuckDB extension.

    Raises:
        StoreError: the store does not answer, or refuses, now or while something is asked.
        OldLakeError, NewerLakeError: a query read values of another type than declared, and another
            version wrote a file.
        DamagedFileError: a query met a file whose bytes are not those that were written.
    """
    import duckdb

    with _opened(lake) as local, duckdb.connect(str(local), read_only=True) as connection:
        store = _register(connection, lake)
        connection.execute("SET enable_progress_bar = false")
        # Footers are read again where a file's time has changed.
        connection.execute("SET parquet_metadata_cache = true")
        # So many values of a join's smaller side are looked for in the files of its larger one.
        connection.execute("SET dynamic_or_filter_threshold = 4096")
        try:
            yield connection
        except duckdb.Error as error:
            # Of what the store raised DuckDB keeps the text alone.
            raised = None if store is None else store.raised
            failure = store_failure(raised, lake.uri) if raised and str(raised) in str(error) else None
            if failure is not None:
                raise failure from raised
            if isinstance(error, duckdb.DataError):
                _blame_another_version(lake)
            # Of bytes that are no Parquet DuckDB tells the file, or raises what is of no kind of its own.
            if type(error) is duckdb.Error or ".parquet" in str(error):
                _blame_damage(lake, str(error))
            raise


def _blame_another_version(lake: Lake) -> None:
    """Raise what names the file, where another version wrote one: what a query could not read may be its."""
    from evidence_assets.lake.migration import require_current
    from evidence_assets.lake.parquet import NewerLakeError, OldLakeError

    try:
        require_current(lake)
    except (OldLakeError, NewerLakeError) as cause:
        raise cause from None


def _blame_damage(lake: Lake, told: str) -> None:
    """Raise what names the damaged file, where one is that a query may have read; `told`: by DuckDB."""
    from evidence_assets.lake.migration import table_files
    from evidence_assets.lake.parquet import DamagedFileError, check_file

    paths = table_files(lake)
    for path in [path for path in paths if path in told] or paths:
        try:
            check_file(lake.filesystem, path)
        except FileNotFoundError:
            continue  # it was removed since it was listed
        except DamagedFileError as cause:
            raise cause from None


def _register(connection: duckdb.DuckDBPyConnection, lake: Lake) -> ListedStore | None:
    """Have a connection read a lake that is in a store; return what it reads by, None where it needs none."""
    from evidence_assets.lake.filesystem import is_local
    from evidence_assets.lake.listed_store import ListedStore

    if is_local(lake.filesystem):
        return None
    store = ListedStore(lake.filesystem)
    connection.register_filesystem(store)
    return store


def cache_folder(lake: Lake) -> Path:
    """Return the local folder for data that can be rebuilt: `EVIDENCE_CACHE`, else one in the lake.

    Raises:
        LookupError: a file stands where the variable names a folder.
    """
    from evidence_assets.lake.filesystem import is_local

    configured = os.environ.get("EVIDENCE_CACHE")
    if configured:
        check_folder(Path(configured), "EVIDENCE_CACHE")
        return Path(configured)
    return Path(lake.path) / "cache" if is_local(lake.filesystem) else lake_folder() / "cache"
