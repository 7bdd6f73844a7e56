"""Rows of `triples` from source statements: one row a fact, with all its sources."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.concepts.merging import Merger, Resolver
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.schemas import TRIPLES
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple
from evidence_assets.sources.rejections import Rejections

# Origin of a triple whose ends are labels, not keys of a source.
_BY_LABEL = 0
_SOURCES = TRIPLES.schema.field("sources").type


@dataclass
class _Statements:
    """Statements of one relation, as columns, to hold millions of lines in memory.

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

    def take(self, source: _Statements, place: int, begin: int, end: int, ends: Sequence[str]) -> None:
        """Add a statement of `source` under the labels of its ends; its sources are `begin` to `end`."""
        self.heads.append(ends[0])
        self.tails.append(ends[1])
        self.weights.append(source.weights[place])
        self.counts.append(source.counts[place])
        self.origins.append(_BY_LABEL)
        self.sources += source.sources[begin:end]
        self.records += source.records[begin:end]
        self.licences += source.licences[begin:end]


class TripleCollector:
    """Collects one graph's statements, source by source, and merges them into triples.

    `templates`: relation to sentence template. Statements of a relation without one
    are left out, and `rejected` holds one record for the relation with their number. `retracted`: ids of
    triples that are left out.
    """

    def __init__(self, kg: str, templates: Mapping[str, str], retracted: Collection[str] = ()) -> None:
        self._kg, self._templates, self._retracted = kg, templates, retracted
        self._of: dict[str, _Statements] = {}
        self._unknown: Counter[str] = Counter()
        self._rejected: list[RejectedRecord] = []
        self._dangling: list[RejectedRecord] = []
        self._described: list[tuple[str, ConceptRecord]] = []
        self._sources: list[str] = []
        self.statements = 0

    @property
    def relations(self) -> list[str]:
        """The relations with a statement, sorted."""
        return sorted(self._of)

    @property
    def rejected(self) -> list[RejectedRecord]:
        """What `Rejections` tells: of each source's records that could not be read, of ends that are no
        concept, and of relations without a template.
        """
        unknown = Rejections(
            RejectedRecord(
                f"relation {relation}",
                f"the graph's templates have no sentence that reads it out: {count:,} triples left out",
                "leave the graph's `templates` out, and it is read out by its name; or name a YAML file of "
                "your own there, with a sentence of {head} and {tail} for it",
            )
            for relation, count in sorted(self._unknown.items())
        )
        return [*self._rejected, *self._dangling, *unknown]

    @property
    def dangling(self) -> Sequence[RejectedRecord]:
        """After merging: of `rejected`, what triples name as an end and their source does not describe."""
        return self._dangling

    def add(
        self,
        records: Iterable[Triple | ConceptRecord | RejectedRecord],
        source: str,
        licence: str,
        weight: float | None = None,
    ) -> None:
        """Add one source's records. `source` and `licence` are the defaults of records that name none.

        `weight`: the source's weight, a factor of its statements' weights.
        """
        self._sources.append(source)
        rejected = Rejections()
        for record in records:
            if isinstance(record, RejectedRecord):
                rejected.add(record)
            elif isinstance(record, ConceptRecord):
                self._described.append((source, record))
            elif record.relation not in self._templates:
                self._unknown[record.relation] += 1
            else:
                self._add(record, source, licence, weight)
        self._rejected += [replace(record, record=f"{source}, {record.record}") for record in rejected]

    def _add(self, triple: Triple, source: str, licence: str, weight: float | None) -> None:
        statements = self._of.setdefault(triple.relation, _Statements())
        statements.heads.append(triple.head)
        statements.tails.append(triple.tail)
        statements.weights.append(_combined_weight(triple.weight, weight))
        statements.counts.append(len(triple.sources))
        statements.origins.append(len(self._sources) if triple.by_key else _BY_LABEL)
        for statement in triple.sources:
            statements.sources.append(statement.source or source)
            statements.records.append(statement.record)
            statements.licences.append(statement.licence or licence)
        self.statements += 1

    def merge(self) -> Merger:
        """Merge the concepts that the sources describe, and replace the ends of triples by their labels.

        A triple with an end that is no concept's key in its source is left out and recorded as rejected.
        """
        merger = Merger(self._described)
        resolver = Resolver(merger.concepts)
        lost: dict[tuple[str, str], tuple[int, str]] = {}
        if self._described or any(any(statements.origins) for statements in self._of.values()):
            for relation, statements in list(self._of.items()):
                self._of[relation] = self._resolved(statements, resolver, lost)
        if self._retracted:
            for relation, statements in list(self._of.items()):
                self._of[relation] = self._without_retracted(relation, statements)
        self._of = {relation: statements for relation, statements in self._of.items() if statements.heads}
        self.statements = sum(len(statements.heads) for statements in self._of.values())
        self._dangling = list(Rejections(_undescribed(*end, *lost[end]) for end in sorted(lost)))
        return merger

    def _resolved(
        self, statements: _Statements, resolver: Resolver, lost: dict[tuple[str, str], tuple[int, str]]
    ) -> _Statements:
        resolved = _Statements()
        begin = 0
        for place, origin in enumerate(statements.origins):
            end = begin + statements.counts[place]
            ends = []
            for name in (statements.heads[place], statements.tails[place]):
                if origin == _BY_LABEL:
                    ends.append(resolver.by_name(name))
                    continue
                source = self._sources[origin - 1]
                label = resolver.by_key(source, name)
                if label is None:
                    count, first = lost.get((source, name), (0, ""))
                    lost[source, name] = (count + 1, first or "".join(statements.records[begin:end][:1]))
                else:
                    ends.append(label)
            if len(ends) == 2:
                resolved.take(statements, place, begin, end, ends)
            begin = end
        return resolved

    def _without_retracted(self, relation: str, statements: _Statements) -> _Statements:
        remaining = _Statements()
        begin = 0
        for place, ends in enumerate(zip(statements.heads, statements.tails, strict=True)):
            end = begin + statements.counts[place]
            if self._identifier(ends[0], relation, ends[1]) not in self._retracted:
                remaining.take(statements, place, begin, end, ends)
            begin = end
        return remaining

    def _identifier(self, head: str, relation: str, tail: str) -> str:
        return content_id("triple", self._kg, head, relation, tail)

    def tables(self) -> Iterator[tuple[str, pa.Table]]:
        """Yield (relation, `triples` rows), relation by relation, releasing each relation's statements.

        Statements of one head, relation and tail become one triple: their weights are summed, their sources
        concatenated. A triple has no weight where no statement gives one.
        """
        for relation in self.relations:
            yield relation, self._merged(relation, self._of.pop(relation))

    def _merged(self, relation: str, statements: _Statements) -> pa.Table:
        heads, tails = pa.array(statements.heads, pa.string()), pa.array(statements.tails, pa.string())
        order = pc.sort_indices(
            pa.table({"head": heads, "tail": tails}), [("head", "ascending"), ("tail", "ascending")]
        ).to_numpy()
        heads, tails = heads.take(pa.array(order)), tails.take(pa.array(order))
        codes = [pc.dictionary_encode(ends).indices.to_numpy() for ends in (heads, tails)]
        is_first = np.ones(len(order), dtype=np.bool_)
        is_first[1:] = np.any([np.diff(code) != 0 for code in codes], axis=0)
        starts = np.flatnonzero(is_first)
        weights = np.array([np.nan if weight is None else weight for weight in statements.weights])[order]
        # Sort each triple's weights: a sum of floats depends on their order, and must not on the files'.
        weights = weights[np.lexsort((weights, np.cumsum(is_first)))]
        weighted = np.add.reduceat(~np.isnan(weights), starts)
        summed = np.add.reduceat(np.nan_to_num(weights), starts)
        triple_heads, triple_tails = heads.take(pa.array(starts)), tails.take(pa.array(starts))
        ids = [
            self._identifier(head, relation, tail)
            for head, tail in zip(triple_heads.to_pylist(), triple_tails.to_pylist(), strict=True)
        ]
        return pa.table(
            {
                "triple_id": pa.array(ids, pa.string()),
                "kg": pa.array([self._kg] * len(ids), pa.string()),
                "head": triple_heads,
                "relation": pa.array([relation] * len(ids), pa.string()),
                "tail": triple_tails,
                "weight": pa.array(summed, pa.float64(), mask=weighted == 0),
                "sources": _joined_sources(statements, order, starts),
            },
            schema=TRIPLES.schema,
        )


def _undescribed(source: str, key: str, count: int, first: str) -> RejectedRecord:
    """Return that a source does not describe what so many of its triples name as an end.

    `first`: where the first of them stands; empty where none says so.
    """
    named = "1 triple names it" if count == 1 else f"{count:,} triples name it"
    if first:
        named += f" at {first}" if count == 1 else f", the first at {first}"
    return RejectedRecord(
        f"{source}, concept {key}",
        f"{named}, and the source describes no such concept",
        "add the concept to the source, or correct the identifier",
    )


def _combined_weight(of_statement: float | None, of_source: float | None) -> float | None:
    if of_source is None:
        return of_statement
    return of_source if of_statement is None else of_statement * of_source


def _joined_sources(
    statements: _Statements,
    order: np.ndarray[tuple[int], np.dtype[np.int64]],
    starts: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> pa.Array:
    """Return each triple's list of sources, in the order its statements were read."""
    columns = (statements.sources, statements.records, statements.licences)
    values = pa.StructArray.from_arrays(
        [pa.array(column, pa.string()) for column in columns], fields=list(_SOURCES.value_type)
    )
    offsets = np.concatenate([[0], np.cumsum(statements.counts)])
    source_lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values).take(pa.array(order))
    bounds = source_lists.offsets.to_numpy()
    bounds = np.append(bounds[starts], bounds[-1])
    return pa.ListArray.from_arrays(pa.array(bounds, pa.int32()), source_lists.flatten(), type=_SOURCES)
