"""What programs come to for a claim or question: those of one kind, or that which is given."""

from __future__ import annotations

from dataclasses import replace

from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.programs.verdicts.claim_ranking import runs
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.verification import verify
from evidence_assets.tables.table import Table


def verdicts(table: Table, claim: str, kind: str) -> set[bool | None]:
    """Return the truth of those of a kind of program that leave least of a claim; empty without any."""
    of_kind = [run for run in runs(ground(claim, index_of(table))) if run.proposal.kind == kind]
    least = max((list(Left).index(run.left) for run in of_kind), default=0)
    return {run.result.truth for run in of_kind if run.left is list(Left)[least]}


def decided(claim: str, table: Table) -> bool | None:
    """Return whether a claim is supported; None where its verdict decides nothing, however reliable it is.

    How reliable it is depends on weights that are fitted anew.
    """
    verdict = replace(verify(claim, table), reliability=1.0)
    return verdict.supported if verdict.decides else None


def answered(question: str, table: Table) -> set[str] | None:
    """Return the values that a question is answered with; None where it is left open."""
    given = answer(question, table)
    return {*given.values} if given.decides else None
