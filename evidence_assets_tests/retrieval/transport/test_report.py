"""What a ranking's materialisation shows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from evidence_assets.lake.previews import without_pictures
from evidence_assets.lake.schemas import CHUNK_POOLS, RANKED_CHUNKS, RANKING_CERTIFICATES
from evidence_assets.retrieval import rankings
from evidence_assets.retrieval.transport import ranking
from evidence_assets.retrieval.transport.cascade import Budget
from evidence_assets.retrieval.transport.methods import METHODS
from evidence_assets.retrieval.transport.ranking import Pools, RankedPools, pools_of, transport_ranking
from evidence_assets.retrieval.transport.report import (
    diagnostics,
    ranking_metadata,
    sample_plan,
    solver_statistics,
)
from evidence_assets.text.queries import NO_OPTION, Query
from evidence_assets.text.term_statistics import count_terms, from_table
from evidence_assets_tests.testing.transport_texts import WordEncoder

TEXTS = {"c0": "the cat sat on the mat", "c1": "a dog ran home", "c2": "cats and dogs", "c3": "..."}
QUERIES = [
    Query("q0", NO_OPTION, "where did the cat sit"),
    Query("q0", 0, "where did the cat sit mat"),
    Query("q1", NO_OPTION, "who ran"),
]
STATISTICS = from_table(count_terms(TEXTS.values(), "k"))
PICTURE = "data:image/png;base64,"


def pools_and_ranking(method: str, budget: Budget | None = None) -> tuple[Pools, RankedPools]:
    rows = [
        {
            "benchmark": "b",
            "retriever": "dense",
            "question_id": query.question_id,
            "candidate": query.candidate,
            "rank": rank,
            "chunk_id": chunk_id,
            "score": 0.0,
        }
        for query in QUERIES
        for rank, chunk_id in enumerate(TEXTS, start=1)
    ]
    pools = pools_of(pa.Table.from_pylist(rows, schema=CHUNK_POOLS.schema), QUERIES, TEXTS)
    ranked_pools = transport_ranking(
        pools, WordEncoder(), STATISTICS, METHODS[method], "b", "arm", budget or Budget()
    )
    return pools, ranked_pools


def cells(markdown: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ") for line in markdown.splitlines()]


@pytest.mark.parametrize("name", METHODS)
def test_a_ranking_shows_its_proofs_a_plan_and_the_encoder(name: str) -> None:
    shown = ranking_metadata(*pools_and_ranking(name), WordEncoder(), STATISTICS, METHODS[name])
    assert shown["rankings"] == {"proved": 3}
    # Pools this small are solved whole by a linear program, and need no bound.
    assert (shown["largest_margin"] > 0) == (not METHODS[name].solves)
    assert PICTURE in shown["norm_against_length"]
    assert PICTURE in shown["cost_against_weight"]
    assert -1 <= shown["norm_against_length_correlation"] <= 1
    assert -1 <= shown["cost_against_cosine_correlation"] <= 1
    # Equal weights go with nothing.
    assert np.isnan(shown["cost_against_weight_correlation"]) == (name == "word_movers_distance")
    assert cells(shown["sample_plan"])[0] == ["question word", "chunk word", "mass", "cost"]


def test_without_pictures_the_proofs_alone_are_shown() -> None:
    name = next(iter(METHODS))
    with without_pictures():
        shown = ranking_metadata(*pools_and_ranking(name), WordEncoder(), STATISTICS, METHODS[name])
    assert shown.keys() == {"solver_statistics", "rankings", "largest_margin"}
    assert shown["rankings"] == {"proved": 3}


def test_statistics_count_what_became_of_the_chunks() -> None:
    _, ranked_pools = pools_and_ranking("balanced")
    lines = cells(solver_statistics(ranked_pools.certificates)["solver_statistics"])
    shown = {line[0]: line[1:] for line in lines[2:]}
    assert lines[0] == ["chunks", "share", "a query, mean", "a query, most"]
    assert shown["solved"] == ["75.00%", "3.0", "3"]
    assert shown["refused"] == ["25.00%", "1.0", "1"]
    assert shown["open"] == ["0.00%", "0.0", "0"]
    assert list(shown) == [
        "solved",
        "ruled out by centroid",
        "ruled out by bound",
        "ruled out by ascent",
        "open",
        "refused",
    ]


def test_rankings_out_of_time_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rankings, "OPTION_DEPTH", 1)
    monkeypatch.setattr(ranking, "SOLVED_QUESTION_DEPTH", 1)
    pools, ranked_pools = pools_and_ranking("balanced", Budget(seconds=0))
    shown = ranking_metadata(pools, ranked_pools, WordEncoder(), STATISTICS, METHODS["balanced"])
    assert shown["rankings"] == {"anytime": 3}
    assert "sample_plan" in shown


def test_no_queries_are_no_rankings() -> None:
    tables = (RANKED_CHUNKS.schema.empty_table(), RANKING_CERTIFICATES.schema.empty_table())
    pools = pools_of(CHUNK_POOLS.schema.empty_table(), [], {})
    shown = ranking_metadata(pools, RankedPools(*tables), WordEncoder(), STATISTICS, METHODS["coverage"])
    assert shown["rankings"] == {}
    assert shown["largest_margin"] == 0
    assert "0.00%" in shown["solver_statistics"]


@pytest.mark.parametrize("name", ["balanced", "partial", "coverage"])
def test_a_plan_says_which_word_went_where(name: str) -> None:
    encoder = WordEncoder()
    question, chunk = encoder.encode_words(["cat mat", "the cat sat on the mat"])
    lines = cells(sample_plan(question, chunk, STATISTICS, METHODS[name]))[2:]
    masses = [float(line[2]) for line in lines]
    assert masses == sorted(masses, reverse=True)
    assert sum(masses) == pytest.approx(1, abs=0.01)
    free = {(line[0], line[1]) for line in lines if float(line[3]) == 0}
    assert {("cat", "cat"), ("mat", "mat")} <= free


def test_a_long_plan_is_cut_to_its_heaviest_movements() -> None:
    random = np.random.default_rng(0)
    question, chunk = WordEncoder().encode_words(
        [" ".join(f"w{number}" for number in random.permutation(40)[:30]) for _ in range(2)]
    )
    lines = cells(sample_plan(question, chunk, STATISTICS, METHODS["balanced"]))[2:]
    assert len(lines) == 12


def test_diagnostics_are_those_of_the_method() -> None:
    encoder = WordEncoder()
    questions = encoder.encode_words(["cat mat", "who ran home"])
    chunks = encoder.encode_words(["the cat sat on the mat", "a dog ran home to the other dog"])
    weighted, plain = (
        diagnostics(questions, chunks, STATISTICS, METHODS[name]) for name in ("paper", "balanced")
    )
    key = "cost_against_weight_correlation"
    assert weighted[key] > plain[key]
    assert weighted["norm_against_length_correlation"] == plain["norm_against_length_correlation"]
    assert plain["cost_against_cosine_correlation"] > 0.5
