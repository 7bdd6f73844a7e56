"""Sums, means, differences and ranks: what is calculated, what it cites, and when nothing is."""

from __future__ import annotations

import json

import pytest

from evidence_assets.kgqa.queries.algebra import (
    Extreme,
    Form,
    Named,
    Query,
    Reached,
    Typed,
    Union,
    Value,
    deserialize,
    serialize,
)
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import ROWS, outcome, railway, railway_of, read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How much longer is Coast Line than Moor Line?", "75"),
        ("How many kilometres longer than Moor Line is Coast Line?", "75"),
        ("By how much is Moor Line shorter than Coast Line?", "75"),
        ("What is the difference in length between Moor Line and Coast Line?", "75"),
        ("How many years older is Fell Line than Coast Line?", "13"),
        ("How many years after Fell Line was Coast Line opened?", "13"),
        ("How many years passed between Coast Line and Moor Line?", "28"),
        ("How many more lines does Northmoor Rail operate than Southern Star?", "abstained"),
        ("What is the total length of the lines operated by Northmoor Rail?", "165"),
        ("What is the average length of the lines operated by Southern Star?", "70.5"),
        ("Which is the second longest line?", ["Fell Line"]),
        ("Which is the third longest line?", ["Dale Line"]),
        ("Which line was the last to be opened?", ["Dale Line"]),
        ("What was Northmoor Rail's first line?", ["Coast Line"]),
        ("What is Southern Star's longest line?", ["Fell Line"]),
    ],
)
def test_amounts_are_calculated_and_ranked(text: str, expected: list[str] | str) -> None:
    reading = read(text)
    assert outcome(reading) == expected, (reading.query, reading.abstains)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("How much longer is Moor Line than Coast Line?", "the other way round"),
        ("How many hours longer is Coast Line than Moor Line?", "hours"),
        ("How much wider is Coast Line than Moor Line?", ""),
        ("What is the average weight of the lines of Northmoor Rail?", ""),
        ("Is the total length of the lines of Northmoor Rail 165 km?", ""),
        ("How many years older is Swift than Heron?", ""),
    ],
)
def test_what_is_not_told_is_not_calculated(text: str, why: str) -> None:
    reading = read(text)
    assert outcome(reading) == "abstained", (reading.query, reading.value)
    assert why in reading.abstains


def test_the_second_of_two_that_are_alike_is_none() -> None:
    base = railway_of([*ROWS, ("Shore Line", "length_km", "120")])
    executor = base.executor
    lines = Reached("length_km", True, Typed(""))
    assert len(executor.nodes(Extreme(lines, Value("length_km"), True))) == len(("Coast Line", "Shore Line"))
    assert not len(executor.nodes(Extreme(lines, Value("length_km"), True, 2)))
    [third] = executor.nodes(Extreme(lines, Value("length_km"), True, 3)).tolist()
    assert base.graph.labels[third].as_py() == "Fell Line"


def named(base: KnowledgeBase, label: str) -> Named:
    return Named(label, (base.graph.labels.to_pylist().index(label),))


def test_members_without_the_measure_are_passed_over_and_names_without_it_told() -> None:
    base = railway_of([*ROWS, ("Branch Line", "operated_by", "Northmoor Rail")])
    of = Reached("operated_by", True, named(base, "Northmoor Rail"))
    assert base.executor.answer(Query(of, Form.TOTAL, Value("length_km"))) == "165"
    assert base.executor.answer(Query(of, Form.MEAN, Value("length_km"))) == "82.5"
    names = Union((named(base, "Coast Line"), named(base, "Branch Line")))
    assert not base.executor.answer(Query(names, Form.GAP, Value("length_km")))


def test_a_difference_cites_both_amounts_and_comes_back_from_its_row() -> None:
    base = railway()
    reading = read("How much longer is Coast Line than Moor Line?")
    assert reading.query is not None
    edges = base.executor.shown_measures(reading.query)
    triples = {base.graph.triple(edge) for edge in edges}
    assert triples == {("Coast Line", "length_km", "120"), ("Moor Line", "length_km", "45")}
    assert deserialize(serialize(reading.query)) == reading.query


def test_queries_that_were_stored_without_ranks_and_measures_come_back() -> None:
    query = Query(Extreme(Typed("line"), Value("length_km"), True))
    stored = json.loads(serialize(query))
    assert "measure" not in stored
    del stored["of"]["rank"]
    assert deserialize(json.dumps(stored)) == query
