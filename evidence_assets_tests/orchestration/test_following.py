"""What is due, and the making of it, on made-up stages: no Dagster, milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from evidence_assets.lake.ids import content_id
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import CHUNKS, QUESTION_CONCEPTS, TERM_STATISTICS
from evidence_assets.orchestration.following import (
    Making,
    Outcome,
    due_partitions,
    every_partition,
    part_name,
    parts_named,
    without_held,
)
from evidence_assets.stages.declaration import Key, Stage
from evidence_assets.stages.execution import PartitionResult
from evidence_assets.stages.freshness import Freshness
from evidence_assets.stages.graph import Needed
from evidence_assets_tests.testing.stage_samples import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(Lake(str(tmp_path / "lake")), tmp_path / "cache")
    made.make_all("ranked_chunks")
    made.make("ranked_chunks", Key("first", "best"))
    return made


def freshness(world: World, choices: bool = False) -> Freshness:
    def fingerprint(stage: Stage, key: Key, uri: str) -> str | None:
        texts = world.articles.get(uri.removesuffix(".txt"))
        return None if texts is None else content_id(*texts)

    return Freshness(world.lake, world.graph, world.models, fingerprint, choices)


def due(world: World, *eager: str) -> set[str]:
    return {part_name(needed.part) for needed in due_partitions(world.graph, freshness(world), eager)}


def outcomes(
    world: World,
    accept: Callable[[Needed, PartitionResult], str] = lambda part, result: "",
    eager: Iterable[str] = (),
) -> list[Outcome]:
    graph = world.graph
    making = Making(
        graph, lambda part: world.run(), lambda: freshness(world), lambda *arguments: None, accept
    )
    parts = [needed.part for needed in due_partitions(graph, freshness(world), eager)]
    return list(making.outcomes(parts))


def made_of(came: Sequence[Outcome]) -> list[str]:
    return [
        part_name(outcome.part) for outcome in came if outcome.result is not None and outcome.error is None
    ]


def test_nothing_is_due_where_nothing_changed(world: World) -> None:
    assert due(world) == set()


def test_what_was_never_made_is_not_due(world: World, tmp_path: Path) -> None:
    empty = World(Lake(str(tmp_path / "empty")), tmp_path / "cache")
    assert due(empty) == set()


def test_an_edit_makes_what_read_it_and_exists(world: World) -> None:
    world.articles["sea/b"] = ["krill is tiny"]
    due_names = due(world)
    assert {"articles:sea/b:", "chunks:sea/b:", "term_statistics:sea:", "chunk_pools:first:"} <= due_names
    # Of the rankings one was made; of the other corpus nothing is named.
    assert {name for name in due_names if name.startswith("ranked_chunks")} == {"ranked_chunks:best|first:"}
    assert not any("land" in name or "third" in name for name in due_names)
    assert made_of(outcomes(world)) == [name for name in ordered(world) if name in due_names]
    assert due(world) == set()


def test_answers_that_stay_as_they_were_given_are_not_made_again(world: World) -> None:
    """What they rest on is, and what else rests on that: only who asked again would want another answer."""
    world.articles["sea/b"] = ["krill is tiny"]
    everything = due(world)
    left = due_partitions(world.graph, freshness(world), as_given=["first"])
    names = {part_name(needed.part) for needed in left}
    assert names == {name for name in everything if "first" not in name}
    assert {"term_statistics:sea:", "chunk_pools:second:"} <= names < everything


def ordered(world: World) -> list[str]:
    return [part_name(part) for part in every_partition(world.graph)]


def test_an_edit_that_changes_no_row_ends_where_it_changes_nothing(world: World) -> None:
    world.questions["first"] = ["who eats krill"]
    world.versions["questions"] = "2"
    assert due(world) >= {"questions:first:", "chunk_pools:first:", "ranked_chunks:best|first:"}
    made = made_of(outcomes(world))
    assert set(made) == {f"questions:{name}:" for name in ("first", "second", "third")}
    assert due(world) == set()


def test_what_is_named_as_eager_is_made_once_its_inputs_are_there(world: World, tmp_path: Path) -> None:
    assert due(world, "ranked_chunks") == {
        f"ranked_chunks:{way}|{name}:" for way in ("best", "worst") for name in ("first", "second", "third")
    } - {"ranked_chunks:best|first:"}
    empty = World(Lake(str(tmp_path / "empty")), tmp_path / "cache")
    assert due(empty, "chunks") == set(), "it waits for articles that nobody asked for"
    assert due(empty, "articles", "chunks") == {
        f"{table}:{shard}:" for table in ("articles", "chunks") for shard in empty.articles
    }


def test_what_was_never_made_of_a_shard_is_made_where_what_is_due_reads_it(world: World) -> None:
    """A table that an earlier version did not have, or one that is gone; of a corpus, say, it is not."""
    for table in (CHUNKS, TERM_STATISTICS):
        for place in world.lake.partitions(table):
            if place["corpus"] == "sea":
                world.lake.delete(table, place)
    world.articles["sea/b"] = ["krill is tiny"]
    due_names = due(world)
    assert {"articles:sea/b:", "chunks:sea/a:", "chunks:sea/b:", "chunk_pools:first:"} <= due_names
    assert not any("land" in name or name.startswith("term_statistics") for name in due_names)
    assert [name for name in ordered(world) if name in due_names] == [
        part_name(needed.part) for needed in due_partitions(world.graph, freshness(world))
    ]
    assert {"chunks:sea/a:", "chunks:sea/b:"} <= set(made_of(outcomes(world)))


def test_a_benchmark_without_a_graph_gets_no_empty_tables_of_one(world: World) -> None:
    links = {**world.layout.benchmarks, "third": replace(world.layout.benchmarks["third"], graph=None)}
    world.layout = replace(world.layout, benchmarks=links)
    for place in world.lake.partitions(QUESTION_CONCEPTS):
        world.lake.delete(QUESTION_CONCEPTS, place)
    due_names = {name for name in due(world, "question_concepts") if name.startswith("question_concepts")}
    assert due_names == {"question_concepts:first:", "question_concepts:second:"}


def test_another_model_is_a_choice_and_nothing_to_follow(world: World) -> None:
    world.pair_scorer = "another"
    chosen = due_partitions(world.graph, freshness(world, choices=True))
    assert chosen
    assert due(world) == set()


def test_another_configuration_is_followed(world: World) -> None:
    world.readings["first"] = "otherwise"
    assert "questions:first:" in due(world)
    assert "questions:second:" not in due(world)


def test_what_fails_holds_up_what_reads_it_and_nothing_else(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.articles["sea/b"] = ["krill is tiny"]
    world.articles["land/a"] = ["a fox eats voles"]

    def refuse(part: Needed, result: PartitionResult) -> str:
        return "wrong on purpose" if part_name(part) == "chunks:sea/b:" else ""

    came = outcomes(world, refuse)
    by_name = {part_name(outcome.part): outcome for outcome in came}
    assert str(by_name["chunks:sea/b:"].error) == "wrong on purpose"
    assert by_name["term_statistics:sea:"].waits_for == "chunks sea/b"
    assert by_name["chunk_pools:first:"].waits_for
    assert "term_statistics:land:" in made_of(came)
    assert not any("first" in name for name in made_of(came))


def test_what_is_stopped_takes_along_what_reads_it(world: World) -> None:
    world.articles["sea/b"] = ["krill is tiny"]
    world.articles["land/a"] = ["a fox eats voles"]
    graph = world.graph
    parts = [needed.part for needed in due_partitions(graph, freshness(world))]
    unheld = {part_name(part) for part in without_held(graph, parts, {"chunks:sea/b:"})}
    assert {"articles:sea/b:", "articles:land/a:", "chunks:land/a:", "term_statistics:land:"} <= unheld
    assert not {"chunks:sea/b:", "term_statistics:sea:", "chunk_pools:first:"} & unheld


def test_a_partition_is_told_by_its_name(world: World) -> None:
    parts = every_partition(world.graph)
    names = [part_name(part) for part in parts]
    assert len(set(names)) == len(names)
    again = parts_named(world.graph, [*names, "no such stage:x:"])
    assert sorted(map(part_name, again)) == sorted(names)


def test_the_basis_of_a_partition_changes_with_what_it_is_made_from_alone(world: World) -> None:
    def basis(name: str, key: str) -> str:
        return freshness(world).basis(world.stage(name), Key.of(key))

    before = {
        name: basis(*name) for name in (("articles", "sea/a"), ("chunks", "sea/a"), ("articles", "land/a"))
    }
    world.articles["sea/a"] = ["a whale sings"]
    assert basis("articles", "sea/a") != before["articles", "sea/a"]
    assert basis("chunks", "sea/a") == before["chunks", "sea/a"], "its input stands as it did"
    world.make("articles", Key("sea/a"))
    assert basis("chunks", "sea/a") != before["chunks", "sea/a"]
    assert basis("articles", "land/a") == before["articles", "land/a"]
