"""Arms that language models answer: which there are, and how they are asked for by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, cast

import pytest

from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.reading.weights import GENERAL
from evidence_assets.sources.project import Project
from evidence_assets.sources.specifications import Sources
from evidence_assets.systems.registry import SYSTEMS, chosen_arms, systems_by_name
from evidence_assets.systems.system import System
from evidence_assets.systems.ucret.arms import DEFAULT_FILTER
from evidence_assets.systems.ucret.system import UCRET
from evidence_assets.systems.ugat_medqa.system import UGAT_MEDQA
from evidence_assets.systems.uscrake.system import USCRAKE
from evidence_assets.tables.column_filters import FILTERS

NAMES = ["uscrake", "ugat_medqa", "ucret", "four_step_focus", "attention2query", "kaping"]
BOTH_SYSTEMS = pytest.mark.parametrize("system", [USCRAKE, UGAT_MEDQA], ids=["uscrake", "ugat_medqa"])


class Generators:
    """A configuration that names these language models, and nothing else."""

    def __init__(self, names: Iterable[str]) -> None:
        self.generators = dict.fromkeys(names, cast("GeneratorSettings", None))
        self.sources = Sources()
        self.reader_generators: Mapping[str, str | None] = {}


def chosen(wanted: Iterable[str], generators: Iterable[str]) -> Mapping[str, list[str]]:
    return chosen_arms(wanted, systems_by_name(), cast("Project", Generators(generators)))


@BOTH_SYSTEMS
def test_every_general_arm_is_read_by_each_generator(system: System) -> None:
    arms = system.arms([])
    general = [arm for arm in arms.values() if arm.weights == GENERAL]
    assert 0 < len(general) < len(arms)
    with_generators = system.arms(iter(["big", "small-1.5"]))
    assert list(with_generators)[: len(arms)] == list(arms)
    copies = {f"{arm.variant}@{generator}" for arm in general for generator in ("big", "small-1.5")}
    assert copies <= with_generators.keys()
    # Others are of language models alone: read by the prompts that a thesis prints, or by likelihoods.
    others = [arm for name, arm in with_generators.items() if name not in copies | arms.keys()]
    assert all(arm.generator in ("big", "small-1.5") for arm in others)
    assert all(arm.prompted or arm.likelihood for arm in others)
    for arm in general:
        for generator in ("big", "small-1.5"):
            made: Any = with_generators[f"{arm.variant}@{generator}"]
            assert (made.name, made.generator) == (f"{arm.variant}@{generator}", generator)
            assert made.prompted
            assert made.weights == ""
            inherited = {field.name for field in fields(arm)} - {"name", "weights", "prompted"}
            assert all(getattr(made, name) == getattr(arm, name) for name in inherited)


def test_systems_have_the_arms_of_their_generators() -> None:
    assert [system.name for system in SYSTEMS] == NAMES
    for system in SYSTEMS:
        plain, prompted = system.arms([]), system.arms(["scripted"])
        assert not any(arm.prompted for arm in plain.values())
        assert set(plain) < set(prompted)
        assert prompted["full@scripted"].prompted
        assert set(system.first_arms) <= set(plain), "a first run asks no language model"
        assert {system.default_arm, *system.compared_with} <= set(plain)


def test_ucret_is_read_with_every_filter_and_without_explanations() -> None:
    arms, with_generators = UCRET.arms([]), UCRET.arms(["big", "small-1.5"])
    assert list(with_generators)[: len(arms)] == list(arms)
    prompted = [arm for arm in with_generators.values() if arm.prompted]
    assert len(prompted) == 2 * (len(FILTERS) + 6)
    for generator in ("big", "small-1.5"):
        for name in FILTERS:
            made = with_generators[f"{name}@{generator}"]
            assert (made.filter, made.generator, made.prompted, made.explains) == (
                name,
                generator,
                True,
                True,
            )
        for name, kept_by in (
            ("no_explanations", DEFAULT_FILTER),
            ("paper_no_explanations", "paper"),
            ("js_paper_no_explanations", "js_paper"),
        ):
            decided = with_generators[f"{name}@{generator}"]
            assert (decided.filter, decided.prompted, decided.explains) == (kept_by, True, False)
        computing = with_generators[f"with_programs@{generator}"]
        assert (computing.filter, computing.prompted, computing.computes) == (DEFAULT_FILTER, True, True)


def test_a_prompted_arm_is_asked_for_by_its_name() -> None:
    generators = ["scripted", "other"]
    assert chosen(["full@scripted"], generators) == {name: ["full@scripted"] for name in NAMES}
    assert chosen(["uscrake/chunks_only_coverage@other", "ugat_medqa/full@other"], generators) == {
        "uscrake": ["chunks_only_coverage@other"],
        "ugat_medqa": ["full@other"],
    }
    assert chosen(["no_explanations@other", "ucret/paper@scripted"], generators) == {
        "ucret": ["no_explanations@other", "paper@scripted"]
    }


@pytest.mark.parametrize(
    "name", ["full@nobody", "uscrake/no_retrieval@scripted", "full@scripted/x", "@scripted"]
)
def test_an_unknown_prompted_arm_is_told_with_where_arms_are_listed(name: str) -> None:
    with pytest.raises(LookupError) as raised:
        chosen([name], ["scripted"])
    message = str(raised.value)
    assert message.startswith(f"no arm '{name}'")
    assert "`evidence-assets arms` lists all of them" in message
