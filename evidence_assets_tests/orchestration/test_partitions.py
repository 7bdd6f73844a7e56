"""Partition keys of a configuration, where they stand in the lake, and how they map to each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml

from evidence_assets.config.configuration import load_project
from evidence_assets.lake import schemas
from evidence_assets.lake.lake import Lake
from evidence_assets.orchestration.checks import places_of
from evidence_assets.orchestration.partitions import mapping_of, partitions_of
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.sources.project import Project
from evidence_assets.sources.rejections import source_of_graph
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.stages.declaration import Input, Key, Link, Scope, Stage, StageError
from evidence_assets.stages.graph import StageGraph
from evidence_assets.systems.uscrake.arms import ARMS

BENCHMARKS = ("first", "second", "third", "fourth")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    def source(name: str) -> dict[str, str]:
        return {"name": name, "uri": name, "format": "text_folder", "licence": "CC0-1.0"}

    def graph(*names: str) -> dict[str, list[dict[str, str]]]:
        settings = {"uri": "t.tsv", "format": "relation_head_tail", "licence": "CC0-1.0"}
        return {"sources": [{"name": name, **settings} for name in names]}

    def benchmark(corpus: str, **graph: str) -> dict[str, str]:
        return {"reader": "questions_jsonl", "uri": "q.jsonl", "split": "test", "corpus": corpus, **graph}

    graph_alone = benchmark("", graph="facts")
    content = {
        "corpora": {
            "wide": {"sources": [source("one"), source("two")]},
            "thin": {"sources": [source("one")]},
            "idle": {"sources": [source("one")]},
        },
        "graphs": {"facts": graph("one", "two"), "unused": graph("one"), "first": graph("one")},
        "benchmarks": {
            "first": benchmark("wide", graph="facts"),
            "second": benchmark("wide"),
            "third": benchmark("thin", graph="facts", training="first"),
            "fourth": {name: value for name, value in graph_alone.items() if name != "corpus"},
        },
    }
    path = tmp_path_factory.mktemp("partitions") / "sources.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return load_project(path)


@pytest.fixture(scope="module")
def graph(project: Project) -> StageGraph:
    return stage_graph(project)


def stage_of(graph: StageGraph, name: str) -> Stage:
    return graph.by_name[name]


class Mapped:
    """How the partitions of an input lead to those of a stage."""

    def __init__(self, graph: StageGraph, name: str, table: schemas.Table) -> None:
        stage = stage_of(graph, name)
        [source] = [
            read
            for read in graph.sources(stage)
            if read.declared.table is table and read.declared.via is None
        ]
        mapping = mapping_of(graph.layout, stage, source.producer, source.declared)
        self.mapping: Any = dg.IdentityPartitionMapping() if mapping is None else mapping
        self.producer = partitions_of(graph.layout, source.producer.scope, source.producer.variants)
        self.stage = partitions_of(graph.layout, stage.scope, stage.variants)

    def down(self, key: str) -> set[str]:
        subset = self.producer.subset_with_partition_keys([key])
        downstream = self.mapping.get_downstream_partitions_for_partitions(subset, self.producer, self.stage)
        return {str(key) for key in downstream.get_partition_keys()}

    def up(self, key: str) -> set[str]:
        subset = self.stage.subset_with_partition_keys([key])
        upstream = self.mapping.get_upstream_mapped_partitions_result_for_partitions(
            subset, self.stage, self.producer
        )
        return {str(key) for key in upstream.partitions_subset.get_partition_keys()}


def test_keys_come_from_the_configuration_alone(project: Project) -> None:
    def keys(scope: Scope, variants: tuple[str, ...] | None = None) -> list[str]:
        partition_keys: list[str] = partitions_of(project.layout, scope, variants).get_partition_keys()
        return partition_keys

    assert keys(Scope.SHARD) == ["wide.one", "wide.two", "thin.one", "idle.one"]
    assert keys(Scope.CORPUS) == ["wide", "thin", "idle"]
    assert keys(Scope.GRAPH) == ["facts", "unused", "first"]
    assert keys(Scope.BENCHMARK) == list(BENCHMARKS)
    assert partitions_of(project.layout, Scope.WHOLE) is None
    experiments = keys(Scope.BENCHMARK, ("full@a", "plain@a"))
    assert sorted(experiments) == sorted(
        f"{arm}|{name}" for arm in ("full@a", "plain@a") for name in BENCHMARKS
    )


def test_a_benchmark_knows_its_shards(project: Project) -> None:
    assert [shard.key for shard in project.shards_of_benchmark("second")] == ["wide.one", "wide.two"]
    assert [shard.key for shard in project.shards_of("thin")] == ["thin.one"]
    assert project.benchmark("third").corpus == "thin"


def test_a_benchmark_that_a_graph_alone_answers_has_no_shards(project: Project, graph: StageGraph) -> None:
    assert project.shards_of_benchmark("fourth") == []
    assert Mapped(graph, "chunk_pools", schemas.TERM_STATISTICS).up("fourth") == set()
    assert Mapped(graph, "chunk_pools", schemas.SHARD_INDEXES).up("fourth") == set()
    assert Mapped(graph, "gold_chunks", schemas.CHUNKS).up("fourth") == set()


@pytest.mark.parametrize(
    ("table", "key", "place"),
    [
        (schemas.ARTICLES, "wide.two", {"corpus": "wide", "shard": "wide.two"}),
        (schemas.CHUNKS, "thin.one", {"corpus": "thin", "shard": "thin.one"}),
        (schemas.CHUNK_EMBEDDINGS, "wide.one", {"corpus": "wide", "shard": "wide.one"}),
        (schemas.TERM_STATISTICS, "wide", {"corpus": "wide"}),
        (schemas.SHARD_INDEXES, "wide.one", {"corpus": "wide", "shard": "wide.one"}),
        (schemas.QUESTIONS, "first", {"benchmark": "first"}),
        (schemas.GOLD_CHUNKS, "first", {"benchmark": "first"}),
        (schemas.CHUNK_POOLS, "first", {"benchmark": "first"}),
        (schemas.RANKED_CHUNKS, "bm25|first", {"benchmark": "first", "retrieval": "bm25"}),
        (schemas.GRAPH_CONCEPTS, "facts", {"kg": "facts"}),
        (schemas.GRAPH_CONFLICTS, "facts", {"kg": "facts"}),
        (schemas.GRAPH_NODES, "facts", {"kg": "facts"}),
        (schemas.GRAPH_ALIASES, "unused", {"kg": "unused"}),
        (schemas.QUESTION_CONCEPTS, "second", {"benchmark": "second"}),
        (schemas.RANKED_TRIPLES, "second", {"benchmark": "second"}),
        (schemas.RERANKED_EVIDENCE, "coverage|third", {"benchmark": "third", "retrieval": "coverage"}),
        (schemas.QUESTION_SUBGRAPHS, "hops2|fourth", {"benchmark": "fourth", "neighbourhood": "hops2"}),
        *(
            (table, "cosine|fourth", {"benchmark": "fourth", "route": "cosine"})
            for table in (schemas.NODE_RELEVANCE, schemas.RELEVANCE_DIAGNOSTICS, schemas.REASONING_PATHS)
        ),
        *(
            (table, "full@a|third", {"system": "uscrake", "arm": "full@a", "benchmark": "third"})
            for table in (
                schemas.EVIDENCE,
                schemas.SELECTED_EVIDENCE,
                schemas.CHAINS,
                schemas.PREDICTIONS,
                schemas.PREDICTION_EVIDENCE,
                schemas.BENCHMARK_SCORES,
            )
        ),
        (schemas.SCORE_DIFFERENCES, "third", {"system": "uscrake", "benchmark": "third"}),
        (schemas.PUBLISHED_SCORES, None, {}),
    ],
)
def test_a_key_stands_for_one_partition_of_the_lake(
    graph: StageGraph, table: schemas.Table, key: str | None, place: dict[str, str]
) -> None:
    writer = graph.writer(table, "uscrake")
    partition = graph.layout.place(table, writer, Key.of(key))
    assert partition == place
    assert tuple(partition) == table.partition_columns
    assert places_of(Lake("memory://partitions"), graph, writer, table, Key.of(key)) == [place]


def test_a_graph_stands_for_its_relations_in_the_lake(graph: StageGraph, tmp_path: Path) -> None:
    lake, writer = Lake(str(tmp_path / "lake")), graph.writer(schemas.TRIPLES)

    def places(kg: str) -> list[dict[str, str]]:
        return places_of(lake, graph, writer, schemas.TRIPLES, Key(kg))

    assert places("facts") == []
    for kg, relation in [("facts", "IsA"), ("facts", "AtLocation"), ("unused", "IsA"), ("gone", "IsA")]:
        lake.write(schemas.TRIPLES, {"kg": kg, "relation": relation}, schemas.TRIPLES.schema.empty_table())
    assert places("facts") == [{"kg": "facts", "relation": "AtLocation"}, {"kg": "facts", "relation": "IsA"}]
    assert places("first") == []


def test_what_is_named_no_more_can_be_told_from_what_is(project: Project, tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))

    def write(table: schemas.Table, *values: str) -> tuple[schemas.Table, dict[str, str]]:
        place = dict(zip(table.partition_columns, values, strict=True))
        lake.write(table, place, table.schema.empty_table())
        return table, place

    write(schemas.TRIPLES, "facts", "IsA")
    write(schemas.GRAPH_NODES, "unused")
    write(schemas.GRAPH_CONFLICTS, "unused")
    write(schemas.RANKED_TRIPLES, "second")
    write(schemas.REASONING_PATHS, "fourth", "cosine")
    write(schemas.RERANKED_EVIDENCE, "second", "coverage")
    for source in ("first", "wide.one", source_of_graph("facts"), source_of_graph("first")):
        write(schemas.REJECTED_RECORDS, source)
    assert list(project.unnamed(lake)) == []
    stale = [
        write(schemas.TRIPLES, "gone", "IsA"),
        write(schemas.GRAPH_NODES, "gone"),
        write(schemas.GRAPH_CONCEPTS, "gone"),
        write(schemas.REASONING_PATHS, "gone", "cosine"),
        write(schemas.GRAPH_ALIASES, "second"),
        write(schemas.QUESTION_CONCEPTS, "gone"),
        write(schemas.RERANKED_EVIDENCE, "gone", "coverage"),
        *(write(schemas.REJECTED_RECORDS, source) for source in ("facts", source_of_graph("gone"))),
    ]
    unnamed = list(project.unnamed(lake))
    assert len(unnamed) == len(stale)
    assert all(partition in unnamed for partition in stale)


def test_a_benchmark_and_a_graph_of_one_name_keep_what_they_rejected_apart() -> None:
    """The project's own configuration has both: each would overwrite the other's rejected records."""
    assert source_of_graph("starter") != "starter"


def test_a_shard_leads_to_its_corpus_and_the_benchmarks_it_answers(graph: StageGraph) -> None:
    to_corpora = Mapped(graph, "term_statistics", schemas.SHARD_TERMS)
    assert to_corpora.down("wide.one") == {"wide"}
    assert to_corpora.up("wide") == {"wide.one", "wide.two"}
    to_benchmarks = Mapped(graph, "gold_chunks", schemas.CHUNKS)
    assert to_benchmarks.down("wide.two") == {"first", "second"}
    assert to_benchmarks.down("idle.one") == set()
    assert to_benchmarks.up("third") == {"thin.one"}
    searched = Mapped(graph, "chunk_pools", schemas.SHARD_INDEXES)
    assert searched.up("first") == {"wide.one", "wide.two"}
    of_corpora = Mapped(graph, "chunk_pools", schemas.TERM_STATISTICS)
    assert of_corpora.down("wide") == {"first", "second"}
    assert of_corpora.up("second") == {"wide"}


def test_a_graph_leads_to_the_benchmarks_it_helps(project: Project, graph: StageGraph) -> None:
    mapped = Mapped(graph, "ranked_triples", schemas.TRIPLES)
    assert mapped.down("facts") == {"first", "third", "fourth"}
    assert mapped.down("unused") == set()
    # A graph's name is no benchmark's, though they may be written alike.
    assert mapped.down("first") == set()
    assert mapped.up("third") == {"facts"}
    assert mapped.up("second") == set()
    assert [project.graph_of(name) for name in BENCHMARKS] == ["facts", None, "facts", "facts"]


def test_a_benchmark_leads_to_every_arm_of_it(graph: StageGraph) -> None:
    mapped = Mapped(graph, "uscrake", schemas.QUESTIONS)
    arms = stage_of(graph, "uscrake").variants or ()
    assert len(arms) >= len(ARMS)
    assert mapped.down("first") == {f"{arm}|first" for arm in arms}
    assert mapped.up(f"{arms[0]}|third") == {"third"}


def test_a_retrieval_leads_to_the_arms_that_read_it(graph: StageGraph) -> None:
    mapped = Mapped(graph, "uscrake", schemas.RANKED_CHUNKS)
    readers = {arm.name for arm in ARMS.values() if arm.retrieval == "bm25"}
    assert {f"{arm}|second" for arm in readers} <= mapped.down("bm25|second")
    for name in list(ARMS)[:3]:
        assert mapped.up(f"{name}|third") == {f"{ARMS[name].retrieval}|third"}


def test_what_classifiers_are_trained_on_leads_to_the_benchmark_that_names_it(graph: StageGraph) -> None:
    mapped = Mapped(graph, "relevance_classifiers", schemas.QUESTIONS)
    assert mapped.down("first") == {"first", "third"}
    assert mapped.up("third") == {"first", "third"}
    assert mapped.up("second") == {"second"}


def test_what_dagster_cannot_map_is_told_with_the_remedy(graph: StageGraph) -> None:
    arms, corpus = stage_of(graph, "uscrake"), graph.writer(schemas.TERM_STATISTICS)
    with pytest.raises(StageError, match=r"stage uscrake: Dagster maps no corpus .* remedy: name the input"):
        mapping_of(graph.layout, arms, corpus, Input(schemas.TERM_STATISTICS, link=Link.DEFAULT))


def test_keys_of_two_dimensions_are_taken_apart() -> None:
    assert Key.of("full@a|first") == Key("first", "full@a")
    assert [Key.of(text).text for text in ("full@a|first", "first", None)] == ["full@a|first", "first", ""]


def test_a_configuration_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        load_project(tmp_path / "nowhere.yaml")
