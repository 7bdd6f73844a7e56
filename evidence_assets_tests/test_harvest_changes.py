"""Thirty-five harvested relations: what a changed, broken or removed seed file re-runs, and what fails."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.lake import catalogue, schemas
from evidence_assets_tests.testing.follower import Requested
from evidence_assets_tests.testing.harvest_project import (
    ARMS,
    CHEAP,
    CORPUS,
    KBLOOM,
    MERGED,
    OF_A_GRAPH,
    OF_A_RELATION,
    OF_AN_ARM,
    PLAIN,
    REFERENCE,
    RELATIONS,
    SHARDS,
    TOLD,
    Daemon,
    HarvestProject,
    plain_seed,
    remembered,
    seed_of,
    write_harvest_project,
)
from evidence_assets_tests.testing.harvest_run_samples import EVERYWHERE, data_version, places_of, rows_of
from evidence_assets_tests.testing.small_project import checks_of, failure_of, run_job, run_range, write_yaml

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("harvest")]

# The two that the stated graph has too, and the rest: each file is one relation.
MANY = ("AtLocation", "IsA", *PLAIN)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where models are kept by content: the same text is learnt once."""
    return tmp_path_factory.mktemp("cache")


@dataclass(frozen=True)
class Many:
    """Thirty-five relations, harvested cheaply, with what Dagster's daemon remembers of them."""

    folder: Path
    cache: Path
    sensor_cursor: str | None
    cursor: str | None


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
        patched.setattr("evidence_assets.extraction.reporting.harvest_report", lambda _: {})
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
        assert daemon.requested() == {}
        return Many(folder, cache, daemon.sensor_cursor, daemon.cursor)


@pytest.fixture
def daemon(many: Many, tmp_path: Path) -> Iterator[Daemon]:
    """The daemon of a copy of the thirty-five that has seen that all is as it should be."""
    project = HarvestProject(many.folder / "project", many.cache).copy(tmp_path / "project")
    shutil.copytree(many.folder / "instance", tmp_path / "instance")
    catalogue.build(project.lake)
    with remembered(tmp_path / "instance") as instance:
        yield Daemon(project, project.definitions(**CHEAP), instance, many.sensor_cursor, many.cursor)


def requests_of(assets: Iterable[str], partitions: set[str]) -> Requested:
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


def test_one_changed_file_of_thirty_five_makes_one_relation_anew(daemon: Daemon) -> None:
    assert len(daemon.relations) == 35
    assert daemon.look() == set()
    assert daemon.requested() == {}
    changed = PLAIN[7]
    path, files, known = daemon.project.seed(changed), daemon.project.files(), versions(daemon)
    old = path.read_text(encoding="utf-8")
    write_yaml(path, plain_seed(changed, turn=9))
    assert daemon.look() == {changed}
    made = daemon.follow()
    assert made == requests_of(OF_A_RELATION, {changed}) | requests_of(OF_AN_ARM, set(ARMS)) | requests_of(
        OF_A_GRAPH, {MERGED}
    )
    touched = changed_files(daemon, files)
    of_relation = {name for name in touched if f"relation={changed}/" in name}
    assert {name.split("/")[0] for name in of_relation} >= {"relation_seeds", "harvested_triples", "triples"}
    # Of no relation, but for the graphs as wholes.
    assert {name.split("/")[0] for name in touched - of_relation} <= {*OF_AN_ARM, *OF_A_GRAPH} - {"triples"}
    now = versions(daemon)
    assert {key for key in known if known[key] != now[key]} <= {(name, changed) for name in OF_A_RELATION}
    assert known["harvested_triples", changed] != now["harvested_triples", changed]
    assert daemon.requested() == {}
    path.write_text(old, encoding="utf-8")
    assert daemon.look() == {changed}, "what it once said is news again"
    assert daemon.follow() == made
    assert versions(daemon) == known
    assert changed_files(daemon, files) == set(), "the results are those of the first harvest, byte for byte"


def test_a_file_that_was_only_written_again_asks_for_nothing(daemon: Daemon) -> None:
    for relation in MANY:
        path = daemon.project.seed(relation)
        path.write_bytes(path.read_bytes())
    assert daemon.look() == set()
    assert daemon.requested() == {}


def test_another_template_reaches_the_merged_graph(daemon: Daemon) -> None:
    """Not a triple is another; but who reads the graph reads them out as the file says now."""
    changed, files = PLAIN[3], daemon.project.files()
    seed = plain_seed(changed)
    write_yaml(daemon.project.seed(changed), {**seed, "template": "{head}, as one says, of {tail}"})
    known = data_version(daemon.instance, "triples", MERGED)
    assert daemon.look() == {changed}
    made = daemon.follow()
    assert made["harvests"] == set(ARMS)
    assert made["triples"] == {MERGED}
    assert changed_files(daemon, files) == {
        f"relation_seeds/relation={changed}/data.parquet",
        *(f"harvests/kg={arm}/data.parquet" for arm in ARMS),
    }
    assert data_version(daemon.instance, "triples", MERGED) != known


def test_a_removed_file_retires_its_relation_and_one_that_comes_back_waits_until_it_is_asked_for(
    daemon: Daemon,
) -> None:
    project, gone = daemon.project, PLAIN[11]
    path, files = project.seed(gone), project.files()
    text = path.read_text(encoding="utf-8")
    assert places_of(project, gone) == EVERYWHERE
    path.unlink()
    assert daemon.look() == set()
    assert daemon.relations == set(MANY) - {gone}
    assert daemon.follow() == requests_of(OF_AN_ARM, set(ARMS)) | requests_of(OF_A_GRAPH, {MERGED})
    for table in (schemas.HARVESTS, schemas.HARVEST_SCORES):
        relations = {row["relation"] for row in rows_of(project, table)} - {""}
        assert relations == set(MANY) - {gone}
    assert places_of(project, gone) == set()
    labels = {row["label"] for row in rows_of(project, schemas.GRAPH_NODES, kg=MERGED)}
    merged = rows_of(project, schemas.TRIPLES, kg=MERGED)
    assert labels == {row[end] for row in merged for end in ("head", "tail")}
    touched = changed_files(daemon, files)
    of_relation = {name for name in files if f"relation={gone}/" in name}
    assert of_relation <= touched
    # Of the others, nothing but the graphs as wholes.
    assert {name.split("/")[0] for name in touched - of_relation} <= {*OF_AN_ARM, *OF_A_GRAPH} - {"triples"}
    path.write_text(text, encoding="utf-8")
    assert daemon.look() == {gone}
    assert daemon.relations == set(MANY)
    # Nobody asked for it, and nothing of it is in the lake: it is looked for, and not found.
    assert daemon.follow().keys() <= set(OF_AN_ARM)
    assert places_of(project, gone) == set()
    daemon.definitions = project.definitions(eager=OF_A_RELATION, **CHEAP)
    made = daemon.follow()
    assert {name: made.pop(name) for name in OF_A_RELATION} == requests_of(OF_A_RELATION, {gone})
    assert made == requests_of(OF_AN_ARM, set(ARMS)) | requests_of(OF_A_GRAPH, {MERGED})
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
    requested = daemon.requested()
    assert requested["relation_seeds"] == {edited, back}, "the late one was never made"
    assert requested["harvests"] == set(ARMS)
    daemon.definitions = project.definitions(eager=OF_A_RELATION, **CHEAP)
    assert daemon.requested()["relation_seeds"] == {edited, back, late}


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
    for relation in (was_good, never_good):
        result = run_job(
            daemon.definitions, "harvest_relation", relation, daemon.instance, raise_on_error=False
        )
        message = failure_of(result)
        assert "SeedError" in message
        assert f"{project.seed(relation)}, line 5, pairs: pair 2: head and tail are the same" in message
        assert message.splitlines()[0].startswith("dagster._core.definitions.events.Failure: Remedy: ")
    assert project.files() == files, "what was harvested before stays"
    made = daemon.follow(success=False)
    assert made["relation_seeds"] == {sound}, "a broken file holds its own relation up"
    assert made["harvests"] == set(ARMS), "and no other"
    assert daemon.look() == set(), "it looks on, and has told"
    write_yaml(project.seed(was_good), plain_seed(was_good))
    assert daemon.look() == {was_good}
    daemon.follow()
    assert {row["relation"] for row in rows_of(project, schemas.HARVESTS, kg=KBLOOM)} == set(MANY)
    assert daemon.requested() == {}


def test_a_model_that_knows_too_little_fails_its_check_and_keeps_the_harvest_waiting(daemon: Daemon) -> None:
    project, instance = daemon.project, daemon.instance
    training = {"from_scratch": True, "steps": 1, "vocabulary": 400}
    daemon.definitions = project.definitions(**CHEAP, training=training, least_readiness=0.5)
    files = project.files()
    result = run_job(daemon.definitions, "make_masked_lm", CORPUS, instance, raise_on_error=False)
    assert ("domain_masked_lm", "knows_what_the_corpus_tells", False) in checks_of(result)
    [evaluation] = [
        evaluation for evaluation in result.get_asset_check_evaluations() if not evaluation.passed
    ]
    shown: dict[str, Any] = {name: value.value for name, value in evaluation.metadata.items()}
    assert evaluation.blocking
    assert shown["least"] == 0.5
    assert shown[f"recall_{CORPUS}"] < 0.5
    assert f"- {CORPUS}, IsA: " in shown["recall"]
    assert changed_files(daemon, files) == {f"domain_masked_lm/corpus={CORPUS}/data.parquet"}
    assert daemon.requested() == {}
    daemon.definitions = project.definitions(**CHEAP)
    result = run_job(daemon.definitions, "make_masked_lm", CORPUS, instance)
    assert all(passed for _, _, passed in checks_of(result))
    assert daemon.requested() == {}, "it is the model that the relations were harvested with"


@pytest.mark.parametrize(("profile", "requests_prompts"), [("starter", False), ("laptop", True)])
def test_a_named_model_is_not_kept_waiting_for_one_of_the_corpus(
    profile: str, requests_prompts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_PROFILE", profile)
    project = write_harvest_project(tmp_path / "project", tmp_path / "cache")
    with dg.DagsterInstance.ephemeral() as instance:
        daemon = Daemon(project, project.definitions(eager=OF_A_RELATION[:2]), instance)
        assert daemon.look() == set(RELATIONS)
        requested = daemon.requested()
        assert requested.pop("relation_seeds") == set(RELATIONS)
        assert requested == requests_of(("relation_prompts",) if requests_prompts else (), set(RELATIONS))


def test_another_model_is_a_choice_that_automation_does_not_make(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_PROFILE", "laptop")
    assert daemon.requested() == {}
