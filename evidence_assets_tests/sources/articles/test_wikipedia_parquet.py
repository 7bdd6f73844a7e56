"""Parquet in the layout of the Wikipedia data set."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from evidence_assets.sources.articles.wikipedia_parquet import read
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError

ROWS = {
    "id": ["12", "39"],
    "url": ["https://x/A", "https://x/B"],
    "title": ["A", "B"],
    "text": ["one", "two"],
}


def stored(folder: Path, columns: Mapping[str, object], name: str = "part.parquet", **options: object) -> str:
    parquet.write_table(pa.table(columns), folder / name, **options)
    return str(folder / name)


def test_every_row_is_an_article(tmp_path: Path) -> None:
    assert list(read(stored(tmp_path, ROWS), {})) == [
        Article(key="12", title="A", text="one", url="https://x/A"),
        Article(key="39", title="B", text="two", url="https://x/B"),
    ]


def test_reads_shards_by_name_and_names_them_in_rejections(tmp_path: Path) -> None:
    stored(tmp_path, ROWS, "b.parquet")
    stored(tmp_path, {**ROWS, "text": ["one", None]}, "a.parquet")
    first, rejected, *_ = records = list(read(f"{tmp_path}/*.parquet", {}))
    assert len(records) == 4
    assert isinstance(first, Article)
    assert isinstance(rejected, RejectedRecord)
    assert first.key == "12"
    assert rejected == RejectedRecord("a.parquet, row 2", "column 'text' is null", rejected.remedy)


def test_fields_map_columns(tmp_path: Path) -> None:
    uri = stored(tmp_path, {"page": [1], "name": ["A"], "body": ["one"], "rev": [5]})
    fields = {"key": "page", "title": "name", "text": "body", "url": "", "revision": "rev"}
    assert list(read(uri, fields)) == [Article(key="1", title="A", text="one", revision="5")]


def test_missing_column_tells_what_is_there(tmp_path: Path) -> None:
    uri = stored(tmp_path, {"id": ["1"], "url": [""], "title": ["A"], "body": ["one"]})
    with pytest.raises(
        UnusableSourceError, match=r"text \('text'\); the file has id, url, title, body"
    ) as raised:
        list(read(uri, {}))
    assert "fields" in raised.value.remedy


def test_bytes_that_are_not_utf8_reject_their_row(tmp_path: Path) -> None:
    bad = pa.array([b"one", b"tw\xff"], pa.binary()).view(pa.string())
    good, rejected = read(stored(tmp_path, {**ROWS, "text": bad}), {})
    assert isinstance(good, Article)
    assert isinstance(rejected, RejectedRecord)
    assert good.text == "one"
    assert rejected.record == "row 2"
    assert "byte 2 of column 'text'" in rejected.reason


def test_truncated_file_is_unusable(tmp_path: Path) -> None:
    path = Path(stored(tmp_path, ROWS))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UnusableSourceError, match="not readable as Parquet"):
        list(read(str(path), {}))


def test_first_row_of_a_large_file_reads_little_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    from evidence_assets.sources import files

    rows = 4000
    columns = {
        "id": [str(n) for n in range(rows)],
        "url": [""] * rows,
        "title": [str(n) for n in range(rows)],
        "text": [os.urandom(2000).hex() for _ in range(rows)],
    }
    uri = stored(tmp_path, columns, row_group_size=500, compression="none", use_dictionary=False)
    bytes_read = 0
    readinto = files._CheckedBytes.readinto

    def counting(self: files._CheckedBytes, buffer: bytearray) -> int:
        nonlocal bytes_read
        count = readinto(self, buffer)
        bytes_read += count
        return count

    monkeypatch.setattr(files._CheckedBytes, "readinto", counting)
    first = next(read(uri, {}))
    assert isinstance(first, Article)
    assert first.key == "0"
    assert bytes_read < Path(uri).stat().st_size / 2
