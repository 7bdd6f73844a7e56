"""Summaries of UCRET's assets: what filters keep, and a table with its kept columns and cited cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from evidence_assets.lake.previews import bars, histogram
from evidence_assets.tables.table import Table

_SHOWN_ROWS, _SHOWN_COLUMNS = 12, 12
_LONGEST = 40
# Of so many predictions the first that has a table is shown.
_LOOKED_AT = 5


def of_collapsed(rows: pa.Table, key: str) -> dict[str, Any]:
    """Return how many columns are kept, why, and how often nothing passed."""
    records = rows.to_pylist()
    if not records:
        return {"questions": 0}
    kept_counts = [sum(column["kept"] for column in row["columns"]) for row in records]
    widths = [len(row["columns"]) for row in records]
    reasons = Counter(
        reason
        for row in records
        for column in row["columns"]
        if column["reason"]
        for reason in column["reason"].split(", ")
    )
    return {
        "questions": len(records),
        "mean_columns": float(np.mean(widths)),
        "mean_columns_kept": float(np.mean(kept_counts)),
        "fallback_share": float(np.mean([row["fallback"] for row in records])),
        "columns_kept": histogram(np.array(kept_counts, dtype=float), f"{key}: columns kept", "columns"),
        "reasons": bars(dict(reasons.most_common()), f"{key}: why columns are kept", "columns"),
    }


def of_experiment(
    tables: Mapping[str, pa.Table], collapsed: pa.Table, known_tables: Mapping[str, Table]
) -> dict[str, Any]:
    """Return the table of a question with its kept columns and cited cells marked, and what is undecided."""
    predictions = tables["predictions"]
    undecided = sum(rule.startswith("undecided") for rule in predictions.column("tie_break").to_pylist())
    summary: dict[str, Any] = {"undecided": undecided}
    chains = _chosen_chains(predictions.slice(0, _LOOKED_AT), tables["chains"])
    marked = _marked_table(chains, tables["evidence"], collapsed, known_tables)
    return {**summary, "sample_table": marked} if marked else summary


def _chosen_chains(predictions: pa.Table, chains: pa.Table) -> list[dict[str, Any]]:
    """Return the `chains` rows of the options that these `predictions` rows chose."""
    chosen = {
        (row["question_id"], row["predicted_index"])
        for row in predictions.to_pylist()
        if row["predicted_index"] is not None
    }
    return [row for row in chains.to_pylist() if (row["question_id"], row["candidate"]) in chosen]


def _marked_table(
    chains: list[dict[str, Any]], evidence: pa.Table, collapsed: pa.Table, tables: Mapping[str, Table]
) -> str:
    """Return the first chain's table as Markdown, names of kept columns and cited cells bold."""
    collapsed_rows = {row["question_id"]: row for row in collapsed.to_pylist()}
    places = {row["evidence_id"]: row["locator"] for row in evidence.to_pylist()}
    for chain in chains:
        row = collapsed_rows.get(chain["question_id"])
        if row is None:
            continue
        table = tables[row["table_id"]]
        cited = {
            (places[evidence_id]["row"], places[evidence_id]["column"]) for evidence_id in chain["cited"]
        }
        bold = {column["column"] for column in row["columns"] if column["kept"]}
        columns = range(min(table.columns, _SHOWN_COLUMNS))
        lines = [
            "| " + " | ".join(_cell(table.header[column], column in bold) for column in columns) + " |",
            "|" + "---|" * len(columns),
        ]
        for number, cells in enumerate(table.rows[:_SHOWN_ROWS]):
            texts = [_cell(cells[column].text, (number, column) in cited) for column in columns]
            lines.append("| " + " | ".join(texts) + " |")
        return "\n".join(lines)
    return ""


def _cell(text: str, bold: bool) -> str:
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    plain = short.replace("|", "/").replace("*", "∗").replace("<", "‹").replace(">", "›")
    return f"**{plain}**" if bold and plain else plain
