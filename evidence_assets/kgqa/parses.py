"""Readings of a question: a path at one topic, and what is made of one or several of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from evidence_assets.kgqa.conjunctive import ConjunctiveQuery
from evidence_assets.kgqa.node_types import Nodes
from evidence_assets.kgqa.path_scoring import PARTS, UNSAID
from evidence_assets.kgqa.relation_paths import RelationPath, path_types
from evidence_assets.kgqa.schema import Schema

# A path is said to be lacking only where the question's words name each of its steps, on average by words of
# half the greatest weight; and not where the same relations the other way round fit about as well.
_UNSAID, _TURNED = 0.5, 0.1
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """One reading of a question: what it asks of the graph, how well that fits, and what the graph answers.

    `score` is comparable within a question, and across questions good enough to abstain by; `score_parts` are
    the unweighted parts. `exists`: the graph has such a path here; where not, `answers` is empty: the fact is
    not in the graph. `answers` ascend, the topics' own nodes left out. `detail` says what was given up.
    """

    query: ConjunctiveQuery
    score: float
    score_parts: Mapping[str, float]
    exists: bool
    answers: Nodes
    answer_type: str = ""
    paths: tuple[RelationPath, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A path at one topic: its place among the scorer's, and its score.

    `asked`: the types that the question asks for; `question`: its masked text, by the type that the path
    begins with.
    """

    place: int
    path: RelationPath
    score: float
    parts: tuple[float, ...]
    exists: bool
    asked: tuple[str, ...]
    question: str = ""


# Scores in place of the readings' own: a list a list, each the readings at one topic, the likeliest first.
Rate = Callable[[Sequence[Sequence[Reading]]], Sequence[Sequence[float]]]


def rated(readings: Sequence[Sequence[Reading]], rate: Rate) -> list[list[Reading]]:
    """Return the readings at each topic with new scores, the likeliest first by these; none stay none.

    Of equal scores what the graph has comes first, then the scorer's order.

    Raises:
        ValueError: there are not as many scores as readings.
    """
    told = [own for own in readings if own]
    scores = iter(rate(told) if told else [])
    found = []
    for own in readings:
        again = [
            replace(reading, score=round(float(score), _DECIMALS))
            for reading, score in zip(own, next(scores) if own else [], strict=True)
        ]
        found.append(sorted(again, key=lambda one: (-one.score, not one.exists, one.place)))
    return found


def said_to_lack(readings: Sequence[Reading], schema: Schema, margin: float) -> Reading | None:
    """Return the best reading that the graph lacks, if it fits better by a margin than all that it has.

    `readings` descend by score.
    """
    kept = [reading for reading in readings if reading.exists]
    for reading in readings:
        if kept and reading.score <= kept[0].score + margin:
            return None
        if not reading.exists and _is_said(reading) and not _is_turned(reading, kept, schema):
            return reading
    return None


def _is_said(reading: Reading) -> bool:
    return reading.parts[PARTS.index(UNSAID)] <= _UNSAID * len(reading.path.steps)


def _is_turned(lacking: Reading, kept: Sequence[Reading], schema: Schema) -> bool:
    """Return whether a path that the graph has says the same in another direction, hardly worse."""
    relations = sorted(relation for relation, _ in lacking.path.steps)
    types = path_types(lacking.path, schema)
    return any(
        path_types(reading.path, schema) == types
        and sorted(relation for relation, _ in reading.path.steps) == relations
        for reading in kept
        if reading.score >= lacking.score - _TURNED
    )
