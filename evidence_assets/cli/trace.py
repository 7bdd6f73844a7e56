"""`evidence-assets trace`: an answer down to its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Argument

from evidence_assets.audit.report import trace_report
from evidence_assets.cli.common import (
    lake_to_read,
    queries,
    tell_outdated,
    tell_stale_inputs,
    workspace_if_sound,
)
from evidence_assets.lake.schemas import EVIDENCE, PREDICTION_EVIDENCE, PREDICTIONS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from evidence_assets.lake.lake import Lake

# The first source that it cites, by a name that `retract` takes; whether it stands in a record still.
_CITED = """
SELECT coalesce(locator.article_id, source_key), source_record IS NOT NULL FROM trace(?)
WHERE role = 'cited' AND chosen AND source_table IN ('chunks', 'triples', 'tables') ORDER BY rank LIMIT 1
"""
# Whether something that it rests on is not in the lake any more.
_IS_GONE = "SELECT count(*) > 0 FROM trace(?) WHERE source_state = 'gone'"
_EXPERIMENT = "SELECT system, arm, benchmark, question_id FROM predictions WHERE prediction_id = ?"


def trace(prediction_id: Annotated[str, Argument(help="an id of the view predictions")]) -> None:
    """Print a prediction's cited evidence down to its source."""
    lake = lake_to_read()
    with queries(lake) as connection:
        _require_known_columns(lake, connection, prediction_id)
        answered = connection.execute(_EXPERIMENT, [prediction_id]).fetchone()
        system, arm, benchmark, question_id = answered or ("", "", "", "")
        project = workspace_if_sound()
        is_configured = project is None or benchmark in project.project.sources.benchmarks
        print(trace_report(connection, prediction_id, is_configured))
        cited = connection.execute(_CITED, [prediction_id]).fetchone()
        [is_gone] = connection.execute(_IS_GONE, [prediction_id]).fetchone() or (False,)
    if project is not None:
        tell_stale_inputs(project, benchmark, [f"{system}/{arm}"], question_id)
        if is_gone:
            # Its source may state it still, and the lake have lost the file.
            tell_outdated(project, benchmark, [f"{system}/{arm}"])
    print(f"next: evidence-assets show {prediction_id}")
    key, stands = cited or ("", False)
    if stands:
        print(f"      evidence-assets retract {key} tells what else rests on its first source")


def _require_known_columns(lake: Lake, connection: DuckDBPyConnection, prediction_id: str) -> None:
    """Look at the files of a prediction's experiment: the views pass over columns that they do not know.

    Raises:
        NewerLakeError: a later version wrote one of them.
    """
    answer = connection.execute(_EXPERIMENT, [prediction_id]).fetchone()
    if answer is not None:
        *partition, _ = answer
        place = dict(zip(PREDICTIONS.partition_columns, partition, strict=True))
        for table in (PREDICTIONS, PREDICTION_EVIDENCE, EVIDENCE):
            lake.version(table, place)
