"""Reading with an adapter in 16 bits: matrices kept as they are multiplied, against made anew in each pass.

The reader that the starter carries, over the first questions of OpenBookQA's development set with two facts
each, on one thread. Seconds are the processor's, the best of several repeats of either, in turn. Bound: the
same log-probabilities to the bit, and no slower. Needs the data sets.
"""

from __future__ import annotations

import time
from importlib.resources import as_file, files
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.language_models.likelihood import GENERATOR, openbookqa
from evidence_assets.models.generation import likelihood
from evidence_assets.models.generation.adapters import Adapter
from evidence_assets.models.generation.likelihood import TransformersLikelihoodModel
from evidence_assets.models.generation.settings import PROFILE_GENERATORS
from evidence_assets.models.option_training import one_thread

QUESTIONS, REPEATS = 6, 3


def run() -> dict[str, Any]:
    """Return seconds a question of both ways, and how many times as fast the kept matrices are."""
    facts, questions = openbookqa(QUESTIONS)
    prefixes = [
        f"{facts[2 * number]}\n{facts[2 * number + 1]}\nQuestion: {question['question']['stem']}\nAnswer:"
        for number, question in enumerate(questions)
    ]
    options = [[f" {choice['text']}" for choice in question["question"]["choices"]] for question in questions]
    models = {"kept": _reader()}
    with patch.object(likelihood, "_keep_in_half_precision", lambda _: None):
        models["made_anew"] = _reader()
    seconds: dict[str, list[float]] = {way: [] for way in models}
    read = {}
    with one_thread():
        for _ in range(1 + REPEATS):
            for way, model in models.items():
                started = time.process_time()
                read[way] = model.likelihoods(prefixes, options)
                seconds[way].append((time.process_time() - started) / QUESTIONS)
    # The first of each is a warm-up.
    best = {way: float(np.min(spent[1:])) for way, spent in seconds.items()}
    ratio, same = best["made_anew"] / best["kept"], read["kept"] == read["made_anew"]
    return {
        "questions": QUESTIONS,
        **{f"{way}_seconds_a_question": round(spent, 3) for way, spent in best.items()},
        "ratio": round(ratio, 2),
        "same": same,
        "bound": "the same log-probabilities, no slower",
        "within_bound": same and ratio >= 1.0,
    }


def _reader() -> TransformersLikelihoodModel:
    name, location, revision, _ = PROFILE_GENERATORS["starter"][GENERATOR].adaptable(GENERATOR)
    with as_file(files("evidence_assets.starter") / "readers" / "several" / "weights") as folder:
        return TransformersLikelihoodModel(name, location, revision, "cpu", Adapter(folder, bfloat16=True))
