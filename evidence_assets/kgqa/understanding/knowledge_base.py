"""A graph for question answering: its triples, schema, verbalisation templates, parser and solver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from evidence_assets.evidence.units import EvidenceUnit, unit_of_triple
from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.passages import as_sentence
from evidence_assets.kgqa.composition.composition import Composer
from evidence_assets.kgqa.composition.universals import opposed
from evidence_assets.kgqa.graph.indexing import RelationIndex
from evidence_assets.kgqa.graph.inferred_kinds import inferred_kinds
from evidence_assets.kgqa.graph.node_types import Nodes, NodeTypes, node_types
from evidence_assets.kgqa.graph.schema import THING, Schema, derived_schema
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets.kgqa.paths.path_scoring import ParsingOptions
from evidence_assets.kgqa.paths.path_texts import path_wordings
from evidence_assets.kgqa.paths.relation_paths import RelationPath
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Form,
    Intersection,
    Named,
    names_of,
)
from evidence_assets.kgqa.queries.executing import MOST_CITED, Executor
from evidence_assets.kgqa.queries.serialization import QueryRecord
from evidence_assets.kgqa.queries.solving import Solver
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.understanding.paraphrases import Paraphrases
from evidence_assets.kgqa.understanding.question_reading import QuestionReader
from evidence_assets.kgqa.understanding.understanding import Understander
from evidence_assets.kgqa.understanding.voices import Voices
from evidence_assets.lake.schemas import TRIPLES
from evidence_assets.models.encoder import Encoder
from evidence_assets.stages.withholding import Source
from evidence_assets.text.verbalisation import spelt, verbalise


@dataclass(frozen=True)
class KnowledgeBase:
    """A graph, its schema, the types of its nodes, and its relations' sentences, by which facts are read out.

    What is derived of them, such as an index of the triples by relation, is made when it is first used.

    `composed_by`: the schema and types that questions are composed by, where they are others.
    """

    graph: Graph
    schema: Schema
    types: NodeTypes
    templates: Mapping[str, str]
    composed_by: tuple[Schema, NodeTypes] | None = None
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

    def without(self, withheld: Iterable[Source]) -> KnowledgeBase:
        """Return what is left where triples are withheld; itself where none is. Nodes keep their numbers."""
        triple_ids = [source.key for source in withheld if source.table == TRIPLES.name]
        if not triple_ids:
            return self
        # Inferred of fewer triples, kinds would be called otherwise.
        return replace(self, graph=self.graph.without(triple_ids), composed_by=self._schema_and_types)

    def label(self, node: int) -> str:
        """Return a node's label."""
        return str(self.graph.labels[node].as_py())

    def parser(self, encoder: Encoder, options: ParsingOptions | None = None) -> Parser:
        """Return what reads questions as queries."""
        return Parser(self.graph, self.schema, encoder, options, self.types, self.index)

    @cached_property
    def executor(self) -> Executor:
        """What evaluates expressions, and finds the triples that show their members."""
        return Executor(self.graph, self._schema_and_types[1], self.index, self.solver)

    @cached_property
    def _schema_and_types(self) -> tuple[Schema, NodeTypes]:
        """The schema and types that questions are composed by: inferred where the graph states no types.

        Paths read out and prompts with the schema use stated types alone.
        """
        if self.composed_by is not None:
            return self.composed_by
        has_types = self.schema.authored or any(name != THING for name in self.types.names)
        kinds = None if has_types else inferred_kinds(self.graph)
        if kinds is None:
            return self.schema, self.types
        sentences = {name: relation.sentences[0] for name, relation in self.schema.relations.items()}
        schema = derived_schema(self.graph, kinds, sentences)
        return schema, node_types(self.graph, kinds, schema)

    def understander(self, encoder: Encoder) -> Understander:
        """Return what reads questions, whichever way accounts for them."""
        return Understander(self.schema, self.vocabulary, self.parser(encoder), self.reader(encoder))

    def nodes_of(self, record: QueryRecord, strict_edges: bool = True) -> Nodes:
        """Return the nodes that a stored query is about, ascending."""
        if record.operation is not None and strict_edges:
            return self.executor.nodes(record.operation.of)
        return self.solver.solve(record.query, strict_edges, without_constants=True).candidates

    def support_of(
        self, record: QueryRecord, nodes: Sequence[int], limit: int, strict_edges: bool = True
    ) -> list[list[int]]:
        """Return, for each node of a stored query, triples (edge numbers) that show it, at most so many."""
        if record.operation is not None and strict_edges:
            return [self.executor.cited(record.operation.of, node, limit) for node in nodes]
        return self.solver.support(record.query, nodes, limit, strict_edges)

    def value_of(self, record: QueryRecord) -> tuple[str, list[EvidenceUnit]]:
        """Return what a stored query asks that is no node, a number, yes or no, with triples that show it.

        ("", []) for a query that asks for nodes. A number cites what it counted; a "no" what is known: what
        there is in place of what is asked, else what is told of the things named.
        """
        if record.operation is None or record.operation.form is Form.MEMBERS:
            return "", []
        of = record.operation.of
        value = self.executor.answer(record.operation)
        if record.operation.measure is not None:
            return value, [self.unit(edge) for edge in self.executor.shown_measures(record.operation)]
        if record.operation.form is Form.EVERY and isinstance(of, Difference):
            of = of.without if value == "yes" else opposed(of)
        shown = self.executor.shown(of)
        if not shown and isinstance(of, Intersection):
            shown = [edge for part in of.parts for edge in self._shown_of(part, names_of(of))]
            shown = shown or self.executor.shown_instead(of.parts)
        if not shown:
            named = [node for name in names_of(of) for node in name.nodes]
            shown = [int(edge) for node in named for edge in self.graph.edges_of(node)[:MOST_CITED]]
        shown = shown or self._shown_of_kind(of)
        return value, [self.unit(edge) for edge in dict.fromkeys(shown)]

    def _shown_of(self, part: Expression, names: Sequence[Named]) -> list[int]:
        """Return triples that show what a condition says of what is named, or else who meets it."""
        if not isinstance(part, Filtered | Extreme):
            return self.executor.shown(part)
        of_names = [edge for name in names for node in name.nodes for edge in self.executor.cited(part, node)]
        return of_names or self.executor.shown(part)

    def _shown_of_kind(self, of: Expression) -> list[int]:
        """Return a triple of each member of a set: the one that tells its type, else any that names it."""
        types = self._schema_and_types[1]
        shown = []
        for node in self.executor.nodes(of)[:MOST_CITED].tolist():
            kinds = {spelt(type_).lower() for type_ in types.of(node)}
            edges = self.graph.edges_of(node).tolist()
            telling = (edge for edge in edges if self.label(self.graph.tails[edge]).lower() in kinds)
            shown += [next(telling, edge) for edge in edges[:1]]
        return list(dict.fromkeys(shown))

    def reader(self, encoder: Encoder) -> QuestionReader:
        """Return what reads questions word by word."""
        schema, types = self._schema_and_types
        lexicon = Lexicon(self.graph, schema, types, encoder)
        composer = Composer(schema, types, self.index, lexicon, self.executor)
        paraphrases = Paraphrases(schema, types, lexicon)
        return QuestionReader(lexicon, composer, self.executor, paraphrases, Voices(schema))

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
