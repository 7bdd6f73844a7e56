"""Published figures as rows of `published_scores`: one CSV a system, transcribed from its paper."""

from __future__ import annotations

import csv
from importlib.resources import files

import pyarrow as pa

from evidence_assets.lake.schemas import PUBLISHED_SCORES


def published_rows() -> pa.Table:
    """Return every published figure that the project carries.

    Raises:
        ValueError: a value is not a number; the file and line are named.
    """
    rows = []
    folder = files("evidence_assets.evaluation").joinpath("published")
    for file in sorted(folder.iterdir(), key=lambda found: found.name):
        if not file.name.endswith(".csv"):
            continue
        reader = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
        for line, row in enumerate(reader, start=2):
            try:
                rows.append({**row, "value": float(row["value"])})
            except ValueError as error:
                raise ValueError(
                    f"{file.name}, line {line}: value {row['value']!r} is not a number"
                ) from error
    return pa.Table.from_pylist(rows, schema=PUBLISHED_SCORES.schema)
