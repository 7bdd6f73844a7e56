"""The asset graph as it was drawn: groups, partitions, dependencies, and checks beside the usual ones."""

from __future__ import annotations

from typing import Any

from evidence_assets.systems.registry import SYSTEMS

SHARDS, CORPORA, GRAPHS, BENCHMARKS, EXPERIMENTS, RELATIONS, HARVESTS, WHOLE = (
    "shards",
    "corpora",
    "graphs",
    "benchmarks",
    ("arm", "benchmark"),
    "relations",
    "harvests",
    None,
)

READ = {"questions", "ranked_chunks", "ranked_triples", "reranked_evidence"}
LINKED = {"questions", "triples", "graph_nodes", "graph_aliases"}
WALKED = {"questions", "question_concepts"}
PATHS = WALKED | {"node_relevance", "reasoning_paths"}
ATTENDED = WALKED | {"attention2query/retrieved_facts", "question_queries", "document_pools"}
FACTS = WALKED | {"kaping/retrieved_facts", "generated_triples", "question_queries", "document_pools"}
ASKED = WALKED | {"question_queries", "document_pools"}
SHOWN = {"questions", "tables", "collapsed_tables"}
MODELS = {"domain_masked_lm", "named_masked_lm"}

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
    "uscrake/evidence": ("uscrake", EXPERIMENTS, READ),
    "uscrake/selected_evidence": ("uscrake", EXPERIMENTS, READ),
    "uscrake/chains": ("uscrake", EXPERIMENTS, READ),
    "uscrake/predictions": ("uscrake", EXPERIMENTS, READ),
    "uscrake/prediction_evidence": ("uscrake", EXPERIMENTS, READ),
    "uscrake/benchmark_scores": (
        "uscrake",
        EXPERIMENTS,
        {
            "questions",
            "gold_chunks",
            "ranked_chunks",
            "uscrake/evidence",
            "uscrake/selected_evidence",
            "uscrake/chains",
            "uscrake/predictions",
        },
    ),
    "uscrake/score_differences": ("uscrake", BENCHMARKS, {"uscrake/question_scores"}),
    "question_subgraphs": ("ugat_medqa_retrieval", EXPERIMENTS, WALKED),
    "node_relevance": ("ugat_medqa_retrieval", EXPERIMENTS, WALKED | {"question_subgraphs"}),
    "relevance_diagnostics": ("ugat_medqa_retrieval", EXPERIMENTS, WALKED | {"question_subgraphs"}),
    "reasoning_paths": ("ugat_medqa_retrieval", EXPERIMENTS, WALKED | {"node_relevance"}),
    "ugat_medqa/evidence": ("ugat_medqa", EXPERIMENTS, PATHS),
    "ugat_medqa/selected_evidence": ("ugat_medqa", EXPERIMENTS, PATHS),
    "ugat_medqa/chains": ("ugat_medqa", EXPERIMENTS, PATHS),
    "ugat_medqa/predictions": ("ugat_medqa", EXPERIMENTS, PATHS),
    "ugat_medqa/prediction_evidence": ("ugat_medqa", EXPERIMENTS, PATHS),
    "ugat_medqa/benchmark_scores": (
        "ugat_medqa",
        EXPERIMENTS,
        {
            "questions",
            "ugat_medqa/evidence",
            "ugat_medqa/selected_evidence",
            "ugat_medqa/chains",
            "ugat_medqa/predictions",
        },
    ),
    "ugat_medqa/score_differences": ("ugat_medqa", BENCHMARKS, {"ugat_medqa/question_scores"}),
    "four_step_focus/evidence": ("four_step_focus", EXPERIMENTS, ASKED),
    "four_step_focus/selected_evidence": ("four_step_focus", EXPERIMENTS, ASKED),
    "four_step_focus/chains": ("four_step_focus", EXPERIMENTS, ASKED),
    "four_step_focus/predictions": ("four_step_focus", EXPERIMENTS, ASKED),
    "four_step_focus/prediction_evidence": ("four_step_focus", EXPERIMENTS, ASKED),
    "four_step_focus/ranked_answers": ("four_step_focus", EXPERIMENTS, ASKED),
    "four_step_focus/benchmark_scores": (
        "four_step_focus",
        EXPERIMENTS,
        {
            "questions",
            "four_step_focus/evidence",
            "four_step_focus/selected_evidence",
            "four_step_focus/chains",
            "four_step_focus/predictions",
            "four_step_focus/ranked_answers",
            "question_concepts",
        },
    ),
    "four_step_focus/score_differences": ("four_step_focus", BENCHMARKS, {"four_step_focus/question_scores"}),
    "generated_triples": ("kaping_retrieval", EXPERIMENTS, WALKED),
    "kaping/retrieved_facts": ("kaping_retrieval", EXPERIMENTS, WALKED | {"generated_triples"}),
    "kaping/evidence": ("kaping", EXPERIMENTS, FACTS),
    "kaping/selected_evidence": ("kaping", EXPERIMENTS, FACTS),
    "kaping/chains": ("kaping", EXPERIMENTS, FACTS),
    "kaping/predictions": ("kaping", EXPERIMENTS, FACTS),
    "kaping/prediction_evidence": ("kaping", EXPERIMENTS, FACTS),
    "kaping/ranked_answers": ("kaping", EXPERIMENTS, FACTS),
    "kaping/benchmark_scores": (
        "kaping",
        EXPERIMENTS,
        {
            "questions",
            "kaping/evidence",
            "kaping/selected_evidence",
            "kaping/chains",
            "kaping/predictions",
            "kaping/ranked_answers",
            "kaping/retrieved_facts",
            "question_concepts",
        },
    ),
    "kaping/score_differences": ("kaping", BENCHMARKS, {"kaping/question_scores"}),
    "collapsed_tables": ("retrieval", EXPERIMENTS, {"questions", "tables"}),
    "ucret/evidence": ("ucret", EXPERIMENTS, SHOWN),
    "ucret/selected_evidence": ("ucret", EXPERIMENTS, SHOWN),
    "ucret/chains": ("ucret", EXPERIMENTS, SHOWN),
    "ucret/predictions": ("ucret", EXPERIMENTS, SHOWN),
    "ucret/prediction_evidence": ("ucret", EXPERIMENTS, SHOWN),
    "ucret/benchmark_scores": (
        "ucret",
        EXPERIMENTS,
        {"questions", "ucret/evidence", "ucret/selected_evidence", "ucret/chains", "ucret/predictions"},
    ),
    "ucret/score_differences": ("ucret", BENCHMARKS, {"ucret/question_scores"}),
    "graph_embeddings": ("graphs", GRAPHS, {"triples", "graph_nodes"}),
    "relevance_pairs": ("attention2query_retrieval", BENCHMARKS, WALKED | {"graph_embeddings"}),
    "relevance_classifiers": ("attention2query_retrieval", BENCHMARKS, WALKED | {"graph_embeddings"}),
    "attention2query/retrieved_facts": (
        "attention2query_retrieval",
        EXPERIMENTS,
        WALKED | {"relevance_classifiers"},
    ),
    "attention2query/evidence": ("attention2query", EXPERIMENTS, ATTENDED),
    "attention2query/selected_evidence": ("attention2query", EXPERIMENTS, ATTENDED),
    "attention2query/chains": ("attention2query", EXPERIMENTS, ATTENDED),
    "attention2query/predictions": ("attention2query", EXPERIMENTS, ATTENDED),
    "attention2query/prediction_evidence": ("attention2query", EXPERIMENTS, ATTENDED),
    "attention2query/ranked_answers": ("attention2query", EXPERIMENTS, ATTENDED),
    "attention2query/benchmark_scores": (
        "attention2query",
        EXPERIMENTS,
        {
            "questions",
            "attention2query/evidence",
            "attention2query/selected_evidence",
            "attention2query/chains",
            "attention2query/predictions",
            "attention2query/ranked_answers",
            "attention2query/retrieved_facts",
            "question_concepts",
        },
    ),
    "attention2query/score_differences": ("attention2query", BENCHMARKS, {"attention2query/question_scores"}),
}
RANKS = {"four_step_focus", "attention2query", "kaping"}
SYSTEMS_SHOWN = ("uscrake", "ugat_medqa", "ucret", *sorted(RANKS))
EXPERIMENT = ("evidence", "chains", "predictions", "prediction_evidence", "benchmark_scores")
GRAPH |= {
    f"{name}/evidence_pages": (
        "evaluation",
        EXPERIMENTS,
        {"questions", *(f"{name}/{table}" for table in EXPERIMENT)}
        | {f"{name}/evidence_ablations"}
        | ({f"{name}/ranked_answers"} if name in RANKS else set()),
    )
    for name in SYSTEMS_SHOWN
}
SCORED = ("benchmark_scores", "score_differences", "evidence_pages")
GRAPH["scoreboard_pages"] = (
    "evaluation",
    BENCHMARKS,
    {"questions"} | {f"{name}/{table}" for name in SYSTEMS_SHOWN for table in SCORED},
)
GRAPH["leakage_flags"] = ("evaluation", BENCHMARKS, {"questions", "gold_chunks", "chunks"})
# Every system's scores by question are made with its scores; its evidence is questioned by its own reader.
for name in ("uscrake", "ugat_medqa", "four_step_focus", "kaping", "ucret", "attention2query"):
    GRAPH[f"{name}/question_scores"] = GRAPH[f"{name}/benchmark_scores"]
    answered = {f"{name}/{table}" for table in ("predictions", "prediction_evidence", "evidence")}
    for table in ("evidence_ablations", "ablation_scores"):
        GRAPH[f"{name}/{table}"] = ("ablations", EXPERIMENTS, GRAPH[f"{name}/predictions"][2] | answered)
OBSERVED = {"corpus_files", "benchmark_files", "graph_files", "named_masked_lm"}
# Noted by a sensor, not by a run.
EXTERNAL = {"seed_files"}
# Checks that say what is still to be asked for, and block nothing.
TELLING = {"every_request_has_a_reply", "keeps_up"}
EXTRA_CHECKS = {
    "chunks": {"references_resolve", "offsets_are_exact"},
    "chunk_embeddings": {"references_resolve"},
    "domain_masked_lm": {"knows_what_the_corpus_tells"},
    "relation_prompts": {"references_resolve"},
    "candidate_pairs": {"references_resolve"},
    "prompt_captures": {"references_resolve"},
    "harvested_triples": {"references_resolve"},
    "graph_aliases": {"references_resolve"},
    "question_concepts": {"references_resolve"},
    "ranked_triples": {"references_resolve"},
    "reranked_evidence": {"references_resolve"},
    "gold_chunks": {"references_resolve"},
    "chunk_pools": {"references_resolve"},
    "ranked_chunks": {"references_resolve"},
    "ranking_certificates": {"references_resolve"},
    "uscrake/evidence": {"sources_stand", "kinds_are_true"},
    "uscrake/selected_evidence": {"references_resolve"},
    "uscrake/chains": {"references_resolve"},
    "uscrake/predictions": {"references_resolve", "lineage_is_complete", "every_request_has_a_reply"},
    "uscrake/prediction_evidence": {"references_resolve"},
    "question_subgraphs": {"references_resolve"},
    "node_relevance": {"references_resolve"},
    "relevance_diagnostics": {"references_resolve"},
    "reasoning_paths": {"references_resolve"},
    "ugat_medqa/evidence": {"sources_stand", "kinds_are_true"},
    "ugat_medqa/selected_evidence": {"references_resolve"},
    "ugat_medqa/chains": {"references_resolve"},
    "ugat_medqa/predictions": {"references_resolve", "lineage_is_complete", "every_request_has_a_reply"},
    "ugat_medqa/prediction_evidence": {"references_resolve"},
    "graph_embeddings": {"references_resolve"},
    "relevance_pairs": {"references_resolve"},
    "attention2query/retrieved_facts": {"references_resolve"},
    "attention2query/evidence": {"sources_stand", "kinds_are_true"},
    "attention2query/selected_evidence": {"references_resolve"},
    "attention2query/chains": {"references_resolve"},
    "attention2query/predictions": {"references_resolve", "lineage_is_complete", "every_request_has_a_reply"},
    "attention2query/prediction_evidence": {"references_resolve"},
    "attention2query/ranked_answers": {"references_resolve", "ranking_is_sound"},
    "collapsed_tables": {"references_resolve"},
    **{f"{system.name}/evidence_ablations": {"references_resolve"} for system in SYSTEMS},
    "node_documents": {"references_resolve"},
    "document_pools": {"references_resolve"},
    "question_queries": {"references_resolve"},
    "four_step_focus/evidence": {"sources_stand", "kinds_are_true"},
    "four_step_focus/selected_evidence": {"references_resolve"},
    "four_step_focus/chains": {"references_resolve"},
    "four_step_focus/predictions": {"references_resolve", "lineage_is_complete", "every_request_has_a_reply"},
    "four_step_focus/prediction_evidence": {"references_resolve"},
    "four_step_focus/ranked_answers": {"references_resolve", "ranking_is_sound"},
    "generated_triples": {"references_resolve", "no_graph_holds_them"},
    "kaping/retrieved_facts": {"references_resolve"},
    "kaping/evidence": {"sources_stand", "kinds_are_true"},
    "kaping/selected_evidence": {"references_resolve"},
    "kaping/chains": {"references_resolve"},
    "kaping/predictions": {"references_resolve", "lineage_is_complete", "every_request_has_a_reply"},
    "kaping/prediction_evidence": {"references_resolve"},
    "kaping/ranked_answers": {"references_resolve", "ranking_is_sound"},
    "ucret/evidence": {"sources_stand", "kinds_are_true"},
    "ucret/selected_evidence": {"references_resolve"},
    "ucret/chains": {"references_resolve"},
    "ucret/predictions": {"references_resolve", "lineage_is_complete", "every_request_has_a_reply"},
    "ucret/prediction_evidence": {"references_resolve"},
    **{f"{name}/evidence_pages": {"references_resolve", "files_stand"} for name in SYSTEMS_SHOWN},
    "scoreboard_pages": {"files_stand"},
    "leakage_flags": {"references_resolve"},
}
EXTRA_CHECKS |= {
    name: {"references_resolve"}
    for name in GRAPH
    if name.endswith(("/question_scores", "/evidence_ablations"))
}
