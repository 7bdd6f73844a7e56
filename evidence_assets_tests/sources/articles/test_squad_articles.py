"""Paragraphs of files in the form of SQuAD."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidence_assets.sources.articles.squad import read
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets_tests.testing.records_read import all_of


def written(folder: Path, value: object) -> str:
    path = folder / "squad.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def test_one_article_a_paragraph(tmp_path: Path) -> None:
    data = [
        {"title": "A", "paragraphs": [{"context": "one", "qas": []}, {"context": "two", "qas": []}]},
        {"paragraphs": [{"context": "three"}], "title": "B"},
    ]
    assert list(read(written(tmp_path, {"version": "1.1", "data": data}), {})) == [
        Article(key="A#0", title="A", text="one"),
        Article(key="A#1", title="A", text="two"),
        Article(key="B#0", title="B", text="three"),
    ]


def test_article_or_paragraph_of_another_form_is_rejected_alone(tmp_path: Path) -> None:
    data = [{"title": "A"}, {"title": "B", "paragraphs": [{"qas": []}, {"context": "two"}]}, "words"]
    first, second, article, last = read(written(tmp_path, {"data": data}), {})
    assert [record.record for record in all_of(RejectedRecord, (first, second, last))] == [
        "article 1",
        "article 2 ('B'), paragraph 0",
        "article 3",
    ]
    assert isinstance(article, Article)
    assert article.key == "B#1"


@pytest.mark.parametrize("value", [{"data": []}, {"articles": []}, []])
def test_file_without_articles_is_unusable(tmp_path: Path, value: object) -> None:
    with pytest.raises(UnusableSourceError, match="no article under `data`"):
        list(read(written(tmp_path, value), {}))


def test_broken_file_names_the_last_article(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text('{"data": [{"title": "A", "paragraphs": []}, {"title"')
    with pytest.raises(UnusableSourceError, match=r"after article 1, .*broken JSON"):
        list(read(str(path), {}))


@pytest.mark.real_data
def test_the_real_xquad_is_read(real_data: Path) -> None:
    records = all_of(Article, read(str(real_data / "text" / "xquad.en.json"), {}))
    assert len(records) == len({record.key for record in records}) == 240
    assert len({record.title for record in records}) == 48
