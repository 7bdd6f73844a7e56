"""4StepFocus's assets: each arm's ranked answers, with the triples and documents that back them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import dagster as dg
import pyarrow as pa

from evidence_assets.evidence.experiment import Experiment
from evidence_assets.graphs.loaders import check_numbers, templates_of
from evidence_assets.kgqa.document_pools import BM25, DENSE, open_questions, pools_of
from evidence_assets.kgqa.loaders import open_typed_graph
from evidence_assets.kgqa.serialization import QueryRecord, deserialize_queries
from evidence_assets.kgqa.solving import Solver
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import DOCUMENT_POOLS, NODE_DOCUMENTS, QUESTION_QUERIES, QUESTIONS
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.orchestration.asset_defaults import GPU_POOL, SINGLE_RUN, logged
from evidence_assets.orchestration.experiments import experiment_specs, write_experiment
from evidence_assets.orchestration.lake_resource import LakeResource, Step, Writing
from evidence_assets.orchestration.model_resources import (
    EncoderResource,
    GeneratorResource,
    PairScorerResource,
)
from evidence_assets.orchestration.partitions import (
    ProjectPartitions,
    benchmark_and_arm,
    inputs_to_arms,
    of_benchmark,
)
from evidence_assets.reading.prompted import prompts_version
from evidence_assets.reading.prompting import RERANK, TRIPLETS
from evidence_assets.systems.four_step_focus import report
from evidence_assets.systems.four_step_focus.arms import ARMS, SYSTEM, Arm, with_generators
from evidence_assets.systems.four_step_focus.reading import (
    Case,
    KnowledgeBase,
    Search,
    by_meaning,
    cases,
    new_experiment,
    read_case,
)
from evidence_assets.systems.four_step_focus.reranking import asked, scored

CODE_VERSION = "four-step-focus-1"
PROMPTS = (TRIPLETS, RERANK)
_DESCRIPTIONS = {
    "evidence": "Triples that back an answer, and documents of the first, each with its source.",
    "selected_evidence": "What each question's answers rest on, the best answer's first.",
    "chains": "Each question's first answer, argued from the triples that back it.",
    "predictions": "Each question's first answer, and the rule that chose among equals.",
    "prediction_evidence": "Which evidence each prediction was given and which it cites.",
    "ranked_answers": "The answers of each question: those that meet its conditions, then the nearest "
    "others, marked as not backed by the graph.",
}


def four_step_focus_assets(project: ProjectPartitions) -> dg.AssetsDefinition:
    """Return 4StepFocus's experiments."""
    arms = with_generators(ARMS, project.generators)
    parsers = {arm.name: arm.parser for arm in arms.values() if arm.parser}
    specs = experiment_specs(
        SYSTEM,
        _DESCRIPTIONS,
        [
            *of_benchmark("questions"),
            dg.AssetDep(QUESTION_QUERIES.name, partition_mapping=inputs_to_arms(parsers)),
            *of_benchmark(DOCUMENT_POOLS.name),
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
    def four_step_focus(
        context: dg.AssetExecutionContext,
        lake: LakeResource,
        encoder: EncoderResource,
        pair_scorer: PairScorerResource,
        generator: GeneratorResource,
    ) -> Iterator[dg.MaterializeResult[Any]]:
        writing = Writing(context, lake.open())
        bases = _Bases(writing.lake, project, encoder.cached(lake.cache_folder(), context))
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            arm = arms[name]
            with writing.partition(key) as step:
                found, base = _cases(context, bases, benchmark, arm)
                result = new_experiment(arm, benchmark, CODE_VERSION)
                looks: Sequence[Mapping[int, float] | None] = [None] * len(found)
                generator_id = ""
                if arm.prompted:
                    model = generator.recorded(arm.generator, project.generators, step, "predictions")
                    generator_id = model.generator.generator_id
                    if arm.reranks:
                        looks = asked(found, base, model, arm, logged(context, key, "replies"))
                elif arm.reranks:
                    scorer = pair_scorer.load(bases.encoder)
                    looks = scored(found, base, scorer, arm, logged(context, key, "answers looked at again"))
                for case, seconds in zip(found, looks, strict=True):
                    read_case(result, case, base, arm, seconds, generator_id)
                _write(step, result, arm, benchmark, key)
        yield from writing.results()

    return four_step_focus


def _write(step: Step, result: Experiment, arm: Arm, benchmark: str, key: str) -> None:
    tables = result.tables()
    place = {"system": SYSTEM, "arm": arm.name, "benchmark": benchmark}
    write_experiment(step, tables, place)
    step.show(report.of_experiment(tables, key), asset="ranked_answers")


class _Bases:
    """The knowledge bases of a run, each opened once."""

    def __init__(self, lake: Lake, project: ProjectPartitions, encoder: CachedEncoder) -> None:
        self.lake, self.project, self.encoder = lake, project, encoder
        self._opened: dict[str, KnowledgeBase] = {}

    def of(self, kg: str) -> KnowledgeBase:
        """Return a graph's knowledge base; the documents are read even if they are known, to be recorded."""
        documents = self.lake.read(NODE_DOCUMENTS, {"kg": kg}, ["document_id", "node", "label", "text"])
        if kg not in self._opened:
            source = self.project.sources.graphs[kg]
            typed = open_typed_graph(self.lake, kg, source)
            check_numbers(typed.graph, documents, NODE_DOCUMENTS.name)
            rows = documents.sort_by("node")
            self._opened[kg] = KnowledgeBase(
                typed.graph,
                typed.graph.labels.to_pylist(),
                rows.column("text").to_pylist(),
                rows.column("document_id").to_pylist(),
                templates_of(self.lake, source),
                Solver(typed.graph, typed.types),
            )
        return self._opened[kg]


def _cases(
    context: dg.AssetExecutionContext, bases: _Bases, benchmark: str, arm: Arm
) -> tuple[list[Case], KnowledgeBase]:
    """Return a benchmark's open questions with who may answer each."""
    kg = bases.project.graph_of(benchmark)
    if kg is None:
        raise dg.Failure(
            f"{benchmark} names no graph, and {SYSTEM} asks one; remedy: name one in the configuration"
        )
    base = bases.of(kg)
    questions = open_questions(bases.lake.read(QUESTIONS, {"benchmark": benchmark})).to_pylist()
    search = _search(bases, base, benchmark, questions, arm)
    readings = _readings(bases, benchmark, base, arm)
    told = logged(context, f"{arm.name}|{benchmark}", "questions solved")
    return list(cases(questions, readings, base, search, arm, told)), base


def _readings(bases: _Bases, benchmark: str, base: KnowledgeBase, arm: Arm) -> dict[str, list[QueryRecord]]:
    if not arm.parser:
        return {}
    rows: pa.Table = bases.lake.read(QUESTION_QUERIES, {"benchmark": benchmark, "parser": arm.parser})
    readings = deserialize_queries(rows)
    if arm.vector_constants:
        readings = by_meaning(readings, bases.encoder.encode(list(base.labels)), bases.encoder)
    return readings


def _search(
    bases: _Bases, base: KnowledgeBase, benchmark: str, questions: Sequence[Mapping[str, Any]], arm: Arm
) -> Search:
    rows = bases.lake.read(DOCUMENT_POOLS, {"benchmark": benchmark})
    encode = bases.encoder.encode
    return Search(
        pools_of(rows, BM25 if arm.by_words else DENSE),
        encode([question["question"] for question in questions]),
        encode(list(base.documents)),
    )
