"""`evidence-assets scores`: the arms of benchmarks compared."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

from evidence_assets.audit.score_report import score_report
from evidence_assets.cli.common import lake_to_read, queries, tell_outdated_scores, workspace_if_sound
from evidence_assets.cli.terminal import show
from evidence_assets.text.suggestions import UnknownNameError


def scores(benchmarks: Annotated[list[str], Argument(help="whose scores are printed")]) -> None:
    """Print the scores of benchmarks, with what is missing beside what was found."""
    lake = lake_to_read()
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
        if project is not None:
            tell_outdated_scores(project, connection, benchmarks)
    print("next: evidence-assets trace PREDICTION_ID, an id of the view predictions")
