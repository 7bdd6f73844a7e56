"""Assets of what is asked of a graph: pools of documents, and questions read as conditions."""

from collections.abc import Iterator, Sequence
from typing import Any

import dagster as dg
import pyarrow as pa

from evidence_assets.graphs.loaders import check_numbers, open_linker
from evidence_assets.kgqa.document_pools import document_pools, open_questions
from evidence_assets.kgqa.loaders import TypedGraph, open_typed_graph
from evidence_assets.kgqa.parsing import ParsedQuery, Parser
from evidence_assets.kgqa.prompted import read_as_conditions
from evidence_assets.kgqa.rows import prompted_rows, query_rows
from evidence_assets.kgqa.serialization import EXTRACTIVE
from evidence_assets.kgqa.solving import Solver
from evidence_assets.kgqa.topics import linked_questions
from evidence_assets.kgqa.vocabulary import Vocabulary
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.previews import bars
from evidence_assets.lake.schemas import (
    DOCUMENT_POOLS,
    NODE_DOCUMENTS,
    QUESTION_CONCEPTS,
    QUESTION_QUERIES,
    QUESTIONS,
)
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.orchestration.asset_defaults import GPU_POOL, MADE_WHEN_ASKED, SINGLE_RUN, logged
from evidence_assets.orchestration.lake_resource import LakeResource, Step, Writing
from evidence_assets.orchestration.model_resources import EncoderResource, GeneratorResource
from evidence_assets.orchestration.partitions import ProjectPartitions, benchmark_and_arm, of_benchmark
from evidence_assets.progress import Progress
from evidence_assets.reading.prompted import prompts_version
from evidence_assets.reading.prompting import TRIPLETS
from evidence_assets.sources.specifications import GraphSource

_QUESTIONS_AT_ONCE = 500
_COMMON: dict[str, Any] = {
    **MADE_WHEN_ASKED,
    "group_name": "retrieval",
    "tags": {"layer": "retrieval"},
    "backfill_policy": SINGLE_RUN,
    "pool": GPU_POOL,
}


def query_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    """Return the pools of documents and the queries of every benchmark's open questions."""
    return [_pools(project), _queries(project)]


def _pools(project: ProjectPartitions) -> dg.AssetsDefinition:
    @dg.asset(
        **_COMMON,
        name=DOCUMENT_POOLS.name,
        partitions_def=project.benchmarks,
        deps=[
            "questions",
            dg.AssetDep(NODE_DOCUMENTS.name, partition_mapping=project.graphs_to_benchmarks),
        ],
        code_version="1",
        description="The documents of a graph's nodes that are nearest to each question without options, by "
        "vectors and by BM25.",
    )
    def pools(
        context: dg.AssetExecutionContext, lake: LakeResource, encoder: EncoderResource
    ) -> Iterator[dg.MaterializeResult[Any]]:
        writing = Writing(context, lake.open())
        cached = encoder.cached(lake.cache_folder(), context)
        for key in context.partition_keys:
            with writing.partition(key) as step:
                questions = writing.lake.read(QUESTIONS, {"benchmark": key})
                kg = project.graph_of(key)
                rows = DOCUMENT_POOLS.schema.empty_table()
                # Most benchmarks offer options: their graphs need no documents.
                if kg is not None and open_questions(questions).num_rows:
                    columns = ["document_id", "kg", "node", "text"]
                    documents = writing.lake.read(NODE_DOCUMENTS, {"kg": kg}, columns)
                    told = logged(context, key, "questions")
                    rows = document_pools(questions, documents, cached, key, told)
                step.write(DOCUMENT_POOLS, {"benchmark": key}, rows)
        yield from writing.results()

    asset: dg.AssetsDefinition = pools
    return asset


def _queries(project: ProjectPartitions) -> dg.AssetsDefinition:
    @dg.asset(
        **_COMMON,
        name=QUESTION_QUERIES.name,
        partitions_def=project.experiments([EXTRACTIVE, *project.generators]),
        deps=of_benchmark(QUESTIONS.name, QUESTION_CONCEPTS.name),
        code_version=f"2-{prompts_version(TRIPLETS)}",
        description="What each question without options asks of its graph: conditions on a variable, the "
        "likeliest reading first, by the extractive parser or by a language model.",
    )
    def queries(
        context: dg.AssetExecutionContext,
        lake: LakeResource,
        encoder: EncoderResource,
        generator: GeneratorResource,
    ) -> Iterator[dg.MaterializeResult[Any]]:
        writing = Writing(context, lake.open())
        reader = _Reader(writing.lake, project, encoder.cached(lake.cache_folder(), context))
        for key in context.partition_keys:
            benchmark, parser = benchmark_and_arm(key)
            told = logged(context, key, "questions read")
            with writing.partition(key) as step:
                if parser == EXTRACTIVE:
                    rows = reader.parsed(benchmark, told)
                else:
                    model = generator.recorded(parser, project.generators, step)
                    rows = reader.prompted(benchmark, model, told)
                step.write(QUESTION_QUERIES, {"benchmark": benchmark, "parser": parser}, rows)
                _show(step, rows, key)
        yield from writing.results()

    asset: dg.AssetsDefinition = queries
    return asset


def _show(step: Step, rows: pa.Table, key: str) -> None:
    first = rows.filter(pa.compute.equal(rows.column("rank"), 1))
    counted = {one["values"]: one["counts"] for one in first.column("status").value_counts().to_pylist()}
    step.show({"questions": first.num_rows, "statuses": bars(counted, f"{key}: first readings", "questions")})


class _Reader:
    """Reads the questions of benchmarks as conditions; what each graph needs is opened once a run."""

    def __init__(self, lake: Lake, project: ProjectPartitions, encoder: CachedEncoder) -> None:
        self._lake, self._project, self._encoder = lake, project, encoder
        self._opened: dict[str, TypedGraph] = {}

    def _open(self, benchmark: str) -> tuple[TypedGraph, GraphSource, pa.Table, pa.Table]:
        """Return a benchmark's graph and its source, its open questions and their concepts."""
        kg = self._project.graph_of(benchmark)
        if kg is None:
            raise LookupError(
                f"{benchmark} names no graph to ask in {self._project.location}; remedy: name one there "
                f"(benchmarks.{benchmark}.graph)"
            )
        source = self._project.sources.graphs[kg]
        concepts = self._lake.read(QUESTION_CONCEPTS, {"benchmark": benchmark})
        if kg not in self._opened:
            self._opened[kg] = open_typed_graph(self._lake, kg, source)
        check_numbers(self._opened[kg].graph, concepts, QUESTION_CONCEPTS.name)
        questions = open_questions(self._lake.read(QUESTIONS, {"benchmark": benchmark}))
        return self._opened[kg], source, questions, concepts

    def parsed(self, benchmark: str, progress: Progress) -> pa.Table:
        """Return a benchmark's rows by the extractive parser."""
        typed, source, questions, concepts = self._open(benchmark)
        linker = open_linker(self._lake, typed.graph.name, unlinked=source.unlinked)
        asked = linked_questions(questions, concepts, linker, Vocabulary(typed.schema))
        parser = Parser(typed.graph, typed.schema, self._encoder, types=typed.types)
        parsed: list[list[ParsedQuery]] = []
        for start in range(0, len(asked), _QUESTIONS_AT_ONCE):
            parsed += parser.parse(asked[start : start + _QUESTIONS_AT_ONCE])
            progress(len(parsed), len(asked))
        return query_rows(benchmark, typed.graph.name, asked, parsed)

    def prompted(self, benchmark: str, model: RecordedGenerator, progress: Progress) -> pa.Table:
        """Return a benchmark's rows by a language model."""
        typed, source, questions, _ = self._open(benchmark)
        linker = open_linker(self._lake, typed.graph.name, source.embedding_threshold, source.unlinked)
        texts: Sequence[str] = questions.column("question").to_pylist()
        found = read_as_conditions(texts, model, typed.schema, linker, self._encoder, progress)
        ids = questions.column("question_id").to_pylist()
        solver = Solver(typed.graph, typed.types)
        return prompted_rows(benchmark, typed.graph.name, model.generator.name, ids, found, solver)
