"""The readers of article sources by name, as the profile's configuration names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence_assets.sources.readers import Readers

if TYPE_CHECKING:
    from evidence_assets.sources.articles.common import ArticleReader

READERS: Readers[ArticleReader] = Readers(
    "article",
    __package__,
    {
        "mediawiki_xml": "mediawiki_xml.read",
        "wikipedia_parquet": "wikipedia_parquet.read",
        "json": "json_records.read_json",
        "jsonl": "json_records.read_jsonl",
        "squad": "squad.read",
        "text_folder": "text_folder.read",
        "lines": "lines.read",
        "paraphrased_facts": "paraphrased_facts.read",
        "worldtree_tables": "worldtree_tables.read",
    },
)
reader = READERS.reader
