"""`evidence-assets harvest`: triples mined from a masked language model."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

from evidence_assets.audit.report import harvest_table
from evidence_assets.cli.check import check_files
from evidence_assets.cli.common import queries, workspace
from evidence_assets.cli.runs import Again, report_runs


def harvest(
    relations: Annotated[
        list[str] | None, Argument(help="default: every relation that has a seed file", show_default=False)
    ] = None,
    again: Again = False,
) -> None:
    """Mine triples from a masked language model, then report."""
    from evidence_assets.orchestration.runs import materialize_harvest

    project = workspace()
    check_files(project.project, benchmarks=())
    report_runs(project.lake, materialize_harvest(project, relations or None, again), again)
    with queries(project.lake) as connection:
        print(harvest_table(connection))
