"""Nouns of the times that a table may tell the same of: years, months, seasons."""

from __future__ import annotations

from evidence_assets.tables.programs.words import word_key
from evidence_assets.text.words import word_set

# As stems: of `every year`, `month after month`, `the best season`.
TIMES = frozenset(
    map(
        word_key,
        word_set("""
    time period year season decade quarter month week day round count census survey
"""),
    )
)
# How many days some of them have, by their stem.
DAYS_IN = {"day": 1.0, "week": 7.0}
