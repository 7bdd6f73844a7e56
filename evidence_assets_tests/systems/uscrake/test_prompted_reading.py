"""USCRaKE read by a language model: what each option is argued from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evidence_assets.lake.schemas import QUESTIONS, RANKED_CHUNKS, RANKED_TRIPLES
from evidence_assets.models.generation.protocol import Request
from evidence_assets.reading.prompting.prompt_files import CHOOSE, EXPLAIN_OPTION
from evidence_assets.reading.prompting.prompted import NO_ARGUMENTS
from evidence_assets.reading.selection import RETRIEVED, Selection
from evidence_assets.systems.uscrake.arms import ChunkArm
from evidence_assets.systems.uscrake.cases import RetrievedEvidence
from evidence_assets.systems.uscrake.reading import read_prompted
from evidence_assets.text.queries import NO_OPTION
from evidence_assets_tests.testing.prompted_reading import Read
from evidence_assets_tests.testing.question_rows import question_row
from evidence_assets_tests.testing.reading_cases import chunks_of
from evidence_assets_tests.testing.scripted_generator import ScriptedGenerator, recorded
from evidence_assets_tests.testing.table_rows import table_of

CHUNKS = chunks_of({"bees": "Bees make honey.", "cows": "Cows give milk.", "iron": "Iron rusts."})
TEXTS = dict(zip(CHUNKS.column("text").to_pylist(), CHUNKS.column("chunk_id").to_pylist(), strict=True))
BEES, COWS, IRON = TEXTS
QUESTION_ROWS = table_of(
    QUESTIONS,
    question_row("bees", "What do bees make?", ["honey", "milk"], 0),
    question_row("open", "Who makes honey?", [], None),
    question_row("nothing", "What is never found?", ["this", "that"], 0),
)


def ranking(question_id: str, candidate: int, rank: int, **changes: Any) -> dict[str, Any]:
    """One row, as it was ranked: not in order of rank."""
    place = {"benchmark": "b", "retrieval": "coverage", "scorer": "cosine", "touches": "both"}
    score = {"score": 1.0 - rank / 10, "score_parts": []}
    return {**place, "question_id": question_id, "candidate": candidate, "rank": rank, **score, **changes}


RETRIEVED_EVIDENCE = RetrievedEvidence(
    table_of(
        RANKED_CHUNKS,
        ranking("bees", 0, 2, chunk_id=TEXTS[COWS]),
        ranking("bees", 0, 1, chunk_id=TEXTS[BEES]),
        ranking("bees", 1, 1, chunk_id=TEXTS[COWS]),
        ranking("bees", NO_OPTION, 1, chunk_id=TEXTS[IRON]),
        ranking("open", NO_OPTION, 1, chunk_id=TEXTS[BEES]),
    ),
    CHUNKS,
    table_of(RANKED_TRIPLES, ranking("bees", 0, 1, triple_id="t1", text="bee can make honey", kg="k")),
)
BOTH = Selection(15, 10, RETRIEVED)


def arm(selection: Selection) -> ChunkArm:
    return ChunkArm(
        name="full@scripted", retrieval="coverage", description="", selection=selection, prompted=True
    )


def script(request: Request) -> str:
    return "Answer: A" if request.task == CHOOSE else "So it is [E2][E1]."


class Reading(Read):
    def __init__(self, selection: Selection, folder: Path) -> None:
        generator = ScriptedGenerator(script)
        recording, lake = recorded(generator, folder)
        super().__init__(
            read_prompted(QUESTION_ROWS, RETRIEVED_EVIDENCE, recording, arm(selection), "b", "7"),
            generator,
            lake,
        )


def test_each_option_is_argued_from_its_chunks_and_triples_in_their_order(tmp_path: Path) -> None:
    reading = Reading(BOTH, tmp_path)
    assert reading.used("given") == {0: [BEES, COWS, "bee can make honey"], 1: [COWS]}
    assert reading.used("cited") == {0: [COWS, BEES], 1: [COWS]}
    [first] = [
        request
        for request in reading.generator.of_task(EXPLAIN_OPTION)
        if "<candidate>\nhoney\n" in request.user
    ]
    assert f"[E1] {BEES}\n[E2] {COWS}\n[E3] bee can make honey\n</evidence>" in first.user
    predictions = {row["question_id"]: row for row in reading.rows["predictions"]}
    assert predictions.keys() == {"bees", "nothing"}
    assert predictions["bees"]["correct"]
    assert predictions["bees"]["generator"] == "scripted"
    assert predictions["bees"]["code_version"] == "7"
    assert predictions["bees"]["request_hash"] in reading.recorded
    assert {row["request_hash"] for row in reading.rows["chains"]} < set(reading.recorded)
    assert {row["arm"] for row in reading.rows["predictions"]} == {"full@scripted"}


def test_what_was_selected_is_told_of_every_question(tmp_path: Path) -> None:
    reading = Reading(BOTH, tmp_path)
    assert {(row["question_id"], row["candidate"]) for row in reading.rows["selected_evidence"]} == {
        ("bees", 0),
        ("bees", 1),
        ("bees", NO_OPTION),
        ("open", NO_OPTION),
    }


def test_a_question_for_which_nothing_was_found_is_abstained_on(tmp_path: Path) -> None:
    [row] = [row for row in Reading(BOTH, tmp_path).rows["predictions"] if row["question_id"] == "nothing"]
    assert (row["parse_status"], row["abstained"], row["predicted"]) == (NO_ARGUMENTS, True, None)


@pytest.mark.parametrize("question_only", [True, False])
def test_what_the_question_alone_found_is_shared_where_the_arm_says_so(
    tmp_path: Path, question_only: bool
) -> None:
    reading = Reading(Selection(15, 10, RETRIEVED, question_only=question_only), tmp_path)
    shared = {0: [IRON], 1: [IRON]}
    assert (reading.used("given") == shared) == question_only
