"""What a look at the seed files finds, and what the sensor asks of Dagster for it."""

from __future__ import annotations

import json
from pathlib import Path

import dagster as dg
import pytest

from evidence_assets.extraction.seeds import SeedError, fingerprint
from evidence_assets.orchestration.partitions import RELATIONS
from evidence_assets.orchestration.seed_sensor import look, register_relations, watch_seed_files

SEED = """name: {name}
prompt: <ENT0> is near <ENT1>
pairs:
  - [lamp, {tail}]
template: "{{head}} is near {{tail}}"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "seeds"
    made.mkdir()
    for name in ("Above", "Below"):
        write(made, name)
    return made


def write(folder: Path, name: str, tail: str = "table") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(SEED.format(name=name, tail=tail), encoding="utf-8")
    return path


def hashes(folder: Path) -> dict[str, str]:
    return {path.stem: fingerprint(path) for path in folder.glob("*.yaml")}


def partitions(instance: dg.DagsterInstance) -> set[str]:
    return set(instance.get_dynamic_partitions(str(RELATIONS.name)))


def sense(folder: Path, instance: dg.DagsterInstance, cursor: str | None = None) -> dg.SensorResult:
    """One look of the sensor; its partition requests are carried out, as Dagster does."""
    context = dg.build_sensor_context(instance=instance, cursor=cursor)
    result = watch_seed_files(folder)(context)
    assert isinstance(result, dg.SensorResult)
    for request in result.dynamic_partitions_requests or ():
        if isinstance(request, dg.AddDynamicPartitionsRequest):
            instance.add_dynamic_partitions(request.partitions_def_name, request.partition_keys)
        else:
            for key in request.partition_keys:
                instance.delete_dynamic_partition(request.partitions_def_name, key)
    return result


def noted(result: dg.SensorResult) -> dict[str, str]:
    """The version that each relation's seed file was noted with."""
    versions = {}
    for event in result.asset_events:
        assert event.asset_key == dg.AssetKey("seed_files")
        assert isinstance(event, dg.AssetMaterialization)
        assert event.partition is not None
        versions[event.partition] = (event.tags or {})["dagster/data_version"]
    return versions


def test_a_first_look_finds_every_file_new(folder: Path) -> None:
    changes, problems = look(folder, set(), {})
    assert (changes.added, changes.removed, changes.changed) == (["Above", "Below"], [], ["Above", "Below"])
    assert changes.noted == hashes(folder)
    assert problems == []


def test_a_look_at_what_was_noted_finds_nothing(folder: Path) -> None:
    changes, problems = look(folder, {"Above", "Below"}, hashes(folder))
    assert (changes.added, changes.removed, changes.changed) == ([], [], [])
    assert changes.noted == hashes(folder)
    assert problems == []


def test_a_file_of_other_bytes_has_changed_and_one_of_the_same_has_not(folder: Path) -> None:
    known = hashes(folder)
    write(folder, "Above", "chair")
    write(folder, "Below")
    changes, _ = look(folder, {"Above", "Below"}, known)
    assert changes.changed == ["Above"]
    assert changes.noted["Above"] != known["Above"]
    assert changes.noted["Below"] == known["Below"]


def test_a_relation_whose_file_is_gone_is_removed_whoever_registered_it(folder: Path) -> None:
    known = hashes(folder)
    (folder / "Above.yaml").unlink()
    for registered in ({"Above", "Below"}, {"Below"}):
        changes, _ = look(folder, registered, known)
        assert (changes.added, changes.removed, changes.changed) == ([], ["Above"], [])
        assert changes.noted.keys() == {"Below"}
    changes, _ = look(folder, {"Above", "Below"}, {})
    assert changes.removed == ["Above"]


def test_a_file_that_cannot_be_read_is_told_and_is_no_removed_one(folder: Path) -> None:
    known = hashes(folder)
    for name in ("Above", "Crooked"):
        (folder / f"{name}.yaml").unlink(missing_ok=True)
        (folder / f"{name}.yaml").mkdir()
    changes, problems = look(folder, {"Above", "Below"}, known)
    assert all(
        str(folder / f"{name}.yaml") in problem
        for name, problem in zip(("Above", "Crooked"), problems, strict=True)
    )
    assert all("remedy" in problem for problem in problems)
    assert (changes.added, changes.removed, changes.changed) == (["Crooked"], [], [])
    assert changes.noted == known, "what was noted of it stays, until it can be read again"


def hashes_without(folder: Path, *names: str) -> dict[str, str]:
    return {path.stem: fingerprint(path) for path in folder.glob("*.yaml") if path.stem not in names}


def test_a_file_that_says_nonsense_is_noted_like_any_other(folder: Path) -> None:
    (folder / "Nonsense.yaml").write_bytes(b"\xff: [")
    changes, problems = look(folder, {"Above", "Below"}, hashes_without(folder, "Nonsense"))
    assert (changes.added, changes.changed, problems) == (["Nonsense"], ["Nonsense"], [])


def test_other_files_and_hidden_ones_are_no_relations(folder: Path) -> None:
    (folder / "README.md").write_text("of seeds", encoding="utf-8")
    (folder / "Above.yaml~").write_text("a backup", encoding="utf-8")
    # What an editor leaves beside a file that it has open.
    (folder / ".#Above.yaml").symlink_to("someone@somewhere.42")
    changes, problems = look(folder, {"Above", "Below"}, hashes_without(folder, ".#Above"))
    assert (changes.added, changes.removed, changes.changed, problems) == ([], [], [], [])


def test_a_folder_that_is_not_there_is_no_empty_folder(folder: Path, instance: dg.DagsterInstance) -> None:
    """A disk that is not mounted must not retire every relation."""
    sense(folder, instance)
    with pytest.raises(SeedError, match="no such folder; remedy"):
        look(folder / "nowhere", {"Above"}, {})
    with pytest.raises(SeedError):
        sense(folder / "nowhere", instance)
    assert partitions(instance) == {"Above", "Below"}


def test_registering_follows_the_files(folder: Path, instance: dg.DagsterInstance) -> None:
    assert register_relations(instance, folder) == ["Above", "Below"]
    assert partitions(instance) == {"Above", "Below"}
    (folder / "Above.yaml").unlink()
    write(folder, "Within")
    assert register_relations(instance, folder) == ["Below", "Within"]
    assert partitions(instance) == {"Below", "Within"}
    assert register_relations(instance, folder) == ["Below", "Within"]
    with pytest.raises(SeedError, match="no such folder"):
        register_relations(instance, folder / "nowhere")
    assert partitions(instance) == {"Below", "Within"}


def test_the_sensor_registers_and_notes_every_file_once(folder: Path, instance: dg.DagsterInstance) -> None:
    first = sense(folder, instance)
    assert partitions(instance) == {"Above", "Below"}
    assert noted(first) == hashes(folder)
    second = sense(folder, instance, first.cursor)
    assert noted(second) == {}
    assert list(second.dynamic_partitions_requests or ()) == []
    assert second.cursor == first.cursor


def test_the_sensor_notes_a_changed_file_and_one_that_changed_back(
    folder: Path, instance: dg.DagsterInstance
) -> None:
    result = sense(folder, instance)
    old = hashes(folder)
    write(folder, "Above", "chair")
    result = sense(folder, instance, result.cursor)
    assert noted(result) == {"Above": hashes(folder)["Above"]}
    write(folder, "Above")
    result = sense(folder, instance, result.cursor)
    assert noted(result) == {"Above": old["Above"]}


def test_what_automation_reads_of_a_seed_file_is_its_last_noted_version(
    folder: Path, instance: dg.DagsterInstance
) -> None:
    """Of an asset that nothing observes, automation reads materialisations: an observation starts nothing."""
    for event in sense(folder, instance).asset_events:
        instance.report_runless_asset_event(event)
    record = instance.get_latest_data_version_record(dg.AssetKey("seed_files"), partition_key="Above")
    assert record is not None
    assert record.asset_materialization is not None
    tags = record.asset_materialization.tags or {}
    assert tags["dagster/data_version"] == hashes(folder)["Above"]


def test_a_removed_file_is_no_partition_and_one_again_when_it_comes_back(
    folder: Path, instance: dg.DagsterInstance
) -> None:
    result, known = sense(folder, instance), hashes(folder)
    for _ in range(2):
        (folder / "Above.yaml").unlink()
        result = sense(folder, instance, result.cursor)
        assert partitions(instance) == {"Below"}
        assert noted(result) == {}
        write(folder, "Above")
        result = sense(folder, instance, result.cursor)
        assert partitions(instance) == {"Above", "Below"}
        assert noted(result) == {"Above": known["Above"]}
    assert not result.run_requests, "it requests nothing: what is due is looked for in the lake"


def test_a_relation_that_the_command_line_took_away_is_no_partition(
    folder: Path, instance: dg.DagsterInstance
) -> None:
    result = sense(folder, instance)
    (folder / "Above.yaml").unlink()
    register_relations(instance, folder)
    result = sense(folder, instance, result.cursor)
    assert partitions(instance) == {"Below"}
    assert list(result.dynamic_partitions_requests or ()) == []


def test_every_change_since_the_last_look_is_noted_at_once(
    folder: Path, instance: dg.DagsterInstance
) -> None:
    result = sense(folder, instance)
    write(folder, "Above", "chair")
    write(folder, "Above", "shelf")
    (folder / "Below.yaml").unlink()
    write(folder, "Within")
    result = sense(folder, instance, result.cursor)
    assert noted(result) == hashes(folder)
    assert partitions(instance) == {"Above", "Within"}
    assert json.loads(str(result.cursor))["noted"] == hashes(folder)


def test_a_lost_cursor_loses_no_relation(folder: Path, instance: dg.DagsterInstance) -> None:
    sense(folder, instance)
    (folder / "Above.yaml").unlink()
    result = sense(folder, instance, None)
    assert noted(result) == hashes(folder)
    assert partitions(instance) == {"Below"}


def test_a_file_that_cannot_be_read_does_not_stop_the_sensor(
    folder: Path, instance: dg.DagsterInstance
) -> None:
    (folder / "Crooked.yaml").mkdir()
    result = sense(folder, instance)
    assert partitions(instance) == {"Above", "Below", "Crooked"}
    assert noted(result).keys() == {"Above", "Below"}
    (folder / "Crooked.yaml").rmdir()
    write(folder, "Crooked")
    assert noted(sense(folder, instance, result.cursor)) == {"Crooked": hashes(folder)["Crooked"]}


def test_the_sensor_is_on(folder: Path) -> None:
    sensor = watch_seed_files(folder)
    assert sensor.name == "watch_seed_files"
    assert sensor.default_status == dg.DefaultSensorStatus.RUNNING
    assert sensor.description
