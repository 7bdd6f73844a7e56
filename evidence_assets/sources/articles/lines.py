"""Articles from a text file with one document a line."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.sources.files import text_lines
from evidence_assets.sources.reading import file_reader
from evidence_assets.sources.records import Article, RejectedRecord


@file_reader
def read(uri: str, key_prefix: str) -> Iterator[Article | RejectedRecord]:
    """One article a line, without title; double quotes around a whole line are stripped.

    The key is the line's number, behind the file's name where there are several files. Blank lines are
    ignored, and a line that is not UTF-8 is rejected alone.
    """
    for line in text_lines(uri):
        if isinstance(line, RejectedRecord):
            yield line
        elif text := _unquoted(line.text.strip()):
            yield Article(key=f"{key_prefix}{line.number}", title="", text=text)


def _unquoted(line: str) -> str:
    """The line without the quotes around it, unless they belong to two quotations at its ends."""
    inner = line[1:-1]
    wrapped = len(line) > 1 and line[0] == line[-1] == '"' and '"' not in inner.replace('""', "")
    return inner.replace('""', '"').strip() if wrapped else line
