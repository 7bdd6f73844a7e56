"""A system whose answers depend on fitted weights is of another version when those are fitted anew."""

from __future__ import annotations

from functools import cache

import grimp
import pytest

from evidence_assets.reading.weights import (
    ANSWERABILITY,
    GENERAL,
    MEDMCQA_OPTIONS,
    MEDMCQA_PATHS,
    SENTENCE_ANSWERS,
    weights_version,
)
from evidence_assets.systems.registry import SYSTEMS, systems_by_name
from evidence_assets.systems.system import System

# The sets in the order in which a system's version names them: of what is read apart, apart.
READS: dict[str, tuple[tuple[str, ...], ...]] = {
    "uscrake": ((GENERAL, ANSWERABILITY), (ANSWERABILITY, SENTENCE_ANSWERS)),
    "ugat_medqa": ((GENERAL, MEDMCQA_PATHS, MEDMCQA_OPTIONS, ANSWERABILITY),),
    "ucret": ((GENERAL,),),
    "attention2query": ((ANSWERABILITY,),),
    "four_step_focus": (),
    "kaping": (),
}


@cache
def _imports() -> grimp.ImportGraph:
    return grimp.build_graph("evidence_assets")


def _reaches(system: str, name: str) -> bool:
    imports, package = _imports(), f"evidence_assets.systems.{system}"
    [module] = (
        path
        for path in imports.find_descendants("evidence_assets.reading")
        if path.rpartition(".")[2] == name
    )
    modules = {package, *imports.find_descendants(package)}
    return any(module in imports.find_upstream_modules(module_of_system) for module_of_system in modules)


def _read_by(system: str) -> set[str]:
    return {name for together in READS[system] for name in together}


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_the_version_names_the_weights_that_are_read(system: System) -> None:
    for together in READS[system.name]:
        assert weights_version(*together) in system.version
    names = _read_by(system.name)
    for module in (ANSWERABILITY, SENTENCE_ANSWERS):
        assert (module in names) == _reaches(system.name, module)


# The arms of other systems name a set only as what their prompted copies do without.
@pytest.mark.parametrize("name", ["uscrake", "ugat_medqa", "ucret"])
def test_the_sets_that_arms_are_read_by_are_among_them(name: str) -> None:
    weight_sets = {arm.weights for arm in systems_by_name()[name].arms(()).values()} - {""}
    assert weight_sets <= _read_by(name)
