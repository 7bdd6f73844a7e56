"""What the readers of graphs share: rows of tables, relations mapped to ours, edges by keys."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from evidence_assets.sources.files import Line, text_lines
from evidence_assets.sources.reading import Row, records_of, unreadable
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple, TripleSource
from evidence_assets.sources.validation import RecordRejectedError

# Python converts no number of thousands of digits, and no table holds one of twenty.
WHOLE_NUMBER = re.compile(r"[0-9]{1,18}")
_OTHER_FILE = "name a file of this format, with its header as the first line"
_DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}
GraphRecords: TypeAlias = Iterator[Triple | ConceptRecord | RejectedRecord]


class Reading(NamedTuple):
    """Mapping of a source's relation to one of ours; `backwards`: from its second end to its first."""

    relation: str
    backwards: bool = False

    def triple(self, first: str, second: str, record: str, source: str = "") -> Triple:
        """The triple of two keys that the source names in this order."""
        head, tail = (second, first) if self.backwards else (first, second)
        return keyed_triple(head, self.relation, tail, record, source)


def stated_at(record: str, source: str = "") -> tuple[TripleSource, ...]:
    """The single provenance of a triple of a source that gives no licence of its own."""
    return (TripleSource(source=source, record=record, licence=""),)


def keyed_triple(head: str, relation: str, tail: str, record: str, source: str = "") -> Triple:
    """A triple between two concepts' keys, with a single provenance."""
    return Triple(head, relation, tail, sources=stated_at(record, source), by_key=True)


def unmapped(counts: Mapping[str, int], kind: str) -> Iterator[RejectedRecord]:
    """One rejection for every relation that has no counterpart here, with the number of its edges."""
    for name, count in sorted(counts.items()):
        yield RejectedRecord(
            f"{kind} {name}",
            f"edges of a relation without a counterpart here: {count:,}",
            "nothing to mend in the source; to keep them, map the relation in the reader of this format",
        )


def finite_number(value: object, remedy: str) -> float:
    """A weight as a number.

    Raises:
        RecordRejectedError: it is neither a finite number, nor the text of one.
    """
    try:
        weight = math.nan if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        weight = math.nan
    if not math.isfinite(weight):
        raise RecordRejectedError(f"weight is {value!r:.60}, not a finite number", remedy)
    return weight


def check_count(values: Sequence[str], expected: int, remedy: str) -> None:
    """Refuse a line of another number of columns.

    Raises:
        RecordRejectedError: it has more or fewer.
    """
    if len(values) != expected:
        raise RecordRejectedError(f"{len(values)} columns where {expected} are expected", remedy)


def rows(
    uri: str,
    columns: Sequence[str],
    *,
    delimiter: str = "\t",
    quoted: bool = False,
    remedy: str = _OTHER_FILE,
) -> Iterator[Row[str] | RejectedRecord]:
    """The rows under a header that names `columns`, in any order and among others.

    A row is one line, also where values may be quoted: a quote that does not end spoils its own line alone.
    Blank lines, and lines that begin with #, are passed over; a line with another number of values than the
    header is rejected.

    Raises:
        UnusableSourceError: the file is missing or breaks off, or its header lacks a column; `remedy` is what
            to do then.
    """
    header: list[str] = []

    def row(line: Line) -> Iterator[Row[str]]:
        if not line.text.strip(" ") or line.text.startswith("#"):
            return
        values = _quoted_values(line.text, delimiter) if quoted else line.text.split(delimiter)
        if header:
            check_count(values, len(header), "correct the line: the header says which columns there are")
            yield Row(line.number, line.place, dict(zip(header, values, strict=True)))
        else:
            header.extend(name.strip() for name in values)
            _check_header(uri, header, columns, remedy, delimiter)

    yield from records_of(text_lines(uri), row)
    if not header:
        _check_header(uri, header, columns, remedy, delimiter)


def _quoted_values(content: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([content], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise RecordRejectedError(
            f"broken quotes: {error}", "close the quote, and double quotes within quotes"
        ) from error


def _check_header(
    uri: str, header: Sequence[str], columns: Sequence[str], remedy: str, delimiter: str
) -> None:
    if missing := [name for name in columns if name not in header]:
        others = [mark for mark in _DELIMITERS if mark != delimiter and mark in "".join(header)]
        if len(header) == 1 and others:
            remedy = f"part the columns by {_DELIMITERS[delimiter]}, not by {_DELIMITERS[others[0]]}"
        if not header:
            remedy = f"the file is empty: name the columns in its first line, {delimiter.join(columns)}"
        reason = f"no column {', '.join(missing)} in the header; it has {', '.join(header) or 'none'}"
        raise unreadable(uri, reason, remedy)
    if repeated := [name for name in columns if header.count(name) > 1]:
        reason = f"the header names {', '.join(repeated)} more than once"
        raise unreadable(uri, reason, "give every column a name of its own")
