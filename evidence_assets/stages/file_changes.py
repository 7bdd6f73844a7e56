"""What became of files outside the lake since a partition was made of them, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

# What stands for the content of a file that there is no more, and of one that is there and cannot be read.
GONE, UNREADABLE = "gone", "unreadable"
# What is said of a file outside begins with this.
FILE = "file "
# So many changed files of a folder are named; the others are counted.
_FILES_NAMED = 3


def file_change(uri: str, before: str, now: str | None, which: Callable[[], str] = str) -> str:
    """Return what became of a file since it was read; empty where it is as it was, or nothing tells.

    `before`, `now`: its content, or `GONE`, or `UNREADABLE`; None: it cannot be told. `which`: tells of a
    folder that changed which of its files did, as `changed_files` does, or nothing.
    """
    if now is None or now == before:
        return ""
    if now in (GONE, UNREADABLE):
        return f"{FILE}{uri} {'is gone' if now == GONE else 'cannot be read'}"
    named = which()
    return f"{FILE}{uri} changed" + (f" ({named})" if named else "")


def changed_files(record: Mapping[str, Any] | None, uri: str, now: Mapping[str, str]) -> str:
    """Return which files of a folder came, went or changed since a record was written: "a.md changed".

    Empty where nothing tells: versions that did not keep it wrote the record, or the URI names one file.
    """
    noted = (record or {}).get("source_files") or ()
    before = {file["name"]: file["content_hash"] for file in noted if file["source"] == uri}
    if not before or not now:
        return ""
    changes = [
        f"{name} {'removed' if name not in now else 'changed' if name in before else 'added'}"
        for name in sorted({*before, *now})
        if before.get(name) != now.get(name)
    ]
    more = f" and {len(changes) - _FILES_NAMED} more" if len(changes) > _FILES_NAMED else ""
    return ", ".join(changes[:_FILES_NAMED]) + more
