"""Servers beside a test: a port that is free, and whether they answer."""

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


def answers(address: str) -> bool:
    """Tell whether the server of an address answers that all is well."""
    try:
        with urllib.request.urlopen(address, timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def wait_until_served(address: str, seconds: float) -> None:
    """Wait until the server of an address answers."""
    deadline = time.monotonic() + seconds
    while not answers(f"{address}/server_info"):
        assert time.monotonic() < deadline, f"{address} did not answer"
        time.sleep(0.5)
