"""Harvests through Dagster's runs: what they leave, and what running them again leaves."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.audit.integrity import check_references, check_rows
from evidence_assets.extraction.arms import searches_of
from evidence_assets.lake import schemas
from evidence_assets.lake.ids import combined_hash
from evidence_assets.models import masked_lm_training
from evidence_assets.text.verbalisation import CONCEPTNET, templates, verbalise
from evidence_assets_tests.testing.generation_server import ScriptedServer, user_text
from evidence_assets_tests.testing.harvest_project import (
    ARMS,
    BERTNET,
    CORPUS,
    KBLOOM,
    MERGED,
    OF_A_GRAPH,
    OF_A_RELATION,
    OF_AN_ARM,
    OWN,
    PROMPTS,
    QUIZ,
    REFERENCE,
    RELATIONS,
    SHARDS,
    STATED,
    ask,
    seed_of,
    write_harvest_project,
)
from evidence_assets_tests.testing.harvest_run_samples import (
    EVERYWHERE,
    Harvested,
    data_version,
    harvest_whole,
    places_of,
    rows_of,
    triples_of,
)
from evidence_assets_tests.testing.lake_queries import noted_materializations
from evidence_assets_tests.testing.small_project import (
    checks_of,
    metadata_of,
    run_assets,
    run_job,
    run_range,
    write_yaml,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("harvest")]

HARVESTED = {"domain_masked_lm", *OF_A_RELATION, *OF_AN_ARM}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where models are kept by content: the same text is learnt once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Harvested]:
    """The small harvest, made whole: to be read, not changed."""
    project = write_harvest_project(tmp_path_factory.mktemp("harvested") / "project", cache)
    with dg.DagsterInstance.ephemeral() as instance:
        made = Harvested(project, project.definitions(), instance)
        harvest_whole(made)
        yield made


def test_every_job_succeeds_and_every_check_passes(harvested: Harvested) -> None:
    assert all(result.success for _, result in harvested.results)
    checks = [check for _, result in harvested.results for check in checks_of(result)]
    assert [check for check in checks if not check[2]] == []
    assert {asset for asset, name, _ in checks if name == "rows_fit_declaration"} == {
        "articles",
        *HARVESTED,
        *OF_A_GRAPH,
    }
    assert ("domain_masked_lm", "knows_what_the_corpus_tells", True) in checks
    assert {asset for asset, name, _ in checks if name == "references_resolve"} >= {
        "relation_prompts",
        "candidate_pairs",
        "harvested_triples",
    }


def test_every_table_of_the_harvest_conforms_and_has_rows(harvested: Harvested) -> None:
    lake = harvested.project.lake
    for name in (*HARVESTED, "triples"):
        table = schemas.TABLES_BY_NAME[name]
        places = lake.partitions(table)
        assert places
        for place in places:
            assert lake.read(table, place).num_rows, f"{name} {place}"
            assert list(check_rows(lake, table, place)) == []
            assert list(check_references(lake, table, place)) == []
    assert [place["relation"] for place in lake.partitions(schemas.RELATION_SEEDS)] == sorted(RELATIONS)
    assert {(place["kg"], place["relation"]) for place in lake.partitions(schemas.HARVESTED_TRIPLES)} == {
        (arm, relation) for arm in ARMS for relation in RELATIONS
    }


def test_every_harvested_triple_is_a_triple_with_the_prompts_that_found_it(harvested: Harvested) -> None:
    project = harvested.project
    [model] = rows_of(project, schemas.DOMAIN_MASKED_LM)
    prompts = {
        relation: {row["prompt"] for row in rows_of(project, schemas.RELATION_PROMPTS, relation=relation)}
        for relation in RELATIONS
    }
    assert all(PROMPTS[relation][0] in texts for relation, texts in prompts.items())
    for arm in ARMS:
        mined = {row["triple_id"]: row for row in rows_of(project, schemas.HARVESTED_TRIPLES, kg=arm)}
        stated = {row["triple_id"]: row for row in triples_of(project, kg=arm)}
        assert mined.keys() == stated.keys()
        assert len(mined) > 10
        for triple_id, row in stated.items():
            mined_row = mined[triple_id]
            assert {row[name] for name in ("head", "relation", "tail")} == {
                mined_row[name] for name in ("head", "relation", "tail")
            }
            assert row["weight"] == mined_row["confidence"]
            assert 0 < mined_row["confidence"] < 1
            assert row["sources"]
            for source in row["sources"]:
                assert source["source"] == arm
                assert source["record"] in {*prompts[row["relation"]], "all prompts"}
                assert source["licence"] == f"mined from {model['model_id']}"
    for relation in RELATIONS:
        ranked = rows_of(project, schemas.HARVESTED_TRIPLES, kg=KBLOOM, relation=relation)
        assert sorted(row["rank"] for row in ranked) == list(range(len(ranked)))
        assert len(ranked) == 10, "as many as are asked for"


def test_what_was_harvested_is_gathered_and_scored(harvested: Harvested) -> None:
    project = harvested.project
    for arm in ARMS:
        rows = rows_of(project, schemas.HARVESTS, kg=arm)
        assert [row["relation"] for row in rows] == sorted(RELATIONS)
        for row in rows:
            place = {"kg": arm, "relation": row["relation"]}
            [seed] = rows_of(project, schemas.RELATION_SEEDS, relation=row["relation"])
            assert row["triples"] == project.lake.read(schemas.HARVESTED_TRIPLES, place).num_rows
            assert row["triples_hash"] == project.lake.version(schemas.HARVESTED_TRIPLES, place).content_hash
            assert row["seed_hash"] == seed["seed_hash"]
        scores = {
            (row["relation"], row["metric"]): row["value"]
            for row in rows_of(project, schemas.HARVEST_SCORES, kg=arm)
        }
        assert {relation for relation, _ in scores} == {"", *RELATIONS}
        mined = rows_of(project, schemas.HARVESTED_TRIPLES, kg=arm)
        counted = [row for row in mined if "seed" not in row["flags"]]
        assert scores["", "tuples"] == len(counted), "seeds were given, not found"
        # K-Bloom stands beside BertNet at an equal number of triples; of every prompt alone it is asked.
        assert (("", "equal_tuples") in scores) == (arm == KBLOOM)
        assert any(metric == "coverage" for _, metric in scores)
        # The stated graph has two of the relations.
        assert {relation for relation, metric in scores if metric == "novelty"} == {"", "AtLocation", "IsA"}


def test_materializations_name_the_versions_they_were_made_from(harvested: Harvested) -> None:
    read: dict[str, set[str]] = {}
    for row in noted_materializations(harvested.project.lake):
        name = row["table"]
        if name == "triples":
            name = row["partition"].split("/")[0].removeprefix("kg=")
        read.setdefault(name, set()).update(upstream["table"] for upstream in row["upstream"])
        if row["table"] == "relation_seeds":
            relation = row["partition"].removeprefix("relation=")
            assert [upstream["partition"] for upstream in row["upstream"]] == [f"seeds/{relation}.yaml"]
    model = {"domain_masked_lm", "relation_seeds"}
    assert read["relation_seeds"] == {"source_files"}
    assert read["domain_masked_lm"] == {"articles"}
    assert read["relation_prompts"] == model
    assert read["candidate_pairs"] == model | {"relation_prompts"}
    assert read["prompt_captures"] == model | {"relation_prompts"}
    assert read["harvested_triples"] == model | {"relation_prompts", "candidate_pairs", "prompt_captures"}
    assert not {KBLOOM, BERTNET} & read.keys(), "what was mined stands in harvested_triples alone"
    assert read["harvests"] == {"harvested_triples", "relation_seeds", "prompt_captures"}
    mined = {"harvests", "harvested_triples", "relation_seeds", "prompt_captures"}
    assert read["harvest_scores"] == {*mined, "triples"}
    assert read[MERGED] == {"source_files", "harvests", "harvested_triples", "relation_seeds"}
    assert read[REFERENCE] == {"source_files"}


def test_what_an_asset_read_stands_above_it_in_the_graph(harvested: Harvested) -> None:
    graph = harvested.definitions.resolve_asset_graph()
    reads = {
        (row["table"], upstream["table"])
        for row in rows_of(harvested.project, schemas.MATERIALIZATIONS)
        for upstream in row["upstream"]
        if upstream["table"] != "source_files"
    }
    assert len(reads) > 15
    # What one run writes and reads again is of one asset definition; what it writes beside is no asset's.
    beside = {"rejected_records", "graph_sources"}
    within_a_run = {("graph_conflicts", "triples"), *(pair for pair in reads if pair[0] in beside)}
    for table, read in reads - within_a_run:
        above = {key.to_user_string() for key in graph.get_ancestor_asset_keys(dg.AssetKey(table))}
        assert read in above, f"{table} reads {read}, which the graph does not say"


def test_data_versions_are_the_contents_hashes(harvested: Harvested) -> None:
    lake = harvested.project.lake
    for relation in RELATIONS:
        place = {"relation": relation}
        noted = {name: data_version(harvested.instance, name, relation) for name in OF_A_RELATION}
        seeds = lake.version(schemas.RELATION_SEEDS, place).content_hash
        assert noted["relation_seeds"] == seeds
        assert noted["relation_prompts"] == lake.version(schemas.RELATION_PROMPTS, place).content_hash
        searched = [{"search": name, **place} for name in sorted(how.name for how in searches_of(ARMS))]
        pairs = combined_hash(
            lake.version(schemas.CANDIDATE_PAIRS, partition).content_hash for partition in searched
        )
        assert noted["candidate_pairs"] == pairs
        alone = combined_hash(
            lake.version(schemas.PROMPT_CAPTURES, partition).content_hash for partition in searched
        )
        assert noted["prompt_captures"] == alone
        mined = [{"kg": arm, **place} for arm in sorted(ARMS)]
        content_hash = combined_hash(
            lake.version(schemas.HARVESTED_TRIPLES, partition).content_hash for partition in mined
        )
        # How a triple is read out stands in the seed file: another template is another version.
        versions = [
            seeds,
            *(lake.version(schemas.PROMPT_CAPTURES, partition).content_hash for partition in searched),
        ]
        assert noted["harvested_triples"] == combined_hash([content_hash, *versions])
    for arm in ARMS:
        for table in (schemas.HARVESTS, schemas.HARVEST_SCORES):
            content_hash = lake.version(table, {"kg": arm}).content_hash
            assert data_version(harvested.instance, table.name, arm) == content_hash
    model = lake.version(schemas.DOMAIN_MASKED_LM, {"corpus": CORPUS}).content_hash
    assert data_version(harvested.instance, "domain_masked_lm", CORPUS) == model


def test_a_merged_graph_is_what_was_stated_and_what_was_harvested(harvested: Harvested) -> None:
    project = harvested.project
    merged = {
        (row["relation"], row["head"], row["tail"]): row
        for row in rows_of(project, schemas.TRIPLES, kg=MERGED)
    }
    mined = triples_of(project, kg=KBLOOM)
    assert merged.keys() == set(STATED) | {(row["relation"], row["head"], row["tail"]) for row in mined}
    assert OWN not in templates(CONCEPTNET)
    assert any(relation == OWN for relation, _, _ in merged)
    for row in mined:
        sources = merged[row["relation"], row["head"], row["tail"]]["sources"]
        assert [source for source in sources if source["source"] == KBLOOM]
        assert all(
            source["licence"].startswith("mined from ") for source in sources if source["source"] == KBLOOM
        )
    built = [metadata_of(result, "triples") for job, result in harvested.results if job == "build_graph"]
    [counts] = [shown[MERGED]["triples_by_source"] for shown in built if MERGED in shown]
    assert counts == {KBLOOM: len(mined), "by_hand": len(STATED)}


def test_what_someone_stated_and_the_model_knew_is_one_triple_of_both(
    harvested: Harvested, tmp_path: Path
) -> None:
    project = harvested.project.copy(tmp_path / "project")
    known = triples_of(project, kg=KBLOOM, relation="AtLocation")[0]
    stated = project.folder / "stated.tsv"
    line = "\t".join(("AtLocation", known["head"], known["tail"]))
    stated.write_text(f"{stated.read_text(encoding='utf-8')}{line}\n", encoding="utf-8")
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_job(project.definitions(), "build_graph", MERGED, instance)
    assert all(passed for _, _, passed in checks_of(result))
    [row] = [
        row
        for row in rows_of(project, schemas.TRIPLES, kg=MERGED, relation="AtLocation")
        if (row["head"], row["tail"]) == (known["head"], known["tail"])
    ]
    assert {source["source"] for source in row["sources"]} == {"by_hand", KBLOOM}
    assert row["weight"] == known["weight"], "what was stated has no weight"


def test_a_relation_of_ones_own_is_read_out_as_its_seed_file_says(
    harvested: Harvested, tmp_path: Path
) -> None:
    project = harvested.project.copy(tmp_path / "project")
    triple = rows_of(project, schemas.TRIPLES, kg=MERGED, relation=OWN)[0]
    ask(project, f"What about the {triple['head']}?", [triple["tail"], "mammal"])
    definitions = project.definitions()
    with dg.DagsterInstance.ephemeral() as instance:
        assert run_assets(definitions, ["questions"], instance, QUIZ).success
        result = run_job(definitions, "rank_triples", QUIZ, instance)
    assert all(passed for _, _, passed in checks_of(result))
    texts = {
        row["text"]
        for row in rows_of(project, schemas.RANKED_TRIPLES)
        if row["triple_id"] == triple["triple_id"]
    }
    assert texts == {verbalise(PROMPTS[OWN][1], triple["head"], triple["tail"])}
    assert texts == {f"{triple['head']} devours {triple['tail']} whole"}


def test_a_second_run_changes_no_byte_and_trains_nothing(
    harvested: Harvested, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = harvested.project.copy(tmp_path / "project")
    definitions, files = project.definitions(), project.files()

    def refuse(*_: object) -> None:
        raise AssertionError("a step of training was taken again")

    monkeypatch.setattr(masked_lm_training._MaskedTraining, "loss", refuse)
    with dg.DagsterInstance.ephemeral() as instance:
        project.register(instance)
        again = project.resource.config(again=True)
        results = [
            run_range(definitions, "read_articles", SHARDS[0], SHARDS[-1], instance),
            run_job(definitions, "make_masked_lm", CORPUS, instance, run_config=again),
            run_job(definitions, "harvest_relation", "IsA", instance, run_config=again),
            run_range(definitions, "gather_harvest", *ARMS, instance),
            run_job(definitions, "build_graph", MERGED, instance, run_config=again),
        ]
    assert all(passed for result in results for _, _, passed in checks_of(result))
    assert project.files() == files
    shown = metadata_of(results[2], "harvested_triples")["IsA"]
    assert not shown["changed"]


def test_a_language_model_judges_the_first_triples_and_the_scores_say_how(
    harvested: Harvested, tmp_path: Path
) -> None:
    """It finds true what is said of the first half of the alphabet; every third reply is no judgement."""
    project = harvested.project.copy(tmp_path / "project")
    before = rows_of(project, schemas.HARVESTED_TRIPLES, kg=KBLOOM)
    seen: list[str] = []

    def reply(body: Mapping[str, Any], _: int) -> str:
        seen.append(user_text(body))
        return "hard to say" if len(seen) % 3 == 0 else json.dumps({"correct": len(seen) % 2 == 1})

    with ScriptedServer(reply) as server, dg.DagsterInstance.ephemeral() as instance:
        critic = {"engine": "openai", "url": server.url, "model": "critic-1", "attempts": 1}
        definitions = project.definitions({"critic": critic}, judges=["critic"], judged=5)
        project.register(instance)
        result = run_job(definitions, "gather_harvest", KBLOOM, instance)
        calls = len(seen)
        # What was judged once is not asked again.
        again = run_job(definitions, "gather_harvest", KBLOOM, instance)
    assert all(passed for run in (result, again) for _, _, passed in checks_of(run))
    assert len(seen) == calls
    judged = rows_of(project, schemas.TRIPLE_JUDGEMENTS, kg=KBLOOM)
    first = [
        row["triple_id"]
        for relation in RELATIONS
        for row in [
            candidate
            for candidate in sorted(before, key=lambda candidate: candidate["rank"])
            if candidate["relation"] == relation and "seed" not in candidate["flags"]
        ][:5]
    ]
    assert sorted(row["triple_id"] for row in judged) == sorted(first)
    assert {row["judge"] for row in judged} == {"critic"}
    assert {row["correct"] is None for row in judged if row["parse_status"] == "unparseable"} == {True}
    verdicts = [row["correct"] for row in judged if row["correct"] is not None]
    assert 0 < sum(verdicts) < len(verdicts)
    scores = {
        row["metric"]: row["value"]
        for row in rows_of(project, schemas.HARVEST_SCORES, kg=KBLOOM)
        if row["relation"] == ""
    }
    assert scores["judged_precision:critic"] == pytest.approx(sum(verdicts) / len(verdicts))


def test_another_lake_and_another_training_give_the_same_bytes(harvested: Harvested, tmp_path: Path) -> None:
    """In runs of several partitions, where the first lake was made in a run a partition."""
    project = write_harvest_project(tmp_path / "project", tmp_path / "cache")
    definitions = project.definitions()
    with dg.DagsterInstance.ephemeral() as instance:
        relations = project.register(instance)
        run_range(definitions, "read_articles", SHARDS[0], SHARDS[-1], instance)
        run_job(definitions, "make_masked_lm", CORPUS, instance)
        run_job(definitions, "build_graph", REFERENCE, instance)
        run_range(definitions, "harvest_relation", relations[0], relations[-1], instance)
        for arm in reversed(ARMS):
            run_job(definitions, "gather_harvest", arm, instance)
        run_job(definitions, "build_graph", MERGED, instance)
        for relation in relations:
            for name in OF_A_RELATION:
                version = data_version(instance, name, relation)
                assert version == data_version(harvested.instance, name, relation)
    assert project.files() == harvested.project.files()


def test_a_relation_that_the_model_knows_no_seed_of_yields_no_triples(
    harvested: Harvested, tmp_path: Path
) -> None:
    project, unknown = harvested.project.copy(tmp_path / "project"), "Orbits"
    pairs = [("planet", "star"), ("moon", "planet")]
    seed = seed_of(unknown, pairs, "<ENT0> is in the <ENT1>", "{head} round {tail}")
    write_yaml(project.seed(unknown), seed)
    definitions = project.definitions(least_readiness=0.2)
    with dg.DagsterInstance.ephemeral() as instance:
        project.register(instance)
        result = run_job(definitions, "harvest_relation", unknown, instance)
        assert all(passed for _, _, passed in checks_of(result))
        warnings = [log for log in instance.all_logs(result.run_id) if log.level == logging.WARNING]
        assert run_job(definitions, "gather_harvest", KBLOOM, instance).success
        assert run_job(definitions, "build_graph", MERGED, instance).success
    [warning] = [log.user_message for log in warnings if unknown in log.user_message]
    assert "knows 0 of 0 ends of its seeds: nothing is harvested; remedy: train on text" in warning
    assert metadata_of(result, "candidate_pairs")[unknown]["ready"] is False
    assert places_of(project, unknown) == EVERYWHERE - {("triples", MERGED)}
    mined = (schemas.CANDIDATE_PAIRS, schemas.PROMPT_CAPTURES, schemas.HARVESTED_TRIPLES, schemas.TRIPLES)
    for table in mined:
        assert rows_of(project, table, relation=unknown) == []
    [row] = [row for row in rows_of(project, schemas.HARVESTS) if row["relation"] == unknown]
    assert (row["kg"], row["triples"], row["model_id"]) == (KBLOOM, 0, "")
