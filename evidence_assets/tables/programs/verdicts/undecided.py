"""Why a verdict decides nothing where "neither" is an answer too, in words for who asks."""

from __future__ import annotations

from collections.abc import Iterable

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.rows.facts import UNMATCHED_ROW
from evidence_assets.tables.programs.verdicts.claim_ranking import Ranked
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.outcomes import decisive_words
from evidence_assets.tables.programs.verdicts.reliability import LEAST_RELIABILITY
from evidence_assets.tables.programs.verdicts.runs import Run


def why_undecided(run: Run, ranking: Ranked, reliable: float) -> str:
    """Return why a program decides nothing, as a clause that follows `but`.

    `reliable`: how likely its verdict is right; 0 where it is not likely enough to be one.
    """
    if run.doubt:
        return run.doubt
    if run.left is Left.DECISIVE or run.lacks_predicate or run.proposal.kind == UNMATCHED_ROW:
        return _untold(run)
    if not reliable:
        return _unlikely(run, ranking)
    left = f"it leaves {_words(run.claim, run.rest)}, and " if run.rest else ""
    return f"{left}of claims read so {reliable:.0%} are judged rightly ({LEAST_RELIABILITY:.1%} are needed)"


def _untold(run: Run) -> str:
    """Return what a program does not tell of its claim."""
    if run.left is Left.DECISIVE:
        return f"it leaves {_words(run.claim, decisive_words(run))}, which may turn it"
    if run.lacks_predicate:
        return "nothing in the table tells what the claim says of these values"
    return "the table need not tell of what no row of it has"


def _unlikely(run: Run, ranking: Ranked) -> str:
    """Return what makes a program unlikely: another that comes to the contrary, or what all leave."""
    truth = run.result.truth
    contrary = ranking.share(not truth)
    if run.rest and contrary < 1.0 - contrary - ranking.share(truth):
        return f"it leaves {_words(run.claim, run.rest)}, and says less than the claim"
    rival = next((other for other in ranking.order() if other.result.truth is not truth), None)
    if rival is None:
        return "no program is likely enough to be what the claim says"
    return f"another comes to the contrary: {rival.proposal.program.describe(run.claim.index.table.header)}"


def _words(claim: GroundedClaim, positions: Iterable[int]) -> str:
    return ", ".join(f'"{claim.texts[position]}"' for position in sorted(positions))
