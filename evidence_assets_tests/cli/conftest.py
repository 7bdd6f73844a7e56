"""A small sound project for tests of commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidence_assets_tests.testing.commands import QUESTION
from evidence_assets_tests.testing.configuration_samples import configuration, written


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sound project of an article, a triple and a question, and an empty lake."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "vole.md").write_text("# Vole\n\nA vole eats grass.", encoding="utf-8")
    (tmp_path / "facts.tsv").write_text("IsA\tvole\trodent\n", encoding="utf-8")
    (tmp_path / "quiz.jsonl").write_text(json.dumps(QUESTION) + "\n", encoding="utf-8")
    written(tmp_path, configuration())
    (tmp_path / "lake" / "questions").mkdir(parents=True)
    monkeypatch.setenv("EVIDENCE_SOURCES", str(tmp_path / "sources.yaml"))
    monkeypatch.setenv("EVIDENCE_LAKE", str(tmp_path / "lake"))
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.delenv("EVIDENCE_PROFILE", raising=False)
    return tmp_path
