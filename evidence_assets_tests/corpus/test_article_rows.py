"""Records of a reader to rows of `articles`, and what is rejected."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from evidence_assets.corpus.articles import ArticleRows
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.schemas import ARTICLES
from evidence_assets.sources.records import Article, RejectedRecord
from evidence_assets.sources.rejections import MOST_LISTED, how_many
from evidence_assets.sources.shards import Shard
from evidence_assets.sources.specifications import ArticleSource

SOURCE = ArticleSource(name="wiki", uri="data/wiki.xml", format="lines", licence="CC0", revision="2026")
SHARD = Shard("corpus__wiki", "corpus", SOURCE, "/mnt/data/wiki.xml", "data/wiki.xml")
OTHER = Shard("corpus__other", "corpus", SOURCE, "/mnt/data/wiki.xml", "data/wiki.xml")


def read(
    records: list[Article | RejectedRecord], shard: Shard = SHARD
) -> tuple[pa.Table, list[RejectedRecord]]:
    rows = ArticleRows(records, shard)
    return pa.concat_tables(rows), rows.rejected


def test_a_row_says_where_it_came_from() -> None:
    table, rejected = read(
        [Article("7", "Title", " Text. ", url="https://x.org/7", revision="12"), Article("8", "", "B")]
    )
    assert rejected == []
    assert conform(table, ARTICLES).num_rows == 2
    first, second = table.to_pylist()
    assert first.pop("article_id") != second["article_id"]
    assert first == {
        "corpus": "corpus",
        "shard": "corpus__wiki",
        "source": "wiki",
        "source_key": "7",
        "source_uri": "data/wiki.xml",
        "url": "https://x.org/7",
        "revision": "12",
        "licence": "CC0",
        "title": "Title",
        "text": " Text. ",
        "text_hash": text_hash(" Text. "),
    }
    assert second["revision"] == "2026"  # the source's own, where the record has none


def test_however_many_are_rejected_they_are_counted() -> None:
    broken = RejectedRecord("line 3", "not JSON", "mend it")
    _, rejected = read([broken] * MOST_LISTED + [Article("1", "empty", "")] * 7)
    assert len(rejected) == MOST_LISTED + 1
    assert rejected[-1].record == "and 7 more"
    assert how_many(rejected) == MOST_LISTED + 7


def test_what_cannot_be_a_row_is_rejected_and_the_rest_kept() -> None:
    broken = RejectedRecord("line 3", "not JSON", "mend it")
    table, rejected = read(
        [
            Article("1", "A", "text"),
            Article("2", "empty", " \n\t\u3000"),
            broken,
            Article("1", "other", "other text"),
            Article("3", "A", "text"),
            Article("4", "A", "another text"),
            Article("5", "B", "text"),
            Article("6", "", "a lone \ud800 surrogate"),
            Article("7", "lone \udfff", "text of 7"),
            Article("\ud83d", "key", "text of 8"),
        ]
    )
    assert table.column("source_key").to_pylist() == ["1", "4", "5"]
    assert [
        record.record.split("'")[1] if "'" in record.record else record.record for record in rejected
    ] == ["2", "line 3", "1", "3", "6", "7", "\\ud83d"]
    assert rejected[1] is broken
    reasons = [record.reason for record in rejected]
    assert reasons[0] == "the article has no text"
    assert reasons[2] == "an earlier article has the same key"
    assert reasons[3] == "an earlier article, '1', has the same title and text"
    assert all("surrogate" in reason for reason in reasons[4:])
    assert all(record.remedy for record in rejected)
    for record in rejected:
        (record.record + record.reason + record.remedy).encode("utf-8")


def test_a_lone_surrogate_in_an_address_or_revision_does_not_stop_the_shard() -> None:
    table, rejected = read(
        [
            Article("1", "A", "text", url="https://x.org/\ud800"),
            Article("2", "B", "more", revision="\ud800"),
            Article("3", "C", "last"),
        ]
    )
    assert "3" in table.column("source_key").to_pylist()
    assert table.num_rows + len(rejected) == 3


def test_a_rejected_record_does_not_block_a_later_one() -> None:
    table, rejected = read([Article("1", "A", " "), Article("1", "A", "now with text")])
    assert table.num_rows == 1
    assert len(rejected) == 1


def test_articles_that_share_a_title_are_told_apart_by_their_places() -> None:
    """The first keeps the id that it has alone; only what is the same in title and text is left out."""
    alone, _ = read([Article("Paris", "Paris", "of Troy", place="1")])
    table, rejected = read(
        [
            Article("Paris", "Paris", "of Troy", place="1"),
            Article("Paris", "Paris", "of France", place="2"),
            Article("Paris", "Paris", "of Texas", place="3"),
            Article("Paris", "Paris", "of France", place="4"),
            Article("Paris", "Paris", "of Troy", place="5"),
        ]
    )
    assert table.column("source_key").to_pylist() == ["Paris", "Paris#2", "Paris#3"]
    assert table.column("text").to_pylist() == ["of Troy", "of France", "of Texas"]
    assert len(set(table.column("article_id").to_pylist())) == 3
    assert table.slice(0, 1).equals(alone)
    assert [(record.record, record.reason) for record in rejected] == [
        (f"article 'Paris', record {place}", f"an earlier article, {earlier!r}, has the same title and text")
        for place, earlier in ((4, "Paris#2"), (5, "Paris"))
    ]


def test_a_key_that_is_named_and_repeats_is_rejected() -> None:
    table, rejected = read([Article("7", "A", "one"), Article("7", "B", "two")])
    assert table.num_rows == 1
    assert [record.reason for record in rejected] == ["an earlier article has the same key"]


def test_ids_depend_on_shard_and_key_alone() -> None:
    table, _ = read([Article("1", "A", "text"), Article("2", "B", "more")])
    again, _ = read([Article("2", "B", "other words"), Article("1", "A", "text")])
    elsewhere, _ = read([Article("1", "A", "text")], OTHER)
    ids = table.column("article_id").to_pylist()
    assert again.column("article_id").to_pylist() == ids[::-1]
    assert elsewhere.column("article_id").to_pylist() != ids[:1]


def test_batches_are_bounded_in_rows_and_characters() -> None:
    drawn = 0

    def records(count: int, size: int) -> Iterator[Article]:
        nonlocal drawn
        for number in range(count):
            drawn += 1
            yield Article(str(number), "", f"{number} " + "x" * size)

    sizes = [batch.num_rows for batch in ArticleRows(records(5000, 1), SHARD)]
    assert sum(sizes) == 5000
    assert max(sizes) <= 2048
    drawn = 0
    rows = iter(ArticleRows(records(20, 1 << 20), SHARD))
    first = next(rows)
    assert drawn == first.num_rows  # nothing is read ahead of what was given out
    assert 8 << 20 < sum(len(text) for text in first.column("text").to_pylist()) < 10 << 20
    assert first.num_rows + sum(batch.num_rows for batch in rows) == 20


def test_no_records_give_no_rows_but_the_right_columns() -> None:
    table, rejected = read([])
    assert conform(table, ARTICLES).num_rows == 0
    assert rejected == []
