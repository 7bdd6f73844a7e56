"""Wiki markup to plain text.

Pages are parsed with mwparserfromhell, whose time grows with the page's length times the number of its
unclosed openers (`<ref>`, `{|`, `{{` left open), and which crashes on a heading with tens of thousands of
equals signs. Where that product, the length alone, or a heading passes a limit, a scanner of linear time
takes the page instead. It drops and keeps the same things by the same marks, but knows no nesting rules
beyond matching each closer with the last opener of its kind; what stands behind an opener that is never
closed stays as text.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from typing import Any

# MediaWiki itself refuses to save pages longer than 2 MiB.
LONGEST_PARSED = 2 * 1024 * 1024
# Unclosed openers times characters: at the limit the parser takes up to about five seconds for a page.
MOST_PARSER_WORK = 20_000_000
# The parser calls itself at every `=` of a heading, and some ten thousands overflow its stack: a crash.
MOST_HEADING_MARKS = 1000
# The parser gives up at the same depth.
DEEPEST_LINK = 40

ENGLISH_DROPPED_NAMESPACES = frozenset({"file", "image", "media", "category"})
DROPPED_TAGS = frozenset(
    {
        "categorytree",
        "ce",
        "chem",
        "gallery",
        "graph",
        "hiero",
        "imagemap",
        "indicator",
        "inputbox",
        "mapframe",
        "maplink",
        "math",
        "ref",
        "references",
        "score",
        "script",
        "section",
        "style",
        "table",
        "templatedata",
        "templatestyles",
        "timeline",
    }
)
BREAKING_TAGS = frozenset(
    {"blockquote", "br", "center", "dd", "div", "dl", "dt", "hr", "li", "ol", "p", "poem", "pre", "tr", "ul"}
)
# Tags that stand without a closer.
SINGLE_TAGS = frozenset({"br", "dd", "dt", "hr", "img", "li", "link", "meta", "td", "th", "tr", "wbr"})

_MARK = re.compile(
    r"(?P<comment><!--|-->)|(?P<brace>\{\{|\}\})|(?P<link>\[\[|\]\])"
    r"|(?P<table>^[ \t:*#]*\{\||^[ \t]*\|\}(?!\}))"
    r"|<(?P<closing>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9]*)(?P<rest>[^<>]*)(?P<end>>?)",
    re.MULTILINE,
)
_EXTERNAL_LINK_START = re.compile(r"\[(?=(?:https?:|ftp:)?//)")
_EXTERNAL_LINK = re.compile(r"\[(?:https?:|ftp:)?//[^\s\[\]]+[ \t]*([^\[\]\n]*)\]")
_LIST_MARKS = re.compile(r"^[*#:;]+", re.MULTILINE)
_QUOTE_MARKS = re.compile(r"'{2,}")
_MAGIC_WORD = re.compile(r"__[A-Z]{3,}__")
# What a dropped template leaves of "Name (pronunciation; born 1900)" when nothing else stood there.
_EMPTY_BRACKETS = re.compile(r" \([ ,;]*\)")
# Links to the same page in other languages: [[fr:Anarchisme]].
_LANGUAGE_LINK = re.compile(r"(?:[a-z]{2,3}|simple)(?:-[a-z]+)*:")


def plain_text(markup: str, dropped_namespaces: frozenset[str]) -> str:
    """The visible text of a page, headings on lines of their own, at most one blank line in a row.

    Templates, tables, references, comments, formulas, and links into `dropped_namespaces` (lower case) are
    left out. Raises what the parser raises on markup that it cannot take.
    """
    import mwparserfromhell

    scanner = _LinearScanner(dropped_namespaces)
    scanner.scan(markup)
    if not _is_safe_to_parse(markup, scanner.unclosed):
        return _tidy(scanner.text())
    pieces: list[str] = []
    _collect(mwparserfromhell.parse(markup, skip_style_tags=True), dropped_namespaces, pieces)
    return _tidy("".join(pieces))


def _is_safe_to_parse(markup: str, unclosed: int) -> bool:
    if len(markup) > LONGEST_PARSED:
        return False
    link_starts = len(_EXTERNAL_LINK_START.findall(markup))
    unclosed_links = link_starts - len(_EXTERNAL_LINK.findall(markup)) if link_starts else 0
    unclosed_braces = max(0, markup.count("{") - markup.count("}"))
    if (unclosed + unclosed_links + unclosed_braces) * len(markup) > MOST_PARSER_WORK:
        return False
    return not any(
        line.startswith("=") and line.count("=") > MOST_HEADING_MARKS for line in markup.split("\n")
    )


def _collect(code: Any, dropped: frozenset[str], pieces: list[str]) -> None:
    from mwparserfromhell import nodes

    for node in code.nodes:
        match node:
            case nodes.Text():
                pieces.append(str(node.value))
            case nodes.Wikilink():
                _collect_link(node, dropped, pieces)
            case nodes.Tag():
                _collect_tag(node, dropped, pieces)
            case nodes.Heading():
                pieces.append("\n\n")
                _collect(node.title, dropped, pieces)
            case nodes.HTMLEntity():
                pieces.append(str(node.normalize()))
            case nodes.ExternalLink():
                if node.title is not None:
                    _collect(node.title, dropped, pieces)
                elif not node.brackets:
                    pieces.append(str(node.url))


def _collect_link(link: Any, dropped: frozenset[str], pieces: list[str]) -> None:
    target = str(link.title).strip()
    if _is_dropped_link(target, dropped, labelled=link.text is not None):
        return
    if link.text is None:
        pieces.append(target.removeprefix(":"))
    else:
        _collect(link.text, dropped, pieces)


def _is_dropped_link(target: str, dropped: frozenset[str], *, labelled: bool) -> bool:
    namespace, colon, _ = target.partition(":")
    if not colon:
        return False
    return namespace.strip().lower() in dropped or (not labelled and bool(_LANGUAGE_LINK.match(target)))


def _collect_tag(tag: Any, dropped: frozenset[str], pieces: list[str]) -> None:
    name = str(tag.tag).strip().lower()
    if name in DROPPED_TAGS:
        return
    # List marks at the head of a line are tags to the parser, too, and break no line.
    breaks = name in BREAKING_TAGS and (not tag.wiki_markup or name == "hr")
    if breaks:
        pieces.append("\n")
    if tag.contents:
        _collect(tag.contents, dropped, pieces)
        if breaks:
            pieces.append("\n")


class _LinearScanner:
    """Takes a page apart in one pass: its visible pieces, and how many openers were never closed."""

    def __init__(self, dropped_namespaces: frozenset[str]) -> None:
        self._dropped = dropped_namespaces
        self._pieces: list[str] = []
        self._open: list[tuple[str, int]] = []
        self._open_of_kind: Counter[str] = Counter()
        self.unclosed = 0

    def scan(self, markup: str) -> None:
        position = 0
        for mark in _MARK.finditer(markup):
            self._pieces.append(markup[position : mark.start()])
            position = mark.end()
            if mark["tag"]:
                self._take_tag(mark)
            else:
                kind = mark.lastgroup or ""
                if mark.group().strip() in {"-->", "}}", "]]", "|}"}:
                    self._close(kind)
                else:
                    self._push(kind)
        self._pieces.append(markup[position:])
        self.unclosed += len(self._open)

    def text(self) -> str:
        text = _EXTERNAL_LINK.sub(r"\1", "".join(self._pieces))
        lines = (_without_heading_marks(line) for line in _LIST_MARKS.sub("", text).split("\n"))
        return html.unescape("\n".join(lines))

    def _take_tag(self, mark: re.Match[str]) -> None:
        name = mark["tag"].lower()
        if not mark["end"]:
            # Perhaps a tag that lost its end, perhaps a less-than sign in the text.
            self._pieces.append(mark.group())
        elif name in BREAKING_TAGS:
            self._pieces.append("\n")
        if mark["closing"]:
            self._close(name)
        elif name not in SINGLE_TAGS and not mark["rest"].endswith("/"):
            self._push(name)

    def _push(self, kind: str) -> None:
        if kind == "link" and self._open_of_kind[kind] >= DEEPEST_LINK:
            return
        self._open.append((kind, len(self._pieces)))
        self._open_of_kind[kind] += 1

    def _close(self, kind: str) -> None:
        if not self._open_of_kind[kind]:
            return
        while True:
            opener, start = self._open.pop()
            self._open_of_kind[opener] -= 1
            if opener == kind:
                break
            self.unclosed += 1
        if kind in {"comment", "brace", "table"} or kind in DROPPED_TAGS:
            del self._pieces[start:]
        elif kind == "link":
            self._pieces[start:] = [self._link_text("".join(self._pieces[start:]))]

    def _link_text(self, link: str) -> str:
        target, labelled, label = link.partition("|")
        if _is_dropped_link(target.strip(), self._dropped, labelled=bool(labelled)):
            return ""
        return label if labelled else target.strip().removeprefix(":")


def _without_heading_marks(line: str) -> str:
    bare = line.strip()
    is_heading = len(bare) > 2 and bare[0] == bare[-1] == "="
    return f"\n{bare.strip('=').strip()}" if is_heading else line


def _tidy(text: str) -> str:
    # Numeric entities can name half a surrogate pair, which no UTF-8 file can store.
    text = text.encode("utf-8", "ignore").decode("utf-8")
    text = _MAGIC_WORD.sub("", _QUOTE_MARKS.sub("", text))
    lines: list[str] = []
    for line in text.split("\n"):
        tidied = _EMPTY_BRACKETS.sub("", " ".join(line.split()))
        if tidied or (lines and lines[-1]):
            lines.append(tidied)
    return "\n".join(lines).strip()
