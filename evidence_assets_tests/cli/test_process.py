"""The command as a process: its exit status, and what is done before it ends."""

from __future__ import annotations

import subprocess
import sys

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


RUN = "from evidence_assets.cli.__main__ import run\nrun()"
