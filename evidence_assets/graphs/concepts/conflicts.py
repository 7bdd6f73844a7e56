"""Conflicts among a graph's sources: contradictions, cycles and refused merges, kept and marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.concepts.merging import RefusedMerge
from evidence_assets.lake.schemas import GRAPH_CONFLICTS

CONTRADICTION, CYCLE, IDENTITY = "contradiction", "cycle", "identity"
# Pairs of relations of which the first affirms what the second denies, for the same head and tail.
_OPPOSED = (
    ("may_treat", "is_not_indicated_for"),
    ("may_relieve", "is_not_indicated_for"),
    ("may_prevent", "is_not_indicated_for"),
    ("is_a_finding_in", "is_not_a_finding_in"),
    ("is_expressed_in", "is_not_expressed_in"),
)
# The same with the second relation's ends exchanged: a condition may contraindicate a drug.
_OPPOSED_BACKWARDS = (
    ("may_treat", "may_contraindicate"),
    ("may_relieve", "may_contraindicate"),
    ("may_prevent", "may_contraindicate"),
)
# Relations that negate a statement, or speak against a treatment.
NEGATIVE_RELATIONS = frozenset(denied for _, denied in (*_OPPOSED, *_OPPOSED_BACKWARDS))
# Hierarchical relations, which must have no cycle.
_UPWARDS = ("is_a_subtype_of", "is_part_of", "IsA", "PartOf")
# Relations that can be in conflict: triples of others need no check.
CONFLICTING = frozenset((*(name for pair in (*_OPPOSED, *_OPPOSED_BACKWARDS) for name in pair), *_UPWARDS))


def conflict_rows(kg: str, triples: pa.Table, refused: Iterable[RefusedMerge]) -> pa.Table:
    """Return `graph_conflicts` rows of a graph's `triples` (triple_id, head, relation, tail).

    Contradictions: two triples of which one denies the other. Cycles: triples of a hierarchical relation that
    lie on a cycle, self-loops included. Identities: two concepts that share a name or an identifier and were
    kept apart.
    """
    rows = [*_contradictions(triples), *_cycles(triples), *map(_identity, refused)]
    distinct = {(row["conflict"], row["first"], row["second"], row["detail"]): row for row in rows}
    return pa.Table.from_pylist(
        [{"kg": kg, **row} for _, row in sorted(distinct.items())], schema=GRAPH_CONFLICTS.schema
    )


def _row(conflict: str, first: str, second: str, triple_ids: list[str], detail: str) -> dict[str, object]:
    return {
        "conflict": conflict,
        "first": first,
        "second": second,
        "triple_ids": triple_ids,
        "detail": detail,
    }


def _contradictions(triples: pa.Table) -> Iterator[dict[str, object]]:
    pairs = [(*pair, False) for pair in _OPPOSED] + [(*pair, True) for pair in _OPPOSED_BACKWARDS]
    relations = pa.array(sorted({name for affirmed, denied, _ in pairs for name in (affirmed, denied)}))
    triple_ids: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
    for row in triples.filter(pc.is_in(triples.column("relation"), value_set=relations)).to_pylist():
        triple_ids[row["relation"]][row["head"], row["tail"]] = row["triple_id"]
    for affirmed, denied, backwards in pairs:
        for (head, tail), triple_id in triple_ids[affirmed].items():
            denying = triple_ids[denied].get((tail, head) if backwards else (head, tail))
            if denying is not None:
                yield _row(CONTRADICTION, head, tail, [triple_id, denying], f"{affirmed}, {denied}")


def _cycles(triples: pa.Table) -> Iterator[dict[str, object]]:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    for relation in _UPWARDS:
        rows = triples.filter(pc.equal(triples.column("relation"), relation))
        if not rows.num_rows:
            continue
        ends = pc.dictionary_encode(
            pa.chunked_array([*rows.column("head").chunks, *rows.column("tail").chunks])
        )
        codes = ends.combine_chunks().indices.to_numpy()
        heads, tails = codes[: rows.num_rows], codes[rows.num_rows :]
        size = int(codes.max()) + 1
        upwards = csr_array((np.ones(rows.num_rows), (heads, tails)), shape=(size, size))
        _, component = connected_components(upwards, directed=True, connection="strong")
        for row in rows.filter(pa.array(component[heads] == component[tails])).to_pylist():
            yield _row(CYCLE, row["head"], row["tail"], [row["triple_id"]], relation)


def _identity(refused: RefusedMerge) -> dict[str, object]:
    detail = f"same {refused.rule} {refused.shared!r}, kept apart: {refused.reason}"
    return _row(IDENTITY, refused.first, refused.second, [], detail)
