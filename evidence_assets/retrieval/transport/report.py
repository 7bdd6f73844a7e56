"""Metadata of a ranking: solver statistics, a sample plan, and the encoder's diagnostics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake.previews import are_drawn, scatter, table_preview
from evidence_assets.models.encoder import EncodedWords, Encoder
from evidence_assets.retrieval.transport.diagnostics import cost_against_weight, norm_against_length
from evidence_assets.retrieval.transport.methods import Method
from evidence_assets.retrieval.transport.objectives import prepare_side, word_alignment
from evidence_assets.retrieval.transport.ranking import Pools, RankedPools
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.term_statistics import TermStatistics

_SAMPLED_QUESTIONS = 100
_SHOWN_WORDS = 12
_STAGES = ("solved", "ruled_out_by_centroid", "ruled_out_by_bound", "ruled_out_by_ascent", "open", "refused")


def ranking_metadata(
    pools: Pools, ranking: RankedPools, encoder: Encoder, statistics: TermStatistics, method: Method
) -> dict[str, Any]:
    """Return solver statistics, the plan of one question's best chunk, and the two diagnostics with plots.

    Where no pictures are drawn, the statistics alone.
    """
    shown = solver_statistics(ranking.certificates)
    pairs = _best_pairs(pools, ranking) if are_drawn() else []
    if not pairs:
        return shown
    questions = encoder.encode_words([question for question, _ in pairs])
    chunks = encoder.encode_words([chunk for _, chunk in pairs])
    shown |= diagnostics(questions, chunks, statistics, method)
    return shown | {"sample_plan": sample_plan(questions[0], chunks[0], statistics, method)}


def solver_statistics(certificates: pa.Table) -> dict[str, Any]:
    """Return the numbers of rankings by status, and the shares of the pools' chunks by outcome."""
    pooled = pc.sum(certificates.column("pool")).as_py() or 0
    rows = []
    for stage in _STAGES:
        counts = certificates.column(stage).to_numpy()
        rows.append(
            {
                "chunks": stage.replace("_", " "),
                "share": f"{counts.sum() / max(pooled, 1):.2%}",
                "a query, mean": f"{counts.mean():.1f}" if len(counts) else "",
                "a query, most": int(counts.max(initial=0)),
            }
        )
    statuses = pc.value_counts(certificates.column("status")).to_pylist()
    return {
        "solver_statistics": table_preview(pa.Table.from_pylist(rows), count=len(rows)),
        "rankings": {row["values"]: row["counts"] for row in statuses},
        "largest_margin": pc.max(certificates.column("margin")).as_py() or 0.0,
    }


def _best_pairs(pools: Pools, ranking: RankedPools) -> list[tuple[str, str]]:
    """Return the texts of some questions with their best chunks."""
    ranked = ranking.ranked
    chosen = pc.and_(pc.equal(ranked.column("candidate"), NO_OPTION), pc.equal(ranked.column("rank"), 1))
    rows = ranked.filter(chosen).select(["question_id", "chunk_id"]).slice(0, _SAMPLED_QUESTIONS).to_pylist()
    texts_of_questions = {
        query.question_id: query.text for query in pools.queries if query.candidate == NO_OPTION
    }
    texts = dict(zip(pools.chunk_ids, pools.chunk_texts, strict=True))
    return [(texts_of_questions[row["question_id"]], texts[row["chunk_id"]]) for row in rows]


def diagnostics(
    questions: Sequence[EncodedWords],
    chunks: Sequence[EncodedWords],
    statistics: TermStatistics,
    method: Method,
) -> dict[str, Any]:
    """Return both diagnostics of an encoder under a method, as numbers and plots."""
    norms = norm_against_length([*questions, *chunks])
    pairs = [[method.token_set(text, statistics) for text in texts] for texts in (questions, chunks)]
    costs = cost_against_weight(pairs[0], pairs[1], method.ground)
    weight, meaning = costs.heavier_weight, costs.minus_cosine
    return {
        "norm_against_length_correlation": norms.correlation,
        "cost_against_weight_correlation": weight.correlation,
        "cost_against_cosine_correlation": meaning.correlation,
        "norm_against_length": scatter(
            norms.first,
            norms.second,
            f"Length of word vectors (rank correlation {norms.correlation:.2f})",
            ("words of the text", "mean norm"),
        ),
        "cost_against_weight": scatter(
            weight.first,
            weight.second,
            f"Cost against weight (rank correlation {weight.correlation:.2f}, "
            f"with -cosine {meaning.correlation:.2f})",
            ("weight of the heavier word, mean 1", "ground cost"),
        ),
    }


def sample_plan(
    question: EncodedWords, chunk: EncodedWords, statistics: TermStatistics, method: Method
) -> str:
    """Return the alignment of a question's words with a chunk's, the heaviest first, as Markdown."""
    left, right = method.token_set(question, statistics), method.token_set(chunk, statistics)
    sides = prepare_side(left, method.ground), prepare_side(right, method.ground)
    aligned = word_alignment(method.objective.plan(method.ground, *sides), left, right)
    rows = [
        {
            "question word": pair.question_word,
            "chunk word": pair.chunk_word,
            "mass": f"{pair.mass:.3f}",
            "cost": f"{pair.cost:.4f}",
        }
        for pair in aligned[:_SHOWN_WORDS]
    ]
    return table_preview(pa.Table.from_pylist(rows), count=len(rows)) if rows else ""
