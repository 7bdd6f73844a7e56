"""What each retrieval arm keeps of a benchmark's pools, and why."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import RANKED_CHUNKS, RANKING_CERTIFICATES
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import packaged_minilm
from evidence_assets.models.encoder_loading import load_encoder
from evidence_assets.retrieval import rankings
from evidence_assets.retrieval.rankings import OPTION_DEPTH, QUESTION_DEPTH, first_stage_ranking
from evidence_assets.retrieval.transport import ranking
from evidence_assets.retrieval.transport.cascade import UNLIMITED, Budget
from evidence_assets.retrieval.transport.methods import METHODS, Method
from evidence_assets.retrieval.transport.ranking import (
    SOLVED_QUESTION_DEPTH,
    RankedPools,
    corpus_ranking,
    pools_of,
    transport_ranking,
    unproved,
    whole,
)
from evidence_assets.text.queries import NO_OPTION, Query
from evidence_assets.text.term_statistics import TermStatistics, count_terms, from_table
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import PoolRow, WordEncoder, best, pool_table

VOCABULARY = ["the", "cat", "sat", "on", "mat", "dog", "ran", "home"]
STAGES = ("solved", "ruled_out_by_centroid", "ruled_out_by_bound", "ruled_out_by_ascent", "open", "refused")


def some_project(seed: int, chunks: int = 27) -> tuple[pa.Table, list[Query], dict[str, str], TermStatistics]:
    """Pools of random chunks in any order, some of them without words, for questions with two options."""
    random = np.random.default_rng(seed)
    texts = {
        f"c{number:02}": " ".join(random.choice(VOCABULARY, size=random.integers(0, 7)))
        for number in range(chunks)
    }
    queries = [
        Query(f"q{question}", candidate, " ".join(random.choice(VOCABULARY, size=3)))
        for question in range(3)
        for candidate in (NO_OPTION, 0, 1)
    ]
    rows = [
        (query.question_id, query.candidate, rank, chunk_id, 0.0)
        for query in queries
        for rank, chunk_id in enumerate(
            random.permutation(sorted(texts))[: random.integers(0, chunks)].tolist(), start=1
        )
    ]
    statistics = from_table(count_terms(texts.values(), "k"))
    return pool_table([rows[place] for place in random.permutation(len(rows))]), queries, texts, statistics


def checked(ranked_pools: RankedPools) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return both tables' rows; they have the declared columns, and each pool's chunks are accounted for."""
    rows = conform(ranked_pools.ranked, RANKED_CHUNKS).to_pylist()
    certificates = conform(ranked_pools.certificates, RANKING_CERTIFICATES).to_pylist()
    keys = {(row["question_id"], row["candidate"]): row for row in certificates}
    assert len(keys) == len(certificates)
    for row in certificates:
        assert row["pool"] == sum(row[stage] for stage in STAGES)
        assert (row["refusal"] is not None) == (row["status"] == "refused")
    by_key: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows:
        by_key.setdefault((row["question_id"], row["candidate"]), []).append(row)
        assert (row["benchmark"], row["retrieval"]) == ("b", "arm")
    for key, key_rows in by_key.items():
        assert [row["rank"] for row in key_rows] == list(range(1, len(key_rows) + 1))
        assert keys[key]["threshold"] == -key_rows[-1]["score"]
    assert all((row["threshold"] is None) == (key not in by_key) for key, row in keys.items())
    return rows, certificates


def ranked(
    pool: pa.Table,
    queries: Sequence[Query],
    texts: dict[str, str],
    statistics: TermStatistics,
    method: Method,
    budget: Budget = UNLIMITED,
    encoder: WordEncoder | None = None,
) -> RankedPools:
    return transport_ranking(
        pools_of(pool, queries, texts), encoder or WordEncoder(), statistics, method, "b", "arm", budget
    )


def naive(
    pool: pa.Table,
    queries: Sequence[Query],
    texts: dict[str, str],
    statistics: TermStatistics,
    method: Method,
) -> list[PoolRow]:
    """Every pool evaluated chunk by chunk."""
    encoder = WordEncoder()
    result: list[PoolRow] = []
    for query in queries:
        held = sorted(
            row["chunk_id"]
            for row in pool.to_pylist()
            if (row["question_id"], row["candidate"]) == (query.question_id, query.candidate)
            and texts[row["chunk_id"]]
        )
        question, *chunks = (
            method.token_set(encoded, statistics)
            for encoded in encoder.encode_words([query.text, *(texts[chunk_id] for chunk_id in held)])
        )
        depth = 20 if query.candidate != NO_OPTION else 30 if method.solves else 100
        cheapest = best(question, chunks, method.ground, method.objective, depth)
        result += [
            (query.question_id, query.candidate, rank, held[place], -solution.cost)
            for rank, (place, solution) in enumerate(cheapest, start=1)
        ]
    return result


def test_a_corpus_ranked_whole_is_the_ranking_of_a_pool_that_holds_all_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, queries, texts, statistics = some_project(11, 40)
    everything = pool_table(
        [
            (query.question_id, query.candidate, rank, chunk_id, 0.0)
            for query in queries
            for rank, chunk_id in enumerate(sorted(texts), start=1)
        ]
    )
    expected, _ = checked(ranked(everything, queries, texts, statistics, METHODS["coverage"]))
    monkeypatch.setattr(ranking, "_QUERIES_AT_ONCE", 4)
    progress: list[tuple[int, int]] = []
    ranked_pools = corpus_ranking(
        whole(texts, queries),
        WordEncoder(),
        statistics,
        METHODS["coverage"],
        "b",
        "arm",
        progress=lambda *done: progress.append(done),
    )
    rows, certificates = checked(ranked_pools)
    assert rows == expected
    assert {row["pool"] for row in certificates} == {40}
    assert progress == [(40, 40)] * 3, "a group of four queries after the other"
    with pytest.raises(ValueError, match="needs a pool"):
        corpus_ranking(whole(texts, queries), WordEncoder(), statistics, METHODS["partial"], "b", "arm")


@examples(40)
@given(
    name=st.sampled_from(sorted(METHODS)),
    memory=st.sampled_from([1, 2000, 1 << 30]),
    seed=st.integers(0, 10_000),
)
def test_a_ranking_is_a_double_loop(name: str, memory: int, seed: int) -> None:
    project = some_project(seed)
    rows, certificates = checked(ranked(*project, METHODS[name], Budget(memory)))
    expected = naive(*project, METHODS[name])
    names = ("question_id", "candidate", "rank", "chunk_id")
    assert [tuple(row[name] for name in names) for row in rows] == [row[:4] for row in expected]
    np.testing.assert_allclose([row["score"] for row in rows], [row[4] for row in expected], atol=1e-12)
    assert {row["status"] for row in certificates} == {"proved"}
    assert len(certificates) == len(project[1])


@pytest.mark.parametrize("name", METHODS)
def test_parts_make_up_the_score(name: str) -> None:
    method = METHODS[name]
    rows, _ = checked(ranked(*some_project(1), method))
    for row in rows:
        parts = {part["name"]: part["value"] for part in row["score_parts"]}
        if method.solves:
            total = parts["transport_cost"]
        else:
            total = 0.75 * parts["question_cost"] + 0.25 * parts["chunk_cost"]
            total += 0.5 * parts.get("sentence_cost", 0.0)
        assert -row["score"] == pytest.approx(total, abs=1e-12)
        assert ("capacity" in parts) == (name == "partial")


@pytest.mark.parametrize("name", ["coverage", "balanced", "partial"])
def test_some_queries_alone_get_the_same_rows(name: str) -> None:
    pool, queries, texts, statistics = some_project(2)
    all_rows, _ = checked(ranked(pool, queries, texts, statistics, METHODS[name]))
    some = queries[1:7:2]
    keys = {(query.question_id, query.candidate) for query in some}
    mask = [(row["question_id"], row["candidate"]) in keys for row in pool.to_pylist()]
    rows, _ = checked(ranked(pool.filter(pa.array(mask)), some, texts, statistics, METHODS[name]))
    assert rows == [row for row in all_rows if (row["question_id"], row["candidate"]) in keys]


@pytest.mark.parametrize("name", ["coverage", "balanced"])
def test_groups_of_queries_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    project = some_project(3)
    expected = ranked(*project, METHODS[name]).ranked
    for memory in (1, 128 * 25, 1 << 16):
        assert ranked(*project, METHODS[name], Budget(memory)).ranked.equals(expected)
    monkeypatch.setattr(ranking, "_QUERIES_AT_ONCE", 2)
    assert ranked(*project, METHODS[name]).ranked.equals(expected)


@pytest.mark.parametrize(
    ("name", "depth"), [("coverage", QUESTION_DEPTH), ("balanced", SOLVED_QUESTION_DEPTH)]
)
def test_a_ranking_ends_at_its_depth_and_ties_go_by_chunk(name: str, depth: int) -> None:
    texts = {f"c{number:03}": "the cat" for number in range(120)}
    queries = [Query("q", NO_OPTION, "a dog"), Query("q", 0, "a dog ran")]
    pool = pool_table(
        [
            ("q", candidate, rank, chunk_id, 0.0)
            for candidate in (0, NO_OPTION)
            for rank, chunk_id in enumerate(sorted(texts, reverse=True), start=1)
        ]
    )
    statistics = from_table(count_terms(texts.values(), "k"))
    rows, _ = checked(ranked(pool, queries, texts, statistics, METHODS[name]))
    alone = [row["chunk_id"] for row in rows if row["candidate"] == NO_OPTION]
    option = [row["chunk_id"] for row in rows if row["candidate"] == 0]
    assert alone == sorted(texts)[:depth]
    assert option == sorted(texts)[:20]


def poisoned_project() -> tuple[pa.Table, list[Query], dict[str, str], TermStatistics]:
    texts = {"c0": "the cat", "c1": "bad words", "c2": "...", "c3": "a mat"}
    queries = [Query("q", NO_OPTION, "my question"), Query("q", 0, "my cat")]
    rows = [
        ("q", query.candidate, rank, chunk_id, 0.0)
        for query in queries
        for rank, chunk_id in enumerate(sorted(texts, reverse=True), start=1)
    ]
    return pool_table(rows), queries, texts, from_table(count_terms(texts.values(), "k"))


@pytest.mark.parametrize("name", METHODS)
def test_broken_chunks_are_refused_and_counted(name: str) -> None:
    ranked_pools = ranked(*poisoned_project(), METHODS[name], encoder=WordEncoder("bad words"))
    rows, certificates = checked(ranked_pools)
    for candidate in (NO_OPTION, 0):
        chunk_ids = [row["chunk_id"] for row in rows if row["candidate"] == candidate]
        assert sorted(chunk_ids) == ["c0", "c3"]
    assert [(row["status"], row["refused"]) for row in certificates] == [("proved", 2)] * 2


@pytest.mark.parametrize("name", METHODS)
def test_a_broken_query_is_refused_by_name(name: str) -> None:
    ranked_pools = ranked(*poisoned_project(), METHODS[name], encoder=WordEncoder("my question"))
    rows, (broken, sound) = checked(ranked_pools)
    assert (broken["status"], broken["candidate"], broken["pool"]) == ("refused", NO_OPTION, 4)
    assert broken["refusal"].startswith("query q/-1: ")
    assert (sound["status"], sound["candidate"]) == ("proved", 0)
    assert {row["candidate"] for row in rows} == {0}


@pytest.mark.parametrize("name", ["coverage", "balanced"])
def test_a_remembering_encoder_encodes_every_text_once(name: str, tmp_path: Path) -> None:
    pool, queries, texts, statistics = some_project(4)
    inner = WordEncoder()
    cached = CachedEncoder(inner, tmp_path)
    pools = pools_of(pool, queries, texts)
    cached.remember_words(pools.chunk_texts)
    chunks = len(inner.texts)
    assert chunks == len(set(pools.chunk_texts))
    transport_ranking(pools, cached, statistics, METHODS[name], "b", "arm")
    assert sorted(inner.texts[chunks:]) == sorted({query.text for query in queries} - set(pools.chunk_texts))


def test_out_of_time_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rankings, "OPTION_DEPTH", 1)
    monkeypatch.setattr(ranking, "SOLVED_QUESTION_DEPTH", 1)
    rows, certificates = checked(ranked(*some_project(5), METHODS["balanced"], Budget(seconds=0)))
    assert len(rows) > 0
    statuses = {row["status"] for row in certificates if row["pool"]}
    assert statuses == {"anytime"}


def test_progress_is_told() -> None:
    pool, queries, texts, statistics = some_project(6)
    progress: list[tuple[int, int]] = []
    pools = pools_of(pool, queries, texts)
    transport_ranking(
        pools,
        WordEncoder(),
        statistics,
        METHODS["coverage"],
        "b",
        "arm",
        progress=lambda done, total: progress.append((done, total)),
    )
    assert progress[-1] == (len(pools.chunk_ids), len(pools.chunk_ids))


def test_empty_pools_give_an_empty_ranking() -> None:
    statistics = from_table(count_terms(["a"], "k"))
    queries = [Query("q", NO_OPTION, "a cat")]
    rows, certificates = checked(ranked(pool_table([]), queries, {}, statistics, METHODS["coverage"]))
    assert rows == []
    assert [(row["status"], row["pool"]) for row in certificates] == [("proved", 0)]
    rows, certificates = checked(ranked(pool_table([]), [], {}, statistics, METHODS["balanced"]))
    assert rows == certificates == []


def test_pools_number_queries_and_chunks() -> None:
    queries = [Query("q2", NO_OPTION, "b"), Query("q1", NO_OPTION, "a"), Query("q1", 0, "a x")]
    pool = pool_table(
        [("q1", 0, 1, "z", 0.0), ("q1", -1, 4, "y", 0.0), ("q2", -1, 1, "z", 0.0), ("q1", 0, 2, "a", 0.0)]
    )
    pools = pools_of(pool, queries, {"a": "text a", "y": "text y", "z": "text z"})
    assert pools.query.tolist() == sorted(pools.query.tolist())
    assert pools.chunk_ids == ["a", "y", "z"]
    entries = {
        (pools.queries[query], pools.chunk_ids[chunk], pools.chunk_texts[chunk], place)
        for query, chunk, place in zip(pools.query, pools.chunk, pools.place.tolist(), strict=True)
    }
    assert entries == {
        (queries[2], "z", "text z", 1),
        (queries[1], "y", "text y", 4),
        (queries[0], "z", "text z", 1),
        (queries[2], "a", "text a", 2),
    }
    with pytest.raises(KeyError):
        pools_of(pool, queries, {"a": "text a"})


def test_a_ranking_that_solves_nothing_has_no_certificates() -> None:
    first_stage = first_stage_ranking(pool_table([("q", -1, 1, "c", 0.5)], "bm25"), "b", "bm25")
    ranked_pools = unproved(first_stage)
    assert ranked_pools.ranked.equals(first_stage)
    assert conform(ranked_pools.certificates, RANKING_CERTIFICATES).num_rows == 0


@pytest.mark.integration
@pytest.mark.real_data
@pytest.mark.parametrize(("name", "count"), [("balanced", 40), ("coverage", 10)])
def test_real_questions_get_brute_forces_chunks(name: str, count: int, real_data: Path) -> None:
    """Questions of XQuAD over sentences of its paragraphs, some holding the answers."""
    articles = json.loads((real_data / "text" / "xquad.en.json").read_text(encoding="utf-8"))["data"]
    paragraphs = [part for article in articles for part in article["paragraphs"]]
    held = [sentence for part in paragraphs[:60] for sentence in part["context"].split(". ")]
    texts = {f"s{number:03}": sentence for number, sentence in enumerate(held[:200])}
    questions = [item["question"] for part in paragraphs[:40] for item in part["qas"]]
    chosen = questions[:: len(questions) // count][:count]
    queries = [Query(f"q{number}", 0, text) for number, text in enumerate(chosen)]
    pool = pool_table(
        [
            (query.question_id, 0, rank, chunk_id, 0.0)
            for query in queries
            for rank, chunk_id in enumerate(texts, start=1)
        ]
    )
    encoder = load_encoder("all-MiniLM-L6-v2", packaged_minilm(), None, None)
    statistics, method = from_table(count_terms(texts.values(), "k")), METHODS[name]
    pools = pools_of(pool, queries, texts)
    chunks = [method.token_set(encoded, statistics) for encoded in encoder.encode_words(pools.chunk_texts)]

    rows, certificates = checked(transport_ranking(pools, encoder, statistics, method, "b", "arm"))
    assert {row["status"] for row in certificates} == {"proved"}
    assert np.mean([row["solved"] for row in certificates]) < 100
    for encoded, query in zip(encoder.encode_words([query.text for query in queries]), queries, strict=True):
        cheapest = best(
            method.token_set(encoded, statistics), chunks, method.ground, method.objective, OPTION_DEPTH
        )
        query_rows = [row for row in rows if row["question_id"] == query.question_id]
        assert [row["chunk_id"] for row in query_rows] == [pools.chunk_ids[number] for number, _ in cheapest]
        np.testing.assert_allclose(
            [-row["score"] for row in query_rows], [solution.cost for _, solution in cheapest], atol=1e-12
        )
