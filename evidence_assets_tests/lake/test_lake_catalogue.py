"""The catalogue: a view a table over whatever files there are, opened by any DuckDB client."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.locations import absolute_root
from evidence_assets.lake.parquet import DamagedFileError
from evidence_assets.lake.schemas import (
    CHUNK_EMBEDDINGS,
    EVIDENCE,
    HARVESTED_TRIPLES,
    PREDICTIONS,
    REJECTED_RECORDS,
    TABLES_BY_NAME,
    TRIPLES,
    Table,
)
from evidence_assets.sources.graphs.lake_triples import mined_sources

COUNT = "SELECT count(*) FROM rejected_records"


def write_rejected(lake: Lake, source: str, count: int = 1) -> None:
    shared = {"source": source, "reason": "r", "remedy": "m", "source_uri": "u"}
    rows = [{**shared, "record": str(n)} for n in range(count)]
    table = pa.Table.from_pylist(rows, schema=REJECTED_RECORDS.schema)
    lake.write(REJECTED_RECORDS, {"source": source}, table)


def counted(path: str) -> int:
    """Count as any client would: a plain connection to the file."""
    with duckdb.connect(path, read_only=True) as connection:
        row = connection.execute(COUNT).fetchone()
    assert row is not None
    return int(row[0])


def identity(path: str) -> tuple[int, int]:
    status = Path(path).stat()
    return status.st_mtime_ns, status.st_ino


def test_every_table_is_an_empty_view_before_any_write(lake: Lake) -> None:
    with duckdb.connect(catalogue.build(lake), read_only=True) as connection:
        for name, table in TABLES_BY_NAME.items():
            result = connection.execute(f'SELECT * FROM "{name}"')
            # A shared row has several experiments: its view names none of them.
            hidden = table.partition_columns if table.shared_rows else ()
            shown = [column for column in table.schema.names if column not in hidden]
            assert [column[0] for column in result.description] == shown
            assert result.fetchall() == []
        with pytest.raises(duckdb.InvalidInputException, match="no source x in this lake"):
            connection.execute("SELECT * FROM impact('x')").fetchall()
        for view in ("evidence_states", "source_names", "stale_predictions"):
            assert connection.execute(f"SELECT * FROM {view}").fetchall() == []
    assert all(lake.partitions(table) == [] for table in TABLES_BY_NAME.values())


def test_files_written_later_are_seen_without_a_rebuild(lake: Lake) -> None:
    path = catalogue.build(lake)
    before = identity(path)
    with duckdb.connect(path, read_only=True) as connection:
        for expected, source in enumerate(["a", "..", "b/c d%"], start=1):
            write_rejected(lake, source)
            assert connection.execute(COUNT).fetchone() == (expected,)
        lake.delete(REJECTED_RECORDS, {"source": "a"})
        sources = connection.execute("SELECT source FROM rejected_records ORDER BY 1").fetchall()
        assert sources == [("..",), ("b/c d%",)]
    assert identity(path) == before


def test_opens_from_another_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lake = Lake(absolute_root("lake"))
    write_rejected(lake, "a")
    path = catalogue.build(lake)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert counted(path) == 1
    assert counted("../lake/evidence.duckdb") == 1


def test_absolute_root_leaves_uris_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute_root("a/../lake") == f"{tmp_path}/lake"
    assert absolute_root("s3://bucket/lake") == "s3://bucket/lake"


@pytest.mark.parametrize("name", ["it's mine", "a b", 'say "so"', "50% {x}", "lake [old]", "lac été"])
def test_root_with_a_strange_name(tmp_path: Path, name: str) -> None:
    lake = Lake(str(tmp_path / name))
    write_rejected(lake, "a")
    assert lake.partitions(REJECTED_RECORDS) == [{"source": "a"}]
    assert counted(catalogue.build(lake)) == 1


@pytest.mark.parametrize("name", ["lake*", "lake?", "lake[12]"])
def test_root_that_looks_like_a_pattern_is_no_pattern(tmp_path: Path, name: str) -> None:
    write_rejected(Lake(str(tmp_path / "lake1")), "not ours")
    lake = Lake(str(tmp_path / name))
    write_rejected(lake, "a")
    assert lake.partitions(REJECTED_RECORDS) == [{"source": "a"}]
    assert counted(catalogue.build(lake)) == 1


def test_a_right_catalogue_is_left_untouched(lake: Lake) -> None:
    path = catalogue.build(lake)
    before = identity(path)
    write_rejected(lake, "a")
    assert catalogue.build(Lake(lake.uri)) == path
    with catalogue.connect(lake):
        pass
    assert identity(path) == before


def test_a_moved_lake_is_read_where_its_catalogue_is_told_that_it_lies(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    write_rejected(lake, "a")
    catalogue.build(lake)
    moved = tmp_path / "lake [old]"
    shutil.copytree(lake.path, moved)
    write_rejected(Lake(str(moved)), "b", 2)
    with duckdb.connect(str(moved / "evidence.duckdb"), read_only=True) as connection:
        assert connection.execute(COUNT).fetchone() == (1,)
        connection.execute("SET VARIABLE evidence_lake = ?", [str(moved)])
        assert connection.execute(COUNT).fetchone() == (3,)
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{moved}/evidence.duckdb' AS copy (READ_ONLY)")
        connection.execute("SET VARIABLE evidence_lake = ?", [str(moved)])
        assert connection.execute("SELECT count(*) FROM copy.rejected_records").fetchone() == (3,)
    # Whoever has the program need tell nothing: it writes the catalogue anew.
    assert counted(catalogue.build(Lake(str(moved)))) == 3


def garbage(path: Path) -> None:
    path.write_bytes(b"not a database" * 1000)


def nothing(path: Path) -> None:
    path.write_bytes(b"")


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def somebody_elses(path: Path) -> None:
    path.unlink()
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE mine AS SELECT 1")


def stale(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE catalogue_definition SET sql = 'CREATE VIEW of_an_older_version'")
        connection.execute("DROP VIEW rejected_records")


@pytest.mark.parametrize("damage", [garbage, nothing, half, somebody_elses, stale, Path.unlink])
def test_a_damaged_or_stale_catalogue_is_rebuilt(lake: Lake, damage: object) -> None:
    write_rejected(lake, "a")
    path = catalogue.build(lake)
    damage(Path(path))  # type: ignore[operator]
    with catalogue.connect(lake) as connection:
        assert connection.execute(COUNT).fetchone() == (1,)
    assert counted(path) == 1
    before = identity(path)
    catalogue.build(lake)
    assert identity(path) == before


def test_a_moved_lake_gets_a_catalogue_of_its_new_place(tmp_path: Path) -> None:
    old = Lake(str(tmp_path / "old"))
    write_rejected(old, "a")
    catalogue.build(old)
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    new = Lake(str(tmp_path / "new"))
    write_rejected(new, "b")
    assert counted(catalogue.build(new)) == 2
    assert counted(catalogue.build(old)) == 1


def test_a_lost_schema_file_comes_back(lake: Lake) -> None:
    catalogue.build(lake)
    Path(lake.path, "rejected_records", "_schema.parquet").unlink()
    assert counted(catalogue.build(lake)) == 0


def test_a_reader_of_a_store_asks_for_one_file_where_the_catalogue_is_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lake = Lake("memory://test_a_reader_of_a_store")
    catalogue.build(lake)
    schema_file = f"{lake.path}/chunks/_schema.parquet"
    lake.filesystem.rm(schema_file)
    looked_at: list[str] = []
    ensure_empty_files = Lake.ensure_empty_files

    def noted(lake: Lake) -> None:
        looked_at.append(lake.uri)
        ensure_empty_files(lake)

    monkeypatch.setattr(Lake, "ensure_empty_files", noted)
    with catalogue.connect(lake):
        assert not looked_at
    lake.filesystem.pipe_file(f"{lake.path}/{catalogue.FILE_NAME}", b"no catalogue")
    with catalogue.connect(lake) as connection:
        assert looked_at
        assert connection.execute("SELECT count(*) FROM chunks").fetchone() == (0,)
    lake.filesystem.rm(schema_file)
    catalogue.build(lake)
    assert lake.filesystem.exists(schema_file)


def test_other_columns_are_another_catalogue(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    built = Path(catalogue.build(lake))
    before = built.read_bytes()
    catalogue.build(lake)
    assert built.read_bytes() == before
    table = TABLES_BY_NAME["chunks"]
    column = table.schema.field(0).with_metadata({b"unit": b"another"})
    tables = {**TABLES_BY_NAME, "chunks": replace(table, schema=table.schema.set(0, column))}
    monkeypatch.setattr(catalogue, "TABLES_BY_NAME", tables)
    catalogue.build(lake)
    assert built.read_bytes() != before


def test_the_connection_is_read_only(lake: Lake) -> None:
    with catalogue.connect(lake) as connection, pytest.raises(duckdb.Error, match="read-only"):
        connection.execute("CREATE TABLE mine AS SELECT 1")


def test_leftovers_of_killed_writes_are_no_rows(lake: Lake) -> None:
    write_rejected(lake, "a", 2)
    path = Path(lake.file(REJECTED_RECORDS, {"source": "a"}))
    path.with_name(".data.parquet.machine.7.tmp").write_bytes(b"half of a file")
    assert counted(catalogue.build(lake)) == 2


def evidence_rows(*arms: str) -> pa.Table:
    locator = dict.fromkeys(EVIDENCE.schema.field("locator").type.names)
    shared_columns = {
        "system": "s",
        "benchmark": "b",
        "kind": "sentence",
        "text": "t",
        "source_table": "chunks",
    }
    rows = [
        {
            **shared_columns,
            "evidence_id": name,
            "arm": arm,
            "source_key": "c",
            "source_version": "v",
            "locator": locator,
        }
        for arm in arms
        for name in ("shared", f"of {arm}")
    ]
    return pa.Table.from_pylist(rows, schema=EVIDENCE.schema)


def test_evidence_of_two_arms_shows_once(lake: Lake) -> None:
    for arm in ("one", "two"):
        lake.write(EVIDENCE, {"system": "s", "arm": arm, "benchmark": "b"}, evidence_rows(arm))
    with catalogue.connect(lake) as connection:
        evidence_ids = connection.execute("SELECT evidence_id FROM evidence ORDER BY 1").fetchall()
    assert evidence_ids == [("of one",), ("of two",), ("shared",)]


def test_vectors_of_several_encoders_are_one_view(lake: Lake) -> None:
    for shard, kind, width in [("a", pa.float16(), 2), ("b", pa.float32(), 3), ("c", pa.float32(), 0)]:
        values = {"chunk_id": shard, "corpus": "c", "shard": shard, "text_hash": "h", "encoder_id": "e"}
        columns = {name: pa.array([value]) for name, value in values.items()}
        vector = pa.array([[0.5] * width], pa.list_(kind, width) if width else pa.list_(kind))
        lake.write(CHUNK_EMBEDDINGS, {"corpus": "c", "shard": shard}, pa.table({**columns, "vector": vector}))
    with catalogue.connect(lake) as connection:
        vectors = connection.execute("SELECT vector FROM chunk_embeddings ORDER BY shard").fetchall()
    assert vectors == [([0.5, 0.5],), ([0.5, 0.5, 0.5],), ([],)]


def test_a_catalogue_that_was_replaced_in_one_process_is_seen(tmp_path: Path) -> None:
    """What is remembered of the file is forgotten with the file."""
    lake = Lake(str(tmp_path / "lake"))
    path = Path(catalogue.build(lake))
    right = path.read_bytes()
    for wrong in (b"no database", b""):
        path.unlink()
        path.write_bytes(wrong)
        assert catalogue.build(lake) == str(path)
        with catalogue.connect(lake) as connection:
            assert connection.execute("SELECT count(*) FROM questions").fetchone() == (0,)
        assert len(path.read_bytes()) == len(right)


def test_what_was_mined_is_shown_among_the_triples_with_the_prompts_that_found_it(lake: Lake) -> None:
    columns = ("score", "log_probability", "distance", "perplexity", "fluency", "confidence")
    numbers = dict.fromkeys(columns, 0.25)
    common = {"kg": "mined", "relation": "IsA", "shape": "1-1", "rank": 0, "flags": [], "model_id": "it's"}
    found_by: dict[str, list[bool]] = {
        "a": [True, False],
        "b": [False, False],
        "c": [False],
        "d": [True, True],
    }
    rows = [
        {
            **common,
            **numbers,
            "triple_id": name,
            "head": name,
            "tail": "letter",
            "prompts": [
                {"prompt": f"prompt {place}", "log_probability": -1.0, "found": is_found}
                for place, is_found in enumerate(flags)
            ],
        }
        for name, flags in found_by.items()
    ]
    place = {"kg": "mined", "relation": "IsA"}
    lake.write(HARVESTED_TRIPLES, place, pa.Table.from_pylist(rows, schema=HARVESTED_TRIPLES.schema))
    source = {"source": "by hand", "record": "1", "licence": "x"}
    stated = {"triple_id": "z", "kg": "stated", "head": "z", "relation": "IsA", "tail": "letter"}
    of_graph = [{**stated, "weight": None, "sources": [source]}]
    table = pa.Table.from_pylist(of_graph, schema=TRIPLES.schema)
    lake.write(TRIPLES, {"kg": "stated", "relation": "IsA"}, table)
    with duckdb.connect(catalogue.build(lake), read_only=True) as connection:
        triple_rows = connection.execute("SELECT * FROM triples ORDER BY triple_id").fetchall()
    names = TRIPLES.schema.names
    *mined, last = [dict(zip(names, row, strict=True)) for row in triple_rows]
    assert last == of_graph[0]
    for row, shown in zip(rows, mined, strict=True):
        assert shown["sources"] == [asdict(source) for source in mined_sources(row)]
        assert shown["weight"] == 0.25
        same = ("triple_id", "kg", "head", "relation", "tail")
        assert [shown[name] for name in same] == [row[name] for name in same]


def test_views_columns_and_macros_say_what_they_hold(lake: Lake) -> None:
    with catalogue.connect(lake) as connection:
        views = dict(
            connection.execute("SELECT view_name, comment FROM duckdb_views() WHERE NOT internal").fetchall()
        )
        assert {name: views[name] for name in TABLES_BY_NAME} == {
            name: table.description for name, table in TABLES_BY_NAME.items()
        }
        assert all(views.values())
        columns = connection.execute(
            "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
        assert {view for view, _, _ in columns} >= views.keys()
        assert [(view, name) for view, name, comment in columns if view in views and not comment] == []
        comments = {(view, name): comment for view, name, comment in columns}
        assert comments["evidence", "source_key"] == "key of the row of source_table"
        assert comments["stale_predictions", "source_key"] == comments["evidence", "source_key"]
        assert comments["score_comparison", "metric"] == comments["published_scores", "metric"]
        assert comments["predictions", "gold"] == "the right answer; null where the question has no key"
        macros = connection.execute(
            "SELECT function_name, comment FROM duckdb_functions() WHERE function_name IN ('trace', 'impact')"
        ).fetchall()
        assert {name for name, comment in macros if comment} == {"trace", "impact"}


def test_a_lake_that_cannot_be_written_is_asked_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = Lake(str(tmp_path))
    write_rejected(lake, "a", 3)

    ensure_empty_files = Lake.ensure_empty_files

    def refuse_here(self: Lake) -> None:
        if self is lake:
            raise PermissionError(13, "Permission denied", str(tmp_path))
        ensure_empty_files(self)

    monkeypatch.setattr(Lake, "ensure_empty_files", refuse_here)
    with catalogue.connect(lake) as connection:
        assert connection.execute(COUNT).fetchall() == [(3,)]
        assert connection.execute("SELECT * FROM predictions").fetchall() == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rejected_records"]


def write_earlier_file(lake: Lake, table: Table, place: dict[str, str], rows: pa.Table) -> None:
    """Write a partition's file past the contract, as a version with other columns did."""
    path = Path(lake.file(table, place))
    path.parent.mkdir(parents=True)
    pq.write_table(rows, path)


def test_a_file_of_a_version_with_fewer_columns_is_read(lake: Lake) -> None:
    """Columns and parts of them that it lacks are null, whether they may be or not; others are not shown."""
    place = {"system": "s", "arm": "a", "benchmark": "b"}
    binding = pa.struct([("text", pa.string()), ("start", pa.int32())])
    columns = {
        "former": pa.array(["x"]),
        "bindings": pa.array([[{"text": "heart", "start": 3}]], pa.list_(binding)),
        "prediction_id": pa.array(["p"]),
    }
    write_earlier_file(lake, PREDICTIONS, place, pa.table(columns))
    lacking = [name for name in PREDICTIONS.schema.names if name not in columns]
    nulls = dict.fromkeys(PREDICTIONS.schema.field("bindings").type.value_type.names)
    with catalogue.connect(lake) as connection:
        result = connection.execute("SELECT * FROM predictions")
        names = [column[0] for column in result.description or []]
        [row] = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
    assert names == PREDICTIONS.schema.names
    assert row["prediction_id"] == "p"
    assert row["bindings"] == [{**nulls, "text": "heart", "start": 3}]
    assert [row[name] for name in lacking] == [None] * len(lacking)


def test_a_catalogue_is_made_without_opening_a_partition(lake: Lake) -> None:
    """A file that cannot be read hinders whoever asks for its rows, and nobody else."""
    write_rejected(lake, "a")
    damaged = Path(lake.file(CHUNK_EMBEDDINGS, {"corpus": "c", "shard": "s"}))
    damaged.parent.mkdir(parents=True)
    garbage(damaged)
    with catalogue.connect(lake) as connection:
        assert connection.execute(COUNT).fetchone() == (1,)
        assert connection.execute("DESCRIBE chunk_embeddings").fetchall()
        with pytest.raises(duckdb.Error, match="shard=s/data"):
            connection.execute("SELECT * FROM chunk_embeddings").fetchall()


def break_the_footer(content: bytearray) -> None:
    """Arrow takes the error for the disk's, and DuckDB names no file."""
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    content[footer : footer + 40] = b"\xff" * 40


def break_the_pages(content: bytearray) -> None:
    content[4 : len(content) // 2] = b"\xff" * (len(content) // 2 - 4)


def cut_in_half(content: bytearray) -> None:
    del content[len(content) // 2 :]


@pytest.mark.parametrize("damage", [break_the_footer, break_the_pages, cut_in_half])
def test_a_query_that_fails_on_damage_names_the_file(lake: Lake, damage: Callable[[bytearray], None]) -> None:
    for source in ("a", "b"):
        write_rejected(lake, source, 2_000)
    file = Path(lake.file(REJECTED_RECORDS, {"source": "a"}))
    content = bytearray(file.read_bytes())
    damage(content)
    file.write_bytes(content)
    with pytest.raises(DamagedFileError) as raised, catalogue.connect(lake) as connection:
        connection.execute("SELECT * FROM rejected_records").fetchall()
    assert str(raised.value).startswith(f"{file}: the file cannot be read: ")
    assert "\n" not in str(raised.value)
    assert raised.value.__suppress_context__
    with pytest.raises(DamagedFileError):
        lake.read(REJECTED_RECORDS, {"source": "a"})
    with catalogue.connect(lake) as connection:
        assert connection.execute("SELECT count(*) FROM articles").fetchone() == (0,)
    with pytest.raises(duckdb.BinderException), catalogue.connect(lake) as connection:
        connection.execute("SELECT nothing FROM rejected_records")


def test_rows_tell_the_file_that_they_stand_in(lake: Lake) -> None:
    places = [{"system": "s", "arm": arm, "benchmark": "b"} for arm in ("one", "two")]
    for place in places:
        lake.write(EVIDENCE, place, evidence_rows(place["arm"]))
    with catalogue.connect(lake) as connection:
        files = connection.execute("SELECT DISTINCT arm, filename FROM evidence_rows ORDER BY 1").fetchall()
    assert files == [(place["arm"], lake.file_uri(EVIDENCE, place)) for place in places]
