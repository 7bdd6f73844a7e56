"""`evidence-assets harvest`: triples mined from a masked language model."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

from evidence_assets.audit.report import harvest_table
from evidence_assets.cli.common import default_lake, queries, workspace
from evidence_assets.cli.runs import Again, report_runs


def harvest(
    relations: Annotated[
        list[str] | None, Argument(help="default: every relation that has a seed file", show_default=False)
    ] = None,
    again: Again = False,
) -> None:
    """Mine triples from a masked language model, then report."""
    from evidence_assets.orchestration.runs import materialize_harvest

    report_runs(materialize_harvest(workspace(), relations or None, again))
    with queries(default_lake()) as connection:
        print(harvest_table(connection))
