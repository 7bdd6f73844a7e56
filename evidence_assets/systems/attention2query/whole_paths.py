"""Open questions: relation paths from what a question is about, rated, their instances as facts.

Paths, their words, the masked question and the topics are the parser's (`evidence_assets.kgqa`); an arm
differs in who rates them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.paths.parses import ParsedQuery
from evidence_assets.kgqa.paths.path_scoring import ParsingOptions
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.models.encoder import Encoder
from evidence_assets.systems.attention2query.facts import PATH, TRIPLE, Fact, read_out
from evidence_assets.systems.attention2query.path_rating import PathRating

# Parses whose answers become facts, the likeliest first.
PARSES = 10


class WholePaths:
    """Finds the paths that express what questions ask, and their instances.

    `base`, `encoder`: the graph with its solver and parser, and the encoder that compares texts. `rating`:
    the rating of paths. `most`: K, the facts kept of a question.
    """

    def __init__(self, base: KnowledgeBase, encoder: Encoder, rating: PathRating, most: int) -> None:
        self._base, self._rating, self._most = base, rating, most
        self._parser = base.parser(encoder, ParsingOptions(weights=rating.weights, beam=PARSES))

    def facts(self, questions: Sequence[LinkedQuestion]) -> list[list[Fact]]:
        """Return each question's facts, best first: one for every answer of a parse that the graph has.

        A parse that the graph lacks answers nothing; the next one does. The answers of one parse
        score alike: the question does not tell them apart.

        Raises:
            ValueError: a topic's node is not one of the graph's.
        """
        question_facts = []
        for parses in self._parser.parse(questions, self._rating.rate):
            facts: dict[tuple[int, ...], Fact] = {}
            for parse in parses:
                for fact in self._instances(parse, self._most - len(facts)):
                    facts.setdefault(fact.edges, fact)
            question_facts.append(list(facts.values()))
        return question_facts

    def _instances(self, parse: ParsedQuery, most: int) -> Iterator[Fact]:
        """Yield an instance of a parse for each of its first `most` answers."""
        if not parse.exists:
            return
        relevance = self._rating.relevance(parse.score)
        conditions = len(parse.query.triplets)
        parts = {"relevance": relevance, "steps": float(conditions), **parse.score_parts}
        nodes: list[int] = parse.answers[:most].tolist()
        for node, edges in zip(nodes, self._base.solver.support(parse.query, nodes, conditions), strict=True):
            if edges:
                kind = TRIPLE if len(edges) == 1 else PATH
                text = read_out(self._base.graph, edges, self._base.templates)
                yield Fact(kind, tuple(edges), text, (node,), relevance, parts)
