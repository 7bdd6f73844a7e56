"""Fitted weights (`weights/*.json`), and the versions of these and of what was measured."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from evidence_assets.lake.ids import combined_hash

GENERAL, MEDMCQA_PATHS, MEDMCQA_OPTIONS = "general", "medmcqa_paths", "medmcqa_options"
# The default, fitted on several sets of questions at once; then those fitted on MedMCQA's alone.
WEIGHT_SETS = (GENERAL, MEDMCQA_PATHS, MEDMCQA_OPTIONS)
# Those that tell whether passages hold what is asked, and which sentence answers an open question.
ANSWERABILITY, SENTENCE_ANSWERS = "answerability", "sentence_answers"


def weights_version(*names: str) -> str:
    """Return a hash of sets of weights (`weights/NAME.json`).

    A system names those that it reads by: another fit of any of them makes its answers stale, and no others.
    """
    return _version("weights", names)


def measured_version(*names: str) -> str:
    """Return a hash of fitted rankings, reliabilities and words without content (`measured/NAME.json`)."""
    return _version("measured", names)


@cache
def read_weights(name: str) -> Mapping[str, Any]:
    """Return a set of weights as it is kept, with what it was fitted on under `provenance`."""
    weights: dict[str, Any] = json.loads(_text("weights", name))
    return weights


def _version(folder: str, names: Sequence[str]) -> str:
    return combined_hash(_text(folder, name) for name in names)[:8]


def _text(folder: str, name: str) -> str:
    path = files("evidence_assets.reading").joinpath(folder, f"{name}.json")
    return path.read_text(encoding="utf-8")
