"""Concepts from DrugBank's open vocabulary: the names of its drugs, without any triple."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evidence_assets.sources.articles.common import check_field_names, read_each
from evidence_assets.sources.graphs.common import Row, rows
from evidence_assets.sources.questions.validation import RecordRejectedError, optional_text, required_text
from evidence_assets.sources.records import ConceptRecord, RejectedRecord

KEY, LABEL, SYNONYMS = "DrugBank ID", "Common name", "Synonyms"
REFERENCES = {"CAS": "CAS", "UNII": "UNII", "Standard InChI Key": "INCHIKEY"}
SYNONYM_SEPARATOR = " | "


def read(uri: str, fields: Mapping[str, str]) -> Iterator[ConceptRecord | RejectedRecord]:
    """One concept a row, with its synonyms and its identifiers in the registries of chemicals.

    The file is comma separated with quotes; its columns are found by the header's names. A row without an
    identifier or a name, and the second row of an identifier, are rejected alone.

    Raises:
        UnusableSourceError: a file is missing, breaks off or lacks a column; `fields` is not empty.
    """
    check_field_names(uri, fields, ())
    yield from read_each(uri, _read_file)


def _read_file(uri: str, key_prefix: str) -> Iterator[ConceptRecord | RejectedRecord]:
    lines: dict[str, int] = {}
    for row in rows(uri, (KEY, LABEL, SYNONYMS, *REFERENCES), delimiter=",", quoted=True):
        if isinstance(row, RejectedRecord):
            yield row
            continue
        try:
            concept = _concept(row, key_prefix)
            if concept.key in lines:
                raise RecordRejectedError(
                    f"{concept.key} has a row already, at line {lines[concept.key]}",
                    "keep one row for each drug",
                )
        except RecordRejectedError as rejected:
            yield rejected.at(f"line {row.number}")
            continue
        lines[concept.key] = row.number
        yield concept


def _concept(row: Row, key_prefix: str) -> ConceptRecord:
    label = required_text(row.values[LABEL], LABEL)
    synonyms = (name.strip() for name in row.values[SYNONYMS].split(SYNONYM_SEPARATOR))
    references = (
        (registry, optional_text(row.values[column], column)) for column, registry in REFERENCES.items()
    )
    return ConceptRecord(
        key=f"DRUGBANK:{required_text(row.values[KEY], KEY)}",
        label=label,
        synonyms=tuple(dict.fromkeys(name for name in synonyms if name and name != label)),
        cross_references=tuple(
            f"{registry}:{identifier}" for registry, identifier in references if identifier
        ),
        kind="drug",
        record=f"{key_prefix}line {row.number}",
    )
