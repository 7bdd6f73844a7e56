"""The table of what was made, when, and from what."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    TEXT,
    Table,
    columns,
    optional,
    required,
    structs,
    texts,
)

MATERIALIZATIONS = Table(
    "materializations",
    "When, by which run and from what each partition was made: the one place where time and run live.",
    columns(
        required("version", TEXT, "hash of table, partition and content: names the folder"),
        *texts("table", "partition", "content_hash"),
        required("rows", pa.int64()),
        required("bytes", pa.int64()),
        *texts("run_id", "code_version"),
        required("upstream", structs(*texts("table", "partition", "content_hash"))),
        optional(
            "source_files",
            structs(*texts("source", "name", "content_hash")),
            "of the folders outside the lake that were read for it, each file; null where it read none",
        ),
        required("materialized_at", pa.timestamp("us", tz="UTC")),
        optional("seconds", pa.float64(), "that its making took, of all tables that were made together"),
    ),
    key=("table", "partition", "content_hash"),
    partition_columns=("version",),
)
