"""The lake's tables: partitions written, read, listed, deleted, and remembered."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.lake.declared_rows import TableContractError
from evidence_assets.lake.lake import Lake, MissingPartitionError, partition_name
from evidence_assets.lake.parquet import DamagedFileError
from evidence_assets.lake.schemas import CHUNK_EMBEDDINGS, PUBLISHED_SCORES, REJECTED_RECORDS, Table
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.table_rows import rejections

STRANGE = ["..", ".", ".hidden", "a/b", "a=b", "50%", "%2F", "*", "[x]", "é 💓", "a'b", '"', "\n", "\\", "~"]


def vectors(shard: str, count: int) -> pa.Table:
    text = {"corpus": "c", "shard": shard, "text_hash": "h", "encoder_id": "e"}
    columns: dict[str, object] = {
        name: pa.array([value] * count, pa.string()) for name, value in text.items()
    }
    values = pa.array([[0.5, 0.5]] * count, pa.list_(pa.float16(), 2))
    return pa.table(
        {"chunk_id": pa.array([f"{shard}{n}" for n in range(count)]).cast(pa.string())} | columns
    ).append_column("vector", values)


def test_folder_names_say_column_and_value(lake: Lake) -> None:
    path = lake.file(CHUNK_EMBEDDINGS, {"corpus": "c", "shard": "a/b"})
    assert path == f"{lake.path}/chunk_embeddings/corpus=c/shard=a%2Fb/data.parquet"
    assert partition_name({}) == ""
    assert lake.file(PUBLISHED_SCORES, {}) == f"{lake.path}/published_scores/data.parquet"


@pytest.mark.parametrize(
    "partition",
    [{}, {"corpus": "c"}, {"shard": "s", "corpus": "c"}, {"corpus": "c", "shard": "s", "arm": "a"}],
)
def test_other_partition_columns_are_refused(lake: Lake, partition: dict[str, str]) -> None:
    for use in (lake.file, lake.read, lake.exists, lake.version, lake.delete):
        with pytest.raises(ValueError, match=r"chunk_embeddings is partitioned by \('corpus', 'shard'\)"):
            use(CHUNK_EMBEDDINGS, partition)


def test_empty_partition_value_is_refused(lake: Lake) -> None:
    with pytest.raises(ValueError, match="must not be empty"):
        lake.write(REJECTED_RECORDS, {"source": ""}, rejections("", "1"))


@pytest.mark.parametrize(
    "rows",
    [rejections("b", "1"), pa.concat_tables([rejections("a", "1"), rejections("b", "2")])],
)
def test_rows_of_another_partition_are_refused(lake: Lake, rows: pa.Table) -> None:
    with pytest.raises(TableContractError, match=r"table rejected_records.*source=.*'b'.*source=a") as raised:
        lake.write(REJECTED_RECORDS, {"source": "a"}, rows)
    assert not lake.exists(REJECTED_RECORDS, {"source": "a"})
    assert "remedy" in str(raised.value)


def test_rows_of_another_partition_are_refused_in_a_later_batch(lake: Lake) -> None:
    with pytest.raises(TableContractError, match="partition source=a"):
        lake.write(REJECTED_RECORDS, {"source": "a"}, [rejections("a", "1"), rejections("b", "1")])


def test_write_replaces_a_partition_and_no_other(lake: Lake) -> None:
    for source in ("a", "b"):
        lake.write(REJECTED_RECORDS, {"source": source}, rejections(source, "1", "2"))
    lake.write(REJECTED_RECORDS, {"source": "a"}, rejections("a", "3"))
    assert lake.read(REJECTED_RECORDS, {"source": "a"}).to_pylist() == rejections("a", "3").to_pylist()
    assert lake.read(REJECTED_RECORDS, {"source": "b"}).num_rows == 2


def test_missing_partition_is_named_with_its_remedy(lake: Lake) -> None:
    lake.write(REJECTED_RECORDS, {"source": "a"}, rejections("a", "1"))
    missing = {"source": "x y"}
    uses: list[Callable[[], object]] = [
        lambda: lake.read(REJECTED_RECORDS, missing),
        lambda: lake.scan(REJECTED_RECORDS, missing),
        lambda: lake.read_versioned(REJECTED_RECORDS, missing),
        lambda: lake.scan_versioned(REJECTED_RECORDS, missing),
        lambda: lake.version(REJECTED_RECORDS, missing),
        lambda: lake.read_partitions(REJECTED_RECORDS, [{"source": "a"}, missing]),
    ]
    for use in uses:
        with pytest.raises(MissingPartitionError) as raised:
            use()
        for part in ("rejected_records", "source=x%20y", lake.uri, "remedy: materialise"):
            assert part in str(raised.value)
    with pytest.raises(MissingPartitionError, match="whole table"):
        lake.read(PUBLISHED_SCORES, {})


def test_some_columns_are_read_alone(lake: Lake) -> None:
    lake.write(REJECTED_RECORDS, {"source": "a"}, rejections("a", "1"))
    rows = lake.read(REJECTED_RECORDS, {"source": "a"}, ["remedy", "record"])
    assert rows.to_pylist() == [{"remedy": "m", "record": "1"}]


def test_read_of_no_partitions_has_the_columns(lake: Lake) -> None:
    assert lake.read_partitions(REJECTED_RECORDS, []).schema.names == REJECTED_RECORDS.schema.names
    assert lake.read_partitions(REJECTED_RECORDS, [], ["record"]).schema.names == ["record"]


@pytest.mark.parametrize("order", [("full", "empty"), ("empty", "full")])
def test_partitions_with_and_without_vectors_are_read_together(lake: Lake, order: tuple[str, str]) -> None:
    """As the index of a corpus does, one of whose shards gave no chunk."""
    lake.write(CHUNK_EMBEDDINGS, {"corpus": "c", "shard": "full"}, vectors("full", 3))
    lake.write(CHUNK_EMBEDDINGS, {"corpus": "c", "shard": "empty"}, vectors("empty", 0))
    places = [{"corpus": "c", "shard": shard} for shard in order]
    assert lake.read_partitions(CHUNK_EMBEDDINGS, places).num_rows == 3


def test_scan_gives_all_rows_in_batches(lake: Lake) -> None:
    records = [f"{n:03}" for n in range(250)]
    lake.write(REJECTED_RECORDS, {"source": "a"}, rejections("a", *records))
    batches = list(lake.scan(REJECTED_RECORDS, {"source": "a"}, ["record"], rows=100))
    assert [batch.num_rows for batch in batches] == [100, 100, 50]
    assert [record for batch in batches for record in batch.column("record").to_pylist()] == records
    assert {tuple(batch.schema.names) for batch in batches} == {("record",)}


def test_scan_survives_a_write_in_the_middle(lake: Lake) -> None:
    """A reader sees the old or the new, never a part of each."""
    place = {"source": "a"}
    old = [f"old{n:05}" for n in range(20_000)]
    lake.write(REJECTED_RECORDS, place, rejections("a", *old))
    batches = lake.scan(REJECTED_RECORDS, place, ["record"], rows=1000)
    seen = next(batches).column("record").to_pylist()
    lake.write(REJECTED_RECORDS, place, rejections("a", "new"))
    seen += [record for batch in batches for record in batch.column("record").to_pylist()]
    assert seen == old
    assert lake.read(REJECTED_RECORDS, place).column("record").to_pylist() == ["new"]


def test_partitions_are_listed_sorted_with_their_values(lake: Lake) -> None:
    assert lake.partitions(REJECTED_RECORDS) == []
    for source in STRANGE:
        lake.write(REJECTED_RECORDS, {"source": source}, rejections(source, "1"))
    lake.write(PUBLISHED_SCORES, {}, PUBLISHED_SCORES.schema.empty_table())
    assert lake.partitions(REJECTED_RECORDS) == [{"source": source} for source in sorted(STRANGE)]
    assert lake.partitions(PUBLISHED_SCORES) == [{}]
    for source in STRANGE:
        assert lake.read(REJECTED_RECORDS, {"source": source}).column("source").to_pylist() == [source]


@examples(15)
@given(st.sets(st.tuples(st.text(min_size=1, max_size=6), st.text(min_size=1, max_size=6)), max_size=4))
def test_any_partition_values_are_listed(
    tmp_path_factory: pytest.TempPathFactory, values: set[tuple[str, str]]
) -> None:
    lake = Lake(str(tmp_path_factory.mktemp("any")))
    schema = pa.schema([("one", pa.string()), ("two", pa.string())])
    table = Table("pairs", "", schema, ("one", "two"), ("one", "two"))
    for first, second in values:
        lake.write(table, {"one": first, "two": second}, pa.table({"one": [first], "two": [second]}))
    assert lake.partitions(table) == [{"one": first, "two": second} for first, second in sorted(values)]


def test_files_that_are_no_partition_are_not_listed(lake: Lake) -> None:
    lake.ensure_empty_files()
    for stray in ("chunk_embeddings/data.parquet", "chunk_embeddings/corpus=c/data.parquet", "stray.parquet"):
        path = Path(lake.path) / stray
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    assert lake.partitions(CHUNK_EMBEDDINGS) == []


def test_delete_removes_one_partition(lake: Lake) -> None:
    lake.delete(REJECTED_RECORDS, {"source": "a"})
    for source in ("a", "b"):
        lake.write(REJECTED_RECORDS, {"source": source}, rejections(source, "1"))
    lake.delete(REJECTED_RECORDS, {"source": "a"})
    assert not lake.exists(REJECTED_RECORDS, {"source": "a"})
    assert lake.partitions(REJECTED_RECORDS) == [{"source": "b"}]
    with pytest.raises(MissingPartitionError):
        lake.read(REJECTED_RECORDS, {"source": "a"})


def test_a_versioned_read_tells_which_version_it_gave(lake: Lake) -> None:
    place = {"source": "a"}
    first = lake.write(REJECTED_RECORDS, place, rejections("a", "1"))
    for columns in (None, ["record"]):
        version, rows = lake.read_versioned(REJECTED_RECORDS, place, columns)
        assert version == first.version == lake.version(REJECTED_RECORDS, place)
        assert rows.column("record").to_pylist() == ["1"]
    # The version of a scan is that of the rows it gives, whatever is written while it goes on.
    scanned, batches = lake.scan_versioned(REJECTED_RECORDS, place, ["record"])
    second = lake.write(REJECTED_RECORDS, place, rejections("a", "2"))
    assert scanned == first.version != second.version
    assert [record for batch in batches for record in batch.column("record").to_pylist()] == ["1"]
    assert lake.read_versioned(REJECTED_RECORDS, place)[0] == second.version


def test_relative_root_does_not_depend_on_where_one_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lake = Lake("lake")
    monkeypatch.chdir("/")
    lake.write(REJECTED_RECORDS, {"source": "a"}, rejections("a", "1"))
    assert (tmp_path / "lake/rejected_records/source=a/data.parquet").is_file()


# --- what a damaged file needs


def damage_nothing(path: Path) -> None:
    """Rewrite the file as another program would: the same rows, without this project's footer."""
    pq.write_table(rejections("a", "1", "2"), path)


def cut_in_half(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def overwrite_the_first_page(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[20:60] = bytes(byte ^ 0xFF for byte in data[20:60])
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [damage_nothing, cut_in_half, empty, overwrite_the_first_page])
def test_writing_anew_mends_a_damaged_file(lake: Lake, damage: object) -> None:
    """It is the remedy that the integrity check names."""
    place = {"source": "a"}
    path = Path(lake.write(REJECTED_RECORDS, place, rejections("a", "1", "2")).path)
    expected = path.read_bytes()
    damage(path)  # type: ignore[operator]
    lake.write(REJECTED_RECORDS, place, rejections("a", "1", "2"))
    assert path.read_bytes() == expected


@pytest.mark.parametrize("damage", [damage_nothing, cut_in_half, empty, overwrite_the_first_page])
def test_only_rows_that_are_those_of_their_version_are_undamaged(lake: Lake, damage: object) -> None:
    place = {"source": "a"}
    assert lake.undamaged(REJECTED_RECORDS, place) is None
    written = lake.write(REJECTED_RECORDS, place, rejections("a", "1", "2"))
    standing = lake.undamaged(REJECTED_RECORDS, place)
    assert standing is not None
    version, rows = standing
    assert version == written.version
    assert rows.equals(lake.read(REJECTED_RECORDS, place))
    damage(Path(written.path))  # type: ignore[operator]
    assert lake.undamaged(REJECTED_RECORDS, place) is None


def test_a_file_written_by_another_program_is_not_called_missing(lake: Lake) -> None:
    """`exists` and `read` must agree; a refusal must say what is wrong with the file that is there."""
    place = {"source": "a"}
    path = Path(lake.write(REJECTED_RECORDS, place, rejections("a", "1")).path)
    damage_nothing(path)
    assert lake.exists(REJECTED_RECORDS, place)
    try:
        assert lake.read(REJECTED_RECORDS, place).num_rows == 2
    except MissingPartitionError as error:
        pytest.fail(f"the file is there: {error}")
    except DamagedFileError as error:
        assert "remedy" in str(error)  # refusing such a file is as good as reading it


def test_bytes_that_changed_in_place_are_damage_and_the_file_is_named(lake: Lake) -> None:
    place = {"source": "a"}
    names = [f"{number}-{number * 7919}" for number in range(2_000)]
    path = Path(lake.write(REJECTED_RECORDS, place, rejections("a", *names)).path)
    content = bytearray(path.read_bytes())
    content[200:260] = bytes(byte ^ 0xFF for byte in content[200:260])
    path.write_bytes(content)
    assert lake.exists(REJECTED_RECORDS, place)
    with pytest.raises(DamagedFileError, match=re.escape(str(path))):
        lake.read(REJECTED_RECORDS, place)
    with pytest.raises(DamagedFileError, match="materialise the partition anew"):
        list(lake.scan(REJECTED_RECORDS, place))


def test_no_damaged_page_is_scanned_as_fewer_rows(lake: Lake) -> None:
    place = {"source": "a"}
    path = Path(lake.write(REJECTED_RECORDS, place, rejections("a", "1", "2")).path)
    content = path.read_bytes()
    footer = int.from_bytes(content[-8:-4], "little")
    counted: set[int] = set()
    for damaged in range(4, len(content) - 8 - footer):
        path.write_bytes(content[:damaged] + bytes([content[damaged] ^ 0x55]) + content[damaged + 1 :])
        try:
            counted.add(sum(len(batch) for batch in lake.scan(REJECTED_RECORDS, place)))
        except DamagedFileError:
            continue
    assert counted <= {2}
