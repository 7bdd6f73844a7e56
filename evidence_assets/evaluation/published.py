"""Published figures as rows of `published_scores`: one CSV a system, transcribed from its paper."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.schemas import PUBLISHED_SCORES, PUBLISHED_SETUPS

if TYPE_CHECKING:
    import pyarrow as pa


def _tables() -> list[tuple[str, str]]:
    """Return the name and text of every transcribed table."""
    folder = files("evidence_assets.evaluation").joinpath("published")
    tables = [
        (file.name, file.read_text(encoding="utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".csv")
    ]
    return sorted(tables)


def _setups() -> str:
    return files("evidence_assets.evaluation").joinpath("published_setups.csv").read_text(encoding="utf-8")


@cache
def published_version() -> str:
    """Return a hash of the transcribed tables: they are this asset's code."""
    return combined_hash([*(text for _, text in _tables()), _setups()])[:8]


def setup_rows() -> pa.Table:
    """Return what the papers say of the sizes of what they measured on: `published_setups` rows."""
    import pyarrow as pa

    counted = ("questions", "graph_triples", "articles")
    rows = [
        {name: (int(value) if name in counted else value) if value else None for name, value in row.items()}
        for row in csv.DictReader(_setups().splitlines())
    ]
    return pa.Table.from_pylist(rows, schema=PUBLISHED_SETUPS.schema)


def published_rows() -> pa.Table:
    """Return every published figure that the project carries.

    Raises:
        ValueError: a value is not a number; the file and line are named.
    """
    import pyarrow as pa

    rows = []
    for name, text in _tables():
        for line, row in enumerate(csv.DictReader(text.splitlines()), start=2):
            try:
                rows.append({**row, "value": float(row["value"])})
            except ValueError as error:
                raise ValueError(f"{name}, line {line}: value {row['value']!r} is not a number") from error
    return pa.Table.from_pylist(rows, schema=PUBLISHED_SCORES.schema)
