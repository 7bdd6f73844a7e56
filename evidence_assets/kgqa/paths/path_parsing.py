"""Relation paths at a question's topics, scored: those that exist there, and those that the graph lacks.

Every path that begins at a topic is verbalised and scored against the question with the topic masked by its
type. Paths that the schema allows and the graph lacks are scored too, so that missing facts are recognised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.node_types import NodeTypes
from evidence_assets.kgqa.graph.schema import THING
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.masking import MaskedQuestion, masked
from evidence_assets.kgqa.paths.parses import PathParse, likeliest
from evidence_assets.kgqa.paths.path_scoring import (
    COVERAGE,
    PARTS,
    ParsingOptions,
    PathScorer,
    Scores,
    weighted,
)
from evidence_assets.kgqa.paths.relation_paths import PathWalker, RelationPath, path_types, schema_paths
from evidence_assets.kgqa.paths.repetitions import Repetition, repeated
from evidence_assets.kgqa.slots.near_words import NearWords
from evidence_assets.models.encoder import EncodedWords, Encoder

# If a schema allows more paths than this, only one-step paths are scored where the graph lacks them.
MOST_PATHS = 2_000
# The paths that may be meant at a topic, and the question masked for each.
_Masked = dict[RelationPath, MaskedQuestion]


class PathParser:
    """Parses questions to paths at their topics.

    Args:
        walker: Finds the paths of a graph with so many nodes.
        nodes: How many nodes the graph has.
        types: Their types.
        vocabulary: The words of the graph's schema.
        encoder: Compares texts.
        options: Weights of the parts of a score.
    """

    def __init__(
        self,
        walker: PathWalker,
        nodes: int,
        types: NodeTypes,
        vocabulary: Vocabulary,
        encoder: Encoder,
        options: ParsingOptions,
    ) -> None:
        self._walker, self._nodes, self._types = walker, nodes, types
        self._vocabulary, self._encoder, self._options = vocabulary, encoder, options
        self._schema = vocabulary.schema
        all_paths = schema_paths(self._schema, (), options.longest)
        self._few = len(all_paths) <= MOST_PATHS
        self._complete = all_paths if self._few else [path for path in all_paths if len(path.steps) == 1]
        self._whole: PathScorer | None = None
        # Relations without sentences are used in none.
        self._near = NearWords(vocabulary, encoder) if self._schema.authored else None
        # Of the texts of the questions that are parsed.
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._words: dict[str, EncodedWords] = {}

    def parses(self, questions: Sequence[LinkedQuestion]) -> list[list[list[PathParse]]]:
        """Return, for each topic of every question, the paths there, and those lacking, the likeliest first.

        Raises:
            ValueError: a topic's node is none of the graph.
        """
        self._vectors, self._words = {}, {}
        walked = self._walked(questions)
        scorer = self._scorer([path for paths in walked.values() for path in paths])
        plain = [
            [self._masks(question, about, walked[topic.nodes]) for about, topic in enumerate(question.topics)]
            for question in questions
        ]
        self._encode(mask for masks in plain for of_topic in masks for mask in of_topic.values())
        masks_of = [[self._read(of_topic) for of_topic in masks] for masks in plain]
        scored = _Scored(scorer, self._options.weights, self._vectors)
        return [
            [
                self._parses_at(topic.nodes, walked[topic.nodes], of_topic, scored)
                for topic, of_topic in zip(question.topics, masks, strict=True)
            ]
            for question, masks in zip(questions, masks_of, strict=True)
        ]

    def with_longer(
        self, questions: Sequence[LinkedQuestion], parses: Sequence[Sequence[Sequence[PathParse]]]
    ) -> list[list[list[PathParse]]]:
        """Return `parses`, with paths of one step more where a question names one thing alone."""
        longer: dict[tuple[int, int], _Masked] = {}
        for number, of_topics in enumerate(parses):
            linked = [place for place, of_topic in enumerate(of_topics) if of_topic]
            if len(linked) == 1:
                longer[number, linked[0]] = self._longer(questions[number], linked[0], of_topics[linked[0]])
        paths = sorted({path for of_topic in longer.values() for path in of_topic}, key=str)
        self._encode(mask for of_topic in longer.values() for mask in of_topic.values())
        scored = _Scored(self._new_scorer(paths), self._options.weights, self._vectors)
        with_longer = [[list(of_topic) for of_topic in of_topics] for of_topics in parses]
        for (number, topic), of_topic in longer.items():
            shorter = with_longer[number][topic]
            found = (scored.parse(path, mask, True, len(shorter)) for path, mask in of_topic.items())
            with_longer[number][topic] = sorted([*shorter, *found], key=likeliest)
        return with_longer

    def _longer(self, question: LinkedQuestion, about: int, parses: Sequence[PathParse]) -> _Masked:
        """Return paths of one step more than the longest, each with the masked question.

        They go on from a good path, where the best leaves words that the schema knows, or walks a relation
        less often than the question says it, and the step that is added has one of these words.
        """
        existing = [parse for parse in parses if parse.exists]
        if not existing:
            return {}
        best = existing[0]
        [mask_of_best] = self._read(self._masks(question, about, [best.path])).values()
        said_again = repeated(mask_of_best, self._vocabulary)
        if best.parts[PARTS.index(COVERAGE)] >= 1.0 and not _unwalked(said_again, best.path):
            return {}
        nodes = question.topics[about].nodes
        longest = [parse.path for parse in existing if len(parse.path.steps) == self._options.longest]
        good = longest[: self._options.lengthened]
        masks = self._read(self._masks(question, about, good))
        known = {
            start: self._vocabulary.known(
                [word for place, word in enumerate(mask.words) if place not in mask.hidden]
            )
            for start, mask in masks.items()
        }
        longer: _Masked = {}
        for path in good:
            start = self._start(path)
            said = self._vocabulary.coverage(known[start], _relations(path))
            said_again = repeated(masks[start], self._vocabulary)
            unwalked = _unwalked(said_again, path)
            for further in self._walker.lengthened(path, nodes):
                covers_more = self._vocabulary.coverage(known[start], _relations(further)) > said
                if covers_more or _unwalked(said_again, further) < unwalked:
                    longer[further] = masks[start]
        return longer

    def _walked(self, questions: Sequence[LinkedQuestion]) -> dict[tuple[int, ...], list[RelationPath]]:
        """Return the paths that exist at every topic."""
        paths_at: dict[tuple[int, ...], list[RelationPath]] = {}
        for question in questions:
            for topic in question.topics:
                outside = [node for node in topic.nodes if not 0 <= node < self._nodes]
                if outside:
                    raise ValueError(
                        f"question {question.question_id}: {topic.phrase!r} stands for node {outside[0]}, "
                        f"and the graph has {self._nodes:,}; remedy: link the question to this graph"
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
        self, question: LinkedQuestion, about: int, paths: Sequence[RelationPath]
    ) -> dict[str, MaskedQuestion]:
        """Return the question masked about one topic, by each type that paths assume of the topic."""
        usual = [self._usual_type(topic.nodes) for topic in question.topics]
        return {
            start: masked(
                question,
                about,
                [start if place == about else type_ for place, type_ in enumerate(usual)],
                self._vocabulary,
                self._options.masking,
            )
            for start in sorted({self._start(path) for path in paths})
        }

    def _encode(self, masks: Iterable[MaskedQuestion]) -> None:
        """Encode every distinct text that is not encoded yet, and its words where these may be others."""
        texts = sorted({mask.text for mask in masks} - self._vectors.keys())
        if texts and self._near is None:
            self._vectors.update(zip(texts, self._encoder.encode(texts), strict=True))
        elif texts:
            self._words.update(zip(texts, self._encoder.encode_words(texts), strict=True))
            self._vectors.update({text: self._words[text].sentence for text in texts})

    def _read(self, masks: Mapping[str, MaskedQuestion]) -> Mapping[str, MaskedQuestion]:
        """Return masked questions whose words are read as those of relations that are used as they are."""
        self._encode(masks.values())
        if self._near is None:
            return masks
        return {
            start: mask.reading(self._near.of(mask.words, self._words[mask.text], mask.hidden))
            for start, mask in masks.items()
        }

    def _usual_type(self, nodes: Sequence[int]) -> str:
        types = [type_ for node in nodes for type_ in self._types.of(node)]
        return types[0] if types else THING

    def _parses_at(
        self,
        nodes: Sequence[int],
        walked: Sequence[RelationPath],
        masks: Mapping[str, MaskedQuestion],
        scored: _Scored,
    ) -> list[PathParse]:
        """Return the paths at a topic, and those that the graph lacks there, best first."""
        present = set(walked)
        topic_types = {type_ for node in nodes for type_ in self._types.of(node)} or set(masks)
        lacking = [path for path in self._complete if self._start(path) in masks.keys() & topic_types]
        parses = [
            scored.parse(path, masks[self._start(path)], path in present)
            for path in dict.fromkeys([*walked, *lacking])
        ]
        return sorted(parses, key=likeliest)


def _unwalked(said_again: Sequence[Repetition], path: RelationPath) -> int:
    """Return how often a question says a relation that a path walks less often."""
    steps = [relation for relation, _ in path.steps]
    return sum(len(said.unwalked(steps)) for said in said_again)


def _relations(path: RelationPath) -> set[str]:
    return {relation for relation, _ in path.steps}


class _Scored:
    """Scores of all paths for masked questions, each distinct one scored once."""

    def __init__(
        self,
        scorer: PathScorer,
        weights: Mapping[str, float],
        vectors: Mapping[str, NDArray[np.float32]],
    ) -> None:
        self._scorer, self._weights, self._vectors = scorer, weights, vectors
        self._places = {path: place for place, path in enumerate(scorer.paths)}
        self._scores_of: dict[MaskedQuestion, tuple[Scores, Scores]] = {}

    def parse(self, path: RelationPath, mask: MaskedQuestion, exists: bool, after: int = 0) -> PathParse:
        """Return a path as a parse of a masked question; `after`: how many paths come before the scorer's."""
        parts, scores = self._of(mask)
        place = self._places[path]
        return PathParse(
            after + place,
            path,
            float(scores[place]),
            tuple(parts[place].tolist()),
            exists,
            mask.answer_type.types,
            mask.text,
            mask.near,
        )

    def _of(self, mask: MaskedQuestion) -> tuple[Scores, Scores]:
        """Return ((p, 7) parts, (p,) scores) of a masked question."""
        if mask not in self._scores_of:
            parts = self._scorer.parts(mask, self._vectors[mask.text])
            self._scores_of[mask] = (parts, weighted(parts, self._weights))
        return self._scores_of[mask]
