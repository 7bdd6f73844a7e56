"""The usual whole runs: what is made together, one a partitioning, since a run has one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Stage, asset_path
from evidence_assets.stages.graph import StageGraph
from evidence_assets.systems.system import System


@dataclass(frozen=True, slots=True)
class Job:
    """Tables that are made together, by their assets' names."""

    name: str
    description: str
    assets: tuple[str, ...]


_SHARED = (
    Job(
        "ingest_corpus",
        "Read, cut, encode and index source files; one partition a file.",
        ("articles", "chunks", "chunk_embeddings", "shard_indexes", "shard_terms"),
    ),
    Job(
        "add_up_terms",
        "BM25 statistics over a corpus's shards; one partition a corpus.",
        ("term_statistics",),
    ),
    Job(
        "prepare_benchmark",
        "Read a benchmark's questions, find their gold evidence, pool their candidates.",
        ("questions", "gold_chunks", "chunk_pools"),
    ),
    Job(
        "read_tables",
        "Read a benchmark's questions and the tables that they are about.",
        ("questions", "tables"),
    ),
    Job(
        "collapse_tables",
        "What of each table is shown; one partition a benchmark and filter.",
        ("collapsed_tables",),
    ),
    Job(
        "build_graph",
        "Read a knowledge graph's files, merge and index its triples; one partition a graph.",
        ("triples", "graph_concepts", "graph_conflicts", "graph_nodes", "graph_aliases"),
    ),
    Job(
        "link_questions",
        "Read a benchmark's questions and find the concepts of its graph that they name.",
        ("questions", "question_concepts"),
    ),
    Job(
        "rank_triples",
        "Link a benchmark's questions to its graph and rank the triples around them.",
        ("question_concepts", "ranked_triples"),
    ),
    Job(
        "rank_chunks",
        "Rank the pools; one partition a benchmark and retrieval.",
        ("ranked_chunks", "ranking_certificates"),
    ),
    Job(
        "rerank_evidence",
        "Score chunks and triples together; one partition a benchmark and retrieval.",
        ("reranked_evidence",),
    ),
    Job(
        "find_subgraphs",
        "The graph around each question; one partition a benchmark and neighbourhood.",
        ("question_subgraphs",),
    ),
    Job(
        "walk_graph",
        "Relevant nodes and paths to the options; one partition a benchmark and route.",
        ("node_relevance", "relevance_diagnostics", "reasoning_paths"),
    ),
    Job(
        "describe_nodes", "A document for every node of a graph; one partition a graph.", ("node_documents",)
    ),
    Job(
        "pool_documents",
        "The documents nearest to each question without options; one partition a benchmark.",
        ("document_pools",),
    ),
    Job(
        "parse_questions",
        "What each question asks of its graph; one partition a benchmark and parser.",
        ("question_queries",),
    ),
    Job("embed_graph", "Vectors of a graph's nodes; one partition a graph.", ("graph_embeddings",)),
    Job(
        "train_relevance",
        "What facts are rated by, trained on other questions; one partition a benchmark.",
        ("relevance_pairs", "relevance_classifiers"),
    ),
    Job(
        "attend_graph",
        "The facts that attention finds; one partition a benchmark and way to find them.",
        ("attention2query/retrieved_facts",),
    ),
    Job(
        "state_background",
        "What a model states of its own; one partition a benchmark and model.",
        ("generated_triples",),
    ),
    Job(
        "retrieve_facts",
        "The facts nearest to each question; one partition a benchmark and retrieval.",
        ("kaping/retrieved_facts",),
    ),
)
_SHOW_SCORES = Job(
    "show_scores",
    "A page of a benchmark's scores, beside each other and beside published ones; one partition a benchmark.",
    ("scoreboard_pages",),
)
_PUBLISHED = Job(
    "record_published",
    "The papers' own figures, to stand beside ours.",
    ("published_scores", "published_setups"),
)
_HARVEST = (
    Job(
        "read_articles",
        "Read source files, and no more: what a masked language model learns from.",
        ("articles",),
    ),
    Job(
        "make_masked_lm",
        "Make a masked language model from a corpus; one partition a corpus.",
        ("domain_masked_lm",),
    ),
    Job(
        "harvest_relation",
        "Prompts, candidate pairs and triples of a relation; one partition a seed file.",
        ("relation_seeds", "relation_prompts", "candidate_pairs", "prompt_captures", "harvested_triples"),
    ),
    Job(
        "gather_harvest",
        "What a harvested graph consists of, and how good it is; one partition an arm.",
        ("harvests", "triple_judgements", "harvest_scores"),
    ),
)


def _of_a_system(system: System) -> list[Job]:
    """Return the jobs that every system has: an experiment, its pages, and the comparison of its arms."""
    tables = (*system.descriptions, "benchmark_scores", "question_scores")
    pages = f"{system.name}/evidence_pages"
    return [
        Job(
            f"run_{system.name}",
            f"Chains, answers and scores of {system.name}; one partition a benchmark and arm.",
            tuple(f"{system.name}/{table}" for table in tables),
        ),
        Job(
            f"run_and_show_{system.name}",
            f"Chains, answers, scores and pages of {system.name}; one partition a benchmark and arm.",
            (*(f"{system.name}/{table}" for table in tables), pages),
        ),
        Job(
            f"show_{system.name}",
            f"Pages of {system.name}'s answers beside their evidence; one partition a benchmark and arm.",
            (pages,),
        ),
        Job(
            f"compare_{system.name}",
            f"Paired differences between the arms of {system.name}; one partition a benchmark.",
            (f"{system.name}/score_differences",),
        ),
    ]


def jobs_of(graph: StageGraph, systems: Iterable[System]) -> list[Job]:
    """Return the jobs over the stages that there are; a stage that no job names gets one of its own."""
    of_systems = [job for system in systems for job in _of_a_system(system)]
    there_are = {name for stage in graph.stages for name in asset_names(stage)}
    named = [*_SHARED, *of_systems, _SHOW_SCORES, _PUBLISHED, *_HARVEST]
    jobs = [
        Job(job.name, job.description, tuple(asset for asset in job.assets if asset in there_are))
        for job in named
    ]
    jobs = [job for job in jobs if job.assets]
    if "harvests" not in there_are:
        jobs = [job for job in jobs if job not in _HARVEST]
    covered = {asset for job in jobs for asset in job.assets}
    for stage in graph.stages:
        if not covered.intersection(asset_names(stage)):
            name = f"make_{stage.name.replace('/', '_')}"
            jobs.append(Job(name, stage.outputs[0].description, tuple(asset_names(stage))))
    return jobs


def asset_names(stage: Stage) -> Sequence[str]:
    """Return the names of a stage's assets, as users write them."""
    return ["/".join(asset_path(table, stage.system)) for table in stage.tables]


def eager_problem(project: Project, graph: StageGraph) -> str:
    """Return which assets a configuration names as eager that are none, with the remedy; else nothing."""
    there_are = {name for stage in graph.stages for name in asset_names(stage)}
    unknown = sorted(set(project.sources.eager) - there_are)
    if not unknown:
        return ""
    return (
        f"automation.eager names {', '.join(unknown)}; remedy: name assets that there are: "
        f"{', '.join(sorted(there_are))}"
    )
