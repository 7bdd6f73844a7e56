"""Why a program, whatever it comes to, may not tell of its claim."""

from __future__ import annotations

from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.verdicts.soundness import (
    claims_of_more_or_less,
    counted_things,
    denied_headers,
    misread_numbers,
    named_columns,
    numbers_of_things,
    openings_of_times,
    other_measures,
    passed_over,
    possessions,
    refutations,
    rival_readings,
    rows_not_told,
    words_left,
)

# In the order in which they are asked: the first that misses its claim says why.
CHECKS: tuple[Check, ...] = (
    *rows_not_told.CHECKS,
    *words_left.CHECKS,
    *possessions.CHECKS,
    *named_columns.CHECKS,
    *other_measures.CHECKS,
    *misread_numbers.CHECKS,
    *passed_over.CHECKS,
    *claims_of_more_or_less.CHECKS,
    *openings_of_times.CHECKS,
    *numbers_of_things.CHECKS,
    *denied_headers.CHECKS,
    *counted_things.CHECKS,
    *refutations.CHECKS,
    *rival_readings.CHECKS,
)


def doubt(outcome: Outcome) -> str:
    """Return why a program may not tell of its claim, as a clause that follows `but`; empty where it does."""
    return next((check.why for check in CHECKS if check.misses(outcome)), "")
