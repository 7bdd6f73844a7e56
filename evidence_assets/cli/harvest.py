"""`evidence-assets harvest`: triples mined from a masked language model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Argument

from evidence_assets.audit.report import harvest_table
from evidence_assets.cli.check import check_files
from evidence_assets.cli.common import default_lake, queries, workspace
from evidence_assets.cli.runs import Again, report_runs
from evidence_assets.text.suggestions import UnknownNameError

if TYPE_CHECKING:
    from evidence_assets.orchestration.workspace import Workspace


def harvest(
    relations: Annotated[
        list[str] | None, Argument(help="default: every relation that has a seed file", show_default=False)
    ] = None,
    again: Again = False,
) -> None:
    """Mine triples from a masked language model, then report."""
    from evidence_assets.orchestration.runs import materialize_harvest

    project = workspace()
    _check(project, relations or ())
    report_runs(materialize_harvest(project, relations or None, again))
    with queries(default_lake()) as connection:
        print(harvest_table(connection))


def _check(project: Workspace, relations: Sequence[str]) -> None:
    """Check, before the first step, all that a harvest needs."""
    from evidence_assets.extraction.seeds import seed_files

    folder = project.project.seeds_folder
    if folder is not None:
        known = list(seed_files(folder))
        if unknown := [name for name in relations if name not in known]:
            raise UnknownNameError("seed file for", unknown, known, f"{folder} holds {', '.join(known)}")
    check_files(project.project, benchmarks=())
    project.lake.check_writable()
