"""The vector index: exact when flat, measured otherwise, whole in the lake."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidence_assets.corpus.embeddings import embedding_rows, read_vectors, stacked_vectors
from evidence_assets.corpus.index import (
    build_index,
    index_files,
    measure_recall,
    read_indexes,
    remove_old_index_files,
    store_index,
    unnamed_index_files,
)
from evidence_assets.corpus.search import IndexSet, index_top
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.lake import Lake, MissingPartitionError
from evidence_assets.lake.schemas import CHUNK_EMBEDDINGS, SHARD_INDEXES
from evidence_assets_tests.testing.profiles import examples

SHARD = {"corpus": "k", "shard": "k.one"}
OTHER = {"corpus": "k", "shard": "k.two"}


def unit(count: int, width: int = 16, seed: int = 0) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).normal(size=(count, width)).astype(np.float32)
    units: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


def rows_of(vectors: np.ndarray, encoder: str = "enc@1", prefix: str = "c") -> pa.Table:
    return pa.table(
        {
            "chunk_id": [f"{prefix}{number}" for number in range(len(vectors))],
            "corpus": ["k"] * len(vectors),
            "shard": ["s"] * len(vectors),
            "text_hash": ["h"] * len(vectors),
            "encoder_id": [encoder] * len(vectors),
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1]),
        }
    )


def keep(
    lake: Lake, vectors: np.ndarray, folder: Path, shard: dict[str, str] = SHARD, **kinds: str
) -> dict[str, object]:
    row = store_index(lake, shard, build_index(vectors), rows_of(vectors, **kinds), folder)
    rows = pa.Table.from_pylist([row], schema=SHARD_INDEXES.schema)
    lake.write(SHARD_INDEXES, shard, conform(rows, SHARD_INDEXES))
    return row


def parts_of(vectors: np.ndarray, sizes: Sequence[int]) -> IndexSet:
    cuts = np.cumsum(sizes)[:-1]
    return IndexSet([build_index(part).index for part in np.split(vectors, cuts) if len(part)])


def test_a_flat_index_is_exact() -> None:
    vectors, query_vectors = unit(500), unit(20, seed=1)
    built = build_index(vectors)
    assert (built.kind, built.recall_at_100) == ("Flat", 1.0)
    ((scores, rows),) = index_top(built.index, query_vectors, 50)
    similarity = query_vectors @ vectors.T
    expected = np.argsort(-similarity, axis=1, kind="stable")[:, :50]
    np.testing.assert_allclose(scores, np.take_along_axis(similarity, expected, axis=1), atol=1e-6)
    np.testing.assert_array_equal(rows, expected)


def test_nothing_to_index_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to index"):
        build_index(np.empty((0, 4), dtype=np.float32))


@pytest.mark.parametrize("count", [400, 6000])
def test_inverted_lists_reach_the_recall_they_name(count: int) -> None:
    vectors = unit(count, 24)
    built = build_index(vectors, exact_limit=100)
    lists = int(4 * np.sqrt(count))
    name, _, probes = built.kind.partition(",nprobe=")
    assert name == f"IVF{lists},SQfp16"
    assert built.index.nprobe == int(probes)
    assert built.recall_at_100 >= 0.95 or built.index.nprobe == lists
    # On queries it was not tuned on.
    query_vectors = unit(100, 24, seed=5)
    exact = np.argsort(-(query_vectors @ vectors.T), axis=1)[:, :100]
    assert measure_recall(built.index, query_vectors, exact) > 0.85


def test_the_same_vectors_give_the_same_inverted_lists(tmp_path: Path) -> None:
    lake, vectors = Lake(str(tmp_path)), unit(1500, 8)
    names = {
        store_index(lake, SHARD, build_index(vectors, exact_limit=10), rows_of(vectors), tmp_path)["path"]
        for _ in range(2)
    }
    assert len(names) == 1


def test_an_index_comes_back_from_the_lake(tmp_path: Path) -> None:
    lake, vectors, query_vectors = Lake(str(tmp_path / "lake")), unit(300, 12), unit(4, 12, seed=2)
    built = build_index(vectors, exact_limit=10)
    row = store_index(lake, SHARD, built, rows_of(vectors), tmp_path)
    lake.write(SHARD_INDEXES, SHARD, pa.Table.from_pylist([row], schema=SHARD_INDEXES.schema))
    assert (row["vectors"], row["dimension"], row["encoder_id"]) == (300, 12, "enc@1")
    index, ids = read_indexes(lake, lake, [SHARD], "enc@1")
    assert ids.to_pylist() == [f"c{number}" for number in range(300)]
    for got, wanted in zip(
        index.search(query_vectors, 50), built.index.search(query_vectors, 50), strict=True
    ):
        np.testing.assert_array_equal(got, wanted)


def test_another_encoder_or_a_shard_that_was_never_indexed_is_refused(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    keep(lake, unit(20), tmp_path)
    with pytest.raises(ValueError, match=r"k\.one is indexed by enc@1, the .* encoder is enc@2; remedy"):
        read_indexes(lake, lake, [SHARD], "enc@2")
    with pytest.raises(MissingPartitionError, match="shard_indexes"):
        read_indexes(lake, lake, [SHARD, OTHER], "enc@1")


def test_shards_without_chunks_are_left_out_and_a_corpus_without_any_is_refused(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    lake.write(SHARD_INDEXES, SHARD, SHARD_INDEXES.schema.empty_table())
    with pytest.raises(ValueError, match="no chunks; see rejected_records"):
        read_indexes(lake, lake, [SHARD], "enc@1")
    keep(lake, unit(20), tmp_path, OTHER)
    index, ids = read_indexes(lake, lake, [SHARD, OTHER], "enc@1")
    assert index.ntotal == len(ids) == 20


@examples(40)
@given(
    sizes=st.lists(st.integers(0, 30), min_size=1, max_size=8).filter(any),
    queries=st.integers(1, 40),
    depth=st.integers(1, 300),
    seed=st.integers(0, 10_000),
)
def test_the_indexes_of_shards_return_what_one_index_returns(
    sizes: list[int], queries: int, depth: int, seed: int
) -> None:
    """Ties too, but for which of them are left out where the depth ends among them."""
    random = np.random.default_rng(seed)
    vectors = random.integers(-2, 3, size=(sum(sizes), 4)).astype(np.float32)
    query_vectors = random.integers(-2, 3, size=(queries, 4)).astype(np.float32)
    depth = min(depth, len(vectors))
    [(scores, rows)] = index_top(parts_of(vectors, sizes), query_vectors, depth)
    one_scores, one_rows = build_index(vectors).index.search(query_vectors, depth)
    np.testing.assert_array_equal(scores, one_scores)
    above_cut = one_scores > one_scores[:, -1:] if depth < len(vectors) else np.full(scores.shape, True)
    np.testing.assert_array_equal(rows[above_cut], one_rows[above_cut])
    np.testing.assert_array_equal(np.take_along_axis(query_vectors @ vectors.T, rows, axis=1), scores)
    assert all(len(set(row)) == depth for row in rows.tolist())


def test_the_indexes_of_many_shards_return_the_bytes_of_one_index() -> None:
    """More shards than are merged at once, of the packaged encoder's width."""
    vectors, query_vectors = unit(3000, 384), unit(70, 384, seed=1)
    parts = parts_of(vectors, [1, 7, *[64] * 40, 432])
    for depth in (10, 100, 3000):
        for ours, theirs in zip(
            index_top(parts, query_vectors, depth),
            index_top(build_index(vectors).index, query_vectors, depth),
            strict=True,
        ):
            assert [array.tobytes() for array in ours] == [array.tobytes() for array in theirs]


def test_what_no_approximate_index_finds_is_missing_from_the_merged_result() -> None:
    parts = IndexSet([build_index(unit(400, seed=seed), exact_limit=100).index for seed in (1, 2)])
    for index in parts.indexes:
        index.nprobe = 1
    [(scores, rows)] = index_top(parts, unit(5, seed=3), 800)
    filled = rows >= 0
    assert 0 < filled.sum() < rows.size
    assert (np.diff(filled.astype(int), axis=1) <= 0).all(), "what is missing stands last"
    assert (scores[~filled] == np.finfo(np.float32).min).all()


def test_a_new_index_replaces_the_old_one_and_its_files(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    assert index_files(lake, SHARD) == []
    old = keep(lake, unit(20), tmp_path)
    stood = index_files(lake, SHARD)
    new = keep(lake, unit(30, seed=3), tmp_path, prefix="n")
    assert old["path"] != new["path"]
    index, ids = read_indexes(lake, lake, [SHARD], "enc@1")
    assert index.ntotal == len(ids) == 30
    assert ids[0].as_py() == "n0"
    files = {path.name for path in (tmp_path / "lake" / "index_files").rglob("*") if path.is_file()}
    stem = str(new["path"]).rsplit("/", 1)[-1].removesuffix(".faiss")
    assert len(files) == 4
    assert {f"{stem}.faiss", f"{stem}.ids"} <= files
    remove_old_index_files(lake, stood, None)
    assert len(index_files(lake, SHARD)) == 4, "no row names what replaces them"
    remove_old_index_files(lake, stood, str(new["path"]))
    files = {path.name for path in (tmp_path / "lake" / "index_files").rglob("*") if path.is_file()}
    assert files == {f"{stem}.faiss", f"{stem}.ids"}


def test_the_slower_of_two_writers_leaves_the_files_of_who_came_later(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    before = str(keep(lake, unit(20), tmp_path)["path"])
    stood = index_files(lake, SHARD)
    slower = str(keep(lake, unit(30, seed=3), tmp_path)["path"])
    # The faster has stored its files; its row is still to be written, or stands by then.
    faster = store_index(lake, SHARD, build_index(unit(40, seed=4)), rows_of(unit(40, seed=4)), tmp_path)
    remove_old_index_files(lake, stood, slower)
    row = pa.Table.from_pylist([faster], schema=SHARD_INDEXES.schema)
    lake.write(SHARD_INDEXES, SHARD, conform(row, SHARD_INDEXES))
    remove_old_index_files(lake, stood, str(faster["path"]))
    index, ids = read_indexes(lake, lake, [SHARD], "enc@1")
    assert index.ntotal == len(ids) == 40
    assert not (tmp_path / "lake" / before).exists()
    # Rows that come out as they were before name the same files: these stand.
    remove_old_index_files(lake, index_files(lake, SHARD), str(faster["path"]))
    assert read_indexes(lake, lake, [SHARD], "enc@1")[0].ntotal == 40


def test_a_shard_keeps_its_files_when_another_is_stored_or_removed(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    keep(lake, unit(20), tmp_path)
    path = str(keep(lake, unit(9), tmp_path, OTHER)["path"])
    assert read_indexes(lake, lake, [SHARD], "enc@1")[0].ntotal == 20
    index, ids = read_indexes(lake, lake, [SHARD, OTHER], "enc@1")
    assert index.ntotal == len(ids) == 29
    assert unnamed_index_files(lake) == []
    stray = [path, path.replace(".faiss", ".ids")]
    assert unnamed_index_files(lake, [(SHARD_INDEXES, OTHER)]) == stray


def test_a_reader_finds_the_old_index_whole_until_the_new_row_is_written(tmp_path: Path) -> None:
    """A run killed between the files and the row must leave the index that the row names."""
    lake = Lake(str(tmp_path / "lake"))
    keep(lake, unit(20), tmp_path)
    store_index(lake, SHARD, build_index(unit(30, seed=3)), rows_of(unit(30, seed=3), prefix="n"), tmp_path)
    index, ids = read_indexes(lake, lake, [SHARD], "enc@1")
    assert index.ntotal == len(ids) == 20


class OneHot:
    """Enough of a CachedEncoder for the rows."""

    encoder_id, dimension, max_tokens = "one@1", 3, 8

    def encode(self, texts: list[str], progress: object = None, keep_words: bool = False) -> np.ndarray:
        return np.eye(3, dtype=np.float32)[[len(text) % 3 for text in texts]]


def test_embedding_rows_conform_and_stack_again() -> None:
    chunks = pa.table(
        {name: ["a", "bb", "ccc", "d"] for name in ("chunk_id", "corpus", "shard", "text_hash", "text")}
    )
    chunks = chunks.append_column("n_tokens", pa.array([1, 2, 3, 1], pa.int32()))
    encoder = OneHot()
    table = pa.concat_tables(embedding_rows(chunks.to_batches(max_chunksize=3), encoder))  # type: ignore[arg-type]
    conform(table, CHUNK_EMBEDDINGS)
    assert table.column("chunk_id").to_pylist() == ["a", "bb", "ccc", "d"]
    np.testing.assert_array_equal(stacked_vectors(table), encoder.encode(["a", "bb", "ccc", "d"]))
    np.testing.assert_array_equal(stacked_vectors(table.slice(1, 2)), encoder.encode(["bb", "ccc"]))


def test_a_chunk_longer_than_the_encoder_takes_is_refused() -> None:
    encoder = OneHot()
    names = ("chunk_id", "corpus", "shard", "text_hash", "text")
    chunks = pa.table({**{name: ["a"] for name in names}, "n_tokens": [encoder.max_tokens + 1]})
    with pytest.raises(ValueError, match="remedy: materialise chunks"):
        list(embedding_rows(chunks.to_batches(), encoder))  # type: ignore[arg-type]


def test_no_vectors_are_a_matrix_without_rows() -> None:
    assert stacked_vectors(rows_of(unit(2)).slice(0, 0)).shape[0] == 0


def test_vectors_of_two_encoders_do_not_mix() -> None:
    both = pa.concat_tables([rows_of(unit(2)), rows_of(unit(2), encoder="enc@2")])
    with pytest.raises(ValueError, match="enc@1, enc@2; remedy"):
        stacked_vectors(both)


def test_vectors_that_stream_by_are_those_of_the_whole_table() -> None:
    rows = rows_of(unit(50))
    named, vectors = read_vectors(rows.to_batches(max_chunksize=7))
    assert named.column("chunk_id").to_pylist() == rows.column("chunk_id").to_pylist()
    assert named.column_names == ["chunk_id", "encoder_id"]
    np.testing.assert_array_equal(vectors, stacked_vectors(rows))
    nothing, none = read_vectors(iter(()))
    assert nothing.num_rows == len(none) == 0
    of_two = [*rows.to_batches(max_chunksize=7), *rows_of(unit(3), encoder="other@1").to_batches()]
    with pytest.raises(ValueError, match="several encoders: enc@1, other@1"):
        read_vectors(of_two)
