"""Rejected records as rows of `rejected_records`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict

import pyarrow as pa

from evidence_assets.lake.schemas import REJECTED_RECORDS
from evidence_assets.sources.records import RejectedRecord


def source_of_graph(name: str) -> str:
    """Return the `source` of a graph's rejections, distinct from that of a benchmark of the same name."""
    return f"graph:{name}"


def none_usable(kind: str, rejected: Sequence[RejectedRecord]) -> str:
    """Return what is said where none of some records is of a kind ("an article"): how many, and why not."""
    first, count = rejected[0], len(rejected)
    none = f"its only record is no{kind.removeprefix('an').removeprefix('a')}"
    none = none if count == 1 else f"none of {count:,} records is {kind}"
    return f"{none}; the first, {first.record}: {first.reason}; remedy: {first.remedy}"


def rejected_rows(source: str, uri: str, rejected: Iterable[RejectedRecord]) -> pa.Table:
    """Return `rejected_records` rows, a row each: what shares place and reason is numbered.

    A place that repeats is a key that repeats: each of its records is lost, and each is counted.
    """
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for record in rejected:
        place, number = record.record, 1
        while (place, record.reason) in rows:
            number += 1
            place = f"{record.record} ({number})"
        fields = {**asdict(record), "record": place}
        rows[place, record.reason] = {"source": source, **fields, "source_uri": uri}
    return pa.Table.from_pylist(list(rows.values()), schema=REJECTED_RECORDS.schema)
