"""What a configuration may say of trained readers, and what its errors say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.config.configuration import load, load_project
from evidence_assets.config.files import file_problems
from evidence_assets.models.reader_recipe import AdapterTraining, ReaderTraining
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.stages.declaration import Key
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets.training.recipes import recipe_of
from evidence_assets_tests.testing.configuration_samples import Change, configuration, written


def reading() -> dict[str, Any]:
    """A configuration with a reader, and sets to train, to choose and to evaluate on."""
    content = configuration()
    quiz = content["benchmarks"]["quiz"]
    for name, split in (("lessons", "train"), ("rehearsal", "dev"), ("mock", "dev")):
        content["benchmarks"][name] = {**quiz, "uri": f"{name}.jsonl", "split": split}
    content["readers"] = {
        "plain": {
            "corpora": ["small"],
            "graphs": ["facts"],
            "sets": ["lessons"],
            "chosen_on": "rehearsal",
            "evaluated_on": "mock",
        }
    }
    return content


def test_what_the_configuration_leaves_open_is_what_the_recipe_does(tmp_path: Path) -> None:
    reader = load(written(tmp_path, reading())).readers["plain"]
    assert recipe_of(reader) == ReaderTraining(steps=reader.steps)
    assert reader.benchmarks == ("lessons", "rehearsal", "mock")


def test_what_a_mixture_is_weighed_on_is_seen_and_depended_on(tmp_path: Path) -> None:
    content = reading()
    content["benchmarks"]["scale"] = {**content["benchmarks"]["mock"], "uri": "scale.jsonl"}
    content["readers"]["plain"]["weighed_on"] = ["rehearsal", "scale"]
    reader = load(written(tmp_path, content)).readers["plain"]
    assert reader.choosing_benchmarks == ("rehearsal", "scale")
    assert reader.seen_benchmarks == ("lessons", "rehearsal", "scale", "mock")


def test_a_rank_makes_an_adapter_of_the_same_recipe(tmp_path: Path) -> None:
    content = reading()
    recipe = {"generator": "near", "adapter_rank": 8, "body_rate": 5e-4, "bfloat16": True}
    content["readers"]["plain"] |= recipe
    content["generators"] = {"near": {"engine": "transformers", "model": "some/model"}}
    reader = load(written(tmp_path, content)).readers["plain"]
    assert recipe_of(reader) == AdapterTraining(steps=reader.steps, body_rate=5e-4, rank=8, bfloat16=True)


def test_a_reader_is_a_partition_with_its_inputs_and_arms(tmp_path: Path) -> None:
    project = load_project(written(tmp_path, reading()))
    graph = stage_graph(project)
    upstream = {
        source.declared.table.name: [key.text for key in keys]
        for source, keys in graph.upstream(graph.by_name["trained_readers"], Key("plain"))
    }
    assert upstream == {
        "articles": ["small.notes"],
        "triples": ["facts"],
        "questions": ["lessons", "rehearsal", "mock"],
    }
    arm = "chunks_only_cosine_trained@plain"
    read = {
        source.declared.table.name: [key.text for key in keys]
        for source, keys in graph.upstream(graph.by_name["uscrake"], Key("quiz", arm))
    }
    assert read["reader_admissions"] == ["plain|quiz"] and read["ranked_chunks"] == ["cosine|quiz"]
    admitted = {
        source.declared.table.name: [key.text for key in keys]
        for source, keys in graph.upstream(graph.by_name["reader_admissions"], Key("quiz", "plain"))
    }
    assert admitted == {"questions": ["quiz"], "trained_readers": ["plain"], "reader_questions": ["plain"]}
    plain = graph.upstream(graph.by_name["uscrake"], Key("quiz", "chunks_only_cosine@extractive"))
    assert all(not keys for source, keys in plain if source.declared.table.name == "reader_admissions")


@pytest.mark.parametrize(
    ("generator", "rank", "said"),
    [
        ("nobody", 0, "there is no generator nobody; remedy: name one of "),
        ("served", 0, "served tells no likelihood of a given text; remedy: name its weights"),
        ("near", 0, None),
        ("near", 8, None),
        ("large", 0, None),
        ("large", 8, "large takes no adapter, of engine vllm; remedy: name its weights"),
    ],
)
def test_a_generator_that_cannot_read_is_told(
    tmp_path: Path, generator: str, rank: int, said: str | None
) -> None:
    content = reading()
    content["readers"]["plain"] |= {"generator": generator, "adapter_rank": rank}
    content["generators"] = {
        "large": {"engine": "vllm", "model": "some/model"},
        "near": {"engine": "transformers", "model": "some/model"},
        "served": {"engine": "openai", "model": "some/model", "url": "http://127.0.0.1:8000/v1"},
    }
    graph = stage_graph(load_project(written(tmp_path, content)))
    problem = graph.by_name["trained_readers"].problem(Key("plain"))
    assert (
        (problem is None)
        if said is None
        else (said in (problem or "") and "readers.plain" in (problem or ""))
    )


def _prepared(tmp_path: Path) -> dict[str, Any]:
    """A configuration that takes a reader from a folder, and has no recipe."""
    content = configuration()
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "reader.json").write_text("{}")
    content["prepared_readers"] = {"taken": {"folder": "theirs", "generator": "near"}}
    content["generators"] = {"near": {"engine": "transformers", "model": "some/model"}}
    return content


def test_a_prepared_reader_is_a_partition_without_inputs_and_has_arms(tmp_path: Path) -> None:
    project = load_project(written(tmp_path, _prepared(tmp_path)))
    graph = stage_graph(project)
    readers = graph.by_name["trained_readers"]
    assert [key.text for key in project.layout.keys(readers)] == ["taken"]
    assert all(not keys for _, keys in graph.upstream(readers, Key("taken")))
    assert readers.problem(Key("taken")) is None
    read = {
        source.declared.table.name: [key.text for key in keys]
        for source, keys in graph.upstream(
            graph.by_name["uscrake"], Key("quiz", "chunks_only_cosine_trained_cues@taken")
        )
    }
    assert read["reader_admissions"] == ["taken|quiz"]


def test_another_reader_in_the_folder_makes_the_partition_stale(tmp_path: Path) -> None:
    project = load_project(written(tmp_path, _prepared(tmp_path)))
    readers = stage_graph(project).by_name["trained_readers"]
    before = readers.configuration(Key("taken"))
    (tmp_path / "theirs" / "reader.json").write_text('{"weights_hash": "other"}')
    assert readers.configuration(Key("taken")) != before


def test_a_prepared_reader_that_cannot_be_taken_is_told(tmp_path: Path) -> None:
    content = _prepared(tmp_path)
    content["readers"] = {"taken": reading()["readers"]["plain"]}
    content["benchmarks"] |= reading()["benchmarks"]
    with pytest.raises(ConfigurationError, match=r"prepared_readers\.taken: a recipe in readers has"):
        load(written(tmp_path, content))
    content = configuration()
    content["prepared_readers"] = {"taken": {"folder": "nowhere"}}
    [problem] = file_problems(load_project(written(tmp_path, content)), benchmarks=[])
    assert problem.startswith("prepared_readers.taken.folder: ") and "remedy" in problem


def test_a_language_model_that_takes_no_adapter_is_told(tmp_path: Path) -> None:
    content = _prepared(tmp_path)
    content["generators"] = {"near": {"engine": "vllm", "model": "some/model"}}
    readers = stage_graph(load_project(written(tmp_path, content))).by_name["trained_readers"]
    problem = readers.problem(Key("taken")) or ""
    assert "prepared_readers.taken.generator: near takes no adapter, of engine vllm" in problem


def test_a_prepared_reader_without_weights_needs_no_adapter(tmp_path: Path) -> None:
    content = _prepared(tmp_path)
    content["generators"] = {"near": {"engine": "vllm", "model": "some/model"}}
    row = {
        "reader": "theirs",
        "model_id": "vllm:some/model@1",
        "generator": "far",
        "folder": "",
        "weights_hash": "",
        "recipe": "{}",
        "body": "encoder@1",
        "texts": 2,
        "trained_on": [],
        "chosen_on": "rehearsal",
        "mixture": [],
        "evaluated": [],
        "curve": [],
    }
    (tmp_path / "theirs" / "reader.json").write_text(json.dumps(row))
    readers = stage_graph(load_project(written(tmp_path, content))).by_name["trained_readers"]
    assert readers.problem(Key("taken")) is None


def test_without_readers_there_is_no_stage_and_no_arm_of_one(tmp_path: Path) -> None:
    project = load_project(written(tmp_path, configuration()))
    assert not {"trained_readers", "reader_admissions"} & {
        stage.name for stage in stage_graph(project).stages
    }
    assert not [arm for system in SYSTEMS for arm in system.arms_of(project) if "_trained" in arm]


def _set(field: str, value: object) -> Change:
    return lambda content: content["readers"]["plain"].__setitem__(field, value)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_set("corpora", ["none"]), r"readers\.plain\.corpora: none is none of the corpora small"),
        (_set("graphs", ["none"]), r"readers\.plain\.graphs: none is none of the graphs facts"),
        (_set("sets", ["none"]), r"readers\.plain\.sets: none is none of the benchmarks .*quiz"),
        (_set("chosen_on", "none"), r"readers\.plain\.chosen_on: none is none of the benchmarks .*quiz"),
        (_set("weighed_on", ["none"]), r"readers\.plain\.weighed_on: none is none of the benchmarks .*quiz"),
        (_set("weighed_on", ["quiz"]), r"readers\.plain: benchmark quiz is a test split.*remedy"),
        (
            _set("weighed_on", ["lessons"]),
            r"readers\.plain: lessons is trained on, and chosen, weighed or evaluated.*remedy",
        ),
        (_set("evaluated_on", "quiz"), r"readers\.plain: benchmark quiz is a test split.*remedy"),
        (_set("sets", ["quiz"]), r"readers\.plain: benchmark quiz is a test split.*remedy"),
        (
            _set("sets", ["lessons", "mock"]),
            r"readers\.plain: mock is trained on, and chosen, weighed or evaluated.*remedy",
        ),
        (_set("steps", 0), r"readers\.plain\.steps"),
        (_set("corpora", []), r"readers\.plain\.corpora"),
        (_set("adapter_rank", 8), r"readers\.plain.*adapter_rank: name the generator that the adapter"),
        (_set("epochs", 3), r"readers\.plain\.epochs"),
    ],
)
def test_what_cannot_be_is_named_with_its_place(tmp_path: Path, change: Change, problem: str) -> None:
    content = reading()
    change(content)
    with pytest.raises(ConfigurationError, match=problem):
        load(written(tmp_path, content))
