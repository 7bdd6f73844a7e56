"""Which relations measure what an adjective, a noun or a unit speaks of: old, the cost, euros."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from evidence_assets.kgqa.graph.relation_facts import RelationFacts
from evidence_assets.kgqa.graph.schema import THING, Schema
from evidence_assets.kgqa.words.degrees import Dimension, dimensions
from evidence_assets.kgqa.words.literals import in_unit, is_money, is_time, is_unit
from evidence_assets.models.encoder import Encoder
from evidence_assets.text.roots import lemma, root

# A measure is bound to the nearest noun of what an adjective measures from this cosine on.
MEASURED = 0.35
# A unit of what the nouns of dimensions are for.
_UNITS = {
    **dict.fromkeys(
        ["length", "height", "elevation", "altitude", "depth", "width", "distance", "thickness"], "metre"
    ),
    "duration": "second",
    "weight": "gram",
    "speed": "metre/second",
    "area": "square metre",
    "temperature": "kelvin",
}
# Dimensions whose adjectives are said of whatever amount is told: a long article has many words.
_OF_SIZE = frozenset(["size", "length", "height"])
# What a big place has much of, where nothing tells its size.
_PEOPLED = "population"
# Adjectives of age, and what it is counted from and until.
_AGED = frozenset(["old", "young"])
_BEGINNINGS = ("birth", "founding", "opening", "construction", "start")
# What somebody enters, at any age.
_ENTRIES = ("hiring", "joining", "election", "appointment", "marriage", "graduation")
_ENDS = ("death", "end", "closing", "demolition")
# How much nearer to an end or an entry than to a beginning a relation is that dates one, in cosines.
_CLEARLY = 0.05
# What it costs that an adjective measures one of several relations of the same things.
SEVERAL = 0.3


class MeasuredRelations:
    """The relations of a schema that lead to literals, by what they measure; `encoder` compares meanings."""

    def __init__(self, facts: Mapping[str, RelationFacts], schema: Schema, encoder: Encoder) -> None:
        self._facts, self._schema, self._encoder = facts, schema, encoder
        self._nearer: dict[tuple[str, ...], bool] = {}

    @cached_property
    def _names(self) -> np.ndarray:
        """(r, d) the names of relations, without their units."""
        return self._encoder.encode([facts.wording for facts in self._facts.values()])

    def by_dimension(self, word: str) -> list[str]:
        """Return the literal relations that tell what a noun measures: by its name, unit, or another noun.

        A cost is a price, and what takes minutes has a duration.
        """
        word_root = root(word)
        all_roots = [dimension.roots for dimension in dimensions().values()]
        nouns = frozenset().union(*(roots for roots in all_roots if word_root in roots))
        amounts = {name: {*facts.roots} for name, facts in self._facts.items() if facts.is_amount}
        named = [name for name, roots in amounts.items() if nouns and word_root in roots]
        measured = [name for name in amounts if self._is_in_unit_of(word, self._facts[name])]
        return named or measured or [name for name, roots in amounts.items() if nouns & roots]

    def _is_in_unit_of(self, noun: str, facts: RelationFacts) -> bool:
        """Return whether the unit of a relation tells that it measures what a noun names."""
        if noun not in _UNITS or not facts.unit or in_unit(1.0, _UNITS[noun], facts.unit) is None:
            return False
        # What takes a time has a duration, but what has a width no length.
        return is_time(facts.unit) or not self._names_dimension(facts)

    def prices(self) -> list[str]:
        """Return the literal relations that tell what something costs, by their name or unit."""
        named = self.by_dimension("price")
        return [
            name
            for name, facts in self._facts.items()
            if name in named or (facts.unit and is_money(facts.unit))
        ]

    def converted(self, value: float, unit: str, name: str) -> float | None:
        """Return a value of a unit as a relation tells such; None where it tells something else.

        What is told without a unit is of none that is spoken, unless it is a price: "above 80 metres".
        """
        target = self._facts[name].unit
        if unit and not target:
            return value if is_money(unit) and name in self.prices() else None
        return in_unit(value, unit, target)

    def by_unit(self, word: str) -> list[str]:
        """Return the literal relations whose values are of a unit of measure: of euros, price_eur."""
        if not is_unit(word):
            return []
        return [
            name
            for name, facts in self._facts.items()
            if facts.unit and in_unit(1.0, word, facts.unit) is not None
        ]

    def tells_age(self, adjective: str, name: str, persons: Collection[str]) -> bool:
        """Return whether an adjective measures a relation: one of age no date of what persons enter.

        The youngest teacher is not the one who was hired last. `persons`: the types of persons.
        """
        is_of_person = self._schema.ends(name, False)[0] in persons
        dates_person = adjective in _AGED and self._facts[name].years and is_of_person
        return not (dates_person and self._is_rather(name, _ENTRIES))

    def by_adjective(self, adjective: str, lasting: bool = False) -> list[tuple[str, bool]]:
        """Return the literal relations that an adjective measures, and whether more of it is greater.

        `lasting`: it describes what has lasted: what has lasted longer began earlier.
        """
        dimension = dimensions().get(adjective) or Dimension((lemma(adjective),), True, False)
        if dimension.temporal:
            # A running time says nothing of when it was.
            dimension = replace(dimension, nouns=tuple(noun for noun in dimension.nouns if noun != "time"))
        adjective_root = root(adjective)
        measured = []
        for name, facts in self._facts.items():
            if not facts.literal:
                continue
            roots = {*facts.roots}
            dates_end = adjective in _AGED and facts.years and self._is_rather(name, _ENDS)
            if facts.years and dimension.temporal and not dates_end:
                measured.append((name, not dimension.more))
            elif roots & {*dimension.roots, adjective_root} and not facts.years:
                measured.append((name, dimension.more))
        if not measured and dimension.nouns[0] == "size":
            # A big town is one of many inhabitants.
            measured = [
                (name, dimension.more)
                for name, facts in self._facts.items()
                if facts.literal and _PEOPLED in facts.name_words
            ]
        if lasting and not measured and "duration" in dimension.nouns:
            return [(name, not dimension.more) for name, facts in self._facts.items() if facts.years]
        return measured or self._measured_by_unit(dimension) or self._measured_by_meaning(dimension)

    def _measured_by_unit(self, dimension: Dimension) -> list[tuple[str, bool]]:
        """Return the literal relations whose unit alone tells that they measure a dimension: `river_km`."""
        return [
            (name, dimension.more)
            for name, facts in self._facts.items()
            if facts.unit
            and not facts.years
            and not self._names_dimension(facts)
            and _is_in_any(_units_of(dimension), facts.unit)
        ]

    def _names_dimension(self, facts: RelationFacts) -> bool:
        """Return whether a name says what it measures: what is called a height is no width.

        A time told in minutes is a duration, and called by no other name.
        """
        nouns = frozenset().union(*(measured.roots for measured in dimensions().values()))
        return bool(nouns & facts.measure_roots)

    def is_of_another(self, word: str, name: str) -> bool:
        """Return whether a word is a noun for another measure than the one that a relation is named after."""
        named = [dimension for dimension in dimensions().values() if root(word) in dimension.roots]
        facts = self._facts[name]
        # A time is an age, or how long something takes.
        if not facts.literal or not named or any(dimension.temporal for dimension in named):
            return False
        nouns = frozenset().union(*(dimension.roots for dimension in named))
        return self._names_dimension(facts) and nouns.isdisjoint(facts.roots)

    def guessed(self, adjective: str) -> list[tuple[str, bool]]:
        """Return what an adjective of size may measure that nothing tells: all that is known of a thing.

        The longest article is that of most words, where nothing else is counted of articles. What a name says
        that it measures, a depth, is nothing else.
        """
        dimension = dimensions().get(adjective)
        if dimension is None or dimension.temporal or _OF_SIZE.isdisjoint(dimension.nouns):
            return []
        names = [name for name, facts in self._facts.items() if facts.is_amount]
        starts = [self._schema.ends(name, False)[0] for name in names]
        return [
            (name, dimension.more)
            for name, start in zip(names, starts, strict=True)
            if start != THING and starts.count(start) == 1 and not self._names_dimension(self._facts[name])
        ]

    def doubts(self, names: Sequence[str]) -> dict[str, float]:
        """Return what it costs that one of several relations is measured: only of the same things."""
        starts = {name: self._schema.ends(name, False)[0] for name in names}
        return {
            name: SEVERAL * (len(names) > 1 and (start == THING or list(starts.values()).count(start) > 1))
            for name, start in starts.items()
        }

    def _is_rather(self, name: str, others: Sequence[str]) -> bool:
        """Return whether what a relation of years dates is clearly nearer to others than to a beginning."""
        key = (name, *others)
        if key not in self._nearer:
            vectors = self._encoder.encode([self._facts[name].wording, *_BEGINNINGS, *others])
            cosines = np.round(vectors[1:] @ vectors[0], 6)
            begins, other = cosines[: len(_BEGINNINGS)].max(), cosines[len(_BEGINNINGS) :].max()
            self._nearer[key] = bool(other > begins + _CLEARLY)
        return self._nearer[key]

    def _measured_by_meaning(self, dimension: Dimension) -> list[tuple[str, bool]]:
        """Return the literal relation whose name is near to one of a dimension's nouns: a life's duration."""
        # What takes longer is slower.
        hastens = "speed" in dimension.nouns
        literal = [
            place
            for place, facts in enumerate(self._facts.values())
            if facts.is_amount
            and not self._names_dimension(facts)
            # The fastest is not what has the least time limit.
            and "time" not in facts.name_words
            and (not _is_of_another_unit(dimension, facts.unit) or (hastens and is_time(facts.unit)))
        ]
        if not literal:
            return []
        noun_vectors = self._encoder.encode([lemma(noun) for noun in dimension.nouns])
        cosines = np.round(noun_vectors @ self._names.T, 6)[:, literal].max(axis=0)
        names = list(self._facts)
        near = [
            place
            for place, cosine in zip(literal, cosines, strict=True)
            if cosine >= max(MEASURED, cosines.max())
        ]
        return [
            (names[place], dimension.more != (hastens and is_time(self._facts[names[place]].unit)))
            for place in near
        ]


def _is_of_another_unit(dimension: Dimension, unit: str) -> bool:
    """Return whether a unit is of none that a dimension is told in: a number of seats is no length."""
    units = _units_of(dimension)
    return bool(units and unit) and not _is_in_any(units, unit)


def _units_of(dimension: Dimension) -> set[str]:
    return {_UNITS[noun] for noun in dimension.nouns if noun in _UNITS}


def _is_in_any(units: Collection[str], unit: str) -> bool:
    """Return whether a unit is of what any of some others are."""
    return any(in_unit(1.0, other, unit) is not None for other in units)
