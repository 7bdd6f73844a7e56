"""Lines of text files joined to the paragraphs that they were broken from.

A line break that only keeps lines short ends no sentence. In Markdown the syntax says which those are (soft
line breaks, https://spec.commonmark.org/0.31.2/#soft-line-breaks); in plain text the lengths of lines tell,
and sentences that go on in the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r" {0,3}(```|~~~)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
# A list within a paragraph begins with 1: "in\n1893. Then" is none.
_ITEM_IN_PARAGRAPH = re.compile(r"\s*(?:[-*+]|1[.)])\s")
_ITEM_OF_PLAIN_TEXT = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s")
# Headings and their underlines, tags, rules, quotes, HTML, and rows of tables.
_STANDS_ALONE = re.compile(r" {0,3}(?:#|[=\-_*]{2,}\s*$|[>|<])|.*\|")
_COMMENT = re.compile(r"^ {0,3}(?P<fence>```|~~~).*?^ {0,3}(?P=fence)|<!--.*?-->", re.MULTILINE | re.DOTALL)
_UNDERLINE = re.compile(r" {0,3}(?:(=)=+|--+)[ \t]*$")
# More is a paragraph above a rule.
_LONGEST_HEADING = 120
_INDENTED_CODE = re.compile(r" {4}|\t")
_HARD_BREAK = re.compile(r"(?: {2}|\\)$")
_ENDS_SENTENCE = re.compile(r"[.!?…:;][\"'”’»)\]]*$")
# Lines of verse, of addresses and of most lists are shorter.
_NARROWEST_WRAPPED = 40


def without_comments(markdown: str) -> str:
    """Return Markdown without its comments, which no reader of the page sees; those of code blocks stay."""
    return _COMMENT.sub(lambda match: match[0] if match["fence"] else "", markdown)


def marked_headings(markdown: str) -> str:
    """Return joined Markdown, its underlined headings written as marked ones: `# Title`, `## Part`."""
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if mark and fence in {"", mark[1]}:
            fence = "" if fence else mark[1]
        underline = None if fence else _UNDERLINE.match(line)
        if underline and lines and _may_be_heading(lines[-1]):
            lines[-1] = f"{'#' if underline[1] else '##'} {lines[-1].strip()}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _may_be_heading(line: str) -> bool:
    is_other = _STANDS_ALONE.match(line) or _ITEM.match(line) or _INDENTED_CODE.match(line)
    return bool(line.strip()) and not is_other and len(line.strip()) <= _LONGEST_HEADING


def joined_markdown(text: str) -> str:
    """Return Markdown with a space for every soft line break of its paragraphs and its lists' items."""
    joined: list[str] = []
    fence = ""
    goes_on = is_item = False
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        is_prose = not (fence or mark) and bool(line.strip()) and _STANDS_ALONE.match(line) is None
        if mark and fence in {"", mark[1]}:
            fence = "" if fence else mark[1]
        if goes_on and is_prose and not (_ITEM if is_item else _ITEM_IN_PARAGRAPH).match(line):
            joined[-1] = f"{joined[-1].rstrip()} {line.lstrip()}"
        else:
            joined.append(line)
            is_item = _ITEM.match(line) is not None
            is_prose = is_prose and (is_item or _INDENTED_CODE.match(line) is None)
        goes_on = is_prose and _HARD_BREAK.search(line) is None
    return "\n".join(joined)


def joined_lines(text: str) -> str:
    """Return plain text with a space for every line break that only keeps its lines to their width.

    After such a line, the first word of the next would not have fitted into the text's longest line. Where
    most breaks within paragraphs are not of this kind, the text was not wrapped to a width. Lines of other
    lengths are joined that end within a sentence, where most such go on in lower case.
    """
    lines = text.split("\n")
    inner = [place for place in range(len(lines) - 1) if lines[place].strip() and lines[place + 1].strip()]
    wrapped, unfinished = set(_wrapped(lines, inner)), set(_unfinished(lines, inner))
    if 2 * len(wrapped) < len(inner):
        wrapped = set()
    if 2 * sum(lines[place + 1].lstrip()[0].islower() for place in unfinished) >= len(unfinished):
        wrapped |= unfinished
    joined = lines[:1]
    for place, line in enumerate(lines[1:]):
        if place in wrapped:
            joined[-1] = f"{joined[-1].rstrip()} {line.lstrip()}"
        else:
            joined.append(line)
    return "\n".join(joined)


def _unfinished(lines: list[str], inner: list[int]) -> Iterator[int]:
    """Yield which of these lines are as long as prose and end within a sentence."""
    for place in inner:
        line = lines[place].strip()
        is_prose = len(line) >= _NARROWEST_WRAPPED and " " in line and _ENDS_SENTENCE.search(line) is None
        if is_prose and _ITEM_OF_PLAIN_TEXT.match(lines[place + 1]) is None:
            yield place


def _wrapped(lines: list[str], inner: list[int]) -> Iterator[int]:
    """Yield which of these lines end where the next one's first word would not have fitted."""
    width = max(len(line.rstrip()) for line in lines)
    if width < _NARROWEST_WRAPPED:
        return
    for place in inner:
        line, following = lines[place].rstrip(), lines[place + 1]
        # A line without spaces is no line of words: another script, a rule, an address.
        is_full = " " in line.strip() and len(line) + 1 + len(following.split()[0]) > width
        if is_full and _ITEM_OF_PLAIN_TEXT.match(following) is None:
            yield place
