"""What a lake's catalogue answers, and whether its rows are sound."""

from __future__ import annotations

from typing import Any

from evidence_assets.audit.integrity import Finding, check_references, check_rows
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import TABLES_BY_NAME


def query(lake: Lake, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """The rows that the catalogue answers."""
    with catalogue.connect(lake) as connection:
        return connection.execute(sql, list(values)).fetchall()


def query_rows(lake: Lake, sql: str, *values: object) -> list[dict[str, Any]]:
    """The rows that the catalogue answers, by column."""
    with catalogue.connect(lake) as connection:
        return catalogue.rows_of(connection.execute(sql, list(values)))


def macro_rows(lake: Lake, macro: str, wanted: str) -> list[dict[str, Any]]:
    """What `trace` or `impact` tells."""
    return query_rows(lake, f"SELECT * FROM {macro}(?)", wanted)


def row_findings(lake: Lake) -> list[Finding]:
    """What is wrong with the rows of every table, and with what they refer to."""
    return [
        finding
        for table in TABLES_BY_NAME.values()
        for partition in lake.partitions(table)
        for check in (check_rows, check_references)
        for finding in check(lake, table, partition)
    ]
