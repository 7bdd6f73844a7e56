"""What the lock holds is audited against the advisories of Python's package index, where they are reached."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
# Advisories for part of what is pinned are better than none; for hardly any of it they are no audit.
LEAST_SHARE = 0.5


@pytest.mark.integration
def test_no_pinned_version_has_a_known_weakness() -> None:
    if find_spec("pip_audit") is None:
        pytest.skip("pip-audit is not installed: pip install -e '.[dev]'")
    pinned = ["-r", str(PROJECT / "constraints.txt"), "--no-deps", "--disable-pip"]
    try:
        audit = subprocess.run(
            [
                sys.executable,
                "-m",
                "pip_audit",
                *pinned,
                "--progress-spinner",
                "off",
                "-f",
                "json",
                "--timeout",
                "10",
            ],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        packages = json.loads(audit.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError):
        pytest.skip("the database of advisories cannot be reached")
    audited = [package for package in packages if "skip_reason" not in package]
    if len(audited) < LEAST_SHARE * len(packages):
        pytest.skip(f"the database of advisories knows {len(audited)} of {len(packages)} packages from here")
    weak = {
        package["name"]: [weakness["id"] for weakness in package["vulns"]]
        for package in audited
        if package["vulns"]
    }
    assert weak == {}, (
        "take a version that mends it, or say in SECURITY.md why it does not concern the project"
    )
