"""MediaWiki exports: what is kept of a page, which pages are not articles, and broken files."""

from __future__ import annotations

import bz2
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from evidence_assets.sources.articles.mediawiki_xml import read
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets_tests.testing.records_read import all_of, only_of

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="de">
<siteinfo><sitename>W</sitename><base>https://de.wikipedia.org/wiki/Hauptseite</base>
<namespaces><namespace key="0" /><namespace key="6">Datei</namespace>
<namespace key="14">Kategorie</namespace></namespaces></siteinfo>
"""
TAIL = "</mediawiki>\n"


def page(
    number: int, title: str, markup: str, namespace: int = 0, redirect: str = "", revision: str = ""
) -> str:
    target = f'<redirect title="{escape(redirect)}" />' if redirect else ""
    return (
        f"<page><title>{escape(title)}</title><ns>{namespace}</ns><id>{number}</id>{target}"
        f"<revision><id>{number}00</id>{revision}<text>{escape(markup)}</text></revision></page>\n"
    )


def export(folder: Path, *pages: str) -> str:
    path = folder / "export.xml"
    path.write_text(HEAD + "".join(pages) + TAIL, encoding="utf-8")
    return str(path)


def test_reads_identity_address_and_text(tmp_path: Path) -> None:
    uri = export(tmp_path, page(7, "Käse & Brot", "'''Käse''' ist [[Milch|milchig]]."))
    assert list(read(uri, {})) == [
        Article(
            key="7",
            title="Käse & Brot",
            text="Käse ist milchig.",
            url="https://de.wikipedia.org/wiki/K%C3%A4se_%26_Brot",
            revision="700",
        )
    ]


def test_redirects_and_other_namespaces_are_told(tmp_path: Path) -> None:
    uri = export(
        tmp_path,
        page(1, "Old", "#REDIRECT [[New]]", redirect="New"),
        page(2, "Untagged", "#redirect [[New|x]]"),
        page(3, "Talk:New", "words", namespace=1),
        page(4, "New", "words"),
    )
    *others, article = read(uri, {})
    rejected = all_of(RejectedRecord, others)
    assert [(record.record, record.reason) for record in rejected] == [
        ("page 1 ('Old') to New", "a redirect"),
        ("page 2 ('Untagged') to New", "a redirect"),
        ("page 3 ('Talk:New')", "namespace 1"),
    ]
    assert all("none needed" in record.remedy for record in rejected)
    assert isinstance(article, Article)
    assert article.key == "4"


def test_latest_revision_is_read(tmp_path: Path) -> None:
    revised = page(1, "A", "old").replace(
        "</page>", "<revision><id>101</id><text>new</text></revision></page>"
    )
    article = only_of(Article, read(export(tmp_path, revised), {}))
    assert (article.text, article.revision) == ("new", "101")


def test_unreadable_revisions_are_rejected_alone(tmp_path: Path) -> None:
    uri = export(
        tmp_path,
        page(1, "Bad", "x", revision="<timestamp>yesterday</timestamp>"),
        page(2, "Model", "{}", revision="<model>json</model>"),
        page(3, "Gone", "").replace("<text>", '<text deleted="deleted">'),
        page(4, "Good", "words"),
    )
    *rejected, good = read(uri, {})
    bad, model, gone = all_of(RejectedRecord, rejected)
    assert isinstance(good, Article)
    assert "unreadable revision" in bad.reason
    assert "json" in model.reason
    assert "deleted" in gone.reason
    assert good.text == "words"


def test_page_whose_markup_fails_is_rejected_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import mwparserfromhell
    from mwparserfromhell.parser import ParserError

    parse = mwparserfromhell.parse
    bug: Callable[[str], Exception] = ParserError

    def failing(markup: str, *, skip_style_tags: bool) -> object:
        if markup == "bad":
            raise bug("bug")
        return parse(markup, skip_style_tags=skip_style_tags)

    monkeypatch.setattr(mwparserfromhell, "parse", failing)
    uri = export(tmp_path, page(1, "A", "one"), page(2, "B", "bad"), page(3, "C", "three"))
    first, rejected, last = read(uri, {})
    assert isinstance(first, Article)
    assert isinstance(last, Article)
    assert (first.text, last.text) == ("one", "three")
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record == "page 2 ('B')"


def test_truncated_bz2_names_the_last_page(tmp_path: Path) -> None:
    import random

    letters = random.Random(1)
    body = HEAD + "".join(
        page(n, f"Page {n}", "".join(letters.choices("abcdefgh ", k=50_000))) for n in range(1, 61)
    )
    compressed = bz2.compress(body.encode())
    path = tmp_path / "cut.xml.bz2"
    path.write_bytes(compressed[: len(compressed) * 2 // 3])
    records = read(str(path), {})
    read_before: list[Article | RejectedRecord] = []
    with pytest.raises(UnusableSourceError, match=r"after page (\d+) .*Remedy: fetch") as raised:
        read_before.extend(records)
    assert raised.value.file == str(path)
    last = read_before[-1]
    assert isinstance(last, Article)
    assert f"page {last.key} " in raised.value.record


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (HEAD + page(1, "A", "x") + "<page><title>B</titel>", r"after page 1 \('A'\): broken MediaWiki XML"),
        (HEAD + page(1, "A", "x") + "<page><title>B", r"after page 1 \('A'\): broken MediaWiki XML"),
        (HEAD + "<surprise/>" + TAIL, "broken MediaWiki XML"),
        ("<html></html>", "<html> where <mediawiki> is expected"),
        ("", "broken MediaWiki XML"),
    ],
)
def test_broken_export_is_unusable(tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "broken.xml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UnusableSourceError, match=reason):
        list(read(str(path), {}))


def test_bytes_that_are_not_utf8_are_unusable(tmp_path: Path) -> None:
    path = tmp_path / "bytes.xml"
    path.write_bytes((HEAD + page(1, "A", "x") + page(2, "B", "%%")).encode().replace(b"%%", b"\xff\xfe"))
    with pytest.raises(UnusableSourceError, match="invalid token"):
        list(read(str(path), {}))


@pytest.mark.integration
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    uri = export(tmp_path, *(page(n, f"Page {n}", "words and more words " * 500) for n in range(1, 2001)))
    assert Path(uri).stat().st_size > 20_000_000
    tracemalloc.start()
    try:
        first = next(read(uri, {}))
        assert isinstance(first, Article)
        assert first.key == "1"
        assert sum(1 for _ in read(uri, {})) == 2000
        assert tracemalloc.get_traced_memory()[1] < 6_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.integration
def test_very_long_article_does_not_hang(tmp_path: Path) -> None:
    line = "The quick fox [[jumps|leaps]] over {{convert|1|m}} the '''lazy''' dog.<ref>x</ref>\n\n"
    uri = export(tmp_path, page(1, "Long", line * (20_000_000 // len(line))))
    started = time.perf_counter()
    article = only_of(Article, read(uri, {}))
    assert time.perf_counter() - started < 60
    assert article.text.startswith("The quick fox leaps over the lazy dog.\n\nThe quick")


@pytest.mark.integration
@pytest.mark.real_data
def test_a_real_export_is_read(real_data: Path) -> None:
    records = list(read(str(real_data / "text" / "enwiki-pages-articles-shortened.xml.bz2"), {}))
    articles = [record for record in records if isinstance(record, Article)]
    assert (len(articles), len(records)) == (106, 206)
    rejected = [record for record in records if isinstance(record, RejectedRecord)]
    assert sum(record.reason == "a redirect" for record in rejected) == 100
    anarchism = next(article for article in articles if article.title == "Anarchism")
    assert anarchism.key == "12"
    assert anarchism.url == "https://en.wikipedia.org/wiki/Anarchism"
    assert anarchism.text.startswith(
        "Anarchism is a political philosophy that advocates self-governed societies"
    )
    assert "\n\nEtymology and terminology\n" in anarchism.text
    left_over = [
        (article.title, mark)
        for article in articles
        for mark in ("[[File:", "[[Category:", "<ref", "{|", "<!--")
        if mark in article.text
    ]
    assert left_over == []
