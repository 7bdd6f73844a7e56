"""Arms that a language model answers: every general one without a model, with each generator instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol, TypeVar

from evidence_assets.reading.weights import GENERAL


class ReadArm(Protocol):
    """An arm that somebody reads: an extractive reader with `weights`, or a language model (`prompted`)."""

    @property
    def name(self) -> str:
        """Variant and generator, `full@extractive`."""

    @property
    def weights(self) -> str:
        """The extractive reader's weights, where there is one."""

    @property
    def prompted(self) -> bool:
        """Whether a language model reads."""


Read = TypeVar("Read", bound=ReadArm)


def with_generators(arms: Mapping[str, Read], generators: Iterable[str]) -> Mapping[str, Read]:
    """Return the arms, and each that is read with general weights once more for every generator."""
    prompted = [
        replace(arm, name=f"{arm.name.partition('@')[0]}@{generator}", weights="", prompted=True)  # type: ignore[type-var]
        for generator in generators
        for arm in arms.values()
        if arm.weights == GENERAL
    ]
    return {**arms, **{arm.name: arm for arm in prompted}}
