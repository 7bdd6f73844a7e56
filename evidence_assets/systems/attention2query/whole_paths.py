"""Open questions: relation paths from what a question is about, rated, their instances as facts.

Paths, their words, the masked question and the topics are the parser's (`evidence_assets.kgqa`); an arm
differs in who rates them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.kgqa.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.linked_questions import AskedQuestion
from evidence_assets.kgqa.parses import ParsedQuery
from evidence_assets.kgqa.path_scoring import ParsingOptions
from evidence_assets.models.encoder import Encoder
from evidence_assets.systems.attention2query.facts import PATH, TRIPLE, Fact, read_out
from evidence_assets.systems.attention2query.path_rating import PathRating

# Readings whose answers become facts, the likeliest first.
READINGS = 10


class WholePaths:
    """Finds the paths that say what questions ask, and their instances.

    Parameters
    ----------
    base, encoder
        What is asked, and what compares texts.
    rating
        How paths are rated.
    most
        K, the facts kept of a question.
    """

    def __init__(self, base: KnowledgeBase, encoder: Encoder, rating: PathRating, most: int) -> None:
        self._base, self._rating, self._most = base, rating, most
        self._parser = base.parser(encoder, ParsingOptions(weights=rating.weights, beam=READINGS))

    def facts(self, questions: Sequence[AskedQuestion]) -> list[list[Fact]]:
        """Return each question's facts, best first: one for every answer of a reading that the graph has.

        A reading that the graph lacks answers nothing; the next one does. The answers of one reading are
        alike: the question tells none from another.

        Raises:
            ValueError: a topic's node is none of the graph.
        """
        found = []
        for readings in self._parser.parse(questions, self._rating.rate):
            facts: dict[tuple[int, ...], Fact] = {}
            for reading in readings:
                for fact in self._instances(reading, self._most - len(facts)):
                    facts.setdefault(fact.edges, fact)
            found.append(list(facts.values()))
        return found

    def _instances(self, reading: ParsedQuery, most: int) -> Iterator[Fact]:
        """Yield an instance of a reading for each of its first `most` answers."""
        if not reading.exists:
            return
        relevance = self._rating.relevance(reading.score)
        conditions = len(reading.query.triplets)
        parts = {"relevance": relevance, "steps": float(conditions), **reading.score_parts}
        nodes: list[int] = reading.answers[:most].tolist()
        for node, edges in zip(
            nodes, self._base.solver.support(reading.query, nodes, conditions), strict=True
        ):
            if edges:
                kind = TRIPLE if len(edges) == 1 else PATH
                text = read_out(self._base.graph, edges, self._base.templates)
                yield Fact(kind, tuple(edges), text, (node,), relevance, parts)
