"""Chunks and triples of a question scored together: what is scored against what, and what it tells."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import RANKED_TRIPLES, RERANKED_EVIDENCE
from evidence_assets.retrieval import reranking
from evidence_assets.retrieval.reranking import reranked_rows, separation
from evidence_assets.text.queries import NO_OPTION, Query
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.table_rows import ranked_chunks, table_of

Listed = tuple[str, int, int, str]


class HashScorer:
    """A score a pair by its hash; remembers what it was asked."""

    measure, scorer_id, cut = "fake", "fake:hash@1", 0

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> np.ndarray:
        self.pairs += zip(queries, texts, strict=True)
        return np.array([self.of(*pair) for pair in zip(queries, texts, strict=True)], np.float32)

    @staticmethod
    def of(query: str, text: str) -> float:
        digest = hashlib.blake2b(f"{query}|{text}".encode(), digest_size=4).digest()
        return float(np.float32(int.from_bytes(digest, "big") / 2**31 - 1))


def chunks_ranked(*rows: Listed) -> pa.Table:
    return ranked_chunks(*((*row, 1 / row[2]) for row in rows))


def triples_ranked(*rows: Listed) -> pa.Table:
    records = [
        {
            "benchmark": "b",
            "question_id": question_id,
            "candidate": candidate,
            "rank": rank,
            "triple_id": key,
            "text": f"{key} read out",
            "touches": "both",
            "score": 1 / rank,
            "scorer": "another",
        }
        for question_id, candidate, rank, key in rows
    ]
    return table_of(RANKED_TRIPLES, *records)


def asked_of(question_id: str, options: int) -> list[Query]:
    return [Query(question_id, number, f"{question_id}/{number}") for number in range(NO_OPTION, options)]


def reranked(
    queries: Sequence[Query],
    chunks: pa.Table,
    triples: pa.Table,
    scorer: HashScorer | None = None,
    depth: int = 20,
) -> list[dict[str, Any]]:
    texts = {key: f"text of {key}" for key in chunks.column("chunk_id").to_pylist()}
    blocks = reranked_rows(queries, chunks, texts, triples, scorer or HashScorer(), "b", "r", depth)
    table = pa.concat_tables([RERANKED_EVIDENCE.schema.empty_table(), *blocks])
    rows: list[dict[str, Any]] = conform(table, RERANKED_EVIDENCE).to_pylist()
    return rows


CHUNKS = chunks_ranked(
    ("q", -1, 1, "c1"), ("q", -1, 2, "c2"), ("q", 0, 1, "c2"), ("q", 0, 2, "c3"), ("q", 1, 1, "c1")
)
TRIPLES = triples_ranked(("q", -1, 1, "t1"), ("q", 1, 1, "t2"), ("q", 1, 2, "t1"))


def test_every_unit_is_scored_against_every_query() -> None:
    scorer = HashScorer()
    rows = reranked(asked_of("q", 2), CHUNKS, TRIPLES, scorer)
    units = [("chunks", key) for key in ("c1", "c2", "c3")] + [("triples", key) for key in ("t1", "t2")]
    keys = [(row["candidate"], row["source_table"], row["source_key"]) for row in rows]
    assert len(keys) == len(set(keys))
    assert set(keys) == {(candidate, *unit) for candidate in (-1, 0, 1) for unit in units}
    for row in rows:
        text = "text of {}" if row["source_table"] == "chunks" else "{} read out"
        expected = HashScorer.of(f"q/{row['candidate']}", text.format(row["source_key"]))
        assert row["score"] == expected
        assert (row["benchmark"], row["retrieval"], row["scorer"]) == ("b", "r", "fake:hash@1")
    assert len(scorer.pairs) == len(set(scorer.pairs)) == 15


def test_ranks_are_those_of_the_candidates_own_list() -> None:
    rows = reranked(asked_of("q", 2), CHUNKS, TRIPLES)
    ranks = {(row["candidate"], row["source_key"]): row["found_rank"] for row in rows}
    assert {key: rank for key, rank in ranks.items() if rank is not None} == {
        (-1, "c1"): 1,
        (-1, "c2"): 2,
        (0, "c2"): 1,
        (0, "c3"): 2,
        (1, "c1"): 1,
        (-1, "t1"): 1,
        (1, "t2"): 1,
        (1, "t1"): 2,
    }
    assert [key for key, rank in ranks.items() if rank is None] == [
        (-1, "c3"),
        (-1, "t2"),
        (0, "c1"),
        (0, "t1"),
        (0, "t2"),
        (1, "c2"),
        (1, "c3"),
    ]


def test_a_unit_that_a_list_names_twice_keeps_its_better_rank() -> None:
    twice = chunks_ranked(("q", 0, 3, "c"), ("q", 0, 1, "c"), ("q", 0, 2, "c"))
    rows = reranked(asked_of("q", 1), twice, triples_ranked())
    assert [(row["candidate"], row["found_rank"]) for row in rows] == [(-1, None), (0, 1)]


def test_chunks_past_the_depth_are_left_out_and_triples_are_not() -> None:
    chunks = chunks_ranked(*(("q", 0, rank, f"c{rank}") for rank in range(1, 9)))
    triples = triples_ranked(*(("q", 0, rank, f"t{rank}") for rank in range(1, 9)))
    rows = reranked(asked_of("q", 1), chunks, triples, depth=3)
    keys = [row["source_key"] for row in rows if row["candidate"] == 0]
    assert keys == ["c1", "c2", "c3", *(f"t{rank}" for rank in range(1, 9))]


def test_the_separation_of_a_unit_is_told_with_every_candidate_and_leaves_the_question_alone_out() -> None:
    rows = reranked(asked_of("q", 3), CHUNKS, TRIPLES)
    for key in ("c1", "c2", "c3", "t1", "t2"):
        by_candidate = {row["candidate"]: row for row in rows if row["source_key"] == key}
        offered = [by_candidate[option]["score"] for option in (0, 1, 2)]
        expected = max(offered) - sum(offered) / 3
        assert {row["separation"] for row in by_candidate.values()} == {by_candidate[-1]["separation"]}
        assert by_candidate[-1]["separation"] == pytest.approx(expected, abs=1e-6)


def test_separations_are_those_worked_out_by_hand() -> None:
    scores = np.array([[0.9, 0.5, 0.0, -3.0], [0.1, 0.5, 0.0, 5.0], [0.2, 0.5, 0.0, -2.0]], np.float32)
    np.testing.assert_allclose(separation(scores), [0.5, 0, 0, 5.0], atol=1e-6)
    assert separation(scores[:1]).tolist() == [0.0] * 4
    assert separation(scores[:0]).tolist() == [0.0] * 4
    assert separation(scores[:, :0]).tolist() == []


_SCORES = arrays.arrays(
    np.float32, st.tuples(st.integers(1, 7), st.integers(1, 6)), elements=st.floats(-30, 30, width=32)
)


@examples(200)
@given(scores=_SCORES, data=st.data())
def test_separations_are_never_negative_and_equal_scores_have_none(
    scores: np.ndarray, data: st.DataObject
) -> None:
    separations = separation(scores)
    assert separations.shape == (scores.shape[1],)
    assert (separations >= 0).all()
    assert not np.signbit(separations).any()
    order = data.draw(st.permutations(range(len(scores))))
    np.testing.assert_allclose(separation(scores[order]), separations, atol=2e-6)
    # A unit that scores alike against all options echoes the topic: exactly 0, however large its score.
    assert (separation(np.repeat(scores[:1], 5, axis=0)) == 0).all()
    assert (separation(np.repeat(scores[:1], 7, axis=0)) == 0).all()


def test_equal_options_get_equal_rows() -> None:
    queries = [Query("q", -1, "why"), Query("q", 0, "why this"), Query("q", 1, "why this")]
    rows = reranked(queries, CHUNKS, TRIPLES)
    scores = {
        candidate: [row["score"] for row in rows if row["candidate"] == candidate] for candidate in (0, 1)
    }
    assert scores[0] == scores[1]
    assert {row["separation"] for row in rows} == {0.0}


@pytest.mark.parametrize("options", [0, 1])
def test_with_fewer_than_two_options_nothing_is_separated(options: int) -> None:
    chunks = chunks_ranked(("q", -1, 1, "c1"), ("q", -1, 2, "c2"))
    rows = reranked(asked_of("q", options), chunks, triples_ranked(("q", -1, 1, "t1")))
    assert len(rows) == 3 * (1 + options)
    assert {row["separation"] for row in rows} == {0.0}


def many_questions() -> tuple[list[Query], pa.Table, pa.Table]:
    """Seven questions, some of which found nothing, or only triples."""
    random = np.random.default_rng(0)
    queries = [query for number in range(7) for query in asked_of(f"q{number}", number % 4)]
    lists = [
        (query.question_id, query.candidate) for query in queries if query.question_id not in ("q2", "q5")
    ]
    chunks = [
        (*listed, rank, f"c{number}")
        for listed in lists
        if listed[0] != "q3"
        for rank, number in enumerate(random.permutation(9)[:4].tolist(), start=1)
    ]
    triples = [
        (*listed, rank, f"t{number}")
        for listed in lists
        for rank, number in enumerate(random.permutation(9)[:3].tolist(), start=1)
    ]
    return queries, chunks_ranked(*chunks), triples_ranked(*triples)


def noting(progress: list[tuple[int, int]]) -> Callable[[int, int], None]:
    return lambda done, total: progress.append((done, total))


def test_blocks_of_questions_change_nothing_and_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    queries, chunks, triples = many_questions()
    expected = reranked(queries, chunks, triples)
    assert {row["question_id"] for row in expected} == {"q0", "q1", "q3", "q4", "q6"}
    texts = {key: f"text of {key}" for key in chunks.column("chunk_id").to_pylist()}
    for size in (1, 2, 3, 64):
        monkeypatch.setattr(reranking, "_QUESTIONS_AT_ONCE", size)
        progress: list[tuple[int, int]] = []
        blocks = list(
            reranked_rows(
                queries,
                chunks,
                texts,
                triples,
                HashScorer(),
                "b",
                "r",
                20,
                noting(progress),
            )
        )
        assert len(blocks) == -(-7 // size)
        assert pa.concat_tables(blocks).to_pylist() == expected
        assert progress == [(min(7, done), 7) for done in range(size, 7 + size, size)]


def test_nothing_found_is_nothing_to_score() -> None:
    scorer = HashScorer()
    assert reranked(asked_of("q", 3), chunks_ranked(), triples_ranked(), scorer) == []
    assert reranked([], chunks_ranked(), triples_ranked(), scorer) == []
    assert scorer.pairs == []


def test_a_ranking_of_questions_that_are_gone_is_not_passed_over() -> None:
    with pytest.raises(KeyError, match="lost"):
        reranked(asked_of("q", 2), chunks_ranked(("lost", 0, 1, "c")), triples_ranked())
