"""Statements whose truth is known, to judge judges by: triples of a graph, and triples with others' tails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evidence_assets.lake.ids import text_hash
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.verbalisation import verbalise

StatedTriple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple read out, and whether a graph states it."""

    text: str
    is_stated: bool


def stated_and_swapped(
    triples: Sequence[StatedTriple], templates: Mapping[str, str], count: int
) -> list[Statement]:
    """Return `count` statements, every second one a triple with the tail of another of its relation.

    `triples`: head, relation, tail. Drawn by the hashes of their texts: the same everywhere. A swapped tail
    is not one that the graph states of that head and relation.
    """
    ordered = sorted(triples, key=lambda triple: text_hash("|".join(triple)))
    known: dict[tuple[str, str], set[str]] = {}
    for head, relation, tail in ordered:
        known.setdefault((normal_form(head), relation), set()).add(normal_form(tail))
    statements: list[Statement] = []
    for place, (head, relation, tail) in enumerate(ordered):
        if len(statements) >= count:
            break
        shown_tail, stated = tail, len(statements) % 2 == 0
        if not stated:
            candidates = (
                candidate
                for _, candidate_relation, candidate in (*ordered[place + 1 :], *ordered[:place])
                if candidate_relation == relation
                and normal_form(candidate) not in known[normal_form(head), relation]
            )
            shown_tail = next(candidates, "")
        if shown_tail:
            statements.append(Statement(verbalise(templates[relation], head, shown_tail), stated))
    return statements
