"""What make says before it sets anything up."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]


def made_with(folder: Path, version: tuple[int, int]) -> subprocess.CompletedProcess[str]:
    """Ask make for the environment, with a Python that says it is of a version and does nothing else."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "dagster.yaml"):
        shutil.copy(PROJECT / name, folder / name)
    python = folder / "python"
    program = f"import sys; sys.version_info = {(*version, 0, 'final', 0)}; exec(sys.argv[1])"
    python.write_text(
        f'#!/bin/sh\n[ "$1" = -c ] || {{ echo would set up; exit 3; }}\n'
        f'exec \'{sys.executable}\' -c "{program}" "$2"\n',
        encoding="utf-8",
    )
    python.chmod(0o755)
    command = ["make", "--no-print-directory", ".venv/.installed", f"PYTHON={python}"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("version", "word"), [((3, 10), "old"), ((3, 13), "new"), ((2, 7), "old")])
def test_a_python_that_does_not_fit_is_told_at_once(
    tmp_path: Path, version: tuple[int, int], word: str
) -> None:
    done = made_with(tmp_path, version)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[0] == (
        f"Python {version[0]}.{version[1]} is too {word}: Evidence Assets needs 3.11 or 3.12; remedy: name "
        "one of them, make PYTHON=python3.12"
    )
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("version", [(3, 11), (3, 12)])
def test_a_python_that_fits_sets_up(tmp_path: Path, version: tuple[int, int]) -> None:
    done = made_with(tmp_path, version)
    assert "would set up" in done.stdout
    assert "too" not in done.stderr
