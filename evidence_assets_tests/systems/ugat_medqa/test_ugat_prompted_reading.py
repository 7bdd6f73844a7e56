"""UGAT-MedQA read by a language model: what its arms argue for, and when they abstain."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from evidence_assets.models.generation.protocol import Request
from evidence_assets.reading.prompting.prompt_files import CHOOSE, EXPLAIN_OPTION
from evidence_assets.reading.prompting.prompted import INSUFFICIENT_EVIDENCE, NO_ARGUMENTS
from evidence_assets.systems.ugat_medqa.reading import read_prompted
from evidence_assets.systems.ugat_medqa.system import UGAT_MEDQA
from evidence_assets.text.queries import NO_OPTION
from evidence_assets_tests.testing.prompted_reading import Read
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.scripted_generator import ScriptedGenerator, recorded
from evidence_assets_tests.testing.ugat_samples import path_row, path_table

PROMPTED = UGAT_MEDQA.arms(["scripted"])
FULL, ANSWERING = PROMPTED["full@scripted"], PROMPTED["full_answering@scripted"]
OPTIONS = ["renal atrophy", "renal failure", "renal stone"]
QUESTION = "What harms the kidney?"
# Not in the order of their ranks.
PATHS = [
    path_row("q1", 1, 1, "Stones cause failure."),
    path_row("q1", 0, 2, "Gout causes atrophy."),
    path_row("q1", 0, 1, "Stones cause atrophy."),
]


class Reading(Read):
    def __init__(
        self,
        folder: Path,
        arm: Any,
        paths: list[dict[str, Any]],
        choice: str = '{"answer": "B"}',
        question_text: str = QUESTION,
    ) -> None:
        def script(request: Request) -> str:
            return choice if request.task == CHOOSE else "So it is [E1]."

        generator = ScriptedGenerator(script)
        recording, lake = recorded(generator, folder)
        questions = question_table(question_row("q1", question_text, OPTIONS, 1))
        super().__init__(
            read_prompted(questions, path_table(*paths), recording, arm, "b", "7"), generator, lake
        )


def test_options_are_argued_for_from_their_paths_best_first(tmp_path: Path) -> None:
    reading = Reading(tmp_path, FULL, PATHS)
    assert reading.used("given") == {
        0: ["Stones cause atrophy.", "Gout causes atrophy."],
        1: ["Stones cause failure."],
    }
    assert len(reading.generator.of_task(EXPLAIN_OPTION)) == 2
    assert (reading.prediction["predicted"], reading.prediction["correct"]) == ("renal failure", True)
    assert reading.prediction["request_hash"] in reading.recorded
    cited = [
        row for row in reading.rows["evidence"] if row["evidence_id"] in reading.rows["chains"][0]["cited"]
    ]
    assert [(row["kind"], row["text"]) for row in cited] == [("path", "Stones cause atrophy.")]
    assert cited[0]["locator"]["triple_ids"] == ["q1-0-1"]


def test_an_arm_that_abstains_offers_the_model_to(tmp_path: Path) -> None:
    for number, arm in enumerate((FULL, ANSWERING)):
        reading = Reading(tmp_path / str(number), arm, PATHS, '{"answer": "insufficient"}')
        [choice] = reading.generator.of_task(CHOOSE)
        assert ('"insufficient"' in choice.system) == arm.abstains
        status = INSUFFICIENT_EVIDENCE if arm.abstains else "unparseable"
        assert (reading.prediction["parse_status"], reading.prediction["abstained"]) == (status, arm.abstains)
        assert reading.prediction["predicted"] is None


def test_without_paths_one_abstains_and_the_other_argues_from_nothing(tmp_path: Path) -> None:
    silent = Reading(tmp_path / "silent", FULL, [])
    assert silent.generator.requests == []
    assert (silent.prediction["parse_status"], silent.prediction["abstained"]) == (NO_ARGUMENTS, True)
    reading = Reading(tmp_path / "answering", ANSWERING, [])
    arguments = reading.generator.of_task(EXPLAIN_OPTION)
    assert len(arguments) == len(OPTIONS)
    assert all("(there is no evidence)" in argument.user for argument in arguments)
    assert reading.used("given") == {NO_OPTION: [QUESTION]}
    assert reading.prediction["predicted"] == "renal failure"
    assert {row["citation_status"] for row in reading.rows["chains"]} == {"marks without evidence: [E1]"}


def test_an_arm_without_a_route_argues_for_every_option(tmp_path: Path) -> None:
    reading = Reading(tmp_path, ANSWERING, PATHS)
    assert len(reading.generator.of_task(EXPLAIN_OPTION)) == len(OPTIONS)
    assert reading.used("given").keys() == {NO_OPTION, 0, 1}


def test_abstentions_are_told_from_what_cannot_be_read(tmp_path: Path) -> None:
    abstained = [
        Reading(tmp_path / str(number), FULL, PATHS, choice).prediction["abstained"]
        for number, choice in enumerate(["Answer: A", "Answer: insufficient", "no idea"])
    ]
    assert abstained == [False, True, False]


def test_rows_carry_their_arm(tmp_path: Path) -> None:
    arm = replace(FULL, name="full@another-1.5")
    reading = Reading(tmp_path, arm, PATHS)
    assert {row["arm"] for rows in reading.rows.values() for row in rows} == {"full@another-1.5"}
