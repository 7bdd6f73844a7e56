"""`evidence-assets trace`: an answer down to its sources."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

from evidence_assets.audit.report import trace_report
from evidence_assets.cli.common import default_lake, queries

# The first source that it cites, by a name that `retract` takes.
_CITED = """
SELECT coalesce(locator.article_id, source_key) FROM trace(?)
WHERE role = 'cited' AND chosen AND source_table IN ('chunks', 'triples', 'tables') ORDER BY rank LIMIT 1
"""


def trace(prediction_id: Annotated[str, Argument(help="an id of the view predictions")]) -> None:
    """Print a prediction's cited evidence down to its source."""
    with queries(default_lake()) as connection:
        print(trace_report(connection, prediction_id))
        cited = connection.execute(_CITED, [prediction_id]).fetchone()
    print(f"next: evidence-assets show {prediction_id}")
    if cited is not None:
        print(f"      evidence-assets retract {cited[0]} tells what else rests on its first source")
