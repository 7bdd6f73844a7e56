"""A small language model as a reader: its likelihoods weighed with cheap cues, on sets that took no part.

What likelihoods and cues are worth is fitted on WorldTree's questions; `trained_reader` measures readers
that are trained, in the same way. All of OpenBookQA's test and CommonsenseQA's development questions are
read, and of MMLU's medical ones so many, by the hash of their ids. Needs the data sets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.text.trained_reader import measured

SETS: Mapping[str, int] = {"openbookqa": 500, "commonsenseqa": 1_221, "mmlu_medical": 400}


def run() -> dict[str, Any]:
    """Weigh the model, run its arm, and return the accuracy of every way to answer, set by set."""
    return measured(["weighed"], SETS)
