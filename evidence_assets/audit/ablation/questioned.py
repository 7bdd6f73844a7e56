"""Predictions with the sources that they were given and that they cite, from an experiment's tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from evidence_assets.audit.ablation.plan import Questioned
from evidence_assets.evidence.experiment import CITED
from evidence_assets.lake.schemas import ARTICLES, QUESTIONS, TABLES
from evidence_assets.stages.withholding import Source

# Of each table its cells, row by row, as published.
Cells = Mapping[str, Sequence[Sequence[str]]]


def questioned_predictions(
    predictions: pa.Table, used: pa.Table, evidence: pa.Table, cells: Cells
) -> list[Questioned]:
    """Return the predictions that answer from evidence, in the order of their rows.

    Args:
        predictions, used, evidence: Rows of `predictions`, `prediction_evidence` and `evidence` of one
            experiment.
        cells: The tables that questions are about, by id: of columns and rows, every cell counts by itself.

    An answer cites what the chain of its own option cites, or, where it is none of the options, what any
    chain does. Left out are abstentions, and answers that were given nothing but their question.
    """
    sources = {
        row["evidence_id"]: list(_sources(row, cells))
        for row in evidence.select(["evidence_id", "source_table", "source_key", "locator"]).to_pylist()
    }
    columns = ["prediction_id", "evidence_id", "role", "candidate", "rank"]
    by_prediction: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(used.select(columns).to_pylist(), key=lambda row: (row["rank"], row["candidate"])):
        by_prediction.setdefault(row["prediction_id"], []).append(row)
    result = []
    for prediction in predictions.to_pylist():
        rows = by_prediction.get(prediction["prediction_id"], [])
        given = dict.fromkeys(source for row in rows for source in sources[row["evidence_id"]])
        if prediction["abstained"] or prediction["predicted"] is None or not given:
            continue
        candidate = prediction["predicted_index"]
        cited = dict.fromkeys(
            source
            for row in rows
            if row["role"] == CITED and candidate in (None, row["candidate"])
            for source in sources[row["evidence_id"]]
        )
        standing: dict[Source, list[str]] = {}
        for evidence_id in dict.fromkeys(row["evidence_id"] for row in rows):
            of_unit = sources[evidence_id]
            # What stands in many cells is the evidence of none of them alone.
            if len(of_unit) == 1:
                standing.setdefault(of_unit[0], []).append(evidence_id)
        result.append(
            Questioned(
                prediction["prediction_id"],
                prediction["question_id"],
                prediction["predicted"],
                prediction["confidence"],
                tuple(given),
                tuple(cited),
                standing,
            )
        )
    return result


def _sources(row: Mapping[str, Any], cells: Cells) -> Iterator[Source]:
    """Yield the sources of a unit: its article, its row of a table, or the cells of a table that it shows.

    None for a question itself, which is no evidence, and for an empty cell.
    """
    table, key, locator = row["source_table"], row["source_key"], row["locator"]
    if table == QUESTIONS.name:
        return
    if locator["article_id"] is not None:
        yield Source(ARTICLES.name, locator["article_id"])
    elif table == TABLES.name:
        for number, values in enumerate(cells.get(key, ())):
            for column, value in enumerate(values):
                if locator["row"] in (None, number) and locator["column"] in (None, column) and value.strip():
                    yield Source(TABLES.name, key, number, column)
    else:
        yield Source(table, key)
