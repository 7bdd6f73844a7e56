"""KAPING's stages of retrieval: what models state of their own, and the facts nearest to each question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from evidence_assets.graphs.graph_inputs import graph_inputs
from evidence_assets.lake.schemas import (
    DOMAIN_MASKED_LM,
    GENERATED_TRIPLES,
    GENERATIONS,
    QUESTION_CONCEPTS,
    QUESTIONS,
    RETRIEVED_FACTS,
)
from evidence_assets.reading.prompting.prompt_files import BACKGROUND_PROMPTS, prompts_version
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import (
    Input,
    Link,
    Metadata,
    Model,
    Output,
    Rows,
    Stage,
    retrieval_stage,
)
from evidence_assets.systems.kaping.arms import CLOZE, SYSTEM, backgrounds, retrievals

if TYPE_CHECKING:
    from evidence_assets.graphs.names.node_names import NodesByName
    from evidence_assets.kgqa.answers.walk_retrieval import Wording
    from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
    from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
    from evidence_assets.models.masked_lm import MaskedLanguageModel
    from evidence_assets.reading.prompting.background import Background
    from evidence_assets.stages.inputs import Inputs
    from evidence_assets.stages.step import Step

TITLE = "KAPING"


def kaping_stages(project: Project) -> list[Stage]:
    """Return the stages that KAPING's experiments read."""
    return [_generated_triples(project), _retrieved_facts(project)]


def stated_triples(inputs: Inputs, benchmark: str, background: str) -> pa.Table:
    """Return what a model stated for a benchmark's questions; nothing without a name."""
    if not background:
        return GENERATED_TRIPLES.schema.empty_table()
    return inputs.read(GENERATED_TRIPLES, {"benchmark": benchmark, "background": background})


def _generated_triples(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.extraction.cloze_facts import cloze_background
        from evidence_assets.reading.prompting.background import ask_background, background_rows
        from evidence_assets.systems.kaping import report
        from evidence_assets.systems.kaping.retrieving import topic_names

        benchmark, background = step.key.name, step.key.variant
        base, questions = _opened(step, project)
        texts, names = [question.question for question in questions], topic_names(questions)
        if background == CLOZE:
            model = _masked_lm(step, project)
            sentences = {relation: base.templates[relation] for relation in base.schema.relations}
            statements = cloze_background(texts, names, sentences, model, step.encoder.encode)
            model_id = model.model_id
        else:
            recorded = step.generator(background)
            statements = ask_background(texts, names, recorded, step.progress("replies"))
            model_id = recorded.generator.generator_id
        against = _contradictions(base, _names(step, project, base), statements)
        ids = [question.question_id for question in questions]
        rows = background_rows(ids, statements, against, benchmark, background, model_id)
        yield Rows(GENERATED_TRIPLES, rows)
        yield Metadata(report.of_background(statements, rows, step.key.text))

    description = (
        "Triples that a model states of its own for each question, and the graph's that say otherwise. No "
        "graph holds them.\n\n- `cloze`: a masked language model fills the graph's relations.\n"
        "- a generator's name: three prompts, for entities, relations and triples."
    )
    return retrieval_stage(
        group="kaping_retrieval",
        name=GENERATED_TRIPLES.name,
        variants=backgrounds(project.generators),
        outputs=(Output(GENERATED_TRIPLES, description),),
        inputs=(
            Input(QUESTIONS),
            Input(QUESTION_CONCEPTS),
            *graph_inputs(project, QUESTION_CONCEPTS),
            *_masked_lm_inputs(project),
        ),
        run=run,
        system=SYSTEM,
        version=f"1-{prompts_version(*BACKGROUND_PROMPTS)}",
        models=frozenset({Model.ENCODER, Model.MASKED_LM, Model.GENERATOR}),
        side_tables=(GENERATIONS,),
        on_demand=True,
    )


def _opened(step: Step, project: Project) -> tuple[KnowledgeBase, list[LinkedQuestion]]:
    """Return the graph that a benchmark is asked of, and its questions with what each is about."""
    from evidence_assets.kgqa.loaders import knowledge_base, questions_with_topics

    inputs, benchmark = step.inputs, step.key.name
    base = knowledge_base(inputs, project, project.required_graph(benchmark, TITLE))
    questions = inputs.read(QUESTIONS, {"benchmark": benchmark})
    return base, questions_with_topics(inputs, project, base, benchmark, questions)


def _names(step: Step, project: Project, base: KnowledgeBase) -> NodesByName:
    from evidence_assets.graphs.names.node_names import NodesByName
    from evidence_assets.kgqa.loaders import shared_linker

    return NodesByName(base.graph, shared_linker(step.inputs, project, base.graph.name))


def _masked_lm_inputs(project: Project) -> tuple[Input, ...]:
    """Return the harvest's own masked language model, unless another is named: nothing follows it."""
    from evidence_assets.models.provider import MaskedLanguageModelSettings

    if project.harvest is None or MaskedLanguageModelSettings().named():
        return ()
    return (Input(DOMAIN_MASKED_LM, variants={CLOZE: ""}, via=QUESTION_CONCEPTS, link=Link.HARVEST_CORPUS),)


def _masked_lm(step: Step, project: Project) -> MaskedLanguageModel:
    """Return the masked language model as the harvest has it: the profile's, else the corpus's own.

    Raises:
        LookupError: neither is configured.
    """
    from evidence_assets.extraction.domain_model.corpus_model import harvests_model

    harvest = project.harvest
    if harvest is None and not step.masked_lm.named():
        raise LookupError(
            f"background {CLOZE} fills masks, and no masked language model is configured; remedy: name one "
            f"(EVIDENCE_PROFILE, or the resource's field), or a harvest with a corpus in {project.location}"
        )
    return harvests_model(step, "" if harvest is None else harvest.corpus)


def _contradictions(
    base: KnowledgeBase, nodes_of: NodesByName, statements: Sequence[Background]
) -> list[list[list[str]]]:
    """Return, for each question and each triple stated for it, the ids of the graph's that say otherwise."""
    from evidence_assets.graphs.functional_relations import Contradictions

    graph = base.graph
    against = Contradictions(graph, nodes_of)
    return [
        [
            [
                str(graph.triple_ids[edge].as_py())
                for edge in against.edges(triple.head, triple.relation, triple.tail)
            ]
            for triple in background.triples
        ]
        for background in statements
    ]


def _retrieved_facts(project: Project) -> Stage:
    ways = retrievals(project.generators)

    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.kgqa.answers.walk_retrieval import WalkRetriever
        from evidence_assets.systems.kaping import report
        from evidence_assets.systems.kaping.retrieving import (
            Retriever,
            entity_questions,
            fact_tables,
            rule_of,
        )

        benchmark, way = step.key.name, ways[step.key.variant]
        base, questions = _opened(step, project)
        shortened = step.shortened(step.inputs.read(QUESTIONS, {"benchmark": benchmark}))
        linked = entity_questions(
            [replace(question, question=shortened.of(question.question)) for question in questions]
        )
        finder = WalkRetriever(base.graph, _wordings(base), step.encoder.encode)
        generated: dict[str, list[dict[str, Any]]] = {}
        for row in stated_triples(step.inputs, benchmark, way.background).to_pylist():
            generated.setdefault(row["question_id"], []).append(row)
        retriever = Retriever(finder, _names(step, project, base), generated)
        pieces = fact_tables(linked, finder, retriever, way, benchmark, step.progress("questions"))
        rows = pa.concat_tables([RETRIEVED_FACTS.schema.empty_table(), *pieces])
        yield Rows(RETRIEVED_FACTS, rows)
        rule = rule_of(linked, finder, retriever) if way.adaptive else None
        yield Metadata(report.of_facts(rows, len(questions), rule))

    described = "\n".join(f"- `{way.name}`: {way.description}." for way in ways.values())
    stated_by = {way.name: way.background for way in ways.values() if way.background}
    return retrieval_stage(
        group="kaping_retrieval",
        name=f"{SYSTEM}/{RETRIEVED_FACTS.name}",
        variants=tuple(ways),
        outputs=(
            Output(
                RETRIEVED_FACTS,
                "The facts nearest to each question, the graph's and a model's own in one space.\n\n"
                + described,
            ),
        ),
        inputs=(
            Input(QUESTIONS),
            Input(QUESTION_CONCEPTS),
            Input(GENERATED_TRIPLES, variants=stated_by),
            *graph_inputs(project, QUESTION_CONCEPTS),
        ),
        run=run,
        system=SYSTEM,
        version="3",
        models=frozenset({Model.ENCODER}),
        on_demand=True,
    )


def _wordings(base: KnowledgeBase) -> dict[str, Wording]:
    """Return how relations are read out, with the words of their ends' types."""
    from evidence_assets.kgqa.answers.walk_retrieval import Wording

    return {
        name: Wording(base.templates[name], _words(relation.head_type), _words(relation.tail_type))
        for name, relation in base.schema.relations.items()
    }


def _words(type_: str) -> str:
    return type_.replace("_", " ").lower()
