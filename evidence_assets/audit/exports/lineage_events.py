"""What made an experiment's tables as OpenLineage events: a run's start and end for every partition."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from evidence_assets.lake.schemas import TABLES_BY_NAME
from evidence_assets.stages.inputs import SOURCE_FILES

if TYPE_CHECKING:
    from evidence_assets.audit.exports.experiment import Exported, Made
    from evidence_assets.lake.lake import PartitionVersion

NAMESPACE = "evidence-assets"
# URIs that name no server: files keep what the configuration calls them.
_FILES = "file"
_PRODUCER = "urn:evidence-assets"


def lineage_events(exported: Exported) -> Iterator[dict[str, Any]]:
    """Yield the events, in the order of their times: what is read before what reads it."""
    from openlineage.client.event_v2 import RunState
    from openlineage.client.serde import Serde

    made = [entry for entry in exported.lineage if entry.record is not None]
    for entry in sorted(made, key=lambda entry: (_record(entry)["materialized_at"], entry.version.table)):
        for state in (RunState.START, RunState.COMPLETE):
            yield Serde.to_dict(_event(entry, state))


def _record(made: Made) -> Any:
    return made.record


def _event(made: Made, state: Any) -> Any:
    from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
    from openlineage.client.generated.job_type_job import JobTypeJobFacet
    from openlineage.client.generated.output_statistics_output_dataset import (
        OutputStatisticsOutputDatasetFacet,
    )

    record, version = _record(made), made.version
    ended = record["materialized_at"]
    started = ended - timedelta(seconds=record["seconds"] or 0)
    run = uuid.uuid5(uuid.NAMESPACE_URL, f"{record['run_id']} {version.table} {version.partition}")
    statistics = OutputStatisticsOutputDatasetFacet(
        rowCount=record["rows"], size=record["bytes"], fileCount=1
    )
    output = OutputDataset(
        NAMESPACE, _name(version), facets=_facets(version), outputFacets={"outputStatistics": statistics}
    )
    inputs = [
        InputDataset(_FILES if read.table == SOURCE_FILES else NAMESPACE, _name(read), facets=_facets(read))
        for read in made.made_from
    ]
    kind = JobTypeJobFacet(processingType="BATCH", integration="EVIDENCE_ASSETS", jobType="ASSET")
    return RunEvent(
        eventType=state,
        eventTime=(started if state is RunState.START else ended).isoformat(),
        run=Run(str(run)),
        job=Job(NAMESPACE, version.table, facets={"jobType": kind}),
        inputs=inputs,
        outputs=[output] if state is RunState.COMPLETE else [],
        producer=_PRODUCER,
    )


def _name(version: PartitionVersion) -> str:
    if version.table == SOURCE_FILES:
        return version.partition
    return "/".join(part for part in (version.table, version.partition) if part)


def _facets(version: PartitionVersion) -> dict[str, Any]:
    from openlineage.client.generated.dataset_version_dataset import DatasetVersionDatasetFacet
    from openlineage.client.generated.schema_dataset import SchemaDatasetFacet, SchemaDatasetFacetFields

    facets: dict[str, Any] = {"version": DatasetVersionDatasetFacet(version.content_hash)}
    if version.table in TABLES_BY_NAME:
        schema = TABLES_BY_NAME[version.table].schema
        fields = [SchemaDatasetFacetFields(field.name, str(field.type)) for field in schema]
        facets["schema"] = SchemaDatasetFacet(fields)
    return facets
