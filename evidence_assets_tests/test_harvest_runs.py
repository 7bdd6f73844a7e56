"""Harvests through Dagster's runs: what they leave, what a changed seed file re-runs, what fails."""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

sys.path.append(str(Path(__file__).parent / "automation"))
sys.path.append(str(Path(__file__).parent / "knowledge"))

from harvest_project import (
    ARMS,
    BERTNET,
    CHEAP,
    CORPUS,
    KBLOOM,
    MERGED,
    OF_A_GRAPH,
    OF_A_RELATION,
    OF_AN_ARM,
    OWN,
    PLAIN,
    PROMPTS,
    QUIZ,
    REFERENCE,
    RELATIONS,
    SHARDS,
    STATED,
    TOLD,
    Daemon,
    HarvestProject,
    Requested,
    ask,
    plain_seed,
    remembered,
    seed_of,
    write_harvest_project,
    write_yaml,
)
from small_project import checks_of, metadata_of, observe, run_assets, run_job, run_range

from evidence_assets.audit.integrity import check_references, check_rows
from evidence_assets.graphs.verbalisation import CONCEPTNET, templates, verbalise
from evidence_assets.knowledge.arms import searches_of
from evidence_assets.lake import catalogue, schemas
from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.lake import partition_name
from evidence_assets.models import masked_lm_training
from evidence_assets.models.resources import MaskedLanguageModelResource

pytestmark = pytest.mark.xdist_group("harvest")

HARVESTED = {"domain_masked_lm", *OF_A_RELATION, *OF_AN_ARM}
# The two that the stated graph has too, and the rest: each file is one relation.
MANY = ("AtLocation", "IsA", *PLAIN)


@dataclass
class Harvested:
    """A project that was harvested whole, and who remembers the runs."""

    project: HarvestProject
    definitions: dg.Definitions
    instance: dg.DagsterInstance
    results: list[tuple[str, dg.ExecuteInProcessResult]] = field(default_factory=list)

    def run(self, job: str, key: str) -> dg.ExecuteInProcessResult:
        result = run_job(self.definitions, job, key, self.instance)
        self.results.append((job, result))
        return result


def harvest_whole(made: Harvested) -> None:
    """Every job of the harvest, a run a partition, in the order of the graph."""
    project = made.project
    assert project.register(made.instance) == sorted(RELATIONS)
    for shard in SHARDS:
        made.run("read_articles", shard)
    made.run("make_masked_lm", CORPUS)
    made.run("build_graph", REFERENCE)
    for relation in RELATIONS:
        made.run("harvest_relation", relation)
    for arm in reversed(ARMS):
        made.run("gather_harvest", arm)
    made.run("build_graph", MERGED)


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


def rows_of(project: HarvestProject, table: schemas.Table, **place: str) -> list[dict[str, Any]]:
    """Every row of the partitions of a table that have these values."""
    places = [one for one in project.lake.partitions(table) if place.items() <= one.items()]
    return project.lake.read_partitions(table, places).to_pylist()


def failure_of(result: dg.ExecuteInProcessResult) -> str:
    assert not result.success
    [failure] = [event for event in result.all_events if event.is_step_failure]
    return str(failure.step_failure_data.error)


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
    assert all(PROMPTS[relation][0] in own for relation, own in prompts.items())
    for arm in ARMS:
        mined = {row["triple_id"]: row for row in rows_of(project, schemas.HARVESTED_TRIPLES, kg=arm)}
        stated = {row["triple_id"]: row for row in rows_of(project, schemas.TRIPLES, kg=arm)}
        assert mined.keys() == stated.keys()
        assert len(mined) > 10
        for triple_id, row in stated.items():
            own = mined[triple_id]
            assert {row[name] for name in ("head", "relation", "tail")} == {
                own[name] for name in ("head", "relation", "tail")
            }
            assert row["weight"] == own["confidence"]
            assert 0 < own["confidence"] < 1
            assert row["sources"]
            for source in row["sources"]:
                assert source["source"] == arm
                assert source["record"] in {*prompts[row["relation"]], "all prompts"}
                assert source["licence"] == f"mined from {model['model_id']}"
    for relation in RELATIONS:
        own = rows_of(project, schemas.HARVESTED_TRIPLES, kg=KBLOOM, relation=relation)
        assert sorted(row["rank"] for row in own) == list(range(len(own)))
        assert len(own) == 10, "as many as are asked for"


def test_what_was_harvested_is_gathered_and_scored(harvested: Harvested) -> None:
    project = harvested.project
    for arm in ARMS:
        rows = rows_of(project, schemas.HARVESTS, kg=arm)
        assert [row["relation"] for row in rows] == sorted(RELATIONS)
        for row in rows:
            place = {"kg": arm, "relation": row["relation"]}
            [seed] = rows_of(project, schemas.RELATION_SEEDS, relation=row["relation"])
            assert row["triples"] == project.lake.read(schemas.TRIPLES, place).num_rows
            assert row["triples_hash"] == project.lake.version(schemas.TRIPLES, place).content_hash
            assert row["seed_hash"] == seed["seed_hash"]
        scores = {
            (row["relation"], row["metric"]): row["value"]
            for row in rows_of(project, schemas.HARVEST_SCORES, kg=arm)
        }
        assert {relation for relation, _ in scores} == {"", *RELATIONS}
        mined = rows_of(project, schemas.HARVESTED_TRIPLES, kg=arm)
        counted = [row for row in mined if "seed" not in row["flags"]]
        assert scores["", "tuples"] == len(counted), "seeds were given, not found"
        # The stated graph has two of the relations.
        assert {relation for relation, metric in scores if metric == "novelty"} == {"", "AtLocation", "IsA"}


def test_materializations_name_the_versions_they_were_made_from(harvested: Harvested) -> None:
    lake = harvested.project.lake
    rows = rows_of(harvested.project, schemas.MATERIALIZATIONS)
    now = {(row["table"], row["partition"]): row["content_hash"] for row in rows}
    assert len(now) == len(rows), "one version of each partition was ever made"
    read: dict[str, set[str]] = {}
    for row in rows:
        table = schemas.TABLES_BY_NAME[row["table"]]
        places = {partition_name(place) or "(whole)": place for place in lake.partitions(table)}
        assert lake.version(table, places[row["partition"]]).content_hash == row["content_hash"]
        name = row["table"]
        if name == "triples":
            name = row["partition"].split("/")[0].removeprefix("kg=")
        read.setdefault(name, set()).update(upstream["table"] for upstream in row["upstream"])
        for upstream in row["upstream"]:
            if upstream["table"] != "source_files":
                assert now[upstream["table"], upstream["partition"]] == upstream["content_hash"]
        if row["table"] == "relation_seeds":
            relation = row["partition"].removeprefix("relation=")
            assert [one["partition"] for one in row["upstream"]] == [f"seeds/{relation}.yaml"]
    model = {"domain_masked_lm", "relation_seeds"}
    assert read["relation_seeds"] == {"source_files"}
    assert read["domain_masked_lm"] == {"articles"}
    assert read["relation_prompts"] == model
    assert read["candidate_pairs"] == model | {"relation_prompts"}
    assert read["harvested_triples"] == model | {"relation_prompts", "candidate_pairs"}
    assert read[KBLOOM] == read[BERTNET] == read["harvested_triples"]
    assert read["harvests"] == {"harvested_triples", "relation_seeds"}
    assert read["harvest_scores"] == {"harvests", "harvested_triples", "relation_seeds", "triples"}
    assert read[MERGED] == {"source_files", "harvests", "relation_seeds"}
    assert read[REFERENCE] == {"source_files"}


def test_what_an_asset_read_stands_above_it_in_the_graph(harvested: Harvested) -> None:
    graph = harvested.definitions.resolve_asset_graph()

    def asset(table: str, partition: str) -> str:
        mined = any(partition.startswith(f"kg={arm}/") for arm in ARMS)
        return "harvested_triples" if table == "triples" and mined else table

    found = {
        (asset(row["table"], row["partition"]), asset(upstream["table"], upstream["partition"]))
        for row in rows_of(harvested.project, schemas.MATERIALIZATIONS)
        for upstream in row["upstream"]
        if upstream["table"] != "source_files"
    }
    assert len(found) > 15
    # What one run writes and reads again is of one asset definition; what it rejects is no asset's.
    own = {("graph_conflicts", "triples"), *(pair for pair in found if pair[0] == "rejected_records")}
    for table, read in found - own:
        above = {key.to_user_string() for key in graph.get_ancestor_asset_keys(dg.AssetKey(table))}
        assert read in above, f"{table} reads {read}, which the graph does not say"


def data_version(instance: dg.DagsterInstance, asset: str, partition: str) -> str:
    record = instance.get_latest_data_version_record(dg.AssetKey(asset), partition_key=partition)
    assert record is not None
    assert record.asset_materialization is not None
    return (record.asset_materialization.tags or {})["dagster/data_version"]


def test_data_versions_are_the_contents_hashes(harvested: Harvested) -> None:
    lake = harvested.project.lake
    for relation in RELATIONS:
        place = {"relation": relation}
        found = {name: data_version(harvested.instance, name, relation) for name in OF_A_RELATION}
        seeds = lake.version(schemas.RELATION_SEEDS, place).content_hash
        assert found["relation_seeds"] == seeds
        assert found["relation_prompts"] == lake.version(schemas.RELATION_PROMPTS, place).content_hash
        searched = [{"search": how.name, **place} for how in searches_of(ARMS)]
        pairs = combined_hash(lake.version(schemas.CANDIDATE_PAIRS, one).content_hash for one in searched)
        assert found["candidate_pairs"] == pairs
        mined = [{"kg": arm, **place} for arm in ARMS]
        own = combined_hash(lake.version(schemas.HARVESTED_TRIPLES, one).content_hash for one in mined)
        # How a triple is read out stands in the seed file: another template is another version.
        assert found["harvested_triples"] == combined_hash([own, seeds])
    for arm in ARMS:
        for table in (schemas.HARVESTS, schemas.HARVEST_SCORES):
            own = lake.version(table, {"kg": arm}).content_hash
            assert data_version(harvested.instance, table.name, arm) == own
    model = lake.version(schemas.DOMAIN_MASKED_LM, {"corpus": CORPUS}).content_hash
    assert data_version(harvested.instance, "domain_masked_lm", CORPUS) == model


def test_a_merged_graph_is_what_was_stated_and_what_was_harvested(harvested: Harvested) -> None:
    project = harvested.project
    merged = {
        (row["relation"], row["head"], row["tail"]): row
        for row in rows_of(project, schemas.TRIPLES, kg=MERGED)
    }
    mined = rows_of(project, schemas.TRIPLES, kg=KBLOOM)
    assert merged.keys() == set(STATED) | {(row["relation"], row["head"], row["tail"]) for row in mined}
    assert OWN not in templates(CONCEPTNET)
    assert any(relation == OWN for relation, _, _ in merged)
    for row in mined:
        sources = merged[row["relation"], row["head"], row["tail"]]["sources"]
        assert [one for one in sources if one["source"] == KBLOOM]
        assert all(one["licence"].startswith("mined from ") for one in sources if one["source"] == KBLOOM)
    built = [metadata_of(result, "triples") for job, result in harvested.results if job == "build_graph"]
    [counts] = [shown[MERGED]["triples_by_source"] for shown in built if MERGED in shown]
    assert counts == {KBLOOM: len(mined), "by_hand": len(STATED)}


def test_what_someone_stated_and_the_model_knew_is_one_triple_of_both(
    harvested: Harvested, tmp_path: Path
) -> None:
    project = harvested.project.copy(tmp_path / "project")
    known = rows_of(project, schemas.TRIPLES, kg=KBLOOM, relation="AtLocation")[0]
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
    assert {one["source"] for one in row["sources"]} == {"by_hand", KBLOOM}
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

    monkeypatch.setattr(masked_lm_training._State, "train_on", refuse)
    with dg.DagsterInstance.ephemeral() as instance:
        project.register(instance)
        results = [
            run_range(definitions, "read_articles", SHARDS[0], SHARDS[-1], instance),
            run_job(definitions, "make_masked_lm", CORPUS, instance),
            run_job(definitions, "harvest_relation", "IsA", instance),
            run_range(definitions, "gather_harvest", *ARMS, instance),
            run_job(definitions, "build_graph", MERGED, instance),
        ]
    assert all(passed for result in results for _, _, passed in checks_of(result))
    assert project.files() == files
    shown = metadata_of(results[2], "harvested_triples")["IsA"]
    assert not shown["changed"]


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
                own = data_version(instance, name, relation)
                assert own == data_version(harvested.instance, name, relation)
    assert project.files() == harvested.project.files()


@dataclass(frozen=True)
class Many:
    """Thirty-five relations, harvested cheaply, with what Dagster's daemon remembers of them."""

    folder: Path
    cache: Path
    sensor_cursor: str | None
    cursor: object


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Many:
    """Made once: to be copied, never changed."""
    folder = tmp_path_factory.mktemp("many")
    project = write_harvest_project(folder / "project", cache, MANY[:2])
    for relation in PLAIN:
        write_yaml(project.seed(relation), plain_seed(relation))
    definitions = project.definitions(**CHEAP)
    with remembered(folder / "instance") as instance, pytest.MonkeyPatch.context() as patched:
        # Pictures, and checks of each relation, would take most of the time.
        patched.setattr("evidence_assets.knowledge.assets.harvest_report", lambda _: {})
        daemon = Daemon(project, definitions, instance)
        assert daemon.look() == daemon.relations == set(MANY)
        run_range(definitions, "read_articles", SHARDS[0], SHARDS[-1], instance)
        run_job(definitions, "make_masked_lm", CORPUS, instance)
        run_job(definitions, "build_graph", REFERENCE, instance)
        keys = instance.get_dynamic_partitions("relations")
        unchecked = dg.AssetSelection.assets(*OF_A_RELATION).without_checks()
        harvesting = dg.Definitions(
            assets=definitions.assets,
            jobs=[dg.define_asset_job("harvest_relation", unchecked)],
            resources=definitions.resources,
            executor=dg.in_process_executor,
        )
        run_range(harvesting, "harvest_relation", keys[1], keys[-1], instance)
        run_job(definitions, "harvest_relation", keys[0], instance)
        for arm in ARMS:
            run_job(definitions, "gather_harvest", arm, instance)
        run_job(definitions, "build_graph", MERGED, instance)
        assert daemon.tick() == {}
        return Many(folder, cache, daemon.sensor_cursor, daemon.cursor)


@pytest.fixture
def daemon(many: Many, tmp_path: Path) -> Iterator[Daemon]:
    """The daemon of a copy of the thirty-five that has seen that all is as it should be."""
    project = HarvestProject(many.folder / "project", many.cache).copy(tmp_path / "project")
    shutil.copytree(many.folder / "instance", tmp_path / "instance")
    catalogue.build(project.lake)
    with remembered(tmp_path / "instance") as instance:
        yield Daemon(project, project.definitions(**CHEAP), instance, many.sensor_cursor, many.cursor)


def together(asked: list[Requested]) -> Requested:
    """What several ticks asked for."""
    found: Requested = {}
    for requested in asked:
        for asset, keys in requested.items():
            found.setdefault(asset, set()).update(keys)
    return found


def each(assets: Iterable[str], partitions: set[str]) -> Requested:
    """The same partitions of several assets."""
    return {asset: set(partitions) for asset in assets}


def versions(daemon: Daemon) -> dict[tuple[str, str], str]:
    """The data version of every asset of every relation."""
    return {
        (name, relation): data_version(daemon.instance, name, relation)
        for name in OF_A_RELATION
        for relation in daemon.relations
    }


def changed_files(daemon: Daemon, before: dict[str, str]) -> set[str]:
    after = daemon.project.files()
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def places_of(project: HarvestProject, relation: str) -> set[tuple[str, str]]:
    """Where in the lake a relation is: table, and graph or search, if there are several."""
    tables = (
        schemas.RELATION_SEEDS,
        schemas.RELATION_PROMPTS,
        schemas.CANDIDATE_PAIRS,
        schemas.HARVESTED_TRIPLES,
        schemas.TRIPLES,
    )
    return {
        (table.name, place.get("kg", place.get("search", "")))
        for table in tables
        for place in project.lake.partitions(table)
        if place["relation"] == relation
    }


EVERYWHERE = {
    ("relation_seeds", ""),
    ("relation_prompts", ""),
    *(("candidate_pairs", how.name) for how in searches_of(ARMS)),
    *(("harvested_triples", arm) for arm in ARMS),
    *(("triples", kg) for kg in (*ARMS, MERGED)),
}


def test_one_changed_file_of_thirty_five_makes_one_relation_anew(daemon: Daemon) -> None:
    assert len(daemon.relations) == 35
    assert daemon.look() == set()
    assert daemon.tick() == {}
    changed = PLAIN[7]
    path, files, known = daemon.project.seed(changed), daemon.project.files(), versions(daemon)
    old = path.read_text(encoding="utf-8")
    write_yaml(path, plain_seed(changed, turn=9))
    assert daemon.tick() == {}, "nobody has looked at the file yet"
    assert daemon.look() == {changed}
    assert daemon.requests == []
    first, *rest = daemon.settle()
    assert first["relation_seeds"] == {changed}
    asked = together([first, *rest])
    assert {name: asked.pop(name) for name in OF_A_RELATION} == each(OF_A_RELATION, {changed})
    assert {name: asked.pop(name) for name in OF_AN_ARM} == each(OF_AN_ARM, set(ARMS))
    assert asked == each(OF_A_GRAPH, {MERGED})
    found = changed_files(daemon, files)
    of_relation = {name for name in found if f"relation={changed}/" in name}
    assert {name.split("/")[0] for name in of_relation} >= {"relation_seeds", "harvested_triples", "triples"}
    # Of no relation, but for the graphs as wholes.
    assert {name.split("/")[0] for name in found - of_relation} <= {*OF_AN_ARM, *OF_A_GRAPH} - {"triples"}
    now = versions(daemon)
    assert {key for key in known if known[key] != now[key]} <= {(name, changed) for name in OF_A_RELATION}
    assert known["harvested_triples", changed] != now["harvested_triples", changed]
    assert daemon.look() == set()
    path.write_text(old, encoding="utf-8")
    assert daemon.look() == {changed}, "what it once said is news again"
    assert daemon.tick()["relation_seeds"] == {changed}
    assert daemon.run(OF_A_RELATION, changed).success
    assert versions(daemon) == known
    assert not {name for name in changed_files(daemon, files) if f"relation={changed}/" in name} - {
        f"triples/kg={MERGED}/relation={changed}/data.parquet"
    }


def test_a_file_that_was_only_written_again_asks_for_nothing(daemon: Daemon) -> None:
    for relation in MANY:
        path = daemon.project.seed(relation)
        path.write_bytes(path.read_bytes())
    assert daemon.look() == set()
    assert daemon.requests == []
    assert daemon.tick() == {}


def test_another_template_reaches_the_merged_graph(daemon: Daemon) -> None:
    """Not a triple is another; but who reads the graph reads them out as the file says now."""
    changed, files = PLAIN[3], daemon.project.files()
    seed = plain_seed(changed)
    write_yaml(daemon.project.seed(changed), {**seed, "template": "{head}, as one says, of {tail}"})
    known = data_version(daemon.instance, "triples", MERGED)
    assert daemon.look() == {changed}
    asked = together(daemon.settle())
    assert asked["harvests"] == set(ARMS)
    assert asked["triples"] == {MERGED}
    assert changed_files(daemon, files) == {
        f"relation_seeds/relation={changed}/data.parquet",
        *(f"harvests/kg={arm}/data.parquet" for arm in ARMS),
    }
    assert data_version(daemon.instance, "triples", MERGED) != known


def test_a_removed_file_retires_its_relation_and_one_that_comes_back_is_harvested_again(
    daemon: Daemon,
) -> None:
    project, gone = daemon.project, PLAIN[11]
    path, files = project.seed(gone), project.files()
    text = path.read_text(encoding="utf-8")
    assert places_of(project, gone) == EVERYWHERE
    path.unlink()
    assert daemon.look() == set()
    assert daemon.relations == set(MANY) - {gone}
    assert [request.partition_key for request in daemon.requests] == list(ARMS)
    assert daemon.tick() == {}, "nothing above has changed: the sensor asks itself"
    shown = [
        metadata_of(run_job(daemon.definitions, "gather_harvest", arm, daemon.instance), "harvests")[arm]
        for arm in ARMS
    ]
    assert [one["retired"] for one in shown] == [gone, gone]
    assert places_of(project, gone) == {("triples", MERGED)}, "that graph was not built anew yet"
    for table in (schemas.HARVESTS, schemas.HARVEST_SCORES):
        relations = {row["relation"] for row in rows_of(project, table)} - {""}
        assert relations == set(MANY) - {gone}
    assert daemon.settle() == [each(OF_A_GRAPH, {MERGED})]
    assert places_of(project, gone) == set()
    labels = {row["label"] for row in rows_of(project, schemas.GRAPH_NODES, kg=MERGED)}
    merged = rows_of(project, schemas.TRIPLES, kg=MERGED)
    assert labels == {row[end] for row in merged for end in ("head", "tail")}
    found = changed_files(daemon, files)
    own = {name for name in files if f"relation={gone}/" in name}
    assert own <= found
    # Of the others, nothing but the graphs as wholes.
    assert {name.split("/")[0] for name in found - own} <= {*OF_AN_ARM, *OF_A_GRAPH} - {"triples"}
    path.write_text(text, encoding="utf-8")
    assert daemon.look() == {gone}
    assert daemon.relations == set(MANY)
    assert daemon.requests == []
    asked = together(daemon.settle())
    assert {name: asked.pop(name) for name in OF_A_RELATION} == each(OF_A_RELATION, {gone})
    assert asked == each(OF_AN_ARM, set(ARMS)) | each(OF_A_GRAPH, {MERGED})
    assert places_of(project, gone) == EVERYWHERE
    assert project.files() == files


def test_nothing_is_lost_while_the_daemon_was_down(daemon: Daemon) -> None:
    edited, gone, back, same, late = PLAIN[1], PLAIN[2], PLAIN[3], PLAIN[4], "Late"
    project = daemon.project
    for turn in (4, 5):
        write_yaml(project.seed(edited), plain_seed(edited, turn))
    project.seed(gone).unlink()
    for relation in (back, same):
        text = project.seed(relation).read_text(encoding="utf-8")
        project.seed(relation).unlink()
        write_yaml(project.seed(relation), plain_seed(relation, turn=6))
        if relation == same:
            project.seed(relation).write_text(text, encoding="utf-8")
    pairs = TOLD["IsA"][1][:1]
    write_yaml(project.seed(late), seed_of(late, pairs, "<ENT0> is of <ENT1>", "{head} of {tail}"))
    # From the command line, meanwhile: the partitions are right, but nobody retired anything.
    assert project.register(daemon.instance) == sorted({*MANY, late} - {gone})
    assert daemon.look() == {edited, back, late}
    assert daemon.relations == {*MANY, late} - {gone}
    assert [request.partition_key for request in daemon.requests] == list(ARMS)
    assert daemon.tick()["relation_seeds"] == {edited, back, late}


BROKEN = """name: {name}
prompt: <ENT0> is in <ENT1>
pairs:
  - [wolf, farm]
  - [fox, FOX]
template: "{{head}} is in {{tail}}"
"""


def test_a_broken_file_fails_alone_and_names_its_line(daemon: Daemon) -> None:
    project, was_good, sound, never_good = daemon.project, PLAIN[5], PLAIN[6], "Broken"
    for relation in (was_good, never_good):
        project.seed(relation).write_text(BROKEN.format(name=relation), encoding="utf-8")
    write_yaml(project.seed(sound), plain_seed(sound, turn=3))
    files = project.files()
    assert daemon.look() == {was_good, sound, never_good}
    assert daemon.relations == {*MANY, never_good}
    assert daemon.tick()["relation_seeds"] == {was_good, sound, never_good}
    for relation in (was_good, never_good):
        result = run_job(
            daemon.definitions, "harvest_relation", relation, daemon.instance, raise_on_error=False
        )
        message = failure_of(result)
        assert "SeedError" in message
        assert f"{project.seed(relation)}, line 5, pairs: pair 2: head and tail are the same" in message
        assert "remedy" in message
    assert project.files() == files, "what was harvested before stays"
    assert run_job(daemon.definitions, "harvest_relation", sound, daemon.instance).success
    assert daemon.look() == set(), "it looks on, and has told"
    assert daemon.tick() == each(OF_AN_ARM, set(ARMS)), "a relation never harvested holds nobody up"
    assert daemon.run(OF_AN_ARM, KBLOOM).success
    assert {row["relation"] for row in rows_of(project, schemas.HARVESTS, kg=KBLOOM)} == set(MANY)
    write_yaml(project.seed(was_good), plain_seed(was_good))
    assert daemon.look() == {was_good}
    assert daemon.tick()["relation_seeds"] == {was_good}


def test_a_model_that_knows_too_little_fails_its_check_and_keeps_the_harvest_waiting(
    daemon: Daemon,
) -> None:
    project, instance = daemon.project, daemon.instance
    training = {"from_scratch": True, "steps": 1, "vocabulary": 400}
    daemon.definitions = project.definitions(**CHEAP, training=training, least_readiness=0.5)
    files = project.files()
    result = run_job(daemon.definitions, "make_masked_lm", CORPUS, instance, raise_on_error=False)
    assert ("domain_masked_lm", "knows_what_the_corpus_tells", False) in checks_of(result)
    [evaluation] = [one for one in result.get_asset_check_evaluations() if not one.passed]
    shown = {name: value.value for name, value in evaluation.metadata.items()}
    assert evaluation.blocking
    assert shown["least"] == 0.5
    assert shown[f"recall_{CORPUS}"] < 0.5
    assert f"- {CORPUS}, IsA: " in shown["recall"]
    assert changed_files(daemon, files) == {f"domain_masked_lm/corpus={CORPUS}/data.parquet"}
    assert daemon.tick() == {}
    daemon.definitions = project.definitions(**CHEAP)
    result = run_job(daemon.definitions, "make_masked_lm", CORPUS, instance)
    assert all(passed for _, _, passed in checks_of(result))
    assert daemon.tick()["relation_prompts"] == set(MANY)


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
        told = [log for log in instance.all_logs(result.run_id) if log.level == logging.WARNING]
        assert run_job(definitions, "gather_harvest", KBLOOM, instance).success
        assert run_job(definitions, "build_graph", MERGED, instance).success
    [warning] = [log.user_message for log in told if unknown in log.user_message]
    assert "knows 0 of 0 ends of its seeds: nothing is harvested; remedy: train on text" in warning
    assert metadata_of(result, "candidate_pairs")[unknown]["ready"] is False
    assert places_of(project, unknown) == EVERYWHERE - {("triples", MERGED)}
    for table in (schemas.CANDIDATE_PAIRS, schemas.HARVESTED_TRIPLES, schemas.TRIPLES):
        assert rows_of(project, table, relation=unknown) == []
    [row] = [row for row in rows_of(project, schemas.HARVESTS) if row["relation"] == unknown]
    assert (row["kg"], row["triples"], row["model_id"]) == (KBLOOM, 0, "")


@pytest.mark.parametrize(("profile", "asked"), [("starter", set()), ("laptop", {"relation_prompts"})])
def test_a_named_model_is_not_kept_waiting_for_one_of_the_corpus(
    profile: str, asked: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_PROFILE", profile)
    project = write_harvest_project(tmp_path / "project", tmp_path / "cache")
    with dg.DagsterInstance.ephemeral() as instance:
        daemon = Daemon(project, project.definitions(), instance)
        assert daemon.tick() == {}
        assert daemon.look() == set(RELATIONS)
        assert daemon.tick() == {"relation_seeds": set(RELATIONS)}
        assert run_assets(daemon.definitions, ["relation_seeds"], instance, "IsA").success
        assert daemon.tick() == each(asked, {"IsA"})


def test_another_revision_of_the_named_model_asks_for_every_relation(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    observe(daemon.definitions, daemon.instance)
    daemon.tick()
    observe(daemon.definitions, daemon.instance)
    assert daemon.tick() == {}
    monkeypatch.setattr(MaskedLanguageModelResource, "fingerprint", lambda _: "another")
    observe(daemon.definitions, daemon.instance)
    requested = daemon.tick()
    assert requested.keys() == set(OF_A_RELATION[1:])
    assert all(keys == set(MANY) for keys in requested.values())
