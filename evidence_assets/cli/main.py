"""The `evidence-assets` command: each of its commands is a module beside this one, registered here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from evidence_assets.cli.ablate import ablate
from evidence_assets.cli.ask import ask, prepare
from evidence_assets.cli.check import check, schema
from evidence_assets.cli.demo import demo
from evidence_assets.cli.demo_lm import demo_lm
from evidence_assets.cli.draft_schema import draft_schema
from evidence_assets.cli.export import export
from evidence_assets.cli.export_reader import export_reader
from evidence_assets.cli.gate import gate
from evidence_assets.cli.harvest import harvest
from evidence_assets.cli.init import init, ui
from evidence_assets.cli.listings import arms, benchmarks
from evidence_assets.cli.pages import pages, show
from evidence_assets.cli.retract import retract
from evidence_assets.cli.scores import scores
from evidence_assets.cli.status import status
from evidence_assets.cli.terminal import show_debug
from evidence_assets.cli.trace import trace
from evidence_assets.cli.upkeep import catalogue, migrate, prune
from evidence_assets.extraction.seeds import SeedError
from evidence_assets.lake.conditional_writes import ConcurrentWriteError
from evidence_assets.lake.full_disk import full_disk
from evidence_assets.lake.lake import MissingPartitionError, ReadOnlyLakeError
from evidence_assets.lake.locations import default_root
from evidence_assets.lake.parquet import DamagedFileError, NewerLakeError, OldLakeError
from evidence_assets.lake.store_failures import store_failure
from evidence_assets.sources.records import NothingReadError, UnusableSourceError
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.sources.withheld import as_written, error_as_written
from evidence_assets.stages.declaration import StageError
from evidence_assets.stages.lost_parts import LostPartError
from evidence_assets.text.suggestions import UnknownNameError
from evidence_assets.text.visible import visible

app = typer.Typer(
    help="Answers questions from your corpora, graphs and tables, and shows what each answer rests on: "
    "begin with init, check and demo. Exit status: 0 done, 1 failed, 2 wrong usage or an unknown name.",
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def _of_every_command(
    debug: Annotated[bool, typer.Option("--debug", help="show what runs log, in place of a file")] = False,
) -> None:
    show_debug(debug)


app.command()(init)
app.command()(demo)
app.command()(demo_lm)
app.command()(harvest)
app.command()(ask)
app.command()(prepare)
app.command()(retract)
app.command()(ui)
app.command()(status)
app.command()(check)
app.command()(schema)
app.command()(draft_schema)
app.command()(scores)
app.command()(trace)
app.command()(ablate)
app.command()(pages)
app.command()(show)
app.command()(export)
app.command()(export_reader)
app.command()(gate)
app.command()(arms)
app.command()(benchmarks)
app.command()(prune)
app.command()(migrate)
app.command()(catalogue)

# What a person can mend: told without a stack trace.
_USER_ERRORS = (
    LookupError,
    RuntimeError,
    ConcurrentWriteError,
    ConfigurationError,
    DamagedFileError,
    LostPartError,
    MissingPartitionError,
    NewerLakeError,
    NothingReadError,
    OldLakeError,
    ReadOnlyLakeError,
    SeedError,
    StageError,
    UnusableSourceError,
)
FAILED, UNKNOWN = 1, 2
_REMEDY_OF_FILES = "remedy: see that it is there and that you may read and write it, or name another path"


def _unusable_file(error: Exception) -> str | None:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}; {_REMEDY_OF_FILES}"
    return None


def _damaged_file(error: Exception) -> str | None:
    import duckdb

    unread = isinstance(error, duckdb.IOException | duckdb.InvalidInputException)
    if unread or type(error) is duckdb.Error:
        return str(DamagedFileError(default_root(), str(error).splitlines()[0]))
    return None


def _tell(message: object) -> None:
    print(visible(as_written(str(message))), file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 1 failed, 2 wrong usage or an unknown name."""
    try:
        app(args=arguments, prog_name="evidence-assets")
    except SystemExit as ended:
        return int(ended.code or 0)
    except UnknownNameError as error:
        _tell(error)
        return UNKNOWN
    except _USER_ERRORS as error:
        if isinstance(error, KeyError | IndexError):
            raise  # of this program, not of its user
        _tell(error.args[0] if error.args else error)
        return FAILED
    except Exception as error:
        message = full_disk(error) or store_failure(error) or _unusable_file(error) or _damaged_file(error)
        if message is None:
            told = error_as_written(error)
            if told is error:
                raise
            raise told from told.__cause__
        _tell(message)
        return FAILED
    return 0
