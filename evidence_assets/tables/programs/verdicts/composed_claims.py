"""Claims put together of simpler ones: of two clauses, of several things, of each of the things of a kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.truth_programs import All, Not, OfSign
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.links.clauses.coordinations import Coordination, coordination
from evidence_assets.tables.programs.links.clauses.ellipses import ellipsis
from evidence_assets.tables.programs.links.clauses.halves import LIKEWISE, halves, sameness_as
from evidence_assets.tables.programs.links.grounding import GroundedClaim, ground_tokens
from evidence_assets.tables.programs.readings.parts.proposal import Bound, Proposal
from evidence_assets.tables.programs.readings.proposing import CONJOINED, simple_programs
from evidence_assets.tables.programs.verdicts.each_of_things import each_programs
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left, carried
from evidence_assets.tables.programs.verdicts.runs import LEAVES_ALL, Run, leaves, run_of
from evidence_assets.tables.programs.verdicts.soundness.refutations import GUESSED
from evidence_assets.tables.programs.wording.words import Token

# Kinds of program that are no statement of their own where claims are joined.
_PLAIN = frozenset({f"co-occurrence by {way}" for way in ("row", "list", "clause")}) | {"single value"}


def composed_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield the programs of a claim that are put together of those of its parts."""
    yield from _conjunctions(claim)
    yield from _coordinations(claim)
    yield from each_programs(claim, _said_of_one)


def _said_of_one(clause: GroundedClaim) -> list[Proposal]:
    """Return the programs of what is said of one thing that leave the least, nothing decisive."""
    proposals = [*_conjunctions(clause), *_coordinations(clause), *simple_programs(clause)]
    certain = [proposal for proposal in proposals if not proposal.kind.startswith(GUESSED)]
    clause_runs = [run for run in _runs_of(clause, certain) if run.left is not Left.DECISIVE]
    least = min(map(leaves, clause_runs), default=LEAVES_ALL)
    return [run.proposal for run in clause_runs if leaves(run) == least][:_MOST_READINGS]


# So many programs of what is said of one thing are tried.
_MOST_READINGS = 3


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
        proposals.append(min(clause_runs, key=leaves).proposal)
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
    clause = ground_tokens(_tokens_of(claim, positions), claim.index.as_told)
    proposals = [*each_programs(clause, _said_of_one), *simple_programs(clause)]
    losses = clause.index.of_losses
    if losses != claim.index.of_losses:
        # Of two clauses one may tell gains, the other losses.
        proposals = [replace(item, program=OfSign(item.program, losses=losses)) for item in proposals]
    return _runs_of(clause, proposals)


def _tokens_of(claim: GroundedClaim, positions: Sequence[int]) -> tuple[Token, ...]:
    """Return a clause's tokens: `A is wider than B` of `A weighs the same as B but is wider`."""
    like = sameness_as(claim.texts)
    compares = like in positions and all(claim.texts[position] != "same" for position in positions)
    return tuple(
        replace(claim.tokens[n], text="than", key="than") if compares and n == like else claim.tokens[n]
        for n in positions
    )


def _runs_of(clause: GroundedClaim, proposals: Sequence[Proposal]) -> list[Run]:
    """Return the programs of a clause that come to a truth value, each with what it leaves."""
    carrying = carried(clause)
    return [
        run_of(clause, proposal, result, carrying, proposal.bound)
        for proposal in proposals
        if (result := proposal.program.run(clause.index)).truth is not None
    ]


def _coordinations(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield what a claim says of several things, said of each by the kind that leaves the least."""
    joined = ellipsis(claim) or coordination(claim)
    if joined is None:
        return
    by_kind: list[dict[str, Run]] = []
    for positions in joined.clauses:
        # Of several of a kind the last, which leaves the least, is kept.
        clause_runs = sorted(_runs_of_a_clause(claim, positions), key=leaves, reverse=True)
        by_kind.append({run.proposal.kind: run for run in clause_runs})
    chosen = _of_one_kind(joined, by_kind) if joined.are_alike else _each_of_its_kind(by_kind)
    if not chosen:
        return
    bound: dict[int, tuple[Role, str]] = {}
    parts: list[Truth] = []
    for positions, run, is_denied in zip(joined.clauses, chosen, joined.denied, strict=True):
        parts.append(Not(run.proposal.program) if is_denied else run.proposal.program)
        bound |= {positions[place]: target for place, target in run.proposal.bound.items()}
    bound |= {place: (Role.OPERATOR, claim.texts[place]) for place in joined.words}
    name = "contrast" if joined.denied[-1] and not joined.denied[0] else "conjunction"
    yield Proposal(name, All(tuple(parts)), bound)


def _of_one_kind(joined: Coordination, by_kind: Sequence[Mapping[str, Run]]) -> list[Run]:
    """Return a program of each clause, all of the kind that leaves the least; none where there is none."""
    kinds = set.intersection(*map(set, by_kind))
    # That two things stand together, or not, with a value is read as it is.
    if joined.denied != (True, False) and len(by_kind) <= 2:
        kinds -= _PLAIN
    kind = min(sorted(kinds), key=lambda name: max(leaves(clause[name]) for clause in by_kind), default="")
    return [clause[kind] for clause in by_kind] if kind else []


def _each_of_its_kind(by_kind: Sequence[Mapping[str, Run]]) -> list[Run]:
    """Return of each clause the program that leaves the least, of one kind where such leave no more.

    None where a clause has none that is a statement of its own.
    """
    statements = [{kind: run for kind, run in clause.items() if kind not in _PLAIN} for clause in by_kind]
    if not all(statements):
        return []
    least = [min(map(leaves, clause.values())) for clause in statements]
    chosen = [
        {kind for kind, run in clause.items() if leaves(run) == left}
        for clause, left in zip(statements, least, strict=True)
    ]
    shared = set.intersection(*chosen)
    return [clause[min(shared or kinds)] for clause, kinds in zip(statements, chosen, strict=True)]
