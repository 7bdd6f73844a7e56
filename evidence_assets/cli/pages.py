"""`evidence-assets pages` and `show`: answers beside their evidence, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from evidence_assets.audit.report import unknown_prediction
from evidence_assets.cli.common import lake_to_read, queries, workspace
from evidence_assets.cli.runs import Again, report_runs
from evidence_assets.lake.filesystem import is_local

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from evidence_assets.lake.lake import Lake


def pages(
    benchmark: Annotated[
        list[str] | None, Option(help="of this benchmark; may be repeated (default: all that were answered)")
    ] = None,
    arm: Annotated[
        list[str] | None,
        Option(help="of this arm, system/arm or arm; may be repeated (default: all that answered)"),
    ] = None,
    again: Again = False,
) -> None:
    """Write pages of answers beside their evidence, and of scores; print what to open."""
    from evidence_assets.orchestration.runs import materialize_pages

    project = workspace(to_read=True)
    report_runs(project.lake, materialize_pages(project, benchmark, arm, again), again)
    print(f"open {opening(project.lake)}")


def show(prediction_id: Annotated[str, Argument(help="an id of the view predictions")]) -> None:
    """Print what to open to see a prediction beside its evidence."""
    lake = lake_to_read()
    with queries(lake) as connection:
        print(f"open {_address(lake, page_of(connection, lake, prediction_id))}")


def opening(lake: Lake) -> str:
    """Write the front page of all pages, and return where to open it: a file's URL, or the lake's path."""
    from evidence_assets.audit.pages.front_page import write_front_page

    return _address(lake, write_front_page(lake))


def _address(lake: Lake, path: str) -> str:
    return Path(path).as_uri() if is_local(lake.filesystem) else f"{lake.uri}{path.removeprefix(lake.path)}"


def page_of(connection: DuckDBPyConnection, lake: Lake, prediction_id: str) -> str:
    """Return the path of a prediction's page.

    Raises:
        UnknownNameError: there is no such prediction.
        LookupError: its page was never written.
    """
    row = connection.execute(
        "SELECT path FROM evidence_pages WHERE prediction_id = ? AND page = prediction_id || '.html'",
        [prediction_id],
    ).fetchone()
    if row is not None:
        return f"{lake.path}/{row[0]}"
    experiment = connection.execute(
        "SELECT system, arm, benchmark FROM predictions WHERE prediction_id = ?", [prediction_id]
    ).fetchone()
    if experiment is None:
        raise unknown_prediction(connection, prediction_id)
    system, arm, benchmark = experiment
    raise LookupError(
        f"prediction {prediction_id} has no page yet; remedy: evidence-assets pages --benchmark {benchmark} "
        f"--arm {system}/{arm}"
    )
