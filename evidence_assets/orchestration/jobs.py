"""The usual whole runs, one a partitioning: a run has one partition definition."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import dagster as dg


def harvest_jobs(judged: bool) -> list[Any]:
    """Return the jobs of the harvest, in the order in which a first run takes them.

    `judged`: language models judge what was harvested.
    """
    gathered = ["harvests", *(["triple_judgements"] if judged else []), "harvest_scores"]
    return [
        dg.define_asset_job(
            "read_articles",
            selection=dg.AssetSelection.assets("articles"),
            description="Read source files, and no more: what a masked language model learns from.",
        ),
        dg.define_asset_job(
            "make_masked_lm",
            selection=dg.AssetSelection.assets("domain_masked_lm"),
            description="Make a masked language model from a corpus; one partition a corpus.",
        ),
        dg.define_asset_job(
            "harvest_relation",
            selection=dg.AssetSelection.assets(
                "relation_seeds", "relation_prompts", "candidate_pairs", "harvested_triples"
            ),
            description="Prompts, candidate pairs and triples of a relation; one partition a seed file.",
        ),
        dg.define_asset_job(
            "gather_harvest",
            selection=dg.AssetSelection.assets(*gathered),
            description="What a harvested graph consists of, and how good it is; one partition an arm.",
        ),
    ]


def jobs(systems: Iterable[str]) -> list[Any]:
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
            "read_tables",
            selection=dg.AssetSelection.assets("questions", "tables"),
            description="Read a benchmark's questions and the tables that they are about.",
        ),
        dg.define_asset_job(
            "collapse_tables",
            selection=dg.AssetSelection.assets("collapsed_tables"),
            description="What of each table is shown; one partition a benchmark and filter.",
        ),
        dg.define_asset_job(
            "build_graph",
            selection=dg.AssetSelection.assets(
                "triples", "graph_concepts", "graph_conflicts", "graph_nodes", "graph_aliases"
            ),
            description="Read a knowledge graph's files, merge and index its triples; one partition a graph.",
        ),
        dg.define_asset_job(
            "link_questions",
            selection=dg.AssetSelection.assets("questions", "question_concepts"),
            description="Read a benchmark's questions and find the concepts of its graph that they name.",
        ),
        dg.define_asset_job(
            "rank_triples",
            selection=dg.AssetSelection.assets("question_concepts", "ranked_triples"),
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
            "find_subgraphs",
            selection=dg.AssetSelection.assets("question_subgraphs"),
            description="The graph around each question; one partition a benchmark and neighbourhood.",
        ),
        dg.define_asset_job(
            "walk_graph",
            selection=dg.AssetSelection.assets("node_relevance", "relevance_diagnostics", "reasoning_paths"),
            description="Relevant nodes and paths to the options; one partition a benchmark and route.",
        ),
        dg.define_asset_job(
            "describe_nodes",
            selection=dg.AssetSelection.assets("node_documents"),
            description="A document for every node of a graph; one partition a graph.",
        ),
        dg.define_asset_job(
            "pool_documents",
            selection=dg.AssetSelection.assets("document_pools"),
            description="The documents nearest to each question without options; one partition a benchmark.",
        ),
        dg.define_asset_job(
            "parse_questions",
            selection=dg.AssetSelection.assets("question_queries"),
            description="What each question asks of its graph; one partition a benchmark and parser.",
        ),
        dg.define_asset_job(
            "embed_graph",
            selection=dg.AssetSelection.assets("graph_embeddings"),
            description="Vectors of a graph's nodes; one partition a graph.",
        ),
        dg.define_asset_job(
            "train_relevance",
            selection=dg.AssetSelection.assets("relevance_pairs", "relevance_classifiers"),
            description="What facts are rated by, trained on other questions; one partition a benchmark.",
        ),
        dg.define_asset_job(
            "attend_graph",
            selection=dg.AssetSelection.assets("attention2query/retrieved_facts"),
            description="The facts that attention finds; one partition a benchmark and way to find them.",
        ),
        dg.define_asset_job(
            "state_background",
            selection=dg.AssetSelection.assets("generated_triples"),
            description="What a model states of its own; one partition a benchmark and model.",
        ),
        dg.define_asset_job(
            "retrieve_facts",
            selection=dg.AssetSelection.assets("kaping/retrieved_facts"),
            description="The facts nearest to each question; one partition a benchmark and retrieval.",
        ),
        *(job for system in systems for job in _of_a_system(system)),
        dg.define_asset_job(
            "record_published",
            selection=dg.AssetSelection.assets("published_scores"),
            description="The papers' own figures, to stand beside ours.",
        ),
    ]


def _of_a_system(system: str) -> list[Any]:
    """Return the jobs that every system has: an experiment, and the comparison of its arms."""
    return [
        dg.define_asset_job(
            f"run_{system}",
            selection=dg.AssetSelection.groups(system)
            | dg.AssetSelection.assets(f"{system}/benchmark_scores"),
            description=f"Chains, answers and scores of {system}; one partition a benchmark and arm.",
        ),
        dg.define_asset_job(
            f"compare_{system}",
            selection=dg.AssetSelection.assets(f"{system}/score_differences"),
            description=f"Paired differences between the arms of {system}; one partition a benchmark.",
        ),
    ]
