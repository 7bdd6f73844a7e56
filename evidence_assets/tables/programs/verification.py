"""What a table says of a claim, by the most particular program that the claim may stand for."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from evidence_assets.tables.programs.candidate import Candidate
from evidence_assets.tables.programs.candidates import programs
from evidence_assets.tables.programs.reading import Reading, read
from evidence_assets.tables.programs.reliability import UNDECIDED_KINDS, confidence
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.words import tokens
from evidence_assets.tables.table import Table

KEPT_INDEXES = 8


@dataclass(frozen=True)
class Verdict:
    """What a program found.

    `supported`: None where there is not enough information: no program is grounded, or only one of a kind
    that tells nothing. `confidence`: in [0, 1], how often its kind was right; 0 where undecided. `program`:
    readable. `cells`: those used, by row and column, the header's as row -1. `trace`: how it came about.
    `coverage`: share of the claim's content words that stand in the table.
    """

    supported: bool | None
    confidence: float
    program: str
    kind: str
    cells: tuple[tuple[int, int], ...]
    trace: tuple[str, ...]
    coverage: float


def verify(claim: str, table: Table) -> Verdict:
    """Return the verdict of the best program, one without support where there is none."""
    reading = read(claim, _index(table))
    for one in programs(reading):
        if one.kind not in UNDECIDED_KINDS:
            return _verdict(reading, one)
    trace = _links_told(reading)
    return Verdict(None, 0.0, "", "none", (), trace, round(reading.linked.coverage, 4))


def rank_programs(claim: str, table: Table) -> list[Verdict]:
    """Return the verdict of every grounded program, the most particular kind first."""
    reading = read(claim, _index(table))
    return [_verdict(reading, one) for one in programs(reading)]


def row_coverage(claim: str, table: Table) -> tuple[float, int]:
    """Return the largest share of the claim's content words that one row holds, and that row.

    The first of rows that hold as many; (0, -1) for a table without rows or a claim without words.
    """
    index = _index(table)
    said = {token.key for token in tokens(claim) if not token.stop}
    held = [
        len(said.intersection(key for column in range(table.columns) for key in index.keys[row, column]))
        for row in range(len(table.rows))
    ]
    if not said or not held:
        return 0.0, -1
    most = max(held)
    return most / len(said), held.index(most)


def _verdict(reading: Reading, one: Candidate) -> Verdict:
    undecided = one.kind in UNDECIDED_KINDS
    return Verdict(
        None if undecided else one.supported,
        0.0 if undecided else confidence(one.kind, one.supported, reading.linked.coverage),
        one.program,
        one.kind,
        one.cells,
        (*_links_told(reading), *one.trace),
        round(reading.linked.coverage, 4),
    )


def _links_told(reading: Reading) -> tuple[str, ...]:
    """Return what each span of the claim was linked to, for people to read."""
    header = reading.index.table.header
    told = [
        (link.start, f"{reading.said(link.start, link.end)} -> {_places(header, list(link.places))}")
        for link in reading.links
    ]
    told += [
        (head.start, f"{reading.said(head.start, head.end)} -> header {_places(header, list(head.columns))}")
        for head in reading.linked.headers
    ]
    return tuple(text for _, text in sorted(told))


def _places(header: tuple[str, ...], columns: list[int]) -> str:
    return ", ".join(header[column] for column in sorted(columns)) or "nothing"


class _Indexes:
    """The indexes of the tables last asked about, by identity: a table's hash walks all its cells."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, TableIndex] = OrderedDict()

    def of(self, table: Table) -> TableIndex:
        """Return a table's index, made where it is not kept."""
        found = self._kept.get(id(table))
        if found is None or found.table is not table:
            found = TableIndex(table)
        self._kept[id(table)] = found
        self._kept.move_to_end(id(table))
        while len(self._kept) > KEPT_INDEXES:
            self._kept.popitem(last=False)
        return found


_INDEXES = _Indexes()


def _index(table: Table) -> TableIndex:
    return _INDEXES.of(table)
