"""What readers and tables left out, as rows of `rejected_records`."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from evidence_assets.lake.schemas import REJECTED_RECORDS
from evidence_assets.sources.records import RejectedRecord


def source_of_graph(name: str) -> str:
    """Return the `source` of what a graph left out: a benchmark may have the graph's name."""
    return f"graph:{name}"


def rejected_rows(source: str, uri: str, rejected: Iterable[RejectedRecord]) -> pa.Table:
    """Return `rejected_records` rows; a record rejected twice for one reason stands once."""
    rows = {
        (record.record, record.reason): {
            "source": source,
            "record": record.record,
            "reason": record.reason,
            "remedy": record.remedy,
            "source_uri": uri,
        }
        for record in rejected
    }
    return pa.Table.from_pylist(list(rows.values()), schema=REJECTED_RECORDS.schema)
