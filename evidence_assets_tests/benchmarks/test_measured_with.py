"""With which versions results were measured: what a file says, what is declared of it, and today's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import measured_with
from benchmarks.measured_with import RECORDED, UNRECORDED, age, declared, digest, of_today, versions
from benchmarks.result_files import RESULTS
from evidence_assets.systems.registry import SYSTEMS


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "quiz.json").write_text("{}", encoding="utf-8")
    said = {"quiz": {"digest": digest(tmp_path / "quiz.json"), "ucret": "3", "kaping": "2"}}
    monkeypatch.setattr(measured_with, "declared", lambda: said)
    monkeypatch.setattr(
        measured_with, "versions_of_today", lambda: {"ucret": "4-abc", "kaping": "2-def", "uscrake": "1"}
    )
    return tmp_path


def test_a_version_that_was_declared_is_compared_with_todays(results: Path) -> None:
    assert age(["quiz", "no result of systems"], results) == "UCRET 3, of which 4 stands now"


def test_of_another_file_nothing_is_declared(results: Path) -> None:
    (results / "quiz.json").write_text("{ }", encoding="utf-8")
    assert age(["quiz"], results) == UNRECORDED


@pytest.mark.parametrize(
    ("recorded", "said"),
    [
        ({"ucret": "4-abc", "kaping": "2-def"}, ""),
        ({"ucret": "4-abd", "kaping": "2-def"}, "UCRET 4, of which other weights stand now"),
        ({"ucret": "41"}, "UCRET 41, of which 4 stands now"),
    ],
)
def test_a_result_says_itself_what_measured_it(results: Path, recorded: dict[str, str], said: str) -> None:
    (results / "quiz.json").write_text(json.dumps({RECORDED: recorded}), encoding="utf-8")
    assert age(["quiz"], results) == said
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


@pytest.mark.parametrize("file", sorted(RESULTS.glob("*.json")), ids=lambda file: file.stem)
def test_a_result_of_arms_says_their_versions(file: Path) -> None:
    is_of_arms = any(arms(json.loads(file.read_text(encoding="utf-8"))))
    assert file.stem in declared() or not is_of_arms, "name its systems in benchmarks/measured_with.yaml"
    if file.stem in declared():
        assert versions(file.stem, file.parent), (
            f"write into benchmarks/measured_with.yaml with which versions it was measured, and its digest, "
            f"{digest(file)}; today's versions are {of_today(file.stem)}"
        )


def test_every_system_has_a_version_of_today() -> None:
    assert {system.name for system in SYSTEMS} < set(measured_with.versions_of_today())
