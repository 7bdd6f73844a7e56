"""The asset graph as it was drawn: groups, partitions, dependencies, and checks beside the usual ones."""

from __future__ import annotations

from typing import Any

SHARDS = "shards"
CORPORA = "corpora"
GRAPHS = "graphs"
BENCHMARKS = "benchmarks"
EXPERIMENTS = ("arm", "benchmark")
RELATIONS = "relations"
HARVESTS = "harvests"
READERS = "readers"
WHOLE = None

WALKED = {"questions", "question_concepts"}
LINKED = {"questions", "triples", "graph_nodes", "graph_aliases"}
ASKED = WALKED | {"question_queries", "document_pools"}
MODELS = {"domain_masked_lm", "named_masked_lm"}

# system: what its experiments read
READ = {
    "uscrake": {"questions", "ranked_chunks", "ranked_triples", "reranked_evidence", "reader_admissions"},
    "ugat_medqa": WALKED | {"node_relevance", "reasoning_paths"},
    "ucret": {"questions", "tables", "collapsed_tables"},
    "four_step_focus": ASKED,
    "kaping": ASKED | {"kaping/retrieved_facts", "generated_triples"},
    "attention2query": ASKED | {"attention2query/retrieved_facts"},
}
# system: what its scores are held against, beside the questions
RETRIEVED = {
    "uscrake": {"gold_chunks", "ranked_chunks"},
    "four_step_focus": {"question_concepts"},
    "kaping": {"kaping/retrieved_facts", "question_concepts"},
    "attention2query": {"attention2query/retrieved_facts", "question_concepts"},
}
RANKS = {"four_step_focus", "kaping", "attention2query"}

# asset: (group, partitions, dependencies)
GRAPH: dict[str, tuple[str, Any, set[str]]] = {
    "corpus_files": ("sources", SHARDS, set()),
    "benchmark_files": ("sources", BENCHMARKS, set()),
    "graph_files": ("sources", GRAPHS, set()),
    "questions": ("sources", BENCHMARKS, {"benchmark_files"}),
    "tables": ("sources", BENCHMARKS, {"benchmark_files"}),
    "articles": ("corpus", SHARDS, {"corpus_files"}),
    "chunks": ("corpus", SHARDS, {"articles"}),
    "chunk_embeddings": ("corpus", SHARDS, {"chunks"}),
    "shard_indexes": ("corpus", SHARDS, {"chunk_embeddings"}),
    "shard_terms": ("corpus", SHARDS, {"chunks"}),
    "term_statistics": ("corpus", CORPORA, {"shard_terms"}),
    "trained_readers": ("readers", READERS, set()),
    "reader_questions": ("readers", READERS, set()),
    "reader_admissions": (
        "readers",
        EXPERIMENTS,
        {"questions", "trained_readers", "reader_questions"},
    ),
    "seed_files": ("knowledge", RELATIONS, set()),
    "named_masked_lm": ("knowledge", WHOLE, set()),
    "domain_masked_lm": ("knowledge", CORPORA, {"articles"}),
    "relation_seeds": ("knowledge", RELATIONS, {"seed_files"}),
    "relation_prompts": ("knowledge", RELATIONS, MODELS | {"relation_seeds"}),
    "candidate_pairs": ("knowledge", RELATIONS, MODELS | {"relation_seeds", "relation_prompts"}),
    "prompt_captures": ("knowledge", RELATIONS, MODELS | {"relation_seeds", "relation_prompts"}),
    "harvested_triples": (
        "knowledge",
        RELATIONS,
        MODELS | {"relation_seeds", "relation_prompts", "candidate_pairs", "prompt_captures"},
    ),
    "harvests": ("knowledge", HARVESTS, {"harvested_triples"}),
    "harvest_scores": ("knowledge", HARVESTS, {"harvests", "triples"}),
    "triples": ("graphs", GRAPHS, {"graph_files", "harvests"}),
    "graph_concepts": ("graphs", GRAPHS, {"graph_files", "harvests"}),
    "graph_conflicts": ("graphs", GRAPHS, {"graph_files", "harvests"}),
    "graph_nodes": ("graphs", GRAPHS, {"triples", "graph_concepts"}),
    "graph_aliases": ("graphs", GRAPHS, {"triples", "graph_concepts"}),
    "chunk_pools": (
        "retrieval",
        BENCHMARKS,
        {"questions", "articles", "chunks", "shard_indexes", "term_statistics"},
    ),
    "ranked_chunks": ("retrieval", EXPERIMENTS, {"questions", "chunk_pools"}),
    "ranking_certificates": ("retrieval", EXPERIMENTS, {"questions", "chunk_pools"}),
    "node_documents": ("graphs", GRAPHS, {"triples", "graph_concepts", "graph_nodes"}),
    "document_pools": ("retrieval", BENCHMARKS, {"questions", "node_documents"}),
    "question_queries": ("retrieval", EXPERIMENTS, WALKED),
    "question_concepts": ("retrieval", BENCHMARKS, LINKED),
    "ranked_triples": ("retrieval", BENCHMARKS, LINKED),
    "reranked_evidence": ("retrieval", EXPERIMENTS, {"questions", "ranked_chunks", "ranked_triples"}),
    "gold_chunks": ("evaluation", BENCHMARKS, {"questions", "articles", "chunks"}),
    "published_scores": ("evaluation", WHOLE, set()),
    "published_setups": ("evaluation", WHOLE, set()),
    "question_subgraphs": ("ugat_medqa_retrieval", EXPERIMENTS, WALKED),
    "node_relevance": ("ugat_medqa_retrieval", EXPERIMENTS, WALKED | {"question_subgraphs"}),
    "relevance_diagnostics": ("ugat_medqa_retrieval", EXPERIMENTS, WALKED | {"question_subgraphs"}),
    "reasoning_paths": ("ugat_medqa_retrieval", EXPERIMENTS, WALKED | {"node_relevance"}),
    "generated_triples": ("kaping_retrieval", EXPERIMENTS, WALKED),
    "kaping/retrieved_facts": ("kaping_retrieval", EXPERIMENTS, WALKED | {"generated_triples"}),
    "collapsed_tables": ("retrieval", EXPERIMENTS, {"questions", "tables"}),
    "graph_embeddings": ("graphs", GRAPHS, {"triples", "graph_nodes"}),
    "relevance_pairs": ("attention2query_retrieval", BENCHMARKS, WALKED | {"graph_embeddings"}),
    "relevance_classifiers": ("attention2query_retrieval", BENCHMARKS, WALKED | {"graph_embeddings"}),
    "attention2query/retrieved_facts": (
        "attention2query_retrieval",
        EXPERIMENTS,
        WALKED | {"relevance_classifiers"},
    ),
    "leakage_flags": ("evaluation", BENCHMARKS, {"questions", "gold_chunks", "chunks"}),
}


def tables_of(system: str) -> dict[str, tuple[str, Any, set[str]]]:
    """Return what is made of a system's experiments, by table."""

    def prefixed(*tables: str) -> set[str]:
        return {f"{system}/{table}" for table in tables}

    read = READ[system]
    ranked = ("ranked_answers",) if system in RANKS else ()
    answered = prefixed("evidence", "chains", "predictions", *ranked)
    scored = {"questions"} | answered | prefixed("selected_evidence") | RETRIEVED.get(system, set())
    questioned = read | prefixed("evidence", "predictions", "prediction_evidence")
    shown = (
        {"questions"} | answered | prefixed("prediction_evidence", "benchmark_scores", "evidence_ablations")
    )
    made = ("evidence", "selected_evidence", "chains", "predictions", "prediction_evidence", *ranked)
    return {
        **dict.fromkeys(made, (system, EXPERIMENTS, read)),
        "benchmark_scores": (system, EXPERIMENTS, scored),
        "question_scores": (system, EXPERIMENTS, scored),
        "score_differences": (system, BENCHMARKS, prefixed("question_scores")),
        "evidence_ablations": ("ablations", EXPERIMENTS, questioned),
        "ablation_scores": ("ablations", EXPERIMENTS, questioned),
        "evidence_pages": ("evaluation", EXPERIMENTS, shown),
    }


GRAPH |= {f"{system}/{table}": drawn for system in READ for table, drawn in tables_of(system).items()}
SCORED = ("benchmark_scores", "score_differences", "evidence_pages")
GRAPH["scoreboard_pages"] = (
    "evaluation",
    BENCHMARKS,
    {"questions"} | {f"{system}/{table}" for system in READ for table in SCORED},
)
OBSERVED = {"corpus_files", "benchmark_files", "graph_files", "named_masked_lm"}
# Noted by a sensor, not by a run.
EXTERNAL = {"seed_files"}
# Checks that say what is still to be asked for, and block nothing.
TELLING = {"every_request_has_a_reply", "keeps_up"}

REFERRING = {
    "candidate_pairs",
    "chunk_embeddings",
    "chunk_pools",
    "chunks",
    "collapsed_tables",
    "document_pools",
    "generated_triples",
    "gold_chunks",
    "graph_aliases",
    "graph_embeddings",
    "harvested_triples",
    "leakage_flags",
    "node_documents",
    "node_relevance",
    "prompt_captures",
    "question_concepts",
    "question_queries",
    "question_subgraphs",
    "ranked_chunks",
    "ranked_triples",
    "ranking_certificates",
    "reader_admissions",
    "reasoning_paths",
    "relation_prompts",
    "relevance_diagnostics",
    "relevance_pairs",
    "reranked_evidence",
}
REFERRING_OF_SYSTEMS = {
    "chains",
    "evidence_ablations",
    "evidence_pages",
    "prediction_evidence",
    "predictions",
    "question_scores",
    "ranked_answers",
    "retrieved_facts",
    "selected_evidence",
}
CHECKED = {
    "chunks": {"offsets_are_exact"},
    "domain_masked_lm": {"knows_what_the_corpus_tells"},
    "generated_triples": {"no_graph_holds_them"},
    "scoreboard_pages": {"files_stand"},
}
CHECKED_OF_SYSTEMS = {
    "evidence": {"sources_stand", "kinds_are_true"},
    "evidence_pages": {"files_stand"},
    "predictions": {"lineage_is_complete", "every_request_has_a_reply"},
    "ranked_answers": {"ranking_is_sound"},
}


def extra_checks(asset: str) -> set[str]:
    """Return an asset's checks beside those that every table has."""
    system, _, table = asset.rpartition("/")
    referring, checked = (REFERRING_OF_SYSTEMS, CHECKED_OF_SYSTEMS) if system else (REFERRING, CHECKED)
    return checked.get(table, set()) | ({"references_resolve"} if table in referring else set())
