"""Several topics of one question: a path from each of them to the same answer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from evidence_assets.kgqa.conjunctive import TARGET, ConjunctiveQuery, Constant, Term, Triplet, Variable
from evidence_assets.kgqa.linked_questions import Topic
from evidence_assets.kgqa.parses import ParsedQuery, PathParse
from evidence_assets.kgqa.path_scoring import PARTS
from evidence_assets.kgqa.relation_paths import RelationPath, fit, path_types
from evidence_assets.kgqa.schema import THING, Schema
from evidence_assets.kgqa.solving import Solver

# How many paths of each topic are joined with those of the others, and how many of the joints are solved.
_JOINED_PATHS, _JOINTS = 6, 24


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

    def __init__(self, solver: Solver, schema: Schema, beam: int) -> None:
        self._solver, self._schema, self._beam = solver, schema, beam

    def joined(self, topics: Sequence[Topic], parses: Sequence[Sequence[PathParse]]) -> list[ParsedQuery]:
        """Return the best conjunctions of a path from every topic that have an answer; empty if none has.

        If the likeliest conjunction has no answer it comes first, and the others say so in their detail.
        A conjunction's score is the mean of its paths'.
        """
        likely = [[parse for parse in of_topic if parse.exists][:_JOINED_PATHS] for of_topic in parses]
        joints = [
            joint
            for joint in product(*likely)
            if all(fit(self._end(first), self._end(second)) for first, second in product(joint, joint))
        ]
        joints.sort(key=lambda joint: (-_mean(joint), [parse.place for parse in joint]))
        joined_queries: list[ParsedQuery] = []
        missed: list[ParsedQuery] = []
        for joint in joints[:_JOINTS]:
            detail = "the likeliest conditions have no answer in common" if missed else ""
            parsed = self._conjunction(topics, joint, detail)
            if len(parsed.answers):
                joined_queries.append(parsed)
            elif not joined_queries and not missed:
                missed.append(parsed)
            if len(joined_queries) == self._beam:
                break
        return [*missed, *joined_queries] if joined_queries else []

    def _end(self, parse: PathParse) -> str:
        return path_types(parse.path, self._schema)[-1]

    def _conjunction(self, topics: Sequence[Topic], joint: Sequence[PathParse], detail: str) -> ParsedQuery:
        # Where paths meet is of the first type that is not `thing`.
        end = next((type_ for type_ in map(self._end, joint) if type_ != THING), THING)
        answer_type = end if any(end in parse.asked_types for parse in joint) else ""
        constants = [Constant(topic.phrase, topic.nodes) for topic in topics]
        query = joined_query(constants, [parse.path for parse in joint], Variable(TARGET, answer_type))
        answers = self._solver.solve(query, without_constants=True).candidates
        parts = np.array([parse.parts for parse in joint]).mean(axis=0).round(6)
        return ParsedQuery(
            query,
            _mean(joint),
            dict(zip(PARTS, parts.tolist(), strict=True)),
            bool(len(answers)),
            answers,
            end,
            tuple(parse.path for parse in joint),
            detail if len(answers) else "no node meets every condition",
        )


def _mean(joint: Sequence[PathParse]) -> float:
    return round(sum(parse.score for parse in joint) / len(joint), 6)
