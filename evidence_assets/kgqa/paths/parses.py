"""Parses of a question: a path at one topic, and what is made of one or several of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from evidence_assets.kgqa.graph.node_types import Nodes
from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.paths.path_scoring import COVERAGE, PARTS, TYPE, UNSAID
from evidence_assets.kgqa.paths.relation_paths import RelationPath, path_types
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery
from evidence_assets.kgqa.slots.near_words import Near

# A path is said to be lacking only where the question's words name each of its steps, on average by words of
# half the greatest weight; and not where the same relations the other way round fit about as well, nor where
# a path that exists fits nearly as well, and says more of the words or ends better with what is asked for.
_UNSAID, _TURNED, _OUTSAID = 0.5, 0.1, 0.2
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """One parse of a question: what it asks of the graph, how well that fits, and what the graph answers.

    `score` is comparable within a question, and across questions good enough to abstain by; `score_parts` are
    the unweighted parts. `exists`: the graph has such a path here; where not, `answers` is empty: the fact is
    not in the graph. `answers` ascend, the topics' own nodes left out. `detail` says what was given up.
    `near`: what words of the question are read as.
    """

    query: ConjunctiveQuery
    score: float
    score_parts: Mapping[str, float]
    exists: bool
    answers: Nodes
    answer_type: str = ""
    paths: tuple[RelationPath, ...] = ()
    detail: str = ""
    near: Near = ()


@dataclass(frozen=True, slots=True)
class PathParse:
    """A path at one topic: its index among the scorer's paths, and its score.

    `asked_types`: those that the question asks for; `question`: its masked text, by the type that the path
    begins with; `near`: what its words are read as.
    """

    place: int
    path: RelationPath
    score: float
    parts: tuple[float, ...]
    exists: bool
    asked_types: tuple[str, ...]
    question: str = ""
    near: Near = ()


def likeliest(parse: PathParse) -> tuple[float, bool, int]:
    """Return what sorts parses: by score, then those that the graph has, then in the scorer's order."""
    return -parse.score, not parse.exists, parse.place


# Rescores parses: one list of scores for each list of parses at a topic, which is sorted likeliest first.
Rate = Callable[[Sequence[Sequence[PathParse]]], Sequence[Sequence[float]]]


def rated(parses: Sequence[Sequence[PathParse]], rate: Rate) -> list[list[PathParse]]:
    """Return the parses at each topic with new scores, the likeliest first; an empty list stays empty.

    At equal scores paths that the graph has come first, then the scorer's order counts.

    Raises:
        ValueError: there are not as many scores as parses.
    """
    groups = [group for group in parses if group]
    scores = iter(rate(groups) if groups else [])
    ordered = []
    for group in parses:
        rescored = [
            replace(parse, score=round(float(score), _DECIMALS))
            for parse, score in zip(group, next(scores) if group else [], strict=True)
        ]
        ordered.append(sorted(rescored, key=likeliest))
    return ordered


def said_to_lack(parses: Sequence[PathParse], schema: Schema, margin: float) -> PathParse | None:
    """Return the best parse that the graph lacks, if it scores better by a margin than all existing ones.

    `parses` descend by score.
    """
    existing = [parse for parse in parses if parse.exists]
    for parse in parses:
        if existing and parse.score <= existing[0].score + margin:
            return None
        if (
            not parse.exists
            and _is_worded(parse)
            and not _is_turned(parse, existing, schema)
            and not _is_outsaid(parse, existing)
        ):
            return parse
    return None


def _is_worded(parse: PathParse) -> bool:
    return parse.parts[PARTS.index(UNSAID)] <= _UNSAID * len(parse.path.steps)


def _is_turned(lacking: PathParse, existing: Sequence[PathParse], schema: Schema) -> bool:
    """Return whether an existing path of nearly the same score has the same relations in other directions."""
    relations = sorted(relation for relation, _ in lacking.path.steps)
    types = path_types(lacking.path, schema)
    return any(
        path_types(parse.path, schema) == types
        and sorted(relation for relation, _ in parse.path.steps) == relations
        for parse in existing
        if parse.score >= lacking.score - _TURNED
    )


def _is_outsaid(lacking: PathParse, existing: Sequence[PathParse]) -> bool:
    """Return whether an existing path of about the same score fits better by type or words, worse by none."""

    def fit(parse: PathParse) -> tuple[float, float]:
        return parse.parts[PARTS.index(TYPE)], parse.parts[PARTS.index(COVERAGE)]

    type_, coverage = fit(lacking)
    return any(
        fit(parse) != (type_, coverage) and fit(parse)[0] >= type_ and fit(parse)[1] >= coverage
        for parse in existing
        if parse.score >= lacking.score - _OUTSAID
    )
