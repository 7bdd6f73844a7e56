"""A Postgres server of a test's own on loopback, from the system's package, run as an unprivileged user."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evidence_assets_tests.testing.serving import free_port

# Debian keeps the server's programs, a version a folder, out of PATH.
_INSTALLED = Path("/usr/lib/postgresql")
_PACKAGES_USER = "postgres"
_USER = "dagster"


def programs() -> Path | None:
    """The folder of the server's programs; None where it is not installed."""
    if program := shutil.which("pg_ctl"):
        return Path(program).parent
    versions = sorted(_INSTALLED.glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    return versions[-1].parent if versions else None


@dataclass(frozen=True)
class Postgres:
    """A server that runs."""

    programs: Path
    folder: Path
    port: int
    user: str | None

    @property
    def url(self) -> str:
        return f"postgresql+psycopg2://{_USER}@127.0.0.1:{self.port}/postgres"

    def run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        # What a server leaves open would keep this process waiting for its output.
        subprocess.run(
            command, check=True, user=self.user, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def control(self, action: str, *arguments: str) -> None:
        data, log = str(self.folder / "data"), str(self.folder / "log")
        self.run("pg_ctl", "--pgdata", data, "--log", log, "--wait", *arguments, action)

    def restart(self) -> None:
        """Restart at once, as after a crash: connections break, nothing is said to clients."""
        self.control("restart", "--mode", "immediate")


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Yield a server with an empty database.

    Raises:
        RuntimeError: it is not installed, or this user may not run it.
    """
    installed = programs()
    if installed is None:
        raise RuntimeError("no Postgres: apt-get install postgresql")
    user = _PACKAGES_USER if os.geteuid() == 0 else None
    # A test's own folder may be closed to the server's user.
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    server = Postgres(installed, folder, free_port(), user)
    try:
        if user is not None:
            account = pwd.getpwnam(user)
            os.chown(folder, account.pw_uid, account.pw_gid)
        data = str(folder / "data")
        server.run("initdb", "--pgdata", data, "--username", _USER, "--auth", "trust", "--encoding", "UTF8")
        options = f"-h 127.0.0.1 -p {server.port} -k {folder} -c fsync=off"
        server.control("start", "--options", options)
        try:
            yield server
        finally:
            server.control("stop", "--mode", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
