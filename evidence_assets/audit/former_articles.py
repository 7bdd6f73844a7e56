"""Articles that are gone, by what they went by: evidence that was taken of them names their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence_assets.corpus.articles import article_id
from evidence_assets.lake.schemas import ARTICLES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from evidence_assets.lake.lake import Lake

_RESTED_ON = """
SELECT DISTINCT locator.article_id FROM evidence_rows
WHERE locator.article_id IN (SELECT unnest($1)) ORDER BY ALL
"""


def former_articles(lake: Lake, connection: DuckDBPyConnection, key: str) -> list[str]:
    """Return the ids of what an article of this key was, in any shard, and evidence is of still.

    An article that was renamed or removed has no row, and no name with it; but an id is a hash of the name.
    """
    shards = {place["shard"] for place in lake.partitions(ARTICLES)}
    ids = [article_id(shard, key) for shard in sorted(shards)]
    return [found_id for (found_id,) in connection.execute(_RESTED_ON, [ids]).fetchall()] if ids else []
