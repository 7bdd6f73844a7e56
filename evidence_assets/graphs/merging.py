"""One graph from several sources: which of their concepts are one, by identifier, name or reference."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evidence_assets.sources.records import ConceptRecord
from evidence_assets.text.normal_forms import normal_form

DECLARED, IDENTIFIER, LABEL = "declared", "identifier", "label"
CROSS_REFERENCE, SYNONYM = "cross-reference", "synonym"
# The surest first: what one rule has joined, a later one does not part.
RULES = (DECLARED, IDENTIFIER, LABEL, CROSS_REFERENCE, SYNONYM)


@dataclass(frozen=True, slots=True)
class MergedConcept:
    """One concept with everything its sources say of it, the first source's label and definition first."""

    label: str
    records: tuple[tuple[str, ConceptRecord], ...]

    @property
    def keys(self) -> list[str]:
        """The identifiers of its sources, sorted."""
        return sorted({record.key for _, record in self.records})

    @property
    def cross_references(self) -> list[str]:
        """Every identifier of other registries, sorted."""
        return sorted({reference for _, record in self.records for reference in record.cross_references})

    @property
    def names(self) -> dict[str, list[str]]:
        """Every label and synonym with the sources that use it, in the order of the sources."""
        names: dict[str, list[str]] = {self.label: []}
        for source, record in self.records:
            for name in (record.label, *record.synonyms):
                users = names.setdefault(name, [])
                if source not in users:
                    users.append(source)
        return names

    @property
    def definition(self) -> str:
        """The first source's definition that is not empty."""
        return next((record.definition for _, record in self.records if record.definition), "")

    @property
    def kind(self) -> str:
        """What sort of thing it is, where a source says; sources that differ were never joined."""
        return next((record.kind for _, record in self.records if record.kind), "")


@dataclass(frozen=True, slots=True)
class RefusedMerge:
    """Two concepts that share a name or identifier and stay apart, and why."""

    one: str
    other: str
    rule: str
    shared: str
    reason: str


class Merger:
    """Joins the concepts of several sources.

    Two records are one concept where a source says so itself (one is numbered by what the other refers to),
    or where they share an identifier, or a label, a cross-reference or a synonym that one concept of each
    source bears; among several such joins that of the two that share most comes first. Else a group never
    holds two concepts of one source, nor two kinds: a source tells its own concepts apart, and a join that
    would undo that is refused and kept as a conflict.
    """

    def __init__(self, records: Iterable[tuple[str, ConceptRecord]]) -> None:
        self._records = list(records)
        self._parent = list(range(len(self._records)))
        self._members = {place: [place] for place in self._parent}
        self.joined: Counter[str] = Counter()
        self.refused: list[RefusedMerge] = []
        self._join_declared()
        for rule in RULES[1:]:
            self._join(rule)

    def _root(self, place: int) -> int:
        while self._parent[place] != place:
            self._parent[place] = self._parent[self._parent[place]]
            place = self._parent[place]
        return place

    def _join_declared(self) -> None:
        referring: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place, (source, record) in enumerate(self._records):
            for reference in record.cross_references:
                referring[source, reference].append(place)
        for place, (source, record) in enumerate(self._records):
            others = [other for other in referring.get((source, record.same_as), ()) if other != place]
            if record.same_as and len(others) == 1:
                first, second = sorted((self._root(place), self._root(others[0])))
                self._link(first, second, DECLARED)

    def _join(self, rule: str) -> None:
        bearers: dict[str, list[int]] = defaultdict(list)
        for place, (_, record) in enumerate(self._records):
            for sign in _signs(record, rule):
                bearers[sign].append(place)
        for sign, places in self._alikest_first(bearers):
            roots = list(dict.fromkeys(self._root(place) for place in places))
            pairs = {(self._root(place), self._records[place][0]) for place in places}
            if len(roots) > 1 and len({source for _, source in pairs}) == len(pairs):
                for other in roots[1:]:
                    self._unite(roots[0], other, rule, sign)

    def _alikest_first(self, bearers: Mapping[str, Sequence[int]]) -> list[tuple[str, Sequence[int]]]:
        """Return what several records bear, first where their groups share most else, then by sign.

        A concept that two others could be joined with goes to the one that is more like it.
        """
        told: dict[int, set[str]] = {}
        ranked = []
        for sign, places in bearers.items():
            roots = {self._root(place) for place in places}
            if len(roots) < 2:
                continue
            for root in roots - told.keys():
                told[root] = {one for place in self._members[root] for one in self._said(place)}
            shared = set.intersection(*(told[root] for root in roots))
            ranked.append((-len(shared), sign))
        return [(sign, bearers[sign]) for _, sign in sorted(ranked)]

    def _said(self, place: int) -> Iterator[str]:
        """Yield everything that a record can be recognised by."""
        record = self._records[place][1]
        return (sign for rule in RULES[1:] for sign in _signs(record, rule))

    def _unite(self, one: int, other: int, rule: str, sign: str) -> None:
        first, second = sorted((self._root(one), self._root(other)))
        if first == second:
            return
        reason = self._clash(first, second)
        if reason:
            labels = self._records[first][1].label, self._records[second][1].label
            self.refused.append(RefusedMerge(*labels, rule, sign, reason))
            return
        self._link(first, second, rule)

    def _link(self, first: int, second: int, rule: str) -> None:
        if first != second:
            self._parent[second] = first
            self._members[first] += self._members.pop(second)
            self.joined[rule] += 1

    def _clash(self, first: int, second: int) -> str:
        """Return why two groups cannot be one; empty where they can."""
        sides = [[self._records[place] for place in self._members[root]] for root in (first, second)]
        shared = {source for source, _ in sides[0]} & {source for source, _ in sides[1]}
        if shared:
            return f"{min(shared)} tells them apart"
        kinds = [{record.kind for _, record in side if record.kind} for side in sides]
        if kinds[0] and kinds[1] and kinds[0] != kinds[1]:
            return f"one is a {min(kinds[0])}, the other a {min(kinds[1])}"
        return ""

    @cached_property
    def concepts(self) -> list[MergedConcept]:
        """Every concept, in the order of its first record. Labels are unique."""
        taken: set[str] = set()
        concepts = []
        for root in sorted(self._members):
            records = tuple(self._records[place] for place in sorted(self._members[root]))
            label = records[0][1].label
            while label in taken:
                label = f"{label} ({records[0][1].key})"
            taken.add(label)
            concepts.append(MergedConcept(label, records))
        return concepts


def _signs(record: ConceptRecord, rule: str) -> Iterator[str]:
    """Yield what a record can be recognised by under one rule, each once."""
    label = normal_form(record.label)
    match rule:
        case "identifier":
            yield record.key
        case "label":
            yield label
        case "cross-reference":
            yield from dict.fromkeys((record.key, *record.cross_references))
        case _:
            yield from dict.fromkeys((label, *map(normal_form, record.synonyms)))


class Resolver:
    """Finds the concept that a triple's end means: by its key in its own source, or by a name.

    A name means the concept whose label it is, else the one whose synonym it is; one that several bear, or
    none, stands for itself.
    """

    def __init__(self, concepts: Sequence[MergedConcept]) -> None:
        self._by_key = {
            (source, record.key): concept.label for concept in concepts for source, record in concept.records
        }
        labels = _unambiguous((normal_form(concept.label), concept.label) for concept in concepts)
        names = _unambiguous(
            (normal_form(name), concept.label) for concept in concepts for name in concept.names
        )
        self._by_name = {**names, **labels}

    def by_key(self, source: str, key: str) -> str | None:
        """Return the label of a source's concept, None where the source describes none of that key."""
        return self._by_key.get((source, key))

    def by_name(self, name: str) -> str:
        """Return the label of the concept of a name."""
        return self._by_name.get(normal_form(name), name) if self._by_name else name


def _unambiguous(pairs: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    bearers: dict[str, set[str]] = defaultdict(set)
    for name, label in pairs:
        bearers[name].add(label)
    return {name: next(iter(labels)) for name, labels in bearers.items() if len(labels) == 1}
