"""The programs of a claim, run, each with its probability of being the right one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from evidence_assets.reading.log_linear import probabilities, weights_of
from evidence_assets.tables.programs.index.derived.quotients import with_quotients
from evidence_assets.tables.programs.index.derived.remainders import with_remainders
from evidence_assets.tables.programs.index.derived.spans_of_rows import asks_how_long
from evidence_assets.tables.programs.index.derived.turned_tables import layouts_of
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.contests.contest_layouts import contest_layout
from evidence_assets.tables.programs.links.grounding import GroundedClaim, ground_tokens
from evidence_assets.tables.programs.readings.proposing import simple_programs
from evidence_assets.tables.programs.readings.rows.things_as_columns import THINGS
from evidence_assets.tables.programs.verdicts.claim_features import claim_features, none_features
from evidence_assets.tables.programs.verdicts.composed_claims import composed_programs
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import ALL_BOUND, Left, carried
from evidence_assets.tables.programs.verdicts.leftovers.decisive_words import quantifies
from evidence_assets.tables.programs.verdicts.leftovers.moods import is_only_possible, moods
from evidence_assets.tables.programs.verdicts.meanings import NO_MEANINGS, Meanings, as_meant
from evidence_assets.tables.programs.verdicts.missing_cells import lacks_cell, surely
from evidence_assets.tables.programs.verdicts.runs import LEAVES_ALL, LEAVES_NOTHING, Run, leaves, run_of
from evidence_assets.tables.programs.verdicts.soundness.untold_parts import (
    lacks_predicate,
    lacks_quantified_predicate,
    leaves_a_clause,
    leaves_a_comparison,
    tells_a_cause,
)
from evidence_assets.tables.programs.wording.contest_words import (
    outcome_words,
    tells_both_scores,
    tells_contests,
)
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.table import Table

Weights = Mapping[str, float]
# Name of the kept weights that rank the programs of claims.
CLAIMS = "claims"


@dataclass(frozen=True, slots=True)
class Ranked:
    """A claim's programs, run, each with its probability of being right; they and `none` sum to one."""

    runs: tuple[Run, ...]
    shares: tuple[float, ...]

    def share(self, truth: bool | None) -> float:
        """Return the probability of a verdict: that of its programs; 0 where none bears on the claim."""
        return self._sum(truth) if self._bear(truth) else 0.0

    @property
    def leaning(self) -> bool | None:
        """The likelier verdict of all programs, whether they bear on the claim or not; None without one."""
        true, false = self._sum(True), self._sum(False)
        return None if true == false else true > false

    def order(self) -> Iterator[Run]:
        """Yield the runs: of the likelier verdict first, of each those that account for the claim first."""
        for truths in self._verdicts():
            pairs = [pair for pair in self._pairs() if pair[0].result.truth in truths]
            ordered = sorted(pairs, key=lambda pair: (not pair[0].accounts, -pair[1]))
            yield from (run for run, _ in ordered if run.bears)
            yield from (run for run, _ in ordered if not run.bears)

    def _verdicts(self) -> list[tuple[bool, ...]]:
        """Return the verdicts, the likelier first, together where they are as likely as each other."""
        likelier = self._sum(True) >= self._sum(False)
        # What bears on a claim takes long to tell: no more is asked of than decides.
        if self._sum(likelier) > self._sum(not likelier) and self._bear(likelier):
            return [(likelier,), (not likelier,)]
        shares = {truth: self.share(truth) for truth in (True, False)}
        if shares[True] == shares[False]:
            return [(True, False)]
        return [(truth,) for truth in sorted(shares, key=shares.__getitem__, reverse=True)]

    def _pairs(self) -> Iterator[tuple[Run, float]]:
        return zip(self.runs, self.shares, strict=True)

    def _sum(self, truth: bool | None) -> float:
        return math.fsum(share for run, share in self._pairs() if run.result.truth is truth)

    def _bear(self, truth: bool | None) -> bool:
        return any(run.bears for run in self.runs if run.result.truth is truth)


@dataclass(frozen=True, slots=True)
class Reading:
    """A claim read against a layout of its table, with its programs."""

    claim: GroundedClaim
    runs: list[Run]


def runs(claim: GroundedClaim, meanings: Meanings = NO_MEANINGS) -> list[Run]:
    """Return every program of a claim, and of its clauses together, that comes to a truth value.

    Where one accounts for the whole claim, those that leave something decisive are no readings of it. What is
    bound by meaning alone counts as left over: no weight was fitted on it.
    """
    if tells_a_cause(claim):
        return []
    by_meaning = {position for position, text in enumerate(claim.texts) if text in meanings}
    carrying, modal = {**carried(claim), **dict.fromkeys(by_meaning, Left.WORD)}, moods(claim)
    verified = []
    for proposal in [*composed_programs(claim), *simple_programs(claim)]:
        if leaves_a_comparison(claim, proposal.bound):
            continue
        # Of things as columns an empty cell is what tells that there is none.
        needs_cells = proposal.kind != THINGS
        program = surely(claim, proposal) if needs_cells else proposal.program
        result = program.run(claim.index)
        if result.truth is None or (needs_cells and lacks_cell(claim, proposal)):
            continue
        lacks = (
            lacks_predicate(claim, carrying, proposal.bound)
            or lacks_quantified_predicate(claim, carrying, proposal)
            or leaves_a_clause(claim, proposal.bound)
            or is_only_possible(claim, modal, proposal.kind, proposal.bound)
        )
        literal = {place: target for place, target in proposal.bound.items() if place not in by_meaning}
        verified.append(run_of(claim, proposal, result, carrying, literal, lacks=lacks))
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
    """Return a claim with its programs over the layout of a table of which one leaves the least.

    The first such layout where several leave as much.
    """
    readings = []
    for read_tokens, layout in _read_against(claim_tokens, as_meant(claim_tokens, meanings), table):
        claim = ground_tokens(read_tokens, index_of(layout))
        claim_runs = runs(claim, meanings)
        left = min(map(leaves, claim_runs), default=LEAVES_ALL)
        readings.append((left, Reading(claim, claim_runs)))
        if left == LEAVES_NOTHING:
            break
    return min(readings, key=itemgetter(0))[1]


# The tokens of a claim for a layout of its table, and that layout.
_Against = tuple[tuple[Token, ...], Table]


def _read_against(
    claim_tokens: tuple[Token, ...], meant: tuple[Token, ...], table: Table
) -> Iterator[_Against]:
    """Yield the layouts of a table that a claim is read against, those preferred first.

    Of how contests ended, that of contests comes first, and alone where it has a row for each side: no other
    tells which side won. Of anything else, as of what a side scored, it comes last.
    """
    of_contests = outcome_words(meant, index_of(table).header_postings)
    contests = contest_layout(of_contests, table)
    if contests is None:
        yield from _besides_contests(claim_tokens, meant, table)
    elif not (tells_contests(of_contests) or tells_both_scores(of_contests)):
        yield from _besides_contests(claim_tokens, meant, table)
        yield of_contests, contests
    else:
        yield of_contests, contests
        if not contests.of_sides:
            yield from _besides_contests(claim_tokens, meant, table)


def _besides_contests(
    claim_tokens: tuple[Token, ...], meant: tuple[Token, ...], table: Table
) -> Iterator[_Against]:
    """Yield the layouts of a table that are of no contests.

    That of how long rows took comes first where a claim asks it, that with quotients that it speaks of last.
    Of what is left no other tells.
    """
    tables = sorted(layouts_of(table), key=lambda layout: not asks_how_long(claim_tokens, layout))
    remainders = with_remainders(meant, tables[0])
    for layout in tables if remainders is None else [remainders]:
        yield meant, layout
    quotients = with_quotients(meant, tables[0])
    if quotients is not None:
        yield meant, quotients


def ranked(claim: GroundedClaim, candidates: Sequence[Run], weights: Weights | None = None) -> Ranked:
    """Return runs with the probability of each. `weights`: the kept ones where they are not given."""
    features = claim_features(claim, candidates, len(carried(claim)))
    weights = weights_of(CLAIMS) if weights is None else weights
    shares = probabilities([*features, none_features(claim, candidates)], weights)
    return Ranked(tuple(candidates), tuple(shares[:-1]))
