"""Questions that two sentences of different documents answer together: `authored/several_steps`.

    python -m benchmarks several_steps

Twelve domains of five documents that name one another. Ten questions of each describe the thing that is
asked about by what one sentence tells of it, and another sentence tells what is asked; four are answered by
one sentence. Fourteen have no answer: of six the second step is told nowhere, of five nothing fits the
description, and three, of one step, are told nowhere. Six domains are for development, six took no part in
anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.text.authored_domains import AuthoredDomains, area, share

SEVERAL_STEPS = AuthoredDomains("several_steps")
TWO_STEPS, ONE_STEP = "two steps", "one step"
NOT_TOLD = ("second step not told", "first step not told", "one step not told")


def run() -> dict[str, Any]:
    """Materialise both parts through Dagster; return how questions of each kind are answered."""
    return SEVERAL_STEPS.run(figures)


def figures(answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the shares that are right, wrong, and answered without being told, and the area, by kind."""
    by_kind: dict[str, list[Mapping[str, Any]]] = {kind: [] for kind in (TWO_STEPS, ONE_STEP, *NOT_TOLD)}
    for row in answers:
        by_kind[row["question"]["subject"]].append(row)
    answerable = [*by_kind[TWO_STEPS], *by_kind[ONE_STEP]]
    unanswerable = [row for kind in NOT_TOLD for row in by_kind[kind]]
    return {
        **{
            f"right, {kind}": share([row["right"] for row in by_kind[kind]]) for kind in (TWO_STEPS, ONE_STEP)
        },
        **{f"wrong, {kind}": _wrong(by_kind[kind]) for kind in (TWO_STEPS, ONE_STEP)},
        **{f"answered, {kind}": share([row["given"] for row in by_kind[kind]]) for kind in NOT_TOLD},
        "right_of_all_given": share([row["right"] for row in answers if row["given"]]),
        "area": area(*([row["confidence"] for row in rows] for rows in (answerable, unanswerable))),
        "counts": {kind: len(rows) for kind, rows in by_kind.items()},
    }


def _wrong(rows: Sequence[Mapping[str, Any]]) -> list[float]:
    return share([row["given"] and not row["right"] for row in rows])
