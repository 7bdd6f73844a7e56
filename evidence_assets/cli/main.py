"""The `evidence-assets` command: each of its commands is a module beside this one, registered here."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from evidence_assets.cli.demo import demo
from evidence_assets.cli.harvest import harvest
from evidence_assets.cli.listings import arms, benchmarks
from evidence_assets.cli.scores import scores
from evidence_assets.cli.status import status
from evidence_assets.cli.trace import trace
from evidence_assets.cli.upkeep import catalogue, migrate, prune
from evidence_assets.extraction.seeds import SeedError
from evidence_assets.lake.parquet import NewerLakeError, OldLakeError
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.stages.declaration import StageError

app = typer.Typer(
    help="The demo, what is up to date, scores and traces, what can be read.",
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
)
app.command()(demo)
app.command()(harvest)
app.command()(status)
app.command()(scores)
app.command()(trace)
app.command()(arms)
app.command()(benchmarks)
app.command()(prune)
app.command()(migrate)
app.command()(catalogue)

_USER_ERRORS = (
    LookupError,
    RuntimeError,
    ConfigurationError,
    SeedError,
    StageError,
    OldLakeError,
    NewerLakeError,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status."""
    try:
        app(args=arguments, prog_name="evidence-assets")
    except SystemExit as ended:
        return int(ended.code or 0)
    except _USER_ERRORS as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
