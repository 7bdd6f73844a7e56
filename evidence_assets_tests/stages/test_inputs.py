"""What a stage reads: declared, and noted with its version, wherever it was read first."""

from __future__ import annotations

import pytest

from evidence_assets.lake.lake import MissingPartitionError, PartitionVersion
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNKS,
    GRAPH_NODES,
    HARVESTS,
    MATERIALIZATIONS,
    QUESTIONS,
    RELATION_SEEDS,
    TERM_STATISTICS,
    TRIPLES,
)
from evidence_assets.stages.declaration import Key, StageError
from evidence_assets.stages.inputs import Inputs, RunCache, UndeclaredInputError
from evidence_assets_tests.testing.stage_samples import World

SEA_A, SEA_B = ({"corpus": "sea", "shard": shard} for shard in ("sea/a", "sea/b"))
LAND = {"corpus": "land", "shard": "land/a"}


def inputs_of(world: World, name: str, key: str, cache: RunCache | None = None) -> Inputs:
    return Inputs(world.lake, world.graph, world.stage(name), Key.of(key), cache or RunCache())


@pytest.mark.parametrize("use", ["read", "read_partitions", "scan", "exists", "version"])
def test_a_partition_that_is_not_declared_is_refused(made: World, use: str) -> None:
    inputs = inputs_of(made, "term_statistics", "sea")
    for table, place in ((CHUNKS, LAND), (ARTICLES, SEA_A)):
        with pytest.raises(UndeclaredInputError) as raised:
            getattr(inputs, use)(table, [place] if use == "read_partitions" else place)
        for part in (
            "stage term_statistics, partition sea,",
            f"reads {table.name} corpus={place['corpus']}/shard={place['shard'].replace('/', '%2F')}",
            "none of its inputs (chunks)",
            "remedy: declare it as an Input",
        ):
            assert part in str(raised.value)
    assert inputs.versions == []
    assert issubclass(UndeclaredInputError, StageError)


def test_a_table_that_is_not_declared_has_no_partitions_to_list(made: World) -> None:
    with pytest.raises(UndeclaredInputError, match=r"reads articles \(any partition\).*remedy"):
        inputs_of(made, "term_statistics", "sea").partitions(ARTICLES)


def test_another_variants_ranking_is_not_declared(made: World) -> None:
    inputs = inputs_of(made, "guess/predictions", "best@small|first")
    [table] = [
        source.declared.table for source, _ in made.graph.upstream(made.stage("guess/predictions"), Key())
    ]
    inputs.read(table, {"benchmark": "first", "retrieval": "best"})
    for place in ({"benchmark": "first", "retrieval": "worst"}, {"benchmark": "third", "retrieval": "best"}):
        with pytest.raises(UndeclaredInputError, match="ranked_chunks"):
            inputs.read(table, place)


def test_versions_are_noted_once_in_the_order_of_reading(made: World) -> None:
    inputs = inputs_of(made, "chunk_pools", "first")
    inputs.scan(CHUNKS, SEA_B)  # noted before the first batch is asked for
    inputs.read(CHUNKS, SEA_A, ["text"])
    inputs.read(CHUNKS, SEA_A)
    inputs.note_source("file", "1")
    inputs.read_partitions(CHUNKS, [SEA_B, SEA_A])
    assert inputs.version(QUESTIONS, {"benchmark": "first"}) == inputs.versions[-1]
    assert inputs.versions == [
        made.lake.version(CHUNKS, SEA_B),
        made.lake.version(CHUNKS, SEA_A),
        PartitionVersion("source_files", "file", "1"),
        made.lake.version(QUESTIONS, {"benchmark": "first"}),
    ]


def test_reads_give_the_lakes_rows(made: World) -> None:
    inputs, lake = inputs_of(made, "chunk_pools", "first"), made.lake
    assert inputs.read(CHUNKS, SEA_A, ["text"]) == lake.read(CHUNKS, SEA_A, ["text"])
    assert inputs.read_partitions(CHUNKS, [SEA_B, SEA_A]) == lake.read_partitions(CHUNKS, [SEA_B, SEA_A])
    batches = list(inputs.scan(CHUNKS, SEA_A, ["text"], rows=1))
    assert [batch.to_pylist() for batch in batches] == [
        [row] for row in lake.read(CHUNKS, SEA_A, ["text"]).to_pylist()
    ]
    assert inputs.read_partitions(CHUNKS, [], ["text"]).schema.names == ["text"]


def test_only_what_stands_and_may_be_read_is_listed(made: World) -> None:
    assert inputs_of(made, "chunk_pools", "first").partitions(CHUNKS) == [SEA_A, SEA_B]
    assert inputs_of(made, "chunk_pools", "third").partitions(CHUNKS) == [LAND]
    relations = inputs_of(made, "graph_nodes", "plain").partitions(TRIPLES)
    assert relations == [{"kg": "plain", "relation": relation} for relation in ("Eats", "IsA")]
    made.lake.delete(CHUNKS, SEA_A)
    inputs = inputs_of(made, "chunk_pools", "first")
    assert inputs.partitions(CHUNKS) == [SEA_B]
    assert not inputs.exists(CHUNKS, SEA_A) and inputs.exists(CHUNKS, SEA_B)
    assert inputs.versions == []
    for use in (inputs.read, inputs.scan, inputs.version):
        with pytest.raises(MissingPartitionError):
            use(CHUNKS, SEA_A)
    assert inputs.versions == []


def test_relations_may_come_and_go(made: World) -> None:
    """A seed file that came after the configuration was read is an input of what gathers relations."""
    late = {"relation": "Late"}
    made.lake.write(RELATION_SEEDS, late, made.lake.read(RELATION_SEEDS, {"relation": "IsA"}).slice(0, 0))
    inputs = inputs_of(made, "harvests", "arm")
    assert inputs.partitions(RELATION_SEEDS) == [{"relation": "IsA"}, late]
    assert inputs.exists(RELATION_SEEDS, late)


def test_a_graph_reads_the_harvests_that_it_merges(made: World) -> None:
    assert inputs_of(made, "triples", "mined").exists(HARVESTS, {"kg": "arm"})
    with pytest.raises(UndeclaredInputError, match="partition plain, reads harvests kg=arm"):
        inputs_of(made, "triples", "plain").exists(HARVESTS, {"kg": "arm"})


def test_what_stands_of_its_own_is_listed_and_is_no_input(made: World) -> None:
    inputs = inputs_of(made, "triples", "plain")
    assert [place["relation"] for place in inputs.standing(TRIPLES)] == ["Eats", "IsA"]
    assert inputs.versions == []


def test_what_two_functions_keep_under_one_key_is_kept_apart(made: World) -> None:
    def number(inputs: Inputs) -> int:
        return 1

    def text(inputs: Inputs) -> str:
        return "one"

    inputs = inputs_of(made, "question_concepts", "first")
    assert [inputs.cached("graph", number), inputs.cached("graph", text)] == [1, "one"]


def test_what_is_kept_for_a_run_carries_its_versions_to_every_partition(made: World) -> None:
    cache, opened = RunCache(), []

    def nodes(inputs: Inputs) -> int:
        opened.append(inputs)
        return len(inputs.read(GRAPH_NODES, {"kg": "plain"}))

    version = made.lake.version(GRAPH_NODES, {"kg": "plain"})
    for benchmark in ("first", "second", "first"):
        inputs = inputs_of(made, "question_concepts", benchmark, cache)
        questions = inputs.version(QUESTIONS, {"benchmark": benchmark})
        assert inputs.cached(("nodes", "plain"), nodes) == 3
        assert inputs.cached(("nodes", "plain"), nodes) == 3
        assert inputs.versions == [questions, version]
    assert len(opened) == 1
    inputs_of(made, "question_concepts", "first", RunCache()).cached(("nodes", "plain"), nodes)
    assert len(opened) == 2


def test_what_is_kept_within_what_is_kept_carries_both(made: World) -> None:
    cache = RunCache()

    def texts(inputs: Inputs) -> int:
        return len(inputs.read_partitions(CHUNKS, [SEA_A, SEA_B]))

    def both(inputs: Inputs) -> int:
        inputs.read(TERM_STATISTICS, {"corpus": "sea"})
        return inputs.cached("texts", texts)

    first = inputs_of(made, "chunk_pools", "first", cache)
    first.cached("both", both)
    terms = made.lake.version(TERM_STATISTICS, {"corpus": "sea"})
    chunks = [made.lake.version(CHUNKS, place) for place in (SEA_A, SEA_B)]
    assert first.versions == [terms, *chunks]
    inner = inputs_of(made, "chunk_pools", "second", cache)
    inner.cached("texts", texts)
    assert inner.versions == chunks
    outer = inputs_of(made, "chunk_pools", "second", cache)
    outer.cached("both", both)
    assert outer.versions == [terms, *chunks]


def test_what_could_not_be_made_leaves_nothing(made: World) -> None:
    cache = RunCache()
    inputs = inputs_of(made, "chunk_pools", "first", cache)

    def dies(inputs: Inputs) -> int:
        inputs.read(CHUNKS, SEA_A)
        raise RuntimeError("died")

    def outer(inputs: Inputs) -> int:
        inputs.read(CHUNKS, SEA_B)
        return inputs.cached("inner", dies)

    with pytest.raises(RuntimeError, match="died"):
        inputs.cached("outer", outer)
    assert inputs.versions == []
    assert inputs.cached("inner", lambda inputs: inputs.read(CHUNKS, SEA_B).num_rows) == 1
    assert inputs.versions == [made.lake.version(CHUNKS, SEA_B)]
    assert inputs.cached("outer", lambda inputs: 7) == 7


def test_an_ancestry_leads_up_to_the_files_outside_and_is_noted(made: World) -> None:
    inputs = inputs_of(made, "term_statistics", "sea")
    ancestry = inputs.ancestry(CHUNKS, SEA_A)
    chunks, articles = made.lake.version(CHUNKS, SEA_A), made.lake.version(ARTICLES, SEA_A)
    files = [version for version, _ in ancestry if version.table == "source_files"]
    assert [version for version, _ in ancestry] == [chunks, articles, *files]
    assert dict(ancestry) == {chunks: [articles], articles: files, **{file: [] for file in files}}
    assert files
    assert inputs.versions == [chunks, articles, *files]


def test_an_ancestry_without_records_is_the_partition_alone(made: World) -> None:
    for place in made.lake.partitions(MATERIALIZATIONS):
        made.lake.delete(MATERIALIZATIONS, place)
    inputs = inputs_of(made, "term_statistics", "sea")
    assert inputs.ancestry(CHUNKS, SEA_A) == [(made.lake.version(CHUNKS, SEA_A), [])]
