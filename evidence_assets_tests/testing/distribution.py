"""Wheel and sdist, and the wheel tried where nothing of the checkout is; `make dist` calls this.

The environment is new, and its only package is the wheel. The environment of this process lends the
dependencies, by a path file: to install them anew takes minutes and the network, and shows nothing of the
wheel. The demo is cut down to the tables of the starter.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
BENCHMARK = "starter_tables"


def build(folder: Path) -> Path:
    """Build the sdist, and the wheel from it, into a folder; return the wheel."""
    # Without isolation: the build backend is in this environment, and nothing is fetched.
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(PROJECT)]
    run(command, PROJECT)
    return max(folder.glob("*.whl"), key=lambda wheel: wheel.stat().st_mtime)


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel alone into a new environment; return the folder of its programs."""
    venv.create(folder, symlinks=True, with_pip=False)
    paths = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=paths))
    # A path that a path file names is not searched for path files: the checkout's own is not lent.
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    programs = Path(sysconfig.get_path("scripts", "venv", vars=paths))
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(programs / "python"),
        "install",
        "--quiet",
        "--no-deps",
    ]
    run([*pip, "--no-index", "--force-reinstall", str(wheel)], folder)
    return programs


def try_out(programs: Path, folder: Path) -> str:
    """Make a project in a folder and run the cut-down demo in it; return what was printed last."""
    command = str(programs / "evidence-assets")
    run([command, "init", "project"], folder)
    project = folder / "project"
    where = "import evidence_assets; print(evidence_assets.__file__)"
    imported = run([str(programs / "python"), "-c", where], project)
    assert Path(imported.strip()).is_relative_to(programs.parent), f"{imported} is not the wheel's"
    run([command, "check"], project)
    run([command, "demo", BENCHMARK], project)
    return run([command, "scores", BENCHMARK], project)


def run(command: Sequence[str], folder: Path) -> str:
    """Run a command outside the checkout's settings; return its output. Fails with what it printed."""
    ours = ("EVIDENCE_", "DAGSTER_", "PYTHONPATH", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def main(arguments: Sequence[str]) -> None:
    """Build into the folder that is named, and try the wheel in one that is removed."""
    wheel = build(Path(arguments[0]).resolve())
    print(f"{wheel.name} and its sdist are built")
    with tempfile.TemporaryDirectory(prefix="evidence-assets-wheel-") as folder:
        print(try_out(install(wheel, Path(folder) / "environment"), Path(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
