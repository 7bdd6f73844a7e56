"""Tables of the knowledge graphs: triples, concepts, conflicts, nodes, names."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    TEXT,
    Reference,
    Table,
    columns,
    optional,
    required,
    structs,
    texts,
)

TRIPLES = Table(
    "triples",
    "Knowledge-graph edges with every source that states them.",
    columns(
        *texts("triple_id", "kg", "head", "relation", "tail"),
        optional("weight", pa.float64()),
        required("sources", structs(*texts("source", "record", "licence"))),
    ),
    key=("triple_id",),
    partition_columns=("kg", "relation"),
)

GRAPH_SOURCES = Table(
    "graph_sources",
    "Where the sources of a graph are, by the names that its triples state them by.",
    columns(
        required("kg", TEXT),
        required("source", TEXT, "as `triples.sources` names it"),
        required("source_uri", TEXT, "as the configuration writes it; of a harvest, its table in the lake"),
        *texts("format", "licence"),
    ),
    key=("kg", "source"),
    partition_columns=("kg",),
)

GRAPH_CONCEPTS = Table(
    "graph_concepts",
    "Concepts that a graph's sources describe, joined into one where they mean the same.",
    columns(
        required("kg", TEXT),
        required("label", TEXT, "the first source's; as the triples write it"),
        required("keys", pa.list_(TEXT), "the sources' identifiers: more than one where sources were joined"),
        required("kind", TEXT, "disease, drug, …; empty where no source says"),
        required("definition", TEXT),
        required(
            "names",
            structs(required("name", TEXT), required("sources", pa.list_(TEXT))),
            "labels and synonyms, each with the sources that use it",
        ),
        required("cross_references", pa.list_(TEXT), "identifiers of other registries"),
        required("records", pa.list_(TEXT), "where each source describes it"),
    ),
    key=("kg", "label"),
    partition_columns=("kg",),
)

GRAPH_CONFLICTS = Table(
    "graph_conflicts",
    "What a graph's sources contradict each other, or themselves, in. Nothing is left out for it.",
    columns(
        required("kg", TEXT),
        required("conflict", TEXT, "contradiction, cycle, or identity (alike, and kept apart)"),
        required("first", TEXT, "label of a concept"),
        required("second", TEXT, "label of the other"),
        required("triple_ids", pa.list_(TEXT), "the triples it is about; none for an identity"),
        required("detail", TEXT),
    ),
    key=("kg", "conflict", "first", "second", "detail"),
    partition_columns=("kg",),
)

GRAPH_NODES = Table(
    "graph_nodes",
    "Every concept of a knowledge graph, numbered in the order of the labels.",
    columns(
        required("kg", TEXT),
        required("node", pa.int32(), "from 0"),
        required("label", TEXT, "as the triples write it"),
        required("degree", pa.int32(), "triples it stands in"),
        required("kind", TEXT, "disease, drug, …; empty where no source says"),
    ),
    key=("kg", "node"),
    partition_columns=("kg",),
)

GRAPH_ALIASES = Table(
    "graph_aliases",
    "Every way to name a concept: what texts are linked by.",
    columns(
        *texts("kg", "alias"),
        required(
            "kind", TEXT, "label or synonym (normal form), abbreviation (as written), or lemma (of either)"
        ),
        required("node", pa.int32()),
    ),
    key=("kg", "alias", "kind", "node"),
    partition_columns=("kg",),
    references=(Reference(("kg", "node"), "graph_nodes", ("kg", "node")),),
)
