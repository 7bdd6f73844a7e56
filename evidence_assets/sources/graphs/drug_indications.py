"""Concepts and triples from a table of indications: which drugs treat which diseases, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evidence_assets.sources.articles.common import check_field_names, read_each
from evidence_assets.sources.graphs.common import keyed_triple, rows
from evidence_assets.sources.graphs.cross_references import canonical
from evidence_assets.sources.questions.validation import RecordRejectedError, required_text
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple

COLUMNS = ("doid_id", "drugbank_id", "disease", "drug", "category")
CATEGORIES = {"DM": "may_treat", "SYM": "may_relieve", "NOT": "is_not_indicated_for"}


def read(uri: str, fields: Mapping[str, str]) -> Iterator[Triple | ConceptRecord | RejectedRecord]:
    """One triple a row, from the drug to the disease, and each drug and disease before its first triple.

    The file is tab separated; its columns are found by the header's names, and others are ignored. The
    category says whether the drug modifies the disease (DM), relieves its symptoms (SYM) or does neither
    (NOT). A row with another category or an empty value is rejected alone.

    Raises:
        UnusableSourceError: a file is missing, breaks off or lacks a column; `fields` is not empty.
    """
    check_field_names(uri, fields, ())
    records: Iterator[Triple | ConceptRecord | RejectedRecord] = read_each(uri, _read_file)
    yield from records


def _read_file(uri: str, key_prefix: str) -> Iterator[Triple | ConceptRecord | RejectedRecord]:
    described: set[str] = set()
    for row in rows(uri, COLUMNS):
        if isinstance(row, RejectedRecord):
            yield row
            continue
        try:
            drug, relation, disease = _statement(row.values, f"{key_prefix}line {row.number}")
        except RecordRejectedError as rejected:
            yield rejected.at(f"line {row.number}")
            continue
        for concept in (disease, drug):
            if concept.key not in described:
                described.add(concept.key)
                yield concept
        yield keyed_triple(drug.key, relation, disease.key, disease.record)


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
