"""Dagster's events in SQLite files, written without waiting for the disk after each.

Dagster opens and closes two files for every event. By SQLite's defaults each waits for the disk twice: when
the event is committed, and when the last connection closes. Here a commit does not wait, and a connection
that stays open keeps the file's log from being folded into it at every close. A process that is killed loses
no event. A machine that loses its power may lose the last ones, never the file; `reconciliation` then records
anew what the lake holds and the events do not.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from contextlib import suppress
from threading import Lock
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

# A file a run, and those of all runs, schedules and sensors.
MOST_KEPT = 8
kept_open: OrderedDict[str, sqlite3.Connection] = OrderedDict()
_keeping = Lock()


def write_without_waiting() -> None:
    """Have every SQLite file that this process opens from now on written so; a second call does nothing."""
    if not event.contains(Engine, "connect", _opened):
        event.listen(Engine, "connect", _opened)


def _opened(connection: Any, _record: object) -> None:
    if not isinstance(connection, sqlite3.Connection):
        return
    connection.execute("PRAGMA synchronous = NORMAL")
    path = connection.execute("PRAGMA database_list").fetchone()[2]
    # Kept in memory: it has no file.
    if path:
        _keep(path)


def _keep(path: str) -> None:
    """Leave a connection open to this file and to those opened last before it."""
    # Whoever opened the file finds what is wrong with it.
    with _keeping, suppress(sqlite3.Error):
        if path not in kept_open:
            kept_open[path] = sqlite3.connect(path, timeout=0, check_same_thread=False)
        kept_open.move_to_end(path)
        while len(kept_open) > MOST_KEPT:
            kept_open.popitem(last=False)[1].close()
        # By reading it takes part in the file's log, which Dagster begins after it has opened the file.
        kept_open[path].execute("SELECT count(*) FROM sqlite_master").fetchall()
