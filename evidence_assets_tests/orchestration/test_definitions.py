"""The code location: what graph it shows, and what starts by itself."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml

from evidence_assets.orchestration.assets import PARTITIONS_PER_RUN
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets_tests.testing.drawn_graph import (
    BENCHMARKS,
    CORPORA,
    EXTERNAL,
    GRAPH,
    GRAPHS,
    HARVESTS,
    OBSERVED,
    READERS,
    SHARDS,
    TELLING,
    WHOLE,
    extra_checks,
)

PROJECT = Path(__file__).resolve().parents[2]
SOURCES = PROJECT / "data_lake" / "sources.yaml"


def built() -> dg.Definitions:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from evidence_assets.definitions import build_definitions

        return build_definitions(SOURCES)


definitions = cache(built)


def test_everything_in_the_code_location_resolves() -> None:
    repository = definitions().get_repository_def()
    repository.load_all_definitions()
    assert {
        "ingest_corpus",
        "add_up_terms",
        "build_graph",
        "prepare_benchmark",
        "link_questions",
        "rank_triples",
        "rank_chunks",
        "rerank_evidence",
        "run_uscrake",
        "compare_uscrake",
        "find_subgraphs",
        "walk_graph",
        "run_ugat_medqa",
        "compare_ugat_medqa",
        "read_tables",
        "collapse_tables",
        "run_ucret",
        "compare_ucret",
        "state_background",
        "retrieve_facts",
        "describe_nodes",
        "pool_documents",
        "parse_questions",
        "run_four_step_focus",
        "compare_four_step_focus",
        "run_kaping",
        "compare_kaping",
        "embed_graph",
        "train_relevance",
        "attend_graph",
        "run_attention2query",
        "compare_attention2query",
        "read_articles",
        "make_masked_lm",
        "harvest_relation",
        "gather_harvest",
        "bring_up_to_date",
        *(f"run_{system.name}_with_what_it_needs" for system in SYSTEMS),
    } <= {job.name for job in repository.get_all_jobs()}


def test_whoever_opens_it_is_not_warned_of_what_they_cannot_mend() -> None:
    """Sixty-five warnings stood in the terminal before the address of the UI did."""
    from evidence_assets.definitions import build_definitions

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        build_definitions(SOURCES)
    assert [str(warning.message) for warning in warned if warning.category is dg.BetaWarning] == []


def test_every_asset_is_in_some_job() -> None:
    repository = definitions().get_repository_def()
    covered = {
        key.to_user_string()
        for job in repository.get_all_jobs()
        if not job.name.startswith("__")
        for key in job.asset_layer.selected_asset_keys
    }
    assert covered == GRAPH.keys() - EXTERNAL


def test_the_graph_is_as_it_was_drawn() -> None:
    graph = definitions().resolve_asset_graph()
    project_keys = {
        SHARDS: [
            "starter.articles",
            *(
                f"starter_facts.facts.{name}-yaml"
                for name in ("atlocation", "isa", "madeof", "partof", "usedfor")
            ),
        ],
        CORPORA: ["starter", "starter_facts"],
        HARVESTS: ["kbloom", "kbloom_initial", "bertnet", "bertnet_initial"],
        GRAPHS: ["starter", "starter_facts", "starter_merged", "medicine", "space"],
        READERS: ["several"],
        BENCHMARKS: [
            "starter",
            "starter_medicine",
            "starter_space",
            "starter_tables",
            "starter_sample",
            "starter_medicine_sample",
            "starter_space_sample",
            "starter_tables_sample",
        ],
    }
    assets = {}
    for key in graph.get_all_asset_keys():
        node = graph.get(key)
        partitions: Any = WHOLE
        if isinstance(node.partitions_def, dg.MultiPartitionsDefinition):
            partitions = tuple(sorted(node.partitions_def.partition_dimension_names))
        elif isinstance(node.partitions_def, dg.DynamicPartitionsDefinition):
            partitions = node.partitions_def.name
        elif node.partitions_def is not None:
            partitions = node.partitions_def.get_partition_keys()
        parents = {parent.to_user_string() for parent in node.parent_keys}
        assets[key.to_user_string()] = (node.group_name, partitions, parents)
    expected = {
        name: (group, project_keys.get(partitions, partitions), parents)
        for name, (group, partitions, parents) in GRAPH.items()
    }
    assert assets == expected


def test_what_cannot_be_made_of_an_asset_is_told_in_its_definition() -> None:
    graph = definitions().get_repository_def().asset_graph

    def reasons(name: str) -> list[str]:
        shown = graph.get(dg.AssetKey(name.split("/"))).metadata.get("cannot_be_made")
        return [] if shown is None else str(shown.value).splitlines()

    arms = len(SYSTEMS[0].arms(()))
    assert SYSTEMS[0].name == "uscrake"
    [of_tables] = [line for line in reasons("uscrake/predictions") if line.startswith("- starter_tables: ")]
    count, total = map(int, re.findall(r": (\d+) of (\d+), such as", of_tables)[0])
    assert count == total >= arms, "no benchmark of tables alone has anything that it reads"
    assert of_tables.endswith(
        "sources.yaml: benchmark starter_tables names no corpus, and uscrake needs one; remedy: name one "
        "(benchmarks.starter_tables.corpus)"
    )
    assert not any(line.startswith("- starter: ") for line in reasons("uscrake/predictions"))
    assert reasons("chunks") == []


def test_groups_are_small_enough_to_open() -> None:
    sizes = Counter(group for group, _, _ in GRAPH.values())
    assert max(sizes.values()) <= 12, sizes


@pytest.mark.parametrize("name", sorted(GRAPH))
def test_every_asset_tells_what_it_is(name: str) -> None:
    node = definitions().resolve_asset_graph().get(dg.AssetKey.from_user_string(name))
    assert node.description
    assert node.description.endswith(".")
    assert node.tags.get("layer")
    if name in OBSERVED:
        assert node.is_observable
        return
    if name in EXTERNAL:
        assert node.is_external
        return
    assert node.is_materializable
    assert node.owners == ["team:evidence-assets"]
    assert node.kinds
    assert node.code_version
    assert node.automation_condition is None, "what is due is told from the lake"
    if isinstance(node.partitions_def, dg.DynamicPartitionsDefinition):
        assert node.backfill_policy is None, "a run a relation: a broken seed file fails alone"
    elif node.partitions_def is not None:
        assert node.backfill_policy == dg.BackfillPolicy.single_run()


def test_machines_that_share_a_backfill_have_its_partitions_in_several_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PARTITIONS_PER_RUN, "10")
    shared = built().resolve_asset_graph()
    assert shared.get(dg.AssetKey("chunks")).backfill_policy == dg.BackfillPolicy.multi_run(10)


@pytest.mark.parametrize("value", ["0", "-1", "ten", "1.5"])
def test_what_is_no_number_of_partitions_is_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PARTITIONS_PER_RUN, value)
    with pytest.raises(ConfigurationError, match=f"{PARTITIONS_PER_RUN}={value}: .*remedy"):
        built()


def test_every_table_is_guarded_by_blocking_checks() -> None:
    graph = definitions().resolve_asset_graph()
    checks: dict[str, set[str]] = {}
    for key in graph.asset_check_keys:
        assert graph.get(key).blocking == (key.name not in TELLING)
        checks.setdefault(key.asset_key.to_user_string(), set()).add(key.name)
    assert checks == {
        name: {"rows_fit_declaration", "keeps_up"} | extra_checks(name)
        for name in GRAPH.keys() - OBSERVED - EXTERNAL
    }


def test_automation_is_on_and_looking_at_files_is_off() -> None:
    repository = definitions().get_repository_def()
    sensors = {sensor.name: sensor for sensor in repository.sensor_defs}
    assert sensors.keys() == {"follow_inputs", "watch_seed_files"}
    assert {sensor.default_status for sensor in sensors.values()} == {dg.DefaultSensorStatus.RUNNING}
    assert sensors["follow_inputs"].job_name == "bring_up_to_date"
    assert repository.schedule_defs
    assert all((sensor.minimum_interval_seconds or 60) <= 30 for sensor in sensors.values())
    assert {schedule.default_status for schedule in repository.schedule_defs} == {
        dg.DefaultScheduleStatus.STOPPED
    }
    observed = {
        key.to_user_string()
        for schedule in repository.schedule_defs
        for key in repository.get_job(schedule.job_name).asset_layer.selected_asset_keys
    }
    assert observed == OBSERVED


def test_the_instance_tells_nobody_anything_and_bounds_its_runs() -> None:
    instance = yaml.safe_load((PROJECT / "dagster.yaml").read_text(encoding="utf-8"))
    assert instance["telemetry"] == {"enabled": False}
    assert instance["nux"] == {"enabled": False}
    assert instance["concurrency"]["runs"]["max_concurrent_runs"] == 2
    monitored = instance["run_monitoring"]
    assert monitored["free_slots_after_run_end_seconds"] > 0
    assert monitored["poll_interval_seconds"] <= 15
    assert monitored["start_timeout_seconds"] <= 180
