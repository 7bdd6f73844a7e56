"""Concepts and triples of Hetionet, from its table of nodes and its table of edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evidence_assets.sources.files import NamedFile
from evidence_assets.sources.graphs.common import GraphRecords, Reading, rows, unmapped
from evidence_assets.sources.graphs.cross_references import canonical
from evidence_assets.sources.reading import Folder, Row, folder_reader, in_file, records_of
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple
from evidence_assets.sources.validation import RecordRejectedError, required_text

NODES, EDGES = "*nodes.tsv", "*edges.sif"
METAEDGES = {
    "CtD": Reading("may_treat"),
    "CpD": Reading("may_relieve"),
    "CcSE": Reading("may_cause"),
    "CbG": Reading("acts_on"),
    "CrC": Reading("resembles"),
    "DrD": Reading("resembles"),
    "DaG": Reading("is_associated_with"),
    "DlA": Reading("is_located_in"),
    "DpS": Reading("is_a_finding_in", backwards=True),
    "GiG": Reading("interacts_with"),
    "Gr>G": Reading("regulates"),
    "GpBP": Reading("participates_in"),
    "GpCC": Reading("participates_in"),
    "GpMF": Reading("participates_in"),
    "GpPW": Reading("participates_in"),
    "AeG": Reading("is_expressed_in", backwards=True),
    "PCiC": Reading("belongs_to_the_category_of", backwards=True),
}
# The registry of a kind of node's identifiers, where these carry no prefix.
REGISTRIES = {
    "Compound": "DRUGBANK",
    "Gene": "NCBIGENE",
    "Pharmacologic Class": "NDFRT",
    "Side Effect": "UMLS",
    "Symptom": "MESH",
}
DRUG_NODE = "Compound"


@folder_reader
def read(folder: Folder) -> GraphRecords:
    """One concept a node, then one triple an edge, in the direction that our relation reads.

    The folder holds one table of nodes (id, name, kind), named like `hetionet-v1.0-nodes.tsv`, and one of
    edges (source, metaedge, target), named like `hetionet-v1.0-edges.sif.gz`. Edges of a kind that METAEDGES
    does not know are counted, and rejected once a kind; any other bad row is rejected alone.

    Raises:
        UnusableSourceError: a file lacks a column.
    """
    nodes, edges = folder.file(NODES), folder.file(EDGES)
    yield from in_file(nodes, _concepts(nodes))
    yield from in_file(edges, _triples(edges))


def _concepts(file: NamedFile) -> Iterator[ConceptRecord | RejectedRecord]:
    def concept(row: Row[str]) -> Iterator[ConceptRecord]:
        kind = required_text(row.fields["kind"], "kind")
        yield ConceptRecord(
            key=_key(row.fields["id"], "id"),
            label=required_text(row.fields["name"], "name"),
            kind="drug" if kind == DRUG_NODE else kind.lower(),
            record=f"{file.name}:{row.place}",
        )

    return records_of(rows(file.uri, ("id", "name", "kind")), concept)


def _triples(file: NamedFile) -> Iterator[Triple | RejectedRecord]:
    unknown: Counter[str] = Counter()

    def triple(row: Row[str]) -> Iterator[Triple]:
        metaedge = required_text(row.fields["metaedge"], "metaedge")
        if metaedge in METAEDGES:
            source, target = (_key(row.fields[end], end) for end in ("source", "target"))
            yield METAEDGES[metaedge].triple(source, target, f"{file.name}:{row.place}")
        else:
            unknown[metaedge] += 1

    yield from records_of(rows(file.uri, ("source", "metaedge", "target")), triple)
    yield from unmapped(unknown, "metaedge")


def _key(node: str, name: str) -> str:
    kind, separator, identifier = required_text(node, name).partition("::")
    if not (kind and separator and identifier):
        raise RecordRejectedError(
            f"{name} {node!a:.60} is not a kind and an identifier", "write it like Gene::9021"
        )
    if ":" in identifier:
        return canonical(identifier)
    return f"{REGISTRIES.get(kind) or kind.upper().replace(' ', '_')}:{identifier}"
