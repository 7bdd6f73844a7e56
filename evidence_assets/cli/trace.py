"""`evidence-assets trace`: an answer down to its sources."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

from evidence_assets.audit.report import trace_report
from evidence_assets.cli.common import default_lake, queries


def trace(prediction_id: Annotated[str, Argument(help="an id of the view predictions")]) -> None:
    """Print a prediction's cited evidence down to its source."""
    with queries(default_lake()) as connection:
        print(trace_report(connection, prediction_id))
