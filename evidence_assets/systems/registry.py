"""The systems that stand, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evidence_assets.sources.project import Project
from evidence_assets.systems.attention2query.system import ATTENTION2QUERY
from evidence_assets.systems.four_step_focus.system import FOUR_STEP_FOCUS
from evidence_assets.systems.kaping.system import KAPING
from evidence_assets.systems.system import System
from evidence_assets.systems.ucret.system import UCRET
from evidence_assets.systems.ugat_medqa.system import UGAT_MEDQA
from evidence_assets.systems.uscrake.system import USCRAKE
from evidence_assets.text.suggestions import UnknownNameError

SYSTEMS: tuple[System, ...] = (USCRAKE, UGAT_MEDQA, UCRET, FOUR_STEP_FOCUS, ATTENTION2QUERY, KAPING)


def systems_by_name(systems: Iterable[System] = SYSTEMS) -> Mapping[str, System]:
    """Return the systems by name."""
    return {system.name: system for system in systems}


def chosen_arm(wanted: str, among: Mapping[str, System], project: Project) -> tuple[str, str]:
    """Return the system and the arm that a name means, as in `chosen_arms`.

    Raises:
        UnknownNameError: there is no such arm.
        LookupError: several systems have one of that name.
    """
    chosen = chosen_arms([wanted], among, project)
    if len(chosen) > 1:
        first, *_ = chosen
        raise LookupError(
            f"{', '.join(chosen)} have an arm {wanted}; remedy: name the system, {first}/{wanted}"
        )
    [(system, [arm])] = chosen.items()
    return system, arm


def chosen_arms(wanted: Iterable[str], among: Mapping[str, System], project: Project) -> dict[str, list[str]]:
    """Return the arms asked for, by system. `uscrake/full@extractive` names one; without a system, all of it.

    Raises:
        UnknownNameError: there is no such arm; the message names the nearest ones.
    """
    arms = {name: system.arms_of(project) for name, system in among.items()}
    chosen: dict[str, list[str]] = {}
    for name in wanted:
        system, _, arm = name.rpartition("/")
        bearers = [bearer for bearer in arms if arm in arms[bearer] and system in ("", bearer)]
        if not bearers:
            known = [f"{bearer}/{of_bearer}" for bearer in arms for of_bearer in arms[bearer]]
            raise UnknownNameError("arm", [name], known, "`evidence-assets arms` lists all of them")
        for bearer in bearers:
            chosen.setdefault(bearer, []).append(arm)
    return chosen
