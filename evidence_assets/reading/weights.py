"""The sets of weights of the extractive family (`weights/*.json`), by name."""

from __future__ import annotations

from importlib.resources import files

from evidence_assets.lake.ids import combined_hash

GENERAL, MEDMCQA_PATHS, MEDMCQA_OPTIONS = "general", "medmcqa_paths", "medmcqa_options"
# The default, fitted on several sets of questions at once; then those fitted on MedMCQA's alone.
WEIGHT_SETS = (GENERAL, MEDMCQA_PATHS, MEDMCQA_OPTIONS)
_ANSWERABILITY = "answerability"


def weights_version() -> str:
    """Return a hash of every set of weights."""
    folder = files("evidence_assets.reading").joinpath("weights")
    return combined_hash(
        folder.joinpath(f"{name}.json").read_text() for name in (*WEIGHT_SETS, _ANSWERABILITY)
    )[:8]
