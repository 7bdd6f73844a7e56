"""Claims over everyday tables, those for development contested: how many are judged rightly, where decided.

    python -m benchmarks contested_claims

They stand in `benchmarks/authored/contested_claims`. Most of `development` were written to make verdicts
wrong, and programs were mended with them; four authors who saw none wrote those held out, two of them
plainly, two to mislead a reader. Intervals are of 95 %, by a bootstrap that draws tables. The cheap baseline
is the commonest label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.authored.contested_claims import DEVELOPMENT, HELD_OUT, HELD_OUT_CONTESTED, load
from benchmarks.real_texts import cached_encoder
from benchmarks.tables.table_verification import interval_over_tables
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.verdicts.meanings import meanings_of
from evidence_assets.tables.programs.verdicts.verification import verify

SUPPORTS, REFUTES, NEITHER = "SUPPORTS", "REFUTES", "NOT ENOUGH INFORMATION"


@dataclass(frozen=True)
class Judged:
    """A claim's table, its label, and the label that it is given."""

    table: str
    label: str
    given: str

    @property
    def right(self) -> bool:
        """Whether it is given its label."""
        return self.label == self.given


def run() -> dict[str, Any]:
    """Return how the claims of each part are judged."""
    return {part: figures(judged(part)) for part in (HELD_OUT, HELD_OUT_CONTESTED, DEVELOPMENT)}


def judged(part: str) -> list[Judged]:
    """Return each claim of a part as it is judged where "neither" is an answer."""
    claims = [
        (claim, make_table(named.name, named.table.caption, [named.table.header], named.table.rows))
        for named in load(part)
        for claim in named.table.claims
    ]
    meant = meanings_of([(claim.claim, table) for claim, table in claims], cached_encoder().encode)
    made = []
    for (claim, table), meanings in zip(claims, meant, strict=True):
        verdict = verify(claim.claim, table, meanings)
        given = NEITHER if not verdict.decides else SUPPORTS if verdict.supported else REFUTES
        made.append(Judged(table.table_id, claim.label, given))
    return made


def figures(claims: Sequence[Judged]) -> dict[str, Any]:
    """Return what share is judged rightly, is decided, is right of what is decided, and the baseline's."""
    decided = [claim for claim in claims if claim.given != NEITHER]
    untold = [claim for claim in claims if claim.label == NEITHER]
    commonest, _ = Counter(claim.label for claim in claims).most_common(1)[0]
    tables = [claim.table for claim in claims]
    return {
        "claims": len(claims),
        "tables": len(set(tables)),
        "right": interval_over_tables(tables, [claim.right for claim in claims]),
        "decided": interval_over_tables(tables, [claim.given != NEITHER for claim in claims]),
        "right_of_decided": _right(decided),
        "untold_left_open": _right(untold),
        "commonest_label": interval_over_tables(tables, [claim.label == commonest for claim in claims]),
    }


def _right(claims: Sequence[Judged]) -> dict[str, Any]:
    if not claims:
        return {"n": 0}
    tables = [claim.table for claim in claims]
    return {"n": len(claims), **interval_over_tables(tables, [claim.right for claim in claims])}
