"""`evidence-assets scores`: the arms of benchmarks compared."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

from evidence_assets.audit.report import score_table
from evidence_assets.cli.common import default_lake, queries


def scores(benchmarks: Annotated[list[str], Argument()]) -> None:
    """Print the score table."""
    with queries(default_lake()) as connection:
        print(score_table(connection, benchmarks))
