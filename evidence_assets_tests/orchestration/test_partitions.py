"""Partition keys of a configuration, where they stand in the lake, and how they map to each other."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest
import yaml

from evidence_assets.lake import schemas
from evidence_assets.lake.lake import Lake
from evidence_assets.orchestration.partitions import (
    ProjectPartitions,
    benchmark_and_arm,
    benchmark_to_experiments,
    inputs_to_arms,
)
from evidence_assets.sources.rejections import source_of_graph
from evidence_assets.sources.specifications import ConfigurationError

ARMS = {"full@a": "coverage", "full@b": "coverage", "plain@a": "bm25"}


@pytest.fixture
def project(tmp_path: Path) -> ProjectPartitions:
    def source(name: str) -> dict[str, str]:
        return {"name": name, "uri": name, "format": "text_folder", "licence": "CC0-1.0"}

    def graph(*names: str) -> dict[str, list[dict[str, str]]]:
        own = {"uri": "t.tsv", "format": "relation_head_tail", "licence": "CC0-1.0"}
        return {"sources": [{"name": name, **own} for name in names]}

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
            "third": benchmark("thin", graph="facts"),
            "fourth": {name: value for name, value in graph_alone.items() if name != "corpus"},
        },
    }
    path = tmp_path / "sources.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return ProjectPartitions.from_configuration(path)


def downstream(
    mapping: dg.PartitionMapping,
    upstream: dg.PartitionsDefinition[str],
    target: dg.PartitionsDefinition[str],
    key: str,
) -> set[str]:
    subset = upstream.subset_with_partition_keys([key])
    found = mapping.get_downstream_partitions_for_partitions(subset, upstream, target)
    return {str(one) for one in found.get_partition_keys()}


def upstream_of(
    mapping: dg.PartitionMapping,
    upstream: dg.PartitionsDefinition[str],
    target: dg.PartitionsDefinition[str],
    key: str,
) -> set[str]:
    subset = target.subset_with_partition_keys([key])
    found = mapping.get_upstream_mapped_partitions_result_for_partitions(subset, target, upstream)
    return {str(one) for one in found.partitions_subset.get_partition_keys()}


def test_keys_come_from_the_configuration_alone(project: ProjectPartitions) -> None:
    assert project.shard_keys.get_partition_keys() == ["wide.one", "wide.two", "thin.one", "idle.one"]
    assert project.corpora.get_partition_keys() == ["wide", "thin", "idle"]
    assert project.graphs.get_partition_keys() == ["facts", "unused", "first"]
    assert project.benchmarks.get_partition_keys() == ["first", "second", "third", "fourth"]
    experiments = project.experiments(ARMS).get_partition_keys()
    assert sorted(experiments) == sorted(
        f"{arm}|{benchmark}" for arm in ARMS for benchmark in ("first", "second", "third", "fourth")
    )


def test_a_benchmark_knows_its_shards(project: ProjectPartitions) -> None:
    assert [shard.key for shard in project.shards_of_benchmark("second")] == ["wide.one", "wide.two"]
    assert [shard.key for shard in project.shards_of("thin")] == ["thin.one"]
    assert project.benchmark("third").corpus == "thin"


def test_a_benchmark_that_a_graph_alone_answers_has_no_shards(project: ProjectPartitions) -> None:
    assert project.shards_of_benchmark("fourth") == []
    corpora, benchmarks = project.corpora, project.benchmarks
    assert upstream_of(project.corpora_to_benchmarks, corpora, benchmarks, "fourth") == set()
    assert upstream_of(project.shards_to_benchmarks, project.shard_keys, benchmarks, "fourth") == set()


@pytest.mark.parametrize(
    ("table", "key", "system", "place"),
    [
        (schemas.ARTICLES, "wide.two", "", {"corpus": "wide", "shard": "wide.two"}),
        (schemas.CHUNKS, "thin.one", "", {"corpus": "thin", "shard": "thin.one"}),
        (schemas.CHUNK_EMBEDDINGS, "wide.one", "", {"corpus": "wide", "shard": "wide.one"}),
        (schemas.TERM_STATISTICS, "wide", "", {"corpus": "wide"}),
        (schemas.INDEXES, "idle", "", {"corpus": "idle"}),
        (schemas.QUESTIONS, "first", "", {"benchmark": "first"}),
        (schemas.GOLD_CHUNKS, "first", "", {"benchmark": "first"}),
        (schemas.CHUNK_POOLS, "first", "", {"benchmark": "first"}),
        (schemas.RANKED_CHUNKS, "bm25|first", "", {"benchmark": "first", "retrieval": "bm25"}),
        (schemas.GRAPH_CONCEPTS, "facts", "", {"kg": "facts"}),
        (schemas.GRAPH_CONFLICTS, "facts", "", {"kg": "facts"}),
        (schemas.GRAPH_NODES, "facts", "", {"kg": "facts"}),
        (schemas.GRAPH_ALIASES, "unused", "", {"kg": "unused"}),
        (schemas.QUESTION_CONCEPTS, "second", "", {"benchmark": "second"}),
        (schemas.RANKED_TRIPLES, "second", "", {"benchmark": "second"}),
        (
            schemas.RERANKED_EVIDENCE,
            "coverage|third",
            "",
            {"benchmark": "third", "retrieval": "coverage"},
        ),
        (
            schemas.QUESTION_SUBGRAPHS,
            "hops2|fourth",
            "",
            {"benchmark": "fourth", "neighbourhood": "hops2"},
        ),
        *(
            (table, "cosine|fourth", "", {"benchmark": "fourth", "route": "cosine"})
            for table in (schemas.NODE_RELEVANCE, schemas.RELEVANCE_DIAGNOSTICS, schemas.REASONING_PATHS)
        ),
        *(
            (table, "full@a|third", "mine", {"system": "mine", "arm": "full@a", "benchmark": "third"})
            for table in (
                schemas.EVIDENCE,
                schemas.SELECTED_EVIDENCE,
                schemas.CHAINS,
                schemas.PREDICTIONS,
                schemas.PREDICTION_EVIDENCE,
                schemas.BENCHMARK_SCORES,
                schemas.EVIDENCE_ABLATIONS,
            )
        ),
        (schemas.SCORE_DIFFERENCES, "third", "mine", {"system": "mine", "benchmark": "third"}),
        (schemas.PUBLISHED_SCORES, None, "", {}),
    ],
)
def test_a_key_stands_for_one_partition_of_the_lake(
    project: ProjectPartitions, table: schemas.Table, key: str | None, system: str, place: dict[str, str]
) -> None:
    found = project.place(table, key, system)
    assert found == place
    assert tuple(found) == table.partition_columns
    lake = Lake("memory://partitions")
    assert project.places(lake, table, key, system) == [place]


def test_a_graph_stands_for_its_relations_in_the_lake(project: ProjectPartitions, tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    assert project.places(lake, schemas.TRIPLES, "facts") == []
    places = [("facts", "IsA"), ("facts", "AtLocation"), ("unused", "IsA"), ("gone", "IsA")]
    for kg, relation in places:
        lake.write(schemas.TRIPLES, {"kg": kg, "relation": relation}, schemas.TRIPLES.schema.empty_table())
    assert project.places(lake, schemas.TRIPLES, "facts") == [
        {"kg": "facts", "relation": "AtLocation"},
        {"kg": "facts", "relation": "IsA"},
    ]
    assert project.places(lake, schemas.TRIPLES, "first") == []


def test_what_is_named_no_more_can_be_told_from_what_is(project: ProjectPartitions, tmp_path: Path) -> None:
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
    found = list(project.unnamed(lake))
    assert len(found) == len(stale)
    assert all(one in found for one in stale)


def test_a_benchmark_and_a_graph_of_one_name_keep_what_they_rejected_apart() -> None:
    """The project's own configuration has both: each would overwrite the other's rejected records."""
    assert source_of_graph("starter") != "starter"


def test_an_unknown_shard_has_no_place(project: ProjectPartitions) -> None:
    with pytest.raises(KeyError):
        project.place(schemas.ARTICLES, "wide.three")


def test_a_shard_leads_to_its_corpus_and_the_benchmarks_it_answers(project: ProjectPartitions) -> None:
    shards, corpora, benchmarks = project.shard_keys, project.corpora, project.benchmarks
    assert downstream(project.shards_to_corpora, shards, corpora, "wide.one") == {"wide"}
    assert upstream_of(project.shards_to_corpora, shards, corpora, "wide") == {"wide.one", "wide.two"}
    assert downstream(project.shards_to_benchmarks, shards, benchmarks, "wide.two") == {"first", "second"}
    assert downstream(project.shards_to_benchmarks, shards, benchmarks, "idle.one") == set()
    assert upstream_of(project.shards_to_benchmarks, shards, benchmarks, "third") == {"thin.one"}
    assert downstream(project.corpora_to_benchmarks, corpora, benchmarks, "wide") == {"first", "second"}
    assert upstream_of(project.corpora_to_benchmarks, corpora, benchmarks, "second") == {"wide"}


def test_a_graph_leads_to_the_benchmarks_it_helps(project: ProjectPartitions) -> None:
    graphs, benchmarks = project.graphs, project.benchmarks
    mapping = project.graphs_to_benchmarks
    assert downstream(mapping, graphs, benchmarks, "facts") == {"first", "third", "fourth"}
    assert downstream(mapping, graphs, benchmarks, "unused") == set()
    # A graph's name is no benchmark's, though they may be written alike.
    assert downstream(mapping, graphs, benchmarks, "first") == set()
    assert upstream_of(mapping, graphs, benchmarks, "third") == {"facts"}
    assert upstream_of(mapping, graphs, benchmarks, "second") == set()
    graphs_of = [project.graph_of(name) for name in ("first", "second", "third", "fourth")]
    assert graphs_of == ["facts", None, "facts", "facts"]


def test_a_benchmark_leads_to_every_arm_of_it(project: ProjectPartitions) -> None:
    experiments = project.experiments(ARMS)
    mapping = benchmark_to_experiments()
    assert downstream(mapping, project.benchmarks, experiments, "first") == {f"{arm}|first" for arm in ARMS}
    assert upstream_of(mapping, project.benchmarks, experiments, "plain@a|third") == {"third"}


def test_a_retrieval_leads_to_the_arms_that_read_it(project: ProjectPartitions) -> None:
    retrievals, arms = project.experiments(["coverage", "bm25", "unread"]), project.experiments(ARMS)
    mapping = inputs_to_arms(ARMS)
    assert downstream(mapping, retrievals, arms, "coverage|first") == {"full@a|first", "full@b|first"}
    assert downstream(mapping, retrievals, arms, "bm25|second") == {"plain@a|second"}
    assert upstream_of(mapping, retrievals, arms, "full@b|third") == {"coverage|third"}


def test_keys_of_two_dimensions_are_taken_apart() -> None:
    assert benchmark_and_arm("full@a|first") == ("first", "full@a")


def test_a_configuration_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        ProjectPartitions.from_configuration(tmp_path / "nowhere.yaml")
