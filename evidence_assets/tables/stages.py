"""The stage of the tables that a benchmark's questions are about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evidence_assets.lake.schemas import TABLES
from evidence_assets.sources.project import Project
from evidence_assets.sources.retractions import TABLE
from evidence_assets.sources.specifications import reading
from evidence_assets.sources.stages import note_files
from evidence_assets.stages.declaration import Metadata, Output, Rows, Scope, Stage

if TYPE_CHECKING:
    from evidence_assets.stages.step import Step

_SHOWN = 20


def table_stages(project: Project) -> list[Stage]:
    """Return the stage of the tables."""

    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.sources.files import opened_files
        from evidence_assets.sources.rejections import how_many
        from evidence_assets.tables.question_tables import benchmark_tables, without

        benchmark = step.key.name
        source = project.benchmark(benchmark)
        located = project.locate(source.uri)
        with opened_files() as opened:
            rows, unusable = benchmark_tables(benchmark, source, located)
        note_files(step, source.uri, located, opened)
        rows = without(rows, project.retractions.of(TABLE, benchmark))
        yield Rows(TABLES, rows)
        told = [f"{record.record}: {record.reason}; remedy: {record.remedy}" for record in unusable]
        shown = "; ".join(told[:_SHOWN]) or "none"
        yield Metadata({"unusable": how_many(unusable), "unusable_tables": shown})
        for reason in told:
            step.log.warning(f"{benchmark}: {reason}")

    description = "The tables that a benchmark's questions are about, each cell as published and typed."
    return [
        Stage(
            name=TABLES.name,
            scope=Scope.BENCHMARK,
            outputs=(Output(TABLES, description),),
            inputs=(),
            run=run,
            group="sources",
            layer="source",
            version="7",
            files=("benchmark_files",),
            file_uris=lambda key: (project.benchmark(key.name).uri,),
            configuration=lambda key: (
                reading(project.benchmark(key.name)) + project.retractions.version(TABLE, key.name)
            ),
        )
    ]
