"""UGAT-MedQA's assets: subgraphs, relevance and paths of every question, then each arm's experiment."""

from collections.abc import Iterator, Sequence
from typing import Any

import dagster as dg
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.conflicts import CONTRADICTION
from evidence_assets.graphs.embedded import EmbeddedGraph, embed
from evidence_assets.graphs.loaders import check_numbers, open_graph, templates_of
from evidence_assets.graphs.paths import PathFinder, step_costs
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    GRAPH_CONFLICTS,
    NODE_RELEVANCE,
    QUESTION_CONCEPTS,
    QUESTION_SUBGRAPHS,
    QUESTIONS,
    REASONING_PATHS,
    RELEVANCE_DIAGNOSTICS,
)
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import Encode
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
from evidence_assets.progress import Progress
from evidence_assets.reading.extractive import weights_version
from evidence_assets.reading.prompted import prompts_version
from evidence_assets.reading.prompted_arms import with_generators
from evidence_assets.systems.ugat_medqa import report
from evidence_assets.systems.ugat_medqa.arms import ARMS, NEIGHBOURHOODS, NONE, ROUTES, SYSTEM
from evidence_assets.systems.ugat_medqa.attention import KINDS, AttentionConfig
from evidence_assets.systems.ugat_medqa.reading import read_benchmark, read_prompted
from evidence_assets.systems.ugat_medqa.reasoning_paths import PathContext, path_rows
from evidence_assets.systems.ugat_medqa.relevance_rows import every_node, relevance_tables, relevant_nodes
from evidence_assets.systems.ugat_medqa.subgraphs import (
    Asked,
    linked_questions,
    read_subgraphs,
    subgraph_rows,
    subgraphs_of,
)
from evidence_assets.text.verbalisation import templates_version

Results = Iterator[dg.MaterializeResult[Any]]
# Weights and prompts decide every answer: new ones are new code.
CODE_VERSION = f"2-{weights_version()}"
PROMPTED_VERSION = f"2-{prompts_version()}"
_PER_QUESTION = of_benchmark("questions", "question_concepts")
_DESCRIPTIONS = {
    "evidence": "Every path an arm was given or cited, with its triples.",
    "selected_evidence": "The paths each option was argued from, best first.",
    "chains": "One chain an option: the passages that speak for it, cited by number.",
    "predictions": "One answer a question, or none where the evidence is insufficient.",
    "prediction_evidence": "Which evidence each prediction was given and which it cited.",
}


_TRAINING = AttentionConfig()


class TrainingConfig(dg.Config):
    """How the networks of the arms `paper` and `no_attention` are trained: algorithm 6.1 states no value.

    A partition made with other values replaces the one there is; `relevance_diagnostics` and the assets'
    metadata say which were used.
    """

    heads: int = _TRAINING.heads
    layers: int = _TRAINING.layers
    width: int = _TRAINING.width
    steps: int = _TRAINING.steps
    learning_rate: float = _TRAINING.learning_rate
    threshold: float = _TRAINING.threshold
    seed: int = _TRAINING.seed

    def values(self) -> AttentionConfig:
        """Return the hyperparameters, checked.

        Raises:
            ValueError: a value is out of its range.
        """
        return AttentionConfig(
            self.heads, self.layers, self.width, self.steps, self.learning_rate, self.threshold, self.seed
        )


def ugat_medqa_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    """Return the system's assets, without its scores."""
    return [_subgraphs(project), _relevance(project), _paths(project), _experiments(project)]


class _Walked:
    """What the assets read of one benchmark: its graph, embedded once a run, and its questions."""

    def __init__(self, lake: Lake, project: ProjectPartitions, encoder: CachedEncoder) -> None:
        self._lake, self._project, self.encoder = lake, project, encoder
        self._graphs: dict[str, EmbeddedGraph] = {}

    def kg(self, benchmark: str) -> str:
        """Return the graph that helps a benchmark.

        Raises:
            LookupError: the configuration names none.
        """
        name = self._project.graph_of(benchmark)
        if name is None:
            raise LookupError(
                f"UGAT-MedQA walks a graph, and {self._project.location} names none for {benchmark}; "
                f"remedy: name one there (benchmarks.{benchmark}.graph)"
            )
        return name

    def open(self, benchmark: str) -> tuple[EmbeddedGraph, list[Asked]]:
        """Return a benchmark's graph in memory, and its questions with the nodes they name.

        Raises:
            BrokenGraphError: the graph was built anew since the questions were linked.
        """
        name, place = self.kg(benchmark), {"benchmark": benchmark}
        opened = open_graph(self._lake, name)
        if name not in self._graphs:
            self._graphs[name] = embed(opened, self.encoder)
        concepts = self._lake.read(QUESTION_CONCEPTS, place)
        check_numbers(opened, concepts, QUESTION_CONCEPTS.name)
        return self._graphs[name], linked_questions(self._lake.read(QUESTIONS, place), concepts)


def _subgraphs(project: ProjectPartitions) -> dg.AssetsDefinition:
    @dg.asset(
        **MADE_WHEN_ASKED,
        name=QUESTION_SUBGRAPHS.name,
        partitions_def=project.experiments(NEIGHBOURHOODS),
        deps=_PER_QUESTION,
        group_name="retrieval",
        tags={"layer": "retrieval", "system": SYSTEM},
        code_version="1",
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
        description="The nodes within some hops of each question's concepts, capped by PageRank from them. "
        "Options are not looked at.",
    )
    def question_subgraphs(
        context: dg.AssetExecutionContext, lake: LakeResource, encoder: EncoderResource
    ) -> Results:
        writing = Writing(context, lake.open())
        walked = _Walked(writing.lake, project, encoder.cached(lake.cache_folder(), context))
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            with writing.partition(key) as step:
                graph, asked = walked.open(benchmark)
                vectors = walked.encoder.encode([question.question for question in asked])
                told = logged(context, key, "subgraphs")
                rows = subgraph_rows(asked, vectors, graph, NEIGHBOURHOODS[name], benchmark, told)
                place = {"benchmark": benchmark, "neighbourhood": name}
                step.write(QUESTION_SUBGRAPHS, place, rows, preview=False)
                step.show(report.of_subgraphs(writing.lake.read(QUESTION_SUBGRAPHS, place), key))
        yield from writing.results()

    asset: dg.AssetsDefinition = question_subgraphs
    return asset


def _relevance(project: ProjectPartitions) -> dg.AssetsDefinition:
    names = {one.name: one.neighbourhood for one in ROUTES.values()}
    ways = "\n".join(f"- `{one.name}`: {one.description}." for one in ROUTES.values())
    descriptions = {
        NODE_RELEVANCE.name: "How relevant a question's evidence nodes, seeds and options' concepts are.\n\n"
        + ways,
        RELEVANCE_DIAGNOSTICS.name: "Whether a relevance tells nodes apart: spread, share kept, and more.",
    }
    specs = [
        dg.AssetSpec(
            name,
            **MADE_WHEN_ASKED,
            deps=[
                *_PER_QUESTION,
                dg.AssetDep(QUESTION_SUBGRAPHS.name, partition_mapping=inputs_to_arms(names)),
            ],
            description=description,
            group_name="retrieval",
            tags={"layer": "retrieval", "system": SYSTEM},
            code_version="2",
        )
        for name, description in descriptions.items()
    ]

    @dg.multi_asset(
        name=NODE_RELEVANCE.name,
        specs=specs,
        partitions_def=project.experiments(ROUTES),
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
    )
    def node_relevance(
        context: dg.AssetExecutionContext,
        config: TrainingConfig,
        lake: LakeResource,
        encoder: EncoderResource,
    ) -> Results:
        training = config.values()
        writing = Writing(context, lake.open())
        walked = _Walked(writing.lake, project, encoder.cached(lake.cache_folder(), context))
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            place = {"benchmark": benchmark, "route": name}
            with writing.partition(key) as step:
                told = logged(context, key, "questions scored")
                pieces = list(_scored(walked, writing.lake, benchmark, name, training, told))
                rows = pa.concat_tables([NODE_RELEVANCE.schema.empty_table(), *(one for one, _ in pieces)])
                measured = pa.concat_tables(
                    [RELEVANCE_DIAGNOSTICS.schema.empty_table(), *(other for _, other in pieces)]
                )
                step.write(NODE_RELEVANCE, place, rows)
                step.write(RELEVANCE_DIAGNOSTICS, place, measured)
                shown = report.of_relevance(measured)
                if shown.pop("warn"):
                    context.log.warning(f"{key}: scores collapsed; see relevance_diagnostics")
                step.show(shown, asset=RELEVANCE_DIAGNOSTICS.name)
                if ROUTES[name].method in KINDS:
                    for asset in descriptions:
                        step.show({"training": training.as_json()}, asset=asset)
        yield from writing.results()

    return node_relevance


def _scored(
    walked: _Walked, lake: Lake, benchmark: str, name: str, config: AttentionConfig, told: Progress
) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Yield blocks of `node_relevance` and `relevance_diagnostics` rows."""
    route = ROUTES[name]
    graph, asked = walked.open(benchmark)
    place = {"benchmark": benchmark, "neighbourhood": route.neighbourhood}
    subgraphs = subgraphs_of(asked, read_subgraphs(lake.read(QUESTION_SUBGRAPHS, place)))
    vectors = walked.encoder.encode([question.question for question in asked])
    yield from relevance_tables(asked, subgraphs, vectors, graph, route, config, benchmark, told)


def _paths(project: ProjectPartitions) -> dg.AssetsDefinition:
    @dg.asset(
        **MADE_WHEN_ASKED,
        name=REASONING_PATHS.name,
        partitions_def=project.experiments(ROUTES),
        deps=[*_PER_QUESTION, NODE_RELEVANCE.name],
        group_name="retrieval",
        tags={"layer": "retrieval", "system": SYSTEM},
        code_version=f"2-{templates_version(project.sources.templates)}",
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
        description="The cheapest paths from evidence nodes to what each option names, read out.\n\n"
        + "\n".join(f"- `{one.name}`: {one.description}." for one in ROUTES.values()),
    )
    def reasoning_paths(
        context: dg.AssetExecutionContext, lake: LakeResource, encoder: EncoderResource
    ) -> Results:
        writing = Writing(context, lake.open())
        walked = _Walked(writing.lake, project, encoder.cached(lake.cache_folder(), context))
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            with writing.partition(key) as step:
                graph, asked = walked.open(benchmark)
                told = logged(context, key, "questions")
                rows = _path_table(graph, asked, walked.encoder.encode, writing.lake, project, key, told)
                step.write(REASONING_PATHS, {"benchmark": benchmark, "route": name}, rows)
                nodes = writing.lake.read(NODE_RELEVANCE, {"benchmark": benchmark, "route": name})
                questions = writing.lake.read(QUESTIONS, {"benchmark": benchmark})
                step.show(report.of_paths(rows, nodes, questions, graph))
        yield from writing.results()

    asset: dg.AssetsDefinition = reasoning_paths
    return asset


def _path_table(
    graph: EmbeddedGraph,
    asked: Sequence[Asked],
    encode: Encode,
    lake: Lake,
    project: ProjectPartitions,
    key: str,
    told: Progress,
) -> pa.Table:
    benchmark, name = benchmark_and_arm(key)
    route, kg = ROUTES[name], graph.graph.name
    columns = ["question_id", "node", "label", "score", "kept", "is_seed"]
    nodes = lake.read(NODE_RELEVANCE, {"benchmark": benchmark, "route": name}, columns)
    check_numbers(graph.graph, nodes, NODE_RELEVANCE.name)
    relevant = relevant_nodes(nodes)
    if route.method == NONE:
        around = {"benchmark": benchmark, "neighbourhood": route.neighbourhood}
        relevant = every_node(read_subgraphs(lake.read(QUESTION_SUBGRAPHS, around)))
    longest = NEIGHBOURHOODS[route.neighbourhood].hops + 1
    finder = PathFinder(graph.adjacency, step_costs(graph.adjacency, route.cost), longest)
    named = templates_of(lake, project.sources.graphs[kg])
    context = PathContext(graph, finder, named, _contradicted(lake, kg), route, benchmark)
    vectors = encode([question.question for question in asked])
    pieces = path_rows(asked, vectors, relevant, context, told)
    return pa.concat_tables([REASONING_PATHS.schema.empty_table(), *pieces])


def _contradicted(lake: Lake, kg: str) -> set[str]:
    conflicts = lake.read(GRAPH_CONFLICTS, {"kg": kg}, ["conflict", "triple_ids"])
    found = conflicts.filter(pc.equal(conflicts.column("conflict"), CONTRADICTION))
    return {triple_id for row in found.column("triple_ids").to_pylist() for triple_id in row}


def _experiments(project: ProjectPartitions) -> dg.AssetsDefinition:
    arms = with_generators(ARMS, project.generators)
    routes = {arm.name: arm.route for arm in arms.values() if arm.route is not None}
    specs = experiment_specs(
        SYSTEM,
        _DESCRIPTIONS,
        [
            *_PER_QUESTION,
            dg.AssetDep(REASONING_PATHS.name, partition_mapping=inputs_to_arms(routes)),
            dg.AssetDep(NODE_RELEVANCE.name, partition_mapping=inputs_to_arms(routes)),
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
    def ugat_medqa(
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
                concepts = writing.lake.read(QUESTION_CONCEPTS, {"benchmark": benchmark})
                paths, nodes = _found(writing.lake, benchmark, arm.route)
                if arm.prompted:
                    asked = generator.recorded(arm.generator, project.generators, step, "predictions")
                    told = logged(context, key, "replies")
                    result = read_prompted(questions, paths, asked, arm, benchmark, PROMPTED_VERSION, told)
                else:
                    encode = encoder.cached(lake.cache_folder(), context).encode
                    result = read_benchmark(
                        questions, concepts, paths, nodes, encode, arm, benchmark, CODE_VERSION
                    )
                tables = result.tables()
                place = {"system": SYSTEM, "arm": name, "benchmark": benchmark}
                write_experiment(step, tables, place)
                step.show(report.of_experiment(tables), asset="predictions")
        yield from writing.results()

    return ugat_medqa


def _found(lake: Lake, benchmark: str, route: str | None) -> tuple[pa.Table, pa.Table]:
    """Return the `reasoning_paths` and `node_relevance` rows that an arm reads; none without a route."""
    if route is None:
        return REASONING_PATHS.schema.empty_table(), NODE_RELEVANCE.schema.empty_table()
    place = {"benchmark": benchmark, "route": route}
    return lake.read(REASONING_PATHS, place), lake.read(NODE_RELEVANCE, place)
