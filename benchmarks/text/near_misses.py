"""Questions to documents that nearly answer them: `authored/near_misses`.

    python -m benchmarks near_misses

Thirty domains of four documents, each with fourteen questions that a sentence answers, worded freely, and
fourteen that none answers although one reads as if it could: seven ask for another season, person or number
than is told, seven for another property of what is told. Twenty-four domains are for development, eighteen
of which were held out until they were opened; six others took no part in anything. Beside the default stand
the nearest passage's best sentence, which always answers, and what each measure alone tells of whether a
question is answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.text.authored_domains import AuthoredDomains, area, share

NEAR_MISSES = AuthoredDomains("near_misses")
ANSWERABLE, EXCHANGED, ANOTHER_PROPERTY = "answerable", "exchanged", "another property"
# What tells alone, where a sentence was chosen by all: of the chains' measures.
_ALONE = ("nearness", "said", "nearest", "coverage")


def run() -> dict[str, Any]:
    """Materialise both parts through Dagster; return how their questions are answered."""
    return NEAR_MISSES.run(figures)


def kind_of(question: Mapping[str, Any]) -> str:
    """Return of which kind a row of `questions` is: near misses by another name, number or word say so."""
    if question["answerable"] is not False:
        return ANSWERABLE
    return EXCHANGED if question["subject"].startswith("other ") else ANOTHER_PROPERTY


def figures(answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the shares that are answered, of what is answered the right ones, and areas under the curve."""
    by_kind: dict[str, list[Mapping[str, Any]]] = {ANSWERABLE: [], EXCHANGED: [], ANOTHER_PROPERTY: []}
    for row in answers:
        by_kind[kind_of(row["question"])].append(row)
    answerable, missing = by_kind[ANSWERABLE], [*by_kind[EXCHANGED], *by_kind[ANOTHER_PROPERTY]]
    areas = {
        f"area of {name} alone": area(
            *([row["measures"].get(name) for row in rows] for rows in (answerable, missing))
        )
        for name in _ALONE
    }
    return {
        "answerable": len(answerable),
        "right": share([row["right"] for row in answerable]),
        "right_of_given": share([row["right"] for row in answerable if row["given"]]),
        "near_misses": len(missing),
        "answered_near_misses": share([row["given"] for row in missing]),
        **{
            f"answered, {kind}": share([row["given"] for row in by_kind[kind]])
            for kind in (EXCHANGED, ANOTHER_PROPERTY)
        },
        "right_of_all_given": share([row["right"] for row in answers if row["given"]]),
        "area": area([row["confidence"] for row in answerable], [row["confidence"] for row in missing]),
        **{name: value for name, value in areas.items() if value is not None},
    }
