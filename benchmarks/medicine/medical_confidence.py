"""Whether a medical answer's confidence is better calibrated when it is drawn to chance by answerability.

Needs the data sets. MedMCQA's development questions as `relevance_factorial` draws them, read from the guided
walk's paths as `full@extractive` and `full_answering@extractive` are. The confidence, the probability of the
option chosen, is taken as the weights give it, and tempered as the reader gives it: by how much less the
passages speak of the question than text does of one that it answers (`Answerability.tempered`).
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from benchmarks.estimates import difference_row
from benchmarks.medicine.medical_cases import Cases, Opened, questions
from benchmarks.medicine.relevance_factorial import (
    CAPS,
    NAME,
    SEED,
    CachedPathFinder,
    Ready,
    comparable_questions,
    read_rows,
    ready,
    scored,
)
from benchmarks.real_texts import cached_encoder, real_data
from evidence_assets.evaluation.metrics import expected_calibration_error
from evidence_assets.graphs.choices import HUB_PENALTY
from evidence_assets.models.encoder import Encode
from evidence_assets.reading.extractive import judge, load_weights
from evidence_assets.reading.weights import GENERAL
from evidence_assets.systems.ugat_medqa.arms import ARMS, GUIDED_WALK
from evidence_assets.systems.ugat_medqa.reading import candidates_of, cases_of, read_benchmark

QUESTIONS = 300
ARMS_READ = ("full@extractive", "full_answering@extractive")


def run() -> dict[str, Any]:
    """Return, by arm, accuracy, mean confidence, calibration error and Brier score, as is and tempered."""
    encoder = cached_encoder()
    opened = Opened("biomedical", encoder, by_meaning=False)
    eligible = comparable_questions(opened, questions(real_data()))
    chosen = random.Random(SEED).sample(eligible, QUESTIONS)
    return measured(ready(Cases(opened, chosen, encoder), chosen), encoder.encode)


def measured(prepared: Ready, encode: Encode) -> dict[str, Any]:
    """Return what `run` does, of questions that are ready."""
    cap = next(name for name, neighbourhood in CAPS.items() if neighbourhood == "hops3")
    scores = scored(prepared, GUIDED_WALK, cap)
    finder = CachedPathFinder(prepared.graph, HUB_PENALTY)
    paths, nodes = read_rows(prepared, scores, cap, "best 50", finder, lift=True)
    cases = cases_of(prepared.questions, prepared.concepts, paths, nodes)
    weights = load_weights(GENERAL)
    probabilities = {
        case.question["question_id"]: judge(candidates, weights).probabilities
        for case, candidates in zip(cases, candidates_of(cases, encode), strict=True)
        if candidates is not None
    }
    rows = []
    for name in ARMS_READ:
        experiment = read_benchmark(
            prepared.questions, prepared.concepts, paths, nodes, encode, ARMS[name], NAME, "confidence"
        )
        answered = [
            row for row in experiment.tables()["predictions"].to_pylist() if row["confidence"] is not None
        ]
        right = np.array([float(row["correct"]) for row in answered])
        plain = np.array([probabilities[row["question_id"]][row["predicted_index"]] for row in answered])
        tempered = np.array([row["confidence"] for row in answered])
        rows.append(
            {
                "arm": name,
                "questions": prepared.questions.num_rows,
                "n": len(answered),
                "accuracy": float(right.mean()),
                "unaccounted": float(
                    np.mean([len(row["unaccounted"]) for row in answered if row["unaccounted"] is not None])
                ),
                **{
                    kind: {
                        "mean_confidence": float(confidence.mean()),
                        "calibration_error": expected_calibration_error(confidence, right),
                        "brier": float(((confidence - right) ** 2).mean()),
                    }
                    for kind, confidence in (("as_it_is", plain), ("tempered", tempered))
                },
                "brier_gained": difference_row((plain - right) ** 2, (tempered - right) ** 2),
            }
        )
    return {"arms": rows}
