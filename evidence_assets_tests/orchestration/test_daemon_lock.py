"""A second daemon on one instance is refused by a line that names the first."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from evidence_assets.orchestration import daemon_lock, serving
from evidence_assets.orchestration.daemon_lock import Role, SecondDaemonError, take_charge
from evidence_assets_tests.testing.serving import free_port

HOLD = """
import sys
from pathlib import Path
from evidence_assets.orchestration.daemon_lock import Role, take_charge
take_charge(Path(sys.argv[1]), Role.SERVER)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def _free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daemon_lock, "_held", {})


def test_a_second_daemon_is_refused_and_told_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    refusal = (
        rf"{re.escape(str(tmp_path))} has its server already: process {first.pid}, started "
        r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \w+; remedy: use that one, or end it, or give this one a "
        r"DAGSTER_HOME of its own"
    )
    try:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        with pytest.raises(SecondDaemonError) as refused:
            take_charge(tmp_path, Role.SERVER)
        assert re.fullmatch(refusal, str(refused.value))
        monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
        assert serving.main(["--port", str(free_port())]) == 1
        assert re.fullmatch(refusal, capsys.readouterr().err.strip())
        take_charge(tmp_path, Role.AUTOMATION)
    finally:
        first.kill()
        first.communicate()
    take_charge(tmp_path, Role.SERVER)
    take_charge(tmp_path, Role.SERVER)


def test_a_port_that_is_taken_is_told_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        assert serving.main(["--port", str(port)]) == 1
    assert capsys.readouterr().err == (
        f"127.0.0.1:{port} is taken (Address already in use); remedy: name another port, "
        f"`evidence-assets ui --port {port + 1}` or `make ui PORT={port + 1}`\n"
    )


def test_dagster_is_served_without_the_warning_that_its_command_is_superseded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.setattr(serving, "take_charge", lambda home, role: None)
    monkeypatch.setattr(serving, "keep_over_exec", lambda: None)
    monkeypatch.setattr(os, "execv", lambda program, command: commands.append(command))
    serving.main(["--port", str(free_port())])
    [command] = commands
    interpreter = command[: command.index("-m")]
    program = (
        "import warnings\n"
        "from dagster._cli.dev import dev_command\n"
        "from dagster_shared.utils.warnings import supersession_warning\n"
        "supersession_warning(f'Function `{dev_command.callback.__name__}`', stacklevel=1)\n"
        "warnings.warn('something else', FutureWarning)\n"
    )
    shown = subprocess.run([*interpreter, "-c", program], capture_output=True, check=True, text=True).stderr
    assert "something else" in shown
    assert "superseded" not in shown


def test_a_server_that_a_script_starts_in_its_background_can_be_interrupted(tmp_path: Path) -> None:
    program = (
        "import os, signal\n"
        "from evidence_assets.orchestration import serving\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "serving.take_charge = lambda home, role: None\n"
        "serving.keep_over_exec = lambda: None\n"
        "become, tells = os.execv, 'import signal; print(signal.getsignal(signal.SIGINT))'\n"
        "os.execv = lambda program, command: become(program, [program, '-c', tells])\n"
        f"serving.main(['--port', '{free_port()}'])\n"
    )
    environment = {**os.environ, "DAGSTER_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, check=True, text=True
    )
    assert "default_int_handler" in done.stdout


def test_without_a_home_the_remedy_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    assert serving.main([]) == 1
    assert capsys.readouterr().err == (
        "DAGSTER_HOME names no folder; remedy: use `evidence-assets ui`, or name one with a dagster.yaml\n"
    )
