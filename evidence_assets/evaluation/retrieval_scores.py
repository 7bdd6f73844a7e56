"""What was retrieved and what was selected, held against gold evidence, question by question."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.evaluation.metrics import NDCG_DEPTH, RECALL_DEPTHS, discounts
from evidence_assets.text.queries import NO_OPTION

if TYPE_CHECKING:
    import polars as pl


def retrieval_values(
    ranked: pa.Table, gold_chunks: pa.Table, questions: pa.Table
) -> dict[str, dict[str, float]]:
    """Return per-question recall@1/5/15 and reciprocal rank of the ranking for the question alone.

    Over questions with gold evidence. Gold text that the corpus does not hold counts as missed.
    """
    alone = ranked.filter(pc.equal(ranked.column("candidate"), NO_OPTION))
    return _ranking_values(_frame(alone, "question_id", "rank", "chunk_id"), gold_chunks, questions)


def _frame(rows: pa.Table, *columns: str) -> pl.DataFrame:
    import polars as pl

    return cast("pl.DataFrame", pl.from_arrow(rows.select(list(columns))))


def _ranking_values(
    ranked: pl.DataFrame, gold_chunks: pa.Table, questions: pa.Table
) -> dict[str, dict[str, float]]:
    """Return per-question recall and reciprocal rank of chunks (`question_id`, `rank`, `chunk_id`)."""
    import polars as pl

    holders = _frame(gold_chunks, "question_id", "gold_index", "chunk_id")
    places = ranked.sort("question_id", "rank").select(
        "question_id", "chunk_id", place=pl.int_range(1, pl.len() + 1).over("question_id")
    )
    items = _frame(questions, "question_id", "gold_evidence").select(
        "question_id", gold_index=pl.int_ranges(0, pl.col("gold_evidence").list.len(), dtype=pl.Int32)
    )
    items = items.filter(pl.col("gold_index").list.len() > 0).explode("gold_index")
    holder_places = holders.with_columns(pl.col("gold_index").cast(pl.Int32)).join(
        places, on=["question_id", "chunk_id"], how="left"
    )
    best_places = holder_places.group_by("question_id", "gold_index").agg(pl.col("place").min())
    per_question = (
        items.join(best_places, on=["question_id", "gold_index"], how="left")
        .group_by("question_id", maintain_order=True)
        .agg(
            *(
                (pl.col("place") <= depth).fill_null(False).mean().alias(f"recall@{depth}")
                for depth in RECALL_DEPTHS
            ),
            mrr=(1 / pl.col("place").min()).fill_null(0.0),
        )
        .join(_gains(items, holder_places), on="question_id", how="left", maintain_order="left")
    )
    ids = per_question["question_id"].to_list()
    names = per_question.columns[1:] if ids else []
    return {name: dict(zip(ids, per_question[name].to_list(), strict=True)) for name in names}


def _gains(items: pl.DataFrame, holder_places: pl.DataFrame) -> pl.DataFrame:
    """Return each question's normalised discounted gain of its ranking's first chunks, `ndcg@10`.

    A chunk that holds any gold text counts 1. The ideal has them all first, and one more for each gold text
    that no chunk of the corpus holds.
    """
    import polars as pl

    worth = discounts(NDCG_DEPTH)
    ideals = pl.DataFrame({"ideal": range(NDCG_DEPTH + 1), "most": np.r_[0.0, np.cumsum(worth)]})
    chunks = holder_places.unique(["question_id", "chunk_id"]).with_columns(
        gain=pl.when(pl.col("place") <= NDCG_DEPTH).then(1 / (pl.col("place") + 1).log(2)).otherwise(0.0)
    )
    held = holder_places.select("question_id", "gold_index").unique()
    lacking = items.join(held, on=["question_id", "gold_index"], how="anti")
    counted = (
        items.select("question_id")
        .unique()
        .join(
            chunks.group_by("question_id").agg(pl.col("gain").sum(), chunks=pl.len()), "question_id", "left"
        )
        .join(lacking.group_by("question_id").agg(lacking=pl.len()), "question_id", "left")
    )
    ideal = (pl.col("chunks").fill_null(0) + pl.col("lacking").fill_null(0)).clip(upper_bound=NDCG_DEPTH)
    return (
        counted.with_columns(ideal=ideal.cast(pl.Int64))
        .join(ideals, on="ideal")
        .select("question_id", (pl.col("gain").fill_null(0.0) / pl.col("most")).alias(f"ndcg@{NDCG_DEPTH}"))
    )


def selection_values(
    selected: pa.Table, evidence: pa.Table, gold_chunks: pa.Table, questions: pa.Table
) -> dict[str, dict[str, float]]:
    """Return per-question recall of gold chunks in what was selected, triples taking places too.

    `evidence_recall@k`: in what the question alone was given. `right_option_recall@k`: in what the right
    option was given, over questions that name one. Over questions with gold evidence.

    Args:
        selected, evidence: Rows of `selected_evidence` and `evidence` of one experiment.
    """
    import polars as pl

    listed = _frame(selected, "question_id", "candidate", "rank", "evidence_id").join(
        _frame(evidence, "evidence_id", "source_key").rename({"source_key": "chunk_id"}), on="evidence_id"
    )
    keyed = questions.filter(pc.is_valid(questions.column("answer_index")))
    right_options = _frame(keyed, "question_id", "answer_index")
    of_right = listed.join(right_options, on="question_id").filter(
        pl.col("candidate") == pl.col("answer_index")
    )
    alone = listed.filter(pl.col("candidate") == NO_OPTION)
    measured: dict[str, dict[str, float]] = {}
    for prefix, any_rows, rows, over in (
        ("evidence", listed, alone, questions),
        ("right_option", of_right, of_right, keyed),
    ):
        if any_rows.height:
            values = _ranking_values(rows, gold_chunks, over)
            measured |= {
                f"{prefix}_{name}": value_of for name, value_of in values.items() if name.startswith("recall")
            }
    return measured
