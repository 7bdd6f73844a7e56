"""Tables of the pages that show evidence and scores: which file shows what, by the hash of its bytes."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    TEXT,
    Reference,
    Table,
    columns,
    optional,
    required,
    texts,
)

_FILE = (
    required("path", TEXT, "the HTML file, relative to the lake's root"),
    required("bytes", pa.int64()),
    required("file_hash", TEXT, "hash of the file's bytes"),
)

EVIDENCE_PAGES = Table(
    "evidence_pages",
    "Pages to look at an experiment by: an index of its answers, and each answer beside its evidence.",
    columns(
        *texts("system", "arm", "benchmark"),
        required("page", TEXT, "the file's name"),
        optional("prediction_id", TEXT, "the answer that it shows; null for an index"),
        *_FILE,
    ),
    key=("system", "arm", "benchmark", "page"),
    partition_columns=("system", "arm", "benchmark"),
    references=(Reference(("prediction_id",), "predictions", ("prediction_id",)),),
)

SCOREBOARD_PAGES = Table(
    "scoreboard_pages",
    "A page a benchmark that shows its experiments' scores beside each other and beside published ones.",
    columns(required("benchmark", TEXT), required("page", TEXT, "the file's name"), *_FILE),
    key=("benchmark", "page"),
    partition_columns=("benchmark",),
)
