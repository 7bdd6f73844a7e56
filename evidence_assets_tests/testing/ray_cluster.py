"""A Ray cluster of a test's own on loopback: a head that takes no job, and nodes of one core each."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

from evidence_assets_tests.testing.serving import free_port

# Ray takes 127.0.0.1 for the machine's own address; the others of loopback it leaves as they are.
_HEAD = "127.0.0.2"
_FIRST_NODE = 3
_STARTS_WITHIN = 120.0
_ENDS_WITHIN = 20.0
_OBJECT_STORE_BYTES = 80 << 20


@dataclass(frozen=True)
class RayCluster:
    """A cluster that runs, and the token that it asks for."""

    dashboard: str
    token: str
    nodes: tuple[str, ...]
    processes: Mapping[str, subprocess.Popen[bytes]]

    def nodes_of_runs(self) -> dict[str, str]:
        """The address of the node that took each of Dagster's runs, by the run's id."""
        return {
            job["metadata"]["dagster/run-id"]: str(urlsplit(job["driver_agent_http_address"]).hostname)
            for job in self._asked("/api/jobs/")
            if job["driver_agent_http_address"]
        }

    def kill(self, node: str) -> None:
        """Kill every process of a node at once, the runs that it works on too, as when a machine is lost."""
        node_itself = psutil.Process(self.processes[node].pid)
        for process in (node_itself, *node_itself.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def living_nodes(self) -> list[str]:
        """The addresses of the nodes that have joined, the head among them."""
        listed = self._asked("/api/v0/nodes")["data"]["result"]["result"]
        return sorted(node["node_ip"] for node in listed if node["state"] == "ALIVE")

    def _asked(self, path: str) -> Any:
        bearer = {"Authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(self.dashboard + path, headers=bearer)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@contextmanager
def ray_cluster(nodes: int) -> Iterator[RayCluster]:
    """Yield a cluster of a head and so many nodes, which run in this process's environment."""
    # Sockets stand in Ray's folder, whose paths may not be long.
    folder = Path(tempfile.mkdtemp(prefix="ray-"))
    addresses = tuple(f"127.0.0.{_FIRST_NODE + number}" for number in range(nodes))
    token = secrets.token_hex(32)
    # Jobs are shell commands that find `dagster` by their node's PATH.
    programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token, "PATH": programs}
    head, dashboard = free_port(), free_port()
    started: dict[str, subprocess.Popen[bytes]] = {}
    cluster = RayCluster(f"http://{_HEAD}:{dashboard}", token, addresses, started)
    serving = [f"--dashboard-host={_HEAD}", f"--dashboard-port={dashboard}", "--num-cpus=0"]
    try:
        options = ["--head", f"--port={head}", f"--temp-dir={folder}", *serving]
        started[_HEAD] = _start(_HEAD, options, folder, environment)
        _wait_for(cluster, {_HEAD}, folder)
        for address in addresses:
            options = [f"--address={_HEAD}:{head}", "--num-cpus=1"]
            started[address] = _start(address, options, folder, environment)
            _wait_for(cluster, {_HEAD, address}, folder)
        yield cluster
    finally:
        for process in reversed(started.values()):
            end_group(process)
        shutil.rmtree(folder, ignore_errors=True)


def _start(
    address: str, options: list[str], folder: Path, environment: dict[str, str]
) -> subprocess.Popen[bytes]:
    """Start a node under an address of its own, all of its processes in one group."""
    common = {
        "node-ip-address": address,
        "dashboard-agent-listen-port": free_port(),
        "object-store-memory": _OBJECT_STORE_BYTES,
    }
    options = [*options, *(f"--{name}={value}" for name, value in common.items())]
    ray = str(Path(sys.executable).parent / "ray")
    command = [ray, "start", "--block", "--disable-usage-stats", *options]
    with (folder / f"{address}.log").open("wb") as log:
        return subprocess.Popen(
            command, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )


def _wait_for(cluster: RayCluster, wanted: set[str], folder: Path) -> None:
    deadline = time.monotonic() + _STARTS_WITHIN
    while True:
        try:
            if wanted <= set(cluster.living_nodes()):
                return
        except (urllib.error.URLError, OSError):
            pass  # not there yet
        assert time.monotonic() < deadline, "\n".join(
            log.read_text(encoding="utf-8", errors="replace")[-2000:] for log in folder.glob("*.log")
        )
        time.sleep(0.5)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process that leads a session, and every process that it started there."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=_ENDS_WITHIN)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
