"""The ways to rank chunks, as they are declared."""

from __future__ import annotations

from evidence_assets.retrieval.retrievals import (
    BM25,
    CONTRASTIVE,
    CORPUS,
    DENSE,
    DENSE_AND_BM25,
    EUCLIDEAN,
    FIRST_STAGE,
    FUSED,
    RETRIEVALS,
    TRANSPORT,
    TWO_STEP,
)
from evidence_assets.retrieval.transport.ground_costs import Cosine
from evidence_assets.retrieval.transport.methods import METHODS
from evidence_assets.retrieval.transport.objectives import ClosedForm

COMPARES_WORDS = (TRANSPORT, FUSED, TWO_STEP)


def test_rankings_by_transport_name_their_method_and_the_others_none() -> None:
    for name, retrieval in RETRIEVALS.items():
        assert name == retrieval.name
        assert "|" not in name, "it stands in a partition key"
        assert retrieval.description
        assert (retrieval.method in METHODS) == (retrieval.ranked_by in COMPARES_WORDS)
        assert (retrieval.method == "") == (retrieval.ranked_by not in COMPARES_WORDS)
        assert retrieval.pool_limit is None or retrieval.pool_limit > 0
        assert retrieval.pool in (DENSE, BM25, CORPUS, DENSE_AND_BM25)
    ways = {retrieval.ranked_by for retrieval in RETRIEVALS.values()}
    assert ways == {FIRST_STAGE, EUCLIDEAN, CONTRASTIVE, *COMPARES_WORDS}


def test_what_reads_vectors_takes_the_vector_pool_or_the_corpus() -> None:
    for retrieval in RETRIEVALS.values():
        if retrieval.ranked_by != FIRST_STAGE:
            assert retrieval.pool in (DENSE, CORPUS, DENSE_AND_BM25)


def test_a_corpus_is_ranked_whole_by_closed_forms_of_the_cosine_cost() -> None:
    corpus_retrievals = [retrieval for retrieval in RETRIEVALS.values() if retrieval.pool == CORPUS]
    assert corpus_retrievals
    for retrieval in corpus_retrievals:
        assert retrieval.pool_limit is None
        assert METHODS[retrieval.method].ground == Cosine()
        assert isinstance(METHODS[retrieval.method].objective, ClosedForm)


def test_no_two_retrievals_are_one() -> None:
    ways = [
        (retrieval.pool, retrieval.ranked_by, retrieval.method, retrieval.pool_limit)
        for retrieval in RETRIEVALS.values()
    ]
    assert all(way not in ways[:place] for place, way in enumerate(ways))
