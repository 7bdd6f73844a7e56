"""What every system's experiments are as assets: one a table, and how a partition's tables are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import dagster as dg
import pyarrow as pa

from evidence_assets.lake.schemas import TABLES_BY_NAME
from evidence_assets.orchestration.asset_defaults import MADE_WHEN_ASKED
from evidence_assets.orchestration.lake_resource import Step


def experiment_specs(
    system: str,
    descriptions: Mapping[str, str],
    deps: Sequence[dg.AssetDep],
    code_version: str,
) -> list[dg.AssetSpec]:
    """Return the assets of a system's experiments: one a table, in the order of the descriptions.

    An arm is made when it is asked for: a new generator would else cost money that nobody offered.
    """
    return [
        dg.AssetSpec(
            [system, table],
            deps=deps,
            description=description,
            **MADE_WHEN_ASKED,
            group_name=system,
            tags={"layer": "reasoning", "system": system},
            code_version=code_version,
        )
        for table, description in descriptions.items()
    ]


def write_experiment(step: Step, tables: Mapping[str, pa.Table], place: Mapping[str, str]) -> None:
    """Write an experiment's tables, by their names. `place`: its system, arm and benchmark."""
    for name, rows in tables.items():
        step.write(TABLES_BY_NAME[name], dict(place), rows)
