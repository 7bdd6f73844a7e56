"""What every arm tells of itself, and how arms that a language model reads are named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One experiment: everything that distinguishes it is told by its fields.

    `name`: variant and reader, `full@extractive`. `weights` names the extractive reader's weights; empty
    where there are none. `prompted`: a language model reads.
    """

    name: str
    description: str
    weights: str = ""
    prompted: bool = False

    @property
    def variant(self) -> str:
        """What is done: the part of the name before `@`."""
        return self.name.partition("@")[0]

    @property
    def generator(self) -> str:
        """Who answers, as every row names it: the part of the name after `@`."""
        return self.name.partition("@")[2]


AnyArm = TypeVar("AnyArm", bound=Arm)


def by_name(arms: Iterable[AnyArm]) -> Mapping[str, AnyArm]:
    """Return arms by their names."""
    return {arm.name: arm for arm in arms}


def read_by_generators(
    arms: Mapping[str, AnyArm], generators: Iterable[str], weights: str
) -> Mapping[str, AnyArm]:
    """Return the arms, and each that is read with these weights once more for every generator instead."""
    prompted = [
        replace(arm, name=f"{arm.variant}@{generator}", weights="", prompted=True)
        for generator in generators
        for arm in arms.values()
        if arm.weights == weights
    ]
    return {**arms, **by_name(prompted)}
