"""Questions to small graphs whose authors wrote a schema with sentences: `authored/schema_graphs`.

    python -m benchmarks schema_graphs

Bookbinders, falconry and fencing clubs are held out; those of the twenty-four sets before them were, each
until it was opened, and are development data since, read by the default way alone. A quarter of the
questions has no answer: the schema has no such relation, or the node no such fact. Names are linked as a lake
links them. Baselines: the best path always, paths of at most two steps, paths whose direction the order of
words does not tell, and words composed always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from benchmarks import PROJECT
from benchmarks.graphs.graph_question_sets import shares
from benchmarks.graphs.graph_questions import Folder, opened
from benchmarks.texts import starter_encoder
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.topics import linked_questions
from evidence_assets.kgqa.paths.path_scoring import DIRECTION, ParsingOptions
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.understanding.question_reading import QuestionReading
from evidence_assets.kgqa.understanding.understanding import Understander
from evidence_assets.models.encoder import Encoder
from evidence_assets.retrieval.question_triples.question_linking import link_questions, link_rows

AUTHORED = PROJECT / "benchmarks" / "authored"
UNDIRECTED = ParsingOptions(weights={**ParsingOptions().weights, DIRECTION: 0.0})
DEFAULT = "default"
SETS = AUTHORED / "schema_graphs"
PARTS = {"held out": SETS / "held_out", "development": SETS / "development"}

# The kind of a question, the ids that it is answered with (None: not at all), and the right ones.
Answered = tuple[str, frozenset[str] | None, frozenset[str] | None]
Answering = Callable[[Folder, Sequence[LinkedQuestion]], Iterator[frozenset[str] | None]]


def run() -> dict[str, Any]:
    """Return what is answered and what of it rightly, by graph, way to answer and kind of question."""
    encoder = starter_encoder()
    ways: dict[str, Answering] = {
        DEFAULT: lambda folder, questions: by_default(folder, questions, encoder),
        "at most two steps": lambda folder, questions: _read(
            folder, questions, _understander(folder.base, encoder, ParsingOptions(lengthened=0))
        ),
        "without directions": lambda folder, questions: _read(
            folder, questions, _understander(folder.base, encoder, UNDIRECTED)
        ),
        "words composed, always": lambda folder, questions: _composed(folder, questions, encoder),
        "the best path, always": lambda folder, questions: by_best_path(folder, questions, encoder),
    }
    graphs, parts = [], []
    for part, place in PARTS.items():
        folders = [opened(file.parent) for file in sorted(place.glob("*/*/schema.yaml"))]
        for way, how in ways.items():
            if part == "development" and way != DEFAULT:
                continue
            of_graphs, of_part = part_figures(part, way, folders, how, encoder)
            graphs += of_graphs
            parts.append(of_part)
    return {"graphs": graphs, "parts": parts}


def part_figures(
    part: str, way: str, folders: Sequence[Folder], how: Answering, encoder: Encoder
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the figures of each graph of a part as a way answers it, and of all of them.

    Graphs are told apart by place: two may have one name.
    """
    answered = [answers(folder, how, encoder) for folder in folders]
    of_graphs = [
        {"part": part, "graph": folder.base.graph.name, "way": way, **figures(of_graph)}
        for folder, of_graph in zip(folders, answered, strict=True)
    ]
    every = [row for of_graph in answered for row in of_graph]
    return of_graphs, {"part": part, "way": way, **figures(every)}


def answers(folder: Folder, answering: Answering, encoder: Encoder) -> list[Answered]:
    """Return how the questions of a graph are answered."""
    linked = _linked(folder, encoder)
    kinds = [question["kind"] for question in folder.questions]
    labels = dict(zip(folder.ids, folder.base.graph.labels.to_pylist(), strict=True))
    return [
        (
            kind,
            ids if ids is None or gold is None or gold <= set(folder.ids) else _labelled(ids, labels),
            gold,
        )
        for kind, ids, gold in zip(kinds, answering(folder, linked), folder.gold, strict=True)
    ]


def _linked(folder: Folder, encoder: Encoder) -> list[LinkedQuestion]:
    """Return a graph's questions with their names, as a lake finds them."""
    texts = [question["question"] for question in folder.questions]
    no_options: list[list[str]] = [[] for _ in texts]
    questions = pa.table(
        {
            "question_id": [f"{place:04}" for place in range(len(texts))],
            "question": texts,
            "options": pa.array(no_options, pa.list_(pa.string())),
            "topics": pa.array(no_options, pa.list_(pa.string())),
        }
    )
    graph = folder.base.graph
    concepts = link_rows(link_questions(questions, folder.linker, encoder), graph, graph.name, 0)
    return linked_questions(questions, concepts, folder.linker, folder.base.vocabulary)


def _labelled(ids: frozenset[str], labels: Mapping[str, str]) -> frozenset[str]:
    """Return the labels of nodes; what is no node, a number or yes or no, as it is."""
    return frozenset(labels.get(name, name) for name in ids)


def figures(answered: Sequence[Answered]) -> dict[str, Any]:
    """Return shares with their intervals, and how many of each kind are right."""
    outcomes = [(ids is not None, ids == gold, gold is not None) for _, ids, gold in answered]
    right: dict[str, list[bool]] = {}
    for kind, ids, gold in answered:
        right.setdefault(kind, []).append(ids == gold)
    by_kind = {kind: [sum(of_kind), len(of_kind)] for kind, of_kind in right.items()}
    return {**shares(outcomes), "right_by_kind": by_kind}


def _understander(base: KnowledgeBase, encoder: Encoder, options: ParsingOptions) -> Understander:
    return Understander(base.schema, base.vocabulary, base.parser(encoder, options), base.reader(encoder))


def by_default(
    folder: Folder, questions: Sequence[LinkedQuestion], encoder: Encoder
) -> Iterator[frozenset[str] | None]:
    """Yield the ids that each question is answered with as a lake's are; None where it is not."""
    return _read(folder, questions, folder.base.understander(encoder))


def _read(
    folder: Folder, questions: Sequence[LinkedQuestion], understander: Understander
) -> Iterator[frozenset[str] | None]:
    for understood in understander.understand(questions):
        yield _told(folder, understood.reading)


def _composed(
    folder: Folder, questions: Sequence[LinkedQuestion], encoder: Encoder
) -> Iterator[frozenset[str] | None]:
    reader = folder.base.reader(encoder)
    for question in questions:
        yield _told(folder, reader.read(question))


def _told(folder: Folder, reading: QuestionReading) -> frozenset[str] | None:
    if reading.abstains:
        return None
    return frozenset(
        [reading.value] if reading.value else (folder.ids[node] for node in reading.nodes.tolist())
    )


def by_best_path(
    folder: Folder, questions: Sequence[LinkedQuestion], encoder: Encoder
) -> Iterator[frozenset[str] | None]:
    """Yield the ids that each question's best path leads to; None where none does."""
    for parses in folder.base.parser(encoder).parse(questions):
        existing = (parse.answers.tolist() for parse in parses if parse.exists and len(parse.answers))
        nodes = next(existing, None)
        yield None if nodes is None else frozenset(folder.ids[node] for node in nodes)
