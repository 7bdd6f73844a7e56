"""Verification of a claim against a table: the likelier verdict of the programs that it may stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.reading.accounting import account, empty_words
from evidence_assets.tables.programs.grammar.refuting_cells import refuting_cells
from evidence_assets.tables.programs.index.derived.turned_tables import as_published
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.cells.quotations import with_quoted_names
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HEADER
from evidence_assets.tables.programs.readings.rows.facts import UNMATCHED_ROW
from evidence_assets.tables.programs.verdicts.claim_ranking import Ranked, Weights, ranked, read
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import (
    DOMAIN,
    Left,
    accounting,
    carried,
    gravest_left,
)
from evidence_assets.tables.programs.verdicts.meanings import NO_MEANINGS, Meanings, with_similarities
from evidence_assets.tables.programs.verdicts.reliability import (
    LEAST_RELIABILITY,
    confidence,
    confidence_features,
    reliability,
    verdict_features,
)
from evidence_assets.tables.programs.verdicts.runs import Run
from evidence_assets.tables.programs.verdicts.soundness.untold_parts import tells_a_cause
from evidence_assets.tables.programs.verdicts.undecided import why_undecided
from evidence_assets.tables.programs.wording.frames import Frame, framed
from evidence_assets.tables.programs.wording.words import MOST_TOKENS, tokens
from evidence_assets.tables.table import Table

# A verdict whose programs are less likely decides nothing; on development tables, cross-fitted, as much is
# right as from .50.
LEAST_CONFIDENCE = 0.45
# The same where something decisive is left over. By weights fitted on the other development domains, most
# claims of each are judged rightly from .50 and .55.
LEAST_CONFIDENCE_LEFT = 0.55


@dataclass(frozen=True)
class Verdict:
    """The result of a program.

    `supported`: None where there is not enough information. `confidence`: in [0, 1], the probability that
    it is right of a claim that nobody has read before; 0 where undecided. `program`: in readable form.
    `cells`: (row, column) of those used, those of the header as row -1; where no row is as is said, of
    those nearest to it. `coverage`: share of the claim's content words that are in the table, or that the
    program carries out. `left`: the gravest that is left of the claim. `accounting`: each word with what
    it is bound to. `lacks_predicate`: nothing tells what the claim says of its values. `reliability`: the
    probability that it is right on tables of unknown domains. `leaning`: the likelier verdict, be it too
    unlikely to decide; None where no program comes to one. `comes_to`: what the program comes to, be it
    decided or not. `doubt`: why it decides nothing, as a clause that follows `but`; empty where it does.
    """

    supported: bool | None
    confidence: float
    program: str
    kind: str
    cells: tuple[tuple[int, int], ...]
    coverage: float
    left: Left
    accounting: Accounting
    lacks_predicate: bool = False
    reliability: float = 0.0
    leaning: bool | None = None
    comes_to: bool | None = None
    doubt: str = ""

    @property
    def decides(self) -> bool:
        """Whether it is decided, reliably, and something tells what the claim says of its values.

        Never where something decisive is left over: on unknown domains a third of such verdicts were right.
        Nor by a row or a year that the table has none of: of that it tells nothing.
        """
        is_told = self.supported is not None and not self.lacks_predicate and self.left is not Left.DECISIVE
        return is_told and self.kind != UNMATCHED_ROW and self.reliability >= LEAST_RELIABILITY


def verify(
    claim: str, table: Table, meanings: Meanings = NO_MEANINGS, weights: Weights | None = None
) -> Verdict:
    """Return the likelier verdict, with the likeliest program that comes to it; undecided without any.

    `meanings`: words that are read as a column's, by meaning. `weights`: of features, the kept ones where
    they are not given.
    """
    return next(_verdicts(claim, table, meanings, weights))


def rank_programs(
    claim: str, table: Table, meanings: Meanings = NO_MEANINGS, weights: Weights | None = None
) -> list[Verdict]:
    """Return the verdict of every program, those of the likelier verdict first."""
    return list(_verdicts(claim, table, meanings, weights))


def _verdicts(claim: str, table: Table, meanings: Meanings, weights: Weights | None) -> Iterator[Verdict]:
    index = index_of(table)
    claim_tokens = with_quoted_names(index.tokens_of(claim), index)
    if len(claim_tokens) > MOST_TOKENS:
        yield _unread(claim)
        return
    frame = framed(claim_tokens)
    reading = read(frame.statement, table, meanings)
    grounded = reading.claim
    ranking = ranked(grounded, reading.runs, weights)
    if not ranking.runs:
        yield _in_frame(claim, _undecided(claim, grounded), frame)
    for run in ranking.order():
        verdict = _verdict(claim, table, grounded, run, ranking, meanings)
        yield _in_frame(claim, replace(verdict, leaning=ranking.leaning), frame)


def _in_frame(claim: str, verdict: Verdict, frame: Frame) -> Verdict:
    """Return the verdict on a claim whose statement has a verdict: turned where the frame denies it."""
    if not frame.words:
        return verdict
    words = [Binding(word.start, word.end, claim[word.start : word.end], *_FRAME) for word in frame.words]
    bindings = [item for item in verdict.accounting.bindings if item.start >= frame.statement[0].start]
    framed_verdict = replace(verdict, accounting=Accounting((*words, *bindings)))
    if not frame.denies:
        return framed_verdict
    return replace(
        framed_verdict,
        supported=_turned(verdict.supported),
        program=f"not ({verdict.program})",
        leaning=_turned(verdict.leaning),
        comes_to=_turned(verdict.comes_to),
    )


def _turned(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


_FRAME = (Role.OPERATOR, "whether it is so")


def _unread(claim: str) -> Verdict:
    accounted = account(claim, (), empty_words(DOMAIN))
    doubt = f"a claim of more than {MOST_TOKENS} words and marks is not read"
    return Verdict(None, 0.0, "", "none", (), 0.0, Left.WORDS, accounted, doubt=doubt)


def _undecided(claim: str, grounded: GroundedClaim) -> Verdict:
    coverage = round(grounded.linked.coverage, 4)
    remaining = gravest_left(carried(grounded))
    doubt = "the table tells no reasons" if tells_a_cause(grounded) else "no program is true or false of it"
    accounted = accounting(claim, grounded, {})
    return Verdict(None, 0.0, "", "none", (), coverage, remaining, accounted, doubt=doubt)


def row_coverage(claim: str, table: Table) -> tuple[float, int]:
    """Return the largest share of the claim's content words in one row, and the first row that has it.

    (0, -1) for a table without rows or a claim without words.
    """
    index = index_of(table)
    claim_words = {token.key for token in tokens(claim) if not token.stop}
    shared_words = [
        len(
            claim_words.intersection(
                key for column in range(table.columns) for key in index.keys[row, column]
            )
        )
        for row in range(len(table.rows))
    ]
    if not claim_words or not shared_words:
        return 0.0, -1
    largest = max(shared_words)
    return largest / len(claim_words), shared_words.index(largest)


def _verdict(
    claim: str, table: Table, grounded: GroundedClaim, run: Run, ranking: Ranked, meanings: Meanings
) -> Verdict:
    share = ranking.share(run.result.truth)
    features = verdict_features(share, run, len(carried(grounded)))
    read_table = grounded.index.table
    header = read_table.header
    # What a statement has in vain tells against it, beside what else of it was found.
    used = run.result.cells | refuting_cells(run.proposal.program, grounded.index)
    cells = used | {(HEADER, column) for _, column in used}
    least = LEAST_CONFIDENCE_LEFT if run.left is Left.DECISIVE else LEAST_CONFIDENCE
    # What says nothing of a claim's verb does not bear it out.
    decided = share >= least and not (run.lacks_predicate and run.result.truth)
    verdict = Verdict(
        run.result.truth if decided else None,
        confidence(confidence_features(share, grounded)) if decided else 0.0,
        run.proposal.program.describe(header),
        run.proposal.kind,
        tuple(sorted({place for cell in cells for place in as_published(table, read_table, cell)})),
        round(grounded.linked.coverage_with(run.proposal.bound), 4),
        run.left,
        with_similarities(accounting(claim, grounded, run.proposal.bound), meanings),
        run.lacks_predicate,
        reliability(features) if decided else 0.0,
        comes_to=run.result.truth,
    )
    return (
        verdict
        if verdict.decides
        else replace(verdict, doubt=why_undecided(run, ranking, verdict.reliability))
    )
