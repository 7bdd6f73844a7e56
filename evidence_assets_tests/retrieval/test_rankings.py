"""Rankings by the chunks' own vectors: the first stage's order, distance, contrast of options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import RANKED_CHUNKS
from evidence_assets.retrieval import rankings
from evidence_assets.retrieval.rankings import (
    OPTION_DEPTH,
    QUESTION_DEPTH,
    contrasted,
    contrastive_ranking,
    depth_of,
    euclidean_ranking,
    first_stage_ranking,
)
from evidence_assets.text.queries import NO_OPTION, Query
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.text_encoders import TextEncoder
from evidence_assets_tests.testing.transport_texts import pool_table


class DrawnEncoder(TextEncoder):
    """A unit vector a text, drawn by its own letters."""

    encoder_id, dimension, max_tokens = "drawn@1", 5, 99

    def __init__(self) -> None:
        self.calls = 0

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.calls += 1
        drawn = [np.random.default_rng(list(text.encode())).normal(size=5) for text in texts]
        return np.array([row / np.linalg.norm(row) for row in drawn], np.float32).reshape(-1, 5)


def rows_of(ranked: pa.Table) -> list[dict[str, Any]]:
    """The rows, which have the declared columns and count their ranks from one in each list."""
    rows: list[dict[str, Any]] = conform(ranked, RANKED_CHUNKS).to_pylist()
    lists: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows:
        lists.setdefault((row["question_id"], row["candidate"]), []).append(row)
        assert (row["benchmark"], row["retrieval"]) == ("b", "arm")
    for ranked_rows in lists.values():
        assert [row["rank"] for row in ranked_rows] == list(range(1, len(ranked_rows) + 1))
        assert [row["score"] for row in ranked_rows] == sorted(
            (row["score"] for row in ranked_rows), reverse=True
        )
        assert len({row["chunk_id"] for row in ranked_rows}) == len(ranked_rows)
    return rows


def parts_of(row: dict[str, Any]) -> dict[str, float]:
    return {part["name"]: part["value"] for part in row["score_parts"]}


# --- the first stage


def test_the_question_alone_is_ranked_deeper_than_its_options() -> None:
    assert [depth_of(candidate) for candidate in (NO_OPTION, 0, 7)] == [100, 20, 20]
    assert (QUESTION_DEPTH, OPTION_DEPTH) == (100, 20)


def test_the_first_stage_keeps_its_own_order_and_score() -> None:
    pool = pool_table(
        [("q", candidate, rank, f"c{rank}", 1 / rank) for candidate in (-1, 0) for rank in range(1, 131)],
        "bm25",
    )
    rows = rows_of(first_stage_ranking(pool, "b", "arm"))
    assert [row["rank"] for row in rows] == [*range(1, 101), *range(1, 21)]
    for row in rows:
        assert row["chunk_id"] == f"c{row['rank']}"
        assert row["score"] == 1 / row["rank"]
        assert row["score_parts"] == [{"name": "arm", "value": row["score"]}]
    assert rows_of(first_stage_ranking(pool.slice(0, 0), "b", "arm")) == []


# --- distance


@examples(60)
@given(cosines=st.lists(st.floats(-1, 1, width=32), max_size=40))
def test_distance_ranks_as_the_cosine_does(cosines: list[float]) -> None:
    """Unit vectors at a cosine c are sqrt(2 - 2 c) apart: of two arms, one order."""
    falling = sorted(cosines, reverse=True)
    pool = pool_table([("q", 0, rank, f"c{rank}", score) for rank, score in enumerate(falling, start=1)])
    by_cosine = rows_of(first_stage_ranking(pool, "b", "arm"))
    by_distance = rows_of(euclidean_ranking(pool, "b", "arm"))
    keys = ("question_id", "candidate", "rank", "chunk_id")
    assert [[row[key] for key in keys] for row in by_distance] == [
        [row[key] for key in keys] for row in by_cosine
    ]
    for row, cosine in zip(by_distance, falling, strict=False):
        assert parts_of(row) == {"negative_distance": row["score"]}
        # The vectors (1, 0) and (c, sin): as far apart as the score says.
        apart = np.hypot(1 - cosine, np.sqrt(max(0.0, 1 - cosine**2)))
        assert -row["score"] == pytest.approx(apart, abs=1e-6)


def test_a_cosine_that_rounding_put_above_one_is_no_distance_below_zero() -> None:
    pool = pool_table([("q", 0, 1, "c", 1.0000001192092896)])
    [row] = rows_of(euclidean_ranking(pool, "b", "arm"))
    assert row["score"] == 0.0
    assert rows_of(euclidean_ranking(pool.slice(0, 0), "b", "arm")) == []


# --- contrast


def some_pools(
    seed: int, options: Sequence[int], chunks: int = 30
) -> tuple[pa.Table, list[Query], dict[str, str]]:
    """Questions with so many options each, whose queries have pools of their own, of any size."""
    random = np.random.default_rng(seed)
    texts = {f"c{number:02}": f"text of chunk {number % (chunks - 3)}" for number in range(chunks)}
    queries = [
        Query(f"q{question}", candidate, f"question {question} option {candidate}")
        for question, count in enumerate(options)
        for candidate in range(NO_OPTION, count)
    ]
    rows = [
        (query.question_id, query.candidate, rank, chunk_id, 0.0)
        for query in queries
        for rank, chunk_id in enumerate(
            random.permutation(sorted(texts))[: random.integers(0, chunks)].tolist(), start=1
        )
    ]
    return pool_table([rows[place] for place in random.permutation(len(rows))]), queries, texts


def naive(
    query: Query, pool: pa.Table, queries: Sequence[Query], texts: dict[str, str]
) -> dict[str, tuple[float, float]]:
    """Score and cosine of every chunk of a question's pools for one query, by a loop."""
    encoder = DrawnEncoder()

    def cosine(text: str, chunk_id: str) -> float:
        text_vector, chunk_vector = encoder.encode([text, texts[chunk_id]]).astype(float)
        return float(text_vector @ chunk_vector)

    held = {row["chunk_id"] for row in pool.to_pylist() if row["question_id"] == query.question_id}
    others = [
        rival.text
        for rival in queries
        if rival.question_id == query.question_id and rival.candidate not in (NO_OPTION, query.candidate)
    ]
    scores = {}
    for chunk_id in held:
        similarity = cosine(query.text, chunk_id)
        scores[chunk_id] = (similarity, similarity)
        if query.candidate != NO_OPTION and others:
            elsewhere = sum(cosine(text, chunk_id) for text in others) / len(others)
            scores[chunk_id] = (similarity + (similarity - elsewhere), similarity)
    return scores


@examples(20)
@given(seed=st.integers(0, 10_000), options=st.lists(st.integers(0, 5), min_size=1, max_size=3))
def test_a_contrasted_ranking_is_a_double_loop(seed: int, options: list[int]) -> None:
    pool, queries, texts = some_pools(seed, options)
    rows = rows_of(contrastive_ranking(pool, queries, texts, DrawnEncoder(), "b", "arm"))
    assert [(row["question_id"], row["candidate"]) for row in rows if row["rank"] == 1] == [
        (query.question_id, query.candidate) for query in queries if naive(query, pool, queries, texts)
    ]
    for query in queries:
        expected = naive(query, pool, queries, texts)
        query_rows = [
            row
            for row in rows
            if (row["question_id"], row["candidate"]) == (query.question_id, query.candidate)
        ]
        assert len(query_rows) == min(depth_of(query.candidate), len(expected))
        best = sorted((score for score, _ in expected.values()), reverse=True)[: len(query_rows)]
        np.testing.assert_allclose([row["score"] for row in query_rows], best, atol=3e-6)
        for row in query_rows:
            score, cosine = expected[row["chunk_id"]]
            assert row["score"] == pytest.approx(score, abs=3e-6)
            assert parts_of(row)["cosine"] == pytest.approx(cosine, abs=3e-6)
            assert sum(parts_of(row).values()) == pytest.approx(row["score"], abs=1e-9)


def test_what_one_option_alone_finds_is_offered_to_the_others_too() -> None:
    pool, queries, texts = some_pools(4, [3])
    held = set(pool.column("chunk_id").to_pylist())
    pools: dict[int, set[str]] = {candidate: set() for candidate in (0, 1, 2)}
    for row in pool.to_pylist():
        pools.get(row["candidate"], set()).add(row["chunk_id"])
    rows = rows_of(contrastive_ranking(pool, queries, texts, DrawnEncoder(), "b", "arm"))
    offered = {
        candidate: {row["chunk_id"] for row in rows if row["candidate"] == candidate} for candidate in pools
    }
    assert all(len(offered[candidate]) == min(len(held), OPTION_DEPTH) for candidate in pools)
    assert any(offered[candidate] - pools[candidate] for candidate in pools)


@pytest.mark.parametrize("options", [0, 1])
def test_with_fewer_than_two_options_there_is_nothing_to_contrast(options: int) -> None:
    pool, queries, texts = some_pools(5, [options])
    rows = rows_of(contrastive_ranking(pool, queries, texts, DrawnEncoder(), "b", "arm"))
    assert {row["candidate"] for row in rows} == set(range(-1, options))
    for row in rows:
        assert parts_of(row) == {"cosine": row["score"], "contrast": 0.0}


def test_the_question_alone_keeps_the_cosine() -> None:
    pool, queries, texts = some_pools(6, [4])
    rows = rows_of(contrastive_ranking(pool, queries, texts, DrawnEncoder(), "b", "arm"))
    alone = [row for row in rows if row["candidate"] == NO_OPTION]
    assert alone
    assert all(parts_of(row) == {"cosine": row["score"], "contrast": 0.0} for row in alone)
    assert any(parts_of(row)["contrast"] for row in rows if row["candidate"] != NO_OPTION)


def test_equal_chunks_stand_in_the_order_of_their_ids_and_equal_options_get_equal_lists() -> None:
    texts = dict.fromkeys((f"c{number}" for number in range(40)), "the same")
    queries = [Query("q", -1, "why"), Query("q", 0, "why this"), Query("q", 1, "why this")]
    pool = pool_table([("q", 0, rank, chunk_id, 0.5) for rank, chunk_id in enumerate(sorted(texts)[::-1], 1)])
    rows = rows_of(contrastive_ranking(pool, queries, texts, DrawnEncoder(), "b", "arm"))
    for candidate in (0, 1):
        option_rows = [row for row in rows if row["candidate"] == candidate]
        assert [row["chunk_id"] for row in option_rows] == sorted(texts)[:OPTION_DEPTH]
        assert {parts_of(row)["contrast"] for row in option_rows} == {0.0}
    assert [row["chunk_id"] for row in rows if row["candidate"] == -1] == sorted(texts)


def test_blocks_of_questions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    project = some_pools(7, [2, 3, 0, 4, 2])
    encoder = DrawnEncoder()
    expected = contrastive_ranking(*project, encoder, "b", "arm")
    calls = encoder.calls
    monkeypatch.setattr(rankings, "_QUESTIONS_AT_ONCE", 2)
    again = contrastive_ranking(*project, encoder, "b", "arm")
    assert encoder.calls - calls > calls
    assert again.equals(expected)


def test_a_question_that_found_nothing_has_no_rows() -> None:
    pool, queries, texts = some_pools(8, [2])
    queries = [*queries, Query("silent", -1, "nothing"), Query("silent", 0, "nothing here")]
    ranked = contrastive_ranking(pool, queries, texts, DrawnEncoder(), "b", "arm")
    assert {row["question_id"] for row in rows_of(ranked)} == {"q0"}
    assert rows_of(contrastive_ranking(pool_table([]), queries, {}, DrawnEncoder(), "b", "arm")) == []


_COSINES = arrays.arrays(
    np.float32, st.tuples(st.integers(2, 6), st.integers(1, 8)), elements=st.floats(-1, 1, width=32)
)


@examples(100)
@given(cosines=_COSINES, shift=arrays.arrays(np.float32, 8, elements=st.floats(-1, 1, width=32)))
def test_what_all_options_share_moves_scores_and_no_contrast(cosines: np.ndarray, shift: np.ndarray) -> None:
    """A chunk that is nearer to every option by so much scores so much higher for each."""
    candidates = list(range(len(cosines)))
    shift = shift[: cosines.shape[1]].astype(float)
    before, after = contrasted(cosines, candidates), contrasted(cosines + shift, candidates)
    np.testing.assert_allclose(after, before + shift, atol=1e-9)
    # What options gain by contrast, others lose: together they score what their cosines are.
    np.testing.assert_allclose(before.sum(axis=0), cosines.astype(float).sum(axis=0), atol=1e-9)


@examples(50)
@given(cosines=_COSINES, data=st.data())
def test_the_order_of_queries_does_not_matter_to_contrast(cosines: np.ndarray, data: st.DataObject) -> None:
    candidates = [NO_OPTION, *range(len(cosines) - 1)]
    order = data.draw(st.permutations(range(len(cosines))))
    before = contrasted(cosines, candidates)
    after = contrasted(cosines[order], [candidates[place] for place in order])
    np.testing.assert_allclose(after, before[order], atol=1e-12)
    np.testing.assert_array_equal(before[0], cosines[0].astype(float))


def test_the_contrast_is_that_worked_out_by_hand() -> None:
    cosines = np.array([[0.5, 0.9], [0.8, 0.2], [0.2, 0.2], [0.5, 0.2]], np.float32)
    expected = [[0.5, 0.9], [0.8 + 0.8 - 0.35, 0.2], [0.2 + 0.2 - 0.65, 0.2], [0.5 + 0.5 - 0.5, 0.2]]
    np.testing.assert_allclose(contrasted(cosines, [-1, 0, 1, 2]), expected, atol=1e-6)
    before = cosines.copy()
    contrasted(cosines, [-1, 0, 1, 2])
    np.testing.assert_array_equal(cosines, before)
