"""The tables that evidence is taken from."""

from __future__ import annotations

from collections.abc import Mapping

from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNKS,
    GENERATED_TRIPLES,
    NODE_DOCUMENTS,
    TABLES,
    TRIPLES,
    Table,
)

# Each with the column that names a row.
SOURCE_TABLES: Mapping[Table, str] = {
    ARTICLES: "article_id",
    CHUNKS: "chunk_id",
    TRIPLES: "triple_id",
    TABLES: "table_id",
    NODE_DOCUMENTS: "document_id",
    GENERATED_TRIPLES: "generated_triple_id",
}
