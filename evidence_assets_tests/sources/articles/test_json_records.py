"""JSON lists and objects, and JSON lines."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from evidence_assets.sources.articles.json_records import read_json, read_jsonl
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets_tests.testing.records_read import all_of, only_of

Reader: TypeAlias = Callable[[str, Mapping[str, str]], Iterator[Article | RejectedRecord]]


def written(folder: Path, content: str | bytes, name: str = "source.json") -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def test_a_list_of_objects_is_read(tmp_path: Path) -> None:
    records = [
        {"title": "A", "text": "one", "url": "u", "revision": 3},
        {"key": 7, "title": "B", "text": ["two", "three"]},
        {"text": "four"},
    ]
    assert list(read_json(written(tmp_path, "\ufeff \n" + json.dumps(records)), {})) == [
        Article(key="A", title="A", text="one", url="u", revision="3"),
        Article(key="7", title="B", text="two three"),
        Article(key="3", title="", text="four"),
    ]


def test_an_object_of_titles_is_read(tmp_path: Path) -> None:
    content = json.dumps({"A": "one", "B": ["two.", " three."], "C": ["four.", "five."], "D": {"x": 1}})
    *articles, rejected = read_json(written(tmp_path, content), {})
    assert [(article.key, article.text) for article in all_of(Article, articles)] == [
        ("A", "one"),
        ("B", "two. three."),
        ("C", "four. five."),
    ]
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record == "record 4 ('D')"


def test_titles_that_repeat_have_places(tmp_path: Path) -> None:
    records = [{"title": "A", "text": "one"}, {"title": "A", "text": "two"}, {"key": "k", "text": "three"}]
    for articles in (
        all_of(Article, read_json(written(tmp_path, json.dumps(records)), {})),
        all_of(
            Article, read_jsonl(written(tmp_path, "\n".join(map(json.dumps, records)), "source.jsonl"), {})
        ),
    ):
        assert [(article.key, article.place) for article in articles] == [("A", "1"), ("A", "2"), ("k", "")]


def test_fields_map_names(tmp_path: Path) -> None:
    fields = {"key": "_id", "title": "heading", "text": "body"}
    content = json.dumps({"_id": 5, "heading": "A", "body": "one", "text": "no"})
    expected = [Article(key="5", title="A", text="one")]
    assert list(read_json(written(tmp_path, f"[{content}]"), fields)) == expected
    assert list(read_jsonl(written(tmp_path, content), fields)) == expected


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"body": "x", "id": 1}, "no field 'text' for text; it has body, id"),
        ({"text": 5.5, "title": ["a"]}, "field 'title' holds a list"),
        ({"text": {"a": 1}}, "field 'text' holds an object"),
        ({"text": ["a", 1]}, "field 'text' holds a list"),
        ("words", "a string where an object"),
        (None, "null where an object"),
    ],
)
def test_record_of_another_form_is_rejected_alone(tmp_path: Path, record: object, reason: str) -> None:
    good = {"title": "A", "text": "one"}
    for rejected, article in (
        read_json(written(tmp_path, json.dumps([record, good])), {}),
        read_jsonl(written(tmp_path, f"{json.dumps(record)}\n{json.dumps(good)}", "source.jsonl"), {}),
    ):
        assert isinstance(rejected, RejectedRecord)
        assert reason in rejected.reason
        assert "fields" in rejected.remedy
        assert isinstance(article, Article)
        assert article.text == "one"


def test_name_mapped_but_absent_is_rejected(tmp_path: Path) -> None:
    rejected = only_of(RejectedRecord, read_json(written(tmp_path, '[{"text": "a"}]'), {"title": "heading"}))
    assert "no field 'heading' for title" in rejected.reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('[{"text": "a"}, {"text": "b"', r"after record 1, between bytes \d+ and 28: broken JSON"),
        ('[{"text": "a"}, {"text": }]', "broken JSON"),
        ('[{"text": "a"}] more', "after record 1.*trailing garbage"),
        ('{"text": "a"}\n{"text": "b"}', "one object a line with the jsonl reader"),
        ('"words"', "neither a list nor an object"),
        ("", "the whole file: it is empty"),
    ],
)
def test_broken_json_is_unusable(tmp_path: Path, content: str, reason: str) -> None:
    with pytest.raises(UnusableSourceError, match=reason):
        list(read_json(written(tmp_path, content), {}))


@pytest.mark.parametrize("padding", [0, 65_530, 200_000])
def test_position_of_bytes_that_are_not_utf8(tmp_path: Path, padding: int) -> None:
    content = '[{"text": "é'.encode() + b"a" * padding + b'\xe9"}]'
    with pytest.raises(UnusableSourceError, match=rf"byte {13 + padding}: 0xe9 is not UTF-8"):
        list(read_json(written(tmp_path, content), {}))


def test_bad_lines_are_rejected_alone(tmp_path: Path) -> None:
    lines = [
        b'{"text": "one"}',
        b"{broken",
        b"",
        b'{"text": "\xff"}',
        b'{"text": "\\ud800"}',
        b"[" * 100_000,
        b'{"text": "two"}\r',
    ]
    first, *others, last = read_jsonl(written(tmp_path, b"\n".join(lines)), {})
    assert isinstance(first, Article)
    assert isinstance(last, Article)
    rejected = all_of(RejectedRecord, others)
    assert (first.key, last.key, last.text) == ("1", "7", "two")
    assert [record.record for record in rejected] == ["line 2", "line 4", "line 5", "line 6"]
    assert "0xff" in rejected[1].reason
    assert "surrogate" in rejected[2].reason


def test_records_of_several_files_stay_apart(tmp_path: Path) -> None:
    written(tmp_path, '{"text": "one"}', "a.jsonl")
    written(tmp_path, '{"text": "two"}\nx', "b.jsonl")
    first, second, rejected = read_jsonl(str(tmp_path), {})
    assert isinstance(first, Article)
    assert isinstance(second, Article)
    assert isinstance(rejected, RejectedRecord)
    assert (first.key, second.key, rejected.record) == ("a.jsonl:1", "b.jsonl:1", "b.jsonl, line 2")


@pytest.mark.parametrize(("read", "open_close"), [(read_json, "[]"), (read_jsonl, ("", ""))])
def test_first_record_of_a_large_file_needs_little_memory(
    tmp_path: Path, read: Reader, open_close: Sequence[str]
) -> None:
    record = json.dumps({"text": "words " * 200})
    joined = (",\n" if read is read_json else "\n").join([record] * 20_000)
    uri = written(tmp_path, open_close[0] + joined + open_close[1])
    assert Path(uri).stat().st_size > 20_000_000
    del joined
    tracemalloc.start()
    try:
        first = next(read(uri, {}))
        assert isinstance(first, Article)
        assert first.key == "1"
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.real_data
@pytest.mark.parametrize(("name", "count"), [("2wiki_passages.json", 6119), ("hotpotqa_passages.json", 994)])
def test_real_passages_are_read(real_data: Path, name: str, count: int) -> None:
    records = all_of(Article, read_json(str(real_data / "text" / name), {}))
    assert len(records) == len({record.key for record in records}) == count
    assert all(record.text for record in records)


@pytest.mark.real_data
def test_real_sentences_carry_their_own_spaces(real_data: Path) -> None:
    first = next(read_json(str(real_data / "text" / "hotpotqa_passages.json"), {}))
    assert isinstance(first, Article)
    assert first.title == "Demon Dice"
    assert "Tim Brown. In it, each player" in first.text


@pytest.mark.real_data
def test_real_json_lines_are_read_by_their_own_reader(real_data: Path) -> None:
    uri = str(real_data / "mcqa" / "medmcqa_dev.json")
    assert sum(isinstance(record, Article) for record in read_jsonl(uri, {"text": "question"})) == 4183
    with pytest.raises(UnusableSourceError, match="jsonl reader"):
        list(read_json(uri, {}))
