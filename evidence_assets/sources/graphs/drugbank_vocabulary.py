"""Concepts from DrugBank's open vocabulary: the names of its drugs, without any triple."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.sources.graphs.common import rows
from evidence_assets.sources.reading import Row, file_reader, records_of
from evidence_assets.sources.records import ConceptRecord, RejectedRecord
from evidence_assets.sources.validation import RecordRejectedError, optional_text, required_text

KEY, LABEL, SYNONYMS = "DrugBank ID", "Common name", "Synonyms"
REFERENCES = {"CAS": "CAS", "UNII": "UNII", "Standard InChI Key": "INCHIKEY"}
SYNONYM_SEPARATOR = " | "


@file_reader
def read(uri: str, key_prefix: str) -> Iterator[ConceptRecord | RejectedRecord]:
    """One concept a row, with its synonyms and its identifiers in the registries of chemicals.

    The file is comma separated with quotes; its columns are found by the header's names. A row without an
    identifier or a name, and the second row of an identifier, are rejected alone.

    Raises:
        UnusableSourceError: a file lacks a column.
    """
    places: dict[str, str] = {}

    def records(row: Row[str]) -> Iterator[ConceptRecord]:
        concept = _concept(row, key_prefix)
        if concept.key in places:
            raise RecordRejectedError(
                f"{concept.key} has a row already, at {places[concept.key]}", "keep one row for each drug"
            )
        places[concept.key] = row.place
        yield concept

    columns = (KEY, LABEL, SYNONYMS, *REFERENCES)
    return records_of(rows(uri, columns, delimiter=",", quoted=True), records)


def _concept(row: Row[str], key_prefix: str) -> ConceptRecord:
    label = required_text(row.fields[LABEL], LABEL)
    synonyms = (name.strip() for name in row.fields[SYNONYMS].split(SYNONYM_SEPARATOR))
    references = (
        (registry, optional_text(row.fields[column], column)) for column, registry in REFERENCES.items()
    )
    return ConceptRecord(
        key=f"DRUGBANK:{required_text(row.fields[KEY], KEY)}",
        label=label,
        synonyms=tuple(dict.fromkeys(name for name in synonyms if name and name != label)),
        cross_references=tuple(
            f"{registry}:{identifier}" for registry, identifier in references if identifier
        ),
        kind="drug",
        record=f"{key_prefix}{row.place}",
    )
