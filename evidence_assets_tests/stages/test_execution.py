"""One partition made: rows written, everything read recorded, and nothing that looks whole before it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from evidence_assets.lake.declared_rows import TableContractError
from evidence_assets.lake.ids import combined_hash, content_id
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNK_POOLS,
    GENERATIONS,
    GRAPH_ALIASES,
    GRAPH_NODES,
    PREDICTIONS,
    QUESTIONS,
    REJECTED_RECORDS,
    TRIPLES,
)
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import EncodedWords
from evidence_assets.models.generation.protocol import Outcome, Reply, Request
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.stages.declaration import Key, Metadata, Model, Rows, Stage, StageError
from evidence_assets.stages.execution import TableResult, make_partition, recorded_version
from evidence_assets.stages.step import Step
from evidence_assets_tests.testing.recorded_samples import Engine
from evidence_assets_tests.testing.stage_samples import (
    ANSWERED,
    GENERATOR,
    PoolSettings,
    World,
    records,
    upstream,
)
from evidence_assets_tests.testing.table_rows import table_of

FIRST, SECOND = Key("first"), Key("second")
Run = Callable[[Step], Iterator[Any]]


def with_run(world: World, name: str, run: Run, **fields: Any) -> Stage:
    return replace(world.stage(name), run=run, **fields)


def test_rows_are_written_and_recorded_with_all_that_was_read(world: World) -> None:
    [result] = world.make("articles", Key("sea/a"), run=world.run("run 7"))
    table = result.tables["articles"]
    place = {"corpus": "sea", "shard": "sea/a"}
    assert world.lake.read(ARTICLES, place).column("text").to_pylist() == world.articles["sea/a"][::-1]
    [row] = records(world.lake, ARTICLES)
    assert (row["partition"], row["rows"], row["run_id"]) == ("corpus=sea/shard=sea%2Fa", 2, "run 7")
    assert row["code_version"] == "1"
    assert [source["partition"] for source in row["upstream"]] == ["sea/a.txt"]
    assert (table.rows, table.changed, table.removed) == (2, True, [])
    assert table.size == row["bytes"] and table.version == table.content_hash == row["content_hash"]
    assert table.metadata["texts"] == 2 and "a crab walks" in table.metadata["preview"]


def test_a_preview_shows_the_question_and_no_hashes(world: World) -> None:
    world.make("articles")
    world.make("chunks")
    world.make("term_statistics")
    world.make("questions", Key("first"))
    [result] = world.make("chunk_pools", Key("first"))
    header, _, *rows = result.tables["chunk_pools"].metadata["preview"].splitlines()
    assert header.startswith("| question | benchmark |")
    assert rows
    assert all(row.startswith("| who eats krill | first |") for row in rows)
    [shown] = world.make("questions", Key("first"))
    assert shown.tables["questions"].metadata["preview"].splitlines()[0].count(" question ") == 1


def test_rows_beside_are_recorded_and_are_no_product(world: World) -> None:
    world.articles["sea/a"].append("")
    [result] = world.make("articles", Key("sea/a"))
    assert result.tables.keys() == {"articles"}
    [row] = records(world.lake, REJECTED_RECORDS)
    assert (row["partition"], row["rows"]) == ("source=sea%2Fa", 1)
    assert upstream(world.lake, REJECTED_RECORDS)["source=sea%2Fa"] == ["source_files sea/a.txt"]


def test_every_table_of_a_stage_is_recorded_with_all_that_the_stage_read(made: World) -> None:
    """What is read for the second table, after the first was written, counts for both."""

    def run(step: Step) -> Iterator[Rows]:
        eats, is_a = ({"kg": "plain", "relation": relation} for relation in ("Eats", "IsA"))
        step.inputs.read(TRIPLES, eats)
        yield Rows(GRAPH_NODES, table_of(GRAPH_NODES))
        step.inputs.read(TRIPLES, is_a)
        yield Rows(GRAPH_ALIASES, table_of(GRAPH_ALIASES))

    make_partition(with_run(made, "graph_nodes", run, version="2"), Key("plain"), made.run())
    for table in (GRAPH_NODES, GRAPH_ALIASES):
        [row] = [row for row in records(made.lake, table) if row["code_version"] == "2"]
        assert [source["partition"] for source in row["upstream"]] == [
            "kg=plain/relation=Eats",
            "kg=plain/relation=IsA",
        ]


def test_a_run_that_changes_nothing_says_so_and_is_not_recorded_again(made: World) -> None:
    [result] = made.make("questions", FIRST, run=made.run("again"))
    assert not result.tables["questions"].changed
    assert {row["run_id"] for row in records(made.lake, QUESTIONS)} == {"run"}


@pytest.mark.parametrize("after", ["rows", "metadata", "beside"])
def test_a_run_that_dies_leaves_no_record_and_the_next_one_records(world: World, after: str) -> None:
    run_of = world.stage("articles").run

    def dies(step: Step) -> Iterator[Any]:
        for item in run_of(step):
            yield item
            if (after == "beside") == (isinstance(item, Rows) and item.table is REJECTED_RECORDS):
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_partition(with_run(world, "articles", dies), Key("sea/a"), world.run())
    assert world.lake.exists(ARTICLES, {"corpus": "sea", "shard": "sea/a"})
    assert records(world.lake) == []
    [result] = world.make("articles", Key("sea/a"))
    assert not result.tables["articles"].changed
    assert len(records(world.lake)) == 2


def test_what_comes_back_after_a_run_that_died_is_the_newest_record(world: World) -> None:
    """Rows of a while ago, written again by a run that died: the next run records that they stand now."""
    original = world.questions["first"]
    world.make("questions", FIRST)
    world.questions["first"] = ["another"]
    world.make("questions", FIRST)
    world.questions["first"] = original
    run_of = world.stage("questions").run

    def dies(step: Step) -> Iterator[Any]:
        yield next(run_of(step))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_partition(with_run(world, "questions", dies), FIRST, world.run())
    [result] = world.make("questions", FIRST)
    newest = max(records(world.lake, QUESTIONS), key=lambda row: row["materialized_at"])
    assert newest["content_hash"] == result.tables["questions"].content_hash


def no_rows(step: Step) -> Iterator[Any]:
    yield Metadata({"nothing": True})


def other_rows(step: Step) -> Iterator[Any]:
    yield Rows(QUESTIONS, table_of(QUESTIONS))
    yield Rows(ARTICLES, table_of(ARTICLES), {"corpus": "sea", "shard": "sea/a"})


@pytest.mark.parametrize(
    ("run", "named"),
    [
        (no_rows, "stage questions yields no rows of questions"),
        (other_rows, "questions yields articles, which"),
    ],
)
def test_what_is_left_out_or_not_declared_is_refused(world: World, run: Run, named: str) -> None:
    with pytest.raises(StageError, match=named):
        make_partition(with_run(world, "questions", run), FIRST, world.run())
    assert records(world.lake) == []


@pytest.mark.parametrize("model", ["encoder", "pair_scorer", "masked_lm", "generator"])
def test_a_model_that_is_not_declared_is_refused(world: World, model: str) -> None:
    def run(step: Step) -> Iterator[Any]:
        used = getattr(step, model)
        if model == "generator":
            used(GENERATOR)
        yield from ()

    with pytest.raises(StageError, match=rf"stage questions uses the {model} undeclared; remedy: add it to"):
        make_partition(with_run(world, "questions", run), FIRST, world.run())


def test_only_its_own_tables_are_read_back(made: World) -> None:
    def run(step: Step) -> Iterator[Any]:
        yield Rows(QUESTIONS, table_of(QUESTIONS, {"benchmark": "first", "question_id": "9"}))
        assert step.output(QUESTIONS, {"benchmark": "first"}, ["question_id"]).to_pylist() == [
            {"question_id": "9"}
        ]
        with pytest.raises(
            StageError, match="questions does not write articles; remedy: read it as an input"
        ):
            step.output(ARTICLES, {"corpus": "sea", "shard": "sea/a"})

    make_partition(with_run(made, "questions", run), FIRST, made.run())
    assert all(sources == [] for sources in upstream(made.lake, QUESTIONS).values())


def test_metadata_is_shown_of_the_table_that_is_named(made: World) -> None:
    def run(step: Step) -> Iterator[Any]:
        yield Metadata({"first": 1})
        yield Rows(GRAPH_NODES, table_of(GRAPH_NODES), preview=False)
        yield Rows(GRAPH_ALIASES, table_of(GRAPH_ALIASES), metadata={"rows": 2}, preview=False)
        yield Metadata({"second": 3}, GRAPH_ALIASES)

    result = make_partition(with_run(made, "graph_nodes", run), Key("plain"), made.run())
    assert result.tables["graph_nodes"].metadata == {"first": 1}
    assert result.tables["graph_aliases"].metadata == {"rows": 2, "second": 3}


class ShortSighted:
    """An encoder of eight tokens, one a word beside two special ones."""

    encoder_id, dimension, max_tokens = "short@1", 2, 8

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [2 + len(text.split()) for text in texts]

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.ones((len(texts), 2), np.float32)

    def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
        raise AssertionError("no word vectors are needed")


def test_what_the_encoder_does_not_take_is_counted_and_shown(made: World, tmp_path: Path) -> None:
    long = table_of(
        QUESTIONS,
        {"benchmark": "first", "question_id": "1", "question": "a b c d e f g", "options": ["x", "y z"]},
        {"benchmark": "first", "question_id": "2", "question": "a b", "options": ["x", "y"]},
    )

    def run(step: Step) -> Iterator[Any]:
        encode = step.shortened(long).encoding(step.encoder.encode)
        encode(["a b c d e f g x", "a b c d e f g y z", "a text of more than eight tokens in all"])
        assert step.shortened_questions is not None
        assert step.shortened_questions.unread == {"1": 3}
        yield Rows(QUESTIONS, table_of(QUESTIONS))

    stage = with_run(made, "questions", run, models=frozenset({Model.ENCODER}))
    models = made.models
    vars(models)["encoder"] = CachedEncoder(ShortSighted(), tmp_path / "vectors")
    for _ in range(2):  # the second time from the cache
        metadata = (
            make_partition(stage, FIRST, replace(made.run(), models=models)).tables["questions"].metadata
        )
        assert metadata["questions_shortened"] == 1
        assert metadata["texts_cut_by_encoder"] == 1


def test_of_tables_that_can_be_made_by_themselves_the_wanted_one_is_made(made: World) -> None:
    made.facts["plain"]["Eats"] = "squid"
    made.make("triples", Key("plain"))
    run = made.run()
    before = made.lake.version(GRAPH_ALIASES, {"kg": "plain"})
    result = make_partition(made.stage("graph_nodes"), Key("plain"), run, [GRAPH_NODES])
    assert result.tables.keys() == {"graph_nodes"}
    assert made.lake.version(GRAPH_ALIASES, {"kg": "plain"}) == before
    with pytest.raises(StageError, match="graph_nodes yields graph_aliases"):
        make_partition(
            with_run(made, "graph_nodes", lambda step: iter([Rows(GRAPH_ALIASES, table_of(GRAPH_ALIASES))])),
            Key("plain"),
            run,
            [GRAPH_NODES],
        )


# Where one partition of a stage is several of the lake's.


Parts = Mapping[str, str]


def make_triples(world: World, **heads: str) -> TableResult:
    world.facts["plain"] = heads
    return world.make("triples", Key("plain"))[0].tables["triples"]


def test_every_part_is_written_and_recorded(world: World) -> None:
    result = make_triples(world, HasA="a b", IsA="c")
    places = [{"kg": "plain", "relation": relation} for relation in ("HasA", "IsA")]
    assert world.lake.partitions(TRIPLES) == places
    assert result.rows == 3 and len(result.written) == 2
    assert result.size == sum(world.lake.filesystem.size(world.lake.file(TRIPLES, place)) for place in places)
    versions = [world.lake.version(TRIPLES, place).content_hash for place in places]
    assert result.version == combined_hash(versions)
    assert upstream(world.lake, TRIPLES) == {
        f"kg=plain/relation={relation}": ["source_files plain.tsv"] for relation in ("HasA", "IsA")
    }


def test_the_same_parts_again_in_any_order_are_the_same_version(world: World) -> None:
    first = make_triples(world, HasA="a b", IsA="c")
    again = make_triples(world, IsA="c", HasA="b a")
    assert again.version == first.version and not again.changed


@pytest.mark.parametrize(
    "changed",
    [
        {"HasA": "a b", "IsA": "d"},
        {"HasA": "a b"},
        {"HasA": "a b", "IsA": "c", "PartOf": "e"},
        {"HasA": "a", "IsA": "b c"},
        {"HasA": "a b", "MadeOf": "c"},
    ],
    ids=["other row", "part less", "part more", "moved", "renamed"],
)
def test_any_other_part_is_another_version(world: World, changed: Parts) -> None:
    first = make_triples(world, HasA="a b", IsA="c")
    then = make_triples(world, **changed)
    assert then.version != first.version and then.changed
    assert {place["relation"] for place in world.lake.partitions(TRIPLES)} == set(changed)


def test_a_part_that_is_removed_is_told(world: World) -> None:
    make_triples(world, HasA="a b", IsA="c")
    world.facts["plain"] = {"HasA": "a b"}
    [result] = world.make("triples", Key("plain"))
    gone = {"kg": "plain", "relation": "IsA"}
    assert result.removed == [(TRIPLES, gone)] and result.tables["triples"].removed == [gone]
    assert result.tables["triples"].changed
    assert not world.lake.exists(TRIPLES, gone)


def test_parts_are_made_one_after_the_other(world: World) -> None:
    """A graph of millions of triples is written relation by relation: it never stands in memory twice."""
    standing: list[int] = []

    def run(step: Step) -> Iterator[Any]:
        for relation in "ABC":
            standing.append(len(world.lake.partitions(TRIPLES)))
            yield part(relation, relation)

    make_partition(with_run(world, "triples", run), Key("plain"), world.run())
    assert standing == [0, 1, 2]


def part(place_of: str, relation: str) -> Rows:
    rows = table_of(TRIPLES, {"triple_id": relation, "kg": "plain", "relation": relation})
    return Rows(TRIPLES, rows, {"kg": "plain", "relation": place_of})


def test_rows_of_another_part_are_refused(world: World) -> None:
    def mixed(step: Step) -> Iterator[Any]:
        yield part("HasA", "IsA")

    def unpartitioned(step: Step) -> Iterator[Any]:
        yield Rows(TRIPLES, table_of(TRIPLES))

    with pytest.raises(TableContractError, match=r"rows of relation=.*'IsA'.*relation=HasA"):
        make_partition(with_run(world, "triples", mixed), Key("plain"), world.run())
    with pytest.raises(ValueError, match="is partitioned by"):
        make_partition(with_run(world, "triples", unpartitioned), Key("plain"), world.run())
    assert records(world.lake) == []


# What a data version carries.


def test_a_version_changes_with_what_it_carries_and_with_nothing_else(made: World) -> None:
    def version(key: Key = FIRST) -> tuple[str, str]:
        [result] = made.make("question_concepts", key)
        table = result.tables["question_concepts"]
        return table.version, table.content_hash

    nodes = made.lake.version(GRAPH_NODES, {"kg": "plain"}).content_hash
    first = version()
    assert first == (combined_hash([first[1], nodes]), first[1]) and version() == first
    # Same rows, but read from another graph_nodes: its degrees differ.
    rows = made.lake.read(GRAPH_NODES, {"kg": "plain"})
    at = rows.schema.get_field_index("degree")
    altered = rows.set_column(at, rows.schema.field(at), pa.array([7] * rows.num_rows, pa.int32()))
    made.lake.write(GRAPH_NODES, {"kg": "plain"}, altered)
    then = version()
    assert then[1] == first[1] and then[0] != first[0]
    # Another graph, another benchmark's rows: none of its concern.
    made.lake.write(GRAPH_NODES, {"kg": "mined"}, table_of(GRAPH_NODES))
    made.lake.write(QUESTIONS, {"benchmark": "second"}, table_of(QUESTIONS))
    assert version() == then


# The version that is recorded of a partition.


def test_the_recorded_version_says_what_decides_the_rows(world: World) -> None:
    def version(name: str, key: Key, settings: PoolSettings | None = None) -> str:
        return recorded_version(world.stage(name), key, world.models, settings)

    assert version("questions", FIRST) == "1"
    world.readings["first"] = "as CSV"
    assert version("questions", FIRST) == f"1+{content_id('configuration', 'as CSV')[:8]}"
    assert version("questions", SECOND) == "1"
    assert version("chunk_pools", FIRST) == version("chunk_pools", FIRST, PoolSettings()) == "1"
    assert version("chunk_pools", FIRST, PoolSettings(size=3)) == "1"
    chosen = {version("chunk_pools", FIRST, PoolSettings(size=size)) for size in (1, 2)}
    assert len(chosen) == 2 and all(recorded.startswith("1+") for recorded in chosen)


def test_the_recorded_version_names_the_models_that_are_declared(world: World) -> None:
    def versions() -> list[str]:
        keys = {"questions": FIRST, "ranked_chunks": Key("first", "best"), "guess/predictions": ANSWERS}
        return [recorded_version(world.stage(name), key, world.models) for name, key in keys.items()]

    plain, ranked, answered = versions()
    assert plain == "1" and ranked.startswith("1+") and answered.startswith("1+")
    world.pair_scorer = "another"
    scored = versions()
    assert [scored[0], scored[2]] == [plain, answered] and scored[1] != ranked
    world.generator_model = "another"
    assert versions()[:2] == scored[:2] and versions()[2] != answered


def test_settings_of_a_run_are_recorded(made: World) -> None:
    made.make("chunk_pools", FIRST, run=made.run(settings=PoolSettings(size=1)))
    newest = max(records(made.lake, CHUNK_POOLS), key=lambda row: row["materialized_at"])
    expected = recorded_version(made.stage("chunk_pools"), FIRST, made.models, PoolSettings(size=1))
    assert (newest["code_version"], newest["rows"]) == (expected, 1)


# Language models.


ANSWERS = Key("first", ANSWERED)


def answering(monkeypatch: pytest.MonkeyPatch, reply: Callable[[Request], Reply] | None = None) -> Engine:
    engine = Engine(reply) if reply else Engine()
    monkeypatch.setattr(GeneratorSettings, "load", lambda settings, name: engine)
    return engine


def test_replies_are_inputs_and_what_they_came_to_is_shown(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = answering(monkeypatch)
    [result] = made.make("guess/predictions", ANSWERS, run=made.run("run 7"))
    shown = result.tables["predictions"].metadata
    assert (shown["small_requests_sent"], shown["small_requests_replayed"]) == (len(engine.requests), 0)
    [[first, second]] = upstream(made.lake, PREDICTIONS).values()
    assert first.startswith("generations generator=") and second.startswith("ranked_chunks benchmark=first")
    [generations] = records(made.lake, GENERATIONS)
    assert generations["run_id"] == "run 7"
    assert upstream(made.lake, GENERATIONS)[generations["partition"]] == [second]
    sent = len(engine.requests)
    [again] = made.make("guess/predictions", ANSWERS)
    assert len(engine.requests) == sent and not again.tables["predictions"].changed
    assert again.tables["predictions"].metadata["small_requests_replayed"] == sent


def test_a_partition_whose_replies_are_missing_is_recorded_as_incomplete(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = answering(monkeypatch, lambda request: Reply(Outcome.TIMED_OUT))
    made.make("guess/predictions", ANSWERS)
    assert failing.requests
    [row] = records(made.lake, PREDICTIONS)
    version = recorded_version(made.stage("guess/predictions"), ANSWERS, made.models)
    assert row["code_version"] == f"{version}+incomplete"
    answering(monkeypatch)
    made.make("guess/predictions", ANSWERS)
    [row] = records(made.lake, PREDICTIONS)
    assert row["code_version"] == version


def test_replies_outlive_a_run_that_dies(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch)
    run_of = made.stage("guess/predictions").run

    def dies(step: Step) -> Iterator[Any]:
        next(run_of(step))
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        make_partition(with_run(made, "guess/predictions", dies), ANSWERS, made.run())
    assert records(made.lake, PREDICTIONS) == [] and len(records(made.lake, GENERATIONS)) == 1
    engine = answering(monkeypatch)
    made.make("guess/predictions", ANSWERS)
    assert engine.requests == []
