"""Stage 6 as printed: one request over all passages, an answer with two to four sentences (thesis 6.4.6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.models.generation.protocol import Outcome, Reply, Request
from evidence_assets.reading.prompting.prompt_files import ANSWER_PASSAGES
from evidence_assets.reading.prompting.prompted import INSUFFICIENT_EVIDENCE
from evidence_assets.reading.prompting.replies import PARSED, UNPARSEABLE
from evidence_assets.systems.ugat_medqa.as_printed.answers import read_answer
from evidence_assets.systems.ugat_medqa.reading import read_prompted
from evidence_assets.systems.ugat_medqa.system import UGAT_MEDQA
from evidence_assets.text.queries import NO_OPTION
from evidence_assets_tests.testing.prompted_reading import Read
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.scripted_generator import ScriptedGenerator, recorded
from evidence_assets_tests.testing.ugat_samples import path_row, path_table

ARMS = UGAT_MEDQA.arms(["scripted"])
PAPER, NO_RETRIEVAL = ARMS["paper@scripted"], ARMS["no_retrieval@scripted"]
QUESTION = (
    "Chronic urethral obstruction due to benign prostatic hyperplasia can lead to the following change in "
    "kidney parenchyma"
)
OPTIONS = ["Hyperplasia", "Hypertrophy", "Atrophy", "Dysplasia"]
# The thesis's four passages; those of an option in the order of their ranks.
PATHS = [
    path_row("q1", 0, 1, "Bladder hypertrophy is a subtype of hyperplasia."),
    path_row("q1", 2, 2, "Hydronephrosis is associated with increased pressure."),
    path_row("q1", 2, 1, "Parenchymal thinning is a risk factor for atrophy."),
    path_row("q1", 1, 1, "Increased pressure is a risk factor for bladder hypertrophy."),
]
EXPLANATION = (
    "Obstruction raises the pressure [E4]. Parenchymal thinning is a risk factor for atrophy [E3]. "
    "So the parenchyma shrinks."
)
REPLY = f"Answer: C\n\nExplanation: {EXPLANATION}"


class Reading(Read):
    def __init__(
        self,
        folder: Path,
        reply: Reply | str = REPLY,
        arm: Any = PAPER,
        paths: list[dict[str, Any]] = PATHS,
        context_tokens: int = 100_000,
    ) -> None:
        generator = ScriptedGenerator(lambda request: reply, context_tokens)
        recording, lake = recorded(generator, folder)
        questions = question_table(question_row("q1", QUESTION, OPTIONS, 2))
        super().__init__(
            read_prompted(questions, path_table(*paths), recording, arm, "b", "7"), generator, lake
        )

    @property
    def request(self) -> Request:
        [request] = self.generator.requests
        return request


def test_one_request_shows_all_passages_and_options(tmp_path: Path) -> None:
    reading = Reading(tmp_path)
    assert reading.request.task == ANSWER_PASSAGES
    # Every option's best, then every second best.
    assert (
        "[E1] Bladder hypertrophy is a subtype of hyperplasia.\n"
        "[E2] Increased pressure is a risk factor for bladder hypertrophy.\n"
        "[E3] Parenchymal thinning is a risk factor for atrophy.\n"
        "[E4] Hydronephrosis is associated with increased pressure.\n"
    ) in reading.request.user
    for place, option in enumerate(OPTIONS):
        assert f'<option letter="{"ABCD"[place]}">\n{option}\n</option>' in reading.request.user
    assert QUESTION in reading.request.user
    assert reading.request.schema is None


def test_the_prompt_asks_for_an_answer_and_two_to_four_sentences(tmp_path: Path) -> None:
    system = Reading(tmp_path / "paper").request.system
    assert "Explain in two to four sentences how the passages lead to the answer." in system
    assert "say that the evidence is insufficient" in system
    assert "\nAnswer: X\n\nExplanation: " in system
    closed = Reading(tmp_path / "closed", arm=NO_RETRIEVAL, paths=[]).request.system
    assert "Explain in two to four sentences what leads to the answer." in closed
    assert "passage" not in closed


def test_the_explanation_is_the_chain_of_the_answer(tmp_path: Path) -> None:
    reading = Reading(tmp_path)
    assert (reading.prediction["predicted"], reading.prediction["correct"]) == ("Atrophy", True)
    assert reading.prediction["raw_output"] == REPLY
    assert reading.prediction["request_hash"] in reading.recorded
    [chain] = reading.rows["chains"]
    assert (chain["candidate"], chain["citation_status"]) == (2, "valid")
    assert chain["text"] == (
        "Obstruction raises the pressure [E1]. Parenchymal thinning is a risk factor for atrophy [E2]. "
        "So the parenchyma shrinks."
    )
    assert chain["score_parts"] == [{"name": "sentences", "value": 3.0}]
    assert reading.used("cited") == {2: [PATHS[1]["text"], PATHS[2]["text"]]}
    assert reading.used("given") == {
        0: [PATHS[0]["text"]],
        1: [PATHS[3]["text"]],
        2: [PATHS[2]["text"], PATHS[1]["text"]],
    }


def test_passages_from_elsewhere_and_none_are_told(tmp_path: Path) -> None:
    beyond = Reading(tmp_path / "beyond", "Answer: C\nExplanation: It is known [E9]. It is so.")
    assert beyond.rows["chains"][0]["citation_status"] == "marks without evidence: [E9]"
    bare = Reading(tmp_path / "bare", "Answer: C\nExplanation: It is known.")
    assert bare.rows["chains"][0]["citation_status"] == "nothing cited"
    assert bare.rows["chains"][0]["score_parts"] == [{"name": "sentences", "value": 1.0}]


@pytest.mark.parametrize("answer", ["Insufficient evidence", "The evidence is insufficient."])
def test_evidence_may_be_insufficient(tmp_path: Path, answer: str) -> None:
    reply = f"Answer: {answer}\n\nExplanation: No passage speaks of the kidney."
    reading = Reading(tmp_path / "paper", reply)
    assert reading.prediction["parse_status"] == INSUFFICIENT_EVIDENCE
    assert reading.prediction["abstained"]
    assert reading.rows["chains"] == []
    # Without retrieval there is no evidence that could be.
    closed = Reading(tmp_path / "closed", reply, NO_RETRIEVAL, [])
    assert (closed.prediction["parse_status"], closed.prediction["abstained"]) == (UNPARSEABLE, False)


def test_without_passages_the_model_is_asked_all_the_same(tmp_path: Path) -> None:
    reading = Reading(tmp_path, "Answer: C\nExplanation: It shrinks.", paths=[])
    assert "(there is no evidence)" in reading.request.user
    assert reading.prediction["predicted"] == "Atrophy"


def test_without_retrieval_not_a_word_is_said_of_passages(tmp_path: Path) -> None:
    reading = Reading(tmp_path, "Answer: C\nExplanation: It shrinks.", NO_RETRIEVAL, [])
    assert "passage" not in f"{reading.request.system} {reading.request.user}".lower()
    assert "evidence" not in f"{reading.request.system} {reading.request.user}".lower()
    assert reading.used("given") == {NO_OPTION: [QUESTION]}
    assert reading.prediction["predicted"] == "Atrophy"


def test_what_does_not_fit_is_left_out_the_last_ranked_first(tmp_path: Path) -> None:
    uncut = Reading(tmp_path / "whole")
    tokens = uncut.generator.count_tokens(uncut.request) + uncut.request.sampling.max_tokens
    cut = Reading(tmp_path / "cut", context_tokens=tokens - 1)
    assert "[E3] Parenchymal" in cut.request.user
    assert "[E4]" not in cut.request.user
    assert cut.used("given")[2] == [PATHS[2]["text"]]
    none = Reading(tmp_path / "none", context_tokens=20)
    assert none.generator.requests == []
    assert none.prediction["parse_status"] == str(Outcome.CONTEXT_TOO_LONG)


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply(Outcome.REFUSED), str(Outcome.REFUSED)),
        (Reply(Outcome.TIMED_OUT), str(Outcome.TIMED_OUT)),
        (Reply(Outcome.CUT_OFF, "Answer: C\n\nExpl"), str(Outcome.CUT_OFF)),
        ("I think that it is C.", UNPARSEABLE),
        ("Answer: C", UNPARSEABLE),
        ("Answer: E\nExplanation: It is E.", UNPARSEABLE),
        ("Answer: A) Atrophy\nExplanation: Which?", UNPARSEABLE),
    ],
)
def test_what_is_no_answer_is_none(tmp_path: Path, reply: Reply | str, status: str) -> None:
    reading = Reading(tmp_path, reply)
    assert (reading.prediction["parse_status"], reading.prediction["predicted"]) == (status, None)
    assert not reading.prediction["abstained"]
    assert reading.rows["chains"] == []


@pytest.mark.parametrize(
    "choice", ["C", "c", "(C)", "C)", "C.", "C) Atrophy", "C: atrophy.", "Atrophy", "**C) Atrophy**"]
)
def test_a_choice_is_a_letter_its_text_or_both(choice: str) -> None:
    decision, explanation = read_answer(f"Answer: {choice}\n\nExplanation: So.\nIt is.", OPTIONS, True)
    assert (decision.index, decision.status) == (2, PARSED)
    assert explanation == "So.\nIt is."


def test_the_words_of_the_format_may_be_bold() -> None:
    decision, explanation = read_answer("**Answer:** C\n\n**Explanation:** It is **so**.", OPTIONS, True)
    assert (decision.index, decision.status, explanation) == (2, PARSED, "It is **so**.")


@given(st.text(max_size=60), st.booleans())
def test_any_reply_is_read_or_not(text: str, may_abstain: bool) -> None:
    decision, _ = read_answer(text, OPTIONS, may_abstain)
    assert decision.index is None or 0 <= decision.index < len(OPTIONS)
    assert not decision.abstains or may_abstain


def test_arms_of_the_thesis_are_asked_as_printed_and_the_default_is_not() -> None:
    printed = {arm.variant for arm in ARMS.values() if arm.prompted and arm.printed}
    assert {"paper", "no_retrieval", "no_filtering", "no_attention", "full_one_request"} <= printed
    assert not printed & {"full", "full_answering", "pagerank", "hop_count"}
    one_request, full = ARMS["full_one_request@scripted"], ARMS["full@scripted"]
    assert (one_request.route, one_request.abstains) == (full.route, full.abstains)
