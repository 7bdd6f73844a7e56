"""Opening, listing and fingerprinting of files, local, compressed, chained and on a store."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import json
import lzma
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from fsspec.implementations.local import LocalFileSystem

from evidence_assets.sources.articles.json_records import read_jsonl
from evidence_assets.sources.files import (
    BrokenReadError,
    contents_of,
    fingerprint,
    list_files,
    named_files,
    open_binary,
    text_lines,
)
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets_tests.testing.object_store import object_store

CONTENT = "première ligne\nseconde\n".encode()


def zstandard(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return bytes(sink.getvalue().to_pybytes())


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".bz2": bz2.compress,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstandard,
}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as members:
        members.writestr("inner/one.txt", "1")
        members.writestr("inner/two.txt.gz", gzip.compress(b"2"))
        members.writestr("other.md", "3")
    return path


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_reads_decompressed_by_suffix(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"lines.txt{suffix}"
    path.write_bytes(COMPRESSORS[suffix](CONTENT))
    with open_binary(str(path)) as stream:
        assert stream.read() == CONTENT
    assert next(text_lines(str(path))) == (1, "première ligne")


@pytest.mark.parametrize("suffix", [".bz2", ".gz", ".xz", ".zst"])
def test_truncated_file_names_file_and_place(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"cut{suffix}"
    compressed = COMPRESSORS[suffix](os.urandom(3_000_000))
    path.write_bytes(compressed[: len(compressed) // 2])
    with pytest.raises(BrokenReadError, match="fetch the file again") as raised, open_binary(str(path)) as f:
        while f.read(10_000):
            pass
    assert raised.value.file == str(path)
    assert raised.value.record.startswith("after byte ")


def test_concatenated_bz2_streams_are_read_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "multistream.bz2"
    path.write_bytes(bz2.compress(b"one ") + bz2.compress(b"two"))
    with open_binary(str(path)) as stream:
        assert stream.read() == b"one two"


def test_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "mark.txt"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb")
    assert list(text_lines(str(path))) == [(1, "a"), (2, "b")]


def test_line_that_is_not_utf8_is_rejected_alone(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes(b"a\nb\xff\nc")
    first, bad, last = text_lines(str(path))
    assert (first, last) == ((1, "a"), (3, "c"))
    assert isinstance(bad, RejectedRecord)
    assert bad.record == "line 2"
    assert "byte 2 of the line, 0xff" in bad.reason


def test_truncated_lines_name_the_last_line_read(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt.gz"
    path.write_bytes(
        gzip.compress(b"".join(os.urandom(20).hex().encode() + b"\n" for _ in range(50_000)))[:-99]
    )
    with pytest.raises(UnusableSourceError, match=r"after line \d{4,5}: .*EOFError"):
        list(text_lines(str(path)))


@pytest.mark.parametrize("name", ["absent.txt", "absent/*.txt", "zip://no.txt::{folder}/a.zip"])
def test_missing_file_names_the_uri_and_remedy(tmp_path: Path, archive: Path, name: str) -> None:
    uri = name.format(folder=tmp_path) if "::" in name else str(tmp_path / name)
    with pytest.raises(UnusableSourceError, match=r"no such file.*Remedy: correct the path") as raised:
        list_files(uri)
    assert raised.value.file == uri
    with pytest.raises(UnusableSourceError, match=r"no such file|cannot be opened"), open_binary(uri):
        pass


@pytest.mark.parametrize("uri", ["nosuch://bucket/key", "zip://one.txt::{folder}/broken.zip"])
def test_unopenable_uri_is_reported(tmp_path: Path, uri: str) -> None:
    (tmp_path / "broken.zip").write_bytes(b"no archive")
    with (
        pytest.raises(UnusableSourceError, match="cannot be opened"),
        open_binary(uri.format(folder=tmp_path)),
    ):
        pass


def test_a_folder_where_a_file_belongs_is_told_as_one(tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError) as raised, open_binary(str(tmp_path)):
        pass
    assert (raised.value.reason, raised.value.remedy) == (
        "it is a folder",
        "name a file in it, or all of a kind by a pattern: FOLDER/*.jsonl",
    )


def test_a_file_that_nobody_may_read_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(LocalFileSystem, "open", refuse)
    with pytest.raises(UnusableSourceError) as raised, open_binary(str(tmp_path / "own.txt")):
        pass
    assert raised.value.reason == "it may not be read (Permission denied)"


def test_lists_path_folder_and_glob_sorted(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "sub/c.txt", "sub/d.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    folder = str(tmp_path)
    assert list_files(f"{folder}/b.txt") == [f"{folder}/b.txt"]
    assert [file.name for file in named_files(folder)] == ["a.txt", "b.txt", "sub/c.txt", "sub/d.md"]
    assert [file.name for file in named_files(f"{folder}/**/*.txt")] == ["a.txt", "b.txt", "sub/c.txt"]
    assert list_files(f"{folder}/sub/*.md") == [f"{folder}/sub/d.md"]
    assert named_files(f"{folder}/sub/d.md")[0].name == "d.md"


def test_file_named_like_a_glob_is_itself(tmp_path: Path) -> None:
    path = tmp_path / "notes [2020].txt"
    path.write_text("x")
    assert list_files(str(path)) == [str(path)]


def test_empty_folder_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError, match=r"the folder holds no file. Remedy: put files into it"):
        list_files(str(tmp_path))


def test_members_of_an_archive(archive: Path) -> None:
    assert list_files(f"zip://inner/*::{archive}") == [
        f"zip://inner/one.txt::{archive}",
        f"zip://inner/two.txt.gz::{archive}",
    ]
    assert [file.name for file in named_files(f"zip://inner::{archive}")] == ["one.txt", "two.txt.gz"]
    assert list(text_lines(f"zip://inner/two.txt.gz::{archive}")) == [(1, "2")]


def test_fingerprint_of_a_file_is_its_sha256(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(CONTENT)
    assert fingerprint(str(path)) == f"sha256:{hashlib.sha256(CONTENT).hexdigest()}"


def test_fingerprint_of_one_file_of_a_folder_or_pattern_follows_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(CONTENT)
    of_pattern = fingerprint(f"{tmp_path}/*.txt")
    line = f"a.txt\0{fingerprint(str(tmp_path / 'a.txt'))}"
    assert of_pattern == fingerprint(str(tmp_path)) == f"files:{hashlib.sha256(line.encode()).hexdigest()}"


def test_fingerprint_of_a_folder_follows_content_and_names(tmp_path: Path) -> None:
    seen = set()
    (tmp_path / "a.txt").write_text("1")
    seen.add(fingerprint(str(tmp_path)))
    (tmp_path / "a.txt").write_text("2")
    seen.add(fingerprint(str(tmp_path)))
    (tmp_path / "a.txt").rename(tmp_path / "b.txt")
    seen.add(fingerprint(str(tmp_path)))
    (tmp_path / "c.txt").write_text("")
    seen.add(fingerprint(str(tmp_path)))
    assert len(seen) == 4
    os.utime(tmp_path / "c.txt", (0, 0))
    assert fingerprint(str(tmp_path)) in seen


def test_hidden_files_of_a_folder_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1")
    before = contents_of(str(tmp_path))
    (tmp_path / ".DS_Store").write_bytes(b"\0")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("main")
    assert contents_of(str(tmp_path)) == before
    # What a pattern or a path names is read.
    assert fingerprint(str(tmp_path / ".DS_Store")) != fingerprint(str(tmp_path / ".git" / "HEAD"))
    assert contents_of(f"{tmp_path}/.D*").files[0][0] == ".DS_Store"


def test_contents_of_a_folder_name_each_file_and_of_one_file_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.txt", "in/b.txt"):
        (tmp_path / name).write_text(name)
    whole, files = contents_of(str(tmp_path))
    assert files == tuple((name, fingerprint(str(tmp_path / name))) for name in ("a.txt", "in/b.txt"))
    assert contents_of(str(tmp_path / "a.txt")) == (fingerprint(str(tmp_path / "a.txt")), ())
    monkeypatch.setattr("evidence_assets.sources.files.MOST_NAMED", 1)
    assert contents_of(str(tmp_path)) == (whole, ())


def test_fingerprint_of_a_member_follows_its_archive(archive: Path) -> None:
    uri = f"zip://other.md::{archive}"
    before = fingerprint(uri)
    assert before == fingerprint(uri) != fingerprint(f"zip://inner/one.txt::{archive}")
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("other.md", "changed")
    assert fingerprint(uri) != before


def test_reads_and_fingerprints_an_s3_store() -> None:
    with object_store("articles") as client:
        lines = "\n".join(json.dumps({"title": f"t{n}", "text": "words"}) for n in range(3))
        client.put_object(Bucket="articles", Key="part/a.jsonl", Body=lines.encode())

        assert list(read_jsonl("s3://articles/part/a.jsonl", {})) == [
            Article(key=f"t{n}", title=f"t{n}", text="words") for n in range(3)
        ]
        assert list_files("s3://articles/part/*.jsonl") == ["s3://articles/part/a.jsonl"]
        before = fingerprint("s3://articles/part/a.jsonl")
        assert before.startswith("store:")
        client.put_object(Bucket="articles", Key="part/a.jsonl", Body=b"{}")
        assert fingerprint("s3://articles/part/a.jsonl") != before
        client.put_object(Bucket="articles", Key="part/b.jsonl", Body=b"{}")
        assert len(list_files("s3://articles/part")) == 2
        with pytest.raises(UnusableSourceError, match="no such file"):
            list(read_jsonl("s3://articles/absent.jsonl", {}))
        with pytest.raises(UnusableSourceError):
            list_files("s3://absent-bucket/a.jsonl")


@pytest.mark.real_data
def test_counts_lines_inside_the_official_openbookqa_archive(real_data: Path) -> None:
    archive = real_data / "mcqa" / "OpenBookQA-V1-Sep2018.zip"
    uri = f"zip://OpenBookQA-V1-Sep2018/Data/Main/*.jsonl::{archive}"
    counts = {file.name: sum(1 for _ in text_lines(file.uri)) for file in named_files(uri)}
    assert counts == {"dev.jsonl": 500, "test.jsonl": 500, "train.jsonl": 4957}
