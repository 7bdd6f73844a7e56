"""Domains of documents and questions that were written for a benchmark: `benchmarks/authored`.

A set has a part for development and one that took no part in anything until it was opened; each domain is a
corpus of its own, and a benchmark of the same name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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

DEVELOPMENT, HELD_OUT = "development", "held_out"
ARMS = (DEFAULT_ARM, BASELINE_ARM)


@contextmanager
def environment() -> Iterator[None]:
    """Set the environment back, at the end, to what it was: other benchmarks have a lake of their own."""
    before = dict(os.environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@dataclass(frozen=True)
class AuthoredDomains:
    """A set by the name of its folder."""

    name: str

    def folder(self, part: str) -> Path:
        """Return the folder of a part."""
        return PROJECT / "benchmarks" / "authored" / self.name / part

    def domains(self, part: str) -> list[str]:
        """Return the names of a part's domains, which are those of its benchmarks and corpora."""
        return sorted(path.name for path in self.folder(part).iterdir() if path.is_dir())

    def prepared(self, part: str) -> Lake:
        """Write the project of a part, set the environment that it is run in, and return its lake."""
        built = PROJECT / "build" / self.name / part
        built.mkdir(parents=True, exist_ok=True)
        articles = {"name": "articles", "format": "text_folder", "licence": "Apache-2.0", "revision": "1"}
        content = {
            "corpora": {
                name: {"sources": [{**articles, "uri": str(self.folder(part) / name / "articles")}]}
                for name in self.domains(part)
            },
            "benchmarks": {
                name: {
                    "reader": "questions_jsonl",
                    "uri": str(self.folder(part) / name / "questions.jsonl"),
                    "split": "test",
                    "corpus": name,
                    "licence": "Apache-2.0",
                    "systems": [SYSTEM],
                }
                for name in self.domains(part)
            },
        }
        sources = built / "sources.yaml"
        sources.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
        home = built / "dagster"
        home.mkdir(exist_ok=True)
        (home / "dagster.yaml").touch()
        os.environ |= {
            "EVIDENCE_SOURCES": str(sources),
            "EVIDENCE_LAKE": str(built / "lake"),
            "DAGSTER_HOME": str(home),
        }
        return Lake(str(built / "lake"))

    def run(self, figures: Callable[[Sequence[dict[str, Any]]], dict[str, Any]]) -> dict[str, Any]:
        """Materialise both parts through Dagster; return the figures of each arm's answers to each."""
        with environment():
            return {
                "parts": [
                    {"part": part, "arm": arm, **figures(answers)}
                    for part in (DEVELOPMENT, HELD_OUT)
                    for arm, answers in self.answers(part)
                ]
            }

    def answers(self, part: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """Materialise a part through Dagster; yield each arm with its answers, see `answers_of`."""
        lake, names = self.prepared(part), self.domains(part)
        materialized({name: [f"{SYSTEM}/{arm}" for arm in ARMS] for name in names})
        for arm in ARMS:
            yield arm, [row for name in names for row in answers_of(lake, name, arm)]


def answers_of(lake: Lake, name: str, arm: str) -> list[dict[str, Any]]:
    """Return each question of a domain, whether it was answered and rightly, confidence and measures."""
    place = {"system": SYSTEM, "arm": arm, "benchmark": name}
    chains = {
        row["question_id"]: {part["name"]: part["value"] for part in row["score_parts"]}
        for row in lake.read(CHAINS, place).to_pylist()
    }
    questions = {row["question_id"]: row for row in lake.read(QUESTIONS, {"benchmark": name}).to_pylist()}
    return [
        {
            "question": questions[row["question_id"]],
            "given": not row["abstained"],
            "right": row["correct"] and not row["abstained"],
            "confidence": row["confidence"],
            "measures": chains.get(row["question_id"], {}),
        }
        for row in lake.read(PREDICTIONS, place).to_pylist()
    ]


def area(kept: Sequence[float | None], missing: Sequence[float | None]) -> float | None:
    """Return the area under the curve of kept against missing; None where some have no value."""
    from scipy.stats import mannwhitneyu

    if None in kept or None in missing:
        return None
    statistic = mannwhitneyu(np.array(kept, float), np.array(missing, float)).statistic
    return round(float(statistic) / (len(kept) * len(missing)), 4)


def share(values: Sequence[bool]) -> list[float]:
    """Return the share of what is true, and its interval."""
    estimate = proportion(sum(values), len(values))
    return [round(value, 4) for value in (estimate.value, estimate.low, estimate.high)]
