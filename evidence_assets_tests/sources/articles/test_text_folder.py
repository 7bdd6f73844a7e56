"""Folders of text and Markdown files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from evidence_assets.sources.articles.text_folder import read
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets.text.sentences import sentence_spans
from evidence_assets_tests.testing.records_read import all_of, only_of


def test_files_are_read_in_order_of_their_paths(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.md").write_text("# Bees #\r\n\r\nBees fly.\r\n", newline="")
    (tmp_path / "a.txt").write_text("# not a heading\n")
    (tmp_path / "c.TXT.gz").write_bytes(gzip.compress(b"packed"))
    assert list(read(str(tmp_path), {})) == [
        Article(key="a.txt", title="a", text="# not a heading"),
        Article(key="c.TXT.gz", title="c", text="packed"),
        Article(key="sub/b.md", title="Bees", text="Bees fly."),
    ]


@pytest.mark.parametrize(
    ("markdown", "title", "text"),
    [
        ("---\nauthor: x\n---\n# T\nbody", "T", "body"),
        ("---\nnever closed\n# T\nbody", "T", "---\nnever closed\nbody"),
        ("intro\n\n# T\nbody\n# Second", "T", "intro\n\nbody\n# Second"),
        ("```\n# comment\n```\n# T\nbody", "T", "```\n# comment\n```\nbody"),
        ("## Section\n#tag\nbody", "note", "## Section\n#tag\nbody"),
        ("\ufeff# T\nbody", "T", "body"),
        ("Title\n=====\nbody", "Title", "body"),
        ("intro\n\nTitle\n==\n\nPart *one*\n---\nbody", "Title", "intro\n\n\n## Part *one*\nbody"),
        ("# T\nbody\n\n---\nmore\n- item\n---", "T", "body\n\n---\nmore\n- item\n---"),
        ("```\nTitle\n=====\n```\nbody", "note", "```\nTitle\n=====\n```\nbody"),
        (
            "a | b\n-----\n" + "word " * 30 + "\n---\nend",
            "note",
            "a | b\n-----\n" + "word " * 30 + "\n---\nend",
        ),
        ("", "note", ""),
    ],
)
def test_a_first_heading_is_the_title(tmp_path: Path, markdown: str, title: str, text: str) -> None:
    (tmp_path / "note.md").write_text(markdown, encoding="utf-8")
    article = only_of(Article, read(str(tmp_path), {}))
    assert (article.title, article.text) == (title, text)


@pytest.mark.parametrize(
    ("plain", "title", "text"),
    [
        ("The valley railway\n\nIt opened in 1893.", "The valley railway", "It opened in 1893."),
        ("\n Engines (steam)\n=====\nThere were four.", "Engines (steam)", "There were four."),
        ("It opened in 1893.\n\nIt closed in 1951.", "note", "It opened in 1893.\n\nIt closed in 1951."),
        ("To the editor,\n\nIt closed.", "note", "To the editor,\n\nIt closed."),
        ("Slate\nCoal\nTimber", "note", "Slate\nCoal\nTimber"),
        ("Only a line\n\n", "note", "Only a line"),
        ("word " * 40 + "\n\nThe end", "note", "word " * 39 + "word \n\nThe end"),
        ("", "note", ""),
    ],
)
def test_a_first_line_by_itself_is_the_title(tmp_path: Path, plain: str, title: str, text: str) -> None:
    (tmp_path / "note.txt").write_text(plain, encoding="utf-8")
    article = only_of(Article, read(str(tmp_path), {}))
    assert (article.title, article.text) == (title, text)


@pytest.mark.parametrize("name", ["note.md", "note.txt"])
def test_wrapped_lines_are_whole_sentences(tmp_path: Path, name: str) -> None:
    text = (
        "Badger and Marten, both tank engines, were delivered by Orrin & Lake in\n"
        "1892. Heron was sold to a museum, they say, with all of its tools in\n"
        "Tallis in 1953.\n\nKestrel came in 1921.\n"
    )
    (tmp_path / name).write_text(text, encoding="utf-8")
    article = only_of(Article, read(str(tmp_path), {}))
    sentences = [article.text[start:end] for start, end in sentence_spans(article.text)]
    assert sentences == [
        "Badger and Marten, both tank engines, were delivered by Orrin & Lake in 1892.",
        "Heron was sold to a museum, they say, with all of its tools in Tallis in 1953.",
        "Kestrel came in 1921.",
    ]


def test_glob_keys_are_relative_to_its_fixed_part(tmp_path: Path) -> None:
    for name in ("x/a.txt", "y/a.txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(name)
    articles = all_of(Article, read(f"{tmp_path}/*/a.txt", {}))
    assert [article.key for article in articles] == ["x/a.txt", "y/a.txt"]


def test_comments_of_markdown_are_no_text(tmp_path: Path) -> None:
    text = "# Tower\n\n<!-- struck by lightning\nin 1950 -->The tower stands.\n\n```\n<!-- code -->\n```\n"
    (tmp_path / "a.md").write_text(text)
    article = only_of(Article, read(str(tmp_path), {}))
    assert "1950" not in article.text
    assert "The tower stands." in article.text
    assert "<!-- code -->" in article.text


def test_unusable_files_are_rejected_alone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9")
    (tmp_path / "b.pdf").write_bytes(b"%PDF")
    (tmp_path / ".hidden.txt").write_text("x")
    (tmp_path / "c.txt").write_text("good")
    *rejected, good = read(str(tmp_path), {})
    bad, unsupported = all_of(RejectedRecord, rejected)
    assert isinstance(good, Article)
    assert (bad.record, bad.reason) == ("a.txt", "byte 3, 0xe9, is not UTF-8")
    assert bad.remedy == "save the file as UTF-8"
    assert unsupported.record == "b.pdf"
    assert good.text == "good"


def test_folder_without_text_is_unusable(tmp_path: Path) -> None:
    (tmp_path / "b.pdf").write_bytes(b"%PDF")
    with pytest.raises(UnusableSourceError, match=r"no \.txt or \.md file"):
        list(read(str(tmp_path), {}))


@pytest.mark.real_data
def test_real_text_files_are_read(real_data: Path) -> None:
    articles = all_of(Article, read(str(real_data / "text" / "*.txt"), {}))
    assert [article.key for article in articles] == ["wikitext2_test.txt", "wikitext2_valid.txt"]
