"""URIs of files beside each other, in folders, archives and object stores."""

from __future__ import annotations

import pytest

from evidence_assets.sources.uris import file_name, in_folder, sibling


def test_names_inside_archives_and_folders() -> None:
    assert file_name("zip://a/dev.jsonl::s3://bucket/x.zip") == "dev.jsonl"
    assert sibling("zip://a/dev.jsonl::s3://bucket/x.zip", "y.lst") == "zip://a/y.lst::s3://bucket/x.zip"
    assert sibling("s3://bucket/a/dev.jsonl", "y.lst") == "s3://bucket/a/y.lst"
    assert sibling("dev.jsonl", "y.lst") == "y.lst"
    assert file_name("simplecache::s3://bucket/dev.jsonl") == "dev.jsonl"
    assert sibling("simplecache::s3://bucket/dev.jsonl", "y.lst") == "simplecache::s3://bucket/y.lst"
    assert sibling("zip://dev.jsonl::x.zip", "y.lst") == "zip://y.lst::x.zip"


@pytest.mark.parametrize(
    ("uri", "name", "expected"),
    [
        ("/a/b", "c.csv", "/a/b/c.csv"),
        ("/a/b/", "x/c.csv", "/a/b/x/c.csv"),
        ("/a/q.tsv", "../tables", "/a/tables"),
        ("q.tsv", "../tables", "tables"),
        ("data/q.tsv", "../../csv/1.csv", "csv/1.csv"),
        ("s3://bucket/a/q.tsv", "../t", "s3://bucket/a/t"),
        ("zip://a::/x/y.zip", "c.csv", "zip://a/c.csv::/x/y.zip"),
        ("zip://::/x/y.zip", "c.csv", "zip://c.csv::/x/y.zip"),
        ("simplecache::s3://b/a", "c", "simplecache::s3://b/a/c"),
    ],
)
def test_where_a_file_lies_that_another_names(uri: str, name: str, expected: str) -> None:
    assert in_folder(uri, name) == expected
