"""Tables of what was read: questions, tables, and what was left out."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    LOOKED_UP_ROWS_PER_GROUP,
    TEXT,
    Table,
    columns,
    optional,
    required,
    structs,
    texts,
)

QUESTIONS = Table(
    "questions",
    "Benchmark questions with options, key and the gold evidence their authors name.",
    columns(
        *texts("benchmark", "question_id", "question"),
        required("options", pa.list_(TEXT), "empty where the question offers no choice"),
        optional("answer_index", pa.int32()),
        required("answers", pa.list_(TEXT)),
        optional("answer_keys", pa.list_(TEXT), "their identifiers in the graph, where it names them"),
        optional("table_id", TEXT),
        optional("topics", pa.list_(TEXT), "entities that the benchmark marks as the question's topic"),
        optional("answerable", pa.bool_(), "false where it is known to have no answer; null: nobody says"),
        required("gold_evidence", structs(*texts("title", "text"))),
        optional(
            "gold_cells",
            structs(required("table_key", TEXT), optional("row", pa.int32()), optional("column", pa.int32())),
            "cells its authors name, from 0, by the key of their table; null means every row or column",
        ),
        required("split", TEXT),
        required("context", TEXT, "text the benchmark hands out with the question"),
        *texts("subject", "source_uri", "licence"),
    ),
    key=("benchmark", "question_id"),
    partition_columns=("benchmark",),
    rows_per_group=LOOKED_UP_ROWS_PER_GROUP,
)

TABLES = Table(
    "tables",
    "Tables to reason over: caption, header and rows, raw and typed.",
    columns(
        *texts("table_id", "source", "caption"),
        required("header", pa.list_(TEXT)),
        required("rows", pa.list_(pa.list_(TEXT)), "cell text as published"),
        required(
            "typed_rows",
            pa.list_(
                structs(
                    required("kind", TEXT),
                    optional("number", pa.float64()),
                    optional("unit", TEXT),
                    optional("low", pa.float64()),
                    optional("high", pa.float64()),
                    optional("error", pa.float64()),
                    optional("date", TEXT),
                    optional("numbers", pa.list_(pa.float64())),
                )
            ),
        ),
        optional("key", TEXT, "the source's own name of the table"),
        optional("label_column", pa.int32(), "the column that names the rows, null where none does"),
        optional("has_header", pa.bool_(), "false where the names were made up"),
        optional("padded", pa.int32(), "cells that the source lacks, in ragged rows"),
        optional("notes", pa.list_(TEXT), "what was mended"),
        *texts("source_uri", "licence"),
    ),
    key=("table_id",),
    partition_columns=("source",),
)

REJECTED_RECORDS = Table(
    "rejected_records",
    "What was left out of a table, why, and what would mend it.",
    columns(
        required("source", TEXT, "the shard, the benchmark, or graph: and the graph"),
        required("record", TEXT, "where it stands in its source"),
        *texts("reason", "remedy", "source_uri"),
        optional("records", pa.int64(), "how many records the row tells of; null: one"),
    ),
    key=("source", "record", "reason"),
    partition_columns=("source",),
)
