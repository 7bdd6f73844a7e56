"""`evidence-assets scores`: the arms of benchmarks compared."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated

from typer import Argument

from evidence_assets.audit.score_report import score_report
from evidence_assets.cli.common import default_lake, queries, workspace_if_sound
from evidence_assets.cli.terminal import show
from evidence_assets.text.suggestions import UnknownNameError

if TYPE_CHECKING:
    from evidence_assets.orchestration.workspace import Workspace


def scores(benchmarks: Annotated[list[str], Argument(help="whose scores are printed")]) -> None:
    """Print the scores of benchmarks, with what is missing beside what was found."""
    lake = default_lake()
    with queries(lake) as connection:
        rows = connection.execute(
            "SELECT benchmark FROM questions UNION SELECT benchmark FROM benchmark_scores ORDER BY benchmark"
        ).fetchall()
        held = [benchmark for (benchmark,) in rows]
        project = workspace_if_sound()
        # One that was not run yet is told so, and how it is.
        known = {*held, *(project.project.named_benchmarks if project is not None else ())}
        if unknown := [name for name in benchmarks if name not in known]:
            listed = f"the lake at {lake.uri} holds {', '.join(held) or 'none'}; remedy: evidence-assets demo"
            raise UnknownNameError("benchmark", unknown, known, listed)
        show(score_report(connection, benchmarks))
        scored = connection.execute(
            "SELECT DISTINCT benchmark, system || '/' || arm FROM benchmark_scores "
            "WHERE list_contains(?, benchmark) ORDER BY ALL",
            [benchmarks],
        ).fetchall()
    if project is not None:
        _tell_outdated(project, scored)
    print("next: evidence-assets trace PREDICTION_ID, an id of the view predictions")


def _tell_outdated(project: Workspace, scored: Iterable[tuple[str, str]]) -> None:
    """Say where scores are older than what the answers were made from, as after a run that was stopped."""
    from evidence_assets.orchestration.changed_sources import in_one_line, outdated

    for benchmark, of_benchmark in groupby(scored, key=itemgetter(0)):
        if changes := outdated(project, benchmark, [arm for _, arm in of_benchmark]):
            print(in_one_line(changes))
