"""Clocks that are set back, or differ from machine to machine: what stands is told by the files."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from evidence_assets.lake import lake as lake_module
from evidence_assets.lake.conditional_writes import ConcurrentWriteError
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.lake import WrittenPartition
from evidence_assets.lake.schemas import ARTICLES
from evidence_assets.stages.declaration import Key, Stage
from evidence_assets.stages.freshness import Freshness, State
from evidence_assets_tests.testing.stage_samples import World
from evidence_assets_tests.testing.table_rows import table_of

SHARD = "land/a"
PLACE = {"corpus": "land", "shard": SHARD}
BEFORE, EDITED = ["a fox eats a vole"], ["a fox sleeps by day"]


@dataclass
class Clock:
    """What the lake takes for now: the time, so much off."""

    off: timedelta = timedelta()

    def now(self, zone: tzinfo | None = None) -> datetime:
        return datetime.now(zone) + self.off


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(lake_module, "datetime", clock)
    return clock


def freshness(world: World) -> Freshness:
    """How things stand with the files outside as they are now."""

    def fingerprint(_: Stage, key: Key, uri: str) -> str | None:
        return content_id(*world.articles[key.name]) if uri == f"{SHARD}.txt" else None

    return Freshness(world.lake, world.graph, world.models, fingerprint)


def due(world: World) -> dict[str, str]:
    """Return what of the shard's tables is not fresh, with the reason."""
    stages = [world.stage(name) for name in ("articles", "chunks")]
    wanted = world.graph.needed((stage, Key(SHARD)) for stage in stages)
    statuses = freshness(world).statuses(wanted)
    return {entry.stage.name: entry.reason for entry in statuses if entry.state != State.FRESH}


def make(world: World, texts: list[str]) -> None:
    world.articles[SHARD] = texts
    for name in ("articles", "chunks"):
        world.make(name, Key(SHARD))


CHANGED = {"articles": f"file {SHARD}.txt changed", "chunks": f"articles, {SHARD}, is to be made anew"}


@pytest.mark.parametrize("off", [timedelta(days=-365), timedelta(seconds=-5), timedelta(days=365)], ids=str)
def test_what_is_made_by_another_clock_is_fresh_and_what_is_edited_then_is_stale(
    made: World, clock: Clock, off: timedelta
) -> None:
    make(made, BEFORE)
    made.articles[SHARD] = EDITED
    assert due(made) == CHANGED
    clock.off = off
    make(made, EDITED)
    assert due(made) == {}
    made.articles[SHARD] = BEFORE
    assert due(made) == CHANGED
    make(made, BEFORE)
    assert due(made) == {}


def test_versions_of_one_size_are_told_apart(made: World, clock: Clock) -> None:
    """The sizes do not tell which stands: the file is opened."""
    sizes = []
    for days, texts in ((0, ["a fox"]), (-1, ["a cat"])):
        clock.off = timedelta(days=days)
        make(made, texts)
        sizes.append(Path(made.lake.file(ARTICLES, PLACE)).stat().st_size)
        assert due(made) == {}
    assert sizes[0] == sizes[1]
    made.articles[SHARD] = ["a fox"]
    assert due(made) == CHANGED


def test_whatever_the_clock_says_the_record_is_of_what_stands(made: World, clock: Clock) -> None:
    draw = random.Random(0)
    versions = [[*["a fox", "a cat", "an owl"][:count], tail] for count in range(3) for tail in ("x", "y")]
    articles = made.stage("articles")
    for _ in range(25):
        clock.off = timedelta(seconds=draw.randint(-60, 60))
        make(made, draw.choice(versions))
        standing = freshness(made).standing(articles, Key(SHARD), ARTICLES)
        assert standing is not None
        assert (standing.content_hash, standing.changed) == (
            made.lake.version(ARTICLES, PLACE).content_hash,
            False,
        )
        assert due(made) == {}


def test_of_two_writers_whose_clocks_differ_what_the_later_wrote_counts(made: World, clock: Clock) -> None:
    """The first is ahead by five seconds; the other writes before it has recorded, and records last."""
    lake, ahead = made.lake, timedelta(seconds=5)

    def written(off: timedelta, text: str) -> WrittenPartition:
        clock.off = off
        return lake.write(ARTICLES, PLACE, table_of(ARTICLES, {"article_id": text, "text": text, **PLACE}))

    lake.record(written(ahead, "an owl"), [], "run", "1")
    first, second = written(ahead, "a fox"), written(timedelta(), "a cat")
    with pytest.raises(ConcurrentWriteError):
        lake.record(first, [], "run", "1")
    lake.record(second, [], "run", "1")
    standing = freshness(made).standing(made.stage("articles"), Key(SHARD), ARTICLES)
    assert standing is not None
    assert (standing.content_hash, standing.changed) == (second.version.content_hash, False)


def test_rows_without_a_record_and_a_damaged_file_are_stale_by_any_clock(made: World, clock: Clock) -> None:
    """A run died after it had written; then its input came back, or something cut its file short."""
    make(made, BEFORE)
    standing = Path(made.lake.file(ARTICLES, PLACE))
    whole = standing.read_bytes()
    clock.off = timedelta(days=-1)
    other = made.lake.read(ARTICLES, PLACE).slice(0, 0)
    made.lake.write(ARTICLES, PLACE, other)
    unrecorded = "articles: nothing is recorded of it; its run may have died"
    assert due(made)["articles"] == unrecorded
    standing.write_bytes(whole[: len(whole) // 2])
    assert due(made)["articles"] == unrecorded
    standing.write_bytes(whole)
    assert due(made) == {}
