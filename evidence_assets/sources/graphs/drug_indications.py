"""Concepts and triples from a table of indications: which drugs treat which diseases, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evidence_assets.sources.graphs.common import GraphRecords, keyed_triple, rows
from evidence_assets.sources.graphs.cross_references import canonical
from evidence_assets.sources.reading import Row, file_reader, records_of
from evidence_assets.sources.records import ConceptRecord, Triple
from evidence_assets.sources.validation import RecordRejectedError, required_text

COLUMNS = ("doid_id", "drugbank_id", "disease", "drug", "category")
CATEGORIES = {"DM": "may_treat", "SYM": "may_relieve", "NOT": "is_not_indicated_for"}


@file_reader
def read(uri: str, key_prefix: str) -> GraphRecords:
    """One triple a row, from the drug to the disease, and each drug and disease before its first triple.

    The file is tab separated; its columns are found by the header's names, and others are ignored. The
    category says whether the drug modifies the disease (DM), relieves its symptoms (SYM) or does neither
    (NOT). A row with another category or an empty value is rejected alone.

    Raises:
        UnusableSourceError: a file lacks a column.
    """
    described: set[str] = set()

    def records(row: Row[str]) -> Iterator[Triple | ConceptRecord]:
        drug, relation, disease = _statement(row.fields, f"{key_prefix}{row.place}")
        for concept in (disease, drug):
            if concept.key not in described:
                described.add(concept.key)
                yield concept
        yield keyed_triple(drug.key, relation, disease.key, disease.record)

    return records_of(rows(uri, COLUMNS), records)


def _statement(values: Mapping[str, str], record: str) -> tuple[ConceptRecord, str, ConceptRecord]:
    texts = {name: required_text(values[name], name) for name in COLUMNS}
    if texts["category"] not in CATEGORIES:
        raise RecordRejectedError(
            f"unknown category {texts['category']!a:.60}", f"write one of {', '.join(CATEGORIES)}"
        )
    return (
        ConceptRecord(f"DRUGBANK:{texts['drugbank_id']}", texts["drug"], kind="drug", record=record),
        CATEGORIES[texts["category"]],
        ConceptRecord(canonical(texts["doid_id"]), texts["disease"], kind="disease", record=record),
    )
