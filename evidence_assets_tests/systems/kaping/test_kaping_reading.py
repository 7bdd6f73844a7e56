"""Answers from facts without a language model: likeliest readings, what was retrieved, when it abstains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from evidence_assets.evidence.experiment import RANKED_EXPERIMENT_TABLES, Experiment
from evidence_assets.kgqa.answers.fact_cases import cases
from evidence_assets.kgqa.queries.algebra import Form, Query, Reached, Typed
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant, Triplet, Variable
from evidence_assets.kgqa.queries.serialization import ABSENT, PARSED, QueryRecord
from evidence_assets.lake.schemas import RETRIEVED_FACTS
from evidence_assets.systems.kaping import reading as kaping_reading
from evidence_assets.systems.kaping.arms import ARMS, SYSTEM
from evidence_assets.systems.kaping.reading import read_case
from evidence_assets.systems.kaping.report import of_experiment
from evidence_assets_tests.testing.kaping_samples import (
    ACTORS_OF_FILMS,
    BACKGROUND,
    BENCHMARK,
    DIRECTOR,
    FILMS_OF,
    facts_of,
    film_base,
    film_graph,
    inquiry,
    question_table,
    reading,
    stated_rows,
)

GRAPH = film_graph()
BASE = film_base(GRAPH)
NONE = RETRIEVED_FACTS.schema.empty_table()
Tables = dict[str, list[dict[str, Any]]]


def read(
    question: str,
    topic: str,
    retrieval: str,
    readings: Sequence[QueryRecord],
    stated: pa.Table | None = None,
    arm: str = "external_2hop@extractive",
    answers: Sequence[str] = (),
    facts: pa.Table | None = None,
) -> Tables:
    if facts is None:
        facts = facts_of(GRAPH, inquiry(GRAPH, question, topic), retrieval, stated)
    [case] = cases(question_table(question, answers), facts, {"q1": readings}, stated)
    experiment = Experiment(SYSTEM, arm, BENCHMARK, "1", ranks=True)
    read_case(experiment, case, BASE, ARMS[arm])
    tables = experiment.tables()
    assert set(tables) == {table.name for table in RANKED_EXPERIMENT_TABLES}
    of_experiment(tables)
    return {name: table.to_pylist() for name, table in tables.items()}


def ranked(tables: Tables) -> list[tuple[str, bool]]:
    return [(row["answer"], row["returned"]) for row in tables["ranked_answers"]]


def test_the_ends_of_the_likeliest_reading_are_the_answer() -> None:
    tables = read(
        "who acts in films directed by Ridley Scott",
        "Ridley Scott",
        "external_2hop",
        [reading(GRAPH, "Ridley Scott", ACTORS_OF_FILMS, 2.0), reading(GRAPH, "Ridley Scott", FILMS_OF, 1.0)],
        answers=["Harrison Ford", "Sigourney Weaver"],
    )
    assert ranked(tables) == [
        ("Harrison Ford", True),
        ("Sigourney Weaver", True),
        ("Alien", False),
        ("Blade Runner", False),
    ]
    [prediction] = tables["predictions"]
    assert (prediction["predicted"], prediction["correct"]) == ("Harrison Ford", True)
    assert prediction["tie_break"] == "first of 2 by node"
    [chain] = tables["chains"]
    assert chain["text"].startswith("Harrison Ford: Blade Runner was directed by Ridley Scott. [E1]")
    assert {row["kind"] for row in tables["evidence"]} == {"triple"}
    assert all(row["supported"] and len(row["evidence"]) for row in tables["ranked_answers"])


def test_a_conjunction_is_answered_where_facts_of_both_topics_bear_it_out() -> None:
    """Its two conditions were looked for as one walk, which no topic has: none was ever answered."""
    scott, horror = (BASE.graph.labels.to_pylist().index(name) for name in ("Ridley Scott", "Horror"))
    answer = Variable("answer", "movie")
    query = ConjunctiveQuery(
        (
            Triplet(answer, "directed_by", Constant("Ridley Scott", (scott,))),
            Triplet(answer, "has_genre", Constant("Horror", (horror,))),
        ),
        "answer",
    )
    question = "which horror film was directed by Ridley Scott"
    facts = facts_of(GRAPH, inquiry(GRAPH, question, "Ridley Scott", "Horror"), "external_2hop")
    record = QueryRecord(query, PARSED, 1.0, "movie")

    tables = read(question, "Ridley Scott", "external_2hop", [record], answers=["Alien"], facts=facts)
    assert ranked(tables) == [("Alien", True)]
    assert tables["predictions"][0]["correct"]

    of_one = facts.filter(pc.equal(facts.column("text"), "Alien was directed by Ridley Scott"))
    tables = read(question, "Ridley Scott", "external_2hop", [record], facts=of_one)
    assert tables["predictions"][0]["parse_status"] == kaping_reading.NOT_BORNE_OUT


def test_a_count_was_given_what_it_cites_though_no_fact_was_retrieved() -> None:
    """A question without a topic has no facts, and its answer was refused as one without evidence."""
    films = Reached("directed_by", True, Typed(""))
    record = replace(reading(GRAPH, "Ridley Scott", FILMS_OF), operation=Query(films, Form.NUMBER))

    tables = read("how many films are there", "Ridley Scott", "external_2hop", [record], facts=NONE)

    used = {
        role: {row["evidence_id"] for row in tables["prediction_evidence"] if row["role"] == role}
        for role in ("given", "cited")
    }
    assert used["cited"]
    assert used["given"] == used["cited"]
    assert not tables["predictions"][0]["abstained"]


def test_what_needs_two_hops_is_abstained_on_where_one_was_retrieved() -> None:
    tables = read(
        "who acts in films directed by Ridley Scott",
        "Ridley Scott",
        "external_1hop",
        [reading(GRAPH, "Ridley Scott", ACTORS_OF_FILMS, 2.0), reading(GRAPH, "Ridley Scott", FILMS_OF, 1.0)],
    )
    [prediction] = tables["predictions"]
    assert (prediction["abstained"], prediction["parse_status"]) == (True, kaping_reading.NOT_BORNE_OUT)
    assert prediction["predicted"] is None
    assert ranked(tables) == [("Alien", False), ("Blade Runner", False)]
    assert tables["chains"] == []


@pytest.mark.parametrize(
    ("readings", "status"),
    [
        ([], kaping_reading.NO_TOPIC),
        ([reading(GRAPH, "Argo", (("has_genre", False),), 1.0, ABSENT)], kaping_reading.ABSENT),
        ([reading(GRAPH, "Nobody", DIRECTOR)], kaping_reading.NOT_BORNE_OUT),
    ],
    ids=["no reading", "the graph lacks it", "unknown name"],
)
def test_why_nothing_is_answered_is_told(readings: list[QueryRecord], status: str) -> None:
    tables = read("what kind of film is Argo", "Argo", "external_2hop", readings)
    assert [row["parse_status"] for row in tables["predictions"]] == [status]
    assert ranked(tables) == []


def test_without_facts_nothing_is_answered() -> None:
    tables = read("who directed Heat", "Heat", "", [reading(GRAPH, "Heat", DIRECTOR)], facts=NONE)
    assert [row["parse_status"] for row in tables["predictions"]] == [kaping_reading.NO_FACTS]


def test_what_a_model_states_alone_is_ranked_last_and_not_returned() -> None:
    stated = stated_rows(("Heat", "directed by", "Sergio Leone"), ("Heat", "directed by", "Michael Mann"))
    tables = read(
        "who directed Heat",
        "Heat",
        f"full_1hop@{BACKGROUND}",
        [reading(GRAPH, "Heat", DIRECTOR)],
        stated,
        "full@extractive",
    )
    assert ranked(tables) == [("Michael Mann", True), ("Sergio Leone", False)]
    assert [row["supported"] for row in tables["ranked_answers"]] == [True, False]
    kinds = {row["kind"] for row in tables["evidence"]}
    assert kinds == {"triple", "generated_triple"}
    generated = [row for row in tables["evidence"] if row["kind"] == "generated_triple"]
    assert {row["source_table"] for row in generated} == {"generated_triples"}


def test_a_contradicted_statement_answers_nothing_and_both_sides_are_evidence() -> None:
    triple_id = next(
        GRAPH.triple_ids[edge].as_py()
        for edge in range(len(GRAPH.heads))
        if GRAPH.triple(edge)[:2] == ("Heat", "directed_by")
    )
    stated = stated_rows(("Heat", "directed by", "Ben Affleck"), contradicts={0: [triple_id]})
    tables = read(
        "who directed Heat",
        "Heat",
        f"full_1hop@{BACKGROUND}",
        [reading(GRAPH, "Heat", DIRECTOR)],
        stated,
        "full@extractive",
    )
    assert ranked(tables) == [("Michael Mann", True)]
    keys = {row["source_key"] for row in tables["evidence"]}
    assert {triple_id, stated.column("generated_triple_id")[0].as_py()} <= keys


def test_the_masked_models_own_arm_answers_with_its_likeliest_fill() -> None:
    stated = stated_rows(("Heat", "directed by", "mann"), ("Heat", "sold in", "shops"))
    tables = read(
        "who directed Heat", "Heat", f"background@{BACKGROUND}", [], stated, "background_only@cloze"
    )
    assert ranked(tables) == [("mann", True), ("shops", False)]
    [prediction] = tables["predictions"]
    assert (prediction["predicted"], prediction["generator"], prediction["abstained"]) == (
        "mann",
        "cloze",
        False,
    )
    assert not any(row["supported"] for row in tables["ranked_answers"])
    nothing = read("who directed Heat", "Heat", "", [], None, "background_only@cloze", facts=NONE)
    assert [row["abstained"] for row in nothing["predictions"]] == [True]


def test_the_statement_may_name_the_topic_at_either_end() -> None:
    stated = stated_rows(("mann", "director of", "Heat"))
    tables = read(
        "who directed Heat", "Heat", f"background@{BACKGROUND}", [], stated, "background_only@cloze"
    )
    assert ranked(tables) == [("mann", True)]


def test_questions_with_options_are_not_read() -> None:
    table = question_table("who directed Heat", [])
    place = table.schema.get_field_index("options")
    chosen = table.set_column(place, table.schema.field(place), pa.array([["a", "b"]], pa.list_(pa.string())))
    assert list(cases(chosen, NONE, {})) == []
