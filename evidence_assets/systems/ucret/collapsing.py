"""The columns and rows of a table that are kept for each question, as rows of `collapsed_tables`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from evidence_assets.lake.schemas import COLLAPSED_TABLES
from evidence_assets.models.encoder import Encode, FloatArray
from evidence_assets.tables.claim_parsing import parse_mentions
from evidence_assets.tables.column_filters import EVERY_TABLE, FilterSettings
from evidence_assets.tables.columns import Filtered, column_texts, column_tokens, filter_columns, with_gate
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.rows import content_words, row_text, select_rows
from evidence_assets.tables.table import Table
from evidence_assets.tables.views import is_glossary
from evidence_assets.text.words import words


def collapse(
    questions: Sequence[Mapping[str, Any]],
    tables: Mapping[str, Table],
    encode: Encode,
    settings: FilterSettings,
    benchmark: str,
) -> pa.Table:
    """Return the `collapsed_tables` rows of the questions that are about a table.

    `questions`: rows of `questions`; those without a table, or about one that could not be used, are left
    out. `encode`: texts to unit vectors, (n, d): every column and question of the benchmark in one call.
    """
    usable = [row for row in questions if row["table_id"] in tables]
    used = {row["table_id"]: _Prepared(tables[row["table_id"]]) for row in usable}
    texts = [text for prepared in used.values() for text in prepared.texts]
    row_texts = [text for prepared in used.values() for text in prepared.row_texts]
    encoded_rows = row_texts if settings.clustered_rows else []
    vectors = encode([*(row["question"] for row in usable), *texts, *encoded_rows])
    ends = np.cumsum([len(usable), len(texts)])
    claims, columns, row_vectors = vectors[: ends[0]], vectors[ends[0] : ends[1]], vectors[ends[1] :]
    place = row_place = 0
    for prepared in used.values():
        prepared.vectors = columns[place : place + len(prepared.texts)]
        prepared.row_vectors = row_vectors[row_place : row_place + len(prepared.row_texts)]
        place += len(prepared.texts)
        row_place += len(prepared.row_texts)
    if usable and settings.gate_quantile is not None:
        owners = [table for table, prepared in used.items() for _ in prepared.texts]
        settings = with_gate(settings, claims, [row["table_id"] for row in usable], columns, owners)
    rows = [
        _row(row, used[row["table_id"]], claim, settings, benchmark)
        for row, claim in zip(usable, claims, strict=True)
    ]
    return pa.Table.from_pylist(rows, schema=COLLAPSED_TABLES.schema)


class _Prepared:
    """A table with its texts, tokens, index and vectors, which all its questions share."""

    def __init__(self, table: Table) -> None:
        self.table, self.texts, self.tokens = table, column_texts(table), column_tokens(table)
        self.index = TableIndex(table)
        self.row_texts = [row_text(table, row) for row in range(len(table.rows))]
        self.rows = list(map(content_words, self.row_texts))
        self.vectors: FloatArray = np.empty((0, 0), dtype=np.float32)
        self.row_vectors: FloatArray = np.empty((0, 0), dtype=np.float32)


def _row(
    question: Mapping[str, Any],
    prepared: _Prepared,
    claim: FloatArray,
    settings: FilterSettings,
    benchmark: str,
) -> dict[str, Any]:
    text, table = question["question"], prepared.table
    mentions = parse_mentions(text, prepared.index)
    filtered = filter_columns(
        frozenset(words(text)), prepared.tokens, claim, prepared.vectors, settings, mentions.columns
    )
    rows: Sequence[int] = range(len(table.rows))
    if settings.clustered_rows and rows:
        row_tokens = [frozenset(words(row)) for row in prepared.row_texts]
        rows = filter_columns(frozenset(words(text)), row_tokens, claim, prepared.row_vectors, settings).kept
    elif settings.rows is not None and rows and (settings.rows_of == EVERY_TABLE or is_glossary(table)):
        rows = select_rows(content_words(text), prepared.rows, settings.rows, mentions.rows).kept
    return {
        "benchmark": benchmark,
        "filter": settings.name,
        "question_id": question["question_id"],
        "table_id": table.table_id,
        "columns": _columns(table, filtered),
        "rows": list(rows),
        "fallback": filtered.fallback,
    }


def _columns(table: Table, filtered: Filtered) -> list[dict[str, Any]]:
    return [
        {
            "column": number,
            "name": table.header[number],
            "kept": bool(score.reasons),
            "reason": ", ".join(score.reasons),
            "jaccard": score.jaccard,
            "similarity": score.similarity,
            "cluster": score.cluster,
            "cluster_similarity": score.cluster_similarity,
        }
        for number, score in enumerate(filtered.columns)
    ]
