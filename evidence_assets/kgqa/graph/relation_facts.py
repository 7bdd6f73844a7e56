"""What a graph's relations lead to, and how their names are worded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.naming import agent_first
from evidence_assets.kgqa.graph.node_values import node_values
from evidence_assets.kgqa.graph.schema import RelationSchema, Schema
from evidence_assets.kgqa.words.literals import POWERS, are_years, in_unit, is_time, is_unit
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import root
from evidence_assets.text.verbalisation import spelt
from evidence_assets.text.words import words

# "{head} takes {tail} minutes".
_AMOUNT = re.compile(r"\{tail\} ([a-z]+)")
# The units of a relation of years: 850 seats are no year.
_OF_YEARS = frozenset(["", "year", "years"])
# A relation leads to literals if at least this share of its tails are numbers or dates.
_LITERAL = 0.9


@dataclass(frozen=True, slots=True)
class RelationFacts:
    """A relation's literals, unit, and how its name is worded.

    `agent_first`: its head is who does it, as in `{head} directs {tail}`; not in `{head} directed by {tail}`.
    `noun_of`: its name ends with "of": its head is the noun.
    """

    literal: bool
    years: bool
    unit: str
    agent_first: bool
    noun_of: bool
    name_words: tuple[str, ...]

    @property
    def roots(self) -> tuple[str, ...]:
        """The roots of its name's words, in their order."""
        return tuple(map(root, self.name_words))

    @property
    def unit_words(self) -> tuple[str, ...]:
        """The words of its unit: "km" and "h"."""
        return tuple(self.unit.replace("/", " ").split())

    @property
    def is_amount(self) -> bool:
        """Whether it leads to amounts, which years are not."""
        return self.literal and not self.years

    @property
    def measure_roots(self) -> frozenset[str]:
        """The roots of its name's words, but not its unit, nor "time" where that is in minutes."""
        time = ("time",) if is_time(self.unit) else ()
        return frozenset(root(word) for word in self.name_words if word not in (*self.unit_words, *time))

    def is_of_unit(self, word: str) -> bool:
        """Return whether a word is of its unit, or a unit of the same: "km" where it is told in metres."""
        same = bool(self.unit) and is_unit(word) and in_unit(1.0, word, self.unit) is not None
        return same or word in self.unit_words

    @property
    def wording(self) -> str:
        """The relation's name as words, without its unit."""
        named_unit = _unit_of(self.name_words) if self.unit else ""
        if not named_unit:
            return " ".join(self.name_words)
        first = named_unit.replace("/", " ").split()[0]
        words_before_unit = list(self.name_words[: self.name_words.index(first)])
        while len(words_before_unit) > 1 and words_before_unit[-1] in function_words():
            words_before_unit.pop()
        return " ".join(words_before_unit)


def relation_facts(graph: Graph, schema: Schema) -> dict[str, RelationFacts]:
    """Return the facts of each relation of a schema, in its order."""
    valued = node_values(graph)
    values = valued.values
    number = {name: place for place, name in enumerate(graph.relation_names)}
    facts = {}
    for name, relation in schema.relations.items():
        in_graph = name in number
        tails = np.unique(graph.tails[graph.relations == number[name]]) if in_graph else np.empty(0, int)
        literal_values = values[tails][~np.isnan(values[tails])]
        literal = len(tails) > 0 and len(literal_values) >= _LITERAL * len(tails)
        parts = tuple(words(spelt(name)))
        # What values are told in goes before what a name says: a price per kg, of 12 USD.
        told_unit = valued.units.get(name, "")
        unit = told_unit or (_unit_of(parts) or _unit_said(relation) if literal else "")
        facts[name] = RelationFacts(
            literal,
            literal and not told_unit and unit in _OF_YEARS and are_years(literal_values),
            unit,
            agent_first(relation.sentences[0]),
            bool(parts) and parts[-1] == "of",
            parts,
        )
    return facts


def _unit_said(relation: RelationSchema) -> str:
    """Return the unit that a relation's name is, or that its sentences tell behind a tail; "" for none."""
    said = [word for sentence in relation.sentences for word in _AMOUNT.findall(sentence)]
    return next((word for word in (relation.name, *said) if is_unit(word)), "")


def _unit_of(name_words: Sequence[str]) -> str:
    """Return the unit that a name ends with, "" for none or an untold one; of "speed in km/h" a quotient."""
    last_place = len(name_words) - 1
    places = [
        place
        for place, word in enumerate(name_words)
        if place and is_unit(word, measures=place == last_place)
    ]
    if not places:
        return ""
    *others, last = places
    if name_words[last - 1] in POWERS:
        return f"{name_words[last - 1]} {name_words[last]}"
    by_each = name_words[last - 1] == "per"
    before = last - 1 - by_each
    if before in others:
        return f"{name_words[before]}/{name_words[last]}"
    # A price per tonne is no weight.
    return "" if by_each else name_words[last]
