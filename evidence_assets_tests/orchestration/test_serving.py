"""The UI is served to this machine alone, whatever is asked for."""

from __future__ import annotations

import inspect
import logging
import os
import re
from ipaddress import ip_address
from pathlib import Path

import psutil
import pytest
from dagster._cli import dev as dagster_dev

from evidence_assets.cli.main import main
from evidence_assets.orchestration import serving
from evidence_assets.orchestration.dagster_command import is_true
from evidence_assets.orchestration.home import home_of
from evidence_assets_tests.testing.killed_daemon import KilledDaemon
from evidence_assets_tests.testing.serving import free_port, wait_until_served
from evidence_assets_tests.testing.small_project import write_small_project

START = 300.0


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the process becomes, in place of becoming it."""
    became: list[list[str]] = []
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.setattr(serving, "take_charge", lambda home, role: None)
    monkeypatch.setattr(serving, "keep_over_exec", lambda: None)
    monkeypatch.setattr(os, "execv", lambda program, command: became.append(command))
    return became


def test_dagster_is_told_to_listen_on_loopback(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOST", "DAGSTER_HOST", "DAGSTER_WEBSERVER_HOST", "DAGSTER_DEV_HOST"):
        monkeypatch.setenv(name, "0.0.0.0")
    port = free_port()
    serving.main(["--port", str(port)])
    [command] = commands
    assert command[-4:] == ["--host", "127.0.0.1", "--port", str(port)]
    assert command.count("--host") == 1


@pytest.mark.parametrize("asked", [["--host", "0.0.0.0"], ["--host=0.0.0.0"], ["0.0.0.0"]])
def test_another_host_is_refused(
    commands: list[list[str]], asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        serving.main(["--port", str(free_port()), *asked])
    assert ended.value.code == 2
    assert "unrecognized arguments" in capsys.readouterr().err
    assert main(["ui", *asked]) == 2
    assert asked[0].partition("=")[0] in capsys.readouterr().err
    assert commands == []


def test_settings_that_the_home_follows_are_not_said_to_be_left_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dagster says so of any dagster.yaml beside which it is started, whatever its home's is."""
    project = tmp_path / "project"
    project.mkdir()
    written = project / "dagster.yaml"
    written.write_text("telemetry:\n  enabled: false\n", encoding="utf-8")
    home = home_of(project)
    monkeypatch.chdir(project)
    monkeypatch.setenv("DAGSTER_HOME", str(home))
    said = inspect.getsource(dagster_dev)
    [line] = re.findall(r'"(Found a dagster instance [^"]*)"', said)
    warning = logging.LogRecord(
        "dagster", logging.WARNING, "", 0, line.format(dagster_yaml_path=written), (), None
    )
    other = logging.LogRecord("dagster", logging.WARNING, "", 0, "Found another", (), None)
    assert not is_true(warning) and is_true(other)
    (home / "dagster.yaml").unlink()
    (home / "dagster.yaml").write_text("telemetry:\n  enabled: true\n", encoding="utf-8")
    assert is_true(warning)


@pytest.mark.integration
def test_nothing_that_the_ui_starts_listens_beyond_this_machine(tmp_path: Path) -> None:
    project, home = write_small_project(tmp_path / "project"), tmp_path / "home"
    home.mkdir()
    (home / "dagster.yaml").write_text("telemetry:\n  enabled: false\n", encoding="utf-8")
    daemon = KilledDaemon(project, home, free_port())
    daemon.start()
    try:
        wait_until_served(f"http://127.0.0.1:{daemon.port}", START)
        assert daemon.process is not None
        server = psutil.Process(daemon.process.pid)
        listening = {
            connection.laddr
            for process in (server, *server.children(recursive=True))
            for connection in process.net_connections(kind="inet")
            if connection.status == psutil.CONN_LISTEN
        }
    finally:
        daemon.end()
    assert ("127.0.0.1", daemon.port) in listening
    assert {address for address in listening if not ip_address(address.ip).is_loopback} == set()
