"""Stages put together: what does not fit is refused at once, what must be made first is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from evidence_assets.lake.schemas import (
    ARTICLES,
    BENCHMARK_SCORES,
    CHUNK_POOLS,
    CHUNKS,
    GRAPH_ALIASES,
    GRAPH_CONCEPTS,
    GRAPH_NODES,
    HARVESTS,
    PREDICTIONS,
    QUESTION_CONCEPTS,
    QUESTION_SCORES,
    QUESTIONS,
    RANKED_CHUNKS,
    RELATION_SEEDS,
    SCORE_DIFFERENCES,
    TERM_STATISTICS,
    TRIPLES,
    Table,
)
from evidence_assets.stages.declaration import Input, Key, Link, Output, Rows, Scope, Stage, StageError
from evidence_assets.stages.graph import StageGraph
from evidence_assets.stages.step import Step
from evidence_assets_tests.testing.stage_samples import ANSWERED, LAYOUT, World


def idle(step: Step) -> Iterator[Rows]:
    yield from ()


def stage(table: Table, scope: Scope = Scope.BENCHMARK, *inputs: Input, **fields: Any) -> Stage:
    declared: dict[str, Any] = {"name": table.name, "outputs": (Output(table, "made up"),), **fields}
    return Stage(scope=scope, inputs=inputs, run=idle, group="tests", layer="tests", **declared)


QUESTIONS_STAGE = stage(QUESTIONS)
RANKINGS = stage(RANKED_CHUNKS, variants=("a", "b"))


@pytest.mark.parametrize(
    ("stages", "named"),
    [
        (
            [QUESTIONS_STAGE, stage(QUESTIONS, name="other")],
            ["stages questions and other both write questions", "let one of them write it"],
        ),
        (
            [stage(PREDICTIONS, name="x", system="s"), stage(PREDICTIONS, name="y", system="s")],
            ["stages x and y both write s/predictions"],
        ),
        ([QUESTIONS_STAGE, stage(CHUNK_POOLS, name="questions")], ["two stages are named questions"]),
        (
            [stage(CHUNK_POOLS, Scope.BENCHMARK, Input(QUESTIONS))],
            ["chunk_pools reads questions, which no stage writes", "add its stage"],
        ),
        (
            [
                stage(PREDICTIONS, system="s"),
                stage(CHUNK_POOLS, Scope.BENCHMARK, Input(PREDICTIONS, system="t")),
            ],
            ["chunk_pools reads t/predictions, which no stage writes"],
        ),
        (
            [
                RANKINGS,
                stage(PREDICTIONS, Scope.BENCHMARK, Input(RANKED_CHUNKS, {"x": "a"}), variants=("m",)),
            ],
            ["stage predictions, input ranked_chunks: x is no variant of predictions", "there are: m"],
        ),
        (
            [
                RANKINGS,
                stage(PREDICTIONS, Scope.BENCHMARK, Input(RANKED_CHUNKS, {"m": "c"}), variants=("m",)),
            ],
            ["stage predictions, input ranked_chunks: c is no variant of ranked_chunks", "there are: a, b"],
        ),
        (
            [RANKINGS, stage(PREDICTIONS, Scope.BENCHMARK, Input(RANKED_CHUNKS), variants=("a", "m"))],
            ["stage predictions, input ranked_chunks: m is no variant of ranked_chunks"],
        ),
        (
            [
                QUESTIONS_STAGE,
                RANKINGS,
                stage(CHUNK_POOLS, Scope.BENCHMARK, Input(QUESTIONS, via=RANKED_CHUNKS)),
            ],
            ["stage chunk_pools: questions is followed through ranked_chunks", "without `via`"],
        ),
        (
            [
                QUESTIONS_STAGE,
                stage(RANKED_CHUNKS, Scope.BENCHMARK, Input(QUESTIONS)),
                stage(
                    CHUNK_POOLS,
                    Scope.BENCHMARK,
                    Input(RANKED_CHUNKS, via=QUESTIONS),
                    Input(QUESTIONS, via=RANKED_CHUNKS),
                ),
            ],
            ["stage chunk_pools: ranked_chunks is followed through questions, which is no followed input"],
        ),
        (
            [
                stage(QUESTIONS, Scope.BENCHMARK, Input(RANKED_CHUNKS)),
                stage(CHUNK_POOLS, Scope.BENCHMARK, Input(QUESTIONS)),
                stage(RANKED_CHUNKS, Scope.BENCHMARK, Input(CHUNK_POOLS)),
            ],
            ["a cycle: questions -> ranked_chunks -> chunk_pools -> questions", "split the table"],
        ),
        (
            [QUESTIONS_STAGE, stage(CHUNK_POOLS, outputs=(Output(CHUNK_POOLS, "made up", (QUESTIONS,)),))],
            ["stage chunk_pools: chunk_pools carries questions, which is none of its inputs", "as an Input"],
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_its_remedy(stages: list[Stage], named: list[str]) -> None:
    with pytest.raises(StageError) as raised:
        StageGraph(stages, LAYOUT)
    for part in (*named, "remedy: "):
        assert part in str(raised.value)


UNLINKED = [
    (Scope.GRAPH, Scope.BENCHMARK, Link.DEFAULT),
    (Scope.CORPUS, Scope.GRAPH, Link.DEFAULT),
    (Scope.SHARD, Scope.CORPUS, Link.DEFAULT),
    (Scope.HARVEST, Scope.CORPUS, Link.DEFAULT),
    (Scope.RELATION, Scope.HARVEST, Link.DEFAULT),
    (Scope.BENCHMARK, Scope.WHOLE, Link.DEFAULT),
    (Scope.WHOLE, Scope.BENCHMARK, Link.DEFAULT),
    (Scope.GRAPH, Scope.GRAPH, Link.TRAINING),
    (Scope.RELATION, Scope.SHARD, Link.HARVEST_CORPUS),
    (Scope.HARVEST, Scope.CORPUS, Link.REFERENCE),
    (Scope.BENCHMARK, Scope.RELATION, Link.EVERY_HARVEST),
]


@pytest.mark.parametrize(("reads", "writes", "link"), UNLINKED)
def test_scopes_that_nothing_links_are_refused_though_there_is_no_partition_of_them(
    reads: Scope, writes: Scope, link: Link
) -> None:
    for layout in (LAYOUT, type(LAYOUT)()):
        with pytest.raises(
            StageError, match=rf"stage chunk_pools: a {reads} .*of questions.* a {writes}.*remedy"
        ):
            StageGraph(
                [stage(QUESTIONS, writes), stage(CHUNK_POOLS, reads, Input(QUESTIONS, link=link))], layout
            )


def test_a_system_has_tables_of_its_own() -> None:
    graph = StageGraph(
        [stage(PREDICTIONS, name=f"{system}/predictions", system=system) for system in ("s", "t")], LAYOUT
    )
    assert graph.writer(PREDICTIONS, "t").name == "t/predictions"
    with pytest.raises(LookupError, match="no stage writes u/predictions"):
        graph.writer(PREDICTIONS, "u")


def test_a_stage_stands_after_what_it_reads_in_whatever_order_they_are_declared(world: World) -> None:
    graph = StageGraph(world.stages()[::-1], LAYOUT)
    for reader in graph.stages:
        for source in graph.sources(reader):
            assert graph.order[source.producer.name] < graph.order[reader.name]


def needed(world: World, name: str, *keys: str) -> list[tuple[str, str]]:
    graph, wanted = world.graph, world.stage(name)
    parts = graph.needed((wanted, Key.of(key)) for key in keys)
    assert len({(part.stage.name, part.key) for part in parts}) == len(parts)
    places = {(part.stage.name, part.key): place for place, part in enumerate(parts)}
    for part in parts:
        for source, upstream in graph.upstream(part.stage, part.key):
            for key in upstream:
                if not (source.declared.optional or part.stage.gathers):
                    assert places[source.producer.name, key] < places[part.stage.name, part.key]
    return [(part.stage.name, part.key.text) for part in parts]


def test_a_ranking_needs_the_shards_of_its_corpus_alone(world: World) -> None:
    assert sorted(needed(world, RANKED_CHUNKS.name, "worst|first")) == sorted(
        [
            *((table, shard) for table in ("articles", "chunks") for shard in ("sea/a", "sea/b")),
            ("term_statistics", "sea"),
            ("questions", "first"),
            ("chunk_pools", "first"),
            ("ranked_chunks", "worst|first"),
        ]
    )


def test_an_arm_needs_the_variant_that_it_reads(world: World) -> None:
    for benchmark in ("first", "third"):
        parts = needed(world, "guess/predictions", f"{ANSWERED}|{benchmark}")
        assert [key for name, key in parts if name == "ranked_chunks"] == [f"best|{benchmark}"]


def test_a_variant_that_is_not_mapped_reads_nothing_and_no_variants_mean_every_one() -> None:
    arms = stage(PREDICTIONS, Scope.BENCHMARK, Input(RANKED_CHUNKS, {"m": "a"}), variants=("m", "n"))
    same = stage(CHUNK_POOLS, Scope.BENCHMARK, Input(RANKED_CHUNKS), variants=("b",))
    every = stage(QUESTION_CONCEPTS, Scope.BENCHMARK, Input(RANKED_CHUNKS))
    questions = stage(HARVESTS, Scope.BENCHMARK, Input(QUESTIONS, {"m": ""}), variants=("m", "n"))
    graph = StageGraph([QUESTIONS_STAGE, RANKINGS, arms, same, every, questions], LAYOUT)

    def read(reader: Stage, variant: str = "") -> list[str]:
        [(_, keys)] = graph.upstream(reader, Key("first", variant))
        return [key.text for key in keys]

    assert read(arms, "m") == ["a|first"] and read(arms, "n") == []
    assert read(same, "b") == ["b|first"]
    assert read(every) == ["a|first", "b|first"]
    assert read(questions, "m") == ["first"] and read(questions, "n") == []


def test_what_has_to_read_an_experiment_that_cannot_be_made_cannot_be_made() -> None:
    arms = ("a", "b")
    impossible = {Key("first", "a"): "no a|first"}
    experiment = stage(PREDICTIONS, system="s", variants=arms, problem=impossible.get)
    scores = stage(BENCHMARK_SCORES, Scope.BENCHMARK, Input(PREDICTIONS), system="s", variants=arms)
    beside = stage(
        QUESTION_SCORES, Scope.BENCHMARK, Input(PREDICTIONS, optional=True), system="s", variants=arms
    )
    of_all = stage(SCORE_DIFFERENCES, Scope.BENCHMARK, Input(PREDICTIONS), system="s")
    graph = StageGraph([experiment, scores, beside, of_all], LAYOUT)

    def problems(of: Stage) -> list[str | None]:
        return [graph.problem(of, Key("first", arm)) for arm in arms]

    assert problems(experiment) == problems(scores) == ["no a|first", None]
    assert problems(beside) == [None, None]
    assert graph.problem(of_all, Key("first")) is None


def test_what_is_optional_or_gathered_is_not_asked_for(world: World) -> None:
    assert needed(world, "triples", "mined") == [("triples", "mined")]
    assert needed(world, "guess/score_differences", "first") == [("guess/score_differences", "first")]


def test_a_harvest_needs_every_relation(world: World) -> None:
    world.layout = replace(LAYOUT, relations=("IsA", "Eats"))
    assert needed(world, "harvests", "arm") == [
        ("relation_seeds", "IsA"),
        ("relation_seeds", "Eats"),
        ("harvests", "arm"),
    ]


def test_tables_that_can_be_made_by_themselves_are_needed_by_themselves(world: World) -> None:
    def tables(*wanted: tuple[str, str]) -> list[str]:
        graph = world.graph
        parts = graph.needed((world.stage(name), Key.of(key)) for name, key in wanted)
        return [table.name for part in parts if part.stage.name == "graph_nodes" for table in part.tables]

    assert tables(("question_concepts", "first")) == ["graph_nodes"]
    both = [GRAPH_NODES.name, GRAPH_ALIASES.name]
    assert tables(("graph_nodes", "plain")) == both
    for order in (1, -1):
        assert tables(*[("question_concepts", "first"), ("graph_nodes", "plain")][::order]) == both


@pytest.mark.parametrize(
    ("reads", "writes", "link", "name", "upstream"),
    [
        (Scope.CORPUS, Scope.SHARD, Link.DEFAULT, "sea", ["sea/a", "sea/b"]),
        (Scope.GRAPH, Scope.HARVEST, Link.DEFAULT, "mined", ["arm"]),
        (Scope.GRAPH, Scope.HARVEST, Link.DEFAULT, "plain", []),
        (Scope.GRAPH, Scope.RELATION, Link.DEFAULT, "mined", ["IsA"]),
        (Scope.GRAPH, Scope.RELATION, Link.DEFAULT, "plain", []),
        (Scope.BENCHMARK, Scope.SHARD, Link.DEFAULT, "first", ["sea/a", "sea/b"]),
        (Scope.BENCHMARK, Scope.CORPUS, Link.DEFAULT, "third", ["land"]),
        (Scope.BENCHMARK, Scope.GRAPH, Link.DEFAULT, "third", ["mined"]),
        (Scope.BENCHMARK, Scope.HARVEST, Link.DEFAULT, "third", ["arm"]),
        (Scope.BENCHMARK, Scope.RELATION, Link.DEFAULT, "first", []),
        (Scope.BENCHMARK, Scope.BENCHMARK, Link.DEFAULT, "second", ["second"]),
        (Scope.BENCHMARK, Scope.BENCHMARK, Link.TRAINING, "second", ["second", "first"]),
        (Scope.BENCHMARK, Scope.BENCHMARK, Link.TRAINING, "first", ["first"]),
        (Scope.BENCHMARK, Scope.CORPUS, Link.DEFAULT, "alone", []),
        (Scope.BENCHMARK, Scope.GRAPH, Link.DEFAULT, "alone", []),
        (Scope.HARVEST, Scope.RELATION, Link.DEFAULT, "arm", ["IsA"]),
        (Scope.RELATION, Scope.RELATION, Link.DEFAULT, "IsA", ["IsA"]),
        (Scope.RELATION, Scope.CORPUS, Link.HARVEST_CORPUS, "IsA", ["sea"]),
        (Scope.HARVEST, Scope.GRAPH, Link.REFERENCE, "arm", ["plain"]),
        (Scope.WHOLE, Scope.HARVEST, Link.EVERY_HARVEST, "", ["arm"]),
    ],
)
def test_links_lead_to_the_partitions_that_are_read(
    reads: Scope, writes: Scope, link: Link, name: str, upstream: list[str]
) -> None:
    layout = replace(LAYOUT, benchmarks={**LAYOUT.benchmarks, "alone": type(LAYOUT.benchmarks["first"])()})
    reader = stage(CHUNK_POOLS, reads, Input(QUESTIONS, link=link))
    graph = StageGraph([stage(QUESTIONS, writes), reader], layout)
    [(_, keys)] = graph.upstream(reader, Key(name))
    assert [key.text for key in keys] == upstream


@pytest.mark.parametrize("text", ["", "first", "best|first", "a|b|c"])
def test_keys_are_read_as_they_are_written(text: str) -> None:
    assert Key.of(text).text == text
    assert Key.of("a|b|c") == Key("b|c", "a") and Key.of(None) == Key()


@pytest.mark.parametrize(
    ("table", "scope", "key", "system", "place"),
    [
        (ARTICLES, Scope.SHARD, Key("sea/a"), "", {"corpus": "sea", "shard": "sea/a"}),
        (TERM_STATISTICS, Scope.CORPUS, Key("sea"), "", {"corpus": "sea"}),
        (TRIPLES, Scope.GRAPH, Key("plain"), "", {"kg": "plain"}),
        (GRAPH_CONCEPTS, Scope.GRAPH, Key("plain"), "", {"kg": "plain"}),
        (HARVESTS, Scope.HARVEST, Key("arm"), "", {"kg": "arm"}),
        (RELATION_SEEDS, Scope.RELATION, Key("IsA"), "", {"relation": "IsA"}),
        (RANKED_CHUNKS, Scope.BENCHMARK, Key("b", "best"), "", {"benchmark": "b", "retrieval": "best"}),
        (PREDICTIONS, Scope.BENCHMARK, Key("b", "m"), "s", {"system": "s", "arm": "m", "benchmark": "b"}),
        (CHUNKS, Scope.WHOLE, Key(), "", {}),
    ],
)
def test_a_partition_of_a_stage_has_its_place_in_the_lake(
    table: Table, scope: Scope, key: Key, system: str, place: dict[str, str]
) -> None:
    writer = stage(table, scope, system=system)
    assert LAYOUT.place(table, writer, key) == place
    assert tuple(place) == tuple(column for column in table.partition_columns if column in place)
    full_place = dict.fromkeys(table.partition_columns, "other") | place
    assert LAYOUT.covers(full_place, table, writer, key)
    for column in place:
        assert not LAYOUT.covers({**full_place, column: "other"}, table, writer, key)
