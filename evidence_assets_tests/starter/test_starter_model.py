"""The masked language model that the starter brings along is the one that its text and recipe ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.extraction.domain_model import corpus_model
from evidence_assets.lake.schemas import DOMAIN_MASKED_LM
from evidence_assets.orchestration.harvest_assets import readiness
from evidence_assets.orchestration.runs import Workspace
from evidence_assets.stages.declaration import Key
from evidence_assets_tests.testing.direct_runs import make

PROJECT = Path(__file__).resolve().parents[2]
LEAST_KNOWN = 0.8


def test_the_kept_model_is_of_the_text_and_the_recipe_and_knows_the_seeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_SOURCES", str(PROJECT / "data_lake" / "sources.yaml"))
    at_work = Workspace.of(str(tmp_path / "lake"), tmp_path / "cache")
    harvested = at_work.project.harvest
    assert harvested is not None
    [stage] = [stage for stage in at_work.graph.stages if stage.name == DOMAIN_MASKED_LM.name]
    monkeypatch.setattr(
        corpus_model, "train", lambda *_: pytest.fail("text or recipe are others; remedy: docs/kbloom.md")
    )
    make(at_work, [(stage, Key(harvested.corpus))])
    shares, _ = readiness(at_work.project, at_work.lake, at_work.models.cache, [harvested.corpus])
    assert shares[harvested.corpus] >= LEAST_KNOWN
