"""Stages of the pages: an experiment's answers beside their evidence, a benchmark's scores beside each other.

Their files stand in the lake's folder `pages`. The rows that name them are written after them, with the hash
of each: what is recorded of a partition stands for its files too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import pyarrow as pa

from evidence_assets.audit.pages.source_tables import SOURCE_TABLES
from evidence_assets.evaluation.published import published_version
from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.schemas import (
    BENCHMARK_SCORES,
    CHAINS,
    EVIDENCE,
    EVIDENCE_ABLATIONS,
    EVIDENCE_PAGES,
    PREDICTION_EVIDENCE,
    PREDICTIONS,
    QUESTIONS,
    RANKED_ANSWERS,
    SCORE_DIFFERENCES,
    SCOREBOARD_PAGES,
)
from evidence_assets.stages.declaration import (
    FilePath,
    Input,
    Metadata,
    Output,
    Rows,
    Scope,
    Stage,
    asset_path,
)

if TYPE_CHECKING:
    from evidence_assets.audit.pages.experiment import ExperimentRows
    from evidence_assets.progress import Progress
    from evidence_assets.sources.project import Project
    from evidence_assets.stages.step import Step
    from evidence_assets.systems.system import Arms, System

GROUP = LAYER = "evaluation"
_VERSION = "1"
_KINDS = ("python", "html")


@cache
def pages_version() -> str:
    """Return the version of the pages' code and of their templates."""
    folder = files("evidence_assets.audit.pages").joinpath("templates")
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.is_file()}
    return f"{_VERSION}-{combined_hash(texts[name] for name in sorted(texts))[:8]}"


def page_stage(project: Project, system: System, stages: Sequence[Stage]) -> Stage:
    """Return the stage of a system's evidence pages, one partition a benchmark and arm.

    `stages`: those that write tables; pages show what there is of them.
    """
    arms = system.arms_of(project)
    inputs = tuple(_inputs(project, system, arms, stages))
    readable = frozenset(declared.table for declared in inputs)

    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.audit.pages.experiment import read_experiment
        from evidence_assets.audit.pages.rendering import INDEX, folder_of
        from evidence_assets.lake.filesystem import replace_folder

        arm, benchmark = step.key.variant, step.key.name
        place = {"system": system.name, "arm": arm, "benchmark": benchmark}
        experiment = read_experiment(step.inputs, readable, place, arms[arm].description)
        folder, progress = folder_of(system.name, arm, benchmark), step.progress("answers shown")
        pages = _experiment_pages(experiment, progress)
        stored = replace_folder(step.files.filesystem, f"{step.files.path}/{folder}", pages)
        answers = {answer.prediction["prediction_id"] for answer in experiment.answers}
        rows = []
        for file in stored:
            prediction_id = file.name.removesuffix(".html").partition("-evidence-")[0]
            rows.append(
                {
                    **place,
                    "page": file.name,
                    "prediction_id": prediction_id if prediction_id in answers else None,
                    "path": f"{folder}/{file.name}",
                    "bytes": file.size,
                    "file_hash": file.content_hash,
                }
            )
        yield Rows(EVIDENCE_PAGES, pa.Table.from_pylist(rows, schema=EVIDENCE_PAGES.schema))
        yield Metadata(
            {
                "index_page": FilePath(f"{step.files.path}/{folder}/{INDEX}"),
                "pages": len(stored),
                "largest_page_bytes": max(file.size for file in stored),
            }
        )

    description = (
        "A page an answer, with its evidence beside the sources, and an index of them. Open `index_page` in "
        "a browser: it is a file in the lake's folder `pages`."
    )
    return Stage(
        name=f"{system.name}/{EVIDENCE_PAGES.name}",
        scope=Scope.BENCHMARK,
        variants=tuple(arms),
        outputs=(Output(EVIDENCE_PAGES, description),),
        inputs=inputs,
        run=run,
        group=GROUP,
        layer=LAYER,
        version=pages_version(),
        kinds=_KINDS,
        system=system.name,
        on_demand=True,
    )


def _inputs(project: Project, system: System, arms: Arms, stages: Sequence[Stage]) -> Iterator[Input]:
    assets = {asset_path(table, stage.system) for stage in stages for table in stage.tables}
    yield from map(Input, (QUESTIONS, PREDICTIONS, CHAINS, EVIDENCE, PREDICTION_EVIDENCE))
    if system.ranks:
        yield Input(RANKED_ANSWERS)
    for table in (BENCHMARK_SCORES, EVIDENCE_ABLATIONS):
        if asset_path(table, system.name) in assets:
            yield Input(table, optional=True, as_made=True)
    # What evidence is taken from: as the system reads it, where it does; else what its evidence may name.
    reads = {declared.table: declared for declared in system.inputs(arms, project)}
    varied = {table for stage in stages if stage.variants is not None for table in stage.tables}
    for table in SOURCE_TABLES:
        if asset_path(table, "") in assets and (table in reads or table not in varied):
            yield replace(reads.get(table, Input(table)), via=EVIDENCE, optional=True)


def _experiment_pages(experiment: ExperimentRows, progress: Progress) -> Iterator[tuple[str, bytes]]:
    """Yield every page of an experiment, its index last."""
    from evidence_assets.audit.pages.answer_page import answer_pages, name_of
    from evidence_assets.audit.pages.index_page import index_pages

    names = [name_of(answer) for answer in experiment.answers]
    for number, answer in enumerate(experiment.answers):
        neighbours = {
            "previous": names[number - 1] if number else None,
            "next": names[number + 1] if number + 1 < len(names) else None,
        }
        yield from answer_pages(experiment, answer, neighbours)
        progress(number + 1, len(names))
    yield from index_pages(experiment)


def scoreboard_stage(systems: Sequence[System]) -> Stage:
    """Return the stage of the scoreboards, one partition a benchmark, over all systems' experiments."""

    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.audit.pages.rendering import INDEX, scoreboard_folder
        from evidence_assets.audit.pages.scoreboard_page import scoreboard_page
        from evidence_assets.lake.filesystem import replace_folder

        benchmark = step.key.name
        folder = scoreboard_folder(benchmark)
        content = scoreboard_page(step.inputs, systems, benchmark)
        stored = replace_folder(step.files.filesystem, f"{step.files.path}/{folder}", [(INDEX, content)])
        rows = [
            {
                "benchmark": benchmark,
                "page": file.name,
                "path": f"{folder}/{file.name}",
                "bytes": file.size,
                "file_hash": file.content_hash,
            }
            for file in stored
        ]
        yield Rows(SCOREBOARD_PAGES, pa.Table.from_pylist(rows, schema=SCOREBOARD_PAGES.schema))
        yield Metadata({"index_page": FilePath(f"{step.files.path}/{folder}/{INDEX}")})

    inputs = [Input(QUESTIONS)]
    for system in systems:
        inputs += [
            Input(BENCHMARK_SCORES, system=system.name, as_made=True),
            Input(PREDICTIONS, system=system.name, via=BENCHMARK_SCORES, as_made=True),
            Input(SCORE_DIFFERENCES, system=system.name, as_made=True),
            Input(EVIDENCE_PAGES, system=system.name, as_made=True),
        ]
    description = (
        "Every experiment's scores beside each other, beside chance and beside published figures. Open "
        "`index_page` in a browser: it is a file in the lake's folder `pages`."
    )
    return Stage(
        name=SCOREBOARD_PAGES.name,
        scope=Scope.BENCHMARK,
        outputs=(Output(SCOREBOARD_PAGES, description),),
        inputs=tuple(inputs),
        run=run,
        group=GROUP,
        layer=LAYER,
        version=f"{pages_version()}-{published_version()}",
        kinds=_KINDS,
        on_demand=True,
        gathers=True,
    )
