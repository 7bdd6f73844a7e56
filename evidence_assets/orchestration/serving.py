"""Dagster's server and daemon, one of each an instance: `python -m evidence_assets.orchestration.serving`."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from evidence_assets.orchestration.daemon_lock import Role, SecondDaemonError, keep_over_exec, take_charge

_HOST = "127.0.0.1"
# Dagster's own remedy, `dg dev`, is for projects of `dg`: see docs/design.md.
_SUPERSEDED = "ignore:Function `dev_command` is superseded:FutureWarning"
_DAGSTER = "evidence_assets.orchestration.dagster_command"
_NO_HOME = "DAGSTER_HOME names no folder; remedy: use `evidence-assets ui`, or name one with a dagster.yaml"


class PortTakenError(Exception):
    """Something listens at the port already: names it and the remedy."""


def check_port(port: int) -> None:
    """Check that a port of loopback is free: else a daemon would run without its UI.

    Raises:
        PortTakenError: it is not.
    """
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((_HOST, port))
        except OSError as error:
            raise PortTakenError(
                f"{_HOST}:{port} is taken ({error.strerror}); remedy: name another port, "
                f"`evidence-assets ui --port {port + 1}` or `make ui PORT={port + 1}`"
            ) from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Become Dagster's server of the project; return 1 where that is refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=3000)
    options = parser.parse_args(arguments)
    home = os.environ.get("DAGSTER_HOME", "")
    if not home or not Path(home).is_dir():
        print(_NO_HOME, file=sys.stderr)
        return 1
    try:
        check_port(options.port)
        take_charge(Path(home).resolve(), Role.SERVER)
    except (PortTakenError, SecondDaemonError) as error:
        print(error, file=sys.stderr)
        return 1
    command = [sys.executable, "-W", _SUPERSEDED, "-m", _DAGSTER, "dev", "-m", "evidence_assets.definitions"]
    command += ["--host", _HOST, "--port", str(options.port)]
    keep_over_exec()
    # What a script starts in its background ignores interrupts, by which Dagster ends its own processes.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # The same process, so that a signal to it ends the server and its daemon.
    os.execv(sys.executable, command)  # noqa: S606 - Dagster's own command, with a number for a port


if __name__ == "__main__":
    sys.exit(main())
