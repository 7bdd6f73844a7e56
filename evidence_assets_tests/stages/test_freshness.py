"""What is missing, stale or fresh, and why: by what is recorded, and by nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNKS,
    DOCUMENT_POOLS,
    GENERATIONS,
    GRAPH_NODES,
    MATERIALIZATIONS,
    QUESTION_CONCEPTS,
    QUESTIONS,
    RELATION_SEEDS,
    TRIPLES,
)
from evidence_assets.models.generation.protocol import Outcome, Reply, Request
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.stages.declaration import Input, Key, Link, Output, Rows, Stage
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets.stages.freshness import Freshness, State, Status
from evidence_assets.stages.graph import StageGraph
from evidence_assets.stages.step import Step
from evidence_assets_tests.testing.recorded_samples import Engine
from evidence_assets_tests.testing.stage_samples import ANSWERED, LAYOUT, PoolSettings, World, asking, records
from evidence_assets_tests.testing.table_rows import table_of

Fingerprint = Callable[[Stage, Key, str], str | None]


def freshness(world: World, fingerprint: Fingerprint | None = None) -> Freshness:
    return Freshness(world.lake, world.graph, world.models, fingerprint)


def status(world: World, name: str, key: str, fingerprint: Fingerprint | None = None) -> tuple[State, str]:
    state = freshness(world, fingerprint).status(world.stage(name), Key.of(key))
    return state.state, state.reason


def statuses(world: World) -> dict[tuple[str, str], Status]:
    """Return the state of every partition but those that ask a language model."""
    graph = world.graph
    stages = [stage for stage in graph.stages if not stage.system]
    wanted = graph.needed((stage, key) for stage in stages for key in world.layout.keys(stage))
    return {(entry.stage.name, entry.key.text): entry for entry in freshness(world).statuses(wanted)}


def due(world: World) -> dict[tuple[str, str], str]:
    """Return what is not fresh, with its reason."""
    return {
        place: f"{entry.state}: {entry.reason}"
        for place, entry in statuses(world).items()
        if entry.state != State.FRESH
    }


def test_nothing_made_everything_is_missing(world: World) -> None:
    assert {entry.state for entry in statuses(world).values()} == {State.MISSING}
    assert status(world, "questions", "first") == (State.MISSING, "questions was never made")


def test_everything_made_everything_is_fresh(made: World) -> None:
    assert due(made) == {}


def test_the_state_is_told_from_the_records_alone(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for opens in ("read_versioned", "scan_versioned", "version"):
        monkeypatch.setattr(Lake, opens, lambda *_: pytest.fail("a table was opened"))
    made.versions["chunks"] = "2"
    assert due(made)


def test_another_input_makes_stale_what_read_it_and_spreads(made: World) -> None:
    made.questions["first"] = ["who walks"]
    made.make("questions", Key("first"))
    assert status(made, "question_concepts", "first") == (State.STALE, "questions benchmark=first changed")
    assert due(made) == {
        ("question_concepts", "first"): "stale: questions benchmark=first changed",
        ("chunk_pools", "first"): "stale: questions benchmark=first changed",
        ("ranked_chunks", "best|first"): "stale: chunk_pools, first, is to be made anew",
        ("ranked_chunks", "worst|first"): "stale: chunk_pools, first, is to be made anew",
    }
    made.make("question_concepts", Key("first"))
    made.make("chunk_pools", Key("first"))
    made.make("ranked_chunks", Key("first", "best"), Key("first", "worst"))
    assert due(made) == {}


def test_an_input_that_comes_back_leaves_nothing_stale(made: World) -> None:
    original = made.questions["first"]
    made.questions["first"] = ["who walks"]
    made.make("questions", Key("first"))
    made.questions["first"] = original
    made.make("questions", Key("first"))
    assert due(made) == {}


def test_another_code_version_makes_stale(made: World) -> None:
    made.versions["term_statistics"] = "2"
    stale = due(made)
    assert stale["term_statistics", "land"] == "stale: code version: 1, now 2"
    assert stale["chunk_pools", "third"] == "stale: term_statistics, land, is to be made anew"
    assert {name for name, _ in stale} == {"term_statistics", "chunk_pools", "ranked_chunks"}


def test_another_model_makes_stale(made: World) -> None:
    made.pair_scorer = "another"
    stale = due(made)
    assert {name for name, _ in stale} == {"ranked_chunks"} and len(stale) == 6
    assert all(reason.startswith("stale: code version: 1+") for reason in stale.values())


def test_another_configuration_makes_stale(made: World) -> None:
    made.readings["third"] = "as CSV"
    assert [key for name, key in due(made) if name == "questions"] == ["third"]


def test_other_settings_make_stale(made: World) -> None:
    stage, key = made.stage("chunk_pools"), Key("first")

    def state(settings: PoolSettings | None) -> State:
        return freshness(made).status(stage, key, settings=settings).state

    assert state(None) == state(PoolSettings()) == State.FRESH
    assert state(PoolSettings(size=1)) == State.STALE
    make_partition(stage, key, made.run(settings=PoolSettings(size=1)))
    assert state(PoolSettings(size=1)) == State.FRESH
    assert state(None) == State.STALE


def test_a_choice_is_kept_and_what_is_configured_no_more_is_not(made: World) -> None:
    def followed(name: str) -> State:
        follower = Freshness(made.lake, made.graph, made.models, None, choices=False)
        return follower.status(made.stage(name), Key("first")).state

    make_partition(made.stage("chunk_pools"), Key("first"), made.run(settings=PoolSettings(size=1)))
    assert followed("chunk_pools") == State.FRESH, "a run's settings are somebody's choice"
    made.readings["first"] = "as CSV"
    made.make("questions", Key("first"))
    assert followed("questions") == State.FRESH
    made.readings.clear()
    assert followed("questions") == State.STALE, "what was taken out of the configuration is followed, too"


def test_another_file_makes_stale(made: World) -> None:
    contents = {row["partition"]: row["upstream"] for row in records(made.lake, ARTICLES)}
    [source] = contents["corpus=land/shard=land%2Fa"]

    def of(content: str | None) -> Fingerprint:
        return lambda stage, key, uri: content if (stage.name, key.name) == ("articles", "land/a") else None

    assert status(made, "articles", "land/a", of(source["content_hash"]))[0] == State.FRESH
    assert status(made, "articles", "land/a", of(None))[0] == State.FRESH
    assert status(made, "articles", "land/a", of("other")) == (State.STALE, "file land/a.txt changed")


def with_shards(world: World, shards: dict[str, str]) -> None:
    world.layout = replace(LAYOUT, shards=shards)


SHARDS = dict(LAYOUT.shards)


def test_a_new_shard_makes_its_corpus_stale(made: World) -> None:
    with_shards(made, {**SHARDS, "land/b": "land"})
    made.articles["land/b"] = ["an owl"]
    stale = due(made)
    assert stale["articles", "land/b"].startswith("missing")
    assert stale["term_statistics", "land"] == "stale: chunks, land/b, is to be made anew"
    for name in ("articles", "chunks"):
        made.make(name, Key("land/b"))
    assert status(made, "term_statistics", "land") == (
        State.STALE,
        "chunks corpus=land/shard=land%2Fb is new",
    )
    assert {key for name, key in due(made) if name == "chunk_pools"} == {"third"}
    for name, key in (("term_statistics", Key("land")), ("chunk_pools", Key("third"))):
        made.make(name, key)
    # The rankings follow the shards through the pools.
    made.make("ranked_chunks", Key("third", "best"), Key("third", "worst"))
    assert due(made) == {}


@pytest.mark.parametrize("deleted", [False, True])
def test_a_shard_that_is_gone_makes_its_corpus_stale(made: World, deleted: bool) -> None:
    """Whether or not its partitions were removed from the lake."""
    with_shards(made, {shard: corpus for shard, corpus in SHARDS.items() if shard != "sea/b"})
    gone = {"corpus": "sea", "shard": "sea/b"}
    if deleted:
        made.lake.delete(CHUNKS, gone)
    for name, key in (("term_statistics", "sea"), ("chunk_pools", "first")):
        assert status(made, name, key) == (State.STALE, "chunks corpus=sea/shard=sea%2Fb is an input no more")
    assert ("term_statistics", "land") not in due(made)
    made.make("term_statistics", Key("sea"))
    assert status(made, "term_statistics", "sea")[0] == State.FRESH


def test_the_one_shard_of_a_corpus_under_another_name_makes_it_stale(made: World) -> None:
    del made.articles["land/a"]
    made.articles["land/new"] = ["an owl"]
    with_shards(made, {**{name: of for name, of in SHARDS.items() if of == "sea"}, "land/new": "land"})
    for name in ("articles", "chunks"):
        made.make(name, Key("land/new"))
    assert status(made, "term_statistics", "land")[0] == State.STALE


def test_a_relation_that_comes_or_goes_makes_what_gathers_it_stale(made: World) -> None:
    made.layout = replace(LAYOUT, relations=("IsA", "Eats"))
    made.make("relation_seeds", Key("Eats"))
    assert status(made, "harvests", "arm") == (State.STALE, "relation_seeds relation=Eats is new")
    made.make("harvests", Key("arm"))
    assert status(made, "harvests", "arm")[0] == State.FRESH
    assert status(made, "triples", "mined") == (State.STALE, "harvests kg=arm changed")
    made.layout = LAYOUT
    made.lake.delete(RELATION_SEEDS, {"relation": "Eats"})
    assert status(made, "harvests", "arm") == (
        State.STALE,
        "relation_seeds relation=Eats is an input no more",
    )


def test_what_is_to_be_made_is_gathered_in_the_same_plan(made: World) -> None:
    """A second harvest names another relation: what it yields belongs to the harvest that stands."""
    made.layout = replace(LAYOUT, relations=("IsA", "Eats"))
    seeds, gathering = made.stage("relation_seeds"), replace(made.stage("harvests"), gathers=True)
    graph = StageGraph([seeds, gathering], made.layout)
    make_partition(gathering, Key("arm"), Run(made.lake, graph, made.models))
    planned = graph.needed([(seeds, Key("Eats")), (gathering, Key("arm"))])
    for to_be_made, expected in ((True, State.STALE), (False, State.FRESH)):
        planned_statuses = Freshness(made.lake, graph, made.models).statuses(planned, to_be_made)
        states = {status.stage.name: (status.state, status.reason) for status in planned_statuses}
        assert states["relation_seeds"][0] == State.MISSING
        reason = "relation_seeds, Eats, is to be made anew" if to_be_made else ""
        assert states["harvests"] == (expected, reason)


def test_a_part_that_is_removed_makes_its_readers_stale(made: World) -> None:
    made.facts["plain"] = {"Eats": "whale crab"}
    made.make("triples", Key("plain"))
    assert status(made, "triples", "plain")[0] == State.FRESH
    assert status(made, "graph_nodes", "plain") == (
        State.STALE,
        "triples kg=plain/relation=IsA is an input no more",
    )
    made.make("graph_nodes", Key("plain"))
    assert status(made, "graph_nodes", "plain")[0] == State.FRESH


def test_a_part_that_is_new_makes_its_readers_stale(made: World) -> None:
    made.facts["plain"]["Near"] = "crab"
    made.make("triples", Key("plain"))
    assert status(made, "graph_nodes", "plain") == (State.STALE, "triples kg=plain/relation=Near is new")


def test_an_input_made_later_makes_stale_what_reads_it_as_made(world: World) -> None:
    def run(step: Step) -> Iterator[Rows]:
        for place in step.inputs.partitions(QUESTIONS):
            step.inputs.read(QUESTIONS, place)
        yield Rows(DOCUMENT_POOLS, table_of(DOCUMENT_POOLS))

    questions = world.stage("questions")
    reader = replace(
        questions,
        name="document_pools",
        outputs=(Output(DOCUMENT_POOLS, "made up"),),
        inputs=(Input(QUESTIONS, optional=True, as_made=True),),
        run=run,
    )
    graph, key = StageGraph([questions, reader], LAYOUT), Key("first")
    make_partition(reader, key, Run(world.lake, graph, world.models))
    assert Freshness(world.lake, graph, world.models).status(reader, key).state == State.FRESH
    make_partition(questions, key, Run(world.lake, graph, world.models))
    now = Freshness(world.lake, graph, world.models).status(reader, key)
    assert (now.state, now.reason) == (State.STALE, "questions benchmark=first is new")


def test_what_died_before_it_was_recorded_is_stale(world: World) -> None:
    run_of = world.stage("questions").run

    def dies(step: Any) -> Iterator[Any]:
        yield next(iter(run_of(step)))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_partition(replace(world.stage("questions"), run=dies), Key("first"), world.run())
    state, reason = status(world, "questions", "first")
    assert state == State.STALE and "nothing is recorded of it; its run may have died" in reason
    world.make("questions", Key("first"))
    assert status(world, "questions", "first")[0] == State.FRESH


def test_one_of_several_parts_without_a_record_is_stale(made: World) -> None:
    rows = table_of(TRIPLES, {"triple_id": "x", "kg": "plain", "relation": "Near"})
    made.lake.write(TRIPLES, {"kg": "plain", "relation": "Near"}, rows)
    state, reason = status(made, "triples", "plain")
    assert state == State.STALE and "nothing is recorded" in reason


def test_a_table_that_is_missing_of_two_is_missing(made: World) -> None:
    made.lake.delete(GRAPH_NODES, {"kg": "plain"})
    stage, key = made.stage("graph_nodes"), Key("plain")
    assert freshness(made).status(stage, key).state == State.MISSING
    aliases = [table for table in stage.tables if table is not GRAPH_NODES]
    assert freshness(made).status(stage, key, aliases).state == State.FRESH


def test_an_input_without_a_record_makes_its_readers_stale(made: World) -> None:
    [place] = [
        place
        for place in made.lake.partitions(MATERIALIZATIONS)
        for row in made.lake.read(MATERIALIZATIONS, place).to_pylist()
        if (row["table"], row["partition"]) == ("questions", "benchmark=first")
    ]
    made.lake.delete(MATERIALIZATIONS, place)
    stale = due(made)
    assert "its run may have died" in stale["questions", "first"]
    assert stale["question_concepts", "first"] == "stale: questions benchmark=first changed"


def test_a_partition_whose_replies_are_missing_is_stale(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    key = f"{ANSWERED}|first"
    engines = iter([Engine(lambda request: Reply(Outcome.TIMED_OUT)), Engine()])
    monkeypatch.setattr(GeneratorSettings, "load", lambda settings, name: next(engines))
    made.make("guess/predictions", Key.of(key))
    state, reason = status(made, "guess/predictions", key)
    assert state == State.STALE and reason.startswith("replies are missing: ")
    made.make("guess/predictions", Key.of(key))
    assert status(made, "guess/predictions", key)[0] == State.FRESH
    made.generator_model = "another"
    state, reason = status(made, "guess/predictions", key)
    assert state == State.STALE and reason.startswith("code version: ")


def test_segments_of_replies_that_were_joined_make_nothing_stale(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later call may move replies to another segment: they are the same replies."""
    failing = {"sea/a a crab walks#0"}

    def reply(request: Request) -> Reply:
        return Reply(Outcome.TIMED_OUT) if request.user in failing else Reply(Outcome.ANSWERED, "yes")

    monkeypatch.setattr(GeneratorSettings, "load", lambda settings, name: Engine(reply))
    second = Key("second", ANSWERED)
    made.make("guess/predictions", Key("first", ANSWERED))
    [segment] = made.lake.partitions(GENERATIONS)
    # Another partition, of the requests that were answered.
    made.questions["second"] = ["whale krill"]
    made.make("questions", Key("second"))
    made.make("chunk_pools", Key("second"), run=made.run(settings=PoolSettings(size=2)))
    made.make("ranked_chunks", Key("second", "best"))
    made.make("guess/predictions", second)
    assert made.lake.partitions(GENERATIONS) == [segment]
    failing.clear()

    def write(place: Mapping[str, str], rows: pa.Table) -> None:
        made.lake.record(made.lake.write(GENERATIONS, place, rows), [], "other", "1")

    # Another call asks again for what failed, and for more: its segment takes in the first.
    later_call = RecordedGenerator(Engine(reply), made.lake, write)
    later_call.replies([asking("sea/a a crab walks#0"), asking("another")])
    assert segment not in made.lake.partitions(GENERATIONS)
    assert status(made, "guess/predictions", second.text) == (State.FRESH, "")


# What stands in a fresh partition, as a run that changed nothing leaves it.


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("questions", "first"),
        ("articles", "sea/a"),
        ("triples", "plain"),
        ("graph_nodes", "plain"),
        ("question_concepts", "first"),
        ("ranked_chunks", "worst|third"),
    ],
)
def test_what_stands_is_what_a_run_that_changes_nothing_leaves(made: World, name: str, key: str) -> None:
    stage = made.stage(name)
    stands = freshness(made).unchanged(stage, Key.of(key), stage.tables, None)
    again = make_partition(stage, Key.of(key), made.run())
    assert stands is not None and stands.key == again.key and stands.removed == again.removed == []
    assert stands.tables.keys() == again.tables.keys()
    for table, standing in stands.tables.items():
        expected = again.tables[table]
        assert (standing.version, standing.content_hash, standing.rows, standing.size, standing.changed) == (
            expected.version,
            expected.content_hash,
            expected.rows,
            expected.size,
            False,
        )


def test_parts_that_were_written_in_another_order_are_the_same_version(made: World) -> None:
    made.facts["plain"] = dict(sorted(made.facts["plain"].items(), reverse=True))
    [again] = made.make("triples", Key("plain"))
    stands = freshness(made).unchanged(made.stage("triples"), Key("plain"), [TRIPLES], None)
    assert stands is not None and stands.tables["triples"].version == again.tables["triples"].version


def test_a_table_that_is_carried_through_two_inputs_counts_once(made: World) -> None:
    """Questions of a benchmark and of the one that is trained on: one input may cover what another does."""
    stage = replace(
        made.stage("question_concepts"),
        outputs=(Output(QUESTION_CONCEPTS, "made up", (QUESTIONS,)),),
        inputs=(Input(QUESTIONS), Input(QUESTIONS, link=Link.TRAINING), Input(GRAPH_NODES)),
        version="2",
    )
    others = [made_stage for made_stage in made.stages() if made_stage.name != stage.name]
    graph = StageGraph([*others, stage], made.layout)
    run = replace(made.run(), graph=graph)
    result = make_partition(stage, Key("second"), run)
    stands = Freshness(made.lake, graph, made.models).unchanged(stage, Key("second"), stage.tables, None)
    assert stands is not None
    assert stands.tables["question_concepts"].version == result.tables["question_concepts"].version


def test_nothing_is_said_to_stand_in_what_is_not_fresh(made: World) -> None:
    made.versions["questions"] = "2"
    assert freshness(made).unchanged(made.stage("questions"), Key("first"), [QUESTIONS], None) is None


def test_what_stands_otherwise_than_it_is_recorded_is_made_anew(made: World) -> None:
    """A run died after it had written, and then its input came back: the record is of other rows."""
    made.lake.write(QUESTIONS, {"benchmark": "first"}, table_of(QUESTIONS))
    assert freshness(made).unchanged(made.stage("questions"), Key("first"), [QUESTIONS], None) is None


def test_what_is_damaged_is_made_anew_by_whoever_asks_for_it(made: World) -> None:
    """The record is of what it was: a run of the partition would take it for up to date, and mend nothing."""
    stage, key = made.stage("triples"), Key("plain")
    path = Path(made.lake.file(TRIPLES, {"kg": "plain", "relation": "IsA"}))
    sound = path.read_bytes()
    path.write_bytes(sound[:20] + b"\xff" * 40 + sound[60:])
    assert freshness(made).status(stage, key).state == State.FRESH
    assert freshness(made).unchanged(stage, key, [TRIPLES], None) is None
    made.make("triples", key)
    assert path.read_bytes() == sound
    assert freshness(made).unchanged(stage, key, [TRIPLES], None) is not None
