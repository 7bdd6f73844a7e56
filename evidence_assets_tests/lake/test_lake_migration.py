"""A lake of the version before: refused by name, migrated whole, wherever a migration is cut short."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest

from evidence_assets.lake.ids import content_id
from evidence_assets.lake.lake import Lake, PartitionVersion, WrittenPartition
from evidence_assets.lake.migration import GONE, MigratedFile, migrate, require_current
from evidence_assets.lake.parquet import SCHEME_KEY, NewerLakeError, OldLakeError
from evidence_assets.lake.row_hash import row_hash
from evidence_assets.lake.schemas import (
    CHUNK_EMBEDDINGS,
    HARVESTED_TRIPLES,
    HARVESTS,
    MATERIALIZATIONS,
    PUBLISHED_SCORES,
    REJECTED_RECORDS,
    TRIPLES,
    Table,
)
from evidence_assets_tests.testing.old_lake import make_old, write_old_file
from evidence_assets_tests.testing.table_rows import rejections

GRAPH = {"kg": "k"}
RELATION = {"kg": "k", "relation": "is a"}
VECTORS = {"corpus": "c", "shard": "s"}
SOURCE = {"source": "a/b"}
EVERYTHING = [
    (REJECTED_RECORDS, SOURCE),
    (TRIPLES, RELATION),
    (HARVESTS, GRAPH),
    (CHUNK_EMBEDDINGS, VECTORS),
    (PUBLISHED_SCORES, {}),
]


def triples() -> pa.Table:
    statement = {"kg": "k", "head": "é", "relation": "is a", "tail": "t", "weight": None}
    sources = [{"source": "s", "record": "1", "licence": "CC0-1.0"}]
    rows = [{"triple_id": f"{n:05}", **statement, "sources": sources * (n % 3)} for n in range(20_000)]
    return pa.Table.from_pylist(rows, schema=TRIPLES.schema)


def vectors() -> pa.Table:
    text = {"corpus": "c", "shard": "s", "text_hash": "h", "encoder_id": "e"}
    columns: dict[str, object] = {"chunk_id": [f"{n}" for n in range(9)]}
    columns |= {name: pa.array([value] * 9, pa.string()) for name, value in text.items()}
    return pa.table({**columns, "vector": pa.array([[0.5, -0.0]] * 9, pa.list_(pa.float16(), 2))})


def build(lake: Lake) -> None:
    """Write a lake in which everything refers to something: a partition, a whole table, a source file."""

    def noted(written: WrittenPartition, *upstream: PartitionVersion) -> PartitionVersion:
        lake.record(written, upstream, "run", "v1")
        return written.version

    lake.ensure_empty_files()
    file = PartitionVersion("source_files", "file://a", "fingerprint")
    scores = noted(lake.write(PUBLISHED_SCORES, {}, PUBLISHED_SCORES.schema.empty_table()))
    noted(lake.write(REJECTED_RECORDS, SOURCE, rejections("a/b", "1")), file)
    gone = lake.version(REJECTED_RECORDS, SOURCE)
    stated = noted(lake.write(TRIPLES, RELATION, triples()), file, scores)
    noted(lake.write(REJECTED_RECORDS, SOURCE, rejections("a/b", "1", "2")), file)
    row = {"kg": "k", "relation": "is a", "triples": 20_000, "seed_hash": "s", "model_id": "m"}
    row |= {"triples_hash": stated.content_hash, "captures_hash": "c"}
    manifest = pa.Table.from_pylist([row], schema=HARVESTS.schema)
    harvest = noted(lake.write(HARVESTS, GRAPH, manifest), stated)
    noted(lake.write(CHUNK_EMBEDDINGS, VECTORS, vectors()), harvest, gone, scores)


def notes(lake: Lake) -> dict[tuple[str, str, str], dict[str, object]]:
    rows = [
        row
        for place in lake.partitions(MATERIALIZATIONS)
        for row in lake.read(MATERIALIZATIONS, place).to_pylist()
    ]
    return {(row["table"], row["partition"], row["content_hash"]): row for row in rows}


def state(lake: Lake) -> dict[str, object]:
    """All that can be read from the lake: rows, versions, what was noted of each but its file's size."""
    rows = {table.name: lake.read(table, place) for table, place in EVERYTHING}
    for table, place in EVERYTHING:
        assert row_hash(rows[table.name]) == lake.version(table, place).content_hash
    return {
        "rows": {name: table.to_pylist() for name, table in rows.items()},
        "types": {name: table.schema.types for name, table in rows.items()},
        "versions": [lake.version(table, place) for table, place in EVERYTHING],
        "notes": {key: {**row, "bytes": 0} for key, row in notes(lake).items()},
    }


def marked(current: dict[str, object], gone: str) -> dict[str, object]:
    """What is expected of a lake that no longer held the version `gone` when it was migrated."""
    lost = f"{GONE}{gone}"
    expected = {}
    for key, row in current["notes"].items():  # type: ignore[attr-defined]
        table, partition, content_hash = key
        upstream = [
            source | {"content_hash": lost} if source["content_hash"] == gone else source
            for source in row["upstream"]
        ]
        if content_hash == gone:
            version = content_id("materialization", table, partition, lost)
            moved = row | {"content_hash": lost, "version": version, "upstream": upstream}
            expected[table, partition, lost] = moved
        else:
            expected[key] = row | {"upstream": upstream}
    return current | {"notes": expected}


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """An old lake, and what is expected of it when it was migrated."""
    lake = Lake(str(tmp_path_factory.mktemp("old") / "lake"))
    build(lake)
    current = state(lake)
    [gone] = {key[2] for key in notes(lake) if key[0] == REJECTED_RECORDS.name} - {
        lake.version(REJECTED_RECORDS, SOURCE).content_hash
    }
    make_old(lake)
    return Path(lake.path), marked(current, gone)


@pytest.fixture
def old_lake(old: tuple[Path, dict[str, object]], tmp_path: Path) -> Lake:
    shutil.copytree(old[0], tmp_path / "old")
    return Lake(str(tmp_path / "old"))


def lake_files(lake: Lake) -> dict[str, bytes]:
    root = Path(lake.path)
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


# --- refused


def test_an_old_file_is_refused_with_its_remedy(old_lake: Lake) -> None:
    table, place = EVERYTHING[0]
    for use in (old_lake.read, old_lake.scan, old_lake.version):
        with pytest.raises(OldLakeError) as raised:
            use(table, place)
        for part in (old_lake.file(table, place), "remedy: evidence-assets migrate"):
            assert part in str(raised.value)
    with pytest.raises(OldLakeError):
        require_current(old_lake)


def test_a_file_of_a_later_version_is_refused(lake: Lake, words: Table) -> None:
    rows = pa.table({"word": ["a"], "number": pa.array([1], pa.int32()), "shelf": ["a"], "note": ["n"]})
    path = Path(lake.write(words, {"shelf": "a"}, rows).path)
    content = path.read_bytes()
    at = content.index(SCHEME_KEY.encode())
    path.write_bytes(content[:at] + content[at:].replace(b"rows-1", b"rows-9", 1))
    with pytest.raises(NewerLakeError, match=r"data\.parquet.*'rows-9'.*remedy"):
        lake.read(words, {"shelf": "a"})


def test_writing_over_an_old_file_makes_it_one_of_today(old_lake: Lake) -> None:
    assert old_lake.write(REJECTED_RECORDS, SOURCE, rejections("a/b", "1", "2")).changed
    assert old_lake.read(REJECTED_RECORDS, SOURCE).num_rows == 2


# --- migrated


def test_a_migrated_lake_is_as_if_it_had_been_written_today(
    old_lake: Lake, old: tuple[Path, dict[str, object]]
) -> None:
    steps = list(migrate(old_lake))
    assert {step.problem for step in steps} == {None}
    assert [(step.done, step.total) for step in steps] == [(n + 1, len(steps)) for n in range(len(steps))]
    assert len(steps) == len({step.path for step in steps}) == len(EVERYTHING) + 6
    assert state(old_lake) == old[1]
    for table, place in EVERYTHING:
        recorded = old_lake.recorded(table, place)
        assert recorded is not None and recorded["bytes"] == Path(old_lake.file(table, place)).stat().st_size
    require_current(old_lake)
    for name in lake_files(old_lake):
        assert name.endswith(("/data.parquet", "/_schema.parquet"))
    folders = [path for path in Path(old_lake.path).rglob("*") if path.is_dir()]
    assert all(any(folder.iterdir()) for folder in folders), "folders without files are left"


def test_what_the_writers_would_write_is_there_already(old_lake: Lake) -> None:
    list(migrate(old_lake))
    assert not old_lake.write(REJECTED_RECORDS, SOURCE, rejections("a/b", "1", "2")).changed
    assert not old_lake.write(TRIPLES, RELATION, triples()).changed
    before = lake_files(old_lake)
    build_again = old_lake.write(CHUNK_EMBEDDINGS, VECTORS, vectors())
    assert not build_again.changed
    assert lake_files(old_lake) == before


def test_a_lake_of_today_is_left_alone(old_lake: Lake) -> None:
    list(migrate(old_lake))
    before = lake_files(old_lake)
    assert list(migrate(old_lake)) == []
    assert lake_files(old_lake) == before


def test_what_was_mined_stands_no_more_among_the_triples_of_graphs(lake: Lake) -> None:
    place = {"kg": "mined", "relation": "IsA"}
    for table in (HARVESTED_TRIPLES, TRIPLES):
        lake.write(table, place, table.schema.empty_table())
    lake.write(TRIPLES, {"kg": "stated", "relation": "IsA"}, TRIPLES.schema.empty_table())
    assert list(migrate(lake)) == []
    assert [partition["kg"] for partition in lake.partitions(TRIPLES)] == ["stated"]
    assert lake.partitions(HARVESTED_TRIPLES) == [place]


def test_an_empty_root_needs_nothing(lake: Lake) -> None:
    require_current(lake)
    assert list(migrate(lake)) == []


@pytest.mark.integration
@pytest.mark.parametrize("stop", range(12))
def test_a_migration_cut_between_files_goes_on(
    old_lake: Lake, old: tuple[Path, dict[str, object]], stop: int
) -> None:
    steps = migrate(old_lake)
    first = [step for _, step in zip(range(stop), steps, strict=False)]
    steps.close()  # type: ignore[attr-defined]
    rest = list(migrate(Lake(old_lake.path)))
    assert len(first) + len(rest) == len(EVERYTHING) + 6
    assert state(old_lake) == old[1]


class KilledError(Exception):
    """Stands for a kill."""


@pytest.mark.parametrize("place", range(6))
def test_a_kill_before_a_materialisation_is_removed_leaves_no_two(
    old_lake: Lake, old: tuple[Path, dict[str, object]], monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    removed = 0
    remove = old_lake.filesystem.rm_file

    def killed(path: str) -> None:
        nonlocal removed
        removed += 1
        if removed > place:
            raise KilledError
        remove(path)

    with monkeypatch.context() as patch:
        patch.setattr(old_lake.filesystem, "rm_file", killed)
        with pytest.raises(KilledError):
            list(migrate(old_lake))
    list(migrate(old_lake))
    assert state(old_lake) == old[1]


MIGRATE = """
import sys
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.migration import migrate
print("begins", flush=True)
for step in migrate(Lake(sys.argv[1])):
    assert step.problem is None, step
"""


@pytest.mark.integration
@pytest.mark.parametrize("moment", [0.0, 0.02, 0.06, 0.1])
def test_a_killed_process_leaves_a_lake_that_can_be_migrated(
    old_lake: Lake, old: tuple[Path, dict[str, object]], moment: float
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", MIGRATE, old_lake.path],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begins\n"
    time.sleep(moment)
    process.kill()
    process.communicate()
    list(migrate(old_lake))
    assert state(old_lake) == old[1]


def test_a_partition_written_meanwhile_keeps_its_newer_note(old_lake: Lake) -> None:
    """Its old hash says nothing of the rows of today: what was made from it counts as out of date."""
    written = old_lake.write(REJECTED_RECORDS, SOURCE, rejections("a/b", "1", "2"))
    old_lake.record(written, [], "later run", "v2")
    list(migrate(old_lake))
    rejection_notes = [row for key, row in notes(old_lake).items() if key[0] == REJECTED_RECORDS.name]
    assert sorted(str(row["run_id"]) for row in rejection_notes) == ["later run", "run", "run"]
    for row in rejection_notes:
        is_later = row["run_id"] == "later run"
        assert (row["content_hash"] == written.version.content_hash) == is_later
        assert str(row["content_hash"]).startswith(GONE) != is_later


@pytest.mark.parametrize("damage", ["a page", "its end"])
def test_a_damaged_old_file_is_named_and_not_given_a_hash(old_lake: Lake, damage: str) -> None:
    path = Path(old_lake.file(TRIPLES, RELATION))
    content = bytearray(path.read_bytes())
    if damage == "a page":
        content[30] ^= 0xFF
    else:
        del content[-20:]
    path.write_bytes(content)
    steps = list(migrate(old_lake))
    [wrong] = [step for step in steps if step.problem]
    assert isinstance(wrong, MigratedFile)
    assert wrong.path == str(path)
    assert "remedy: materialise the partition anew" in str(wrong.problem)
    assert path.read_bytes() == content
    assert old_lake.read(REJECTED_RECORDS, SOURCE).num_rows == 2
    [manifest] = old_lake.read(HARVESTS, GRAPH).to_pylist()
    assert manifest["triples_hash"].startswith(GONE)
    assert old_lake.write(TRIPLES, RELATION, triples()).changed
    require_current(old_lake)


def test_tables_that_are_no_longer_declared_are_migrated(lake: Lake) -> None:
    path = Path(lake.path) / "retired" / "part=1" / "data.parquet"
    write_old_file(path, pa.table({"a": [3, 1, 2]}))
    [step] = migrate(lake)
    assert (step.path, step.problem) == (str(path), None)
    require_current(lake)


@pytest.mark.integration
def test_a_lake_in_an_object_store_is_migrated(
    old: tuple[Path, dict[str, object]], s3_client: object
) -> None:
    lake = Lake("s3://lake/old [1] *")
    for path in old[0].rglob("*.parquet"):
        lake.filesystem.put_file(str(path), f"{lake.path}/{path.relative_to(old[0])}")
    steps = migrate(lake)
    for _ in range(7):
        next(steps)
    steps.close()  # type: ignore[attr-defined]
    assert all(step.problem is None for step in migrate(Lake(lake.uri)))
    assert state(lake) == old[1]
    assert list(migrate(lake)) == []


def test_a_migration_holds_a_row_group_or_two_in_memory(lake: Lake) -> None:
    path = Path(lake.path) / "retired" / "data.parquet"
    rows = pa.table({"n": pa.array(range(300_000)), "text": pa.array([f"{n:0100}" for n in range(300_000)])})
    write_old_file(path, rows)
    usual = pa.default_memory_pool()
    measured = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(measured)
    try:
        list(migrate(lake))
    finally:
        pa.set_memory_pool(usual)
    assert measured.max_memory() < 0.6 * rows.nbytes
