"""Queries of a benchmark, and first-stage candidates as rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.corpus.search import Bm25
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import CHUNK_POOLS
from evidence_assets.retrieval.pools import (
    BM25_DEPTH,
    bm25_pool_rows,
    dense_pool_rows,
    in_key_order,
    pool_blocks,
)
from evidence_assets.text.queries import Query, queries
from evidence_assets_tests.testing.profiles import examples

QUERIES = [
    Query("q1", -1, "cat"),
    Query("q1", 0, "cat mat"),
    Query("q2", -1, "zebra"),
    Query("q3", -1, "dog"),
]
IDS = pa.array(["c0", "c1", "c2"])


def test_queries_are_the_question_alone_and_with_each_option() -> None:
    table = pa.table(
        {
            "question_id": ["a", "b"],
            "question": ["Which?", "Why?"],
            "options": pa.array([["x", "y"], []], pa.list_(pa.string())),
            "split": ["test", "test"],
        }
    )
    assert queries(table) == [
        Query("a", -1, "Which?"),
        Query("a", 0, "Which? x"),
        Query("a", 1, "Which? y"),
        Query("b", -1, "Why?"),
    ]
    assert queries(table.slice(0, 0)) == []


def test_dense_rows_drop_padding_and_rank_from_one() -> None:
    batches = [
        (
            np.array([[0.9, 0.8, 0.7], [0.5, -3e38, -3e38]], dtype=np.float32),
            np.array([[2, 0, 1], [1, -1, -1]], dtype=np.int64),
        ),
        (
            np.array([[-3e38, -3e38, -3e38], [0.4, 0.3, -3e38]], dtype=np.float32),
            np.array([[-1, -1, -1], [0, 2, -1]], dtype=np.int64),
        ),
    ]
    tables = list(dense_pool_rows("bench", QUERIES, iter(batches), IDS))
    rows = conform(pa.concat_tables(tables), CHUNK_POOLS).to_pylist()
    assert {row["benchmark"] for row in rows} == {"bench"}
    assert {row["retriever"] for row in rows} == {"dense"}
    keys = ("question_id", "candidate", "rank", "chunk_id")
    assert [tuple(row[key] for key in keys) for row in rows] == [
        ("q1", -1, 1, "c2"),
        ("q1", -1, 2, "c0"),
        ("q1", -1, 3, "c1"),
        ("q1", 0, 1, "c1"),
        ("q3", -1, 1, "c0"),
        ("q3", -1, 2, "c2"),
    ]
    np.testing.assert_allclose([row["score"] for row in rows], [0.9, 0.8, 0.7, 0.5, 0.4, 0.3], rtol=1e-6)


def test_bm25_rows_are_those_of_the_index() -> None:
    index = Bm25(["the cat sat", "the dog", "cat mat"])
    table = conform(
        bm25_pool_rows("bench", QUERIES, [index.top(query.text, BM25_DEPTH) for query in QUERIES], IDS),
        CHUNK_POOLS,
    )
    rows = table.to_pylist()
    assert {row["retriever"] for row in rows} == {"bm25"}
    expected = []
    for query in QUERIES:
        scores, places = index.top(query.text, 100)
        expected += [
            (query.question_id, query.candidate, rank, IDS[place].as_py(), float(score))
            for rank, (score, place) in enumerate(zip(scores, places.tolist(), strict=True), start=1)
        ]
    keys = ("question_id", "candidate", "rank", "chunk_id", "score")
    assert [tuple(row[key] for key in keys) for row in rows] == expected
    assert "q2" not in {row["question_id"] for row in rows}
    assert table.filter(pa.compute.equal(table["question_id"], "q1"))["chunk_id"][0].as_py() == "c2"


def test_bm25_rows_are_no_deeper_than_a_hundred() -> None:
    table = bm25_pool_rows(
        "b",
        [QUERIES[0]],
        [Bm25(["cat"] * 150).top("cat", BM25_DEPTH)],
        pa.array([f"{n:03}" for n in range(150)]),
    )
    assert table.column("rank").to_pylist() == list(range(1, 101))
    assert table.column("chunk_id").to_pylist() == [f"{n:03}" for n in range(100)]


def test_nothing_found_gives_no_rows() -> None:
    batches = [(np.full((4, 2), -3e38, np.float32), np.full((4, 2), -1, np.int64))]
    (table,) = dense_pool_rows("b", QUERIES, batches, IDS)
    assert conform(table, CHUNK_POOLS).num_rows == 0
    table = bm25_pool_rows("b", [Query("q", -1, "zebra")], [Bm25(["cat"]).top("zebra", BM25_DEPTH)], IDS)
    assert conform(table, CHUNK_POOLS).num_rows == 0


def test_no_queries_give_no_bm25_rows() -> None:
    assert conform(bm25_pool_rows("b", [], [], IDS), CHUNK_POOLS).num_rows == 0


@examples(60)
@given(
    questions=st.lists(st.integers(1, 9), min_size=1, max_size=8),
    cut=st.integers(1, 12),
    rows=st.integers(1, 20),
    limit=st.sampled_from([None, 2]),
)
def test_blocks_hold_whole_questions_and_together_the_pool(
    questions: list[int], cut: int, rows: int, limit: int | None
) -> None:
    listed: list[dict[str, Any]] = [
        {"benchmark": "b", "retriever": retriever, "question_id": f"q{number}", "candidate": -1, "rank": rank}
        | {"chunk_id": f"c{rank}", "score": 1.0 / rank}
        for retriever in ("bm25", "dense")
        for number, size in enumerate(questions)
        for rank in range(1, size + 1)
    ]
    table = pa.Table.from_pylist(listed, schema=CHUNK_POOLS.schema)
    blocks = list(pool_blocks(table.to_batches(max_chunksize=cut), "dense", limit, rows))
    expected = [
        row for row in listed if row["retriever"] == "dense" and (limit is None or row["rank"] <= limit)
    ]
    assert pa.concat_tables(blocks).to_pylist() == expected
    seen = [set(block.column("question_id").to_pylist()) for block in blocks]
    assert sum(map(len, seen)) == len(questions), "no question is in two blocks"
    for block, of_block in zip(blocks, seen, strict=True):
        assert len(of_block) <= 1 or block.num_rows < rows + max(questions) + cut


def test_without_rows_there_is_one_empty_block() -> None:
    (block,) = pool_blocks([], "dense")
    assert (block.num_rows, block.schema) == (0, CHUNK_POOLS.schema)


def test_rows_of_queries_in_key_order_need_no_sorting() -> None:
    ordered = in_key_order([Query("q10", 1, ""), Query("q2", -1, ""), Query("q10", -1, "")])
    assert [(query.question_id, query.candidate) for query in ordered] == [
        ("q10", -1),
        ("q10", 1),
        ("q2", -1),
    ]
