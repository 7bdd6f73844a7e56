"""How configured readers are trained: the recipe of each, and the courses that an adapter is the mean of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evidence_assets.models.reader_recipe import AdapterTraining, Course, ReaderTraining
from evidence_assets.sources.reader_specifications import ReaderSource

_SCHEDULED = ("steps", "batch", "body_rate", "frozen_layers", "longest", "evaluations", "seed")


def recipe_of(source: ReaderSource) -> ReaderTraining:
    """Return how a configured reader is trained: an adapter where it names a rank, else a cross-encoder."""
    shared: dict[str, Any] = {field: getattr(source, field) for field in _SCHEDULED}
    if not source.adapter_rank:
        return ReaderTraining(**shared)
    of_adapter = {field: getattr(source, field) for field in ("without_habits", "bfloat16")}
    return AdapterTraining(**shared, rank=source.adapter_rank, **of_adapter)


def courses_of(source: ReaderSource, recipe: AdapterTraining) -> list[Course]:
    """Return the trainings of a reader's adapter: those that are named, else one of all sets."""
    if not source.trainings:
        return [Course(_each_once(source.sets), recipe)]
    return [
        Course(
            _each_once(training.sets),
            replace(
                recipe,
                steps=training.steps,
                seed=recipe.seed if training.seed is None else training.seed,
            ),
        )
        for training in source.trainings
    ]


def _each_once(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
