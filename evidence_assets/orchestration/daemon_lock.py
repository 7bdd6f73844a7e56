"""One daemon an instance: a second one is refused by a line that names the first."""

from __future__ import annotations

import fcntl
import os
import time
from enum import StrEnum
from pathlib import Path
from typing import IO

_held: dict[Path, IO[str]] = {}


class Role(StrEnum):
    """What one process alone does for an instance."""

    SERVER = "server"
    # A daemon may outlive the server that started it, or be started by another command.
    AUTOMATION = "automation"


class SecondDaemonError(Exception):
    """Another process has this role for the instance: names it, its start and the remedy."""


def take_charge(home: Path, role: Role) -> None:
    """Take a role for an instance for as long as this process lives.

    The lock is the kernel's: it ends with the process that holds it, however that ends.

    Raises:
        SecondDaemonError: another process has it.
    """
    path = home / f"evidence_assets_{role}.lock"
    if path in _held:
        return
    file = path.open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        first = file.read().strip() or "a process that tells nothing of itself"
        file.close()
        raise SecondDaemonError(
            f"{home} has its {role} already: {first}; remedy: use that one, or end it, or give this one a "
            "DAGSTER_HOME of its own"
        ) from None
    file.seek(0)
    file.truncate()
    started = time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime())
    file.write(f"process {os.getpid()}, started {started}\n")
    file.flush()
    _held[path] = file


def keep_over_exec() -> None:
    """Let the program that replaces this one hold what this one holds."""
    for file in _held.values():
        os.set_inheritable(file.fileno(), True)
