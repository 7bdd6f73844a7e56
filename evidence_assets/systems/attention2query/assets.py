"""Attention2Query's assets: the tuned classifier, each way's facts, each arm's experiment."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import dagster as dg
import pyarrow as pa

from evidence_assets.graphs.embeddings import SPECTRAL
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.previews import histogram
from evidence_assets.lake.schemas import (
    GRAPH_EMBEDDINGS,
    QUESTION_CONCEPTS,
    QUESTIONS,
    RELEVANCE_CLASSIFIERS,
    RELEVANCE_PAIRS,
    RETRIEVED_FACTS,
)
from evidence_assets.orchestration.asset_defaults import GPU_POOL, MADE_WHEN_ASKED, SINGLE_RUN, logged
from evidence_assets.orchestration.experiments import experiment_specs, write_experiment
from evidence_assets.orchestration.lake_resource import LakeResource, Writing
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
from evidence_assets.reading.prompted_arms import with_generators
from evidence_assets.systems.attention2query.arms import ARMS, RETRIEVALS, SYSTEM, TUNED
from evidence_assets.systems.attention2query.as_printed.multi_head_attention import SEED
from evidence_assets.systems.attention2query.as_printed.pairs import apart_from, open_pairs, option_pairs
from evidence_assets.systems.attention2query.as_printed.training import Pair, Recipe, trained
from evidence_assets.systems.attention2query.facts import fact_rows
from evidence_assets.systems.attention2query.loaders import Opener, labels_of
from evidence_assets.systems.attention2query.reading import read_benchmark, read_prompted
from evidence_assets.text.verbalisation import templates_version

Results = Iterator[dg.MaterializeResult[Any]]
CODE_VERSION = "1"
PROMPTED_VERSION = f"1-{prompts_version()}"
# Questions that a classifier is trained on: those whose ids have the least hashes.
MOST_TRAINING = 2_000
_DESCRIPTIONS = {
    "evidence": "Every fact an arm was given or cited, with its triples.",
    "selected_evidence": "The facts found for each question and option, best first.",
    "chains": "One chain an option, or one for the best answer: the facts that speak for it, by number.",
    "predictions": "One answer a question, or none where no fact gives one.",
    "prediction_evidence": "Which facts each prediction was given and which it cited.",
    "ranked_answers": "The answers of questions without options, each as good as its best fact.",
}


class TrainingConfig(dg.Config):
    """How the relevance classifier is trained; what the paper states is for the model that it fine-tunes."""

    questions: int = MOST_TRAINING
    hidden: int = Recipe().hidden
    epochs: int = Recipe().epochs
    learning_rate: float = Recipe().learning_rate
    seed: int = Recipe().seed

    def recipe(self) -> Recipe:
        """Return the recipe."""
        return Recipe(self.hidden, self.epochs, learning_rate=self.learning_rate, seed=self.seed)


def attention2query_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    """Return the system's assets, without its scores."""
    return [_classifier(project), _facts(project), _experiments(project)]


def _classifier(project: ProjectPartitions) -> dg.AssetsDefinition:
    described = {
        RELEVANCE_PAIRS: "Questions of the training benchmark with facts, and how relevant each is by the "
        "answers that are known. Questions that the evaluated benchmark asks too are left out.",
        RELEVANCE_CLASSIFIERS: "A relevance classifier trained on those pairs: one hidden layer over the "
        "encoder's vectors. Kept by content: the same pairs are trained on once.",
    }
    specs = [
        dg.AssetSpec(
            table.name,
            **MADE_WHEN_ASKED,
            deps=[
                *(
                    dg.AssetDep(name, partition_mapping=project.trained_benchmarks)
                    for name in (QUESTIONS.name, QUESTION_CONCEPTS.name)
                ),
                dg.AssetDep(GRAPH_EMBEDDINGS.name, partition_mapping=project.graphs_to_benchmarks),
            ],
            description=description,
            group_name="retrieval",
            tags={"layer": "model", "system": SYSTEM},
            code_version=f"2-{templates_version(project.sources.templates)}",
        )
        for table, description in described.items()
    ]

    @dg.multi_asset(
        name=RELEVANCE_CLASSIFIERS.name,
        specs=specs,
        partitions_def=project.benchmarks,
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
    )
    def relevance_classifiers(
        context: dg.AssetExecutionContext,
        config: TrainingConfig,
        lake: LakeResource,
        encoder: EncoderResource,
        pair_scorer: PairScorerResource,
    ) -> Results:
        writing = Writing(context, lake.open())
        cached, cache = encoder.cached(lake.cache_folder(), context), lake.cache_folder()
        opener = Opener(writing.lake, project, cached, pair_scorer.load(cached), cache)
        for key in context.partition_keys:
            with writing.partition(key) as step:
                training = _training_of(project, key)
                pairs = _pairs(writing.lake, opener, key, training, config.questions)
                name, report = trained(pairs, cached.encode, cached.encoder_id, cache, config.recipe())
                place = {"benchmark": key}
                step.write(RELEVANCE_PAIRS, place, _pair_rows(pairs, key, training))
                row = {"benchmark": key, "training": training, "folder": name, "encoder": cached.encoder_id}
                rows = pa.Table.from_pylist([{**row, **asdict(report)}], schema=RELEVANCE_CLASSIFIERS.schema)
                step.write(RELEVANCE_CLASSIFIERS, place, rows)
                step.show(asdict(report), asset=RELEVANCE_CLASSIFIERS.name)
        yield from writing.results()

    return relevance_classifiers


def _training_of(project: ProjectPartitions, benchmark: str) -> str:
    """Return the benchmark whose questions another one's classifier is trained on.

    Raises:
        LookupError: the configuration names none, or one over another graph.
    """
    training = project.benchmark(benchmark).training
    field = f"{project.location}: benchmarks.{benchmark}.training"
    if training is None:
        raise LookupError(
            f"{field} is empty, and the tuned classifier needs questions with known answers; remedy: name "
            "a benchmark there, other than the one it is evaluated on"
        )
    if training == benchmark or project.graph_of(training) != project.graph_of(benchmark):
        raise LookupError(f"{field}: {training} must be another benchmark over the same graph")
    return training


def _pairs(lake: Lake, opener: Opener, benchmark: str, training: str, most: int) -> list[Pair]:
    """Return the training pairs of a benchmark's classifier, in the order of the questions' hashes."""
    way = RETRIEVALS["full"]
    graph = opener.graph(opener.kg(benchmark))
    evaluated = lake.read(QUESTIONS, {"benchmark": benchmark}, ["question"]).column("question").to_pylist()
    asked = apart_from(opener.questions(training, graph), evaluated)
    asked = sorted(asked, key=lambda one: text_hash(one.question_id))[:most]
    rows = lake.read(
        QUESTIONS, {"benchmark": training}, ["question_id", "answers", "answer_index"]
    ).to_pylist()
    keys = {row["question_id"]: row for row in rows}
    pairs: list[Pair] = []
    if about := [one.about for one in asked if not one.options and one.about is not None]:
        gold = [
            {node for answer in keys[one.question_id]["answers"] for node in graph.named(answer)}
            for one in about
        ]
        asked_graph = opener.asked_graph(opener.kg(benchmark))
        pairs += open_pairs(about, gold, asked_graph, asked_graph.parser(opener.encoder))
    offered = [one for one in asked if one.options and keys[one.question_id]["answer_index"] is not None]
    found = opener.retriever(benchmark, graph, way, offered).find(offered)
    for one, facts in zip(offered, found, strict=True):
        pairs += option_pairs(one, facts.facts, keys[one.question_id]["answer_index"])
    return pairs


def _pair_rows(pairs: list[Pair], benchmark: str, training: str) -> pa.Table:
    counts: dict[str, int] = {}
    rows = []
    for pair in pairs:
        place = counts.get(pair.question_id, 0)
        counts[pair.question_id] = place + 1
        rows.append({"benchmark": benchmark, "training": training, "place": place, **asdict(pair)})
    return pa.Table.from_pylist(rows, schema=RELEVANCE_PAIRS.schema)


def _facts(project: ProjectPartitions) -> dg.AssetsDefinition:
    tuned = {one.name: one.name for one in RETRIEVALS.values() if one.classifier == TUNED}

    @dg.asset(
        **MADE_WHEN_ASKED,
        name=RETRIEVED_FACTS.name,
        key_prefix=SYSTEM,
        partitions_def=project.experiments(RETRIEVALS),
        # No mapping from a benchmark's partition leads to some of its arms alone: all follow the classifier.
        deps=of_benchmark(QUESTIONS.name, QUESTION_CONCEPTS.name, RELEVANCE_CLASSIFIERS.name),
        group_name="retrieval",
        tags={"layer": "retrieval", "system": SYSTEM},
        code_version=f"2-{SEED}-{SPECTRAL}-{templates_version(project.sources.templates)}",
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
        description="The facts that attention finds for each question and option, rated, components bridged; "
        "of questions without options the instances of the paths that say what is asked."
        "\n\n"
        + "\n".join(f"- `{one.name}`: {one.description}." for one in RETRIEVALS.values())
        + f"\n\nOnly {', '.join(tuned)} reads the trained classifier.",
    )
    def retrieved_facts(
        context: dg.AssetExecutionContext,
        lake: LakeResource,
        encoder: EncoderResource,
        pair_scorer: PairScorerResource,
    ) -> Results:
        writing = Writing(context, lake.open())
        cached = encoder.cached(lake.cache_folder(), context)
        opener = Opener(writing.lake, project, cached, pair_scorer.load(cached), lake.cache_folder())
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            way = RETRIEVALS[name]
            with writing.partition(key) as step:
                graph = opener.graph(opener.kg(benchmark))
                asked = opener.questions(benchmark, graph, way)
                told = logged(context, key, "questions")
                found = opener.retriever(benchmark, graph, way, asked).find(asked)
                rows: list[dict[str, Any]] = []
                apart, joined = [], 0
                for number, (one, facts) in enumerate(zip(asked, found, strict=True), start=1):
                    rows += fact_rows(one, facts, graph.graph.graph, SYSTEM, benchmark, name)
                    apart.append(facts.components)
                    joined += facts.bridged
                    told(number, len(asked))
                place = {"system": SYSTEM, "benchmark": benchmark, "retrieval": name}
                table = pa.Table.from_pylist(rows, schema=RETRIEVED_FACTS.schema)
                step.write(RETRIEVED_FACTS, place, table)
                with_facts = len({row["question_id"] for row in rows})
                step.show(
                    {
                        "questions_with_facts": with_facts,
                        "bridges": joined,
                        "components": histogram(apart, f"{key}: components before bridging", "components"),
                    }
                )
        yield from writing.results()

    asset: dg.AssetsDefinition = retrieved_facts
    return asset


def _experiments(project: ProjectPartitions) -> dg.AssetsDefinition:
    arms = with_generators(ARMS, project.generators)
    ways = {arm.name: arm.retrieval for arm in arms.values()}
    specs = experiment_specs(
        SYSTEM,
        _DESCRIPTIONS,
        [
            *of_benchmark(QUESTIONS.name, QUESTION_CONCEPTS.name),
            dg.AssetDep([SYSTEM, RETRIEVED_FACTS.name], partition_mapping=inputs_to_arms(ways)),
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
    def attention2query(
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
                place = {"system": SYSTEM, "benchmark": benchmark, "retrieval": arm.retrieval}
                facts = writing.lake.read(RETRIEVED_FACTS, place)
                if arm.prompted:
                    asked = generator.recorded(arm.generator, project.generators, step, "predictions")
                    told = logged(context, key, "replies")
                    result = read_prompted(questions, facts, asked, arm, benchmark, PROMPTED_VERSION, told)
                else:
                    concepts = writing.lake.read(QUESTION_CONCEPTS, {"benchmark": benchmark})
                    encode = encoder.cached(lake.cache_folder(), context).encode
                    result = read_benchmark(
                        questions,
                        facts,
                        concepts,
                        encode,
                        arm,
                        benchmark,
                        CODE_VERSION,
                        labels_of(writing.lake, facts),
                    )
                tables = result.tables()
                own = {"system": SYSTEM, "arm": name, "benchmark": benchmark}
                write_experiment(step, tables, own)
                predicted = tables["predictions"]
                step.show({"answered": predicted.num_rows}, asset="predictions")
        yield from writing.results()

    return attention2query
