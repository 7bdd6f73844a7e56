"""Queries that a model proposes, with recorded replies: held to the algebra, run, ranked, cited."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from evidence_assets.evidence.accounting import Role
from evidence_assets.kgqa.answers.proposed_queries import (
    NO_QUERY,
    accounted,
    propose_queries,
    proposed_rows,
    query_schema,
    read_query,
)
from evidence_assets.kgqa.queries.algebra import Form, Named, Query, Reached, deserialize
from evidence_assets.kgqa.queries.serialization import PARSED, deserialize_queries
from evidence_assets.models.generation.protocol import Request
from evidence_assets.reading.proposals import SAMPLES
from evidence_assets_tests.testing.graph_samples import SignEncoder, linker_of, number_of
from evidence_assets_tests.testing.kaping_samples import SCHEMA, film_base, film_graph
from evidence_assets_tests.testing.query_samples import FILM_ROWS
from evidence_assets_tests.testing.scripted_generator import ScriptedGenerator, recorded

GRAPH = film_graph()
BASE = film_base(GRAPH)
FORM = query_schema(SCHEMA)
QUESTION = "which films did Ridley Scott direct"


def named(text: str) -> dict[str, Any]:
    return {"kind": "named", "text": text}


def reached(relation: str, of: dict[str, Any], backwards: bool = False) -> dict[str, Any]:
    return {"kind": "reached", "relation": relation, "backwards": backwards, "of": of}


def query(of: dict[str, Any], form: str = "members") -> dict[str, Any]:
    return {"form": form, "of": of}


FILMS = reached("directed_by", named("Ridley Scott"), backwards=True)
HORROR = reached("has_genre", named("Horror"), backwards=True)
ACTORS = reached("starred_actors", FILMS)
COUNTED = {"kind": "number", "relation": "directed_by", "backwards": True}
COUNTED["among"] = {"kind": "typed", "type": "movie"}
KNOWN = [
    (query(FILMS), ["Alien", "Blade Runner"]),
    (query(ACTORS), ["Harrison Ford", "Sigourney Weaver"]),
    (query({"kind": "and", "parts": [FILMS, HORROR]}), ["Alien"]),
    (query({"kind": "without", "of": FILMS, "without": HORROR}), ["Blade Runner"]),
    (query({"kind": "or", "parts": [HORROR, reached("has_genre", named("Crime"), True)]}), ["Alien", "Heat"]),
    (
        query(
            {
                "kind": "extreme",
                "of": {"kind": "typed", "type": "person"},
                "measure": COUNTED,
                "greatest": True,
            }
        ),
        ["Ridley Scott"],
    ),
    (
        query(
            {
                "kind": "filtered",
                "of": {"kind": "typed", "type": "person"},
                "measure": COUNTED,
                "relational": ">=",
                "bound": 2,
            }
        ),
        ["Ridley Scott"],
    ),
]


def nodes_of(*names: str) -> dict[str, tuple[int, ...]]:
    return {name: (number_of(GRAPH, name),) for name in names}


@pytest.mark.parametrize(("value", "answers"), KNOWN)
def test_a_query_denotes_what_it_says(value: dict[str, Any], answers: list[str]) -> None:
    jsonschema.validate(value, FORM)
    parsed = read_query(value, nodes_of("Ridley Scott", "Horror", "Crime"))
    assert sorted(BASE.label(int(node)) for node in BASE.executor.nodes(parsed.of)) == answers


@pytest.mark.parametrize(
    "value",
    [
        query(reached("painted_by", named("Heat"))),
        query({"kind": "typed", "type": "planet"}),
        query(FILMS, "sum"),
        query(reached("directed_by", reached("directed_by", FILMS))),
        query(named("x" * 101)),
    ],
    ids=["no such relation", "no such type", "no such form", "too deep", "too long"],
)
def test_what_is_no_query_of_this_graph_is_invalid(value: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, FORM)


def test_every_reply_held_to_the_schema_ends() -> None:
    names = list(FORM["$defs"])
    for place, definition in enumerate(FORM["$defs"].values()):
        assert set(re.findall(r"#/\$defs/(\w+)", json.dumps(definition))) <= set(names[:place])


def test_a_questions_words_are_bound_by_names_relations_types_and_operators() -> None:
    accounting = accounted(
        "how many movies were directed by Ridley Scott in Rome", query(FILMS, "number"), SCHEMA
    )
    roles = {binding.text: binding.role for binding in accounting.bindings}
    assert roles["how"] is roles["many"] is Role.OPERATOR
    assert roles["directed"] is roles["Ridley"] is Role.EVIDENCE
    assert accounting.unaccounted == ("movies", "Rome")
    typed = {"kind": "and", "parts": [FILMS, {"kind": "typed", "type": "movie"}]}
    kinds = {
        binding.text: binding.role for binding in accounted("which movies", query(typed), SCHEMA).bindings
    }
    assert kinds["movies"] is Role.TYPE


def proposed(folder: Path, values: Sequence[Any]) -> tuple[ScriptedGenerator, Any]:
    def script(request: Request) -> str:
        place = request.sampling.seed - 2026 if request.sampling.temperature else 0
        value = values[place % len(values)]
        return value if isinstance(value, str) else json.dumps(value)

    generator = ScriptedGenerator(script)
    model, _ = recorded(generator, folder)
    linker = linker_of([(head, relation, tail, None) for head, relation, tail in FILM_ROWS])
    return generator, propose_queries([QUESTION], model, BASE, linker, SignEncoder())


def test_the_query_that_accounts_for_most_and_agrees_with_most_is_first(tmp_path: Path) -> None:
    empty = query(reached("directed_by", named("Ridley Scott")))
    generator, [ranked] = proposed(tmp_path, [query(HORROR), query(FILMS), query(FILMS), "none", empty])
    assert len(generator.requests) >= SAMPLES
    assert all(request.schema == FORM for request in generator.requests)
    best, runner_up = ranked
    assert best.expression == Query(
        Reached("directed_by", True, Named("Ridley Scott", (number_of(GRAPH, "Ridley Scott"),)))
    )
    assert (best.agreement, runner_up.agreement) == (2 / 3, 1 / 3)
    assert best.score > runner_up.score


def test_rows_are_queries_that_run_with_the_triples_that_show_each_answer(tmp_path: Path) -> None:
    _, proposals = proposed(tmp_path, [query(FILMS)])
    rows = proposed_rows("films_quiz", "proposed@scripted", ["q1"], proposals, BASE)
    [row] = rows.to_pylist()
    assert (row["rank"], row["status"], row["answers"]) == (1, PARSED, 2)
    assert deserialize(row["operation"]).form is Form.MEMBERS
    [record] = deserialize_queries(rows)["q1"]
    assert record.request_hash == row["request_hash"]
    film = number_of(GRAPH, "Alien")
    assert film in BASE.nodes_of(record)
    [edges] = BASE.support_of(record, [film], 4)
    assert [BASE.graph.triple(edge) for edge in edges] == [("Alien", "directed_by", "Ridley Scott")]


def test_a_number_is_an_answer_and_an_empty_set_is_none(tmp_path: Path) -> None:
    _, [counted] = proposed(tmp_path / "number", [query(FILMS, "number")])
    [record] = deserialize_queries(proposed_rows("b", "proposed@s", ["q1"], [counted], BASE))["q1"]
    assert BASE.value_of(record)[0] == "2"
    _, [no_query] = proposed(tmp_path / "empty", [query(named("Atlantis"))])
    assert no_query == []
    [row] = proposed_rows("b", "proposed@s", ["q1"], [no_query], BASE).to_pylist()
    assert (row["status"], row["answers"]) == (NO_QUERY, 0)
