"""The stage of the questions, where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.config.configuration import load_project
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import MATERIALIZATIONS, REJECTED_RECORDS
from evidence_assets.models.provider import Models
from evidence_assets.sources.stages import NoQuestionsError, source_stages
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets.stages.graph import StageGraph
from evidence_assets_tests.testing.configuration_samples import configuration, written


def test_a_benchmark_without_a_question_fails_and_keeps_what_was_rejected(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    line = '{"id": "q1", "question": "Who?", "options": ["a", "b"], "answer_index": 7}'
    (tmp_path / "quiz.jsonl").write_text(line, encoding="utf-8")
    project = load_project(written(tmp_path, configuration()))
    [stage] = source_stages(project)
    lake = Lake(str(tmp_path / "lake"))
    run = Run(lake, StageGraph([stage], project.layout), Models(tmp_path / "cache"))
    with pytest.raises(NoQuestionsError) as raised:
        make_partition(stage, Key("quiz"), run)
    # What was left out is told by the error, not a second time.
    assert caplog.messages == []
    assert str(raised.value) == (
        "benchmark quiz: quiz.jsonl, read as questions_jsonl: its only record is no question; "
        "the first, line 1, id q1: answer key '7' is out of range: the labels are 0, 1; "
        "remedy: set 'answer_index' to one of the labels, or name the reader that fits"
    )
    [rejected] = lake.read(REJECTED_RECORDS, {"source": "quiz"}).to_pylist()
    assert rejected["record"] == "line 1, id q1"
    # What is not recorded is not up to date: the next run tries again.
    assert lake.partitions(MATERIALIZATIONS) == []
