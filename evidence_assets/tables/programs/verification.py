"""Verification of a claim against a table by the most specific program that the claim may stand for."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from evidence_assets.tables.programs.candidate import Candidate
from evidence_assets.tables.programs.candidates import programs
from evidence_assets.tables.programs.grounding import GroundedClaim, ground
from evidence_assets.tables.programs.reliability import UNDECIDED_KINDS, confidence
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.words import tokens
from evidence_assets.tables.table import Table

KEPT_INDEXES = 8


@dataclass(frozen=True)
class Verdict:
    """The result of a program.

    `supported`: None where there is not enough information: there is no program, or only one of an undecided
    kind. `confidence`: in [0, 1], how often its kind was right; 0 where undecided. `program`: in readable
    form. `cells`: (row, column) of those used, the header as row -1. `trace`: links and intermediate results.
    `coverage`: share of the claim's content words that are in the table.
    """

    supported: bool | None
    confidence: float
    program: str
    kind: str
    cells: tuple[tuple[int, int], ...]
    trace: tuple[str, ...]
    coverage: float


def verify(claim: str, table: Table) -> Verdict:
    """Return the verdict of the best program; undecided where there is none."""
    grounded = ground(claim, _index(table))
    for program in programs(grounded):
        if program.kind not in UNDECIDED_KINDS:
            return _verdict(grounded, program)
    trace = _link_trace(grounded)
    return Verdict(None, 0.0, "", "none", (), trace, round(grounded.linked.coverage, 4))


def rank_programs(claim: str, table: Table) -> list[Verdict]:
    """Return the verdict of every candidate program, the most specific kind first."""
    grounded = ground(claim, _index(table))
    return [_verdict(grounded, program) for program in programs(grounded)]


def row_coverage(claim: str, table: Table) -> tuple[float, int]:
    """Return the largest share of the claim's content words in one row, and the first row that has it.

    (0, -1) for a table without rows or a claim without words.
    """
    index = _index(table)
    claim_words = {token.key for token in tokens(claim) if not token.stop}
    held = [
        len(
            claim_words.intersection(
                key for column in range(table.columns) for key in index.keys[row, column]
            )
        )
        for row in range(len(table.rows))
    ]
    if not claim_words or not held:
        return 0.0, -1
    most = max(held)
    return most / len(claim_words), held.index(most)


def _verdict(claim: GroundedClaim, program: Candidate) -> Verdict:
    undecided = program.kind in UNDECIDED_KINDS
    return Verdict(
        None if undecided else program.supported,
        0.0 if undecided else confidence(program.kind, program.supported, claim.linked.coverage),
        program.program,
        program.kind,
        program.cells,
        (*_link_trace(claim), *program.trace),
        round(claim.linked.coverage, 4),
    )


def _link_trace(claim: GroundedClaim) -> tuple[str, ...]:
    """Return what each span of the claim was linked to, in readable form."""
    header = claim.index.table.header
    spans = [
        (link.start, f"{claim.phrase(link.start, link.end)} -> {_places(header, list(link.places))}")
        for link in claim.links
    ]
    spans += [
        (head.start, f"{claim.phrase(head.start, head.end)} -> header {_places(header, list(head.columns))}")
        for head in claim.linked.headers
    ]
    return tuple(text for _, text in sorted(spans))


def _places(header: tuple[str, ...], columns: list[int]) -> str:
    return ", ".join(header[column] for column in sorted(columns)) or "nothing"


class _IndexCache:
    """LRU cache of table indexes, keyed by identity: a table's hash would walk all its cells."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, TableIndex] = OrderedDict()

    def of(self, table: Table) -> TableIndex:
        """Return a table's index, from the cache where it is there."""
        index = self._kept.get(id(table))
        if index is None or index.table is not table:
            index = TableIndex(table)
        self._kept[id(table)] = index
        self._kept.move_to_end(id(table))
        while len(self._kept) > KEPT_INDEXES:
            self._kept.popitem(last=False)
        return index


_INDEXES = _IndexCache()


def _index(table: Table) -> TableIndex:
    return _INDEXES.of(table)
