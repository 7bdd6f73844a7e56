"""KAPING's assets: what models state, the facts of each question, each arm's answers and evidence."""

from collections.abc import Iterator
from typing import Any

import dagster as dg
import pyarrow as pa

from evidence_assets.extraction.cloze_facts import cloze_background
from evidence_assets.extraction.domain_model.making import open_made
from evidence_assets.kgqa.serialization import deserialize_queries
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    DOMAIN_MASKED_LM,
    GENERATED_TRIPLES,
    QUESTION_QUERIES,
    QUESTIONS,
    RETRIEVED_FACTS,
)
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets.orchestration.asset_defaults import GPU_POOL, MADE_WHEN_ASKED, SINGLE_RUN, logged
from evidence_assets.orchestration.experiments import experiment_specs, write_experiment
from evidence_assets.orchestration.lake_resource import LakeResource, Step, Writing
from evidence_assets.orchestration.model_resources import (
    EncoderResource,
    GeneratorResource,
    MaskedLanguageModelResource,
)
from evidence_assets.orchestration.partitions import (
    ProjectPartitions,
    benchmark_and_arm,
    inputs_to_arms,
    of_benchmark,
)
from evidence_assets.reading import background
from evidence_assets.reading.prompted import prompts_version
from evidence_assets.reading.prompting import SHORT_ANSWER
from evidence_assets.systems.kaping import report
from evidence_assets.systems.kaping.arms import (
    ARMS,
    CLOZE,
    EXTRACTIVE,
    SYSTEM,
    Arm,
    backgrounds,
    retrievals,
    with_generators,
)
from evidence_assets.systems.kaping.linked_questions import inquiries, topic_names
from evidence_assets.systems.kaping.loaders import Graphs, contradictions
from evidence_assets.systems.kaping.prompted import read_prompted
from evidence_assets.systems.kaping.reading import (
    cases,
    new_experiment,
    read_case,
)
from evidence_assets.systems.kaping.retrieving import Retriever, fact_tables, rule_of

Results = Iterator[dg.MaterializeResult[Any]]
CODE_VERSION = "kaping-1"
_PER_QUESTION = of_benchmark("questions", "question_concepts")
_DESCRIPTIONS = {
    "evidence": "Every triple an arm was given, the graph's and a model's own, each with its source.",
    "selected_evidence": "The facts that each question was given, the nearest first.",
    "chains": "Each question's first answer, with the triples that back it.",
    "predictions": "Each question's first answer, or why there is none.",
    "prediction_evidence": "Which evidence each prediction was given and which it cites.",
    "ranked_answers": "The answers of each question; what a model alone states is marked as not backed.",
}


def kaping_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    """Return the system's assets, without its scores."""
    return [_generated_triples(project), _retrieved_facts(project), _experiments(project)]


def _generated_triples(project: ProjectPartitions) -> dg.AssetsDefinition:
    @dg.asset(
        **MADE_WHEN_ASKED,
        name=GENERATED_TRIPLES.name,
        partitions_def=project.experiments(backgrounds(project.generators)),
        deps=_PER_QUESTION,
        group_name="retrieval",
        tags={"layer": "retrieval", "system": SYSTEM},
        code_version=f"1-{prompts_version(*background.PROMPTS)}",
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
        description="Triples that a model states of its own for each question, and the graph's that say "
        "otherwise. No graph holds them.\n\n- `cloze`: a masked language model fills the graph's relations.\n"
        "- a generator's name: three prompts, for entities, relations and triples.",
    )
    def generated_triples(
        context: dg.AssetExecutionContext,
        lake: LakeResource,
        encoder: EncoderResource,
        masked_lm: MaskedLanguageModelResource,
        generator: GeneratorResource,
    ) -> Results:
        writing = Writing(context, lake.open())
        graphs = Graphs(writing.lake, project.sources, project.location)
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            with writing.partition(key) as step:
                asked, opened = graphs.asked(benchmark)
                texts = [one.question for one in asked]
                names = topic_names(asked)
                if name == CLOZE:
                    model = _masked_lm(writing.lake, lake, masked_lm, project)
                    encode = encoder.cached(lake.cache_folder(), context).encode
                    sentences = {one: opened.templates[one] for one in opened.typed.schema.relations}
                    stated = cloze_background(texts, names, sentences, model, encode)
                    model_id = model.model_id
                else:
                    recorded = generator.recorded(name, project.generators, step)
                    told = logged(context, key, "replies")
                    stated = background.ask_background(texts, names, recorded, told)
                    model_id = recorded.generator.generator_id
                rows = background.background_rows(
                    [one.question_id for one in asked],
                    stated,
                    contradictions(opened, stated),
                    benchmark,
                    name,
                    model_id,
                )
                step.write(GENERATED_TRIPLES, {"benchmark": benchmark, "background": name}, rows)
                step.show(report.of_background(stated, rows, key))
        yield from writing.results()

    made: dg.AssetsDefinition = generated_triples
    return made


def _masked_lm(
    lake: Lake, resource: LakeResource, masked_lm: MaskedLanguageModelResource, project: ProjectPartitions
) -> MaskedLanguageModel:
    """Return the masked language model as the harvest has it: the profile's, else the corpus's own.

    Raises:
        LookupError: neither is configured.
    """
    if masked_lm.named():
        model = masked_lm.load()
        lake.note_source(masked_lm.named(), model.model_id)
        return model
    harvest = project.sources.harvest
    if harvest is None:
        raise LookupError(
            f"background {CLOZE} fills masks, and no masked language model is configured; remedy: name one "
            f"(EVIDENCE_PROFILE, or the resource's field), or a harvest with a corpus in {project.location}"
        )
    [row] = lake.read(DOMAIN_MASKED_LM, {"corpus": harvest.corpus}).to_pylist()
    return open_made(harvest.corpus, row["folder"], resource.cache_folder(), masked_lm.device or None)


def _retrieved_facts(project: ProjectPartitions) -> dg.AssetsDefinition:
    ways = retrievals(project.generators)
    stated_by = {one.name: one.background for one in ways.values() if one.background}

    @dg.asset(
        **MADE_WHEN_ASKED,
        key=[SYSTEM, RETRIEVED_FACTS.name],
        partitions_def=project.experiments(ways),
        deps=[
            *_PER_QUESTION,
            dg.AssetDep(GENERATED_TRIPLES.name, partition_mapping=inputs_to_arms(stated_by)),
        ],
        group_name="retrieval",
        tags={"layer": "retrieval", "system": SYSTEM},
        code_version="1",
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
        description="The facts nearest to each question, the graph's and a model's own in one space.\n\n"
        + "\n".join(f"- `{one.name}`: {one.description}." for one in ways.values()),
    )
    def retrieved_facts(
        context: dg.AssetExecutionContext, lake: LakeResource, encoder: EncoderResource
    ) -> Results:
        writing = Writing(context, lake.open())
        graphs = Graphs(writing.lake, project.sources, project.location)
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            how = ways[name]
            with writing.partition(key) as step:
                asked, opened = graphs.asked(benchmark)
                about = inquiries(asked)
                finder = opened.finder(encoder.cached(lake.cache_folder(), context).encode)
                stated = _stated(writing.lake, benchmark, how.background)
                by_question: dict[str, list[dict[str, Any]]] = {}
                for row in stated.to_pylist():
                    by_question.setdefault(row["question_id"], []).append(row)
                retriever = Retriever(finder, opened.nodes_of, by_question)
                told = logged(context, key, "questions")
                pieces = fact_tables(about, finder, retriever, how, benchmark, told)
                rows = pa.concat_tables([RETRIEVED_FACTS.schema.empty_table(), *pieces])
                place = {"system": SYSTEM, "benchmark": benchmark, "retrieval": name}
                step.write(RETRIEVED_FACTS, place, rows)
                rule = rule_of(about, finder, retriever) if how.adaptive else None
                step.show(report.of_facts(rows, len(asked), rule))
        yield from writing.results()

    made: dg.AssetsDefinition = retrieved_facts
    return made


def _stated(lake: Lake, benchmark: str, name: str) -> pa.Table:
    """Return what a model stated for a benchmark's questions; nothing without a name."""
    if not name:
        return GENERATED_TRIPLES.schema.empty_table()
    return lake.read(GENERATED_TRIPLES, {"benchmark": benchmark, "background": name})


def _experiments(project: ProjectPartitions) -> dg.AssetsDefinition:
    arms = with_generators(ARMS, project.generators)
    ways = retrievals(project.generators)
    own = {arm.name: arm.retrieval for arm in arms.values() if arm.retrieval}
    stated_by = {name: ways[how].background for name, how in own.items() if ways[how].background}
    read_by = {arm.name: EXTRACTIVE for arm in arms.values() if arm.generator == EXTRACTIVE}
    specs = experiment_specs(
        SYSTEM,
        _DESCRIPTIONS,
        [
            *_PER_QUESTION,
            dg.AssetDep([SYSTEM, RETRIEVED_FACTS.name], partition_mapping=inputs_to_arms(own)),
            dg.AssetDep(GENERATED_TRIPLES.name, partition_mapping=inputs_to_arms(stated_by)),
            dg.AssetDep(QUESTION_QUERIES.name, partition_mapping=inputs_to_arms(read_by)),
        ],
        f"{CODE_VERSION}-{prompts_version(SHORT_ANSWER)}",
    )

    @dg.multi_asset(
        name=SYSTEM,
        specs=specs,
        partitions_def=project.experiments(arms),
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
    )
    def kaping(
        context: dg.AssetExecutionContext, lake: LakeResource, generator: GeneratorResource
    ) -> Results:
        writing = Writing(context, lake.open())
        graphs = Graphs(writing.lake, project.sources, project.location)
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            with writing.partition(key) as step:
                _experiment(context, step, graphs, project, generator, arms[name], benchmark)
        yield from writing.results()

    return kaping


def _experiment(
    context: dg.AssetExecutionContext,
    step: Step,
    graphs: Graphs,
    project: ProjectPartitions,
    generator: GeneratorResource,
    arm: Arm,
    benchmark: str,
) -> None:
    lake, how = graphs.lake, retrievals(project.generators).get(arm.retrieval)
    questions, opened = lake.read(QUESTIONS, {"benchmark": benchmark}), graphs.of(benchmark)
    facts = RETRIEVED_FACTS.schema.empty_table()
    if how is not None:
        facts = lake.read(RETRIEVED_FACTS, {"system": SYSTEM, "benchmark": benchmark, "retrieval": how.name})
    stated = _stated(lake, benchmark, how.background if how is not None else "")
    readings = {}
    if arm.generator == EXTRACTIVE:
        readings = deserialize_queries(
            lake.read(QUESTION_QUERIES, {"benchmark": benchmark, "parser": EXTRACTIVE})
        )
    base = opened.base()
    found = list(cases(questions, facts, readings, stated))
    experiment = new_experiment(arm, benchmark, f"{CODE_VERSION}-{prompts_version(SHORT_ANSWER)}")
    if arm.prompted:
        model = generator.recorded(arm.generator, project.generators, step, "predictions")
        told = logged(context, f"{arm.name}|{benchmark}", "replies")
        read_prompted(experiment, found, base, model, arm, told)
    else:
        for case in found:
            read_case(experiment, case, base, arm)
    tables = experiment.tables()
    write_experiment(step, tables, {"system": SYSTEM, "arm": arm.name, "benchmark": benchmark})
    step.show(report.of_experiment(tables), asset="ranked_answers")
