"""One run of several partitions leaves what a run for each would: equal bytes, equal records."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Hashable
from pathlib import Path

import pytest

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import QUESTION_CONCEPTS
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.execution import Run
from evidence_assets.stages.inputs import Inputs
from evidence_assets_tests.testing.recorded_samples import Engine
from evidence_assets_tests.testing.stage_samples import LAYOUT, World, batch_differs, upstream

STAGES = [stage.name for stage in World(Lake("memory://unused"), Path("unused")).stages()]
SEVERAL = [name for name in STAGES if name not in ("relation_seeds", "harvests")]


def copies(template: Path, folder: Path, name: str) -> list[World]:
    """Return two equal worlds where every stage but this one has been made."""
    worlds = []
    for half in ("batch", "single"):
        shutil.copytree(template, folder / half)
        world = World(Lake(str(folder / half)), folder / f"{half}_cache")
        for table in world.stage(name).tables:
            shutil.rmtree(folder / half / table.name, ignore_errors=True)
        worlds.append(world)
    return worlds


def differs(template: Path, folder: Path, name: str, world_type: type[World] = World) -> bool:
    worlds = copies(template, folder, name)
    for world in worlds:
        world.__class__ = world_type
    batch, single = (world.lake for world in worlds)
    stage = worlds[0].stage(name)

    def run_of(lake: Lake) -> Run:
        return next(world for world in worlds if world.lake is lake).run()

    return batch_differs(batch, single, stage, LAYOUT.keys(stage), run_of)


@pytest.mark.parametrize("name", SEVERAL)
def test_a_batch_leaves_what_single_runs_leave(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(GeneratorSettings, "load", lambda settings, name: Engine())
    assert not differs(template, tmp_path, name)


def test_a_second_partition_is_recorded_with_what_the_first_one_opened(
    template: Path, tmp_path: Path
) -> None:
    world, _ = copies(template, tmp_path, "question_concepts")
    world.make("question_concepts", Key("first"), Key("second"))
    for benchmark in ("first", "second"):
        assert upstream(world.lake, QUESTION_CONCEPTS)[f"benchmark={benchmark}"] == [
            "graph_nodes kg=plain",
            f"questions benchmark={benchmark}",
        ]


class OneGraphForAll(World):
    """Keeps the nodes of whichever graph was opened first for every benchmark."""

    def nodes_key(self, kg: str) -> tuple[str, ...]:
        return ("nodes",)


def test_a_key_that_does_not_tell_graphs_apart_is_seen(template: Path, tmp_path: Path) -> None:
    assert differs(template, tmp_path, "question_concepts", OneGraphForAll)


def test_what_is_kept_beside_the_cache_is_seen(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that keeps values without their versions records less for its second partition."""

    def cached(inputs: Inputs, key: Hashable, make: Callable[[Inputs], object]) -> object:
        return inputs._cache.get(key, lambda: (make(inputs), ()))[0]

    monkeypatch.setattr(Inputs, "cached", cached)
    assert differs(template, tmp_path, "question_concepts")
