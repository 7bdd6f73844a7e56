"""UCRET's assets: what of each table is kept, and each arm's evidence, chains and predictions."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import COLLAPSED_TABLES, QUESTIONS, TABLES
from evidence_assets.orchestration.asset_defaults import GPU_POOL, MADE_WHEN_ASKED, SINGLE_RUN, logged
from evidence_assets.orchestration.experiments import experiment_specs, write_experiment
from evidence_assets.orchestration.lake_resource import LakeResource, Writing
from evidence_assets.orchestration.model_resources import EncoderResource, GeneratorResource
from evidence_assets.orchestration.partitions import (
    ProjectPartitions,
    benchmark_and_arm,
    inputs_to_arms,
    of_benchmark,
)
from evidence_assets.reading.prompted import prompts_version
from evidence_assets.systems.ucret import report
from evidence_assets.systems.ucret.arms import ARMS, SYSTEM, with_generators
from evidence_assets.systems.ucret.collapsing import collapse
from evidence_assets.systems.ucret.prompted import PROMPTS, read_prompted
from evidence_assets.systems.ucret.reading import read_benchmark
from evidence_assets.tables.columns import FILTERS
from evidence_assets.tables.serialization import stored_tables
from evidence_assets.tables.table import Table

Results = Iterator[dg.MaterializeResult[Any]]
CODE_VERSION = "2"
_PER_QUESTION = of_benchmark("questions", "tables")
_DESCRIPTIONS = {
    "evidence": "Every column, row and cell an arm was given or cited, with its address.",
    "selected_evidence": "The columns that each question was shown, and the cells each answer rests on.",
    "chains": "One chain a verdict or option: a program, rows or an argument, with the cells it cites.",
    "predictions": "One verdict or answer a question.",
    "prediction_evidence": "Which evidence each prediction was given and which it cited.",
}


def ucret_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    """Return the system's assets, without its scores."""
    return [_collapsed(project), _experiments(project)]


def _collapsed(project: ProjectPartitions) -> dg.AssetsDefinition:
    @dg.asset(
        **MADE_WHEN_ASKED,
        name=COLLAPSED_TABLES.name,
        partitions_def=project.experiments(FILTERS),
        deps=_PER_QUESTION,
        group_name="retrieval",
        tags={"layer": "retrieval", "system": SYSTEM},
        code_version="1",
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
        description="The columns and rows of each question's table that a filter keeps, with what spoke for "
        "each.",
    )
    def collapsed_tables(
        context: dg.AssetExecutionContext, lake: LakeResource, encoder: EncoderResource
    ) -> Results:
        writing = Writing(context, lake.open())
        encode = encoder.cached(lake.cache_folder(), context).encode
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            with writing.partition(key) as step:
                questions = writing.lake.read(QUESTIONS, {"benchmark": benchmark}).to_pylist()
                tables = _tables(writing.lake, benchmark)
                rows = collapse(questions, tables, encode, FILTERS[name], benchmark)
                step.write(COLLAPSED_TABLES, {"benchmark": benchmark, "filter": name}, rows)
                step.show(report.of_collapsed(rows, key))
        yield from writing.results()

    made: dg.AssetsDefinition = collapsed_tables
    return made


def _experiments(project: ProjectPartitions) -> dg.AssetsDefinition:
    arms = with_generators(ARMS, project.generators)
    filters = {arm.name: arm.filter for arm in arms.values()}
    specs = experiment_specs(
        SYSTEM,
        _DESCRIPTIONS,
        [
            *_PER_QUESTION,
            dg.AssetDep(COLLAPSED_TABLES.name, partition_mapping=inputs_to_arms(filters)),
        ],
        f"{CODE_VERSION}-{prompts_version(*PROMPTS)}",
    )

    @dg.multi_asset(
        name=SYSTEM,
        specs=specs,
        partitions_def=project.experiments(arms),
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
    )
    def ucret(
        context: dg.AssetExecutionContext,
        lake: LakeResource,
        encoder: EncoderResource,
        generator: GeneratorResource,
    ) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            arm = arms[name]
            with writing.partition(key) as step:
                questions = writing.lake.read(QUESTIONS, {"benchmark": benchmark})
                tables = _tables(writing.lake, benchmark)
                place = {"benchmark": benchmark, "filter": arm.filter}
                collapsed = writing.lake.read(COLLAPSED_TABLES, place)
                if arm.prompted:
                    asked = generator.recorded(arm.generator, project.generators, step, "predictions")
                    told = logged(context, key, "replies")
                    version = f"{CODE_VERSION}-{prompts_version(*PROMPTS)}"
                    result = read_prompted(questions, tables, collapsed, asked, arm, benchmark, version, told)
                else:
                    encode = encoder.cached(lake.cache_folder(), context).encode
                    result = read_benchmark(
                        questions, tables, collapsed, encode, arm, benchmark, CODE_VERSION
                    )
                made = result.tables()
                write_experiment(step, made, {"system": SYSTEM, "arm": name, "benchmark": benchmark})
                step.show(report.of_experiment(made, collapsed, tables), asset="predictions")
        yield from writing.results()

    return ucret


def _tables(lake: Lake, benchmark: str) -> dict[str, Table]:
    return stored_tables(lake.read(TABLES, {"source": benchmark}))
