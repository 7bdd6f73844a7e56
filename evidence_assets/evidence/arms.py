"""The base class of experiment arms, and the arms of configured generators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One experiment, fully described by its fields.

    `name`: variant and reader, `full@extractive`. `weights`: name of the extractive reader's weights, empty
    for other readers. `prompted`: the reader is a language model.
    """

    name: str
    description: str
    weights: str = ""
    prompted: bool = False

    @property
    def variant(self) -> str:
        """The variant: the part of the name before `@`."""
        return self.name.partition("@")[0]

    @property
    def generator(self) -> str:
        """The reader, as rows name it: the part of the name after `@`."""
        return self.name.partition("@")[2]


AnyArm = TypeVar("AnyArm", bound=Arm)


def by_name(arms: Iterable[AnyArm]) -> Mapping[str, AnyArm]:
    """Return arms by their names."""
    return {arm.name: arm for arm in arms}


def read_by_generators(
    arms: Mapping[str, AnyArm], generators: Iterable[str], weights: str
) -> Mapping[str, AnyArm]:
    """Return the arms, and for every generator a prompted copy of each arm read with these weights."""
    prompted = [
        replace(arm, name=f"{arm.variant}@{generator}", weights="", prompted=True)
        for generator in generators
        for arm in arms.values()
        if arm.weights == weights
    ]
    return {**arms, **by_name(prompted)}
