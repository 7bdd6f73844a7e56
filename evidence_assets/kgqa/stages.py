"""Stages of what is asked of a graph: pools of documents, and questions read as conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evidence_assets.graphs.graph_inputs import graph_inputs, harvested_sentence_inputs
from evidence_assets.kgqa.queries.serialization import EXTRACTIVE
from evidence_assets.kgqa.queries.serialization import PROPOSED as PARSER
from evidence_assets.lake.schemas import (
    DOCUMENT_POOLS,
    GENERATIONS,
    GRAPH_NODES,
    NODE_DOCUMENTS,
    QUESTION_CONCEPTS,
    QUESTION_QUERIES,
    QUESTIONS,
    TRIPLES,
)
from evidence_assets.reading.prompting.prompt_files import PROPOSE_QUERY, TRIPLETS, prompts_version
from evidence_assets.reading.weights import measured_version
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Key, Metadata, Model, Output, Rows, Scope, Stage

if TYPE_CHECKING:
    import pyarrow as pa

    from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
    from evidence_assets.kgqa.understanding.understanding import Understood
    from evidence_assets.stages.step import Step

GROUP = LAYER = "retrieval"
# What readings are weighed by: new weights are new code.
MEASURED = ("empty_words_graph_questions", "ranking_graph_paths", "ranking_graph_questions")
_QUESTIONS_AT_ONCE = 500


def kgqa_stages(project: Project) -> list[Stage]:
    """Return the stages of the open questions of every benchmark: pools of documents, and queries."""
    return [_document_pools(project), _question_queries(project)]


def _document_pools(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.kgqa.answers.document_pools import document_pools, open_questions

        benchmark, inputs = step.key.name, step.inputs
        questions = inputs.read(QUESTIONS, {"benchmark": benchmark})
        kg = project.graph_of(benchmark)
        rows = DOCUMENT_POOLS.schema.empty_table()
        # Most benchmarks offer options: their graphs need no documents.
        if kg is not None and open_questions(questions).num_rows:
            documents = inputs.read(NODE_DOCUMENTS, {"kg": kg}, ["document_id", "kg", "node", "text"])
            encode = step.shortened(questions).encoding(step.encoder.encode)
            rows = document_pools(questions, documents, encode, benchmark, step.progress("questions"))
        yield Rows(DOCUMENT_POOLS, rows)

    description = (
        "The documents of a graph's nodes that are nearest to each question without options, by vectors and "
        "by BM25."
    )
    return Stage(
        name=DOCUMENT_POOLS.name,
        scope=Scope.BENCHMARK,
        # What reads the pools reads the documents too.
        outputs=(Output(DOCUMENT_POOLS, description, carries=(NODE_DOCUMENTS,)),),
        inputs=(Input(QUESTIONS), Input(NODE_DOCUMENTS)),
        run=run,
        group=GROUP,
        layer=LAYER,
        version="2",
        models=frozenset({Model.ENCODER}),
        on_demand=True,
        pooled=True,
    )


def _question_queries(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        import pyarrow.compute as pc

        from evidence_assets.kgqa.answers.document_pools import open_questions
        from evidence_assets.kgqa.loaders import knowledge_base
        from evidence_assets.lake.previews import bars

        benchmark, inputs = step.key.name, step.inputs
        base = knowledge_base(inputs, project, project.required_graph(benchmark, QUESTION_QUERIES.name))
        questions = open_questions(inputs.read(QUESTIONS, {"benchmark": benchmark}))
        rows_of = _parsed if step.key.variant == EXTRACTIVE else _prompted
        if step.key.variant.startswith(f"{PARSER}@"):
            rows_of = _proposed
        rows = rows_of(step, project, base, questions)
        yield Rows(QUESTION_QUERIES, rows)
        best = rows.filter(pc.equal(rows.column("rank"), 1))
        statuses = {
            count["values"]: count["counts"] for count in best.column("status").value_counts().to_pylist()
        }
        picture = bars(statuses, f"{step.key.text}: first readings", "questions")
        yield Metadata({"questions": best.num_rows, "statuses": picture})

    description = (
        "What each question without options asks of its graph: conditions on a variable, the likeliest "
        "reading first, by the extractive parser or by a language model."
    )
    proposing = prompts_version(PROPOSE_QUERY)

    def configuration(key: Key) -> str:
        settings = [project.linking_of(key.name), proposing * key.variant.startswith(f"{PARSER}@")]
        return " ".join(filter(None, settings))

    sentences = harvested_sentence_inputs(project, QUESTION_CONCEPTS)
    # What solves the queries reads the graph, and how it is read out.
    carried = (TRIPLES, GRAPH_NODES, *(declared.table for declared in sentences))
    return Stage(
        name=QUESTION_QUERIES.name,
        scope=Scope.BENCHMARK,
        variants=(EXTRACTIVE, *project.generators, *(f"{PARSER}@{name}" for name in project.generators)),
        outputs=(Output(QUESTION_QUERIES, description, carries=carried),),
        inputs=(
            Input(QUESTIONS),
            Input(QUESTION_CONCEPTS),
            *graph_inputs(project, QUESTION_CONCEPTS),
        ),
        run=run,
        group=GROUP,
        layer=LAYER,
        version=f"45-{measured_version(*MEASURED)}-{prompts_version(TRIPLETS)}",
        configuration=configuration,
        models=frozenset({Model.ENCODER, Model.GENERATOR}),
        side_tables=(GENERATIONS,),
        on_demand=True,
        pooled=True,
    )


def _parsed(step: Step, project: Project, base: KnowledgeBase, questions: pa.Table) -> pa.Table:
    """Return a benchmark's rows by the extractive parser."""
    from evidence_assets.kgqa.loaders import questions_with_topics
    from evidence_assets.kgqa.understanding.rows import query_rows

    benchmark, progress = step.key.name, step.progress("questions read")
    if not questions.num_rows:
        return query_rows(benchmark, base.graph.name, [], [], base.schema)
    linked = questions_with_topics(step.inputs, project, base, benchmark, questions)
    understander = base.understander(step.encoder)
    understood: list[Understood] = []
    for start in range(0, len(linked), _QUESTIONS_AT_ONCE):
        understood += understander.understand(linked[start : start + _QUESTIONS_AT_ONCE])
        progress(len(understood), len(linked))
    return query_rows(benchmark, base.graph.name, linked, understood, base.schema)


def _prompted(step: Step, project: Project, base: KnowledgeBase, questions: pa.Table) -> pa.Table:
    """Return a benchmark's rows by a language model."""
    from evidence_assets.graphs.loaders import check_numbers
    from evidence_assets.kgqa.loaders import shared_linker
    from evidence_assets.kgqa.understanding.prompted import read_as_conditions
    from evidence_assets.kgqa.understanding.rows import prompted_rows

    benchmark, kg, parser = step.key.name, base.graph.name, step.key.variant
    concepts = step.inputs.read(QUESTION_CONCEPTS, {"benchmark": benchmark})
    check_numbers(base.graph, concepts, QUESTION_CONCEPTS.name)
    linker = shared_linker(step.inputs, project, kg)
    texts: Sequence[str] = questions.column("question").to_pylist()
    generator, progress = step.generator(parser), step.progress("questions read")
    prompted = read_as_conditions(texts, generator, base.schema, linker, step.encoder, progress)
    ids = questions.column("question_id").to_pylist()
    return prompted_rows(benchmark, kg, parser, ids, prompted, base.solver)


def _proposed(step: Step, project: Project, base: KnowledgeBase, questions: pa.Table) -> pa.Table:
    """Return a benchmark's rows by queries that a language model proposes, which are run here."""
    from evidence_assets.kgqa.answers.proposed_queries import propose_queries, proposed_rows
    from evidence_assets.kgqa.loaders import shared_linker

    benchmark, parser = step.key.name, step.key.variant
    linker = shared_linker(step.inputs, project, base.graph.name)
    texts: Sequence[str] = questions.column("question").to_pylist()
    generator, progress = step.generator(parser.partition("@")[2]), step.progress("questions read")
    proposed = propose_queries(texts, generator, base, linker, step.encoder, progress)
    return proposed_rows(benchmark, parser, questions.column("question_id").to_pylist(), proposed, base)
