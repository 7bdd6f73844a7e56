"""Natural questions as conjunctive queries, without a language model: the best-scoring relation path.

The paths at several topics are joined where some node meets all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.indexing import RelationIndex
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.node_types import NodeTypes, node_types
from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.joined_topics import Joiner
from evidence_assets.kgqa.paths.parses import ParsedQuery, PathParse, Rate, rated, said_to_lack
from evidence_assets.kgqa.paths.path_parsing import PathParser
from evidence_assets.kgqa.paths.path_scoring import PARTS, ParsingOptions
from evidence_assets.kgqa.paths.relation_paths import PathWalker, path_types
from evidence_assets.kgqa.queries.conjunctive import Constant, chain
from evidence_assets.kgqa.queries.solving import Solver
from evidence_assets.models.encoder import Encoder


class Parser:
    """Parses questions over one graph.

    Args:
        graph, schema, encoder: The graph, its schema, and the encoder that compares texts.
        options: Weights of the parts of a score.
        types, index: The types of the graph's nodes and its triples by relation, if they are built already.
    """

    def __init__(
        self,
        graph: Graph,
        schema: Schema,
        encoder: Encoder,
        options: ParsingOptions | None = None,
        types: NodeTypes | None = None,
        index: RelationIndex | None = None,
    ) -> None:
        self._schema = schema
        self._options = options or ParsingOptions()
        self._types = types or node_types(graph, None, schema)
        self._index = index or RelationIndex(graph)
        self._walker = PathWalker(self._index, schema)
        vocabulary = Vocabulary(schema)
        self._joiner = Joiner(Solver(graph, self._types), vocabulary, self._options)
        self._paths = PathParser(
            self._walker, self._index.size, self._types, vocabulary, encoder, self._options
        )

    def parse(self, questions: Sequence[LinkedQuestion], rate: Rate | None = None) -> list[list[ParsedQuery]]:
        """Return each question's parses, the likeliest first; none for one that names nothing of the graph.

        `rate`: scores the paths at each topic anew, before parses are chosen and joined. Paths longer than
        the options say are not tried then: a rating is of all that it may choose from.

        Raises:
            ValueError: a topic's node is none of the graph.
        """
        parses = self.path_parses(questions)
        if rate is None:
            parses = self._paths.with_longer(questions, parses)
        else:
            again = iter(rated([of_topic for of_topics in parses for of_topic in of_topics], rate))
            parses = [[next(again) for _ in of_topics] for of_topics in parses]
        return [
            self._beam(question, of_topics) for question, of_topics in zip(questions, parses, strict=True)
        ]

    def path_parses(self, questions: Sequence[LinkedQuestion]) -> list[list[list[PathParse]]]:
        """Return, for each topic of every question, the paths there, and those lacking, the likeliest first.

        Raises:
            ValueError: a topic's node is none of the graph.
        """
        return self._paths.parses(questions)

    def _beam(self, question: LinkedQuestion, parses: Sequence[Sequence[PathParse]]) -> list[ParsedQuery]:
        topics = question.topics
        linked = [place for place, of_topic in enumerate(parses) if of_topic]
        linked_topics = [topics[place] for place in linked]
        if len(linked) > 1 and (
            joined := self._joiner.joined(
                question.question, linked_topics, [parses[place] for place in linked]
            )
        ):
            return joined
        singles = [
            (path_parse, topics[place])
            for place in linked
            for path_parse in self._best(parses[place], topics[place].nodes)
        ]
        singles.sort(
            key=lambda single: (
                -single[0].score,
                not single[0].exists,
                topics.index(single[1]),
                single[0].place,
            )
        )
        detail = ""
        if len(linked) > 1:
            detail = "no node meets the conditions of all topics: those of one alone"
        elif unknown := [topic.phrase for topic in topics if topic not in linked_topics]:
            detail = f"the graph has nothing of {', '.join(unknown)}"
        return [self.parsed(path_parse, topic, detail) for path_parse, topic in singles][
            : self._beam_width(singles)
        ]

    def _beam_width(self, singles: Sequence[tuple[PathParse, Topic]]) -> int:
        """Return how many parses are kept: those that the graph lacks do not count towards the beam."""
        lacking = sum(not path_parse.exists for path_parse, _ in singles[: self._options.beam + 1])
        return self._options.beam + lacking

    def _best(self, parses: Sequence[PathParse], nodes: tuple[int, ...]) -> Iterator[PathParse]:
        """Yield the beam of a topic: the best existing paths, preceded by a lacking path that fits better.

        A path that the bounded walk left out at a hub is looked up, and may exist.
        """
        lacking = said_to_lack(parses, self._schema, self._options.lacking_margin)
        if lacking is not None:
            yield replace(lacking, exists=bool(len(self._walker.reached(lacking.path, nodes))))
        yield from [path_parse for path_parse in parses if path_parse.exists][: self._options.beam]

    def parsed(self, path_parse: PathParse, topic: Topic, detail: str = "") -> ParsedQuery:
        """Return a path at a topic as a query, with its answers of the requested type."""
        end = path_types(path_parse.path, self._schema)[-1]
        answers = (
            self._walker.reached(path_parse.path, topic.nodes)
            if path_parse.exists
            else np.empty(0, dtype=np.int32)
        )
        typed = answers[self._types.are(answers, end)] if end in path_parse.asked_types else answers
        answer_type = end if end in path_parse.asked_types and len(typed) == len(answers) else ""
        if end in path_parse.asked_types and len(typed):
            answers, answer_type = typed, end
        constant = Constant(topic.phrase, topic.nodes)
        types_between = ("",) * (len(path_parse.path.steps) - 1)
        lacking = "" if path_parse.exists else "the graph has no such path here"
        return ParsedQuery(
            chain(constant, path_parse.path.steps, (*types_between, answer_type)),
            path_parse.score,
            dict(zip(PARTS, path_parse.parts, strict=True)),
            path_parse.exists,
            answers,
            end,
            (path_parse.path,),
            detail or lacking,
            path_parse.near,
        )
