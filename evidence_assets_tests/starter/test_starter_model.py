"""The masked language model that the starter brings along is the one that its text and recipe ask for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from evidence_assets.extraction.domain_model import corpus_model
from evidence_assets.lake.schemas import DOMAIN_MASKED_LM
from evidence_assets.orchestration.harvest_assets import readiness
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.stages.declaration import Key, Stage
from evidence_assets_tests.testing.direct_runs import make

PROJECT = Path(__file__).resolve().parents[2]
LEAST_KNOWN = 0.8


@pytest.fixture
def at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("EVIDENCE_SOURCES", str(PROJECT / "data_lake" / "sources.yaml"))
    return Workspace.of(str(tmp_path / "lake"), tmp_path / "cache")


def model_stage(at_work: Workspace) -> tuple[Stage, Key]:
    """The stage of the starter's model, with the corpus that it is made from."""
    harvested = at_work.project.harvest
    assert harvested is not None
    stage = at_work.graph.by_name[DOMAIN_MASKED_LM.name]
    return stage, Key(harvested.corpus)


def test_the_kept_model_is_of_the_text_and_the_recipe_and_knows_the_seeds(
    at_work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        corpus_model, "train", lambda *_: pytest.fail("text or recipe are others; remedy: docs/kbloom.md")
    )
    stage, key = model_stage(at_work)
    make(at_work, [(stage, key)])
    shares, _ = readiness(at_work.project, at_work.lake, at_work.models.cache, [key.name])
    assert shares[key.name] >= LEAST_KNOWN


def test_a_training_that_no_kept_model_saves_is_told(
    at_work: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class TrainingBeginsError(Exception):
        """Ends the stage where it would train."""

    def begin(*_: object) -> NoReturn:
        raise TrainingBeginsError

    monkeypatch.setattr(corpus_model, "train", begin)
    harvested = at_work.project.harvest
    assert harvested is not None
    training = harvested.training.model_copy(update={"prepared": str(tmp_path), "steps": 2_400})
    elsewhere = harvested.model_copy(update={"training": training})
    sources = at_work.project.sources.model_copy(update={"harvest": elsewhere})
    changed = replace(at_work, project=replace(at_work.project, sources=sources))
    with pytest.raises(TrainingBeginsError):
        make(changed, [model_stage(changed)])
    [warning] = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert f"{tmp_path} holds no model of this text and recipe" in warning
    assert warning.endswith("one is trained, in 2,400 steps")
