"""What a reader does to the machine while it reads: files it opens, programs it starts, how long it takes."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

# Python's own files, and what libraries look up when they are first imported.
_OF_PYTHON = tuple(
    {
        *(
            os.path.realpath(path)
            for path in (sys.prefix, sys.base_prefix, Path(__file__).parents[2], Path(os.__file__).parent)
        ),
        *("/proc", "/sys", "/dev", "/usr", "/etc/mime.types", "/etc/httpd", "/etc/localtime", "/etc/apache"),
    }
)
_STARTS = frozenset(
    {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect", "socket.getaddrinfo"}
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


@dataclass
class _Watch:
    """The folder that may be opened, while something is watched, and what else was done."""

    allowed: str = ""
    seen: list[str] = field(default_factory=list)


_WATCH = _Watch()


class TooSlowError(AssertionError):
    """One damaged file took longer than any should."""


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if not _WATCH.allowed:
        return
    if event in _STARTS:
        _WATCH.seen.append(f"{event} {arguments[:1]!a:.200}")
    elif event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        path = os.path.realpath(os.fsdecode(arguments[0]))
        writes = isinstance(arguments[2], int) and arguments[2] & _WRITING
        if not path.startswith(_WATCH.allowed) and (writes or not path.startswith(_OF_PYTHON)):
            _WATCH.seen.append(f"open {path}")


sys.addaudithook(_watch)


@contextmanager
def watched(folder: Path, seconds: int = 30) -> Iterator[list[str]]:
    """Note what is opened outside a folder, or started, within; stop what takes longer than that.

    Raises:
        TooSlowError: it took longer.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlowError(f"longer than {seconds} s")

    _WATCH.seen.clear()
    before = signal.signal(signal.SIGALRM, stop)
    _WATCH.allowed = os.path.realpath(folder)
    signal.alarm(seconds)
    try:
        yield _WATCH.seen
    finally:
        signal.alarm(0)
        _WATCH.allowed = ""
        signal.signal(signal.SIGALRM, before)
