"""The sensor of the seed files: a relation is a partition, and its file's content is its version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import dagster as dg

from evidence_assets.orchestration.assets import DATA_VERSION_TAG
from evidence_assets.orchestration.partitions import RELATIONS

SEED_FILES = dg.AssetKey("seed_files")


@dataclass(frozen=True, slots=True)
class SeedChanges:
    """What a look at the seed folder finds: files that came, went, or say something else than noted.

    `noted`: relation to content hash, of every file that can be read, or could be.
    """

    added: list[str]
    removed: list[str]
    changed: list[str]
    noted: dict[str, str]


def look(folder: Path, registered: set[str], noted: Mapping[str, str]) -> tuple[SeedChanges, list[str]]:
    """Return what changed in a seed folder since `noted`, and what could not be read.

    Nothing is lost while nobody looked: a file is compared with what was noted of it, however long ago.
    """
    from evidence_assets.extraction.seeds import SeedError, fingerprint, is_relation_name, seed_files

    files = seed_files(folder)
    current, problems = {}, []
    for relation, path in list(files.items()):
        if not is_relation_name(relation):
            # Dagster takes no such partition, and one that it refuses would stop the look at all others.
            problems.append(
                f"{path}: a relation's name has letters, digits, - and _; remedy: rename the file"
            )
            del files[relation]
            continue
        try:
            current[relation] = fingerprint(path)
        except SeedError as error:
            problems.append(str(error))
            if relation in noted:
                current[relation] = noted[relation]
    return (
        SeedChanges(
            added=sorted(set(files) - registered),
            # Noted and not registered: the command line took note of its end before anyone looked.
            removed=sorted((registered | set(noted)) - set(files)),
            changed=sorted(
                relation for relation, content in current.items() if noted.get(relation) != content
            ),
            noted=current,
        ),
        problems,
    )


def register_relations(instance: dg.DagsterInstance, folder: Path) -> list[str]:
    """Make the seed files' relations partitions, as the sensor does; return them all.

    For runs from the command line: Dagster refuses a partition that nobody has registered.

    Raises:
        SeedError: there is no such folder.
    """
    name = str(RELATIONS.name)
    changes, _ = look(folder, set(instance.get_dynamic_partitions(name)), {})
    instance.add_dynamic_partitions(name, changes.added)
    for relation in changes.removed:
        instance.delete_dynamic_partition(name, relation)
    return sorted(instance.get_dynamic_partitions(name))


def watch_seed_files(folder: Path) -> dg.SensorDefinition:
    """Return the sensor of the seed folder.

    It registers partitions and notes versions; `follow_inputs` owns the runs.
    """

    @dg.sensor(
        name="watch_seed_files",
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Makes every seed file a partition, and notes its content. What was made from a changed "
        "file is made again by `follow_inputs`; a removed one is retired.",
    )
    def watch(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        noted: dict[str, str] = json.loads(context.cursor)["noted"] if context.cursor else {}
        registered = set(context.instance.get_dynamic_partitions(str(RELATIONS.name)))
        changes, problems = look(folder, registered, noted)
        for problem in problems:
            context.log.error(problem)
        partitions: list[dg.AddDynamicPartitionsRequest | dg.DeleteDynamicPartitionsRequest] = []
        if changes.added:
            partitions.append(RELATIONS.build_add_request(changes.added))
        if gone := sorted(set(changes.removed) & registered):
            partitions.append(RELATIONS.build_delete_request(gone))
        return dg.SensorResult(
            dynamic_partitions_requests=partitions,
            asset_events=[
                dg.AssetMaterialization(
                    SEED_FILES, partition=relation, tags={DATA_VERSION_TAG: changes.noted[relation]}
                )
                for relation in changes.changed
            ],
            cursor=json.dumps({"noted": changes.noted}, sort_keys=True),
        )

    return watch
