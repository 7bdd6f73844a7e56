"""What commands share: the lake that they look into, the project that they work on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from evidence_assets.lake import catalogue
from evidence_assets.lake.filesystem import is_local
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.locations import borrowed_checkout, default_root, is_to_be_made
from evidence_assets.lake.migration import require_current
from evidence_assets.lake.schemas import MATERIALIZATIONS
from evidence_assets.lake.store_failures import store_failure

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from evidence_assets.orchestration.workspace import Workspace


def default_lake() -> Lake:
    """Return the lake that the environment names.

    Raises:
        StoreError, LookupError: it is in a store that does not answer, or lets nobody in.
    """
    return _reached(Lake(default_root()))


def lake_to_read() -> Lake:
    """Return the lake that the environment names, of which something is asked.

    Raises:
        StoreError, LookupError: it is in a store that does not answer, or lets nobody in, or it is not there.
    """
    lake = default_lake()
    require_lake(lake)
    return lake


def require_lake(lake: Lake) -> None:
    """Refuse to look into a lake that EVIDENCE_LAKE names where none is: the name may be a slip.

    Raises:
        LookupError: no lake stands there.
    """
    if missing := missing_lake(lake):
        raise LookupError(missing)


def missing_lake(lake: Lake) -> str:
    """Return what to do where EVIDENCE_LAKE names no lake that is there; "" where one is, or may be made."""
    if is_to_be_made(lake.uri) or lake.is_there():
        return ""
    return (
        f"there is no lake at {lake.uri}, which EVIDENCE_LAKE names; remedy: set it to the folder or "
        "the URI of one, unset it for the project's own, or make one there: evidence-assets demo"
    )


def _reached(lake: Lake) -> Lake:
    """Return a lake that is here, or whose store answers: each kind of store has errors of its own."""
    if not is_local(lake.filesystem):
        try:
            lake.filesystem.exists(lake.path)
        except Exception as error:
            raise store_failure(error, lake.uri) or LookupError(
                f"{lake.uri} cannot be reached: {error}; remedy: give the store's credentials and address in "
                "the environment, or set EVIDENCE_LAKE to another place"
            ) from error
    return lake


@contextmanager
def queries(lake: Lake) -> Iterator[DuckDBPyConnection]:
    """Yield a connection to the lake's catalogue.

    Raises:
        OldLakeError: a version before this one wrote the lake, and its hashes mean something else.
        NewerLakeError: a later version wrote what it records.
    """
    require_current(lake, [MATERIALIZATIONS.name])
    with catalogue.connect(lake) as connection:
        yield connection


def workspace_if_sound() -> Workspace | None:
    """Return the workspace that the environment names; None where its configuration cannot be used.

    What a lake holds is shown without one; what became of its sources is not known then.
    """
    from evidence_assets.orchestration.workspace import Workspace
    from evidence_assets.sources.specifications import ConfigurationError

    try:
        return Workspace.from_environment()
    except ConfigurationError:
        return None


def tell_stale_inputs(project: Workspace, benchmark: str, arms: Iterable[str], question_id: str = "") -> None:
    """Say which files changed since what these arms' answers rest on was read from them.

    `question_id`: of the tables that people asked, this question's alone is looked at.
    """
    from evidence_assets.orchestration.changed_sources import (
        changed_sources,
        changed_tables,
        in_one_line,
        tables_in_one_line,
    )

    if changes := changed_sources(project, benchmark, arms):
        print(in_one_line(changes))
    if changes := changed_tables(project, benchmark, question_id):
        print(tables_in_one_line(changes))


def tell_outdated(project: Workspace, benchmark: str, arms: Iterable[str]) -> None:
    """Say what of the lake itself is otherwise since these arms' answers were made of it, or was removed."""
    from evidence_assets.orchestration.changed_sources import in_one_line, lake_freshness, outdated

    if changes := outdated(project, lake_freshness(project), benchmark, arms):
        print(in_one_line(changes))


def tell_outdated_scores(
    project: Workspace, connection: DuckDBPyConnection, benchmarks: Sequence[str]
) -> None:
    """Say where scores are older than what the answers were made from, as after a run that was stopped."""
    from evidence_assets.orchestration.changed_sources import in_one_line, lake_freshness, outdated

    scored = connection.execute(
        "SELECT DISTINCT benchmark, system || '/' || arm FROM benchmark_scores "
        "WHERE list_contains(?, benchmark) ORDER BY ALL",
        [list(benchmarks)],
    ).fetchall()
    freshness = lake_freshness(project)
    for benchmark, of_benchmark in groupby(scored, key=itemgetter(0)):
        if changes := outdated(project, freshness, benchmark, [arm for _, arm in of_benchmark]):
            print(in_one_line(changes))


def tell_borrowed_checkout() -> None:
    """Say whose project is worked on, where the current folder is in none."""
    if (checkout := borrowed_checkout()) and not os.environ.get("EVIDENCE_SOURCES"):
        print(
            f"no sources.yaml here or above: working in {checkout}; remedy: go to your project's folder, or "
            "make one: evidence-assets init NAME",
            file=sys.stderr,
        )


def workspace(to_read: bool = False) -> Workspace:
    """Return the workspace that the environment names; Dagster is loaded by its runs alone.

    `to_read`: a lake that is not there is refused, as `require_lake` does.

    Raises:
        ConfigurationError: the configuration cannot be used.
        UnknownProfileError: the environment names no profile that there is.
        StoreError, LookupError: the lake cannot be reached, or none is there to read.
    """
    from evidence_assets.models.profiles import current_profile
    from evidence_assets.orchestration.workspace import Workspace

    current_profile()
    tell_borrowed_checkout()
    project = Workspace.from_environment()
    _reached(project.lake)
    if to_read:
        require_lake(project.lake)
    return project
