"""What the terminal shows: tables that fit it, and the runs of a command while they work."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from evidence_assets.audit.score_report import WIDTH, rendered
from evidence_assets.progress import Lines, watched
from evidence_assets.text.visible import visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

# A bar, a count and two times stand beside the name of what works.
_BESIDE_NAMES = 52
_SETTINGS = {"debug": False}


def show_debug(enabled: bool) -> None:
    """Let what runs log stand at the terminal, or else in a file."""
    _SETTINGS["debug"] = enabled


@cache
def _columns() -> int:
    from rich.console import Console

    console = Console()
    return min(WIDTH, console.width) if console.is_terminal else WIDTH


def console() -> Console:
    """Return where commands print: at most WIDTH columns, without colours where it is no terminal."""
    from rich.console import Console

    return Console(width=_columns(), highlight=False, emoji=False, markup=False)


def show(parts: Iterator[RenderableType]) -> None:
    """Print tables and texts one after another."""
    terminal = console()
    if not terminal.is_terminal:
        print(rendered(parts) + "\n")
        return
    for part in parts:
        terminal.print(part)


def show_rows(rows: Sequence[Sequence[str]]) -> None:
    """Print aligned rows: at a terminal the last column is broken to fit; in a pipe a row is a line."""
    rows = [list(map(visible, row)) for row in rows]
    terminal = console()
    if not terminal.is_terminal:
        widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True)]
            print("  ".join([*cells, row[-1]]).rstrip())
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for _ in rows[:1] and rows[0]:
        table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*row)
    terminal.print(table)


@contextmanager
def followed() -> Iterator[None]:
    """Show the runs of this process while they work: bars at a terminal, else a line every ten seconds."""
    with _log_kept():
        if sys.stdout.isatty():
            with _Bars().shown():
                yield
        else:
            with Lines(lambda line: print(visible(f"  ...     {line}"), flush=True)).told():
                yield


def log_file() -> Path | None:
    """Return where the log of runs is kept: in the Dagster instance's folder; None where there is none."""
    home = os.environ.get("DAGSTER_HOME")
    return Path(home) / "logs" / "runs.log" if home else None


@contextmanager
def _log_kept() -> Iterator[None]:
    """Write what runs log, and what libraries complain of, to the log file, unless it is to be shown."""
    path = log_file()
    if path is None or _SETTINGS["debug"]:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    sys.stderr.flush()
    descriptor = os.dup(2)
    with path.open("w", encoding="utf-8", buffering=1) as log:
        os.dup2(log.fileno(), 2)
        try:
            with redirect_stderr(log):
                yield
        finally:
            os.dup2(descriptor, 2)
            os.close(descriptor)


class _Bars:
    """Two bars: how many runs are done, and how far the step is that works now."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self._progress: Progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=12),
            TextColumn("{task.fields[count]:>12}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console(),
            transient=True,
            # What runs log goes to its file, past the bars.
            redirect_stderr=False,
            speed_estimate_period=3_600,
        )
        self._width = max(16, _columns() - _BESIDE_NAMES)
        self._runs = self._progress.add_task("getting ready", total=None, count="")
        self._step = self._progress.add_task("", total=None, count="")

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Draw the bars while the block works."""
        with self._progress, watched(self):
            yield

    def run_begins(self, name: str, partition: str, number: int, total: int) -> None:
        """See `progress.Watcher`."""
        count, name = f"run {number} of {total}", f"{name} {partition}"
        self._progress.update(
            self._runs, description=name[: self._width], count=count, total=total, completed=number - 1
        )

    def step_begins(self, name: str) -> None:
        """See `progress.Watcher`."""
        self._progress.reset(self._step, total=None, description=f"  {name}"[: self._width], count="")

    def counted(self, what: str, done: int, total: int) -> None:
        """See `progress.Watcher`."""
        count = f"{done:,} of {total:,}"
        self._progress.update(self._step, completed=done, total=total, count=count)
