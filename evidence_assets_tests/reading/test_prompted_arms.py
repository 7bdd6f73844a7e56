"""Arms that language models answer: which there are, and how they are asked for by name."""

from __future__ import annotations

import pytest

from evidence_assets.reading.extractive import GENERAL
from evidence_assets.reading.prompted_arms import with_generators
from evidence_assets.systems.registry import chosen_arms, systems
from evidence_assets.systems.ucret import arms as ucret
from evidence_assets.systems.ugat_medqa import arms as ugat_medqa
from evidence_assets.systems.uscrake import arms as uscrake
from evidence_assets.tables.columns import FILTERS

EACH = pytest.mark.parametrize("arms", [uscrake.ARMS, ugat_medqa.ARMS], ids=["uscrake", "ugat_medqa"])


@EACH
def test_every_general_arm_is_read_by_each_generator(arms) -> None:
    general = [arm for arm in arms.values() if arm.weights == GENERAL]
    assert 0 < len(general) < len(arms)
    found = with_generators(arms, ["big", "small-1.5"])
    assert list(found)[: len(arms)] == list(arms)
    assert len(found) == len(arms) + 2 * len(general)
    for arm in general:
        variant = arm.name.removesuffix("@extractive")
        for generator in ("big", "small-1.5"):
            made = found[f"{variant}@{generator}"]
            assert (made.name, made.generator) == (f"{variant}@{generator}", generator)
            assert made.prompted
            assert made.weights == ""
            kept = [name for name in type(arm).__slots__ if name not in ("name", "weights", "prompted")]
            assert all(getattr(made, name) == getattr(arm, name) for name in kept)


@EACH
def test_without_generators_there_are_the_arms_that_there_were(arms) -> None:
    assert with_generators(arms, []) == arms
    assert not any(arm.prompted for arm in arms.values())


def test_systems_have_the_arms_of_their_generators() -> None:
    plain, asked = systems(), systems(iter(["scripted"]))
    assert (
        list(plain)
        == list(asked)
        == [
            "uscrake",
            "ugat_medqa",
            "ucret",
            "four_step_focus",
            "attention2query",
            "kaping",
        ]
    )
    for name, system in plain.items():
        assert set(system.arms) < set(asked[name].arms)
        assert "full@scripted" in asked[name].arms
        assert set(system.first_arms) <= set(system.arms), "a first run asks no language model"
        assert asked[name].first_arms == system.first_arms


def test_ucret_is_read_with_every_filter_and_without_explanations() -> None:
    found = ucret.with_generators(ucret.ARMS, ["big", "small-1.5"])
    assert list(found)[: len(ucret.ARMS)] == list(ucret.ARMS)
    assert len(found) == len(ucret.ARMS) + 2 * (len(FILTERS) + 2)
    for generator in ("big", "small-1.5"):
        for name in FILTERS:
            made = found[f"{name}@{generator}"]
            assert (made.filter, made.generator, made.prompted, made.explains) == (
                name,
                generator,
                True,
                True,
            )
        decided = found[f"no_explanations@{generator}"]
        assert (decided.filter, decided.prompted, decided.explains) == (ucret.DEFAULT_FILTER, True, False)
        told = found[f"with_programs@{generator}"]
        assert (told.filter, told.prompted, told.computes) == (ucret.DEFAULT_FILTER, True, True)
    assert ucret.with_generators(ucret.ARMS, []) == ucret.ARMS
    assert not any(arm.prompted for arm in ucret.ARMS.values())


def test_a_prompted_arm_is_asked_for_by_its_name() -> None:
    there_are = systems(["scripted", "other"])
    assert chosen_arms(["full@scripted"], there_are) == {
        "uscrake": ["full@scripted"],
        "ugat_medqa": ["full@scripted"],
        "ucret": ["full@scripted"],
        "four_step_focus": ["full@scripted"],
        "attention2query": ["full@scripted"],
        "kaping": ["full@scripted"],
    }
    assert chosen_arms(["uscrake/chunks_only_coverage@other", "ugat_medqa/full@other"], there_are) == {
        "uscrake": ["chunks_only_coverage@other"],
        "ugat_medqa": ["full@other"],
    }
    assert chosen_arms(["no_explanations@other", "ucret/paper@scripted"], there_are) == {
        "ucret": ["no_explanations@other", "paper@scripted"]
    }


@pytest.mark.parametrize(
    "name", ["full@nobody", "uscrake/no_retrieval@scripted", "full@scripted/x", "@scripted"]
)
def test_an_unknown_prompted_arm_is_told_with_those_that_there_are(name: str) -> None:
    with pytest.raises(LookupError) as raised:
        chosen_arms([name], systems(["scripted"]))
    told = str(raised.value)
    assert told.startswith(f"no arm {name}; there are ")
    assert "uscrake/full@scripted" in told
    assert "ugat_medqa/no_retrieval@scripted" in told
