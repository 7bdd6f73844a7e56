"""What is recorded of a reader that was made, and what is shown of it where it is made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from evidence_assets.sources.reader_specifications import ReaderSource

if TYPE_CHECKING:
    from evidence_assets.models.option_training import Evaluation
    from evidence_assets.training.making import MadeReader


def recorded(source: ReaderSource, made: MadeReader) -> dict[str, Any]:
    """Return what a row of `trained_readers` tells of how a reader was made, and of its mixture.

    Its curve is those of its trainings one after another, in the recipe's order, each from its first step.
    """
    weights = made.reader.weights
    of_cues = zip(made.reader.cues(), weights.near.tolist(), weights.far.tolist(), strict=True)
    return {
        "model_id": made.model_id,
        "generator": source.generator,
        "folder": made.folder,
        "weights_hash": made.weights_hash,
        "recipe": json.dumps(source.model_dump(mode="json"), sort_keys=True),
        "texts": source.texts,
        "trained_on": [{"source": kind, "questions": count} for kind, count in made.trained_on.items()],
        "chosen_on": source.chosen_on,
        "mixture": [{"cue": cue, "weight": near, "weight_far": far} for cue, near, far in of_cues],
        "curve": [asdict(evaluation) for evaluations in made.curves for evaluation in evaluations],
    }


def shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is shown of a row of `trained_readers`: every way's accuracy."""
    return {
        f"{row['evaluated'][0]['benchmark']}: {figure['way']}": figure["accuracy"]
        for figure in row["evaluated"]
    }


def curve_pictures(curves: Sequence[Sequence[Evaluation]], name: str) -> dict[str, str]:
    """Return a picture of each of a reader's trainings; none where nothing was trained."""
    pictures = {}
    for number, evaluations in enumerate(curves, 1):
        title = "training" if len(curves) == 1 else f"training {number} of {len(curves)}"
        pictures[title] = _picture(evaluations, f"{name}: {title}")
    return pictures


def _picture(evaluations: Sequence[Evaluation], title: str) -> str:
    from evidence_assets.lake.previews import curves

    measures = ("loss", "accuracy", "validation_loss")
    drawn = {measure: [getattr(evaluation, measure) for evaluation in evaluations] for measure in measures}
    return curves([evaluation.step for evaluation in evaluations], drawn, title, "steps")
