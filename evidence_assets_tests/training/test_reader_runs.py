"""Trained readers through Dagster: trained, admitted, read with, traced; refused where they have peeked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.lake import schemas
from evidence_assets.orchestration.runs import materialize_benchmarks
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.reading.likelihoods.tuned_likelihoods import TunedLikelihoods
from evidence_assets.reading.likelihoods.weighed_likelihoods import WeighedLikelihoods
from evidence_assets.reading.weighing.trained import CHEAP_CUES
from evidence_assets.systems.uscrake.arms import SYSTEM
from evidence_assets.training.evaluating import BASELINES, OPTION_ONLY, SHUFFLED, WITH_EVIDENCE
from evidence_assets.training.prepared_readers import write_reader
from evidence_assets.training.questions import CHOOSING
from evidence_assets.training.reader import FOLDER
from evidence_assets_tests.testing.lake_queries import query
from evidence_assets_tests.testing.run_events import without_memory
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    NATURE,
    QUESTIONS,
    SmallProject,
    small_configuration,
    write_small_project,
    write_yaml,
)
from evidence_assets_tests.testing.tiny_causal_lm import make_tiny_causal_lm

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("minilm")]

ARMS = tuple(f"uscrake/chunks_only_cosine_trained{cues}@small" for cues in ("", "_cues"))
LESSONS = [
    ("l1", "What do sea otters eat?", ["Urchins", "Grass"], 0),
    ("l2", "What is a vole?", ["A fish", "A rodent"], 1),
    ("l3", "What is covered in spines?", ["A vole", "A sea urchin"], 1),
]
REHEARSAL = [
    ("r1", "What grazes on kelp?", ["Urchins", "Foxes"], 0),
    ("r2", "What eats voles?", ["Kelp", "A fox"], 1),
]
SCALE = [("s1", "What has spines?", ["A vole", "A sea urchin"], 1)]
QUIZ = [
    (question["id"], question["question"], question["options"], question["answer_index"])
    for question in QUESTIONS[ANIMAL_QUIZ]
]
MOCK = [
    ("e1", "What fur is dense?", ["Otter fur", "Kelp"], 0),
    ("e2", "What eats roots?", ["A fox", "A vole"], 1),
]


def _write(
    project: SmallProject, name: str, questions: Sequence[tuple[str, str, list[str], int]]
) -> dict[str, str]:
    lines = [
        json.dumps({"id": identifier, "question": question, "options": options, "answer_index": right})
        for identifier, question, options, right in questions
    ]
    project.questions(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {"reader": "questions_jsonl", "uri": f"{name}.jsonl", "split": "train", "corpus": "animals"}


def _configuration(project: SmallProject) -> dict[str, Any]:
    content = small_configuration()
    for name, questions in (("lessons", LESSONS), ("rehearsal", REHEARSAL), ("mock", MOCK)):
        content["benchmarks"][name] = _write(project, name, questions)
    content["readers"] = {
        "small": {
            "corpora": ["animals", "minerals"],
            "graphs": [NATURE],
            "sets": ["lessons"],
            "chosen_on": "rehearsal",
            "evaluated_on": "mock",
            "steps": 2,
            "batch": 2,
            "evaluations": 1,
            "longest": 32,
            "frozen_layers": 5,
        }
    }
    return content


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    made = write_small_project(tmp_path / "project")
    write_yaml(made.configuration, _configuration(made))
    return without_memory(made, monkeypatch)


def _run(project: SmallProject) -> list[tuple[str, str]]:
    workspace = Workspace.of(str(project.lake_folder), project.cache_folder)
    return [(job, partition) for job, partition, _ in materialize_benchmarks(workspace, [ANIMAL_QUIZ], ARMS)]


def test_a_reader_is_trained_admitted_and_read_with_and_its_answers_trace_to_sources(
    project: SmallProject,
) -> None:
    runs = _run(project)
    jobs = [job for job, _ in runs]
    assert ("make_trained_readers", "small") in runs
    assert ("make_reader_admissions", f"small|{ANIMAL_QUIZ}") in runs
    assert (
        jobs.index("make_trained_readers") < jobs.index("make_reader_admissions") < jobs.index("run_uscrake")
    )
    [reader] = project.lake.read(schemas.TRAINED_READERS, {"reader": "small"}).to_pylist()
    assert json.loads(reader["recipe"])["seed"] == 2026 and reader["body"].startswith("all-MiniLM-L6-v2")
    assert {taught["source"]: taught["questions"] for taught in reader["trained_on"]}["lessons"] == 3
    ways = {evaluation["way"] for evaluation in reader["evaluated"]}
    assert {WITH_EVIDENCE, SHUFFLED, OPTION_ONLY, *BASELINES} <= ways
    assert {(evaluation["benchmark"], evaluation["n"]) for evaluation in reader["evaluated"]} == {("mock", 2)}
    assert [part["cue"] for part in reader["mixture"]] == ["reader", *CHEAP_CUES]
    for arm in ARMS:
        place = {"system": SYSTEM, "arm": arm.partition("/")[2], "benchmark": ANIMAL_QUIZ}
        predictions = project.lake.read(schemas.PREDICTIONS, place).to_pylist()
        assert len(predictions) == len(QUESTIONS[ANIMAL_QUIZ])
        assert all(row["generator"] == "small" and 0 < row["confidence"] <= 1 for row in predictions)
        chains = project.lake.read(schemas.CHAINS, place).to_pylist()
        for chain in chains:
            parts = {part["name"]: part["value"] for part in chain["score_parts"]}
            assert len(chain["cited"]) == sum(parts.get(f"moved_{text}", 0) > 0 for text in (1, 2))
        for row in predictions:
            assert query(project.lake, "SELECT * FROM trace(?)", row["prediction_id"])
    assert _run(project) == []


def test_a_language_model_is_weighed_admitted_and_read_with(project: SmallProject) -> None:
    content = _configuration(project)
    content["benchmarks"]["scale"] = _write(project, "scale", SCALE)
    content["readers"]["small"] |= {"generator": "smollm2-135m", "weighed_on": ["rehearsal", "scale"]}
    write_yaml(project.configuration, content)
    _run(project)
    seen = project.lake.read(schemas.READER_QUESTIONS, {"reader": "small"}).to_pylist()
    assert {row["question_id"] for row in seen if row["role"] == CHOOSING} == {"r1", "r2", "s1"}
    [reader] = project.lake.read(schemas.TRAINED_READERS, {"reader": "small"}).to_pylist()
    assert reader["generator"] == "smollm2-135m" and reader["folder"] == "" and reader["curve"] == []
    assert reader["trained_on"] == [{"source": "lessons", "questions": 3}]
    assert [part["cue"] for part in reader["mixture"]] == list(WeighedLikelihoods.cues())
    assert {WITH_EVIDENCE, SHUFFLED, OPTION_ONLY, *BASELINES} <= {
        evaluation["way"] for evaluation in reader["evaluated"]
    }
    for arm in ARMS:
        place = {"system": SYSTEM, "arm": arm.partition("/")[2], "benchmark": ANIMAL_QUIZ}
        predictions = project.lake.read(schemas.PREDICTIONS, place).to_pylist()
        assert len(predictions) == len(QUESTIONS[ANIMAL_QUIZ])
        chains = project.lake.read(schemas.CHAINS, place).to_pylist()
        assert all(chain["cited"] for chain in chains)
        for row in predictions:
            assert query(project.lake, "SELECT * FROM trace(?)", row["prediction_id"])
    assert _run(project) == []


def test_a_language_model_is_tuned_once_admitted_and_read_with(project: SmallProject) -> None:
    content = _configuration(project)
    content["readers"]["small"] |= {
        "generator": "smollm2-135m",
        "adapter_rank": 2,
        "frozen_layers": 28,
        "sentence_groups": 1,
        "triple_groups": 0,
    }
    write_yaml(project.configuration, content)
    _run(project)
    [reader] = project.lake.read(schemas.TRAINED_READERS, {"reader": "small"}).to_pylist()
    assert reader["folder"] and reader["weights_hash"] and [part["step"] for part in reader["curve"]] == [2]
    assert "+" in reader["model_id"] and reader["generator"] == "smollm2-135m"
    assert [part["cue"] for part in reader["mixture"]] == list(TunedLikelihoods.cues())
    assert {WITH_EVIDENCE, SHUFFLED, OPTION_ONLY, *BASELINES} <= {
        evaluation["way"] for evaluation in reader["evaluated"]
    }
    for arm in ARMS:
        place = {"system": SYSTEM, "arm": arm.partition("/")[2], "benchmark": ANIMAL_QUIZ}
        predictions = project.lake.read(schemas.PREDICTIONS, place).to_pylist()
        assert len(predictions) == len(QUESTIONS[ANIMAL_QUIZ])
        assert all(chain["cited"] for chain in project.lake.read(schemas.CHAINS, place).to_pylist())
        for row in predictions:
            assert query(project.lake, "SELECT * FROM trace(?)", row["prediction_id"])
    assert _run(project) == []


def test_a_mean_of_two_trainings_is_admitted_and_read_with_here_and_elsewhere(
    project: SmallProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = _configuration(project)
    drills = [*SCALE, ("s2", "What swims?", ["An otter", "A den"], 0)]
    content["benchmarks"]["drills"] = _write(project, "drills", drills)
    tiny = {"engine": "transformers", "model": make_tiny_causal_lm(tmp_path / "tiny")}
    content["generators"] = {"tiny": tiny}
    content["readers"]["small"] |= {
        "generator": "tiny",
        "adapter_rank": 2,
        "frozen_layers": 0,
        "sets": ["lessons", "drills"],
        "trainings": [
            {"sets": ["lessons"], "steps": 2},
            {"sets": ["drills", "lessons"], "steps": 3},
        ],
        "sentence_groups": 1,
        "triple_groups": 0,
    }
    write_yaml(project.configuration, content)
    _run(project)
    [reader] = project.lake.read(schemas.TRAINED_READERS, {"reader": "small"}).to_pylist()
    assert [part["step"] for part in reader["curve"]] == [2, 3]
    taught = {part["source"]: part["questions"] for part in reader["trained_on"]}
    assert (taught["lessons"], taught["drills"]) == (3, 2)
    folders = {path.name for path in (project.cache_folder / FOLDER).iterdir()}
    assert len(folders) == 3 and reader["folder"] in folders
    seen = project.lake.read(schemas.READER_QUESTIONS, {"reader": "small"})
    assert len(seen) == 3 + 2 + 2 + 2, "each question once, though two trainings saw it"
    assert _run(project) == []
    other = write_small_project(tmp_path / "other")
    write_reader(reader, seen, project.cache_folder, other.folder / "reader")
    elsewhere = small_configuration()
    elsewhere["generators"] = {"tiny": tiny}
    elsewhere["prepared_readers"] = {"small": {"folder": "reader", "generator": "tiny"}}
    write_yaml(other.configuration, elsewhere)
    other = without_memory(other, monkeypatch)
    _run(other)
    for arm in ARMS:
        place = {"system": SYSTEM, "arm": arm.partition("/")[2], "benchmark": ANIMAL_QUIZ}
        answers = [made.lake.read(schemas.PREDICTIONS, place).to_pylist() for made in (project, other)]
        assert answers[0] == answers[1] and len(answers[1]) == len(QUESTIONS[ANIMAL_QUIZ])


def test_a_reader_that_has_seen_a_question_may_not_answer_it(project: SmallProject) -> None:
    repeated = QUESTIONS[ANIMAL_QUIZ][1]
    peeked = ("l4", repeated["question"].upper(), list(reversed(repeated["options"])), 0)
    _write(project, "lessons", [*LESSONS, peeked])
    with pytest.raises(Exception, match=r"question a2 of animal_quiz .* is question l4 of lessons"):
        _run(project)
    assert not project.lake.exists(
        schemas.PREDICTIONS, {"system": SYSTEM, "arm": ARMS[0].partition("/")[2], "benchmark": ANIMAL_QUIZ}
    )


def test_a_question_to_choose_by_is_not_trained_on(project: SmallProject) -> None:
    _write(project, "rehearsal", [*REHEARSAL, ("r3", *LESSONS[1][1:])])
    _run(project)
    [reader] = project.lake.read(schemas.TRAINED_READERS, {"reader": "small"}).to_pylist()
    assert {taught["source"]: taught["questions"] for taught in reader["trained_on"]}["lessons"] == 2
    questions = project.lake.read(schemas.READER_QUESTIONS, {"reader": "small"}).to_pylist()
    seen = {(row["benchmark"], row["question_id"]) for row in questions}
    assert ("rehearsal", "r3") in seen and ("lessons", "l2") not in seen


def test_a_reader_keeps_apart_from_what_it_is_to_answer(project: SmallProject) -> None:
    repeated = QUESTIONS[ANIMAL_QUIZ][1]
    content = _configuration(project)
    _write(project, "lessons", [*LESSONS, ("l4", repeated["question"], repeated["options"], 0)])
    content["readers"]["small"]["apart_from"] = [ANIMAL_QUIZ]
    write_yaml(project.configuration, content)
    assert ("make_reader_admissions", f"small|{ANIMAL_QUIZ}") in _run(project)
    [reader] = project.lake.read(schemas.TRAINED_READERS, {"reader": "small"}).to_pylist()
    assert {taught["source"]: taught["questions"] for taught in reader["trained_on"]}["lessons"] == 3


def test_a_reader_that_was_trained_elsewhere_is_taken_and_asked_nothing_that_it_saw(
    project: SmallProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _run(project)
    [trained] = project.lake.read(schemas.TRAINED_READERS, {"reader": "small"}).to_pylist()
    seen = project.lake.read(schemas.READER_QUESTIONS, {"reader": "small"})
    other = write_small_project(tmp_path / "other")
    write_reader(trained, seen, project.cache_folder, other.folder / "reader")
    content = small_configuration()
    content["prepared_readers"] = {"small": {"folder": "reader"}}
    write_yaml(other.configuration, content)
    other = without_memory(other, monkeypatch)
    runs = _run(other)
    assert ("make_trained_readers", "small") in runs
    place = {"system": SYSTEM, "arm": ARMS[1].partition("/")[2], "benchmark": ANIMAL_QUIZ}
    answers = [made.lake.read(schemas.PREDICTIONS, place).to_pylist() for made in (project, other)]
    assert answers[0] == answers[1] and len(answers[1]) == len(QUESTIONS[ANIMAL_QUIZ])
    assert query(other.lake, "SELECT * FROM trace(?)", answers[1][0]["prediction_id"])
    assert _run(other) == []
    # Sets that no configuration here names: the words of their questions are compared.
    _write(other, ANIMAL_QUIZ, [*QUIZ, ("a9", *LESSONS[0][1:])])
    with pytest.raises(Exception, match=r"question a9 of animal_quiz .* is question l1 of lessons"):
        _run(other)
