"""MetaQA's films in memory, and its development questions with what they are about and what answers them."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pyarrow as pa

from benchmarks.real_texts import real_data
from evidence_assets.graphs.concepts.nodes import node_rows
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.kgqa.graph.indexing import RelationIndex
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.schema import Schema, load_schema
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets.kgqa.paths.path_scoring import ParsingOptions
from evidence_assets.kgqa.paths.relation_paths import PathWalker
from evidence_assets.lake.ids import text_hash
from evidence_assets.models.encoder import Encoder
from evidence_assets.sources.graphs.registry import reader
from evidence_assets.text.verbalisation import FILMS, schema_text, templates

_TOPIC = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])+)\]")


@dataclass(frozen=True)
class Case:
    """A question, the nodes that answer it, if any, and its wording without the topic's name, where kept."""

    question: LinkedQuestion
    gold: frozenset[int]
    wording: str = ""


@dataclass(frozen=True)
class Films:
    """MetaQA's graph with what is needed to ask it."""

    graph: Graph
    schema: Schema
    index: RelationIndex
    walker: PathWalker
    encoder: Encoder

    def parser(self, options: ParsingOptions | None = None) -> Parser:
        """Return a parser over the graph."""
        return Parser(self.graph, self.schema, self.encoder, options, index=self.index)


def film_triples() -> pa.Table:
    """Return MetaQA's triples."""
    collector = TripleCollector(FILMS, templates(FILMS))
    collector.add(reader("metaqa")(str(real_data() / "kgqa" / "metaqa"), {}), "metaqa", "CC BY 3.0")
    collector.merge()
    return pa.concat_tables([rows for _, rows in collector.tables()])


def film_schema() -> Schema:
    """Return the schema that this project wrote of MetaQA's relations."""
    authored = schema_text(FILMS)
    assert authored is not None
    return load_schema(*authored)


def films(encoder: Encoder) -> Films:
    """Read MetaQA's triples and the authored schema."""
    triples = film_triples()
    graph = build_graph(FILMS, triples, node_rows(FILMS, triples))
    schema, index = film_schema(), RelationIndex(graph)
    return Films(graph, schema, index, PathWalker(index, schema), encoder)


def cases(hops: int, graph: Graph) -> list[Case]:
    """Return MetaQA's development questions, by the hash of their lines."""
    numbers: dict[str, list[int]] = {}
    for number, label in enumerate(graph.labels.to_pylist()):
        numbers.setdefault(label, []).append(number)
    lines = (real_data() / "kgqa" / "metaqa" / f"{hops}hop_dev.txt").read_text(encoding="utf-8").splitlines()
    read_cases = []
    for line in sorted(filter(str.strip, lines), key=lambda line: (text_hash(line.split("\t")[0]), line)):
        text, answers = line.split("\t")
        match = _TOPIC.search(text)
        assert match is not None
        name, start = match.group(1), match.start()
        question = f"{text[:start]}{name}{text[match.end() :]}"
        topic = Topic(name, start, start + len(name), tuple(numbers.get(name, ())))
        gold = frozenset(number for answer in answers.split("|") for number in numbers.get(answer, ()))
        linked = LinkedQuestion(text_hash(line), question, (topic,))
        read_cases.append(Case(linked, gold, f"{text[:start]}[ ]{text[match.end() :]}"))
    return read_cases
