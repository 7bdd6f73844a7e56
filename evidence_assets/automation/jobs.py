"""The usual whole runs, one a partitioning: a run has one partition definition."""

from __future__ import annotations

from typing import Any

import dagster as dg


def jobs() -> list[Any]:
    """Return the jobs, in the order in which a first run takes them."""
    return [
        dg.define_asset_job(
            "ingest_corpus",
            selection=dg.AssetSelection.assets("articles", "chunks", "chunk_embeddings"),
            description="Read, cut and encode source files; one partition a file.",
        ),
        dg.define_asset_job(
            "index_corpus",
            selection=dg.AssetSelection.assets("term_statistics", "chunk_indexes"),
            description="Count terms and build the vector index; one partition a corpus.",
        ),
        dg.define_asset_job(
            "prepare_benchmark",
            selection=dg.AssetSelection.assets("questions", "gold_chunks", "chunk_pools"),
            description="Read a benchmark's questions, find their gold evidence, pool their candidates.",
        ),
        dg.define_asset_job(
            "build_graph",
            selection=dg.AssetSelection.assets("triples", "graph_nodes", "graph_aliases"),
            description="Read a knowledge graph's files, merge and index its triples; one partition a graph.",
        ),
        dg.define_asset_job(
            "rank_triples",
            selection=dg.AssetSelection.assets("concept_links", "ranked_triples"),
            description="Link a benchmark's questions to its graph and rank the triples around them.",
        ),
        dg.define_asset_job(
            "rank_chunks",
            selection=dg.AssetSelection.assets("ranked_chunks", "ranking_certificates"),
            description="Rank the pools; one partition a benchmark and retrieval.",
        ),
        dg.define_asset_job(
            "rerank_evidence",
            selection=dg.AssetSelection.assets("reranked_evidence"),
            description="Score chunks and triples together; one partition a benchmark and retrieval.",
        ),
        dg.define_asset_job(
            "run_uscrake",
            selection=dg.AssetSelection.groups("uscrake")
            | dg.AssetSelection.assets("uscrake/benchmark_scores"),
            description="Chains, answers, lineage and scores of USCRaKE; one partition a benchmark and arm.",
        ),
        dg.define_asset_job(
            "compare_arms",
            selection=dg.AssetSelection.assets("uscrake/score_differences"),
            description="Paired differences between arms; one partition a benchmark.",
        ),
        dg.define_asset_job(
            "record_published",
            selection=dg.AssetSelection.assets("published_scores"),
            description="The papers' own figures, to stand beside ours.",
        ),
    ]
