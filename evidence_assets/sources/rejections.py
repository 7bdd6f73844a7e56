"""Rejected records as rows of `rejected_records`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import pyarrow as pa

from evidence_assets.lake.schemas import REJECTED_RECORDS
from evidence_assets.sources.records import RejectedRecord


def source_of_graph(name: str) -> str:
    """Return the `source` of a graph's rejections, distinct from that of a benchmark of the same name."""
    return f"graph:{name}"


def rejected_rows(source: str, uri: str, rejected: Iterable[RejectedRecord]) -> pa.Table:
    """Return `rejected_records` rows, without duplicates of record and reason."""
    rows = {
        (record.record, record.reason): {"source": source, **asdict(record), "source_uri": uri}
        for record in rejected
    }
    return pa.Table.from_pylist(list(rows.values()), schema=REJECTED_RECORDS.schema)
