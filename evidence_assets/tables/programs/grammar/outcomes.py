"""How a program came to its verdict: how near what it computed is to what the claim says.

A count that is off by one, or a row that has all values of a claim but one, is what a false claim looks
like; one that is far off is rather a program that was not meant.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from evidence_assets.reading.log_linear import Features
from evidence_assets.tables.programs.grammar.number_programs import Count, Distinct
from evidence_assets.tables.programs.grammar.row_programs import Extreme, Meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Every, Not, OnlyThese, Some
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.index.table_index import TableIndex

_FEW, _FEW_VALUES, _NEAR_PLACES = 3, 4, 2
_TENTH, _HALF, _EQUAL = 0.1, 0.5, 1e-9
# Below this a chance counts as this, so that its logarithm is finite; and the logarithm's scale.
_LEAST_CHANCE, _CHANCES = 1e-6, 10


def outcome_features(program: Truth, index: TableIndex) -> dict[str, float]:
    """Return how the parts of a program came out, each as a feature."""
    features: dict[str, float] = {}
    for part in _parts(program):
        if isinstance(part, Compare):
            features |= _of_comparison(part, index)
        elif isinstance(part, Some) and isinstance(part.rows, Meet):
            extremes = [rows for rows in part.rows.parts if isinstance(rows, Extreme)]
            if extremes:
                features |= _of_extreme(extremes[0], part.rows, index)
            else:
                features |= _of_rows(part.rows, index)
        elif isinstance(part, Every):
            features |= _of_every(part, index)
        elif isinstance(part, OnlyThese):
            holders, holding = part.holders.run(index).rows, part.holding.run(index).rows
            others = min(_FEW, len(holding - holders))
            features[f"{others} others hold" if holders & holding else "none of these holds"] = 1.0
    return features


def _parts(program: Truth) -> Iterator[Truth]:
    """Yield the parts that a program joins or denies."""
    if isinstance(program, All):
        for part in program.parts:
            yield from _parts(part)
    elif isinstance(program, Not):
        yield from _parts(program.part)
    else:
        yield program


def _of_comparison(part: Compare, index: TableIndex) -> Features:
    """Return how far a number is from the other, counts in rows, others as a share."""
    left, right = part.left.run(index).number, part.right.run(index).number
    if left is None or right is None:
        return {}
    gap = abs(left - right)
    if isinstance(part.left, Count | Distinct):
        return {f"{min(_FEW, int(gap))} off in counting": 1.0, f"{min(_FEW, int(left))} counted": 1.0}
    share = gap / max(abs(left), abs(right), _EQUAL)
    grades = ((_EQUAL, "none"), (_TENTH, "a tenth"), (_HALF, "half"))
    grade = next((name for most, name in grades if share <= most), "more than half")
    return {f"gap of {grade}": 1.0}


def _of_extreme(extreme: Extreme, rows: Meet, index: TableIndex) -> Features:
    """Return at which place the claimed rows stand in the order whose extreme they are said to be."""
    claimed = [part.run(index).rows for part in rows.parts if part is not extreme]
    of_all = frozenset.intersection(*claimed) if claimed else frozenset[int]()
    within = extreme.rows.run(index).rows
    numbers = {row: number for row, number in index.series[extreme.column].items() if row in within}
    levels = sorted(set(numbers.values()), reverse=extreme.highest)
    places = [levels.index(numbers[row]) + 1 for row in of_all & numbers.keys()]
    if not places:
        return {"no place in the order": 1.0}
    off = abs(min(places) - extreme.place)
    grade = "as claimed" if not off else "near the claimed" if off <= _NEAR_PLACES else "far from the claimed"
    return {f"place {grade}": 1.0}


def _of_rows(rows: Meet, index: TableIndex) -> Features:
    """Return how many conditions the best row lacks, and how unlikely it is that all meet by chance."""
    meeting_rows = [part.run(index).rows for part in rows.parts]
    most = max(Counter(row for part in meeting_rows for row in part).values(), default=0)
    count = max(1, len(index.rows))
    chance = math.prod(min(1.0, len(part) / count) for part in meeting_rows)
    features = {
        f"best row lacks {min(_FEW, len(meeting_rows) - most)} of {min(_FEW_VALUES, len(meeting_rows))}": 1.0,
        "unlikely to meet by chance": min(1.0, -math.log(max(chance, _LEAST_CHANCE)) / _CHANCES),
    }
    return features if all(meeting_rows) else features | {"a value that no row has": 1.0}


def _of_every(part: Every, index: TableIndex) -> Features:
    """Return what share of a scope holds, and of how many rows it is."""
    scope, within = part.scope.run(index).rows, part.within.run(index).rows
    if not scope:
        return {}
    inside = len(scope & within)
    most = "most" if inside > len(scope) * _HALF else "few" if inside else "none"
    grade = "all" if inside == len(scope) else most
    return {f"{grade} of the scope": 1.0, f"scope of {min(_FEW, len(scope))}": 1.0}
