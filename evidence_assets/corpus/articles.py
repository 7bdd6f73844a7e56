"""Rows of `articles` from a reader's records; unusable records are rejected with a reason."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

import pyarrow as pa

from evidence_assets.lake.ids import content_id, text_hash
from evidence_assets.lake.schemas import ARTICLES
from evidence_assets.sources.records import Article, RejectedRecord
from evidence_assets.sources.rejections import Rejections
from evidence_assets.sources.retractions import RETRACTED
from evidence_assets.sources.shards import Shard

# Limits of a batch, whichever comes first, so that a few huge articles do not fill the memory.
_ROWS_PER_BATCH = 2048
_CHARACTERS_PER_BATCH = 8 << 20
# So many articles' keys are kept, to be named where a later one says the same: a dump has millions.
_NAMED = 100_000


def _hash(text: str) -> bytes:
    return bytes.fromhex(text_hash(text))


def article_id(shard: str, key: str) -> str:
    """Return the id of a shard's article: a hash of what it goes by in its source."""
    return content_id("article", shard, key)


class ArticleRows:
    """A pass over one shard: iterate it for batches of `articles` rows, then read `rejected`.

    Rejected are records the reader could not read, articles without text, articles whose title and text, or
    whose key, occurred before in the shard, and text that is not valid Unicode. Articles that share a title,
    and have no other key, are kept: the first is known by the title, the others by title and place.
    `retracted`: ids of articles that are left out.
    """

    def __init__(
        self, records: Iterable[Article | RejectedRecord], shard: Shard, retracted: Collection[str] = ()
    ) -> None:
        self._records = records
        self._shard, self._retracted = shard, retracted
        self._keys: set[bytes] = set()
        self._contents: set[bytes] = set()
        self._named: dict[bytes, str] = {}
        self._rejected = Rejections()

    @property
    def rejected(self) -> list[RejectedRecord]:
        """What was rejected so far, as `Rejections` tells it."""
        return list(self._rejected)

    def __iter__(self) -> Iterator[pa.Table]:
        rows: list[dict[str, str]] = []
        characters = 0
        for record in self._records:
            article = record if isinstance(record, RejectedRecord) else self._accepted(record)
            if isinstance(article, RejectedRecord):
                self._rejected.add(article)
                continue
            rows.append(self._row(article))
            characters += len(article.text)
            if len(rows) == _ROWS_PER_BATCH or characters > _CHARACTERS_PER_BATCH:
                yield pa.Table.from_pylist(rows, schema=ARTICLES.schema)
                rows, characters = [], 0
        yield pa.Table.from_pylist(rows, schema=ARTICLES.schema)

    def _accepted(self, article: Article) -> Article | RejectedRecord:
        where = f"article {article.key!r}" + (f", record {article.place}" if article.place else "")
        if not article.text.strip():
            return RejectedRecord(where, "the article has no text", "none needed, or mend the source")
        try:
            content = _hash(f"{article.title}\0{article.text}")
            "".join((article.key, article.title, article.text, article.url, article.revision)).encode("utf-8")
        except UnicodeEncodeError as error:
            return RejectedRecord(
                where.encode("utf-8", "replace").decode(),
                f"no valid Unicode: a lone surrogate at character {error.start}",
                "write the file anew with whole code points",
            )
        key = article.key
        if _hash(key) in self._keys and article.place:
            key = f"{key}#{article.place}"
        if _hash(key) in self._keys:
            return RejectedRecord(
                where,
                "an earlier article has the same key",
                "name a unique field as key in the configuration",
            )
        if content in self._contents:
            earlier = self._named.get(content)
            which = f"an earlier article, {earlier!r}," if earlier else "an earlier article"
            return RejectedRecord(where, f"{which} has the same title and text", "none needed")
        self._keys.add(_hash(key))
        self._contents.add(content)
        if len(self._named) < _NAMED:
            self._named[content] = key
        if self._identifier(key) in self._retracted:
            remedy = "none needed; `evidence-assets retract --restore` reads it again"
            return RejectedRecord(where, RETRACTED, remedy)
        return replace(article, key=key)

    def _identifier(self, key: str) -> str:
        return article_id(self._shard.key, key)

    def _row(self, article: Article) -> dict[str, str]:
        shard = self._shard
        return {
            "article_id": self._identifier(article.key),
            "corpus": shard.corpus,
            "shard": shard.key,
            "source": shard.source.name,
            "source_key": article.key,
            "source_uri": shard.written_uri,
            "url": article.url,
            "revision": article.revision or shard.source.revision,
            "licence": shard.source.licence,
            "title": article.title,
            "text": article.text,
            "text_hash": text_hash(article.text),
        }
