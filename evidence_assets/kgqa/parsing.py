"""Natural questions as conjunctive queries, without a language model: the best-scoring relation path.

Every path that begins at a topic is verbalised and scored against the question with the topic masked by its
type. Paths that the schema allows and the graph lacks are scored too, so that missing facts are recognised.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.conjunctive import Constant, chain
from evidence_assets.kgqa.indexing import RelationIndex
from evidence_assets.kgqa.joined_topics import Joiner
from evidence_assets.kgqa.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.masking import MaskedQuestion, masked
from evidence_assets.kgqa.node_types import NodeTypes, node_types
from evidence_assets.kgqa.parses import ParsedQuery, PathParse, Rate, rated, said_to_lack
from evidence_assets.kgqa.path_scoring import PARTS, ParsingOptions, PathScorer, Scores, weighted
from evidence_assets.kgqa.relation_paths import PathWalker, RelationPath, path_types, schema_paths
from evidence_assets.kgqa.schema import THING, Schema
from evidence_assets.kgqa.solving import Solver
from evidence_assets.kgqa.vocabulary import Vocabulary
from evidence_assets.models.encoder import Encoder

# If a schema allows more paths than this, only one-step paths are scored where the graph lacks them.
MOST_PATHS = 2_000


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
        self._schema, self._encoder = schema, encoder
        self._options = options or ParsingOptions()
        self._types = types or node_types(graph, None, schema)
        self._index = index or RelationIndex(graph)
        self._walker = PathWalker(self._index, schema)
        self._vocabulary = Vocabulary(schema)
        self._joiner = Joiner(Solver(graph, self._types), self._vocabulary, self._options)
        all_paths = schema_paths(schema, (), self._options.longest)
        self._few = len(all_paths) <= MOST_PATHS
        self._complete = all_paths if self._few else [path for path in all_paths if len(path.steps) == 1]
        self._whole: PathScorer | None = None

    def parse(self, questions: Sequence[LinkedQuestion], rate: Rate | None = None) -> list[list[ParsedQuery]]:
        """Return each question's parses, the likeliest first; none for one that names nothing of the graph.

        `rate`: scores the paths at each topic anew, before parses are chosen and joined.

        Raises:
            ValueError: a topic's node is none of the graph.
        """
        parses = self.path_parses(questions)
        if rate is not None:
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
        walked = self._walked(questions)
        scorer = self._scorer([path for paths in walked.values() for path in paths])
        places = {path: place for place, path in enumerate(scorer.paths)}
        scored = _Scored(scorer, self._options.weights, self._encoder)
        masks_of = [self._masks(question, walked) for question in questions]
        scored.encode(mask for masks in masks_of for of_topic in masks for mask in of_topic.values())
        return [
            [
                self._parses_at(topic.nodes, walked[topic.nodes], of_topic, places, scored)
                for topic, of_topic in zip(question.topics, masks, strict=True)
            ]
            for question, masks in zip(questions, masks_of, strict=True)
        ]

    def _walked(self, questions: Sequence[LinkedQuestion]) -> dict[tuple[int, ...], list[RelationPath]]:
        """Return the paths that exist at every topic."""
        paths_at: dict[tuple[int, ...], list[RelationPath]] = {}
        for question in questions:
            for topic in question.topics:
                outside = [node for node in topic.nodes if not 0 <= node < self._index.size]
                if outside:
                    raise ValueError(
                        f"question {question.question_id}: {topic.phrase!r} stands for node {outside[0]}, "
                        f"and the graph has {self._index.size:,}; remedy: link the question to this graph"
                    )
                if topic.nodes not in paths_at:
                    paths = self._walker.paths(topic.nodes, self._options.longest) if topic.nodes else []
                    paths_at[topic.nodes] = [existing.path for existing in paths]
        return paths_at

    def _scorer(self, walked: Sequence[RelationPath]) -> PathScorer:
        if self._few:
            if self._whole is None:
                self._whole = self._new_scorer(self._complete)
            return self._whole
        return self._new_scorer(list(dict.fromkeys([*self._complete, *sorted(set(walked), key=str)])))

    def _new_scorer(self, paths: Sequence[RelationPath]) -> PathScorer:
        return PathScorer(paths, self._vocabulary, self._encoder, self._options.templates)

    def _start(self, path: RelationPath) -> str:
        return path_types(path, self._schema)[0]

    def _masks(
        self, question: LinkedQuestion, walked: Mapping[tuple[int, ...], Sequence[RelationPath]]
    ) -> list[dict[str, MaskedQuestion]]:
        """Return for each topic the question masked about it, by the assumed type of the topic."""
        usual = [self._usual_type(topic.nodes) for topic in question.topics]
        masks = []
        for about, topic in enumerate(question.topics):
            starts = sorted({self._start(path) for path in walked[topic.nodes]})
            masks.append(
                {
                    start: masked(
                        question,
                        about,
                        [start if place == about else type_ for place, type_ in enumerate(usual)],
                        self._vocabulary,
                        self._options.masking,
                    )
                    for start in starts
                }
            )
        return masks

    def _usual_type(self, nodes: Sequence[int]) -> str:
        types = [type_ for node in nodes for type_ in self._types.of(node)]
        return types[0] if types else THING

    def _parses_at(
        self,
        nodes: Sequence[int],
        walked: Sequence[RelationPath],
        masks: Mapping[str, MaskedQuestion],
        places: Mapping[RelationPath, int],
        scored: _Scored,
    ) -> list[PathParse]:
        """Return the paths at a topic, and those that the graph lacks there, best first."""
        present = {places[path] for path in walked}
        topic_types = {type_ for node in nodes for type_ in self._types.of(node)} or set(masks)
        lacking = [path for path in self._complete if self._start(path) in masks.keys() & topic_types]
        candidates = []
        for path in dict.fromkeys([*walked, *lacking]):
            place, mask = places[path], masks[self._start(path)]
            parts, scores = scored.of(mask)
            candidates.append(
                (
                    -float(scores[place]),
                    place not in present,
                    place,
                    path,
                    tuple(parts[place].tolist()),
                    mask.answer_type.types,
                    mask.text,
                )
            )
        candidates.sort(key=lambda candidate: candidate[:3])
        return [
            PathParse(place, path, -minus, parts, not absent, asked_types, text)
            for minus, absent, place, path, parts, asked_types, text in candidates
        ]

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
        )


class _Scored:
    """Scores of all paths for masked questions, each distinct one scored once."""

    def __init__(self, scorer: PathScorer, weights: Mapping[str, float], encoder: Encoder) -> None:
        self._scorer, self._weights, self._encoder = scorer, weights, encoder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._scores_of: dict[MaskedQuestion, tuple[Scores, Scores]] = {}

    def encode(self, masks: Iterator[MaskedQuestion]) -> None:
        """Encode every distinct text."""
        texts = sorted({mask.text for mask in masks})
        if texts:
            self._vectors = dict(zip(texts, self._encoder.encode(texts), strict=True))

    def of(self, mask: MaskedQuestion) -> tuple[Scores, Scores]:
        """Return ((p, 7) parts, (p,) scores) of a masked question."""
        if mask not in self._scores_of:
            parts = self._scorer.parts(mask, self._vectors[mask.text])
            self._scores_of[mask] = (parts, weighted(parts, self._weights))
        return self._scores_of[mask]
