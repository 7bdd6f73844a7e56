"""An answer from passages, or none: what it rests on, what it cites, when it abstains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.evidence.units import unit_of_path
from evidence_assets.lake.ids import text_hash
from evidence_assets.reading.prompting.prompted import INSUFFICIENT_EVIDENCE
from evidence_assets.systems.ugat_medqa.arms import ARMS, PathArm
from evidence_assets_tests.testing.graph_samples import SignEncoder
from evidence_assets_tests.testing.question_rows import question_row
from evidence_assets_tests.testing.ugat_reading import (
    ANSWERING,
    BOTH,
    EQUAL,
    FULL,
    NAMED,
    NO_RETRIEVAL,
    OPTIONS,
    alike,
    kidney_question,
    measures,
    read,
)
from evidence_assets_tests.testing.ugat_samples import node_row, path_row


@pytest.mark.parametrize("paths", [[], BOTH[:1], BOTH[1:], [*BOTH[:1], path_row("q1", 0, 2, "More.")]])
def test_without_paths_to_two_options_there_is_no_answer(paths: list[dict[str, Any]]) -> None:
    rows = read([kidney_question()], paths)
    [prediction] = rows["predictions"]
    assert prediction["abstained"]
    assert prediction["parse_status"] == INSUFFICIENT_EVIDENCE == "insufficient evidence"
    assert prediction["predicted"] is prediction["predicted_index"] is prediction["confidence"] is None
    assert prediction["correct"] is False
    assert prediction["gold"] == "renal atrophy"
    assert rows["chains"] == []
    # What it had is kept, all the same.
    assert len(rows["selected_evidence"]) == len(rows["prediction_evidence"]) == len(paths)
    assert {row["role"] for row in rows["prediction_evidence"]} <= {"given"}


def test_with_paths_to_two_options_there_is_one() -> None:
    rows = read([kidney_question()], BOTH)
    [prediction] = rows["predictions"]
    assert not prediction["abstained"]
    assert prediction["parse_status"] == "parsed"
    assert prediction["predicted"] == OPTIONS[prediction["predicted_index"]]
    assert 0 < prediction["confidence"] <= 1
    [text] = [row["text"] for row in rows["chains"] if row["candidate"] == prediction["predicted_index"]]
    letter = "ABC"[prediction["predicted_index"]]
    assert prediction["raw_output"] == f"Answer: {letter}\nExplanation: {text}"
    assert (prediction["generator"], prediction["code_version"]) == ("extractive", "7")
    assert (prediction["system"], prediction["arm"], prediction["benchmark"]) == (
        "ugat_medqa",
        "full@extractive",
        "b",
    )
    assert {row["candidate"] for row in rows["chains"]} == {0, 1}
    assert {row["kind"] for row in rows["evidence"]} == {"path"}


@pytest.mark.parametrize("arm", [ANSWERING, NO_RETRIEVAL, ARMS["full_answering@extractive_medmcqa"]])
@pytest.mark.parametrize("paths", [[], BOTH[:1], BOTH])
def test_the_answering_arms_never_abstain_and_rest_on_the_question_too(
    arm: PathArm, paths: list[dict[str, Any]]
) -> None:
    rows = read([kidney_question()], paths, arm=arm)
    [prediction] = rows["predictions"]
    assert not prediction["abstained"]
    assert prediction["predicted"] in OPTIONS
    assert 0 < prediction["confidence"] <= 1
    [question] = [row for row in rows["evidence"] if row["kind"] == "document"]
    assert (question["source_table"], question["source_key"]) == ("questions", "q1")
    assert question["text"] == "What harms the kidney?"
    assert question["source_version"] == text_hash("What harms the kidney?")
    [given_row] = [
        row for row in rows["prediction_evidence"] if row["evidence_id"] == question["evidence_id"]
    ]
    assert (given_row["role"], given_row["candidate"], given_row["rank"]) == ("given", -1, 1)
    answer = prediction["predicted_index"]
    assert {row["candidate"] for row in rows["chains"]} == {row["candidate"] for row in paths} | {answer}
    assert len(rows["evidence"]) == 1 + len(paths)
    # An answer that cites no passage says so in its chain.
    [chain] = [row for row in rows["chains"] if row["candidate"] == answer]
    bare = answer not in {row["candidate"] for row in paths}
    assert (chain["citation_status"], chain["cited"] == []) == ("nothing cited" if bare else "valid", bare)
    assert chain["text"] in prediction["raw_output"]


# By the options' order and their lifts the third would win.
ABOVE = [node_row("q1", 0, lift=-1.0), node_row("q1", 1, lift=0.5), node_row("q1", 2, lift=3.0)]


def test_an_answer_has_passages_where_an_arm_abstains() -> None:
    [grounded] = read([kidney_question()], BOTH, ABOVE, NAMED)["predictions"]
    assert (grounded["predicted"], grounded["abstained"]) == ("renal failure", False)
    rows = read([kidney_question()], BOTH, ABOVE, NAMED, arm=ANSWERING)
    assert rows["predictions"][0]["predicted"] == "renal stone"
    [chain] = [row for row in rows["chains"] if row["candidate"] == 2]
    assert chain["citation_status"] == "nothing cited"
    assert chain["text"] == (
        "No passage leads to “renal stone”. It is chosen by the question and the options alone."
    )


@given(
    reached=st.sets(st.integers(0, 2)),
    denying=st.sets(st.integers(0, 2)),
    lifts=st.lists(st.integers(-4, 4), min_size=3, max_size=3),
    text=st.sampled_from(["What harms it?", "Which does NOT harm it?", "What is contraindicated?"]),
)
def test_every_answer_of_an_arm_that_abstains_cites_passages(
    reached: set[int], denying: set[int], lifts: list[int], text: str
) -> None:
    paths = [
        {**path_row("q1", option, 1, f"Stones do {option}."), "denies": option in denying}
        for option in sorted(reached)
    ]
    nodes = [node_row("q1", option, lift=float(lift)) for option, lift in enumerate(lifts)]
    rows = read([kidney_question(text)], paths, nodes, NAMED)
    [prediction] = rows["predictions"]
    if prediction["abstained"]:
        assert len(reached) < 2 or (reached <= denying and text == "What harms it?")
        assert rows["chains"] == []
        return
    [chain] = [row for row in rows["chains"] if row["candidate"] == prediction["predicted_index"]]
    assert chain["citation_status"] == "valid"
    assert chain["cited"]
    if "NOT" not in text:
        assert prediction["predicted_index"] in reached
        assert prediction["predicted_index"] not in denying or "contra" in text
    assert 2 <= len(chain["text"].split(". ")) <= 4


def test_a_hypothesis_is_held_against_its_own_options_passages() -> None:
    encoder = SignEncoder()
    paths = [
        path_row("q1", 0, 1, "Stones cause atrophy."),
        path_row("q1", 0, 2, "Age causes atrophy."),
        path_row("q1", 1, 1, "Stones cause failure."),
    ]
    rows = read([kidney_question()], paths, encode=encoder.encode)
    for candidate, texts in ((0, [paths[0]["text"], paths[1]["text"]]), (1, [paths[2]["text"]])):
        hypothesis = encoder.encode([f"What harms the kidney? {OPTIONS[candidate]}"])[0]
        best = float((encoder.encode(texts) @ hypothesis).max())
        assert measures(rows, candidate)["path_hypothesis"] == pytest.approx(best, abs=1e-6)


def test_what_is_read_out_for_one_option_is_no_evidence_for_another() -> None:
    def hypothesis_and_attention(passage: str) -> dict[str, float]:
        rows = read(
            [kidney_question()], [BOTH[0], path_row("q1", 1, 1, passage)], encode=SignEncoder().encode
        )
        return {name: measures(rows, 0)[f"triple_{name}"] for name in ("hypothesis", "attended")}

    measured = [hypothesis_and_attention(text) for text in ("What harms the kidney? renal atrophy", "Else.")]
    assert measured[0] == measured[1]


def test_chains_cite_their_passages_by_valid_marks_at_most_three() -> None:
    texts = ["One.", "Two says [E9].", "Three.", "Four."]
    paths = [path_row("q1", 0, rank, text) for rank, text in enumerate(texts, start=1)]
    rows = read([kidney_question()], [*reversed(paths), BOTH[1]])
    chains = {row["candidate"]: row for row in rows["chains"]}
    assert chains[0]["text"] == (
        "The graph leads from the question to “renal atrophy”. One [E1]. Two says (E9) [E2]. Three [E3]."
    )
    assert chains[1]["text"] == (
        "The graph leads from the question to “renal failure”. Stones cause failure [E1]."
    )
    assert {row["citation_status"] for row in rows["chains"]} == {"valid"}
    units = [unit_of_path(row["path_id"], row["text"], row["triple_ids"]) for row in paths]
    assert chains[0]["cited"] == [unit.evidence_id for unit in units[:3]]
    given_rows = [
        row for row in rows["prediction_evidence"] if (row["role"], row["candidate"]) == ("given", 0)
    ]
    assert [row["evidence_id"] for row in given_rows] == [unit.evidence_id for unit in units]
    cited = [row for row in rows["prediction_evidence"] if (row["role"], row["candidate"]) == ("cited", 0)]
    assert [row["evidence_id"] for row in cited] == chains[0]["cited"]
    evidence = {row["evidence_id"]: row for row in rows["evidence"]}
    assert evidence[units[1].evidence_id]["locator"]["triple_ids"] == ["q1-0-2"]
    assert evidence[units[1].evidence_id]["source_table"] == "reasoning_paths"
    selected = [row for row in rows["selected_evidence"] if row["candidate"] == 0]
    assert [row["rank"] for row in selected] == [1, 2, 3, 4]
    assert {row["score"] for row in selected} == {0.5}
    marked = question_row("q1", "What?", ["[E3] atrophy", "failure"], 0)
    quoted = read([marked], BOTH)["chains"]
    assert [row["citation_status"] for row in quoted] == ["valid", "valid"]


@pytest.mark.parametrize("arm", [FULL, ANSWERING])
def test_a_question_without_options_is_not_answered(arm: PathArm) -> None:
    bare = question_row("q1", "What harms the kidney?", [], None)
    rows = read([bare], [path_row("q1", -1, 1, "Stones do.")], arm=arm)
    assert (rows["predictions"], rows["chains"], rows["prediction_evidence"]) == ([], [], [])
    assert len(rows["selected_evidence"]) == 1
    assert read([], arm=arm)["predictions"] == []


def test_an_answer_says_what_of_the_question_its_passages_account_for() -> None:
    question = kidney_question("Which stones do not cause renal failure in any weeks?")
    paths = [
        path_row("q1", 0, 1, "Gout may cause atrophy."),
        path_row("q1", 1, 1, "Renal stones may cause failure."),
    ]
    [prediction] = read([question], paths)["predictions"]
    bound = {row["text"]: row["target"] for row in prediction["bindings"] if row["role"] == "evidence"}
    assert bound == dict.fromkeys(("stones", "cause", "renal", "failure"), "path path q1-1-1")
    # The passage does not deny, and it says nothing of weeks.
    assert prediction["unaccounted"] == ["not", "any", "weeks"]


def test_confidence_goes_to_chance_where_passages_speak_of_something_else() -> None:
    lifts = [node_row("q1", 0, lift=3.0), node_row("q1", 1, lift=-1.0)]

    def confidence(nearness: float) -> float:
        def encode(texts: Sequence[str]) -> np.ndarray:
            away = (1 - nearness**2) ** 0.5
            return np.array([[nearness, away] if text.startswith("Stones") else [1.0, 0.0] for text in texts])

        [prediction] = read([kidney_question()], BOTH, lifts, NAMED[:2], encode=encode)["predictions"]
        assert prediction["predicted"] == "renal atrophy"
        return float(prediction["confidence"])

    near, middle, far = map(confidence, (1.0, 0.5, 0.0))
    assert near > middle > far > 1 / 3
    assert far == pytest.approx(1 / 3, abs=0.02)


@pytest.mark.parametrize("name", ["full_answering@extractive", "no_retrieval@extractive"])
def test_without_passages_nothing_is_accounted_for(name: str) -> None:
    """An arm that looks for none does not tell."""
    [prediction] = read([kidney_question()], arm=ARMS[name])["predictions"]
    looked = name.startswith("full")
    assert prediction["unaccounted"] == (["harms", "kidney"] if looked else None)
    [abstained] = read([kidney_question()], BOTH[:1])["predictions"]
    assert abstained["unaccounted"] is None


def test_equal_options_are_decided_by_their_order() -> None:
    paths = [path_row("q1", candidate, 1, "Same.") for candidate in range(3)]
    question = question_row("q1", "What harms the kidney?", EQUAL, 0)
    [prediction] = read([question], paths)["predictions"]
    assert prediction["predicted_index"] == 0
    assert prediction["tie_break"] == "first of 3 equal scores"
    assert prediction["confidence"] == pytest.approx(1 / 3)


def test_the_graph_says_nothing_of_an_arm_without_retrieval() -> None:
    nodes = [node_row("q1", 2, lift=9.0)]
    question = question_row("q1", "What harms the kidney?", EQUAL, 0)
    rows = read([question], [], nodes[:0], NAMED, arm=NO_RETRIEVAL)
    assert [row["citation_status"] for row in rows["chains"]] == ["nothing cited"]
    assert rows["selected_evidence"] == []
    assert rows["predictions"][0]["tie_break"] == "first of 3 equal scores"


def test_every_text_is_encoded_once_and_in_one_call() -> None:
    calls: list[list[str]] = []

    def encode(texts: Sequence[str]) -> np.ndarray:
        calls.append(list(texts))
        return alike(texts)

    second = question_row("q2", "And the liver?", OPTIONS, None)
    paths = [*BOTH, path_row("q2", 0, 1, BOTH[0]["text"]), path_row("q2", 1, 1, "Other.")]
    read([kidney_question(), second], paths, encode=encode)
    [texts] = calls
    assert len(texts) == len(set(texts))
    assert {BOTH[0]["text"], "Other.", OPTIONS[2], "And the liver? renal stone"} <= set(texts)


def test_the_same_rows_in_any_order_give_the_same_tables() -> None:
    encoder = SignEncoder()
    questions = [kidney_question(), question_row("q2", "And the liver?", OPTIONS, 2)]
    paths = [
        path_row(question, candidate, rank, f"{question} {candidate} {rank}.", 1 / rank)
        for question in ("q1", "q2")
        for candidate in range(3)
        for rank in range(1, 5)
    ]
    nodes = [node_row(question, node, lift=node / 3) for question in ("q1", "q2") for node in range(3)]
    concepts = [*NAMED, *(("q2", *row[1:]) for row in NAMED)]
    first = read(questions, paths, nodes, concepts, encode=encoder.encode)
    assert read(questions, paths, nodes, concepts, encode=encoder.encode) == first
    assert read(questions, paths[::-1], nodes[::-1], concepts, encode=encoder.encode) == first
    assert len(first["predictions"]) == 2
    assert len({row["prediction_id"] for row in first["predictions"]}) == 2


def test_a_question_without_a_key_is_answered_and_neither_right_nor_wrong() -> None:
    [prediction] = read([kidney_question(answer=None)], BOTH)["predictions"]
    assert (prediction["gold"], prediction["correct"]) == (None, None)
    assert prediction["predicted"] in OPTIONS
