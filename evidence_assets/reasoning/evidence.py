"""Evidence units: chunks and their sentences as rows of `evidence`, each with the place it was taken from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from evidence_assets.lake.ids import content_id, text_hash


@dataclass(frozen=True, slots=True)
class EvidenceUnit:
    """A chunk, or one sentence of it, by its span in the article."""

    kind: str
    text: str
    chunk_id: str
    chunk_hash: str
    article_id: str
    char_start: int
    char_end: int

    @property
    def evidence_id(self) -> str:
        """Return the hash of what identifies the unit: kind, source row and version, span."""
        return content_id(
            "evidence", self.kind, "chunks", self.chunk_id, self.chunk_hash, self.char_start, self.char_end
        )

    def row(self, system: str, arm: str, benchmark: str) -> dict[str, object]:
        """Return the unit as a row of `evidence`."""
        return {
            "evidence_id": self.evidence_id,
            "system": system,
            "arm": arm,
            "benchmark": benchmark,
            "kind": self.kind,
            "text": self.text,
            "source_table": "chunks",
            "source_key": self.chunk_id,
            "source_version": self.chunk_hash,
            "locator": {
                "article_id": self.article_id,
                "char_start": self.char_start,
                "char_end": self.char_end,
                "row": None,
                "column": None,
                "triple_ids": None,
            },
        }


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
        str(row["chunk_id"]),
        text_hash(text),
        str(row["article_id"]),
        offset + start,
        offset + end,
    )
