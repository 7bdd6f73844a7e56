"""How often each kind of program was right, and the confidence that follows.

Measured on the development half of TabFact's small test (138 tables, 907 statements: those whose SHA-256 of
the file name is even) by `benchmarks.table_verification.measure_reliability`. The rules were made on the same
statements, so it is hopeful: on the other half, verdicts of .80 and more were right 85 times of 100. Of
tables of another source, SciTab's, it says little.
"""

from __future__ import annotations

from functools import lru_cache

# A single linked value decides nothing: it was as often right as wrong.
UNDECIDED_KINDS = frozenset({"single value"})
# Share of a claim's content words that are in the table: all, most, and less.
WHOLE, MOST = 1.0, 0.8
# Strength of the prior, the share of the wider class, in statements.
PRIOR_STATEMENTS = 8.0
# Kind, verdict, and for claims covered whole, mostly and less: how many there were, and how many were right.
MEASURED: tuple[tuple[str, bool, tuple[tuple[int, int], ...]], ...] = (
    ("all", False, ((1, 1), (4, 3), (1, 1))),
    ("all", True, ((1, 1), (1, 1), (2, 1))),
    ("average", False, ((0, 0), (0, 0), (5, 2))),
    ("average", True, ((0, 0), (0, 0), (1, 0))),
    ("co-occurrence by clause", False, ((11, 9), (14, 10), (4, 2))),
    ("co-occurrence by clause", True, ((0, 0), (2, 1), (0, 0))),
    ("co-occurrence by list", False, ((5, 4), (12, 8), (4, 2))),
    ("co-occurrence by list", True, ((9, 8), (11, 10), (2, 1))),
    ("co-occurrence by row", False, ((74, 71), (46, 43), (27, 19))),
    ("co-occurrence by row", True, ((78, 75), (65, 62), (45, 37))),
    ("co-occurrence by row but for a word", True, ((0, 0), (1, 1), (0, 0))),
    ("comparison", False, ((2, 2), (1, 1), (2, 2))),
    ("comparison", True, ((5, 4), (6, 5), (5, 5))),
    ("conjunction", False, ((0, 0), (1, 1), (3, 3))),
    ("count", False, ((7, 4), (30, 20), (56, 38))),
    ("count", True, ((5, 3), (16, 13), (20, 19))),
    ("count comparison", False, ((2, 2), (3, 3), (4, 3))),
    ("count comparison", True, ((1, 1), (3, 2), (1, 1))),
    ("denied co-occurrence", False, ((4, 4), (2, 1), (2, 2))),
    ("denied co-occurrence", True, ((3, 3), (6, 2), (0, 0))),
    ("difference", False, ((0, 0), (4, 3), (5, 4))),
    ("difference", True, ((0, 0), (3, 2), (2, 2))),
    ("distinct", False, ((3, 2), (1, 0), (3, 3))),
    ("distinct", True, ((0, 0), (0, 0), (2, 2))),
    ("majority", True, ((0, 0), (1, 0), (2, 2))),
    ("most frequent", False, ((0, 0), (1, 1), (0, 0))),
    ("most frequent", True, ((0, 0), (1, 1), (0, 0))),
    ("none", False, ((2, 1), (1, 1), (2, 2))),
    ("none", True, ((3, 3), (0, 0), (1, 1))),
    ("none of a column", False, ((1, 1), (0, 0), (1, 0))),
    ("none of a column", True, ((0, 0), (0, 0), (1, 1))),
    ("only", False, ((2, 2), (7, 6), (3, 2))),
    ("only", True, ((2, 2), (2, 2), (5, 4))),
    ("order", False, ((1, 1), (2, 1), (1, 0))),
    ("order", True, ((0, 0), (2, 2), (2, 0))),
    ("ordinal", False, ((1, 1), (1, 1), (2, 2))),
    ("ordinal", True, ((3, 2), (0, 0), (0, 0))),
    ("outdoing", False, ((0, 0), (1, 1), (0, 0))),
    ("outdoing", True, ((0, 0), (1, 1), (0, 0))),
    ("sameness", False, ((0, 0), (4, 2), (3, 3))),
    ("sameness", True, ((0, 0), (4, 4), (8, 6))),
    ("sum", False, ((0, 0), (1, 1), (2, 1))),
    ("sum", True, ((0, 0), (1, 1), (0, 0))),
    ("superlative", False, ((8, 7), (23, 20), (13, 9))),
    ("superlative", True, ((5, 2), (18, 16), (5, 4))),
    ("temporal", False, ((6, 5), (3, 1), (3, 2))),
    ("temporal", True, ((5, 4), (0, 0), (1, 1))),
    ("unmatched number", False, ((0, 0), (15, 10), (20, 14))),
)


def grade(coverage: float) -> int:
    """Return 0 for a claim covered whole, 1 for mostly, 2 for less."""
    return 0 if coverage >= WHOLE else 1 if coverage >= MOST else 2


@lru_cache(maxsize=1024)
def _reliability(kind: str, supported: bool, grade_: int) -> float:
    of_verdict = [counts for _, verdict, counts in MEASURED if verdict == supported]
    share = _smoothed(_summed(of_verdict), 0.5)
    of_kind = [counts for name, verdict, counts in MEASURED if (name, verdict) == (kind, supported)]
    share = _smoothed(_summed(of_kind), share)
    return _smoothed(of_kind[0][grade_], share) if of_kind else share


def confidence(kind: str, supported: bool, coverage: float) -> float:
    """Return how often a verdict of its kind, of claims covered as well, was right; in [0, 1].

    Few statements are drawn to what holds of all of the kind, and those to what holds of all of the verdict.
    """
    return _reliability(kind, supported, grade(coverage))


def _summed(counts: list[tuple[tuple[int, int], ...]]) -> tuple[int, int]:
    return sum(n for row in counts for n, _ in row), sum(right for row in counts for _, right in row)


def _smoothed(counts: tuple[int, int], share: float) -> float:
    statements, right = counts
    return (right + PRIOR_STATEMENTS * share) / (statements + PRIOR_STATEMENTS)
