"""Likelihood arms: one reader over every system's evidence, its model's figures worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.config.configuration import load_project
from evidence_assets.evidence.experiment import Experiment
from evidence_assets.kgqa.answers.fact_cases import cases as fact_cases
from evidence_assets.kgqa.answers.likely_answers import NO_ENDS, read_likely_answers
from evidence_assets.lake.schemas import RETRIEVED_FACTS
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Key
from evidence_assets.systems.attention2query import reading as attention2query
from evidence_assets.systems.kaping.arms import SYSTEM as KAPING
from evidence_assets.systems.registry import SYSTEMS, systems_by_name
from evidence_assets.systems.system import System, experiment_stage
from evidence_assets.systems.ucret.likelihoods import read_likelihoods
from evidence_assets.systems.ucret.reading import NO_TABLE
from evidence_assets.systems.ugat_medqa import reading as ugat_medqa
from evidence_assets.text.queries import NO_OPTION
from evidence_assets_tests.testing.counting_likelihoods import Counting
from evidence_assets_tests.testing.experiment_rows import rows_of
from evidence_assets_tests.testing.kaping_samples import BENCHMARK, facts_of, film_base, film_graph, inquiry
from evidence_assets_tests.testing.kaping_samples import question_table as film_question
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    small_configuration,
    write_small_project,
    write_yaml,
)
from evidence_assets_tests.testing.table_rows import retrieved_fact
from evidence_assets_tests.testing.ucret_samples import (
    ANIMALS,
    MEASLES,
    THREE,
    ResultRows,
    claims,
    findings,
    prepared,
    question,
)
from evidence_assets_tests.testing.ugat_samples import path_row, path_table

GENERATOR = "smollm2-135m"
Tables = Mapping[str, list[dict[str, Any]]]


def arm_of(system: str, name: str) -> Any:
    return systems_by_name()[system].arms([GENERATOR])[f"{name}@{GENERATOR}"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with a generator that tells likelihoods, and a server, which does not."""
    small = write_small_project(tmp_path_factory.mktemp("likelihoods"))
    served = {"engine": "openai", "url": "http://127.0.0.1/v1", "model": "m"}
    configuration = {**small_configuration(), "generators": {"served": served}}
    return load_project(write_yaml(small.folder / "served.yaml", configuration))


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_every_system_has_likelihood_arms_and_says_which_generators_give_none(
    system: System, project: Project
) -> None:
    arms = system.arms_of(project)
    likely = [arm for arm in arms.values() if arm.likelihood]
    assert {arm.generator for arm in likely} == {GENERATOR, "served"}
    assert not any(arm.prompted or arm.weights for arm in likely)
    stage = experiment_stage(system, project)
    for arm in likely:
        problem = stage.problem(Key(ANIMAL_QUIZ, arm.name))
        if arm.generator == "served":
            assert problem is not None
            assert problem.startswith(f"arm {arm.name} asks for the likelihood of given texts")
        else:
            assert problem is None
        # A changed reader is a changed version of these arms, and of no other.
        assert stage.configuration(Key(ANIMAL_QUIZ, arm.name))
    assert not stage.configuration(Key(ANIMAL_QUIZ, system.default_arm))


PATHS = [
    path_row("q1", 0, 1, "Stones cause renal atrophy."),
    path_row("q1", 0, 2, "Gout causes atrophy."),
    path_row("q1", 1, 1, "Stones are stones."),
]
KIDNEY = question_row("q1", "What harms the kidney?", ["renal atrophy", "renal failure"], 0)


@pytest.mark.parametrize(
    ("arm", "paths", "predicted", "given_counts"),
    [
        ("full_likelihood", PATHS, "renal atrophy", {0: 2, 1: 1}),
        ("full_likelihood", PATHS[:2], None, {0: 2}),
        ("full_answering_likelihood", PATHS[:2], "renal atrophy", {0: 2, NO_OPTION: 1}),
        ("no_retrieval_likelihood", [], "renal atrophy", {NO_OPTION: 1}),
    ],
)
def test_paths_make_an_option_likelier_and_an_arm_that_abstains_needs_two(
    arm: str, paths: list[dict[str, Any]], predicted: str | None, given_counts: dict[int, int]
) -> None:
    chosen = arm_of("ugat_medqa", arm)
    experiment = ugat_medqa.read_likelihoods(
        question_table(KIDNEY), path_table(*paths), Counting(), chosen, "b", "7"
    )
    rows = rows_of(experiment)
    [prediction] = rows["predictions"]
    assert (prediction["predicted"], prediction["abstained"]) == (predicted, predicted is None)
    counts: dict[int, int] = {}
    for row in rows["prediction_evidence"]:
        if row["role"] == "given":
            counts[row["candidate"]] = counts.get(row["candidate"], 0) + 1
    assert counts == given_counts


def test_an_option_without_facts_is_read_with_those_of_the_question() -> None:
    facts = [retrieved_fact(NO_OPTION, 1, "A dog naps in a garage."), retrieved_fact(0, 1, "A pond is wet.")]
    rows = pa.Table.from_pylist(facts, schema=RETRIEVED_FACTS.schema)
    questions = question_table(question_row("q1", "Where does a dog sleep?", ["kennel", "garage"], 1))
    arm = arm_of("attention2query", "full_likelihood")
    tables = rows_of(attention2query.read_likelihoods(questions, rows, Counting(), arm, "b", "7"))
    [prediction] = tables["predictions"]
    assert (prediction["predicted"], prediction["correct"]) == ("garage", True)
    assert [len(chain["cited"]) for chain in tables["chains"]] == [1, 1]


def test_rows_of_the_collapsed_table_choose_a_verdict_and_an_option(tmp_path: Path) -> None:
    arm = arm_of("ucret", "full_likelihood")
    answerable = question("q1", "What diet does the otter have?", ["wolves", "sea urchins"], 1, "animals")
    missing = question("q2", "What does nobody eat?", ["a", "b"], 1, "none")
    rows = [*claims("Quebec had 94 cases"), answerable, missing]
    questions, by_id, collapsed = prepared(rows, [MEASLES, ANIMALS], arm.filter)
    model = Counting()
    experiment = read_likelihoods(questions, by_id, collapsed, model, arm, "b", "7")
    results = ResultRows(experiment)
    of_claims = [text for text in model.prefixes if "By the table, the claim is:" in text]
    assert "Province: Quebec" in of_claims[1]
    # The row of most of the claim's words stands first, and is a row of evidence.
    assert of_claims[1].splitlines()[1].startswith("- Province: Quebec")
    assert results.predictions["q0"]["predicted"] in THREE
    assert results.predictions["q1"]["correct"]
    assert results.predictions["q2"]["parse_status"] == NO_TABLE
    assert findings(experiment, tmp_path / "found") == []


GRAPH = film_graph()


def films(question_text: str, facts: pa.Table, model: Counting) -> Tables:
    experiment = Experiment(KAPING, "external_only_likelihood@x", BENCHMARK, "1", ranks=True)
    cases = list(fact_cases(film_question(question_text, ("Michael Mann",)), facts, {}))
    read_likely_answers(experiment, cases, film_base(GRAPH), model, "x")
    return rows_of(experiment)


def test_the_likeliest_relation_answers_and_its_ends_are_the_answer_as_a_set() -> None:
    text = "who was Heat directed by"
    facts = facts_of(GRAPH, inquiry(GRAPH, text, "Heat"), "external_1hop")
    tables = films(text, facts, Counting())
    [prediction] = tables["predictions"]
    assert (prediction["predicted"], prediction["correct"]) == ("Michael Mann", True)
    returned = [row["answer"] for row in tables["ranked_answers"] if row["returned"]]
    assert returned == ["Michael Mann"]
    assert all(row["supported"] for row in tables["ranked_answers"])
    [chain] = tables["chains"]
    parts = {part["name"]: part["value"] for part in chain["score_parts"]}
    # Of two words both stand in the question: 3 nats each are gained.
    assert parts["relation"] == 3.0
    assert chain["citation_status"] == "valid"
    ranked = [row["score"] for row in tables["ranked_answers"]]
    assert ranked == sorted(ranked, reverse=True)


def test_without_an_end_there_is_no_answer_and_it_says_why() -> None:
    tables = films("who made it", RETRIEVED_FACTS.schema.empty_table(), Counting())
    [prediction] = tables["predictions"]
    assert (prediction["parse_status"], prediction["abstained"]) == (NO_ENDS, True)
    assert tables["ranked_answers"] == []
