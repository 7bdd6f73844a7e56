"""Rejected records: as many as are told of one by one, how many there are, and their rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

import pyarrow as pa

from evidence_assets.lake.schemas import REJECTED_RECORDS
from evidence_assets.sources.records import RejectedRecord

# Of one source: records told of one by one, reasons that more of them are counted by, and characters of both.
MOST_LISTED = 10_000
MOST_REASONS = 1_000
MOST_CHARACTERS = 1 << 24
OTHER_REASONS = "other reasons, too many to count apart"
# Of them so many are told where there is one line for all.
_SHOWN = 3
# Numbers and quoted names.
_VARYING = re.compile(r"(?<![\w-])(?:0x[0-9a-f]+|\d[\d,.]*\d|\d)\b|(?<!\w)'[^']*'")
_OTHER_REMEDY = "mend what is listed, and read the source again"


class Rejections:
    """What was rejected of one source: the first records one by one, the others counted by their reasons.

    It takes no more memory for more records. Iterate it for what there is to tell: `how_many` of it is exact.
    """

    def __init__(self, rejected: Iterable[RejectedRecord] = ()) -> None:
        self._listed: list[RejectedRecord] = []
        self._more: Counter[str] = Counter()
        self._remedies: dict[str, str] = {}
        self._room = MOST_CHARACTERS
        for record in rejected:
            self.add(record)

    def add(self, rejected: RejectedRecord) -> None:
        """Tell of one more."""
        if len(self._listed) < MOST_LISTED and self._takes(rejected):
            self._listed.append(rejected)
            return
        reason = rejected.reason
        if reason not in self._remedies:
            if len(self._remedies) < MOST_REASONS and self._takes(rejected):
                self._remedies[reason] = rejected.remedy
            else:
                reason = OTHER_REASONS
        self._more[reason] += rejected.records

    def _takes(self, rejected: RejectedRecord) -> bool:
        """Return whether there is room for what is said of a record, and take it."""
        if self._room <= 0:
            return False
        self._room -= len(rejected.record) + len(rejected.reason) + len(rejected.remedy)
        return True

    def __iter__(self) -> Iterator[RejectedRecord]:
        yield from self._listed
        for reason, count in self._more.items():
            remedy = self._remedies.get(reason, _OTHER_REMEDY)
            yield RejectedRecord(f"and {count:,} more", reason, remedy, count)


def how_many(rejected: Iterable[RejectedRecord]) -> int:
    """Return how many records were rejected."""
    return sum(record.records for record in rejected)


def kind_of_reason(reason: str) -> str:
    """Return a reason without its numbers and quoted names: two bytes that are not UTF-8 are one reason."""
    return _VARYING.sub("…", reason)


def left_out_of(name: str, rejected: Sequence[RejectedRecord]) -> str:
    """Return what is said of what was left out of a source: how many records, and the first ones' reasons."""
    count = how_many(rejected)
    first = "; ".join(
        f"{record.record}: {record.reason}; remedy: {record.remedy}" for record in rejected[:_SHOWN]
    )
    more = "; …" if len(rejected) > _SHOWN else ""
    records = "record" if count == 1 else "records"
    return f"{name}: {count:,} {records} left out (see rejected_records): {first}{more}"


def source_of_graph(name: str) -> str:
    """Return the `source` of a graph's rejections, distinct from that of a benchmark of the same name."""
    return f"graph:{name}"


def none_usable(kind: str, rejected: Sequence[RejectedRecord]) -> str:
    """Return what is said where none of some records is of a kind ("an article"): how many, and why not."""
    first, count = rejected[0], how_many(rejected)
    none = f"its only record is no{kind.removeprefix('an').removeprefix('a')}"
    none = none if count == 1 else f"none of {count:,} records is {kind}"
    return f"{none}; the first, {first.record}: {first.reason}; remedy: {first.remedy}"


def rejected_rows(source: str, uri: str, rejected: Iterable[RejectedRecord]) -> pa.Table:
    """Return `rejected_records` rows, a row each: what shares place and reason is numbered.

    A place that repeats is a key that repeats: each of its records is lost, and each is counted. The column
    `records` is null where a row tells of one record.
    """
    rows: dict[tuple[str, str], dict[str, object]] = {}
    numbers: dict[tuple[str, str], int] = {}
    for record in rejected:
        named = (record.record, record.reason)
        place, number = record.record, numbers.get(named, 1)
        while (place, record.reason) in rows:
            number += 1
            place = f"{record.record} ({number})"
        numbers[named] = number
        told = {"record": place, "records": None if record.records == 1 else record.records}
        rows[place, record.reason] = {"source": source, **asdict(record), **told, "source_uri": uri}
    return pa.Table.from_pylist(list(rows.values()), schema=REJECTED_RECORDS.schema)
