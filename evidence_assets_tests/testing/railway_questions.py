"""Questions asked of an invented railway, or of a few triples, with every label in them as a topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.graph.schema import derived_schema, load_schema
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.understanding.question_reading import QuestionReading
from evidence_assets.kgqa.understanding.understanding import Understander
from evidence_assets_tests.testing.parsing_samples import encoder
from evidence_assets_tests.testing.query_samples import typed_graph

ROWS = [
    ("Coast Line", "calls_at", "Helmsby Junction"),
    ("Moor Line", "calls_at", "Helmsby Junction"),
    ("Fell Line", "calls_at", "Helmsby Junction"),
    ("Dale Line", "calls_at", "Wexcombe"),
    ("Coast Line", "operated_by", "Northmoor Rail"),
    ("Moor Line", "operated_by", "Northmoor Rail"),
    ("Fell Line", "operated_by", "Southern Star"),
    ("Dale Line", "operated_by", "Southern Star"),
    ("Northmoor Rail", "based_in", "Helmsby"),
    ("Southern Star", "based_in", "Wexcombe Bay"),
    ("Torrin Works", "based_in", "Helmsby"),
    ("Torrin Works", "builds", "Swift"),
    ("Ardle Works", "builds", "Heron"),
    ("Ardle Works", "based_in", "Wexcombe Bay"),
    ("Coast Line", "length_km", "120"),
    ("Moor Line", "length_km", "45"),
    ("Fell Line", "length_km", "80"),
    ("Dale Line", "length_km", "61"),
    ("Coast Line", "opened_in", "1874"),
    ("Moor Line", "opened_in", "1902"),
    ("Fell Line", "opened_in", "1861"),
    ("Dale Line", "opened_in", "1990"),
]
KINDS = {
    "line": ("Coast Line", "Moor Line", "Fell Line", "Dale Line"),
    "station": ("Helmsby Junction", "Wexcombe"),
    "company": ("Northmoor Rail", "Southern Star", "Torrin Works", "Ardle Works"),
    "town": ("Helmsby", "Wexcombe Bay"),
    "train": ("Swift", "Heron"),
}


def base_of(rows: Sequence[tuple[str, str, str]], kind_of: Mapping[str, str | None]) -> KnowledgeBase:
    """What is asked of triples, given the type of each label that has one."""
    graph = typed_graph(rows)
    kinds = [kind_of.get(label) for label in graph.labels.to_pylist()]
    schema = derived_schema(graph, kinds, {})
    templates = {name: relation.sentences[0] for name, relation in schema.relations.items()}
    return KnowledgeBase(graph, schema, node_types(graph, kinds, schema), templates)


def base_of_schema(
    rows: Sequence[tuple[str, str, str]], labels_of: Mapping[str, Sequence[str]], text: str
) -> KnowledgeBase:
    """What is asked of triples by a schema that somebody wrote, given the labels of each type."""
    kind_of: dict[str, str | None] = {label: kind for kind, labels in labels_of.items() for label in labels}
    graph, schema = base_of(rows, kind_of).graph, load_schema(text, "schema.yaml")
    kinds = [kind_of[label] for label in graph.labels.to_pylist()]
    templates = {name: relation.sentences[0] for name, relation in schema.relations.items()}
    return KnowledgeBase(graph, schema, node_types(graph, kinds, schema), templates)


def railway_of(rows: list[tuple[str, str, str]], typed: bool = True) -> KnowledgeBase:
    kind_of = {label: kind for kind, labels in KINDS.items() for label in labels}
    return base_of(rows, kind_of if typed else {})


def base_of_typed(rows: Sequence[tuple[str, str, str, str, str | None]]) -> KnowledgeBase:
    """What is asked of triples that have their head's and their tail's type behind them."""
    kind_of = {row[0]: row[3] for row in rows} | {row[2]: row[4] for row in rows}
    return base_of([row[:3] for row in rows], kind_of)


@cache
def railway(typed: bool = True) -> KnowledgeBase:
    return railway_of(ROWS, typed)


def linked_question(text: str, base: KnowledgeBase) -> LinkedQuestion:
    """The question with every label in it as a topic; of labels that overlap the longest."""
    topics: list[Topic] = []
    labels = base.graph.labels.to_pylist()
    for node in sorted(range(len(labels)), key=lambda node: -len(labels[node])):
        start = text.find(labels[node])
        end = start + len(labels[node])
        if start >= 0 and all(end <= topic.start or start >= topic.end for topic in topics):
            topics.append(Topic(labels[node], start, end, (node,)))
    return LinkedQuestion(text, text, tuple(sorted(topics, key=lambda topic: topic.start)))


# By the graph's identity, and the graph beside it, lest another take its place.
_UNDERSTANDERS: dict[int, tuple[KnowledgeBase, Understander]] = {}


def read(text: str, base: KnowledgeBase | None = None) -> QuestionReading:
    base = base or railway()
    if id(base) not in _UNDERSTANDERS:
        _UNDERSTANDERS[id(base)] = base, base.understander(encoder())
    return _UNDERSTANDERS[id(base)][1].understand([linked_question(text, base)])[0].reading


def outcome(reading: QuestionReading, base: KnowledgeBase | None = None) -> list[str] | str:
    if reading.abstains:
        return "abstained"
    return meant(reading, base)


def meant(reading: QuestionReading, base: KnowledgeBase | None = None) -> list[str] | str:
    """The answers of a reading, however sure it is."""
    labels = (base or railway()).graph.labels.to_pylist()
    return reading.value or sorted(labels[node] for node in reading.nodes.tolist())
