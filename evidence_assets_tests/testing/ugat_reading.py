"""Answers of UGAT-MedQA's readers without a language model, over paths written in a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evidence_assets.systems.ugat_medqa.arms import ARMS, PathArm
from evidence_assets.systems.ugat_medqa.reading import read_benchmark
from evidence_assets_tests.testing.experiment_rows import Rows, rows_of
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.ugat_samples import concept_table, node_table, path_row, path_table

FULL, ANSWERING = ARMS["full@extractive"], ARMS["full_answering@extractive"]
NO_RETRIEVAL = ARMS["no_retrieval@extractive"]
OPTIONS = ["renal atrophy", "renal failure", "renal stone"]
# Of one form and length, so that nothing but the graph tells them apart.
EQUAL = ["renal atrophy", "renal failure", "renal calculi"]
Encode = Callable[[Sequence[str]], np.ndarray]


def alike(texts: Sequence[str]) -> np.ndarray:
    """Every text means the same: options differ by what the graph says alone."""
    return np.ones((len(texts), 4), dtype=np.float32) / 2


def read(
    questions: Sequence[dict[str, Any]],
    paths: Sequence[dict[str, Any]] = (),
    nodes: Sequence[dict[str, Any]] = (),
    concepts: Sequence[tuple[str, int, str, int, float]] = (),
    arm: PathArm = FULL,
    encode: Encode = alike,
) -> Rows:
    experiment = read_benchmark(
        question_table(*questions),
        concept_table(*concepts),
        path_table(*paths),
        node_table(*nodes),
        encode,
        arm,
        "b",
        "7",
    )
    return rows_of(experiment)


def kidney_question(text: str = "What harms the kidney?", answer: int | None = 0) -> dict[str, Any]:
    return question_row("q1", text, OPTIONS, answer)


BOTH = [path_row("q1", 0, 1, "Stones cause atrophy."), path_row("q1", 1, 1, "Stones cause failure.")]
NAMED = [("q1", place, option, place, 0.5) for place, option in enumerate(OPTIONS)]


def measures(rows: Rows, candidate: int) -> dict[str, float]:
    [chain] = [row for row in rows["chains"] if row["candidate"] == candidate]
    return {score_part["name"]: score_part["value"] for score_part in chain["score_parts"]}
