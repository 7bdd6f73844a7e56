"""What a recipe may say of several trainings whose mean it is, and what its errors say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.config.configuration import load, load_project
from evidence_assets.models.reader_recipe import AdapterTraining, Course
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.stages.declaration import Key
from evidence_assets.training.recipes import courses_of, recipe_of
from evidence_assets_tests.config.test_reader_configuration import reading
from evidence_assets_tests.testing.configuration_samples import written

_LESSONS, _DRILLS = {"sets": ["lessons"], "steps": 30}, {"sets": ["drills"], "steps": 30}


def _averaged(**fields: Any) -> dict[str, Any]:
    """A configuration whose reader is the mean of two trainings, but for the fields that are given."""
    content = reading()
    content["benchmarks"]["drills"] = {**content["benchmarks"]["lessons"], "uri": "drills.jsonl"}
    content["readers"]["plain"] |= {
        "generator": "near",
        "adapter_rank": 8,
        "sets": ["lessons", "drills"],
        "trainings": [{"sets": ["lessons"], "steps": 30}, {"sets": ["lessons", "drills"], "steps": 60}],
        **fields,
    }
    content["generators"] = {"near": {"engine": "transformers", "model": "some/model"}}
    return content


def test_trainings_differ_in_sets_steps_and_seed_alone(tmp_path: Path) -> None:
    trainings = [{"sets": ["lessons", "drills"], "steps": 30}, {"sets": ["drills"], "steps": 60, "seed": 7}]
    reader = load(written(tmp_path, _averaged(trainings=trainings, bfloat16=True))).readers["plain"]
    recipe = recipe_of(reader)
    assert isinstance(recipe, AdapterTraining)
    assert courses_of(reader, recipe) == [
        Course(("lessons", "drills"), replace(recipe, steps=30)),
        Course(("drills",), replace(recipe, steps=60, seed=7)),
    ]
    assert recipe.bfloat16 and reader.benchmarks == ("lessons", "drills", "rehearsal", "mock")


def test_trainings_make_a_reader_stale_and_a_recipe_without_them_is_written_as_it_was(tmp_path: Path) -> None:
    kept = []
    cases: list[list[dict[str, Any]]] = [[], _averaged()["readers"]["plain"]["trainings"]]
    for trainings in cases:
        project = load_project(written(tmp_path, _averaged(trainings=trainings)))
        kept.append(stage_graph(project).by_name["trained_readers"].configuration(Key("plain")))
        assert ("trainings" in project.readers["plain"].model_dump(mode="json")) == bool(trainings)
    assert kept[0] != kept[1]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"adapter_rank": 0}, r"trainings: there is no adapter.*remedy: name its adapter_rank"),
        (
            {"trainings": [{"sets": ["lessons", "drills"], "steps": 9}]},
            r"trainings: one alone has no mean; remedy",
        ),
        (
            {"trainings": [{"sets": ["lessons", "mock"], "steps": 9}, _DRILLS]},
            r"trainings: mock is none of the recipe's sets; remedy: add it to sets",
        ),
        (
            {"trainings": [_LESSONS, {**_LESSONS, "seed": 1}]},
            r"trainings: none is on drills of the recipe's sets; remedy: add it to the sets of one",
        ),
        (
            {"trainings": [_LESSONS, _DRILLS, {**_LESSONS, "seed": 2026}]},
            r"trainings: number 1 and number 3 have the same sets, steps and seed; remedy",
        ),
        (
            {
                "trainings": [
                    {**_LESSONS, "sets": ["drills", "lessons"]},
                    {**_LESSONS, "sets": ["lessons", "drills"]},
                ]
            },
            r"trainings: number 1 and number 2 have the same sets",
        ),
        ({"trainings": [_LESSONS, {"sets": ["drills"]}]}, r"trainings\.1\.steps: it is missing"),
        ({"trainings": [_LESSONS, {**_DRILLS, "steps": 0}]}, r"trainings\.1\.steps: 0 where at least 1"),
        ({"trainings": [_LESSONS, {**_DRILLS, "step": 3}]}, r"trainings\.1\.step: .*is it steps"),
    ],
)
def test_trainings_that_have_no_mean_are_told(tmp_path: Path, fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"readers\.plain.*{problem}"):
        load(written(tmp_path, _averaged(**fields)))
