"""Knowledge graphs through Dagster's runs: what is read, what becomes stale, what fails and says why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.config.configuration import load_project
from evidence_assets.lake import schemas
from evidence_assets.lake.ids import combined_hash
from evidence_assets.sources.rejections import source_of_graph
from evidence_assets.systems.uscrake.arms import ARMS
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    GRAPHS,
    MINERAL_QUIZ,
    NATURE,
    ROCKS,
    STONES,
    TRIPLES,
    SmallProject,
    checks_of,
    failure_of,
    metadata_of,
    observe,
    run_assets,
    run_job,
    run_range,
    small_configuration,
    write_small_project,
    write_yaml,
)

pytestmark = pytest.mark.integration

Configure = Callable[[dict[str, Any]], object]
# What one reading of a graph's files makes.
READ = ["triples", "graph_concepts", "graph_conflicts"]


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    return write_small_project(tmp_path / "project")


def configured(project: SmallProject, change: Configure) -> dg.Definitions:
    configuration = small_configuration()
    change(configuration)
    write_yaml(project.folder / "changed.yaml", configuration)
    return project.definitions("changed.yaml")


def build(project: SmallProject, instance: dg.DagsterInstance, graph: str = NATURE) -> dict[str, Any]:
    """Build a graph, every check of which passes; returns what its triples show."""
    result = run_job(project.definitions(), "build_graph", graph, instance)
    assert all(passed for _, _, passed in checks_of(result))
    assert {asset for asset, _, _ in checks_of(result)} == {
        "triples",
        "graph_concepts",
        "graph_conflicts",
        "graph_nodes",
        "graph_aliases",
    }
    return metadata_of(result, "triples")[graph]


def relations(project: SmallProject, graph: str = NATURE) -> list[str]:
    return [place["relation"] for place in project.lake.partitions(schemas.TRIPLES) if place["kg"] == graph]


def stated_triples(project: SmallProject, graph: str = NATURE) -> set[tuple[str, str, str]]:
    lake = project.lake
    places = [place for place in lake.partitions(schemas.TRIPLES) if place["kg"] == graph]
    rows = lake.read_partitions(schemas.TRIPLES, places, ["relation", "head", "tail"]).to_pylist()
    return {(row["relation"], row["head"], row["tail"]) for row in rows}


def rewrite(project: SmallProject, file: str, *triples: tuple[str, str, str]) -> None:
    text = "".join("\t".join(triple) + "\n" for triple in triples)
    project.triples(file).write_text(text, encoding="utf-8")


def prepare_questions(project: SmallProject, instance: dg.DagsterInstance) -> None:
    """What linking the animals' questions reads, beside a graph."""
    assert run_assets(project.definitions(), ["questions"], instance, partition=ANIMAL_QUIZ).success


def test_a_graph_is_what_its_files_state(project: SmallProject, instance: dg.DagsterInstance) -> None:
    shown = build(project, instance)
    stated = {*TRIPLES["facts"], *TRIPLES["more"]}
    assert stated_triples(project) == {triple for triple in stated if triple[0] != "Devours" and triple[1]}
    assert relations(project) == sorted({relation for relation, _, _ in stated_triples(project)})
    assert shown["statements"] == len(stated_triples(project)) + 1, "one of them is stated twice"
    assert (shown["rejected"], shown["licence"]) == (2, "CC0-1.0")
    assert shown["partitions_written"] == len(relations(project))
    assert shown["relations"].startswith("![")
    [kelp] = [
        row
        for row in project.lake.read(schemas.TRIPLES, {"kg": NATURE, "relation": "IsA"}).to_pylist()
        if row["head"] == "kelp"
    ]
    assert [(source["source"], source["record"]) for source in kelp["sources"]] == [
        ("facts", "line 6"),
        ("more", "line 1"),
    ]
    nodes = project.lake.read(schemas.GRAPH_NODES, {"kg": NATURE})
    assert set(nodes.column("label").to_pylist()) == {
        end for _, head, tail in stated_triples(project) for end in (head, tail)
    }


def test_what_was_left_out_of_a_graph_is_told_with_its_reason(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    build(project, instance)
    rows = project.lake.read(schemas.REJECTED_RECORDS, {"source": source_of_graph(NATURE)}).to_pylist()
    assert [row["record"] for row in rows] == ["more, line 4", "relation Devours"]
    assert "head is empty" in rows[0]["reason"]
    assert "no sentence that reads it out" in rows[1]["reason"]
    assert all(row["remedy"] and row["source_uri"] == "facts.tsv, more.tsv" for row in rows)


def test_a_graph_and_a_benchmark_of_one_name_keep_their_rejected_records(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    def rename(configuration: dict[str, Any]) -> None:
        configuration["graphs"][ANIMAL_QUIZ] = configuration["graphs"].pop(NATURE)
        configuration["benchmarks"][ANIMAL_QUIZ]["graph"] = ANIMAL_QUIZ

    definitions = configured(project, rename)
    path = project.questions(ANIMAL_QUIZ)
    path.write_text(path.read_text(encoding="utf-8") + "{not json\n", encoding="utf-8")
    # Either may run first, or last.
    for names in (["questions"], READ, ["questions"]):
        assert run_assets(definitions, names, instance, partition=ANIMAL_QUIZ).success
    counts = {
        place["source"]: project.lake.read(schemas.REJECTED_RECORDS, place).num_rows
        for place in project.lake.partitions(schemas.REJECTED_RECORDS)
    }
    assert counts == {ANIMAL_QUIZ: 1, source_of_graph(ANIMAL_QUIZ): 2}


def test_the_data_version_is_the_hash_of_every_relation(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    shown = build(project, instance)
    versions = [
        project.lake.version(schemas.TRIPLES, place).content_hash
        for place in project.lake.partitions(schemas.TRIPLES)
    ]
    event = instance.get_latest_data_version_record(dg.AssetKey("triples"), partition_key=NATURE)
    assert event is not None
    assert event.asset_materialization is not None
    tags = event.asset_materialization.tags or {}
    assert tags["dagster/data_version"] == shown["content_hash"] == combined_hash(versions)
    assert shown["changed"]
    files = project.files()
    again = build(project, instance)
    assert (again["content_hash"], again["changed"]) == (shown["content_hash"], False)
    assert project.files() == files


def test_a_relation_that_its_sources_lost_is_gone_from_the_lake(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    before = build(project, instance)
    build(project, instance, STONES)
    stones = stated_triples(project, STONES)
    assert "PartOf" in relations(project)
    rewrite(project, "more", ("IsA", "kelp", "seaweed"), ("HasProperty", "winter", "cold"))
    after = build(project, instance)
    assert "PartOf" not in relations(project)
    assert after["content_hash"] != before["content_hash"]
    assert after["changed"]
    assert after["partitions_written"] == before["partitions_written"] - 1
    labels = project.lake.read(schemas.GRAPH_NODES, {"kg": NATURE}).column("label").to_pylist()
    assert "burrow" not in labels
    assert stated_triples(project, STONES) == stones
    # What was there before is there again, and is the same.
    rewrite(project, "more", *TRIPLES["more"])
    assert build(project, instance)["content_hash"] == before["content_hash"]


def test_a_graph_without_a_single_triple_fails_and_leaves_what_was(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    build(project, instance)
    files = project.files()
    rewrite(project, "facts", ("Devours", "red fox", "vole"), ("IsA", "", "x"))
    rewrite(project, "more")
    result = run_assets(project.definitions(), READ, instance, partition=NATURE)
    message = failure_of(result)
    assert "EmptyGraphError" in message
    assert (
        "graph nature: no triple in facts.tsv, more.tsv; the first that was left out, facts, line 2: "
        in message
    )
    assert project.files() == files


def test_a_file_that_is_not_there_fails_and_leaves_what_was(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    build(project, instance)
    files = project.files()
    project.triples("more").unlink()
    message = failure_of(run_assets(project.definitions(), READ, instance, partition=NATURE))
    assert "MissingFileError" in message
    assert "more.tsv" in message
    assert "Remedy" in message
    assert project.files() == files


def observed(project: SmallProject, instance: dg.DagsterInstance) -> dict[str, str | None]:
    """The data version of each graph's files, as they were seen last."""
    observe(project.definitions(), instance)
    versions = {}
    for graph in GRAPHS:
        key = dg.AssetKey("graph_files")
        record = instance.get_latest_data_version_record(key, is_source=True, partition_key=graph)
        seen = record.asset_observation if record is not None else None
        versions[graph] = (seen.tags or {})["dagster/data_version"] if seen is not None else None
    return versions


def test_where_one_source_has_a_weight_the_others_count_one(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    def weigh(configuration: dict[str, Any]) -> None:
        configuration["graphs"][NATURE]["sources"][1]["weight"] = 0.25

    build(project, instance)
    unweighed = project.lake.read(schemas.TRIPLES, {"kg": NATURE, "relation": "IsA"})
    assert unweighed.column("weight").null_count == unweighed.num_rows
    before = observed(project, instance)
    definitions = configured(project, weigh)
    observe(definitions, instance)
    assert run_assets(definitions, READ, instance, partition=NATURE).success
    rows = project.lake.read(schemas.TRIPLES, {"kg": NATURE, "relation": "IsA"}).to_pylist()
    of_source = {"facts": 1.0, "more": 0.25}
    assert rows
    assert all(row["weight"] == sum(of_source[source["source"]] for source in row["sources"]) for row in rows)
    # How a file is read is a part of its version: a new weight asks for the graph anew.
    record = instance.get_latest_data_version_record(
        dg.AssetKey("graph_files"), is_source=True, partition_key=NATURE
    )
    assert record is not None
    assert record.asset_observation is not None
    assert (record.asset_observation.tags or {})["dagster/data_version"] != before[NATURE]


def test_each_file_of_a_graph_is_looked_at(project: SmallProject, instance: dg.DagsterInstance) -> None:
    before = observed(project, instance)
    assert None not in before.values()
    assert observed(project, instance) == before
    seen = [before[NATURE]]
    for file in ("facts", "more"):
        rewrite(project, file, *TRIPLES[file], ("IsA", "tundra", "biome"))
        after = observed(project, instance)
        assert after[STONES] == before[STONES]
        assert after[NATURE] not in seen
        seen.append(after[NATURE])


def test_a_missing_file_does_not_keep_other_graphs_from_being_observed(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    project.triples("more").unlink()
    versions = observed(project, instance)
    assert versions[NATURE] is None
    assert versions[STONES] is not None


def test_every_graph_in_one_run_has_its_own_version(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    result = run_range(project.definitions(), "build_graph", *GRAPHS, instance)
    shown = metadata_of(result, "triples")
    assert shown.keys() == set(GRAPHS)
    assert shown[NATURE]["content_hash"] != shown[STONES]["content_hash"]
    single = write_small_project(project.folder.parent / "single")
    assert build(single, instance)["content_hash"] == shown[NATURE]["content_hash"]


def test_links_stand_in_the_text_and_triples_around_them(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    build(project, instance)
    prepare_questions(project, instance)
    result = run_job(project.definitions(), "rank_triples", ANIMAL_QUIZ, instance)
    assert all(passed for _, _, passed in checks_of(result))
    lake, place = project.lake, {"benchmark": ANIMAL_QUIZ}
    questions = {row["question_id"]: row for row in lake.read(schemas.QUESTIONS, place).to_pylist()}
    linked: dict[tuple[str, int], set[str]] = {}
    for row in lake.read(schemas.QUESTION_CONCEPTS, place).to_pylist():
        question = questions[row["question_id"]]
        text = question["question"] if row["candidate"] == -1 else question["options"][row["candidate"]]
        assert text[row["char_start"] : row["char_end"]] == row["phrase"]
        linked.setdefault((row["question_id"], row["candidate"]), set()).add(row["label"])
    assert linked["a1", -1] == {"sea otter"}
    assert linked["a1", 0] == {"kelp"}
    assert linked["a3", 1] == {"urchin"}, "by its lemma"
    ends = {
        (row["triple_id"]): {row["head"], row["tail"]}
        for partition in lake.partitions(schemas.TRIPLES)
        for row in lake.read(schemas.TRIPLES, partition).to_pylist()
    }
    rows = lake.read(schemas.RANKED_TRIPLES, place).to_pylist()
    assert {row["question_id"] for row in rows} == {"a1", "a2", "a3"}
    for row in rows:
        mentioned = linked[row["question_id"], -1] if "question" in row["touches"] else set()
        offered = linked.get((row["question_id"], row["candidate"]), set())
        at = ends[row["triple_id"]]
        assert bool(at & (mentioned if row["touches"] == "question" else offered))
    [both] = [row for row in rows if row["touches"] == "both"]
    assert both["text"] == "red fox can be found at den"
    shown = metadata_of(result, "ranked_triples")[ANIMAL_QUIZ]
    assert shown["scorer"].startswith("encoder_similarity:")
    assert {row["scorer"] for row in rows} == {shown["scorer"]}


def test_triples_past_the_cap_are_counted(project: SmallProject, instance: dg.DagsterInstance) -> None:
    build(project, instance)
    prepare_questions(project, instance)
    result = run_job(
        project.definitions(),
        "rank_triples",
        ANIMAL_QUIZ,
        instance,
        run_config={"ops": {"ranked_triples": {"config": {"triples_per_concept": 1}}}},
    )
    links = project.lake.read(schemas.QUESTION_CONCEPTS, {"benchmark": ANIMAL_QUIZ}).to_pylist()
    assert all(row["dropped"] == max(0, row["triples"] - 1) for row in links)
    assert metadata_of(result, "question_concepts")[ANIMAL_QUIZ]["capped_concepts"] == len(
        {row["label"] for row in links if row["dropped"]}
    )
    texts = [
        row["text"]
        for row in project.lake.read(schemas.RANKED_TRIPLES, {"benchmark": ANIMAL_QUIZ}).to_pylist()
        if (row["question_id"], row["candidate"]) == ("a2", 1)
    ]
    assert "red fox can be found at den" in texts, "what joins question and option is never capped"


def test_concepts_are_linked_without_the_triples_around_them(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    """What walks the graph reads the concepts alone: no triple is ranked for it."""
    build(project, instance)
    result = run_job(project.definitions(), "link_questions", ANIMAL_QUIZ, instance)
    assert all(passed for _, _, passed in checks_of(result))
    assert {asset for asset, _, _ in checks_of(result)} == {"questions", "question_concepts"}
    assert project.lake.partitions(schemas.RANKED_TRIPLES) == []
    alone = project.lake.read(schemas.QUESTION_CONCEPTS, {"benchmark": ANIMAL_QUIZ})
    assert alone.num_rows
    run_job(project.definitions(), "rank_triples", ANIMAL_QUIZ, instance)
    assert project.lake.read(schemas.QUESTION_CONCEPTS, {"benchmark": ANIMAL_QUIZ}).equals(alone)
    assert project.lake.read(schemas.RANKED_TRIPLES, {"benchmark": ANIMAL_QUIZ}).num_rows


def test_a_benchmark_without_a_graph_has_no_triples_and_no_failure(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    result = run_job(project.definitions(), "rank_triples", MINERAL_QUIZ, instance)
    assert all(passed for _, _, passed in checks_of(result))
    for table in (schemas.QUESTION_CONCEPTS, schemas.RANKED_TRIPLES):
        assert project.lake.read(table, {"benchmark": MINERAL_QUIZ}).num_rows == 0


def test_a_question_without_a_concept_has_no_triples(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    rewrite(project, "facts", ("IsA", "tundra", "biome"))
    rewrite(project, "more")
    build(project, instance)
    prepare_questions(project, instance)
    result = run_job(project.definitions(), "rank_triples", ANIMAL_QUIZ, instance)
    assert all(passed for _, _, passed in checks_of(result))
    assert metadata_of(result, "question_concepts")[ANIMAL_QUIZ]["questions_without_concept"] == 3
    assert project.lake.read(schemas.RANKED_TRIPLES, {"benchmark": ANIMAL_QUIZ}).num_rows == 0


def test_a_graph_that_was_never_built_is_named_with_the_remedy(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    prepare_questions(project, instance)
    ranked = run_assets(project.definitions(), ["question_concepts", "ranked_triples"], instance, ANIMAL_QUIZ)
    message = failure_of(ranked)
    assert "table graph_nodes has no partition kg=nature" in message
    assert "remedy: materialise the asset that writes it" in message


def test_nodes_older_than_their_triples_are_refused_with_the_remedy(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    build(project, instance)
    prepare_questions(project, instance)
    rewrite(project, "more", *TRIPLES["more"], ("IsA", "tundra", "biome"))
    definitions = project.definitions()
    assert run_assets(definitions, READ, instance, partition=NATURE).success
    message = failure_of(
        run_assets(definitions, ["question_concepts", "ranked_triples"], instance, partition=ANIMAL_QUIZ)
    )
    assert "BrokenGraphError" in message
    assert "graph nature: 1 triples name a concept that is no node of it" in message
    assert "remedy: materialise graph_nodes and graph_aliases anew" in message


def test_a_configuration_without_graphs_has_everything_else(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    def without(configuration: dict[str, Any]) -> None:
        del configuration["graphs"], configuration["benchmarks"][ANIMAL_QUIZ]["graph"]

    definitions = configured(project, without)
    definitions.get_repository_def().load_all_definitions()
    arm = next(arm for arm in ARMS.values() if not arm.selection.triples and arm.retrieval == "cosine")
    for job, key in (
        ("ingest_corpus", ROCKS),
        ("add_up_terms", "minerals"),
        ("prepare_benchmark", MINERAL_QUIZ),
        ("rank_triples", MINERAL_QUIZ),
        ("rank_chunks", f"{arm.retrieval}|{MINERAL_QUIZ}"),
        ("run_uscrake", f"{arm.name}|{MINERAL_QUIZ}"),
    ):
        result = run_job(definitions, job, key, instance)
        assert all(passed for _, _, passed in checks_of(result))
    place = {"system": "uscrake", "arm": arm.name, "benchmark": MINERAL_QUIZ}
    assert project.lake.read(schemas.PREDICTIONS, place).num_rows == 2


def test_a_vanished_graph_is_told_from_what_is_named(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    """Removed from the configuration, its tables are what `evidence-assets prune` takes away."""
    build(project, instance, STONES)
    assert list(project.project.unnamed(project.lake)) == []

    def without(configuration: dict[str, Any]) -> None:
        del configuration["graphs"][STONES]

    configured(project, without)
    changed = load_project(project.folder / "changed.yaml")
    unnamed = {(table.name, next(iter(place.values()))) for table, place in changed.unnamed(project.lake)}
    assert unnamed == {
        ("triples", STONES),
        ("graph_concepts", STONES),
        ("graph_conflicts", STONES),
        ("graph_nodes", STONES),
        ("graph_aliases", STONES),
        ("graph_sources", STONES),
        ("rejected_records", source_of_graph(STONES)),
    }
