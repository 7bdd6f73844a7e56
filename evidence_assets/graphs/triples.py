"""From what sources state to rows of `triples`: one row a fact, with everyone who states it."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.merging import Merger, Resolver
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.schemas import TRIPLES
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple

# Where a triple's ends are labels, not keys of a source.
_BY_LABEL = 0
_SOURCE = TRIPLES.schema.field("sources").type.value_type


@dataclass
class _Statements:
    """Statements of one relation, as columns: what a source of millions of lines leaves in memory.

    `origins`: the number of the source whose keys the ends are, from 1; 0 where they are labels.
    """

    heads: list[str] = field(default_factory=list)
    tails: list[str] = field(default_factory=list)
    weights: list[float | None] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    records: list[str] = field(default_factory=list)
    licences: list[str] = field(default_factory=list)
    origins: array[int] = field(default_factory=lambda: array("H"))


class TripleCollector:
    """Collects one graph's statements, source by source, and merges them into triples.

    Parameters
    ----------
    kg
        The graph's name.
    templates
        Relation to sentence. A relation without one cannot be read out: its statements are left out, and
        `rejected` holds one record a relation with their number.
    """

    def __init__(self, kg: str, templates: Mapping[str, str]) -> None:
        self._kg, self._templates = kg, templates
        self._of: dict[str, _Statements] = {}
        self._unknown: Counter[str] = Counter()
        self._rejected: list[RejectedRecord] = []
        self._described: list[tuple[str, ConceptRecord]] = []
        self._sources: list[str] = []
        self.statements = 0

    @property
    def relations(self) -> list[str]:
        """Every relation with a statement, sorted."""
        return sorted(self._of)

    @property
    def rejected(self) -> list[RejectedRecord]:
        """What could not be read, then each relation without a template."""
        unknown = [
            RejectedRecord(
                f"relation {relation}",
                f"no template says how to read it out: {count:,} triples left out",
                "add a sentence with {head} and {tail} for it to graphs/templates",
            )
            for relation, count in sorted(self._unknown.items())
        ]
        return [*self._rejected, *unknown]

    def add(
        self,
        records: Iterable[Triple | ConceptRecord | RejectedRecord],
        source: str,
        licence: str,
        weight: float | None = None,
    ) -> None:
        """Take one source's records. `source` and `licence` stand where a record does not name its own.

        `weight`: how much a statement of this source counts; it multiplies the weight that a statement has.
        """
        self._sources.append(source)
        for record in records:
            if isinstance(record, RejectedRecord):
                self._rejected.append(replace(record, record=f"{source}, {record.record}"))
            elif isinstance(record, ConceptRecord):
                self._described.append((source, record))
            elif record.relation not in self._templates:
                self._unknown[record.relation] += 1
            else:
                self._add(record, source, licence, weight)

    def _add(self, triple: Triple, source: str, licence: str, weight: float | None) -> None:
        statements = self._of.setdefault(triple.relation, _Statements())
        statements.heads.append(triple.head)
        statements.tails.append(triple.tail)
        statements.weights.append(_weighed(triple.weight, weight))
        statements.counts.append(len(triple.sources))
        statements.origins.append(len(self._sources) if triple.by_key else _BY_LABEL)
        for one in triple.sources:
            statements.sources.append(one.source or source)
            statements.records.append(one.record)
            statements.licences.append(one.licence or licence)
        self.statements += 1

    def merge(self) -> Merger:
        """Join the concepts that the sources describe, and let every triple name them by their labels.

        A triple whose end is the key of no concept of its source is left out, and noted as rejected.
        """
        merger = Merger(self._described)
        resolver = Resolver(merger.concepts)
        lost: Counter[tuple[str, str]] = Counter()
        if self._described or any(any(statements.origins) for statements in self._of.values()):
            for relation, statements in list(self._of.items()):
                self._of[relation] = self._resolved(statements, resolver, lost)
        self._of = {relation: statements for relation, statements in self._of.items() if statements.heads}
        self.statements = sum(len(statements.heads) for statements in self._of.values())
        self._rejected += [
            RejectedRecord(
                f"{source}, concept {key}",
                f"{count:,} triples name it, and the source describes no such concept",
                "add the concept to the source, or correct the identifier",
            )
            for (source, key), count in sorted(lost.items())
        ]
        return merger

    def _resolved(
        self, statements: _Statements, resolver: Resolver, lost: Counter[tuple[str, str]]
    ) -> _Statements:
        kept = _Statements()
        begin = 0
        for place, origin in enumerate(statements.origins):
            end = begin + statements.counts[place]
            found = []
            for name in (statements.heads[place], statements.tails[place]):
                if origin == _BY_LABEL:
                    found.append(resolver.by_name(name))
                    continue
                source = self._sources[origin - 1]
                label = resolver.by_key(source, name)
                if label is None:
                    lost[source, name] += 1
                else:
                    found.append(label)
            if len(found) == 2:
                kept.heads.append(found[0])
                kept.tails.append(found[1])
                kept.weights.append(statements.weights[place])
                kept.counts.append(statements.counts[place])
                kept.origins.append(_BY_LABEL)
                kept.sources += statements.sources[begin:end]
                kept.records += statements.records[begin:end]
                kept.licences += statements.licences[begin:end]
            begin = end
        return kept

    def tables(self) -> Iterator[tuple[str, pa.Table]]:
        """Yield (relation, `triples` rows), relation by relation; what was collected for it is let go.

        Statements of one head, relation and tail are one triple: their weights are added, their sources
        joined. A triple has no weight where no statement gives one.
        """
        for relation in self.relations:
            yield relation, self._merged(relation, self._of.pop(relation))

    def _merged(self, relation: str, statements: _Statements) -> pa.Table:
        heads, tails = pa.array(statements.heads, pa.string()), pa.array(statements.tails, pa.string())
        order = pc.sort_indices(
            pa.table({"head": heads, "tail": tails}), [("head", "ascending"), ("tail", "ascending")]
        ).to_numpy()
        heads, tails = heads.take(pa.array(order)), tails.take(pa.array(order))
        first = _first_of_runs(heads, tails)
        starts = np.flatnonzero(first)
        ends = np.append(starts[1:], len(order))
        weights = np.array([np.nan if one is None else one for one in statements.weights])[order]
        # Each triple's weights by size: a sum of floats depends on their order, and must not on the files'.
        weights = weights[np.lexsort((weights, np.cumsum(first)))]
        given = np.add.reduceat(~np.isnan(weights), starts)
        summed = np.add.reduceat(np.nan_to_num(weights), starts)
        kept_heads, kept_tails = heads.take(pa.array(starts)), tails.take(pa.array(starts))
        ids = [
            content_id("triple", self._kg, head, relation, tail)
            for head, tail in zip(kept_heads.to_pylist(), kept_tails.to_pylist(), strict=True)
        ]
        return pa.table(
            {
                "triple_id": pa.array(ids, pa.string()),
                "kg": pa.array([self._kg] * len(ids), pa.string()),
                "head": kept_heads,
                "relation": pa.array([relation] * len(ids), pa.string()),
                "tail": kept_tails,
                "weight": pa.array(summed, pa.float64(), mask=given == 0),
                "sources": _joined_sources(statements, order, starts, ends),
            },
            schema=TRIPLES.schema,
        )


def _weighed(stated: float | None, of_source: float | None) -> float | None:
    if of_source is None:
        return stated
    return of_source if stated is None else stated * of_source


def _first_of_runs(heads: pa.Array, tails: pa.Array) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return where a (head, tail) differs from the one before it."""
    first = np.ones(len(heads), dtype=np.bool_)
    if len(heads) > 1:
        same = pc.and_(
            pc.equal(heads.slice(1), heads.slice(0, len(heads) - 1)),
            pc.equal(tails.slice(1), tails.slice(0, len(tails) - 1)),
        )
        first[1:] = ~same.to_numpy(zero_copy_only=False)
    return first


def _joined_sources(
    statements: _Statements,
    order: np.ndarray[tuple[int], np.dtype[np.int64]],
    starts: np.ndarray[tuple[int], np.dtype[np.int64]],
    ends: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> pa.Array:
    """Return each triple's list of sources: those of its statements, in the order they were read."""
    counts = np.array(statements.counts, dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    pieces = [np.arange(offsets[place], offsets[place + 1]) for place in order]
    places = np.concatenate(pieces) if pieces else np.empty(0, dtype=np.int64)
    moved = np.concatenate([[0], np.cumsum(counts[order])])
    values = pa.StructArray.from_arrays(
        [
            pa.array(column, pa.string()).take(pa.array(places))
            for column in (statements.sources, statements.records, statements.licences)
        ],
        fields=list(_SOURCE),
    )
    bounds = np.append(moved[starts], moved[ends[-1]] if len(ends) else 0)
    return pa.ListArray.from_arrays(
        pa.array(bounds, pa.int32()), values, type=TRIPLES.schema.field("sources").type
    )
