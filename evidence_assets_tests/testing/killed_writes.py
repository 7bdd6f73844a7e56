"""What a process that was killed while it wrote a file leaves beside it."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path


def leftover_of_a_killed_process(path: Path) -> Path:
    """Where a process of this machine that is over was preparing what was to become `path`."""
    ended = subprocess.Popen(["true"])
    ended.wait()
    return path.with_name(f".{path.name}.{socket.gethostname()}.{ended.pid}.tmp")
