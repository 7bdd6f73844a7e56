"""The package as others get it: complete, and at work outside the checkout."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

from evidence_assets_tests.testing.distribution import PROJECT, build, install, try_out


@pytest.mark.integration
def test_the_wheel_is_complete_and_works_outside_the_checkout(tmp_path: Path) -> None:
    wheel = build(tmp_path / "dist")
    assert len(list((tmp_path / "dist").glob("*.tar.gz"))) == 1
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    listed = subprocess.run(
        ["git", "ls-files", "evidence_assets"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    tracked = {name for name in listed.stdout.splitlines() if (PROJECT / name).is_file()}
    assert tracked - names == set()
    assert not any(name.startswith(("evidence_assets_tests", "benchmarks", "docs_site")) for name in names)
    outside = tmp_path / "outside"
    outside.mkdir()
    assert "full@extractive" in try_out(install(wheel, tmp_path / "environment"), outside)
