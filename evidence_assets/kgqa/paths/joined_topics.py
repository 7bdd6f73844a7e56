"""Several topics of one question: a path from each of them to the same answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from evidence_assets.kgqa.graph.linked_questions import Topic
from evidence_assets.kgqa.graph.schema import THING
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.parses import ParsedQuery, PathParse
from evidence_assets.kgqa.paths.path_scoring import COVERAGE, PARTS, UNSAID, ParsingOptions
from evidence_assets.kgqa.paths.relation_paths import RelationPath, fit, path_types
from evidence_assets.kgqa.queries.conjunctive import (
    TARGET,
    ConjunctiveQuery,
    Constant,
    Term,
    Triplet,
    Variable,
)
from evidence_assets.kgqa.queries.solving import Solver
from evidence_assets.kgqa.slots.near_words import NearWord
from evidence_assets.text.words import words

# A path from each topic to the same answer.
Joint = Sequence[PathParse]

# How many paths of each topic are joined with those of the others, and how many of the joints, the likeliest
# by each path alone, are scored as a whole, and solved.
_JOINED_PATHS, _SCORED, _JOINTS = 6, 216, 24
_DECIMALS = 6


def joined_query(
    constants: Sequence[Constant], paths: Sequence[RelationPath], answer: Variable
) -> ConjunctiveQuery:
    """Return the query whose answer every path leads to; variables between are a1, a2, b1, …"""
    triplets: list[Triplet] = []
    for number, (constant, path) in enumerate(zip(constants, paths, strict=True)):
        near: Term = constant
        last = len(path.steps) - 1
        for place, (relation, backwards) in enumerate(path.steps):
            far: Term = answer if place == last else Variable(f"{chr(ord('a') + number)}{place + 1}")
            triplets.append(Triplet(far, relation, near) if backwards else Triplet(near, relation, far))
            near = far
    return ConjunctiveQuery(tuple(triplets), TARGET)


class Joiner:
    """Joins paths of several topics, the likeliest first, and solves their conjunctions."""

    def __init__(self, solver: Solver, vocabulary: Vocabulary, options: ParsingOptions) -> None:
        self._solver, self._vocabulary, self._options = solver, vocabulary, options
        self._schema = vocabulary.schema

    def joined(
        self, question: str, topics: Sequence[Topic], parses: Sequence[Sequence[PathParse]]
    ) -> list[ParsedQuery]:
        """Return the best conjunctions of a path from every topic that have an answer; empty if none has.

        If the likeliest conjunction has no answer it comes first, and the others say so in their detail. The
        parts of a conjunction's score are the means of its paths', but its paths cover words together, and
        what one of them is said by says no other step of another.
        """
        near = {word: read for of_topic in parses for parse in of_topic for word, read in parse.near}
        known = self._known_words(question, topics, near)
        likely = [[parse for parse in of_topic if parse.exists][:_JOINED_PATHS] for of_topic in parses]
        joints = [
            joint
            for joint in product(*likely)
            if all(fit(self._end(first), self._end(second)) for first, second in product(joint, joint))
        ]
        joints.sort(key=lambda joint: (-_mean(joint), [parse.place for parse in joint]))
        scored = [(*self._score(joint, known), joint) for joint in joints[:_SCORED]]
        scored.sort(key=lambda of_joint: (-of_joint[0], [parse.place for parse in of_joint[2]]))
        joined_queries: list[ParsedQuery] = []
        missed: list[ParsedQuery] = []
        for score, parts, joint in scored[:_JOINTS]:
            detail = "the likeliest conditions have no answer in common" if missed else ""
            parsed = self._conjunction(topics, joint, score, parts, detail)
            if len(parsed.answers):
                joined_queries.append(parsed)
            elif not joined_queries and not missed:
                missed.append(parsed)
            if len(joined_queries) == self._options.beam:
                break
        return [*missed, *joined_queries] if joined_queries else []

    def _end(self, parse: PathParse) -> str:
        return path_types(parse.path, self._schema)[-1]

    def _known_words(self, question: str, topics: Sequence[Topic], near: Mapping[str, NearWord]) -> list[str]:
        """Return the words of the schema that a question has outside its topics' names, or is read with."""
        rest = list(question)
        for topic in topics:
            rest[topic.start : topic.end] = " " * (topic.end - topic.start)
        said = words("".join(rest))
        return self._vocabulary.known([near[word].word if word in near else word for word in said])

    def _score(self, joint: Joint, known: Sequence[str]) -> tuple[float, Mapping[str, float]]:
        """Return a conjunction's score, and its parts."""
        means = np.array([parse.parts for parse in joint]).mean(axis=0)
        parts = dict(zip(PARTS, means.tolist(), strict=True))
        relations = {name for parse in joint for name, _ in parse.path.steps}
        together = {
            COVERAGE: self._vocabulary.coverage(known, relations),
            UNSAID: parts[UNSAID] + self._said_again(joint, known) / len(joint),
        }
        score = _mean(joint)
        score += sum(self._options.weights[name] * (together[name] - parts[name]) for name in together)
        rounded = {name: round(value, _DECIMALS) for name, value in {**parts, **together}.items()}
        return round(score, _DECIMALS), rounded

    def _said_again(self, joint: Joint, known: Sequence[str]) -> int:
        """Return how many steps are of relations that another path has as another step of its own.

        One mention says one condition: only "eats mice and voles" has it of two.
        """
        steps: dict[str, set[tuple[int, bool]]] = {}
        for parse in joint:
            for place, (name, backwards) in enumerate(reversed(parse.path.steps)):
                steps.setdefault(name, set()).add((place, backwards))
        return sum(
            max(0, len(kinds) - max(1, self._vocabulary.mentions(known, name)))
            for name, kinds in steps.items()
        )

    def _conjunction(
        self,
        topics: Sequence[Topic],
        joint: Joint,
        score: float,
        parts: Mapping[str, float],
        detail: str,
    ) -> ParsedQuery:
        # Where paths meet is of the first type that is not `thing`.
        end = next((type_ for type_ in map(self._end, joint) if type_ != THING), THING)
        answer_type = end if any(end in parse.asked_types for parse in joint) else ""
        constants = [Constant(topic.phrase, topic.nodes) for topic in topics]
        query = joined_query(constants, [parse.path for parse in joint], Variable(TARGET, answer_type))
        answers = self._solver.solve(query, without_constants=True).candidates
        return ParsedQuery(
            query,
            score,
            parts,
            bool(len(answers)),
            answers,
            end,
            tuple(parse.path for parse in joint),
            detail if len(answers) else "no node meets every condition",
            tuple(dict.fromkeys(read for parse in joint for read in parse.near)),
        )


def _mean(joint: Joint) -> float:
    return sum(parse.score for parse in joint) / len(joint)
