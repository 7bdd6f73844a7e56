"""How well relation paths fit a masked question: by meaning, answer type, words covered and their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evidence_assets.kgqa.graph.schema import THING, Schema
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.masking import MaskedQuestion
from evidence_assets.kgqa.paths.path_directions import Directions
from evidence_assets.kgqa.paths.path_texts import path_wordings
from evidence_assets.kgqa.paths.relation_paths import RelationPath, path_types
from evidence_assets.kgqa.paths.repetitions import Repetition, repeated
from evidence_assets.kgqa.words.word_classes import SAMENESS
from evidence_assets.models.encoder import Encoder

Scores = NDArray[np.float64]

COSINE, TYPE, COVERAGE, POSITION, LENGTH, UNSAID, DIRECTION = (
    "cosine",
    "type",
    "coverage",
    "position",
    "length",
    "unsaid",
    "direction",
)
PARTS = (COSINE, TYPE, COVERAGE, POSITION, LENGTH, UNSAID, DIRECTION)
# How much of a step goes unsaid that no word says, where no other relation joins its two types.
IMPLIED = 0.3
_DECIMALS = 6
_FAR = 1_000.0
# The types before and after it.
_ONE_STEP = 2


@dataclass(frozen=True, slots=True)
class ParsingOptions:
    """Weights and limits of parsing; tuned on 2,000 MetaQA dev questions a hop, and used for every schema.

    MetaQA has none between things of one type: the direction of a step weighs as much as the order of two.

    `weights` of the parts of a score; `templates` False: names of relations in place of sentences; `masking`
    False: topics keep their names; `longest`: most steps of a path; `lengthened`: how many of the best paths
    of so many are tried with one step more; `beam`: parses kept for each question; `lacking_margin`: by how
    much a path that the graph lacks must score above all that it has.
    """

    weights: Mapping[str, float] = field(
        default_factory=lambda: {
            COSINE: 1.0,
            TYPE: 0.2,
            COVERAGE: 0.3,
            POSITION: 0.1,
            LENGTH: -0.03,
            UNSAID: -0.2,
            DIRECTION: 0.1,
        }
    )
    templates: bool = True
    masking: bool = True
    longest: int = 2
    lengthened: int = 12
    beam: int = 3
    lacking_margin: float = 0.02


class PathScorer:
    """Scores p paths for masked questions; each path's wordings are encoded once.

    Parts of a score:

    - `cosine`: the greatest cosine of the question to the path's wordings;
    - `type`: 1 where the path ends in the answer type, -1 where not, 0 where "who" or its like is all that
      tells it (who supplies a company may be a company); where the answer type is unknown, .5 for one step
      and -.5 for more: an answer whose type goes without saying is next to the topic;
    - `coverage`: of the weight of the question's words that the schema knows, the share that some step has;
    - `position`: 1 where the first step's words are nearer to the topic, and farther from the asking words,
      than the second step's, -1 where it is the other way round;
    - `length`: steps after the first;
    - `unsaid`: for each step the share of the greatest weight that its most telling word in the question
      lacks; of a path of several steps a part of it where no other relation joins the step's two types; all
      of it where a step repeats a relation that the question mentions once, and nothing says "the same";
      and for each time that a question about one thing says a relation oftener than it is walked;
      none where "where" alone asks for the one relation that leads to a place;
    - `direction`: of the steps between things of one type, how many the order of words speaks for the way
      they are walked, less those that it speaks against; of a relation walked twice and said once its first
      step alone.
    """

    def __init__(
        self, paths: Sequence[RelationPath], vocabulary: Vocabulary, encoder: Encoder, templates: bool = True
    ) -> None:
        self.paths = list(paths)
        self._vocabulary = vocabulary
        wordings = [path_wordings(path, vocabulary, templates) for path in self.paths]
        distinct = {
            text: number for number, text in enumerate(sorted({t for texts in wordings for t in texts}))
        }
        self._vectors = encoder.encode(list(distinct)) if distinct else np.empty((0, encoder.dimension))
        self._wordings = np.array([distinct[text] for texts in wordings for text in texts], dtype=np.int64)
        lengths = np.array([len(texts) for texts in wordings], dtype=np.int64)
        self._starts = np.cumsum(lengths) - lengths
        self._types = [path_types(path, vocabulary.schema)[-1] for path in self.paths]
        ends = [path_types(path, vocabulary.schema) for path in self.paths]
        ways = Counter((types[0], types[-1]) for types in ends if len(types) == _ONE_STEP)
        self._only = np.array([len(types) == _ONE_STEP and ways[types[0], types[-1]] == 1 for types in ends])
        relations = list(vocabulary.schema.relations)
        self._numbers = number = {name: place for place, name in enumerate(relations)}
        longest = max((len(path.steps) for path in self.paths), default=1)
        # (p, longest): each step's relation; -1, no such step, is the row of no words at the end.
        self._steps = np.full((len(self.paths), longest), -1, dtype=np.int64)
        for row, path in enumerate(self.paths):
            self._steps[row, : len(path.steps)] = [number[relation] for relation, _ in path.steps]
        self._step_names = [[relation for relation, _ in path.steps] for path in self.paths]
        self._implied = _implied(self.paths, vocabulary.schema, longest)
        self._repeats = _repeats(self._steps)
        self._columns = {word: column for column, word in enumerate(vocabulary.weights)}
        self._weights = np.array(list(vocabulary.weights.values()), dtype=np.float64)
        self._directions = Directions(vocabulary.schema)
        self._relation_words = self._word_table(relations, vocabulary.relation_words)
        self._sentence_roots = self._word_table(relations, vocabulary.sentence_roots)

    def _word_table(self, relations: Sequence[str], words: Mapping[str, frozenset[str]]) -> NDArray[np.bool_]:
        table = np.zeros((len(relations) + 1, len(self._columns)), dtype=np.bool_)
        for row, name in enumerate(relations):
            table[row, [self._columns[word] for word in sorted(words[name])]] = True
        return table

    def parts(self, question: MaskedQuestion, vector: NDArray[np.float32]) -> Scores:
        """Return (p, 7) the parts of every path's score, in the order of `PARTS`.

        `vector`: (d,) the unit vector of the masked text.
        """
        parts = np.zeros((len(self.paths), len(PARTS)), dtype=np.float64)
        if not len(self.paths):
            return parts
        cosines = (self._vectors @ vector)[self._wordings]
        steps: NDArray[np.int64] = (self._steps >= 0).sum(axis=1)
        parts[:, 0] = np.maximum.reduceat(cosines, self._starts)
        parts[:, 1] = self._type_part(question, steps)
        places, columns = self._known_words(question)
        said_again = repeated(question, self._vocabulary)
        if len(columns):
            covered: NDArray[np.bool_] = self._relation_words[:, columns][self._steps]
            weights = self._weights[columns]
            _, firsts = np.unique(columns, return_index=True)
            distinct_weights = weights[firsts]
            parts[:, 2] = (np.any(covered, axis=1)[:, firsts] @ distinct_weights) / distinct_weights.sum()
            most_telling = (covered * weights).max(axis=2) / self._weights.max()
            parts[:, 3] = self._position_part(question, places, columns)
        else:
            most_telling = np.zeros(self._steps.shape)
        parts[:, 4] = steps - 1
        unsaid = np.where(self._implied, IMPLIED * (1.0 - most_telling), 1.0 - most_telling)
        unsaid[self._repeats & ~self._mentioned_twice(question, said_again)[self._steps]] = 1.0
        parts[:, 5] = np.where(self._steps >= 0, unsaid, 0.0).sum(axis=1) + self._unwalked(said_again)
        if not len(columns) and question.asks_where:
            # Of the one relation that leads to a place, the question word says all.
            parts[self._only & (parts[:, 1] > 0), 5] = 0.0
        parts[:, 6] = self._direction_part(question, said_again)
        return parts.round(_DECIMALS)

    def _mentioned_twice(
        self, question: MaskedQuestion, said_again: Sequence[Repetition]
    ) -> NDArray[np.bool_]:
        """Return (relations + 1,) whether a question says that a relation is meant twice."""
        if not SAMENESS.isdisjoint(question.words):
            return np.ones(len(self._sentence_roots), dtype=np.bool_)
        columns = self._vocabulary.columns_of(question.words, self._columns)
        known = [c for place, c in enumerate(columns) if c >= 0 and place not in question.hidden]
        twice: NDArray[np.bool_] = self._sentence_roots[:, known].sum(axis=1) > 1
        for said in said_again:
            twice[[number for name, number in self._numbers.items() if name in said.relations]] = True
        return twice

    def _unwalked(self, said_again: Sequence[Repetition]) -> NDArray[np.int64]:
        """Return (p,) how often a question says a relation that a path does not walk as often."""
        count = np.zeros(len(self.paths), dtype=np.int64)
        for said in said_again:
            count += [len(said.unwalked(steps)) for steps in self._step_names]
        return count

    def _direction_part(self, question: MaskedQuestion, said_again: Sequence[Repetition]) -> Scores:
        # Of a relation that is walked again, its one mention tells nothing.
        directions = {name: [way] for name, way in self._directions.of(question).items()}
        for said in said_again:
            for name in said.relations & directions.keys():
                directions[name] = self._directions.of_each(question, name, said.places)
        return np.array([_agreement(path, directions) for path in self.paths])

    def _type_part(self, question: MaskedQuestion, steps: NDArray[np.int64]) -> Scores:
        asked_types = question.answer_type.types
        if not asked_types:
            return np.where(steps == 1, 0.5, -0.5)
        fits = {THING: 0.0, **dict.fromkeys(asked_types, 1.0)}
        unnamed = {end: 0.0 if end not in self._vocabulary.amounts else -1.0 for end in self._types}
        others = unnamed if question.asks_by_word else {}
        return np.array([fits.get(end, others.get(end, -1.0)) for end in self._types])

    def _known_words(self, question: MaskedQuestion) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the positions of the question's words that the schema knows, and their columns."""
        question_word = question.answer_type.first if question.asks_by_word else -1
        positions = [
            (place, column)
            for place, column in enumerate(self._vocabulary.columns_of(question.words, self._columns))
            if column >= 0 and place not in question.hidden and place != question_word
        ]
        pairs = np.array(positions, dtype=np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    def _position_part(
        self, question: MaskedQuestion, places: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> Scores:
        """Return (p,) the order of the steps' distinctive words between the topic and the asking words."""
        part = np.zeros(len(self.paths), dtype=np.float64)
        if self._steps.shape[1] < 2:
            return part
        two = np.flatnonzero(self._steps[:, 1] >= 0)
        step_words = self._sentence_roots[:, columns][self._steps[two, :2]]
        unshared = step_words & ~step_words[:, ::-1]
        telling = np.where(unshared.any(axis=2, keepdims=True), unshared, step_words)
        from_topic = np.where(telling, np.abs(places - question.topic), _FAR).min(axis=2)
        order = from_topic[:, 1] - from_topic[:, 0]
        if question.answer_type.first >= 0:
            asks = (question.answer_type.first + question.answer_type.last) / 2
            from_asking = np.where(telling, np.abs(places - asks), _FAR).min(axis=2)
            order = order + from_asking[:, 0] - from_asking[:, 1]
        both_distinctive = np.all(np.any(telling, axis=2), axis=1)
        part[two] = np.where(both_distinctive, np.sign(order), 0.0)
        return part


def _agreement(path: RelationPath, directions: Mapping[str, Sequence[float]]) -> float:
    """Return how many steps are walked the way that their mentions have it, less those that are not."""
    agreement, walked = 0.0, Counter[str]()
    for name, backwards in path.steps:
        ways = directions.get(name, ())
        agreement += (1 - 2 * backwards) * (ways[walked[name]] if walked[name] < len(ways) else 0.0)
        walked[name] += 1
    return agreement


def _implied(paths: Sequence[RelationPath], schema: Schema, longest: int) -> NDArray[np.bool_]:
    """Return (p, longest) whether a step of several goes the one way that there is between two types."""
    between = Counter(frozenset(schema.ends(name, False)) for name in schema.relations)
    implied = np.zeros((len(paths), longest), dtype=np.bool_)
    for row, path in enumerate(paths):
        ends = [frozenset(schema.ends(*step)) for step in path.steps]
        implied[row, : len(ends)] = [
            len(ends) > 1 and len(types) > 1 and THING not in types and between[types] == 1 for types in ends
        ]
    return implied


def _repeats(steps: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return (p, longest) whether a step of (p, longest) relations is one that the path has walked before."""
    repeats = np.zeros(steps.shape, dtype=np.bool_)
    for place in range(1, steps.shape[1]):
        repeats[:, place] = np.any(steps[:, :place] == steps[:, [place]], axis=1)
    return repeats & (steps >= 0)


def weighted(parts: Scores, weights: Mapping[str, float]) -> Scores:
    """Return (p,) the scores of (p, 7) parts, rounded to six decimals."""
    total: Scores = (parts @ np.array([weights[name] for name in PARTS])).round(_DECIMALS)
    return total
