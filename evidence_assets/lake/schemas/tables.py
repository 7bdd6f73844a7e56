"""Tables of reasoning over tables: what was kept of each for a question, and why."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    ANSWERS_A_QUESTION,
    TEXT,
    Table,
    columns,
    optional,
    required,
    structs,
    texts,
)

COLLAPSED_TABLES = Table(
    "collapsed_tables",
    "The columns and rows of a table that a filter keeps for a question, with what spoke for each column.",
    columns(
        required("benchmark", TEXT),
        required("filter", TEXT, "how columns and rows are chosen"),
        *texts("question_id", "table_id"),
        required(
            "columns",
            structs(
                required("column", pa.int32(), "from 0"),
                required("name", TEXT),
                required("kept", pa.bool_()),
                required("reason", TEXT, "why it was kept; empty where it was not"),
                required("jaccard", pa.float64(), "words shared with the question"),
                optional("similarity", pa.float64(), "its own, to the question"),
                optional("cluster", pa.int32()),
                optional("cluster_similarity", pa.float64(), "what the gate looks at"),
            ),
        ),
        required("rows", pa.list_(pa.int32()), "the rows kept, from 0, in the order of the table"),
        required("fallback", pa.bool_(), "nothing passed: the two nearest columns were taken"),
    ),
    key=("benchmark", "filter", "question_id", "table_id"),
    partition_columns=("benchmark", "filter"),
    references=(ANSWERS_A_QUESTION,),
)
