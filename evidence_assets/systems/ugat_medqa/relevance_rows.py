"""Rows of `node_relevance` and `relevance_diagnostics`: how a route scores a question's nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.lake.schemas import NODE_RELEVANCE, RELEVANCE_DIAGNOSTICS
from evidence_assets.models.encoder import FloatArray
from evidence_assets.progress import Progress, blocks
from evidence_assets.systems.ugat_medqa.arms import KINDS, NONE, Route
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig
from evidence_assets.systems.ugat_medqa.diagnostics import is_collapsed, relevance_diagnostics
from evidence_assets.systems.ugat_medqa.reasoning_paths import Relevant
from evidence_assets.systems.ugat_medqa.relevance import NodeScores, best, node_scores
from evidence_assets.systems.ugat_medqa.subgraphs import QUESTIONS_AT_ONCE, QuestionConcepts, Subgraph

# Evidence nodes noted of a question where nothing filters: paths then start from its whole subgraph
# (`every_node`), which `question_subgraphs` lists already.
MOST_UNFILTERED = 50


def relevance_tables(
    questions: Sequence[QuestionConcepts],
    subgraphs: Sequence[Subgraph],
    vectors: FloatArray,
    graph: EmbeddedGraph,
    route: Route,
    config: AttentionConfig,
    benchmark: str,
    progress: Progress | None = None,
) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Yield rows of `node_relevance` and of `relevance_diagnostics`, block by block of questions.

    `subgraphs` and `vectors` (q, d) are those of the questions, in order; `config` is what networks are
    trained with, noted where the route trains any.
    """
    scores = node_scores(subgraphs, vectors, graph, route, config)
    for places in blocks(range(len(questions)), QUESTIONS_AT_ONCE, progress):
        nodes, measured = [], []
        for place in places:
            question_scores = next(scores)
            nodes += node_rows(questions[place], subgraphs[place], question_scores, graph, route, benchmark)
            measured.append(
                diagnostic_row(
                    subgraphs[place], vectors[place], question_scores, graph, route, config, benchmark
                )
            )
        yield (
            pa.Table.from_pylist(nodes, schema=NODE_RELEVANCE.schema),
            pa.Table.from_pylist(measured, schema=RELEVANCE_DIAGNOSTICS.schema),
        )


def node_rows(
    question: QuestionConcepts,
    subgraph: Subgraph,
    scored: NodeScores,
    graph: EmbeddedGraph,
    route: Route,
    benchmark: str,
) -> list[dict[str, Any]]:
    """Return a question's rows: every evidence node, its seeds, its options' concepts.

    Paths start from what is noted (`relevant_nodes`), so nothing that a walk's best or a threshold keeps is
    left out. Where nothing filters, all nodes are evidence and only the best `MOST_UNFILTERED` are noted.
    """
    candidates: dict[int, list[int]] = {}
    for candidate, nodes in question.option_concepts.items():
        for node in nodes:
            candidates.setdefault(node, []).append(candidate)
    seeds = {seed.node for seed in subgraph.seeds}
    noted = best(scored.scores, MOST_UNFILTERED) if route.method == NONE else scored.kept
    noted = noted | np.isin(subgraph.nodes, [*seeds, *candidates])
    ranks = np.empty(len(scored.scores), dtype=np.int32)
    ranks[np.argsort(-scored.scores, kind="stable")] = np.arange(1, len(scored.scores) + 1)
    common = {
        "benchmark": benchmark,
        "route": route.name,
        "question_id": question.question_id,
        "kg": graph.graph.name,
    }
    rows = []
    for place in np.flatnonzero(noted).tolist():
        node = int(subgraph.nodes[place])
        rows.append(
            {
                **common,
                "node": node,
                "label": graph.graph.labels[node].as_py(),
                "rank": int(ranks[place]),
                "score": float(scored.scores[place]),
                "lift": _finite(scored, place),
                "kept": bool(scored.kept[place]),
                "is_seed": node in seeds,
                "hops": int(subgraph.hops[place]),
                "candidates": sorted(candidates.get(node, [])),
            }
        )
    outside = {"rank": 0, "score": 0.0, "lift": None, "kept": False, "is_seed": False, "hops": -1}
    rows += [
        {
            **common,
            **outside,
            "node": node,
            "label": graph.graph.labels[node].as_py(),
            "candidates": sorted(candidates[node]),
        }
        for node in sorted(set(candidates) - {row["node"] for row in rows})
    ]
    return rows


def _finite(scores: NodeScores, place: int) -> float | None:
    lift = None if scores.lifts is None else float(scores.lifts[place])
    return lift if lift is not None and np.isfinite(lift) else None


def diagnostic_row(
    subgraph: Subgraph,
    question: FloatArray,
    scored: NodeScores,
    graph: EmbeddedGraph,
    route: Route,
    config: AttentionConfig,
    benchmark: str,
) -> dict[str, Any]:
    """Return a question's `relevance_diagnostics` row. `question`: (d,) its unit vector.

    The row names the values that networks were trained with: they are no part of the route, so a
    partition trained with other values replaces this one and must be distinguishable from it.
    """
    cosines = (graph.vectors[subgraph.nodes] @ question).round(6)
    measured = relevance_diagnostics(scored.scores, cosines, scored.kept)
    return {
        "benchmark": benchmark,
        "route": route.name,
        "question_id": subgraph.question_id,
        "nodes": len(subgraph.nodes),
        "kept": int(scored.kept.sum()),
        "kept_share": round(measured.kept_share, 6),
        "mean_score": round(measured.mean_score, 6),
        "spread": round(measured.spread, 6),
        "cosine_correlation": round(measured.cosine_correlation, 6),
        "seed_correlation": None if scored.seed_correlation is None else round(scored.seed_correlation, 6),
        "collapsed": is_collapsed(measured),
        "training": config.as_json() if route.method in KINDS else None,
    }


def relevant_nodes(rows: pa.Table) -> dict[str, Relevant]:
    """Return, by question, what paths may start from: `node_relevance` rows of kept nodes and of seeds."""
    starts = rows.filter(pa.compute.or_(rows.column("kept"), rows.column("is_seed")))
    starts = starts.select(["question_id", "node", "score", "is_seed"]).combine_chunks()
    # By array: a network that keeps a whole subgraph leaves thousands of rows a question.
    questions = starts.column("question_id").combine_chunks().dictionary_encode()
    numbers = questions.indices.to_numpy()
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers, minlength=len(questions.dictionary)))
    nodes, scores, seeds = (
        np.split(starts.column(name).to_numpy()[order], ends[:-1]) for name in ("node", "score", "is_seed")
    )
    return {
        question_id: Relevant(*of_question)
        for question_id, *of_question in zip(
            questions.dictionary.to_pylist(), nodes, scores, seeds, strict=False
        )
    }


def every_node(subgraphs: Mapping[str, Subgraph]) -> dict[str, Relevant]:
    """Return, by question, all nodes of its subgraph, all alike: nothing is filtered."""
    relevant = {}
    for question_id, subgraph in subgraphs.items():
        seeds = [seed.node for seed in subgraph.seeds]
        is_seed = np.isin(subgraph.nodes, seeds)
        relevant[question_id] = Relevant(subgraph.nodes, np.zeros(len(subgraph.nodes)), is_seed)
    return relevant
