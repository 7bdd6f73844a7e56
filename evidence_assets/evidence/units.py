"""Evidence units: chunks, triples, paths, documents, cells as rows of `evidence`, each with its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from evidence_assets.lake.ids import content_id, text_hash


@dataclass(frozen=True, slots=True)
class EvidenceUnit:
    """A chunk or sentence, a verbalised triple or path, a document or a cell, with its source row.

    `source_version` changes when the row says something else. `article_id`, `char_start` and `char_end` place
    text in its article; `triple_ids` names the triples that a sentence reads out; `row` and `column`, from 0,
    place a cell in its table, without one of them a whole column or row.
    """

    kind: str
    text: str
    source_table: str
    source_key: str
    source_version: str
    article_id: str | None = None
    char_start: int | None = None
    char_end: int | None = None
    triple_ids: tuple[str, ...] = ()
    row: int | None = None
    column: int | None = None

    @property
    def evidence_id(self) -> str:
        """Return the hash of what identifies the unit: kind, source row and version, span or place if any."""
        span: tuple[int | None, ...] = () if self.char_start is None else (self.char_start, self.char_end)
        if self.row is not None or self.column is not None:
            span = (self.row, self.column)
        return content_id(
            "evidence", self.kind, self.source_table, self.source_key, self.source_version, *span
        )

    def as_row(self, system: str, arm: str, benchmark: str) -> dict[str, object]:
        """Return the unit as a row of `evidence`."""
        return {
            "evidence_id": self.evidence_id,
            "system": system,
            "arm": arm,
            "benchmark": benchmark,
            "kind": self.kind,
            "text": self.text,
            "source_table": self.source_table,
            "source_key": self.source_key,
            "source_version": self.source_version,
            "locator": {
                "article_id": self.article_id,
                "char_start": self.char_start,
                "char_end": self.char_end,
                "row": self.row,
                "column": self.column,
                "triple_ids": list(self.triple_ids) or None,
            },
        }


def unit_of_triple(triple_id: str, text: str) -> EvidenceUnit:
    """Return a triple read out, as a unit. Its version is that of the sentence: a triple never changes."""
    return EvidenceUnit("triple", text, "triples", triple_id, text_hash(text), triple_ids=(triple_id,))


def unit_of_path(path_id: str, text: str, triple_ids: Sequence[str]) -> EvidenceUnit:
    """Return a path read out, as a unit. Its version is that of its words."""
    return EvidenceUnit(
        "path", text, "reasoning_paths", path_id, text_hash(text), triple_ids=tuple(triple_ids)
    )


def unit_of_generated_triple(generated_triple_id: str, text: str) -> EvidenceUnit:
    """Return a triple that a model stated, read out, as a unit: it names no triple of a graph."""
    return EvidenceUnit("generated_triple", text, "generated_triples", generated_triple_id, text_hash(text))


def unit_of_document(document_id: str, text: str) -> EvidenceUnit:
    """Return a node's document, or words that stand in it, as a unit. Its version is that of the words."""
    return EvidenceUnit("document", text, "node_documents", document_id, text_hash(text))


def unit_of_cell(table_id: str, row: int, column: int, text: str) -> EvidenceUnit:
    """Return a table's cell as a unit, read out with its names. A table never changes: its id is a hash."""
    return EvidenceUnit("cell", text, "tables", table_id, text_hash(text), row=row, column=column)


def unit_of_row(table_id: str, row: int, text: str) -> EvidenceUnit:
    """Return a table's row as a unit: its cells."""
    return EvidenceUnit("cell", text, "tables", table_id, text_hash(text), row=row)


def unit_of_column(table_id: str, column: int, text: str) -> EvidenceUnit:
    """Return a table's column as a unit: its name."""
    return EvidenceUnit("column", text, "tables", table_id, text_hash(text), column=column)


def unit_of_question(question_id: str, text: str) -> EvidenceUnit:
    """Return a question itself as a unit: what an answer rests on that nothing was retrieved for."""
    return EvidenceUnit("document", text, "questions", question_id, text_hash(text))


def units_of_chunks(chunks: pa.Table) -> Mapping[str, tuple[EvidenceUnit, list[EvidenceUnit]]]:
    """Return, for each chunk id of `chunks` rows, the chunk as a unit and its sentences as units."""
    result = {}
    for row in chunks.to_pylist():
        chunk = _unit("chunk", row, 0, len(row["text"]))
        result[row["chunk_id"]] = (chunk, list(_sentences(row)))
    return result


def _sentences(row: Mapping[str, Any]) -> Iterator[EvidenceUnit]:
    text, start = str(row["text"]), 0
    for end in row["sentence_ends"]:
        lead = len(text[start:end]) - len(text[start:end].lstrip())
        yield _unit("sentence", row, start + lead, end)
        start = end


def _unit(kind: str, row: Mapping[str, Any], start: int, end: int) -> EvidenceUnit:
    text, offset = str(row["text"]), int(row["char_start"])
    return EvidenceUnit(
        kind,
        text[start:end],
        "chunks",
        str(row["chunk_id"]),
        text_hash(text),
        str(row["article_id"]),
        offset + start,
        offset + end,
    )
