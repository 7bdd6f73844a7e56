"""Fitted weights and what was measured are parts of versions: other ones make answers stale."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evidence_assets.kgqa import stages as kgqa_stages
from evidence_assets.reading import weights
from evidence_assets.reading.weights import SENTENCE_ANSWERS, WEIGHT_SETS, measured_version, weights_version
from evidence_assets.systems.ucret import system as ucret


def test_other_weights_are_another_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The version is part of the experiments' code version: what is answered by new weights is made anew."""
    source = Path(weights.__file__).parent / "weights"
    shutil.copytree(source, tmp_path / "weights")
    monkeypatch.setattr(weights, "files", lambda _: tmp_path)
    before, sentence_version = weights_version(*WEIGHT_SETS), weights_version(SENTENCE_ANSWERS)
    for name in WEIGHT_SETS:
        path = tmp_path / "weights" / f"{name}.json"
        original = path.read_text(encoding="utf-8")
        path.write_text(original.replace("near", "near ", 1), encoding="utf-8")
        assert weights_version(*WEIGHT_SETS) != before
        assert weights_version(SENTENCE_ANSWERS) == sentence_version
        path.write_text(original, encoding="utf-8")
    assert weights_version(*WEIGHT_SETS) == before


def test_what_was_measured_is_part_of_a_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = Path(weights.__file__).parent / "measured"
    shutil.copytree(source, tmp_path / "measured")
    monkeypatch.setattr(weights, "files", lambda _: tmp_path)
    names = (*ucret.MEASURED, *kgqa_stages.MEASURED)
    assert {path.stem for path in source.glob("*.json")} == set(names), "a version leaves some out"
    before = measured_version(*names)
    for name in names:
        path = tmp_path / "measured" / f"{name}.json"
        original = path.read_text(encoding="utf-8")
        path.write_text(f"{original} ", encoding="utf-8")
        assert measured_version(*names) != before
        path.write_text(original, encoding="utf-8")
    assert measured_version(*names) == before
