"""Questions to documents that nearly answer them: `authored/near_misses`.

    python -m benchmarks near_misses

Eighteen domains of four documents, each with fourteen questions that a sentence answers, worded freely, and
fourteen that none answers although one reads as if it could: seven ask for another season, person or number
than is told, seven for another property of what is told. Twelve domains are for development, six of which
were held out until they were opened; six others took no part in anything. Beside the default stand the
nearest passage's best sentence, which always answers, and what each measure alone tells of whether a
question is answered.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from benchmarks import PROJECT
from benchmarks.real_lake import materialized
from evidence_assets.evidence.estimates import proportion
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import CHAINS, PREDICTIONS, QUESTIONS
from evidence_assets.systems.uscrake.arms import BASELINE_ARM, DEFAULT_ARM, SYSTEM

AUTHORED = PROJECT / "benchmarks" / "authored" / "near_misses"
DEVELOPMENT, HELD_OUT = "development", "held_out"
ANSWERABLE, EXCHANGED, ANOTHER_PROPERTY = "answerable", "exchanged", "another property"
# What tells alone, where a sentence was chosen by all: of the chains' measures.
_ALONE = ("nearness", "said", "nearest", "coverage")
_BUILT = PROJECT / "build" / "near_misses"


def run() -> dict[str, Any]:
    """Materialise both parts through Dagster; return how their questions are answered."""
    with environment():
        return {"parts": [row for part in (DEVELOPMENT, HELD_OUT) for row in _of_part(part)]}


@contextmanager
def environment() -> Iterator[None]:
    """Set the environment back, at the end, to what it was: other benchmarks have a lake of their own."""
    before = dict(os.environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _of_part(part: str) -> Iterator[dict[str, Any]]:
    lake = prepared(part)
    names = domains(part)
    materialized({name: [f"{SYSTEM}/{arm}" for arm in (DEFAULT_ARM, BASELINE_ARM)] for name in names})
    for arm in (DEFAULT_ARM, BASELINE_ARM):
        answers = [row for name in names for row in answers_of(lake, name, arm)]
        yield {"part": part, "arm": arm, **figures(answers)}


def domains(part: str) -> list[str]:
    """Return the names of a part's domains, which are those of its benchmarks and corpora."""
    return sorted(path.name for path in (AUTHORED / part).iterdir() if path.is_dir())


def prepared(part: str) -> Lake:
    """Write the project of a part, set the environment that it is run in, and return its lake."""
    folder = _BUILT / part
    folder.mkdir(parents=True, exist_ok=True)
    articles = {"name": "articles", "format": "text_folder", "licence": "Apache-2.0", "revision": "1"}
    content = {
        "corpora": {
            name: {"sources": [{**articles, "uri": str(AUTHORED / part / name / "articles")}]}
            for name in domains(part)
        },
        "benchmarks": {
            name: {
                "reader": "questions_jsonl",
                "uri": str(AUTHORED / part / name / "questions.jsonl"),
                "split": "test",
                "corpus": name,
                "licence": "Apache-2.0",
                "systems": [SYSTEM],
            }
            for name in domains(part)
        },
    }
    sources = folder / "sources.yaml"
    sources.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    _point_to(sources, folder / "lake", folder / "dagster")
    return Lake(str(folder / "lake"))


def _point_to(sources: Path, lake: Path, home: Path) -> None:
    home.mkdir(exist_ok=True)
    (home / "dagster.yaml").touch()
    os.environ |= {"EVIDENCE_SOURCES": str(sources), "EVIDENCE_LAKE": str(lake), "DAGSTER_HOME": str(home)}


def kind_of(question: Mapping[str, Any]) -> str:
    """Return of which kind a row of `questions` is: near misses by another name, number or word say so."""
    if question["answerable"] is not False:
        return ANSWERABLE
    return EXCHANGED if question["subject"].startswith("other ") else ANOTHER_PROPERTY


def answers_of(lake: Lake, name: str, arm: str) -> list[dict[str, Any]]:
    """Return each question's kind, whether it was answered and rightly, the confidence and the measures."""
    place = {"system": SYSTEM, "arm": arm, "benchmark": name}
    chains = {
        row["question_id"]: {part["name"]: part["value"] for part in row["score_parts"]}
        for row in lake.read(CHAINS, place).to_pylist()
    }
    kinds = {
        row["question_id"]: kind_of(row) for row in lake.read(QUESTIONS, {"benchmark": name}).to_pylist()
    }
    return [
        {
            "kind": kinds[row["question_id"]],
            "given": not row["abstained"],
            "right": row["correct"] and not row["abstained"],
            "confidence": row["confidence"],
            "measures": chains.get(row["question_id"], {}),
        }
        for row in lake.read(PREDICTIONS, place).to_pylist()
    ]


def figures(answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the shares that are answered, of what is answered the right ones, and areas under the curve."""
    answerable = [row for row in answers if row["kind"] == ANSWERABLE]
    missing = [row for row in answers if row["kind"] != ANSWERABLE]
    given = [row for row in answerable if row["given"]]
    areas = {f"area of {name} alone": _area_alone(answerable, missing, name) for name in _ALONE}
    return {
        "answerable": len(answerable),
        "right": _share([row["right"] for row in answerable]),
        "right_of_given": _share([row["right"] for row in given]),
        "near_misses": len(missing),
        "answered_near_misses": _share([row["given"] for row in missing]),
        **{
            f"answered, {kind}": _share([row["given"] for row in missing if row["kind"] == kind])
            for kind in (EXCHANGED, ANOTHER_PROPERTY)
        },
        "right_of_all_given": _share([row["right"] for row in answers if row["given"]]),
        "area": _area([row["confidence"] for row in answerable], [row["confidence"] for row in missing]),
        **{name: value for name, value in areas.items() if value is not None},
    }


def _area_alone(
    answerable: Sequence[Mapping[str, Any]], missing: Sequence[Mapping[str, Any]], name: str
) -> float | None:
    """Return the area of one measure in the place of confidence; None where chains do not hold it."""
    values = [[row["measures"].get(name) for row in rows] for rows in (answerable, missing)]
    return _area(*values)


def _area(kept: Sequence[float | None], missing: Sequence[float | None]) -> float | None:
    """Return the area under the curve of kept against missing; None where some have no value."""
    from scipy.stats import mannwhitneyu

    if None in kept or None in missing:
        return None
    statistic = mannwhitneyu(np.array(kept, float), np.array(missing, float)).statistic
    return round(float(statistic) / (len(kept) * len(missing)), 4)


def _share(values: Sequence[bool]) -> list[float]:
    estimate = proportion(sum(values), len(values))
    return [round(value, 4) for value in (estimate.value, estimate.low, estimate.high)]
