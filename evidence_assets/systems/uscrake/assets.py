"""USCRaKE's assets: each arm's evidence, chains and predictions."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import dagster as dg
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.previews import histogram, table_preview
from evidence_assets.lake.schemas import (
    QUESTIONS,
    RANKED_CHUNKS,
    RANKED_TRIPLES,
    RERANKED_EVIDENCE,
)
from evidence_assets.orchestration.asset_defaults import GPU_POOL, SINGLE_RUN, logged
from evidence_assets.orchestration.experiments import experiment_specs, write_experiment
from evidence_assets.orchestration.lake_resource import LakeResource, Writing
from evidence_assets.orchestration.model_resources import EncoderResource, GeneratorResource
from evidence_assets.orchestration.partitions import (
    ProjectPartitions,
    benchmark_and_arm,
    inputs_to_arms,
    of_benchmark,
)
from evidence_assets.reading.extractive import weights_version
from evidence_assets.reading.prompted import prompts_version
from evidence_assets.reading.prompted_arms import with_generators
from evidence_assets.retrieval.assets import chunks_of
from evidence_assets.retrieval.rankings import OPTION_DEPTH
from evidence_assets.systems.uscrake.arms import ARMS, SYSTEM, Arm
from evidence_assets.systems.uscrake.reading import Found, read_benchmark, read_prompted

# Weights and prompts decide every answer: new ones are new code.
CODE_VERSION = f"2-{weights_version()}"
PROMPTED_VERSION = f"2-{prompts_version()}"
_DESCRIPTIONS = {
    "evidence": "Every chunk, sentence and triple an arm was given or cited, with where it stands.",
    "selected_evidence": "The chunks and triples each option was argued from, best first.",
    "chains": "One chain an option: the sentences and triples that speak for it, cited by number.",
    "predictions": "One answer a question, with calibrated confidence.",
    "prediction_evidence": "Which evidence each prediction was given and which it cited.",
}


def uscrake_assets(project: ProjectPartitions) -> dg.AssetsDefinition:
    """Return the system's assets, without its scores."""
    arms = with_generators(ARMS, project.generators)
    specs = experiment_specs(
        SYSTEM,
        _DESCRIPTIONS,
        [
            *of_benchmark("questions", "ranked_triples"),
            dg.AssetDep(
                "ranked_chunks",
                partition_mapping=inputs_to_arms({arm.name: arm.retrieval for arm in arms.values()}),
            ),
            dg.AssetDep(
                "reranked_evidence",
                partition_mapping=inputs_to_arms(
                    {arm.name: arm.retrieval for arm in arms.values() if arm.selection.needs_scores}
                ),
            ),
        ],
        f"{CODE_VERSION}-{prompts_version()}",
    )

    @dg.multi_asset(
        name=SYSTEM,
        specs=specs,
        partitions_def=project.experiments(arms),
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
    )
    def uscrake(
        context: dg.AssetExecutionContext,
        lake: LakeResource,
        encoder: EncoderResource,
        generator: GeneratorResource,
    ) -> Iterator[dg.MaterializeResult[Any]]:
        writing = Writing(context, lake.open())
        # What must fail comes last: the run's other experiments are made, and recorded, before it does.
        for key in sorted(context.partition_keys, key=lambda key: _lacks_graph(project, key, arms)):
            benchmark, name = benchmark_and_arm(key)
            arm = arms[name]
            with writing.partition(key) as step:
                questions = writing.lake.read(QUESTIONS, {"benchmark": benchmark})
                found = _found(writing.lake, project, benchmark, arm)
                if arm.prompted:
                    asked = generator.recorded(arm.generator, project.generators, step, "predictions")
                    told = logged(context, key, "replies")
                    result = read_prompted(questions, found, asked, arm, benchmark, PROMPTED_VERSION, told)
                else:
                    encode = encoder.cached(lake.cache_folder(), context).encode
                    result = read_benchmark(questions, found, encode, arm, benchmark, CODE_VERSION)
                place = {"system": SYSTEM, "arm": name, "benchmark": benchmark}
                tables = result.tables()
                write_experiment(step, tables, place)
                step.show(_counts(tables), asset="selected_evidence")
                step.show(_sample_trace(tables), asset="predictions")
        yield from writing.results()

    return uscrake


def _lacks_graph(project: ProjectPartitions, key: str, arms: Mapping[str, Arm]) -> bool:
    """Tell whether an experiment reads triples, and its benchmark names no graph."""
    benchmark, arm = benchmark_and_arm(key)
    return bool(arms[arm].selection.triples) and project.graph_of(benchmark) is None


def _found(lake: Lake, project: ProjectPartitions, benchmark: str, arm: Arm) -> Found:
    """Return what an arm may select from.

    Raises:
        LookupError: the arm reads triples, and the benchmark names no graph.
    """
    selection = arm.selection
    if _lacks_graph(project, f"{arm.name}|{benchmark}", {arm.name: arm}):
        raise LookupError(
            f"arm {arm.name} reads triples, and {project.location} names no graph for benchmark {benchmark}; "
            f"remedy: name one there (benchmarks.{benchmark}.graph), or materialise arms of chunks only"
        )
    place = {"benchmark": benchmark, "retrieval": arm.retrieval}
    ranked = lake.read(RANKED_CHUNKS, place)
    ranked = ranked.filter(pc.less_equal(ranked.column("rank"), OPTION_DEPTH))
    return Found(
        ranked,
        chunks_of(lake, project, benchmark, ranked.column("chunk_id").unique()),
        lake.read(RANKED_TRIPLES, {"benchmark": benchmark}) if selection.triples else None,
        lake.read(RERANKED_EVIDENCE, place) if selection.needs_scores else None,
    )


def _counts(tables: dict[str, pa.Table]) -> dict[str, Any]:
    """Return how much evidence of each kind was selected, and its scores."""
    kinds = dict(
        zip(
            tables["evidence"].column("evidence_id").to_pylist(),
            tables["evidence"].column("kind").to_pylist(),
            strict=True,
        )
    )
    selected = tables["selected_evidence"]
    counts = Counter(kinds[found] for found in selected.column("evidence_id").to_pylist())
    scores = histogram(selected.column("score").to_numpy(), "Scores of selected evidence", "score")
    return {"selected": dict(counts), "scores": scores}


def _sample_trace(tables: dict[str, pa.Table]) -> dict[str, Any]:
    """Return a few chosen chains, to read in the UI."""
    chosen = {
        (row["question_id"], row["predicted_index"])
        for row in tables["predictions"].slice(0, 5).to_pylist()
        if row["predicted_index"] is not None
    }
    rows = [
        {"question_id": row["question_id"], "chain": row["text"], "citations": row["citation_status"]}
        for row in tables["chains"].to_pylist()
        if (row["question_id"], row["candidate"]) in chosen
    ]
    return {"sample_chains": table_preview(pa.Table.from_pylist(rows))} if rows else {}
