"""With which versions results were measured: what a file says, and today's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import measured_with
from benchmarks.measured_with import RECORDED, UNRECORDED, age, of_today, systems_measured, versions
from benchmarks.result_files import RESULTS
from evidence_assets.systems.registry import SYSTEMS


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(measured_with, "systems_measured", lambda: {"quiz": ["ucret", "kaping"]})
    monkeypatch.setattr(
        measured_with, "versions_of_today", lambda: {"ucret": "4-abc", "kaping": "2-def", "uscrake": "1"}
    )
    return tmp_path


def test_a_result_that_names_no_versions_is_said_to(results: Path) -> None:
    (results / "quiz.json").write_text("{}", encoding="utf-8")
    assert age(["quiz", "no result of systems"], results) == UNRECORDED


@pytest.mark.parametrize(
    ("recorded", "remark"),
    [
        ({"ucret": "4-abc", "kaping": "2-def"}, ""),
        ({"ucret": "4-abd", "kaping": "2-def"}, "UCRET 4, of which other weights stand now"),
        ({"ucret": "4"}, ""),
        ({"ucret": "41"}, "UCRET 41, of which 4 stands now"),
    ],
)
def test_a_result_says_itself_what_measured_it(results: Path, recorded: dict[str, str], remark: str) -> None:
    (results / "quiz.json").write_text(json.dumps({RECORDED: recorded}), encoding="utf-8")
    assert age(["quiz"], results) == remark
    assert of_today("quiz") == {"ucret": "4-abc", "kaping": "2-def"}
    assert of_today("no result of systems") == {}


def arms(part: Any) -> Iterator[str]:
    """Yield the arms of a result that read something: `full@extractive`."""
    if isinstance(part, dict):
        if isinstance(part.get("arm"), str) and "@" in part["arm"]:
            yield part["arm"]
        for inner in part.values():
            yield from arms(inner)
    if isinstance(part, list):
        for inner in part:
            yield from arms(inner)


# Figures of this one name the revision that each is of.
OF_REVISIONS = RESULTS / "first_figures.json"


@pytest.mark.parametrize(
    "file", sorted({*RESULTS.glob("*.json")} - {OF_REVISIONS}), ids=lambda file: file.stem
)
def test_a_result_of_arms_says_their_versions(file: Path) -> None:
    is_of_arms = any(arms(json.loads(file.read_text(encoding="utf-8"))))
    assert file.stem in systems_measured() or not is_of_arms, "name its systems in measured_with.yaml"
    assert set(versions(file.stem, file.parent)) == set(systems_measured().get(file.stem, ()))


def test_every_system_has_a_version_of_today() -> None:
    assert {system.name for system in SYSTEMS} < set(measured_with.versions_of_today())
