"""UCRET's stage: what of each question's table is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pyarrow as pa

from evidence_assets.lake.schemas import COLLAPSED_TABLES, QUESTIONS, TABLES
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Metadata, Model, Output, Rows, Stage, retrieval_stage
from evidence_assets.systems.ucret.arms import SYSTEM
from evidence_assets.tables.column_filters import FILTERS

if TYPE_CHECKING:
    from evidence_assets.stages.step import Step
    from evidence_assets.tables.table import Table


def tables_of(step: Step) -> Mapping[str, Table]:
    """Return the tables of a step's benchmark by id, read once a run."""
    from evidence_assets.tables.serialization import tables_by_id

    place = {"source": step.key.name}
    return step.inputs.cached(
        ("tables", step.key.name), lambda inputs: tables_by_id(inputs.read(TABLES, place))
    )


def collapsed_of(step: Step, column_filter: str) -> pa.Table:
    """Return the rows of `collapsed_tables` of a step's benchmark and a filter."""
    return step.inputs.read(COLLAPSED_TABLES, {"benchmark": step.key.name, "filter": column_filter})


def ucret_stages(project: Project) -> list[Stage]:
    """Return the stage of the collapsed tables, one partition a benchmark and filter."""

    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.systems.ucret import report
        from evidence_assets.systems.ucret.collapsing import collapse

        benchmark, column_filter = step.key.name, FILTERS[step.key.variant]
        questions = step.inputs.read(QUESTIONS, {"benchmark": benchmark}).to_pylist()
        rows = collapse(questions, tables_of(step), step.encoder.encode, column_filter, benchmark)
        yield Rows(COLLAPSED_TABLES, rows)
        yield Metadata(report.of_collapsed(rows, step.key.text))

    description = (
        "The columns and rows of each question's table that a filter keeps, with what spoke for each."
    )
    return [
        retrieval_stage(
            name=COLLAPSED_TABLES.name,
            variants=tuple(FILTERS),
            outputs=(Output(COLLAPSED_TABLES, description),),
            inputs=(Input(QUESTIONS), Input(TABLES)),
            run=run,
            system=SYSTEM,
            models=frozenset({Model.ENCODER}),
            on_demand=True,
        )
    ]
