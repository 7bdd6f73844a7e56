"""Events and lake held against each other, on made-up stages."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import dagster as dg
import pytest

from evidence_assets.lake import lake as lake_module
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import ARTICLES, QUESTIONS
from evidence_assets.orchestration.reconciliation import Compared, reconcile
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.freshness import Freshness
from evidence_assets_tests.testing.stage_samples import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(Lake(str(tmp_path / "lake")), tmp_path / "cache")
    made.make("articles")
    made.make("questions", Key("first"))
    return made


def put_right(
    world: World, instance: dg.DagsterInstance, compared: Compared | None = None
) -> tuple[object, object]:
    freshness = Freshness(world.lake, world.graph, world.models)
    done = reconcile(instance, world.graph, freshness, {} if compared is None else compared)
    return done.recorded, done.missing


def recorded(instance: dg.DagsterInstance, asset: str) -> set[str]:
    return instance.get_materialized_partitions(dg.AssetKey(asset))


def test_what_is_written_and_not_recorded_is_recorded_once(
    world: World, instance: dg.DagsterInstance
) -> None:
    shards = sorted(world.articles)
    recovered, missing = put_right(world, instance)
    assert missing == {}
    assert recovered == {"articles": ["sea/a", "sea/b", "land/a"], "questions": ["first"]}
    assert recorded(instance, "articles") == set(shards)
    records = instance.fetch_materializations(dg.AssetKey("questions"), limit=5).records
    [event] = [record.asset_materialization for record in records]
    assert event is not None
    version = world.lake.version(QUESTIONS, {"benchmark": "first"}).content_hash
    assert event.tags == {"dagster/data_version": version, "dagster/code_version": "1"}
    assert {name: value.value for name, value in event.metadata.items()} | {"path": ""} == {
        "dagster/row_count": 1,
        "bytes": event.metadata["bytes"].value,
        "content_hash": version,
        "changed": False,
        "path": "",
        "up_to_date": True,
    }
    assert put_right(world, instance) == ({}, {})


def test_what_is_fresh_has_read_what_stands(world: World, instance: dg.DagsterInstance) -> None:
    """Else Dagster's interface takes it for out of date."""
    world.make("chunks", Key("sea/a"), Key("sea/b"))
    world.articles["sea/b"] = ["a crab runs"]
    world.make("articles", Key("sea/b"))
    put_right(world, instance)
    newest = instance.fetch_materializations(dg.AssetKey("articles"), limit=1).records[0].storage_id
    pointers = {
        event.partition: (event.tags or {}).get("dagster/input_event_pointer/articles")
        for record in instance.fetch_materializations(dg.AssetKey("chunks"), limit=5).records
        if (event := record.asset_materialization) is not None
    }
    assert pointers == {"sea/a": str(newest), "sea/b": None}


def test_what_was_written_over_is_recorded_with_its_new_version(
    world: World, instance: dg.DagsterInstance
) -> None:
    put_right(world, instance)
    world.questions["first"] = ["who walks"]
    world.make("questions")
    assert put_right(world, instance) == ({"questions": ["first", "second", "third"]}, {})
    assert put_right(world, instance) == ({}, {})


def test_what_is_recorded_and_gone_is_missing_and_the_rest_stays(
    world: World, instance: dg.DagsterInstance
) -> None:
    put_right(world, instance)
    place = {"corpus": "sea", "shard": "sea/b"}
    shutil.rmtree(Path(world.lake.file(ARTICLES, place)).parent)
    assert put_right(world, instance) == ({}, {"articles": ["sea/b"]})
    assert recorded(instance, "articles") == {"sea/a", "land/a"}
    assert recorded(instance, "questions") == {"first"}
    assert put_right(world, instance) == ({}, {})


def test_rows_that_nothing_is_recorded_of_are_no_materialisation(
    world: World, instance: dg.DagsterInstance
) -> None:
    """Their run died before it recorded them: they are made again."""
    source = Path(world.lake.file(QUESTIONS, {"benchmark": "first"}))
    copy = Path(world.lake.file(QUESTIONS, {"benchmark": "second"}))
    copy.parent.mkdir(parents=True)
    shutil.copy(source, copy)
    assert put_right(world, instance)[0] == {"articles": ["sea/a", "sea/b", "land/a"], "questions": ["first"]}


@pytest.mark.parametrize("off", [timedelta(days=-365), timedelta(days=365)], ids=str)
def test_what_another_clock_wrote_over_is_recorded_too(
    world: World, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch, off: timedelta
) -> None:
    """A machine whose clock is behind has written since the last look, or the clock was set back."""
    compared: Compared = {}
    put_right(world, instance, compared)
    put_right(world, instance, compared)

    class Clock:
        @staticmethod
        def now(zone: tzinfo | None = None) -> datetime:
            return datetime.now(zone) + off

    monkeypatch.setattr(lake_module, "datetime", Clock)
    world.questions["first"] = ["who walks"]
    world.make("questions", Key("first"))
    assert put_right(world, instance, compared) == ({"questions": ["first"]}, {})
    assert put_right(world, instance, compared) == ({}, {})


def test_what_was_compared_is_not_compared_again(
    world: World, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: Compared = {}
    put_right(world, instance, compared)
    put_right(world, instance, compared)
    assert len(compared) == 4
    monkeypatch.setattr(instance, "fetch_materializations", lambda *_, **__: pytest.fail("it was compared"))
    assert put_right(world, instance, compared) == ({}, {})
