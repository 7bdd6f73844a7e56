"""Attention2Query read by a language model: which facts it is shown, and what its answer rests on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.graph.schema import derived_schema
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.lake.schemas import RETRIEVED_FACTS
from evidence_assets.models.generation.protocol import Request
from evidence_assets.reading.prompting.prompt_files import CHOOSE, EXPLAIN_OPTION
from evidence_assets.reading.prompting.prompted import NO_ARGUMENTS
from evidence_assets.systems.attention2query.arms import arms
from evidence_assets.systems.attention2query.reading import SHOWN, read_prompted
from evidence_assets.text.queries import NO_OPTION
from evidence_assets_tests.testing.experiment_rows import rows_of
from evidence_assets_tests.testing.graph_samples import graph_of, number_of
from evidence_assets_tests.testing.prompted_reading import Read
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.scripted_generator import ScriptedGenerator, recorded
from evidence_assets_tests.testing.table_rows import retrieved_fact as fact

FULL = arms(["scripted"])["full@scripted"]
OPTIONS = ["kennel", "garage", "pond"]


class Reading(Read):
    def __init__(self, folder: Path, facts: list[dict[str, Any]], options: list[str] = OPTIONS) -> None:
        def script(request: Request) -> str:
            return '{"answer": "A"}' if request.task == CHOOSE else "So it is [E1]."

        generator = ScriptedGenerator(script)
        recording, lake = recorded(generator, folder)
        questions = question_table(
            question_row("q1", "Where does a dog sleep?", options, 0 if options else None)
        )
        rows = pa.Table.from_pylist(facts, schema=RETRIEVED_FACTS.schema)
        super().__init__(read_prompted(questions, rows, recording, FULL, "b", "7"), generator, lake)


def test_each_option_is_argued_for_from_its_own_facts_best_first(tmp_path: Path) -> None:
    # Not in the order of their ranks.
    facts = [
        fact(0, 2, "A kennel is in a yard."),
        fact(0, 1, "A dog sleeps in a kennel."),
        fact(1, 1, "A garage holds a car. A car carries a dog.", kind="path", triple_ids=["t1-1", "u1-1"]),
        fact(2, 1, "A pond holds a duck."),
    ]
    reading = Reading(tmp_path, facts)
    assert reading.used("given") == {
        0: ["A dog sleeps in a kennel.", "A kennel is in a yard."],
        1: ["A garage holds a car. A car carries a dog."],
        2: ["A pond holds a duck."],
    }
    [prediction] = reading.rows["predictions"]
    assert (prediction["predicted"], prediction["correct"]) == ("kennel", True)
    assert prediction["request_hash"] in reading.recorded
    kinds = {row["text"]: (row["kind"], row["locator"]["triple_ids"]) for row in reading.rows["evidence"]}
    assert kinds["A dog sleeps in a kennel."] == ("triple", ["t0-1"])
    assert kinds["A garage holds a car. A car carries a dog."] == ("path", ["t1-1", "u1-1"])


def test_only_the_best_facts_are_shown(tmp_path: Path) -> None:
    facts = [fact(0, rank, f"Fact {rank} speaks.") for rank in range(1, SHOWN + 3)]
    reading = Reading(tmp_path, facts)
    assert reading.used("given")[0] == [f"Fact {rank} speaks." for rank in range(1, SHOWN + 1)]
    [argued] = [request for request in reading.generator.of_task(EXPLAIN_OPTION) if "kennel" in request.user]
    assert f"Fact {SHOWN} speaks." in argued.user
    assert f"Fact {SHOWN + 1} speaks." not in argued.user


def test_an_option_without_facts_is_shown_those_of_the_question(tmp_path: Path) -> None:
    reading = Reading(tmp_path, [fact(NO_OPTION, 1, "A dog is a pet."), fact(0, 1, "A dog is in a kennel.")])
    assert reading.used("given") == {
        0: ["A dog is in a kennel."],
        1: ["A dog is a pet."],
        2: ["A dog is a pet."],
    }


def test_without_facts_nothing_is_sent_and_nothing_answered(tmp_path: Path) -> None:
    reading = Reading(tmp_path, [])
    assert reading.generator.requests == []
    [prediction] = reading.rows["predictions"]
    assert (prediction["parse_status"], prediction["predicted"]) == (NO_ARGUMENTS, None)


def test_a_question_without_options_is_answered_in_words_and_by_what_facts_end_with(tmp_path: Path) -> None:
    """It was read by nobody: prompted arms left no prediction on a benchmark of open questions."""
    graph = graph_of([("Dog", "sleeps_in", "Kennel", 1.0)])
    schema = derived_schema(graph, None, {"sleeps_in": "{head} sleeps in {tail}"})
    base = KnowledgeBase(
        graph, schema, node_types(graph, None, schema), {"sleeps_in": "{head} sleeps in {tail}"}
    )
    generator = ScriptedGenerator(lambda request: '{"answer": ["kennel"]}')
    recording, _ = recorded(generator, tmp_path)
    stated = {"answers": [number_of(graph, "Kennel")], "triple_ids": ["t0"], "fact_id": "t0"}
    row = fact(NO_OPTION, 1, "Dog sleeps in Kennel.", **stated)
    questions = question_table(question_row("q1", "Where does a dog sleep?", [], None))

    facts = pa.Table.from_pylist([row], schema=RETRIEVED_FACTS.schema)
    rows = rows_of(read_prompted(questions, facts, recording, FULL, "b", "7", None, base))

    assert "(Dog, sleeps in, Kennel)" in generator.requests[0].user
    [prediction] = rows["predictions"]
    assert (prediction["predicted"], prediction["parse_status"]) == ("kennel", "parsed")
    [ranked] = rows["ranked_answers"]
    assert (ranked["node"], ranked["supported"], ranked["returned"]) == (
        number_of(graph, "Kennel"),
        True,
        True,
    )
