"""The programs of a claim, run, each with its probability of being the right one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evidence_assets.evidence.accounting import Role
from evidence_assets.reading.log_linear import probabilities, weights_of
from evidence_assets.tables.programs.grammar.truth_programs import All, Not
from evidence_assets.tables.programs.grammar.types import Truth, TruthResult
from evidence_assets.tables.programs.index.spans_of_rows import asks_how_long
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.index.turned_tables import readings_of
from evidence_assets.tables.programs.links.clauses import LIKEWISE, halves
from evidence_assets.tables.programs.links.coordinations import coordination
from evidence_assets.tables.programs.links.grounding import GroundedClaim, ground_tokens
from evidence_assets.tables.programs.readings.parts.proposal import Bound, Proposal
from evidence_assets.tables.programs.readings.proposing import CONJOINED, simple_programs
from evidence_assets.tables.programs.verdicts.claim_features import Run, claim_features, none_features
from evidence_assets.tables.programs.verdicts.leftovers import (
    ALL_BOUND,
    GRAVITY,
    Left,
    carried,
    gravest_left,
    quantifies,
)
from evidence_assets.tables.programs.verdicts.meanings import NO_MEANINGS, Meanings, as_meant
from evidence_assets.tables.programs.verdicts.missing_cells import lacks_cell
from evidence_assets.tables.programs.verdicts.moods import is_only_possible, moods
from evidence_assets.tables.programs.verdicts.soundness import bears_on
from evidence_assets.tables.programs.verdicts.untold_parts import (
    lacks_predicate,
    lacks_quantified_predicate,
    leaves_a_clause,
    leaves_a_comparison,
    tells_a_cause,
)
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.table import Table

Weights = Mapping[str, float]
# Name of the kept weights that rank the programs of claims.
CLAIMS = "claims"

_LEAVES_ALL = (1, 0)
# Kinds of program that are no statement of their own where claims are joined.
_PLAIN = frozenset({f"co-occurrence by {way}" for way in ("row", "list", "clause")}) | {"single value"}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A claim's programs, run, each with its probability of being right; they and `none` sum to one."""

    runs: tuple[Run, ...]
    shares: tuple[float, ...]

    def share(self, truth: bool | None) -> float:
        """Return the probability of a verdict: that of its programs; 0 where none bears on the claim."""
        pairs = [
            (run, share)
            for run, share in zip(self.runs, self.shares, strict=True)
            if run.result.truth is truth
        ]
        return math.fsum(share for _, share in pairs) if any(run.bears for run, _ in pairs) else 0.0

    def order(self) -> list[Run]:
        """Return the runs: of the likelier verdict first, of each those that account for the claim first."""
        verdict_shares = {truth: self.share(truth) for truth in (True, False)}
        pairs = zip(self.runs, self.shares, strict=True)
        ordered = sorted(
            pairs,
            key=lambda pair: (
                -verdict_shares[bool(pair[0].result.truth)],
                not pair[0].bears,
                not pair[0].accounts,
                -pair[1],
            ),
        )
        return [run for run, _ in ordered]


@dataclass(frozen=True, slots=True)
class Reading:
    """A claim read against a reading of a table, with its programs."""

    claim: GroundedClaim
    runs: list[Run]


def runs(claim: GroundedClaim, meanings: Meanings = NO_MEANINGS) -> list[Run]:
    """Return every program of a claim, and of its clauses together, that comes to a truth value.

    Where one accounts for the whole claim, those that leave something decisive are no readings of it. What is
    bound by meaning alone counts as left over: no weight was fitted on it.
    """
    if tells_a_cause(claim):
        return []
    carrying, modal = carried(claim), moods(claim)
    by_meaning = {position for position, text in enumerate(claim.texts) if text in meanings}
    carrying |= dict.fromkeys(by_meaning, Left.WORD)
    verified = []
    for proposal in [*_conjunctions(claim), *_coordinations(claim), *simple_programs(claim)]:
        if leaves_a_comparison(claim, proposal.bound):
            continue
        result = proposal.program.run(claim.index)
        if result.truth is None or lacks_cell(claim, proposal.bound):
            continue
        lacks = (
            lacks_predicate(claim, carrying, proposal.bound)
            or lacks_quantified_predicate(claim, carrying, proposal)
            or leaves_a_clause(claim, proposal.bound)
            or is_only_possible(claim, modal, proposal.kind, proposal.bound)
        )
        literal = {place: target for place, target in proposal.bound.items() if place not in by_meaning}
        run = _run(proposal, result, carrying, literal, lacks=lacks)
        verified.append(replace(run, bears=bears_on(claim, proposal, result, run.rest)))
    accounts_for_all = any(run.left in ALL_BOUND for run in verified)
    verified = [run for run in verified if not (accounts_for_all and run.left is Left.DECISIVE)]
    return [run for run in verified if not _leaves_a_quantifier(claim, run, verified)]


def _leaves_a_quantifier(claim: GroundedClaim, run: Run, rivals: Sequence[Run]) -> bool:
    """Return whether a program comes out true but leaves a quantifier that one that leaves less carries out.

    Where no row is so, neither are all, both or some alone.
    """
    if not run.result.truth:
        return False
    quantifiers = {n for n, grade in run.rest.items() if grade is Left.DECISIVE and quantifies(claim, n)}
    return bool(quantifiers) and any(
        rival.rest.keys() < run.rest.keys() and not quantifiers <= rival.rest.keys() for rival in rivals
    )


def read(claim_tokens: tuple[Token, ...], table: Table, meanings: Meanings = NO_MEANINGS) -> Reading:
    """Return a claim with its programs over the reading of a table of which one leaves the least.

    The first such reading where several leave as much, of how long rows took where the claim asks that.
    """
    meant = as_meant(claim_tokens, meanings)
    readings = []
    for reading in sorted(readings_of(table), key=lambda reading: not asks_how_long(claim_tokens, reading)):
        claim = ground_tokens(meant, index_of(reading))
        readings.append(Reading(claim, runs(claim, meanings)))
    return min(readings, key=lambda reading: min(map(_leaves, reading.runs), default=_LEAVES_ALL))


def _leaves(run: Run) -> tuple[int, int]:
    """Return how much a program leaves, as what can be compared."""
    return GRAVITY[run.left], len(run.rest)


def _run(
    proposal: Proposal, result: TruthResult, carrying: dict[int, Left], bound: Bound, *, lacks: bool = False
) -> Run:
    remaining = {position: grade for position, grade in carrying.items() if position not in bound}
    return Run(proposal, result, gravest_left(carrying, bound), remaining, lacks)


def ranked(claim: GroundedClaim, candidates: Sequence[Run], weights: Weights | None = None) -> Ranked:
    """Return runs with the probability of each. `weights`: the kept ones where they are not given."""
    features = claim_features(claim, candidates, len(carried(claim)))
    weights = weights_of(CLAIMS) if weights is None else weights
    shares = probabilities([*features, none_features(claim, candidates)], weights)
    return Ranked(tuple(candidates), tuple(shares[:-1]))


def _conjunctions(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield the conjunction of the programs that leave the least of a claim's two clauses."""
    split = halves(claim)
    if split is None:
        return
    *clauses, joint = split
    proposals = []
    for positions in clauses:
        clause_runs = _runs_of_a_clause(claim, positions)
        if not clause_runs:
            return
        proposals.append(min(clause_runs, key=_leaves).proposal)
    kinds = {proposal.kind for proposal in proposals}
    likewise = claim.texts[joint] in LIKEWISE
    if (kinds <= _PLAIN and not likewise) or "single value" in kinds:
        return
    bound: Bound = {
        positions[place]: target
        for positions, proposal in zip(clauses, proposals, strict=True)
        for place, target in proposal.bound.items()
    }
    yield Proposal("conjunction", All(tuple(p.program for p in proposals)), {**bound, joint: CONJOINED})


def _runs_of_a_clause(claim: GroundedClaim, positions: Sequence[int]) -> list[Run]:
    """Return the programs of a clause of a claim that come to a truth value."""
    clause = ground_tokens(tuple(claim.tokens[position] for position in positions), claim.index)
    carrying = carried(clause)
    return [
        _run(proposal, result, carrying, proposal.bound)
        for proposal in simple_programs(clause)
        if (result := proposal.program.run(claim.index)).truth is not None
    ]


_TWO = 2


def _coordinations(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield what a claim says of several things, said of each by the kind that leaves the least."""
    joined = coordination(claim)
    if joined is None:
        return
    by_kind: list[dict[str, Run]] = []
    for positions in joined.clauses:
        # Of several of a kind the last, which leaves the least, is kept.
        clause_runs = sorted(_runs_of_a_clause(claim, positions), key=_leaves, reverse=True)
        by_kind.append({run.proposal.kind: run for run in clause_runs})
    kinds = set.intersection(*map(set, by_kind))
    # That two things stand together, or not, with a value is read as it is.
    if joined.denied != (True, False) and len(by_kind) <= _TWO:
        kinds -= _PLAIN
    if not kinds:
        return
    kind = min(sorted(kinds), key=lambda name: max(_leaves(clause[name]) for clause in by_kind))
    bound: dict[int, tuple[Role, str]] = {}
    parts: list[Truth] = []
    for positions, clause, is_denied in zip(joined.clauses, by_kind, joined.denied, strict=True):
        proposal = clause[kind].proposal
        parts.append(Not(proposal.program) if is_denied else proposal.program)
        bound |= {positions[place]: target for place, target in proposal.bound.items()}
    bound |= {place: (Role.OPERATOR, claim.texts[place]) for place in joined.words}
    name = "contrast" if joined.denied[-1] and not joined.denied[0] else "conjunction"
    yield Proposal(name, All(tuple(parts)), bound)
