"""Pipe tables from Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_assets.sources.records import RejectedRecord, TableRecord
from evidence_assets.sources.tables.reading import Tables, of_text

_RULE = re.compile(r"\s{0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*?)\s*#*\s*")
# A bar inside a code span, or behind a backslash, parts no cells.
_PART = re.compile(r"\\.|`[^`]*`|\|")


@of_text
def markdown_tables(text: str, name: str) -> Tables:
    """Yields every pipe table of a file, its key the file's name and the table's number from 1.

    Its caption is the last line above it that begins with "Table", else the last heading. Tables in fenced
    code are passed over. Empty names are no header.
    """
    number = 0
    for number, (caption, (names, *rows)) in enumerate(_captioned(text.splitlines()), start=1):
        yield TableRecord(f"{name}#{number}", caption, (names,) if any(names) else (), tuple(rows))
    if not number:
        remedy = "write a row of names, a row of dashes and the data, their cells parted by bars"
        yield RejectedRecord(name, "the file has no pipe table", remedy)


def _captioned(lines: list[str]) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    caption, fence, position = "", "", 0
    while position < len(lines):
        line = lines[position]
        fenced = _FENCE.match(line)
        if fenced and (not fence or fenced[1].startswith(fence)):
            fence = "" if fence else fenced[1]
        elif not fence and _begins(lines, position):
            rows = [_cells(line)]
            position += 2
            while position < len(lines) and "|" in lines[position]:
                rows.append(_cells(lines[position]))
                position += 1
            yield caption, rows
            caption = ""
            continue
        elif not fence:
            heading = _HEADING.fullmatch(line)
            stated = line.strip().strip("*_ ")
            caption = heading[1] if heading else stated if stated.lower().startswith("table") else caption
        position += 1


def _begins(lines: list[str], position: int) -> bool:
    if "|" not in lines[position] or position + 1 >= len(lines):
        return False
    rule = lines[position + 1]
    return (
        "-" in rule
        and _RULE.fullmatch(rule) is not None
        and len(_cells(rule)) == len(_cells(lines[position]))
    )


def _cells(line: str) -> tuple[str, ...]:
    inside = line.strip()
    inside = inside.removeprefix("|")
    if inside.endswith("|") and not inside.endswith("\\|"):
        inside = inside[:-1]
    cells, start = [], 0
    for match in _PART.finditer(inside):
        if match[0] == "|":
            cells.append(inside[start : match.start()])
            start = match.end()
    cells.append(inside[start:])
    return tuple(cell.strip().replace("\\|", "|") for cell in cells)
