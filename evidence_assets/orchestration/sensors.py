"""What looks at the seed files: a relation is a partition, and its file's content is its version."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg

from evidence_assets.orchestration.partitions import RELATIONS

SEED_FILES = dg.AssetKey("seed_files")
_VERSION = "dagster/data_version"


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


def watch_seed_files(folder: Path, harvests: list[str]) -> dg.SensorDefinition:
    """Return the sensor of the seed folder.

    It registers partitions and notes versions; automation owns the runs. A version that goes back to what it
    once was is a change like any other. Where a file is gone, its relation is retired from each harvested
    graph: nothing above those has changed, so automation would not.
    """

    @dg.sensor(
        name="watch_seed_files",
        job_name="gather_harvest",
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Notes the content of every seed file. A changed file re-extracts its relation, a new "
        "one adds it, a removed one retires it.",
    )
    def watch(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        kept: dict[str, Any] = json.loads(context.cursor) if context.cursor else {"noted": {}, "retired": 0}
        name = str(RELATIONS.name)
        registered = set(context.instance.get_dynamic_partitions(name))
        changes, problems = look(folder, registered, kept["noted"])
        for problem in problems:
            context.log.error(problem)
        requests: list[dg.RunRequest] = []
        retired = kept["retired"]
        if changes.removed:
            # A run key is used once for ever: the moment lets one relation be retired again.
            kept["retired"] = time.time_ns()
            requests = [
                dg.RunRequest(run_key=f"retire-{kept['retired']}-{arm}", partition_key=arm)
                for arm in harvests
            ]

        def version(relation: str) -> str:
            """Return a file's content hash; where it may have been gone and retired, with the moment of that.

            A file that comes back as it was is a change: nothing of its relation is in the lake.
            """
            came = retired and relation not in kept["noted"]
            return changes.noted[relation] + (f"-{retired}" if came else "")

        partitions: list[dg.AddDynamicPartitionsRequest | dg.DeleteDynamicPartitionsRequest] = []
        if changes.added:
            partitions.append(RELATIONS.build_add_request(changes.added))
        if changes.removed:
            partitions.append(RELATIONS.build_delete_request(changes.removed))
        return dg.SensorResult(
            run_requests=requests,
            dynamic_partitions_requests=partitions,
            asset_events=[
                # Of an asset that nothing observes, Dagster's conditions see materializations alone.
                dg.AssetMaterialization(SEED_FILES, partition=relation, tags={_VERSION: version(relation)})
                for relation in changes.changed
            ],
            cursor=json.dumps({"noted": changes.noted, "retired": kept["retired"]}, sort_keys=True),
        )

    return watch
