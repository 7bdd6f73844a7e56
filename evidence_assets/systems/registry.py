"""The systems that stand: their arms, what a first run makes of each, what its arms are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from evidence_assets.systems.ugat_medqa import arms as ugat_medqa
from evidence_assets.systems.uscrake import arms as uscrake

CORPUS, GRAPH = "corpus", "graph"


class SystemArm(Protocol):
    """What every system's arms have."""

    @property
    def name(self) -> str:
        """Variant and generator, `full@extractive`."""

    @property
    def description(self) -> str:
        """What it does otherwise than the others."""


@dataclass(frozen=True, slots=True)
class System:
    """One published system. `needs`: what a benchmark must name for it, a corpus or a graph."""

    name: str
    needs: str
    arms: Mapping[str, SystemArm]
    first_arms: tuple[str, ...]
    default_arm: str
    compared_with: tuple[str, ...]


SYSTEMS: Mapping[str, System] = MappingProxyType(
    {
        system.name: system
        for system in (
            System(
                uscrake.SYSTEM,
                CORPUS,
                uscrake.ARMS,
                uscrake.FIRST_ARMS,
                uscrake.DEFAULT_ARM,
                uscrake.COMPARED_WITH,
            ),
            System(
                ugat_medqa.SYSTEM,
                GRAPH,
                ugat_medqa.ARMS,
                ugat_medqa.FIRST_ARMS,
                ugat_medqa.DEFAULT_ARM,
                ugat_medqa.COMPARED_WITH,
            ),
        )
    }
)


def chosen_arms(wanted: Iterable[str]) -> dict[str, list[str]]:
    """Return the arms asked for, by system. `uscrake/full@extractive` names one; without a system, all of it.

    Raises:
        LookupError: there is no such arm; the message lists them.
    """
    found: dict[str, list[str]] = {}
    for name in wanted:
        system, _, arm = name.rpartition("/")
        bearers = [one.name for one in SYSTEMS.values() if arm in one.arms and system in ("", one.name)]
        if not bearers:
            known = [f"{one.name}/{arm}" for one in SYSTEMS.values() for arm in one.arms]
            raise LookupError(f"no arm {name}; there are {', '.join(known)}")
        for bearer in bearers:
            found.setdefault(bearer, []).append(arm)
    return found
