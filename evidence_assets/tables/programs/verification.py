"""Verification of a claim against a table by the program that accounts best for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evidence_assets.evidence.accounting import Accounting
from evidence_assets.reading.accounting import account, empty_words
from evidence_assets.reading.reliability import Reliability, reliability
from evidence_assets.tables.programs.grammar import TruthResult
from evidence_assets.tables.programs.grounding import GroundedClaim, ground_tokens
from evidence_assets.tables.programs.leftovers import (
    DOMAIN,
    Left,
    accounting,
    carried,
    lacks_cell,
    lacks_predicate,
    left,
)
from evidence_assets.tables.programs.linking import HEADER
from evidence_assets.tables.programs.meanings import NO_MEANINGS, Meanings, as_meant, told
from evidence_assets.tables.programs.proposal import Bound, Proposal
from evidence_assets.tables.programs.proposing import CONJOINED, halves, simple_programs
from evidence_assets.tables.programs.table_index import index_of
from evidence_assets.tables.programs.truth_programs import All
from evidence_assets.tables.programs.words import MOST_TOKENS, tokens
from evidence_assets.tables.table import Table

# Verdicts of a kind that was right less often than this decide nothing.
LEAST_RELIABILITY = 0.5
SUPPORTED, REFUTED = "supported", "refuted"
# Measured reliability of all proposals, which ranks them, and of the best ones, which is their confidence.
PROPOSALS, CLAIMS = "proposals", "claims"
# Kinds of program that are no statement of their own where claims are joined.
_PLAIN = frozenset({f"co-occurrence by {way}" for way in ("row", "list", "clause")}) | {"single value"}


@dataclass(frozen=True)
class Verdict:
    """The result of a program.

    `supported`: None where there is not enough information. `confidence`: in [0, 1], how often such a verdict
    was right; 0 where undecided. `program`: in readable form. `cells`: (row, column) of those used, those of
    the header as row -1. `trace`: links and intermediate results. `coverage`: share of the claim's content
    words that are in the table. `left`: the gravest that is left of the claim. `accounting`: each word with
    what it is bound to. `lacks_predicate`: nothing tells what the claim says of its values.
    """

    supported: bool | None
    confidence: float
    program: str
    kind: str
    cells: tuple[tuple[int, int], ...]
    trace: tuple[str, ...]
    coverage: float
    left: Left
    accounting: Accounting
    lacks_predicate: bool = False

    @property
    def accounts(self) -> bool:
        """Whether it is decided, and nothing decisive is left over."""
        return self.supported is not None and self.left is not Left.DECISIVE and not self.lacks_predicate


@dataclass(frozen=True, slots=True)
class Run:
    """A proposal that was run: to what it came, and what it leaves of the claim."""

    proposal: Proposal
    result: TruthResult
    left: Left
    lacks_predicate: bool = False
    measured: bool = False

    @property
    def form(self) -> str:
        """What reliability is measured of besides kind and verdict: what is left, in what sort of table."""
        return f"{self.left}, in a table of measures" if self.measured else str(self.left)

    @property
    def verdict(self) -> str:
        """The verdict as reliability is measured of it."""
        return SUPPORTED if self.result.truth else REFUTED


def runs(claim: GroundedClaim, meanings: Meanings = NO_MEANINGS) -> list[Run]:
    """Return every program of a claim, and of its clauses together, that comes to a truth value.

    What is bound by meaning alone counts as left over for a program's reliability: none was measured of it.
    """
    carrying = carried(claim)
    meant = {position for position, text in enumerate(claim.texts) if text in meanings}
    carrying |= dict.fromkeys(meant, Left.WORD)
    runs = []
    for proposal in [*_conjunctions(claim), *simple_programs(claim)]:
        result = proposal.program.run(claim.index)
        if result.truth is not None and not lacks_cell(claim, proposal.bound):
            lacks = lacks_predicate(claim, carrying, proposal.bound)
            sure = {place: target for place, target in proposal.bound.items() if place not in meant}
            runs.append(Run(proposal, result, left(carrying, sure), lacks, claim.index.is_measured))
    return runs


def ranked(found: list[Run], measured: Reliability) -> list[Run]:
    """Return runs: those that leave nothing decisive first, then the most reliable by kind and verdict."""

    def order(run: Run) -> tuple[bool, float]:
        return run.left is Left.DECISIVE, -measured.confidence(run.proposal.kind, run.verdict, run.form)

    return sorted(found, key=order)


def _conjunctions(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield the conjunction of the best programs of a claim's two clauses."""
    split = halves(claim)
    if split is None:
        return
    *clauses, joint = split
    chosen = []
    for positions in clauses:
        clause = ground_tokens(tuple(claim.tokens[position] for position in positions), claim.index)
        carrying = carried(clause)
        runs = [
            Run(proposal, result, left(carrying, proposal.bound), False, claim.index.is_measured)
            for proposal in simple_programs(clause)
            if (result := proposal.program.run(claim.index)).truth is not None
        ]
        if not runs:
            return
        chosen.append(ranked(runs, reliability(PROPOSALS))[0].proposal)
    if all(proposal.kind in _PLAIN for proposal in chosen) or any(p.kind == "single value" for p in chosen):
        return
    bound: Bound = {
        positions[place]: target
        for positions, proposal in zip(clauses, chosen, strict=True)
        for place, target in proposal.bound.items()
    }
    yield Proposal("conjunction", All(tuple(p.program for p in chosen)), {**bound, joint: CONJOINED})


def verify(claim: str, table: Table, meanings: Meanings = NO_MEANINGS) -> Verdict:
    """Return the verdict of the best program; undecided where there is none.

    `meanings`: words that are read as a column's, by meaning.
    """
    if len(tokens(claim)) > MOST_TOKENS:
        return _unread(claim)
    grounded = ground_tokens(as_meant(tokens(claim), meanings), index_of(table))
    order = ranked(runs(grounded, meanings), reliability(PROPOSALS))
    return _verdict(claim, grounded, order[0], meanings) if order else _undecided(claim, grounded)


def rank_programs(claim: str, table: Table, meanings: Meanings = NO_MEANINGS) -> list[Verdict]:
    """Return the verdict of every program, the best first; an undecided one where there is none.

    `meanings`: words that are read as a column's, by meaning.
    """
    if len(tokens(claim)) > MOST_TOKENS:
        return [_unread(claim)]
    grounded = ground_tokens(as_meant(tokens(claim), meanings), index_of(table))
    order = ranked(runs(grounded, meanings), reliability(PROPOSALS))
    return [_verdict(claim, grounded, run, meanings) for run in order] or [_undecided(claim, grounded)]


def _unread(claim: str) -> Verdict:
    return Verdict(None, 0.0, "", "none", (), (), 0.0, Left.WORDS, account(claim, (), empty_words(DOMAIN)))


def _undecided(claim: str, grounded: GroundedClaim) -> Verdict:
    remaining = left(carried(grounded), {})
    return Verdict(
        None, 0.0, "", "none", (), _link_trace(grounded), round(grounded.linked.coverage, 4), remaining,
        accounting(claim, grounded, {}),
    )  # fmt: skip


def row_coverage(claim: str, table: Table) -> tuple[float, int]:
    """Return the largest share of the claim's content words in one row, and the first row that has it.

    (0, -1) for a table without rows or a claim without words.
    """
    index = index_of(table)
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


def _verdict(claim: str, grounded: GroundedClaim, run: Run, meanings: Meanings) -> Verdict:
    confidence = reliability(CLAIMS).confidence(run.proposal.kind, run.verdict, run.form)
    header = grounded.index.table.header
    cells = run.result.cells | {(HEADER, column) for _, column in run.result.cells}
    # What says nothing of a claim's verb does not bear it out.
    decided = confidence >= LEAST_RELIABILITY and not (run.lacks_predicate and run.result.truth)
    return Verdict(
        run.result.truth if decided else None,
        confidence if decided else 0.0,
        run.proposal.program.read(header),
        run.proposal.kind,
        tuple(sorted(cells)),
        (*_link_trace(grounded), *filter(None, [run.result.detail])),
        round(grounded.linked.coverage, 4),
        run.left,
        told(accounting(claim, grounded, run.proposal.bound), meanings),
        run.lacks_predicate,
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
