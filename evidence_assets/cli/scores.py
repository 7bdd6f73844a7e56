"""`evidence-assets scores`: the arms of benchmarks compared."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

from evidence_assets.audit.score_report import score_report
from evidence_assets.cli.common import default_lake, queries
from evidence_assets.cli.terminal import show
from evidence_assets.text.suggestions import UnknownNameError


def scores(benchmarks: Annotated[list[str], Argument(help="whose scores are printed")]) -> None:
    """Print the scores of benchmarks, with what is missing beside what was found."""
    lake = default_lake()
    with queries(lake) as connection:
        rows = connection.execute(
            "SELECT benchmark FROM questions UNION SELECT benchmark FROM benchmark_scores ORDER BY benchmark"
        ).fetchall()
        known = [benchmark for (benchmark,) in rows]
        if unknown := [name for name in benchmarks if name not in known]:
            listed = (
                f"the lake at {lake.uri} holds {', '.join(known) or 'none'}; remedy: evidence-assets demo"
            )
            raise UnknownNameError("benchmark", unknown, known, listed)
        show(score_report(connection, benchmarks))
        print("next: evidence-assets trace PREDICTION_ID, an id of the view predictions")
