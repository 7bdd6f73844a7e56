"""How a configuration's sources are located and cut into shards."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
import yaml

from evidence_assets.config.configuration import default_location, load
from evidence_assets.sources.files import text_lines
from evidence_assets.sources.locating import locate
from evidence_assets.sources.questions.rows import question_files
from evidence_assets.sources.records import UnusableSourceError
from evidence_assets.sources.shards import shards
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets_tests.testing.configuration_samples import configuration, cut, source_of, written


def test_an_unset_variable_is_named_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOT_SET_HERE", raising=False)
    with pytest.raises(ConfigurationError, match=r"\$\{NOT_SET_HERE\}.*export NOT_SET_HERE"):
        cut(tmp_path, configuration("${NOT_SET_HERE}/notes"))


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("notes", "/base/notes"),
        ("../notes", "/notes"),
        ("./a//b", "/base/a/b"),
        ("/elsewhere/notes", "/elsewhere/notes"),
        ("${PLACE}/notes", "/data/notes"),
        ("${PLACE}/${NAME}.jsonl", "/data/file.jsonl"),
        ("s3://bucket/key", "s3://bucket/key"),
        ("${STORE}/key", "s3://bucket/key"),
        ("hf://datasets/a/b/*.parquet", "hf://datasets/a/b/*.parquet"),
        ("zip://inside/a.txt::archive.zip", "zip://inside/a.txt::/base/archive.zip"),
        ("simplecache::s3://bucket/key", "simplecache::s3://bucket/key"),
        ("zip://*.json::simplecache::s3://b/a.zip", "zip://*.json::simplecache::s3://b/a.zip"),
    ],
)
def test_uris_are_located_from_the_files_folder(
    monkeypatch: pytest.MonkeyPatch, withholding: None, uri: str, expected: str
) -> None:
    monkeypatch.setenv("PLACE", "/data")
    monkeypatch.setenv("NAME", "file")
    monkeypatch.setenv("STORE", "s3://bucket")
    assert locate(uri, Path("/base")) == expected


def test_home_is_where_the_tilde_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    assert locate("~/notes", Path("/base")) == "/home/someone/notes"


def test_a_relative_path_is_made_absolute_where_the_configurations_is_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs are launched from other folders: what the configuration names must not move with them."""
    written(tmp_path, configuration())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVIDENCE_SOURCES", "sources.yaml")
    path = default_location()
    [shard] = shards(load(path), path)
    assert shard.uri == str(tmp_path / "notes")


def test_a_text_folder_is_one_shard(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / "notes").mkdir(exist_ok=True)
        (tmp_path / "notes" / name).write_text("text", encoding="utf-8")
    [shard] = cut(tmp_path, configuration())
    assert (shard.key, shard.corpus) == ("small.notes", "small")
    assert (shard.uri, shard.written_uri) == (str(tmp_path / "notes"), "notes")
    [globbed] = cut(tmp_path, configuration("notes/*.md"))
    assert globbed.key == "small.notes"


def test_a_glob_is_a_shard_a_file_in_order(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for name in ("Part 2.jsonl", "Part 1.jsonl", "other.txt"):
        (tmp_path / "data" / name).touch()
    cut_shards = cut(tmp_path, configuration("data/*.jsonl", "jsonl"))
    assert [(shard.key, shard.written_uri) for shard in cut_shards] == [
        ("small.notes.part-1-jsonl", "data/Part 1.jsonl"),
        ("small.notes.part-2-jsonl", "data/Part 2.jsonl"),
    ]
    assert [shard.uri for shard in cut_shards] == [
        str(tmp_path / "data" / "Part 1.jsonl"),
        str(tmp_path / "data" / "Part 2.jsonl"),
    ]


def test_a_glob_that_matches_nothing_is_one_shard_that_will_say_so(tmp_path: Path) -> None:
    [shard] = cut(tmp_path, configuration("none/*.jsonl", "jsonl"))
    assert shard.key == "small.notes"
    with pytest.raises(UnusableSourceError, match="no such file"):
        question_files(shard.uri)


def test_a_numbered_range_names_files_that_need_not_be_there(tmp_path: Path) -> None:
    cut_shards = cut(tmp_path, configuration("part-{00000..00003}-of-00004.parquet", "wikipedia_parquet"))
    assert [shard.written_uri for shard in cut_shards] == [f"part-0000{n}-of-00004.parquet" for n in range(4)]
    assert [shard.key for shard in cut_shards] == [
        f"small.notes.part-0000{n}-of-00004-parquet" for n in range(4)
    ]
    remote = cut(tmp_path, configuration("s3://bucket/{8..11}.parquet", "wikipedia_parquet"))
    assert [shard.uri for shard in remote] == [f"s3://bucket/{n}.parquet" for n in (8, 9, 10, 11)]


def test_a_range_that_runs_backwards_is_refused(tmp_path: Path) -> None:
    """A corpus without a single shard would be searched in vain, and nothing would say why."""
    with pytest.raises(ConfigurationError):
        cut(tmp_path, configuration("part-{00003..00000}.parquet", "wikipedia_parquet"))


@pytest.mark.parametrize("uri", ["s3://bucket/*.jsonl", "hf://datasets/a/b/**/*.jsonl"])
def test_a_remote_glob_is_one_shard_and_needs_no_network(
    tmp_path: Path, uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr("socket.socket.connect", refuse)
    [shard] = cut(tmp_path, configuration(uri, "jsonl"))
    assert (shard.key, shard.uri, shard.written_uri) == ("small.notes", uri, uri)


def test_a_member_of_an_archive_beside_the_configuration_opens(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "archive.zip", "w") as archive:
        archive.writestr("inside/a.txt", "words")
    [shard] = cut(tmp_path, configuration("zip://inside/a.txt::archive.zip", "lines"))
    assert shard.written_uri == "zip://inside/a.txt::archive.zip"
    assert list(text_lines(shard.uri)) == [(1, "words")]


def test_files_of_one_name_in_several_folders_are_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.jsonl").touch()
    with pytest.raises(ConfigurationError, match=r"sources\.notes: files of one name.*remedy") as raised:
        cut(tmp_path, configuration("*/same.jsonl", "jsonl"))
    assert str(tmp_path / "sources.yaml") in str(raised.value)


def test_what_is_written_does_not_depend_on_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        for file in ("a.jsonl", "b.jsonl"):
            (folder / file).touch()
        monkeypatch.setenv("PLACE", str(folder))
        seen.append(cut(tmp_path, configuration("${PLACE}/*.jsonl", "jsonl")))
        assert [shard.uri for shard in seen[-1]] == [str(folder / "a.jsonl"), str(folder / "b.jsonl")]
    for here, there in zip(*seen, strict=True):
        assert (here.key, here.written_uri) == (there.key, there.written_uri)
        assert here.written_uri.startswith("${PLACE}/")


def test_shards_keep_the_order_of_the_file_and_their_corpus(tmp_path: Path) -> None:
    content = configuration()
    content["corpora"]["another"] = {"sources": [dict(source_of(content), name=name) for name in ("z", "a")]}
    path = tmp_path / "sources.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    by_key = {shard.key: shard for shard in shards(load(path), path)}
    assert list(by_key) == ["small.notes", "another.z", "another.a"]
    assert [key for key, shard in by_key.items() if shard.corpus == "another"] == ["another.z", "another.a"]
