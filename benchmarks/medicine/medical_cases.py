"""A biomedical graph opened in memory, and the medical questions that are put to it."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks.real_texts import SOURCES
from evidence_assets.config.configuration import load
from evidence_assets.graphs.concepts.conflicts import conflict_rows
from evidence_assets.graphs.concepts.nodes import alias_rows, concept_rows, node_rows
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.graphs.graph import build_graph
from evidence_assets.graphs.names.linking import Linker
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph, embed_graph
from evidence_assets.graphs.walking.walk_seeds import walk_seeds
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import FloatArray
from evidence_assets.retrieval.question_triples.question_linking import link_questions
from evidence_assets.sources.graphs.registry import reader
from evidence_assets.sources.locating import locate
from evidence_assets.sources.specifications import GraphSource
from evidence_assets.systems.ugat_medqa.reading import says_all
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.verbalisation import templates

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """One question: its text, options, the right one's place, the expert's explanation, where it is from."""

    text: str
    options: Sequence[str]
    key: int
    explanation: str
    benchmark: str


def questions(data: Path) -> list[Asked]:
    """Return MedMCQA's development questions and the six medical subjects of MMLU."""
    questions_read = []
    for line in (data / "mcqa" / "medmcqa_dev.json").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        options = [row[name] for name in ("opa", "opb", "opc", "opd")]
        questions_read.append(
            Asked(row["question"], options, int(row["cop"]) - 1, row.get("exp") or "", "medmcqa")
        )
    for file in sorted((data / "mcqa" / "mmlu_medical").glob("*.csv")):
        questions_read += [
            Asked(row[0], row[1:5], "ABCD".index(row[5]), "", "mmlu_medical")
            for row in csv.reader(file.open(encoding="utf-8"))
        ]
    return questions_read


def collected(name: str, without: Collection[str] = ()) -> tuple[GraphSource, TripleCollector]:
    """Return a graph of the configuration and what its sources state, but those left out by name."""
    graph = load(SOURCES).graphs[name]
    collector = TripleCollector(name, templates(graph.templates))
    for source in graph.sources:
        if source.name not in without:
            records = reader(source.format)(locate(source.uri, SOURCES.parent), source.fields)
            collector.add(records, source.name, source.licence)
    return graph, collector


class Opened:
    """A graph of the configuration, read, merged, embedded, with what links phrases to it.

    `without`: names of its sources that are left out. `by_meaning`: names are linked by meaning too, for
    which each of them is encoded.
    """

    def __init__(
        self, name: str, encoder: CachedEncoder, without: Collection[str] = (), by_meaning: bool = True
    ) -> None:
        source, collector = collected(name, without)
        merger = collector.merge()
        triples = pa.concat_tables([rows for _, rows in collector.tables()])
        concepts = concept_rows(name, merger.concepts)
        nodes = node_rows(name, triples, concepts)
        self.name, self.triples = name, triples.num_rows
        conflicts = conflict_rows(name, triples, merger.refused).column("conflict").to_pylist()
        self.report = {
            "graph": name,
            "nodes": nodes.num_rows,
            "triples": triples.num_rows,
            "statements": collector.statements,
            "names": sum(len(concept.names) for concept in merger.concepts),
            "concepts_of_several_sources": sum(
                len({source for source, _ in concept.records}) > 1 for concept in merger.concepts
            ),
            "joined": dict(merger.joined),
            "conflicts": {kind: conflicts.count(kind) for kind in sorted(set(conflicts))},
        }
        self.embedded: EmbeddedGraph = embed_graph(build_graph(name, triples, nodes), encoder)
        self.linker = Linker(
            alias_rows(nodes, concepts),
            nodes.column("degree").to_numpy(),
            source.embedding_threshold if by_meaning else None,
            source.unlinked,
        )


class Cases:
    """Questions with their concepts in one graph, blocks of them scored by any method."""

    def __init__(self, opened: Opened, asked_questions: Sequence[Asked], encoder: CachedEncoder) -> None:
        self.opened, self.questions, self.encoder = opened, asked_questions, encoder
        table = pa.table(
            {
                "question_id": [str(number) for number in range(len(asked_questions))],
                "question": [question.text for question in asked_questions],
                "options": [list(question.options) for question in asked_questions],
            }
        )
        self.linked = link_questions(table, opened.linker, encoder)
        self.vectors: FloatArray = encoder.encode([question.text for question in asked_questions])

    def option_nodes(self, place: int) -> list[list[int]]:
        """Return the nodes of the concepts that each option of a question names with all its words."""
        question, linked = self.questions[place], self.linked[place]
        return [
            list(
                dict.fromkeys(
                    concept.link.node
                    for concept in linked.concepts[candidate]
                    if says_all(concept.phrase.text, option)
                )
            )
            for candidate, option in enumerate(question.options)
        ]

    def seeds(self, block: Sequence[int], cosines: Scores) -> Scores:
        """Return (n, b) where the walks of a block of questions start."""
        starts = np.zeros_like(cosines)
        for column, place in enumerate(block):
            for seed in walk_seeds(self.linked[place].nodes(NO_OPTION), cosines[:, column]):
                starts[seed.node, column] = seed.weight
        return starts
