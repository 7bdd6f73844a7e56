"""A language model as the reader: what it is sent, and what is made of its replies."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.evidence.experiment import Experiment
from evidence_assets.evidence.units import unit_of_question
from evidence_assets.models.generation.protocol import Outcome, Reply, Request
from evidence_assets.reading.prompting.prompt_files import (
    CHOOSE,
    EXPLAIN_OPTION,
    prompt_hash,
    prompts_version,
)
from evidence_assets.reading.prompting.prompted import (
    ARGUMENT,
    DECISION,
    INSUFFICIENT_EVIDENCE,
    NO_ARGUMENT,
    NO_ARGUMENTS,
    Settings,
    read_questions,
)
from evidence_assets.reading.prompting.replies import choice_schema
from evidence_assets.text.queries import NO_OPTION
from evidence_assets_tests.testing.prompted_reading import (
    BOTH,
    OPTIONS,
    candidate_of,
    question,
    reading_in,
    says,
    selected,
)
from evidence_assets_tests.testing.scripted_generator import ScriptedGenerator, recorded


@pytest.fixture
def read(tmp_path: Path) -> Any:
    return reading_in(tmp_path)


# --- what is sent, and what is made of it


def test_each_option_is_argued_for_from_its_own_evidence(read: Any) -> None:
    reading = read(says())
    requests = {candidate_of(request): request for request in reading.generator.of_task(EXPLAIN_OPTION)}
    assert requests.keys() == set(OPTIONS)
    assert "[E1] Urchins graze on kelp.\n[E2] Otters eat urchins." in requests["Kelp"].user
    assert "[E1] Voles eat grass.\n</evidence>" in requests["Grass"].user
    assert all("What do urchins eat?" in request.user for request in requests.values())
    assert all(request.sampling == ARGUMENT and request.schema is None for request in requests.values())
    [choice] = reading.generator.of_task(CHOOSE)
    assert choice.sampling == DECISION
    assert choice.schema == choice_schema(2, may_abstain=False)
    assert '<argument letter="B">\nSo it is [E1].\n</argument>' in choice.user


def test_rows_name_the_request_the_prompt_and_the_model(read: Any) -> None:
    reading = read(says({"Kelp": "Yes [E2].", "Grass": "No [E1]."}, '{"answer": "B"}'))
    prediction = reading.prediction
    assert (prediction["predicted"], prediction["predicted_index"]) == ("Grass", 1)
    assert (prediction["gold"], prediction["correct"]) == ("Kelp", False)
    assert (prediction["parse_status"], prediction["abstained"]) == ("parsed", False)
    assert (prediction["generator"], prediction["raw_output"]) == ("scripted", '{"answer": "B"}')
    assert prediction["confidence"] is None
    for row, task in [(prediction, CHOOSE), *((chain, EXPLAIN_OPTION) for chain in reading.rows["chains"])]:
        generation = reading.recorded[row["request_hash"]]
        assert (generation["task"], generation["outcome"]) == (task, "answered")
        assert row["prompt_hash"] == generation["prompt_hash"] == prompt_hash(task)
        assert row["model"] == generation["generator"] == "memory:scripted@1"
    assert reading.recorded[reading.chains[0]["request_hash"]]["text"] == "Yes [E2]."
    assert len(reading.recorded) == 3


def test_chains_cite_the_units_that_they_mark(read: Any) -> None:
    reading = read(says({"Kelp": "Grazed [E2], eaten [E1, E2].", "Grass": "Eaten [E1]."}))
    assert reading.chains[0]["text"] == "Grazed [E1], eaten [E2][E1]."
    assert reading.used("cited") == {
        0: ["Otters eat urchins.", "Urchins graze on kelp."],
        1: ["Voles eat grass."],
    }
    assert reading.used("given") == {0: list(BOTH[0]), 1: list(BOTH[1])}
    assert {row["citation_status"] for row in reading.rows["chains"]} == {"valid"}


@pytest.mark.parametrize(
    ("text", "status", "cited"),
    [
        ("It bears on nothing.", "nothing cited", []),
        ("As [E3] says.", "marks without evidence: [E3]", []),
        ("As [E2] and [E7] say.", "marks without evidence: [E7]", ["Otters eat urchins."]),
        (f"As [E{'9' * 5_000}] says.", "nothing cited", []),
    ],
)
def test_what_is_wrong_with_citations_is_told(read: Any, text: str, status: str, cited: list[str]) -> None:
    reading = read(says({"Kelp": text, "Grass": "Eaten [E1]."}))
    assert reading.chains[0]["citation_status"] == status
    assert reading.used("cited").get(0, []) == cited
    assert reading.prediction["parse_status"] == "parsed"


def test_a_likelihood_is_a_chains_score(read: Any) -> None:
    reply = Reply(Outcome.ANSWERED, "Yes [E1].", log_probability=-0.25)
    reading = read(says({"Kelp": reply, "Grass": "No."}))
    assert (reading.chains[0]["score"], reading.chains[1]["score"]) == (-0.25, 0.0)
    assert reading.chains[0]["score_parts"] == [{"name": "log_probability", "value": -0.25}]
    assert reading.chains[1]["score_parts"] == []


def test_questions_keep_their_order_and_their_own_answers(read: Any) -> None:
    """Replies come in another order, and equal requests are sent once."""
    names = ["kelp", "moss", "kelp", "fern", "moss", "alga"]
    cases = [
        (question(f"q{place}", f"Is it {name}?", options=[name, "other"]), {0: [f"{name} is."], 1: ["Not."]})
        for place, name in enumerate(names)
    ]

    def script(request: Request) -> str:
        match = re.search(r"Is it (\w+)\?", request.user)
        assert match is not None
        name = match[1]
        if request.task == CHOOSE:
            return f"Answer: {'AB'[name in ('moss', 'fern')]}"
        return f"{name}, {candidate_of(request)} [E1]."

    reading = read(script, *cases)
    assert [row["question_id"] for row in reading.rows["predictions"]] == [f"q{n}" for n in range(6)]
    assert [row["predicted"] for row in reading.rows["predictions"]] == [
        "kelp", "other", "kelp", "other", "other", "alga",
    ]  # fmt: skip
    assert {(row["question_id"], row["candidate"]): row["text"] for row in reading.rows["chains"]} == {
        (f"q{place}", candidate): f"{name}, {option} [E1]."
        for place, name in enumerate(names)
        for candidate, option in enumerate([name, "other"])
    }
    assert len(reading.generator.requests) == 3 * len(set(names))


@pytest.mark.parametrize(
    ("text", "negated"), [("What do urchins eat?", False), ("Which of these do urchins NOT eat?", True)]
)
def test_a_negated_question_is_asked_for_the_exception(read: Any, text: str, negated: bool) -> None:
    reading = read(says(), (question(text=text), BOTH))
    [choice] = reading.generator.of_task(CHOOSE)
    assert ("asks for the exception" in choice.system) == negated


def test_an_option_without_evidence_has_no_argument(read: Any) -> None:
    reading = read(says(), (question(), {1: ["Voles eat grass."]}))
    assert [candidate_of(request) for request in reading.generator.of_task(EXPLAIN_OPTION)] == ["Grass"]
    [choice] = reading.generator.of_task(CHOOSE)
    assert f'<argument letter="A">\n{NO_ARGUMENT}\n</argument>' in choice.user
    assert reading.chains.keys() == {1}
    assert reading.prediction["predicted"] == "Kelp"


def test_without_any_evidence_nothing_is_asked(read: Any) -> None:
    reading = read(says(), (question(), {NO_OPTION: ["Urchins are animals."]}))
    assert reading.generator.requests == []
    prediction = reading.prediction
    assert (prediction["parse_status"], prediction["abstained"]) == (NO_ARGUMENTS, True)
    assert (prediction["predicted"], prediction["correct"]) == (None, False)
    assert prediction["request_hash"] is None
    assert (prediction["prompt_hash"], prediction["model"]) == (prompt_hash(CHOOSE), "memory:scripted@1")
    assert reading.rows["prediction_evidence"] == []
    assert [row["candidate"] for row in reading.rows["selected_evidence"]] == [NO_OPTION]


def test_where_it_may_it_argues_without_evidence(read: Any) -> None:
    settings = Settings(argues_without_evidence=True)
    reading = read(says("Nothing is known."), (question(), {0: ["Urchins graze."]}), settings=settings)
    prompts = {candidate_of(request): request.user for request in reading.generator.of_task(EXPLAIN_OPTION)}
    assert "(there is no evidence)" in prompts["Grass"]
    assert "[E1] Urchins graze." in prompts["Kelp"]
    assert reading.used("given") == {0: ["Urchins graze."], NO_OPTION: ["What do urchins eat?"]}
    question_unit = unit_of_question("q", "What do urchins eat?").evidence_id
    assert question_unit in {row["evidence_id"] for row in reading.rows["prediction_evidence"]}


def test_what_the_question_found_is_shared(read: Any) -> None:
    reading = read(
        says(), (question(), {NO_OPTION: ["Urchins are animals."]}), settings=Settings(shares_evidence=True)
    )
    requests = reading.generator.of_task(EXPLAIN_OPTION)
    assert len(requests) == 2
    assert all("[E1] Urchins are animals." in request.user for request in requests)
    assert reading.used("given") == {0: ["Urchins are animals."], 1: ["Urchins are animals."]}


def test_a_question_without_options_gets_no_prediction(read: Any) -> None:
    open_question = question("open", options=[], answer_index=None)
    reading = read(says(), (open_question, {NO_OPTION: ["Urchins graze."]}), (question(), BOTH))
    assert reading.prediction["question_id"] == "q"
    assert {row["question_id"] for row in reading.rows["selected_evidence"]} == {"open", "q"}


def test_to_abstain_is_an_answer_of_its_own(read: Any) -> None:
    reading = read(says(choice='{"answer": "insufficient"}'), settings=Settings(may_abstain=True))
    prediction = reading.prediction
    assert (prediction["parse_status"], prediction["abstained"]) == (INSUFFICIENT_EVIDENCE, True)
    assert (prediction["predicted"], prediction["correct"]) == (None, False)
    [choice] = reading.generator.of_task(CHOOSE)
    assert choice.schema == choice_schema(2, may_abstain=True)
    assert reading.recorded[prediction["request_hash"]]["text"] == '{"answer": "insufficient"}'


def test_progress_runs_over_both_rounds(tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []
    recording, _ = recorded(ScriptedGenerator(says()), tmp_path)
    cases = [(question(), selected(BOTH))]
    read_questions(
        Experiment("s", "a", "b", "1"), cases, recording, Settings(), lambda *step: progress.append(step)
    )
    assert progress == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("task", [EXPLAIN_OPTION, CHOOSE])
def test_another_wording_is_another_version(monkeypatch: pytest.MonkeyPatch, task: str) -> None:
    before = prompts_version()
    monkeypatch.setattr(
        "evidence_assets.reading.prompting.prompt_files.prompt_hash",
        lambda name: prompt_hash(name)[::-1] if name == task else prompt_hash(name),
    )
    assert prompts_version() != before
