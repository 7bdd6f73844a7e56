"""What a graph's relations lead to, and how their names are worded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.literals import are_years, is_unit, values_of
from evidence_assets.kgqa.naming import agent_first, spelt
from evidence_assets.kgqa.schema import Schema
from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import words

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
    def wording(self) -> str:
        """The relation's name as words, without its unit."""
        if not self.unit:
            return " ".join(self.name_words)
        words_before_unit = list(self.name_words[: self.name_words.index(self.unit)])
        while len(words_before_unit) > 1 and words_before_unit[-1] in function_words():
            words_before_unit.pop()
        return " ".join(words_before_unit)


def relation_facts(graph: Graph, schema: Schema) -> dict[str, RelationFacts]:
    """Return the facts of each relation of a schema, in its order."""
    values = values_of(graph.labels.to_pylist())
    number = {name: place for place, name in enumerate(graph.relation_names)}
    facts = {}
    for name, relation in schema.relations.items():
        in_graph = name in number
        tails = np.unique(graph.tails[graph.relations == number[name]]) if in_graph else np.empty(0, int)
        literal_values = values[tails][~np.isnan(values[tails])]
        literal = len(tails) > 0 and len(literal_values) >= _LITERAL * len(tails)
        parts = tuple(words(spelt(name)))
        unit = next((word for word in reversed(parts[1:]) if is_unit(word)), "") if literal else ""
        facts[name] = RelationFacts(
            literal,
            literal and are_years(literal_values),
            unit,
            agent_first(relation.sentences[0]),
            bool(parts) and parts[-1] == "of",
            parts,
        )
    return facts
