"""A graph for question answering: its triples, schema, verbalisation templates, parser and solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from evidence_assets.evidence.units import EvidenceUnit, unit_of_triple
from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.passages import as_sentence
from evidence_assets.kgqa.indexing import RelationIndex
from evidence_assets.kgqa.node_types import NodeTypes
from evidence_assets.kgqa.parsing import Parser
from evidence_assets.kgqa.path_scoring import ParsingOptions
from evidence_assets.kgqa.path_texts import path_wordings
from evidence_assets.kgqa.relation_paths import RelationPath
from evidence_assets.kgqa.schema import Schema
from evidence_assets.kgqa.solving import Solver
from evidence_assets.kgqa.vocabulary import Vocabulary
from evidence_assets.models.encoder import Encoder
from evidence_assets.text.verbalisation import verbalise


@dataclass(frozen=True)
class KnowledgeBase:
    """A graph, its schema, the types of its nodes, and its relations' sentences, by which facts are read out.

    What is derived of them, such as an index of the triples by relation, is made when it is first used.
    """

    graph: Graph
    schema: Schema
    types: NodeTypes
    templates: Mapping[str, str]
    _wordings: dict[RelationPath, str] = field(default_factory=dict)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words by which the schema is asked."""
        return Vocabulary(self.schema)

    @cached_property
    def index(self) -> RelationIndex:
        """Its triples by relation."""
        return RelationIndex(self.graph)

    @cached_property
    def solver(self) -> Solver:
        """What solves queries, and finds the triples behind an answer."""
        return Solver(self.graph, self.types)

    @cached_property
    def edges(self) -> Mapping[str, int]:
        """The edge of each triple's id."""
        return {triple_id: edge for edge, triple_id in enumerate(self.graph.triple_ids.to_pylist())}

    def label(self, node: int) -> str:
        """Return a node's label."""
        return str(self.graph.labels[node].as_py())

    def parser(self, encoder: Encoder, options: ParsingOptions | None = None) -> Parser:
        """Return what reads questions as queries."""
        return Parser(self.graph, self.schema, encoder, options, self.types, self.index)

    def wording(self, path: RelationPath) -> str:
        """Return a path read out with no node named: what a masked question is compared with.

        Names would draw the comparison to whatever shares words with what the question is about.
        """
        if path not in self._wordings:
            self._wordings[path] = path_wordings(path, self.vocabulary)[0]
        return self._wordings[path]

    def unit(self, edge: int) -> EvidenceUnit:
        """Return an edge as evidence."""
        head, relation, tail = self.graph.triple(edge)
        text = as_sentence(verbalise(self.templates[relation], head, tail))
        return unit_of_triple(str(self.graph.triple_ids[edge].as_py()), text)

    def unit_of(self, triple_id: str) -> EvidenceUnit:
        """Return the triple of an id as evidence."""
        return self.unit(self.edges[triple_id])

    def relations(self, triple_ids: Sequence[str]) -> tuple[str, ...]:
        """Return the relations of triples, in their order."""
        graph = self.graph
        return tuple(
            graph.relation_names[int(graph.relations[self.edges[triple_id]])] for triple_id in triple_ids
        )
