"""What each retrieval arm keeps of a benchmark's pools."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_assets.corpus.queries import Query
from evidence_assets.corpus.term_statistics import count_terms, from_table
from evidence_assets.lake.parquet import conform
from evidence_assets.lake.schemas import CHUNK_POOLS, RANKED_CHUNKS
from evidence_assets.models.encoder import EncodedWords
from evidence_assets.models.words import words
from evidence_assets.transport import ranking
from evidence_assets.transport.coverage import InvalidTokenSetError, coverage_costs
from evidence_assets.transport.ranking import coverage_ranking, first_stage_ranking, pools_of, token_set

VOCABULARY = ["the", "cat", "sat", "on", "mat", "dog", "ran", "home"]


def vector(text: str) -> np.ndarray:
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
    drawn = np.random.default_rng(seed).normal(size=7)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


class WordEncoder:
    """A vector a word by its hash; one text may be poisoned."""

    encoder_id, dimension, max_tokens = "fake@1", 7, 99

    def __init__(self, poisoned: str | None = None) -> None:
        self.poisoned = poisoned
        self.asked: list[str] = []

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(words(text)) for text in texts]

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([vector(text) for text in texts])

    def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
        self.asked += texts
        result = []
        for text in texts:
            found = words(text)
            vectors = np.stack([vector(word) for word in found]) if found else np.empty((0, 7), np.float32)
            if text == self.poisoned:
                vectors = vectors * np.nan
            result.append(EncodedWords(found, vectors, vector(text)))
        return result


def pool_table(rows: list[tuple[str, int, int, str, float]], retriever: str = "dense") -> pa.Table:
    names = ("question_id", "candidate", "rank", "chunk_id", "score")
    records = [
        {"benchmark": "b", "retriever": retriever, **dict(zip(names, row, strict=True))} for row in rows
    ]
    return pa.Table.from_pylist(records, schema=CHUNK_POOLS.schema)


def naive(
    pool: pa.Table, asked: Sequence[Query], texts: dict[str, str], statistics: object
) -> list[tuple[str, int, int, str, float]]:
    encoder = WordEncoder()
    rows = []
    for query in asked:
        costs = []
        for row in pool.to_pylist():
            if (row["question_id"], row["candidate"]) != (query.question_id, query.candidate):
                continue
            question, chunk = (
                token_set(encoded, statistics, "")  # type: ignore[arg-type]
                for encoded in encoder.encode_words([query.text, texts[row["chunk_id"]]])
            )
            costs.append((float(coverage_costs([question], chunk).total[0]), row["chunk_id"]))
        depth = 100 if query.candidate == -1 else 15
        best = sorted((round(cost, 6), chunk_id) for cost, chunk_id in costs)[:depth]
        rows += [
            (query.question_id, query.candidate, rank, chunk_id, -cost)
            for rank, (cost, chunk_id) in enumerate(best, start=1)
        ]
    return rows


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), chunks_at_once=st.sampled_from([1, 3, 512]))
def test_coverage_ranking_is_a_double_loop(seed: int, chunks_at_once: int) -> None:
    random = np.random.default_rng(seed)
    texts = {
        f"c{number:02}": " ".join(random.choice(VOCABULARY, size=random.integers(0, 6)))
        for number in range(20)
    }
    asked = [
        Query(f"q{question}", candidate, " ".join(random.choice(VOCABULARY, size=3)))
        for question in range(3)
        for candidate in (-1, 0, 1)
    ]
    rows_of_pool = [
        (query.question_id, query.candidate, rank, chunk_id, 0.0)
        for query in asked
        for rank, chunk_id in enumerate(
            random.permutation(sorted(texts))[: random.integers(0, 20)].tolist(), start=1
        )
    ]
    pool = pool_table([rows_of_pool[place] for place in random.permutation(len(rows_of_pool))])
    statistics = from_table(count_terms(texts.values(), "k"))
    previous = ranking._CHUNKS_AT_ONCE
    try:
        ranking._CHUNKS_AT_ONCE = chunks_at_once
        found = coverage_ranking(pools_of(pool, asked, texts), WordEncoder(), statistics, "b", "coverage")
    finally:
        ranking._CHUNKS_AT_ONCE = previous
    rows = conform(found, RANKED_CHUNKS).to_pylist()
    expected = naive(pool, asked, texts, statistics)
    assert [(r["question_id"], r["candidate"], r["rank"]) for r in rows] == [row[:3] for row in expected]
    np.testing.assert_allclose([r["score"] for r in rows], [row[4] for row in expected], atol=2e-6)
    by_text = {(row["question_id"], row["candidate"], row["chunk_id"]): row["score"] for row in rows}
    for question_id, candidate, _, chunk_id, score in expected:
        found_score = by_text.get((question_id, candidate, chunk_id))
        assert found_score is None or found_score == pytest.approx(score, abs=2e-6)
    for row in rows:
        parts = {part["name"]: part["value"] for part in row["score_parts"]}
        total = 0.75 * parts["question_cost"] + 0.25 * parts["chunk_cost"] + 0.5 * parts["sentence_cost"]
        assert -row["score"] == pytest.approx(total, abs=2e-7)


def test_depths_and_ties() -> None:
    texts = {f"c{number:03}": "the cat" for number in range(120)}
    asked = [Query("q", -1, "a dog"), Query("q", 0, "a dog ran")]
    pool = pool_table(
        [
            ("q", candidate, rank, chunk_id, 0.0)
            for candidate in (0, -1)
            for rank, chunk_id in enumerate(sorted(texts, reverse=True), start=1)
        ]
    )
    statistics = from_table(count_terms(texts.values(), "k"))
    table = coverage_ranking(pools_of(pool, asked, texts), WordEncoder(), statistics, "b", "coverage")
    rows = conform(table, RANKED_CHUNKS).to_pylist()
    assert {row["benchmark"] for row in rows} == {"b"}
    assert {row["retrieval"] for row in rows} == {"coverage"}
    alone = [row for row in rows if row["candidate"] == -1]
    option = [row for row in rows if row["candidate"] == 0]
    assert [row["chunk_id"] for row in alone] == sorted(texts)[:100]
    assert [row["chunk_id"] for row in option] == sorted(texts)[:15]
    assert [row["rank"] for row in option] == list(range(1, 16))


def test_every_chunk_is_encoded_once_and_progress_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "_CHUNKS_AT_ONCE", 2)
    texts = {"c0": "the cat", "c1": "a dog ran home", "c2": "mat", "unused": "home"}
    asked = [Query("q", candidate, f"cat {candidate}") for candidate in (-1, 0, 1)]
    pool = pool_table(
        [("q", query.candidate, rank, f"c{rank - 1}", 0.0) for query in asked for rank in (1, 2, 3)]
    )
    encoder, told = WordEncoder(), []
    coverage_ranking(
        pools_of(pool, asked, texts),
        encoder,
        from_table(count_terms(texts.values(), "k")),
        "b",
        "coverage",
        lambda done, total: told.append((done, total)),
    )
    assert sorted(encoder.asked[3:]) == ["a dog ran home", "mat", "the cat"]
    assert told == [(2, 3), (3, 3)]


@pytest.mark.parametrize(("poisoned", "name"), [("bad words", "chunk c1"), ("my question", "query q/-1")])
def test_a_vector_that_is_not_finite_names_its_text(poisoned: str, name: str) -> None:
    texts = {"c0": "the cat", "c1": "bad words"}
    asked = [Query("q", -1, "my question")]
    pool = pool_table([("q", -1, 1, "c0", 0.0), ("q", -1, 2, "c1", 0.0)])
    statistics = from_table(count_terms(texts.values(), "k"))
    with pytest.raises(InvalidTokenSetError, match=name):
        coverage_ranking(pools_of(pool, asked, texts), WordEncoder(poisoned), statistics, "b", "coverage")


def test_empty_pools_give_an_empty_ranking() -> None:
    table = coverage_ranking(
        pools_of(pool_table([]), [Query("q", -1, "a cat")], {}),
        WordEncoder(),
        from_table(count_terms(["a"], "k")),
        "b",
        "coverage",
    )
    assert conform(table, RANKED_CHUNKS).num_rows == 0


def test_pools_number_queries_and_chunks() -> None:
    asked = [Query("q2", -1, "b"), Query("q1", -1, "a"), Query("q1", 0, "a x")]
    pool = pool_table(
        [("q1", 0, 1, "z", 0.0), ("q1", -1, 1, "y", 0.0), ("q2", -1, 1, "z", 0.0), ("q1", 0, 2, "a", 0.0)]
    )
    pools = pools_of(pool, asked, {"a": "text a", "y": "text y", "z": "text z"})
    assert pools.query.tolist() == sorted(pools.query.tolist())
    pairs = {
        (pools.queries[query], pools.chunk_ids[chunk], pools.chunk_texts[chunk])
        for query, chunk in zip(pools.query, pools.chunk, strict=True)
    }
    assert pairs == {
        (asked[2], "z", "text z"),
        (asked[1], "y", "text y"),
        (asked[0], "z", "text z"),
        (asked[2], "a", "text a"),
    }
    with pytest.raises(KeyError):
        pools_of(pool, asked, {"a": "text a"})


def test_the_first_stage_keeps_its_own_order_and_score() -> None:
    pool = pool_table(
        [("q", candidate, rank, f"c{rank}", 1 / rank) for candidate in (-1, 0) for rank in range(1, 131)],
        "bm25",
    )
    table = first_stage_ranking(pool, "b", "bm25")
    rows = conform(table, RANKED_CHUNKS).to_pylist()
    assert [row["rank"] for row in rows] == [*range(1, 101), *range(1, 16)]
    for row in rows:
        assert row["chunk_id"] == f"c{row['rank']}"
        assert row["score"] == 1 / row["rank"]
        assert row["score_parts"] == [{"name": "bm25", "value": row["score"]}]
        assert (row["benchmark"], row["retrieval"]) == ("b", "bm25")
    assert conform(first_stage_ranking(pool.slice(0, 0), "b", "bm25"), RANKED_CHUNKS).num_rows == 0
