"""Concepts and triples of Hetionet, from its table of nodes and its table of edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from evidence_assets.sources.articles.common import check_field_names
from evidence_assets.sources.files import NamedFile, named_files
from evidence_assets.sources.graphs.common import Reading, folder_file, in_file, rows, unmapped
from evidence_assets.sources.graphs.cross_references import canonical
from evidence_assets.sources.questions.validation import RecordRejectedError, required_text
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple

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
# Whose identifiers a kind of node bears, where they do not say so themselves.
REGISTRIES = {
    "Compound": "DRUGBANK",
    "Gene": "NCBIGENE",
    "Pharmacologic Class": "NDFRT",
    "Side Effect": "UMLS",
    "Symptom": "MESH",
}
DRUG_NODE = "Compound"


def read(uri: str, fields: Mapping[str, str]) -> Iterator[Triple | ConceptRecord | RejectedRecord]:
    """One concept a node, then one triple an edge, in the direction that our relation reads.

    The folder holds one table of nodes (id, name, kind), named like `hetionet-v1.0-nodes.tsv`, and one of
    edges (source, metaedge, target), named like `hetionet-v1.0-edges.sif.gz`. Edges of a kind that METAEDGES
    does not know are counted, and rejected once a kind; any other bad row is rejected alone.

    Raises:
        UnusableSourceError: a file is missing, breaks off or lacks a column; `fields` is not empty.
    """
    check_field_names(uri, fields, ())
    files = named_files(uri)
    nodes, edges = folder_file(uri, files, NODES), folder_file(uri, files, EDGES)
    yield from _concepts(nodes)
    yield from _triples(edges)


def _concepts(file: NamedFile) -> Iterator[ConceptRecord | RejectedRecord]:
    for row in rows(file.uri, ("id", "name", "kind")):
        if isinstance(row, RejectedRecord):
            yield in_file(file, row)
            continue
        try:
            kind = required_text(row.values["kind"], "kind")
            yield ConceptRecord(
                key=_key(row.values["id"], "id"),
                label=required_text(row.values["name"], "name"),
                kind="drug" if kind == DRUG_NODE else kind.lower(),
                record=f"{file.name}:line {row.number}",
            )
        except RecordRejectedError as rejected:
            yield in_file(file, rejected.at(f"line {row.number}"))


def _triples(file: NamedFile) -> Iterator[Triple | RejectedRecord]:
    unknown: Counter[str] = Counter()
    for row in rows(file.uri, ("source", "metaedge", "target")):
        if isinstance(row, RejectedRecord):
            yield in_file(file, row)
            continue
        try:
            metaedge = required_text(row.values["metaedge"], "metaedge")
            if metaedge not in METAEDGES:
                unknown[metaedge] += 1
                continue
            source, target = (_key(row.values[end], end) for end in ("source", "target"))
            yield METAEDGES[metaedge].triple(source, target, f"{file.name}:line {row.number}")
        except RecordRejectedError as rejected:
            yield in_file(file, rejected.at(f"line {row.number}"))
    for rejection in unmapped(unknown, "metaedge"):
        yield in_file(file, rejection)


def _key(node: str, name: str) -> str:
    kind, separator, identifier = required_text(node, name).partition("::")
    if not (kind and separator and identifier):
        raise RecordRejectedError(
            f"{name} {node!a:.60} is not a kind and an identifier", "write it like Gene::9021"
        )
    if ":" in identifier:
        return canonical(identifier)
    return f"{REGISTRIES.get(kind) or kind.upper().replace(' ', '_')}:{identifier}"
