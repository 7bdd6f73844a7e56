"""Rows of `graph_concepts`, `graph_nodes` and `graph_aliases`: a graph's concepts and their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.concepts.merging import MergedConcept
from evidence_assets.graphs.graph import Integers
from evidence_assets.lake.schemas import GRAPH_ALIASES, GRAPH_CONCEPTS, GRAPH_NODES
from evidence_assets.text.normal_forms import lemma_form, normal_form, without_keys

LABEL, SYNONYM, ABBREVIATION, LEMMA = "label", "synonym", "abbreviation", "lemma"
# Short names in capitals are matched with their case: CM is mastocytosis, cm is a length.
_LONGEST_ABBREVIATION = 5


def concept_rows(kg: str, concepts: Iterable[MergedConcept]) -> pa.Table:
    """Return `graph_concepts` rows: everything the sources state of each concept."""
    rows = [
        {
            "kg": kg,
            "label": concept.label,
            "keys": concept.keys,
            "kind": concept.kind,
            "definition": concept.definition,
            "names": [{"name": name, "sources": users} for name, users in concept.names.items()],
            "cross_references": concept.cross_references,
            "records": [f"{source}, {record.record}" for source, record in concept.records],
        }
        for concept in sorted(concepts, key=lambda concept: concept.label)
    ]
    return pa.Table.from_pylist(rows, schema=GRAPH_CONCEPTS.schema)


def node_rows(kg: str, triples: pa.Table, concepts: pa.Table | None = None) -> pa.Table:
    """Return `graph_nodes` rows: the distinct heads and tails, numbered in the order of their labels.

    `triples`: at least `head` and `tail`; `concepts`: `graph_concepts` rows, if sources describe some. A
    node's degree is its number of triples. A concept without a triple is not a node.
    """
    heads, tails = triples.column("head"), triples.column("tail")
    # A self-loop counts once.
    other_tails = tails.filter(pc.not_equal(heads, tails))
    counted = pa.chunked_array([*heads.chunks, *other_tails.chunks], pa.string()).value_counts()
    table = pa.table({"label": counted.field("values"), "degree": counted.field("counts").cast(pa.int32())})
    table = table.sort_by("label")
    return pa.table(
        {
            "kg": pa.array([kg] * table.num_rows, pa.string()),
            "node": pa.array(np.arange(table.num_rows), pa.int32()),
            "label": table.column("label"),
            "degree": table.column("degree"),
            "kind": _kinds(table.column("label"), concepts),
        },
        schema=GRAPH_NODES.schema,
    )


def _kinds(labels: pa.ChunkedArray, concepts: pa.Table | None) -> pa.Array | pa.ChunkedArray:
    if concepts is None or not concepts.num_rows:
        return pa.array([""] * len(labels), pa.string())
    places = pc.index_in(labels, value_set=concepts.column("label").combine_chunks())
    return pc.fill_null(concepts.column("kind").combine_chunks().take(places), "")


def alias_rows(nodes: pa.Table, concepts: pa.Table | None = None) -> pa.Table:
    """Return `graph_aliases` rows of `graph_nodes` rows: normal forms of labels and synonyms, and lemmas.

    `concepts`: `graph_concepts` rows, if sources describe some. Where several concepts share a name and a
    key is appended to tell them apart, the bare name is a label of each: a phrase may mean any.
    """
    labels = nodes.column("label").to_pylist()
    numbers = nodes.column("node").to_numpy()
    pieces = [_aliases(nodes, map(normal_form, labels), LABEL, numbers)]
    pieces.append(_aliases(nodes, map(lemma_form, labels), LEMMA, numbers))
    if concepts is not None and concepts.num_rows:
        names, owners = _synonyms(nodes, concepts)
        shared = _without_key(nodes, concepts)
        pieces.append(_aliases(nodes, map(normal_form, shared.values()), LABEL, _numbers(shared)))
        pieces.append(_aliases(nodes, map(lemma_form, shared.values()), LEMMA, _numbers(shared)))
        is_short = np.array([_is_abbreviation(name) for name in names], dtype=np.bool_)
        spelled_out = [name for name, short in zip(names, is_short, strict=True) if not short]
        abbreviations = [name for name, short in zip(names, is_short, strict=True) if short]
        pieces.append(_aliases(nodes, abbreviations, ABBREVIATION, owners[is_short]))
        pieces.append(_aliases(nodes, map(normal_form, spelled_out), SYNONYM, owners[~is_short]))
        pieces.append(_aliases(nodes, map(lemma_form, spelled_out), LEMMA, owners[~is_short]))
    rows = pa.concat_tables(pieces)
    if len(pieces) > 2:
        rows = rows.group_by(rows.column_names, use_threads=False).aggregate([])
    return rows.sort_by([(column, "ascending") for column in GRAPH_ALIASES.key])


def _is_abbreviation(name: str) -> bool:
    return len(name) <= _LONGEST_ABBREVIATION and name.isupper()


def _synonyms(nodes: pa.Table, concepts: pa.Table) -> tuple[list[str], Integers]:
    """Return every name of a node other than its label, and the node's number."""
    names = dict(zip(concepts.column("label").to_pylist(), concepts.column("names").to_pylist(), strict=True))
    synonyms = [
        (name["name"], node)
        for node, label in _numbered(nodes)
        for name in names.get(label, ())
        if name["name"] != label
    ]
    return [name for name, _ in synonyms], np.array([node for _, node in synonyms], dtype=np.int32)


def _without_key(nodes: pa.Table, concepts: pa.Table) -> dict[int, str]:
    """Return the bare name, by the node's number, of every node whose label ends in the concept's key."""
    keys = dict(zip(concepts.column("label").to_pylist(), concepts.column("keys").to_pylist(), strict=True))
    bare_names = (
        (node, label, without_keys(label, keys.get(label) or ())) for node, label in _numbered(nodes)
    )
    return {node: bare_name for node, label, bare_name in bare_names if bare_name != label}


def _numbered(nodes: pa.Table) -> Iterable[tuple[int, str]]:
    return zip(nodes.column("node").to_pylist(), nodes.column("label").to_pylist(), strict=True)


def _numbers(by_node: Mapping[int, str]) -> Integers:
    return np.array(list(by_node), dtype=np.int32)


def _aliases(nodes: pa.Table, aliases: Iterable[str], kind: str, numbers: Integers) -> pa.Table:
    """Return rows of a graph's aliases; empty ones are left out, except of labels."""
    names = pa.array(list(aliases), pa.string())
    kg = nodes.column("kg")[0].as_py() if nodes.num_rows else ""
    rows = pa.table(
        {
            "kg": pa.array([kg] * len(names), pa.string()),
            "alias": names,
            "kind": pa.array([kind] * len(names), pa.string()),
            "node": pa.array(numbers, pa.int32()),
        },
        schema=GRAPH_ALIASES.schema,
    )
    return rows if kind == LABEL else rows.filter(pc.greater(pc.binary_length(names), 0))
