"""The command as a process: its exit status, and what is done before it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evidence_assets_tests.testing.small_project import ANIMAL_QUIZ, write_small_project

ABORTING = """
import atexit, os
from evidence_assets.cli import __main__ as process

class Aborts:
    def __del__(self):
        os.abort()

aborts = Aborts()
atexit.register(lambda: print("tidied up"))

def main():
    print("done")
    return {status}

process.main = main
process.run()
"""


def ended(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_what_aborts_as_the_interpreter_is_taken_apart_does_not_change_the_status() -> None:
    for status in (0, 2):
        process = ended(ABORTING.format(status=status))
        assert (process.returncode, process.stdout) == (status, "done\ntidied up\n"), process.stderr


def test_the_status_of_a_command_is_that_of_its_process() -> None:
    unknown = ended("import sys; sys.argv = ['evidence-assets', 'nothing-like-it']\n" + RUN)
    assert unknown.returncode == 2
    assert "nothing-like-it" in unknown.stderr
    helped = ended("import sys; sys.argv = ['evidence-assets', '--help']\n" + RUN)
    assert helped.returncode == 0
    assert "retract" in helped.stdout


def test_a_reader_that_is_gone_is_no_failure() -> None:
    shown = subprocess.run(
        f"{sys.executable} -m evidence_assets.cli --help | head -1; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in shown.stderr


ENDING = (signal.SIGINT, signal.SIGTERM)


def heed_signals() -> None:
    """Let a new process take the signals that whoever began the tests may block or ignore."""
    for sent in ENDING:
        signal.signal(sent, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


@pytest.mark.integration
@pytest.mark.parametrize("sent", ENDING)
def test_runs_that_are_ended_say_what_stays_and_go_on_later(tmp_path: Path, sent: signal.Signals) -> None:
    project, home = write_small_project(tmp_path / "project"), tmp_path / "home"
    home.mkdir()
    environment = {**os.environ, **project.environment(), "DAGSTER_HOME": str(home)}
    command = [sys.executable, "-m", "evidence_assets.cli", "demo", ANIMAL_QUIZ]
    command += ["--arms", "uscrake/chunks_only_bm25@extractive"]
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,  # noqa: PLW1509 - nothing else runs before the command
    ) as process:
        assert process.stdout is not None
        while " s  " not in process.stdout.readline():
            assert process.poll() is None, "it ended before its first run"
        process.send_signal(sent)
        _, message = process.communicate()
    assert process.returncode == 130
    assert message.endswith("ended: what was made stays, and the same command goes on from there\n")
    assert "Traceback" not in message
    resumed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "chunks_only_bm25@extractive" in resumed.stdout


RUN = "from evidence_assets.cli.__main__ import run\nrun()"
