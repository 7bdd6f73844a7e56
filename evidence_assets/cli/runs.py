"""Runs as they are told at the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from typer import Exit, Option

from evidence_assets.cli.terminal import followed, log_file
from evidence_assets.lake.locations import default_root
from evidence_assets.text.visible import visible

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake
    from evidence_assets.orchestration.plan import EndedRun

# As shells tell that a command was ended from the keyboard.
INTERRUPTED = 130
Again = Annotated[bool, Option("--again", help="make all of it anew, what is up to date too")]


def report_runs(lake: Lake, runs: Iterator[EndedRun], again: bool = False) -> None:
    """Print each run with its seconds when it is done, then how many there were and where the lake is.

    What works now is shown meanwhile, with the time that is left; what runs log is kept in a file. Runs that
    were skipped are counted. `again`: what is up to date is made too, so that the same command would begin
    anew.

    Raises:
        ReadOnlyLakeError: the lake takes nothing; no run is begun.
        RuntimeError: a run failed; the message tells where its log is.
        LookupError: DAGSTER_HOME is not set, and the current folder is in no project.
        Exit: somebody ended a run.
    """
    from evidence_assets.orchestration.home import use_home

    lake.check_writable()
    use_home()
    started, count, skipped = time.perf_counter(), 0, 0
    try:
        with followed():
            for job, partition, seconds in runs:
                if seconds is None:
                    skipped += 1
                    continue
                count += 1
                print(f"{seconds:6.1f} s  {job:24} {visible(partition)}", flush=True)
    except RuntimeError as error:
        path = log_file()
        raise RuntimeError(f"{error}" + (f"\nthe log is in {path}" if path else "")) from error
    except KeyboardInterrupt:
        command = "the same command without --again" if again else "the same command"
        print(f"ended: what was made stays, and {command} goes on from there", file=sys.stderr)
        raise Exit(INTERRUPTED) from None
    made = f"{count} run" if count == 1 else f"{count} runs"
    if skipped:
        made += f", {skipped} skipped: what they read came out as it was"
    if not (count or skipped):
        made = "nothing to do, all is up to date"
    seconds = time.perf_counter() - started
    print(f"{seconds:6.1f} s  in all ({made}); the lake is at {default_root()}\n")
