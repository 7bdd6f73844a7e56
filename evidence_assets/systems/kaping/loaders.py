"""A benchmark's graph out of the lake, with what its names and relations are read by, and its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evidence_assets.graphs.functional import Contradictions
from evidence_assets.graphs.linking import Linker
from evidence_assets.graphs.loaders import check_numbers, open_linker, templates_of
from evidence_assets.graphs.names import NamedNodes
from evidence_assets.kgqa.linked_questions import LinkedQuestion
from evidence_assets.kgqa.loaders import TypedGraph, open_typed_graph
from evidence_assets.kgqa.solving import Solver
from evidence_assets.kgqa.topics import linked_questions
from evidence_assets.kgqa.vocabulary import Vocabulary
from evidence_assets.kgqa.walk_retrieval import WalkRetriever, Wording
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import QUESTION_CONCEPTS, QUESTIONS
from evidence_assets.models.encoder import Encode
from evidence_assets.reading.background import Background
from evidence_assets.sources.specifications import Sources
from evidence_assets.systems.kaping.reading import KnowledgeBase, knowledge_base


@dataclass(frozen=True)
class OpenedGraph:
    """A graph with what its names and relations are read by."""

    typed: TypedGraph
    templates: Mapping[str, str]
    linker: Linker
    nodes_of: NamedNodes

    def wordings(self) -> dict[str, Wording]:
        """Return how relations are read out, with the words of their ends' types."""
        schema = self.typed.schema
        return {
            name: Wording(self.templates[name], _word(one.head_type), _word(one.tail_type))
            for name, one in schema.relations.items()
        }

    def finder(self, encode: Encode) -> WalkRetriever:
        """Return what finds facts around its nodes. `encode`: texts to (n, d) unit vectors."""
        return WalkRetriever(self.typed.graph, self.wordings(), encode)

    def base(self) -> KnowledgeBase:
        """Return the graph ready for answers to be read off."""
        typed = self.typed
        return knowledge_base(typed.graph, self.templates, Solver(typed.graph, typed.types))


def _word(type_: str) -> str:
    return type_.replace("_", " ").lower()


class Graphs:
    """The graphs of a run, each opened once.

    Parameters
    ----------
    sources
        The configuration, and `location`, the file it stands in, for what is raised.
    """

    def __init__(self, lake: Lake, sources: Sources, location: Path) -> None:
        self.lake, self._sources, self._location = lake, sources, location
        self._opened: dict[str, OpenedGraph] = {}

    def of(self, benchmark: str) -> OpenedGraph:
        """Return the graph that a benchmark is asked of.

        Raises:
            LookupError: the configuration names none.
        """
        kg = self._sources.benchmarks[benchmark].graph
        if kg is None:
            raise LookupError(
                f"KAPING asks a graph, and {self._location} names none for {benchmark}; remedy: name "
                f"one there (benchmarks.{benchmark}.graph)"
            )
        if kg not in self._opened:
            source = self._sources.graphs[kg]
            typed = open_typed_graph(self.lake, kg, source)
            linker = open_linker(self.lake, kg, unlinked=source.unlinked)
            names = NamedNodes(typed.graph, linker)
            self._opened[kg] = OpenedGraph(typed, templates_of(self.lake, source), linker, names)
        return self._opened[kg]

    def asked(self, benchmark: str) -> tuple[list[LinkedQuestion], OpenedGraph]:
        """Return a benchmark's questions with what each is about, and its graph.

        Raises:
            BrokenGraphError: the graph was built anew since the questions were linked.
        """
        opened, place = self.of(benchmark), {"benchmark": benchmark}
        questions = self.lake.read(QUESTIONS, place)
        concepts = self.lake.read(QUESTION_CONCEPTS, place)
        check_numbers(opened.typed.graph, concepts, QUESTION_CONCEPTS.name)
        vocabulary = Vocabulary(opened.typed.schema)
        return linked_questions(questions, concepts, opened.linker, vocabulary), opened


def contradictions(opened: OpenedGraph, stated: Sequence[Background]) -> list[list[list[str]]]:
    """Return, for each question and each triple stated for it, the ids of the graph's that say otherwise."""
    graph = opened.typed.graph
    against = Contradictions(graph, opened.nodes_of)
    return [
        [
            [str(graph.triple_ids[edge].as_py()) for edge in against.edges(one.head, one.relation, one.tail)]
            for one in own.triples
        ]
        for own in stated
    ]
