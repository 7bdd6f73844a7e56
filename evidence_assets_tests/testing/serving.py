"""Dagster's server beside a test: a port that is free, and when it answers."""

from __future__ import annotations

import socket
import time
import urllib.error
import urllib.request


def free_port() -> int:
    """Return a port of loopback that nothing listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_until_served(address: str, seconds: float) -> None:
    """Wait until the server of an address answers."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(f"{address}/server_info", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            assert time.monotonic() < deadline, f"{address} did not answer"
            time.sleep(0.5)
