"""Which rows of a plain table are its title, which name its columns, and which are notes below it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import NamedTuple

# A number with its marks, and perhaps a unit behind it; a year, which names a column as well.
_NUMBER = re.compile(r"\W{0,3}\d[\d.,' ]*[^\w.,' ]{0,3}[^\W\d_]{0,3}")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
# A table of fewer columns may have a name for one of them alone.
_TITLED = 3
# More rows than these are data, however their cells are merged.
_MOST_NAMES = 5
# So many columns of numbers tell that what stands above them in words are names.
_COLUMNS_OF_NUMBERS = 2

Rows = Sequence[Sequence[str]]


class TableLayout(NamedTuple):
    """How many first rows are the title, how many name the columns, and how many last ones are notes."""

    titles: int
    names: int
    notes: int


class Span(NamedTuple):
    """The first and the last row and column of cells that are merged, from 0."""

    top: int
    bottom: int
    left: int
    right: int


def layout_of(rows: Rows, spans: Collection[Span] = ()) -> TableLayout:
    """Return how the rows of a table are laid out. `spans`: the merged cells, each with the text of all."""
    widths = _widths(rows, spans)
    titles = _titles(rows, widths)
    names = max(_spanned_names(rows, spans, titles), _grouped_names(rows, titles))
    return TableLayout(titles, names, _notes(rows[titles + names :], widths[titles + names :]))


def _widths(rows: Rows, spans: Collection[Span]) -> list[int]:
    """Return how many cells of each row are filled; one that spans a row's whole is one."""
    widths = [sum(map(bool, map(str.strip, row))) for row in rows]
    for span in spans:
        is_filled = bool(rows[span.top][span.left].strip())
        if is_filled and span.right - span.left + 1 == widths[span.top]:
            widths[span.top : span.bottom + 1] = [1] * (span.bottom + 1 - span.top)
    return widths


def _titles(rows: Rows, widths: Sequence[int]) -> int:
    """Return how many lines that fill less than most rows stand above a row that names the columns.

    0 where there are fewer than three columns, or where that row has numbers, other than years, or the rows
    below it have none: a single name may be all that a header has.
    """
    counts = Counter(width for width in widths if width > 1)
    most = max(counts, key=lambda width: (counts[width], width), default=0)
    titles = 0
    while titles < len(rows) and _is_title(rows[titles], widths[titles], most):
        titles += 1
    if not any(widths[:titles]) or titles == len(rows):
        return 0
    names, below = rows[titles], rows[titles + 1 :]
    fills_all = widths[titles] >= most - (not names[0].strip()) and widths[titles] >= _TITLED - 1
    if fills_all and most >= _TITLED:
        stand_alone = all(width < 2 for width in widths[:titles])
        least = 1 if stand_alone and names[0].strip() else _COLUMNS_OF_NUMBERS
        return titles if not _has_number(names) and _columns_of_numbers(below, least) else 0
    return titles if _grouped_names(rows, titles) > 1 else 0


def _is_title(row: Sequence[str], width: int, most: int) -> bool:
    """Return whether a row may be a line of a title: text in its first cells, or nothing.

    A comma of a title's has a space behind it, or its parts are few.
    """
    filled = [cell for cell in row if cell.strip()]
    if width < 2 or not row[0].strip():
        return not filled or bool(row[0].strip())
    is_prose = all(cell[:1].isspace() for cell in filled[1:]) or 2 * width <= most
    return width < most and all(map(str.strip, row[:width])) and is_prose and not _has_number(filled)


def _columns_of_numbers(rows: Rows, least: int) -> bool:
    """Return whether so many columns have a number, most of their cells where several are looked for."""
    filled: Counter[int] = Counter()
    numbers: Counter[int] = Counter()
    for row in rows:
        for column, cell in enumerate(row):
            if cell.strip():
                filled[column] += 1
                numbers[column] += _has_number([cell])
    share = 0.5 if least > 1 else 0.0
    return sum(numbers[column] > share * filled[column] for column in filled) >= least


def _spanned_names(rows: Rows, spans: Collection[Span], titles: int) -> int:
    """Return how many rows name the columns by merged cells: as far down as those of the first row reach.

    One row stands under a name that spans columns, if it has no numbers and what follows has some.
    """
    last = titles
    if last >= len(rows) or _has_number(rows[last]):
        return 1
    while True:
        over = [span for span in spans if titles <= span.top <= last <= span.bottom]
        reach = max((span.bottom for span in over), default=last)
        if reach == last and any(span.right > span.left for span in over):
            reach += _columns_of_numbers(rows[last + 2 :], 1)
        too_far = reach >= min(len(rows) - 1, titles + _MOST_NAMES)
        if reach == last or too_far or any(map(_has_number, rows[last + 1 : reach + 1])):
            return last - titles + 1
        last = reach


def _grouped_names(rows: Rows, titles: int) -> int:
    """Return 2 where a row with gaps between its names stands over one that fills these; else 1.

    The second is in words or years, each name of a group its own, the column that names rows is named in one
    of the two, and there are several columns of numbers below.
    """
    if len(rows) < titles + 3 or _has_number([*rows[titles], *rows[titles + 1]]):
        return 1
    first, second = ([cell.strip() for cell in row] for row in rows[titles : titles + 2])
    width = max(len(first), len(second))
    first, second = (row + [""] * (width - len(row)) for row in (first, second))
    groups = list(accumulate(first, _last_told))
    fills_gaps = not all(first) and all(above or under for above, under in zip(first, second, strict=True))
    is_over = any(above and under for above, under in zip(first[1:], second[1:], strict=True))
    are_own = len({*zip(groups, second, strict=True)}) == width
    if not (fills_gaps and is_over and are_own) or (first[0] and second[0]):
        return 1
    return 2 if _columns_of_numbers(rows[titles + 2 :], _COLUMNS_OF_NUMBERS) else 1


def _last_told(before: str, name: str) -> str:
    return name or before


def _notes(rows: Rows, widths: Sequence[int]) -> int:
    """Return how many last rows are notes: first cells alone that read unlike the fuller ones above."""
    end = len(rows)
    while end and widths[end - 1] < 2 and (not widths[end - 1] or rows[end - 1][0].strip()):
        end -= 1
    above = [row[0].strip() for row in rows[:end]]
    if not end or max(widths[:end]) < _TITLED or min(widths[:end]) < 2:
        return 0
    while end < len(rows) and widths[end] and not _reads_unlike(rows[end][0].strip(), above):
        end += 1
    return len(rows) - end if any(widths[end:]) else 0


def _reads_unlike(text: str, names: Sequence[str]) -> bool:
    """Return whether a text is no name like others: by its first mark, its stops, or how many words it is."""
    marked = not text[0].isalnum() and all(name[:1] != text[0] for name in names)
    stopped = any(
        mark in f"{text} " and not any(mark in f"{name} " for name in names) for mark in (":", ". ", "; ")
    )
    return marked or stopped or len(text.split()) > max(len(name.split()) for name in names)


def _has_number(cells: Sequence[str]) -> bool:
    """Return whether some cell is a number, other than a year."""
    texts = map(str.strip, cells)
    return any(_NUMBER.fullmatch(text) is not None and _YEAR.fullmatch(text) is None for text in texts)
