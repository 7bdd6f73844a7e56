"""Plain text of wiki markup: known answers, the same from the parser and from the linear scanner."""

from __future__ import annotations

import time

import pytest

from evidence_assets.sources.articles import wiki_markup
from evidence_assets.sources.articles.wiki_markup import ENGLISH_DROPPED_NAMESPACES, plain_text

KNOWN = {
    "'''Bold''' and ''italic''": "Bold and italic",
    "[[Cat]]s and [[Dog|hounds]]": "Cats and hounds",
    "before {{infobox|a={{nested|b}}}} after": "before after",
    "a<ref>one</ref> b<ref name=x /> c<ref name=x>two</ref>": "a b c",
    "seen <!-- not [[seen]] --> again": "seen again",
    "lead\n== Head ==\nbody": "lead\n\nHead\nbody",
    "one\n{| class=x\n|-\n| cell || cell\n|}\ntwo": "one\n\ntwo",
    "x\n<table><tr><td>cell</td></tr></table>\ny": "x\n\ny",
    "[[File:a.jpg|thumb|A [[linked]] caption]]text": "text",
    "[[Image:a.jpg]]text [[Category:Things]]": "text",
    "[[:Category:Things]]": "Category:Things",
    "words [[fr:Mots]]": "words",
    "* one\n* two\n# three": "one\ntwo\nthree",
    "[http://example.org/a label] and [http://example.org/b]": "label and",
    "1&nbsp;m &amp; more &lt;": "1 m & more <",
    "one<br />two": "one\ntwo",
    "E <math>E=mc^2</math> is": "E is",
    "Name ({{lang|x}}; ) born": "Name born",
    "__NOTOC__text\n\n\n\n\nmore": "text\n\nmore",
    "a < b and c > d": "a < b and c > d",
    "": "",
}


@pytest.mark.parametrize("longest", [wiki_markup.LONGEST_PARSED, -1], ids=["parser", "scanner"])
@pytest.mark.parametrize("markup", KNOWN)
def test_markup_becomes_its_plain_text(monkeypatch: pytest.MonkeyPatch, markup: str, longest: int) -> None:
    monkeypatch.setattr(wiki_markup, "LONGEST_PARSED", longest)
    assert plain_text(markup, ENGLISH_DROPPED_NAMESPACES).split() == KNOWN[markup].split()
    if longest > 0:
        assert plain_text(markup, ENGLISH_DROPPED_NAMESPACES) == KNOWN[markup]


@pytest.mark.parametrize(
    "repeated",
    [
        "<ref>",
        "{{a|<b>}}",
        "\n{|\n|-\n|a||b",
        "[http://x.com a ",
        "<div a=",
        "{{{|}}",
        "<!--",
        "[[",
        "{{",
        "= ",
    ],
)
def test_marks_left_open_take_seconds_not_hours(repeated: str) -> None:
    markup = f"{repeated} word " * 40_000
    started = time.perf_counter()
    assert plain_text(markup, ENGLISH_DROPPED_NAMESPACES)
    assert time.perf_counter() - started < 20


def test_half_a_surrogate_pair_is_left_out() -> None:
    assert plain_text("half &#xD800; pair", ENGLISH_DROPPED_NAMESPACES) == "half pair"


def test_words_behind_a_mark_never_closed_are_kept() -> None:
    markup = "before <ref> {{ [[ after " * 2000
    assert plain_text(markup, ENGLISH_DROPPED_NAMESPACES).split() == ["before", "after"] * 2000
