"""Fitted weights as part of a version: the extractive family's (`weights/*.json`), and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

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


def _version(folder: str, names: Sequence[str]) -> str:
    kept = files("evidence_assets.reading").joinpath(folder)
    return combined_hash(kept.joinpath(f"{name}.json").read_text(encoding="utf-8") for name in names)[:8]
