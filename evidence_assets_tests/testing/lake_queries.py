"""What a lake's catalogue answers, and whether its rows are sound."""

from __future__ import annotations

from typing import Any

from evidence_assets.audit.integrity import check_references, check_rows
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake, partition_name
from evidence_assets.lake.schemas import MATERIALIZATIONS, TABLES_BY_NAME


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


def row_findings(lake: Lake) -> list[str]:
    """What is wrong with the rows of every table, and with what they refer to."""
    return [
        finding
        for table in TABLES_BY_NAME.values()
        for partition in lake.partitions(table)
        for check in (check_rows, check_references)
        for finding in check(lake, table, partition)
    ]


def noted_materializations(lake: Lake) -> list[dict[str, Any]]:
    """The rows of `materializations`, each checked: its version and those it was made from are the lake's."""
    noted = lake.read_partitions(MATERIALIZATIONS, lake.partitions(MATERIALIZATIONS))
    rows: list[dict[str, Any]] = noted.to_pylist()
    now = {(row["table"], row["partition"]): row["content_hash"] for row in rows}
    assert len(now) == len(rows), "one version of each partition was ever made"
    for row in rows:
        table = TABLES_BY_NAME[row["table"]]
        places = {partition_name(place) or "(whole)": place for place in lake.partitions(table)}
        assert lake.version(table, places[row["partition"]]).content_hash == row["content_hash"]
        for upstream in row["upstream"]:
            if upstream["table"] != "source_files":
                assert now[upstream["table"], upstream["partition"]] == upstream["content_hash"]
    return rows
