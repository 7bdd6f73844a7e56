"""The base class of experiment arms, and the arms of configured generators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

EXTRACTIVE = "extractive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One experiment, fully described by its fields.

    `name`: variant and reader, `full@extractive`. `weights`: name of the extractive reader's weights, empty
    for other readers. `prompted`: the reader is a language model. `likelihood`: a generator's weights score
    what may be answered, and nothing is written. `levels`: of an arm of a factorial comparison, each factor
    and its level; empty for any other arm.
    """

    name: str
    description: str
    weights: str = ""
    prompted: bool = False
    likelihood: bool = False
    levels: tuple[tuple[str, str], ...] = ()

    @property
    def variant(self) -> str:
        """The variant: the part of the name before `@`."""
        return self.name.partition("@")[0]

    @property
    def generator(self) -> str:
        """The reader, as rows name it: the part of the name after `@`."""
        return self.name.partition("@")[2]


def controlled_pairs(arms: Iterable[Arm]) -> list[tuple[str, str]]:
    """Return the pairs of arms, by name, of one reader that differ in the level of exactly one factor.

    The second of a pair has the level that stands first among the arms: it is what the first is held against.
    """
    by_factors: dict[tuple[str, ...], list[Arm]] = {}
    order: dict[tuple[str, str], int] = {}
    for arm in arms:
        if arm.levels:
            group = (arm.generator, *(factor for factor, _ in arm.levels))
            by_factors.setdefault(group, []).append(arm)
            for level in arm.levels:
                order.setdefault(level, len(order))
    pairs = []
    for group_arms in by_factors.values():
        for first, second in combinations(group_arms, 2):
            changed = [pair for pair in zip(first.levels, second.levels, strict=True) if pair[0] != pair[1]]
            if len(changed) == 1:
                [(level, other_level)] = changed
                later, earlier = (first, second) if order[level] > order[other_level] else (second, first)
                pairs.append((later.name, earlier.name))
    return pairs


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


def scored_by_generators(
    arms: Mapping[str, AnyArm], variants: Iterable[str], generators: Iterable[str]
) -> Mapping[str, AnyArm]:
    """Return, for every generator, extractive arms of these variants read by the likelihoods of its weights.

    `full@extractive` becomes `full_likelihood@<generator>`.
    """
    named = tuple(variants)
    return by_name(
        replace(
            arm,
            name=f"{arm.variant}_likelihood@{generator}",
            description=f"{arm.description}; which answer evidence makes likelier",
            weights="",
            likelihood=True,
        )
        for generator in generators
        for arm in (arms[f"{variant}@{EXTRACTIVE}"] for variant in named)
    )
