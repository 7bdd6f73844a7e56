"""Fitted weights as part of a version: the extractive family's (`weights/*.json`), and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from evidence_assets.lake.ids import combined_hash

GENERAL, MEDMCQA_PATHS, MEDMCQA_OPTIONS = "general", "medmcqa_paths", "medmcqa_options"
# The default, fitted on several sets of questions at once; then those fitted on MedMCQA's alone.
WEIGHT_SETS = (GENERAL, MEDMCQA_PATHS, MEDMCQA_OPTIONS)
_OF_QUESTIONS = ("answerability", "sentence_answers")


def weights_version() -> str:
    """Return a hash of every set of weights."""
    return _version("weights", (*WEIGHT_SETS, *_OF_QUESTIONS))


def measured_version(*names: str) -> str:
    """Return a hash of fitted rankings, reliabilities and words without content (`measured/NAME.json`)."""
    return _version("measured", names)


def _version(folder: str, names: Sequence[str]) -> str:
    kept = files("evidence_assets.reading").joinpath(folder)
    return combined_hash(kept.joinpath(f"{name}.json").read_text(encoding="utf-8") for name in names)[:8]
