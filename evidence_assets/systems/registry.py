"""The systems that stand: their arms, what a first run makes of each, what its arms are compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Protocol

from evidence_assets.reading.prompted_arms import with_generators
from evidence_assets.systems.attention2query import arms as attention2query
from evidence_assets.systems.four_step_focus import arms as four_step_focus
from evidence_assets.systems.kaping import arms as kaping
from evidence_assets.systems.ucret import arms as ucret
from evidence_assets.systems.ugat_medqa import arms as ugat_medqa
from evidence_assets.systems.uscrake import arms as uscrake

CORPUS, GRAPH, TABLES = "corpus", "graph", "tables"


class NamedArm(Protocol):
    """What every arm tells of itself."""

    @property
    def name(self) -> str:
        """Variant and generator, `full@extractive`."""

    @property
    def description(self) -> str:
        """What it does otherwise than the others."""


@dataclass(frozen=True, slots=True)
class System:
    """One published system. `needs`: what a benchmark must name for it, a corpus or a graph, or have: tables.

    `read_by` adds the arms that language models answer. `ranks`: it ranks answers where none are offered.
    """

    name: str
    needs: str
    arms: Mapping[str, NamedArm]
    first_arms: tuple[str, ...]
    default_arm: str
    compared_with: tuple[str, ...]
    read_by: Callable[[Any, Iterable[str]], Mapping[str, NamedArm]] = with_generators
    ranks: bool = False


_SYSTEMS = (
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
    System(
        ucret.SYSTEM,
        TABLES,
        ucret.ARMS,
        ucret.FIRST_ARMS,
        ucret.DEFAULT_ARM,
        ucret.COMPARED_WITH,
        ucret.with_generators,
    ),
    System(
        four_step_focus.SYSTEM,
        GRAPH,
        four_step_focus.ARMS,
        four_step_focus.FIRST_ARMS,
        four_step_focus.DEFAULT_ARM,
        four_step_focus.COMPARED_WITH,
        four_step_focus.with_generators,
        ranks=True,
    ),
    System(
        attention2query.SYSTEM,
        GRAPH,
        attention2query.ARMS,
        attention2query.FIRST_ARMS,
        attention2query.DEFAULT_ARM,
        attention2query.COMPARED_WITH,
        ranks=True,
    ),
    System(
        kaping.SYSTEM,
        GRAPH,
        kaping.ARMS,
        kaping.FIRST_ARMS,
        kaping.DEFAULT_ARM,
        kaping.COMPARED_WITH,
        kaping.with_generators,
        ranks=True,
    ),
)


def systems(generators: Iterable[str] = ()) -> Mapping[str, System]:
    """Return the systems by name; their arms include those that these generators answer."""
    named = tuple(generators)
    return MappingProxyType({one.name: replace(one, arms=one.read_by(one.arms, named)) for one in _SYSTEMS})


def chosen_arms(wanted: Iterable[str], among: Mapping[str, System]) -> dict[str, list[str]]:
    """Return the arms asked for, by system. `uscrake/full@extractive` names one; without a system, all of it.

    `among`: the systems, as `systems` returns them.

    Raises:
        LookupError: there is no such arm; the message lists them.
    """
    found: dict[str, list[str]] = {}
    for name in wanted:
        system, _, arm = name.rpartition("/")
        bearers = [one.name for one in among.values() if arm in one.arms and system in ("", one.name)]
        if not bearers:
            known = [f"{one.name}/{arm}" for one in among.values() for arm in one.arms]
            raise LookupError(f"no arm {name}; there are {', '.join(known)}")
        for bearer in bearers:
            found.setdefault(bearer, []).append(arm)
    return found
