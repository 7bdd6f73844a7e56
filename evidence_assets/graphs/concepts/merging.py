"""Merging the concepts of several sources into one graph, by identifier, name or cross-reference."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evidence_assets.sources.records import ConceptRecord
from evidence_assets.text.normal_forms import normal_form

DECLARED, IDENTIFIER, LABEL = "declared", "identifier", "label"
CROSS_REFERENCE, SYNONYM = "cross-reference", "synonym"
# The most reliable first: a later rule never separates what an earlier one joined.
RULES = (DECLARED, IDENTIFIER, LABEL, CROSS_REFERENCE, SYNONYM)


@dataclass(frozen=True, slots=True)
class MergedConcept:
    """A concept with the records of all its sources; the first source gives its label and definition."""

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
        """The first definition that is not empty."""
        return next((record.definition for _, record in self.records if record.definition), "")

    @property
    def kind(self) -> str:
        """The concept's type, where a source states one; records of different types are never joined."""
        return next((record.kind for _, record in self.records if record.kind), "")


@dataclass(frozen=True, slots=True)
class RefusedMerge:
    """Two concepts that share a name or identifier but were kept apart, and why."""

    first: str
    second: str
    rule: str
    shared: str
    reason: str


class Merger:
    """Joins the concepts of several sources.

    Two records are one concept where a source declares it (one is numbered by what the other refers to), or
    where they share an identifier, or a label, a cross-reference or a synonym that one concept of each source
    bears; among several such joins the pair that shares most comes first. Otherwise a group never holds two
    concepts of one source, nor two kinds: a join that would do so is refused and recorded as a conflict.
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
            declared = [bearer for bearer in referring.get((source, record.same_as), ()) if bearer != place]
            if record.same_as and len(declared) == 1:
                first, second = sorted((self._root(place), self._root(declared[0])))
                self._link(first, second, DECLARED)

    def _join(self, rule: str) -> None:
        bearers: dict[str, list[int]] = defaultdict(list)
        for place, (_, record) in enumerate(self._records):
            for key in _matching_keys(record, rule):
                bearers[key].append(place)
        for key, places in self._most_similar_first(bearers):
            roots = list(dict.fromkeys(self._root(place) for place in places))
            pairs = {(self._root(place), self._records[place][0]) for place in places}
            if len(roots) > 1 and len({source for _, source in pairs}) == len(pairs):
                for root in roots[1:]:
                    self._unite(roots[0], root, rule, key)

    def _most_similar_first(self, bearers: Mapping[str, Sequence[int]]) -> list[tuple[str, Sequence[int]]]:
        """Return the keys that several records share, by how many others their groups share, then by key.

        A concept that two others could be joined with goes to the more similar one.
        """
        of_group: dict[int, set[str]] = {}
        ranked = []
        for key, places in bearers.items():
            roots = {self._root(place) for place in places}
            if len(roots) < 2:
                continue
            for root in roots - of_group.keys():
                of_group[root] = {
                    key
                    for place in self._members[root]
                    for rule in RULES[1:]
                    for key in _matching_keys(self._records[place][1], rule)
                }
            shared = set.intersection(*(of_group[root] for root in roots))
            ranked.append((-len(shared), key))
        return [(key, bearers[key]) for _, key in sorted(ranked)]

    def _unite(self, root: int, other_root: int, rule: str, key: str) -> None:
        first, second = sorted((self._root(root), self._root(other_root)))
        if first != second and (reason := self._clash(first, second)):
            labels = self._records[first][1].label, self._records[second][1].label
            self.refused.append(RefusedMerge(*labels, rule, key, reason))
        else:
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
        labels: set[str] = set()
        concepts = []
        for root in sorted(self._members):
            records = tuple(self._records[place] for place in sorted(self._members[root]))
            label = records[0][1].label
            while label in labels:
                label = f"{label} ({records[0][1].key})"
            labels.add(label)
            concepts.append(MergedConcept(label, records))
        return concepts


def _matching_keys(record: ConceptRecord, rule: str) -> Iterator[str]:
    """Yield the keys by which a record matches others under a rule, each once."""
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
    """Finds the concept that a triple's end refers to: by its key in its source, or by a name.

    A name refers to the concept whose label it is, else the one whose synonym it is; an ambiguous or unknown
    name stays as it is.
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
        """Return the label of a source's concept, None where the source has no such key."""
        return self._by_key.get((source, key))

    def by_name(self, name: str) -> str:
        """Return the label of the concept of a name."""
        return self._by_name.get(normal_form(name), name) if self._by_name else name


def _unambiguous(pairs: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    bearers: dict[str, set[str]] = defaultdict(set)
    for name, label in pairs:
        bearers[name].add(label)
    return {name: next(iter(labels)) for name, labels in bearers.items() if len(labels) == 1}
