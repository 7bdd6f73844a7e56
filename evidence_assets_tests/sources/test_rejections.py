"""Every record that is left out is a row of its own."""

from __future__ import annotations

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import REJECTED_RECORDS
from evidence_assets.sources.records import RejectedRecord
from evidence_assets.sources.rejections import rejected_rows

LOST = RejectedRecord("article 'Paris'", "an earlier article has the same key", "name a key")


def test_what_shares_place_and_reason_is_numbered() -> None:
    empty_article = RejectedRecord("article 'Paris'", "the article has no text", "none needed")
    numbered = RejectedRecord("article 'Paris' (2)", LOST.reason, "name a key")
    rows = conform(rejected_rows("s", "u", [LOST, numbered, empty_article, LOST, LOST]), REJECTED_RECORDS)
    assert [(row["record"], row["reason"]) for row in rows.to_pylist()] == [
        ("article 'Paris'", LOST.reason),
        ("article 'Paris' (2)", LOST.reason),
        ("article 'Paris'", empty_article.reason),
        ("article 'Paris' (3)", LOST.reason),
        ("article 'Paris' (4)", LOST.reason),
    ]
    assert {(row["source"], row["source_uri"]) for row in rows.to_pylist()} == {("s", "u")}


def test_nothing_left_out_is_no_row() -> None:
    assert rejected_rows("s", "u", []).num_rows == 0
