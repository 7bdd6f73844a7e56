"""Questions to small graphs whose authors wrote a schema with sentences: `authored/schema_graphs`.

    python -m benchmarks schema_graphs

Companies, families and species, with relations between things of one type that are asked both ways round. A
third of the questions has no answer: the schema has no such relation, or the node no such fact. Two
baselines: the best path always, and paths whose direction the order of words does not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks import PROJECT
from benchmarks.graphs.graph_question_sets import shares
from benchmarks.graphs.graph_questions import Folder, opened
from benchmarks.graphs.named_topics import named_topics
from benchmarks.texts import starter_encoder
from evidence_assets.kgqa.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.linked_questions import LinkedQuestion
from evidence_assets.kgqa.path_scoring import DIRECTION, ParsingOptions
from evidence_assets.kgqa.understanding import Understander
from evidence_assets.models.encoder import Encoder

FOLDER = PROJECT / "benchmarks" / "authored" / "schema_graphs"
GRAPHS = tuple(sorted(path.name for path in FOLDER.iterdir() if (path / "schema.yaml").exists()))

# The kind of a question, the ids that it is answered with (None: not at all), and the right ones.
Answered = tuple[str, frozenset[str] | None, frozenset[str] | None]
Answering = Callable[[Folder, Sequence[LinkedQuestion]], Iterator[frozenset[str] | None]]


def run() -> dict[str, Any]:
    """Return what is answered and what of it rightly, by graph, way to answer and kind of question."""
    encoder = starter_encoder()
    ways: dict[str, Answering] = {
        "default": lambda folder, questions: _read(folder, questions, folder.base.understander(encoder)),
        "without directions": lambda folder, questions: _read(
            folder, questions, _undirected(folder.base, encoder)
        ),
        "the best path, always": lambda folder, questions: _by_path(folder, questions, encoder),
    }
    folders = {name: opened(FOLDER / name) for name in GRAPHS}
    answered = {way: {name: answers(folders[name], how) for name in GRAPHS} for way, how in ways.items()}
    return {
        "graphs": [
            {"graph": name, "way": way, **figures(of_graph)}
            for way, of_graphs in answered.items()
            for name, of_graph in of_graphs.items()
        ],
        "all": [
            {"way": way, **figures([row for of_graph in of_graphs.values() for row in of_graph])}
            for way, of_graphs in answered.items()
        ],
    }


def answers(folder: Folder, answering: Answering) -> list[Answered]:
    """Return how the questions of a graph are answered."""
    texts = [question["question"] for question in folder.questions]
    linked = [
        LinkedQuestion(str(place), text, named_topics(text, folder.linker))
        for place, text in enumerate(texts)
    ]
    kinds = [question["kind"] for question in folder.questions]
    return list(zip(kinds, answering(folder, linked), folder.gold, strict=True))


def figures(answered: Sequence[Answered]) -> dict[str, Any]:
    """Return shares with their intervals, and how many of each kind are right."""
    outcomes = [(ids is not None, ids == gold, gold is not None) for _, ids, gold in answered]
    right: dict[str, list[bool]] = {}
    for kind, ids, gold in answered:
        right.setdefault(kind, []).append(ids == gold)
    by_kind = {kind: [sum(of_kind), len(of_kind)] for kind, of_kind in right.items()}
    return {**shares(outcomes), "right_by_kind": by_kind}


def _undirected(base: KnowledgeBase, encoder: Encoder) -> Understander:
    options = ParsingOptions(weights={**ParsingOptions().weights, DIRECTION: 0.0})
    return Understander(base.schema, base.vocabulary, base.parser(encoder, options), base.reader(encoder))


def _read(
    folder: Folder, questions: Sequence[LinkedQuestion], understander: Understander
) -> Iterator[frozenset[str] | None]:
    for understood in understander.understand(questions):
        reading = understood.reading
        ids = frozenset(folder.ids[node] for node in reading.nodes.tolist())
        yield None if reading.abstains else frozenset([reading.value]) if reading.value else ids


def _by_path(
    folder: Folder, questions: Sequence[LinkedQuestion], encoder: Encoder
) -> Iterator[frozenset[str] | None]:
    for parses in folder.base.parser(encoder).parse(questions):
        existing = (parse.answers.tolist() for parse in parses if parse.exists and len(parse.answers))
        nodes = next(existing, None)
        yield None if nodes is None else frozenset(folder.ids[node] for node in nodes)
