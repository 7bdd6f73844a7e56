"""UGAT-MedQA's stages: the subgraph, the relevance and the paths of every question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pydantic import create_model

from evidence_assets.graphs.graph_inputs import harvested_sentence_inputs
from evidence_assets.lake.schemas import (
    GRAPH_CONFLICTS,
    GRAPH_NODES,
    NODE_RELEVANCE,
    QUESTION_CONCEPTS,
    QUESTION_SUBGRAPHS,
    QUESTIONS,
    REASONING_PATHS,
    RELEVANCE_DIAGNOSTICS,
    TRIPLES,
)
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import (
    Input,
    Metadata,
    Model,
    Output,
    Rows,
    Run,
    Stage,
    retrieval_stage,
)
from evidence_assets.systems.ugat_medqa.arms import KINDS, NEIGHBOURHOODS, NONE, ROUTES, SYSTEM
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig
from evidence_assets.text.verbalisation import templates_version

if TYPE_CHECKING:
    from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
    from evidence_assets.lake.lake import TableReader
    from evidence_assets.models.encoder import FloatArray
    from evidence_assets.stages.step import Step
    from evidence_assets.systems.ugat_medqa.subgraphs import QuestionConcepts

# Dagster maps no graph onto a benchmark and route; question_concepts depends on the graph already.
_WALKED = (
    Input(QUESTIONS),
    Input(QUESTION_CONCEPTS),
    Input(TRIPLES, via=QUESTION_CONCEPTS),
    Input(GRAPH_NODES, via=QUESTION_CONCEPTS),
)
# How the networks of the arms `paper` and `no_attention` are trained: algorithm 6.1 states no value. A
# partition made with other values replaces the one there is; `relevance_diagnostics` says which were used.
_TRAINING: dict[str, Any] = {
    field.name: (type(field.default), field.default) for field in fields(AttentionConfig)
}
TrainingConfig = create_model("TrainingConfig", **_TRAINING)


def ugat_medqa_stages(project: Project) -> list[Stage]:
    """Return the system's stages of retrieval."""
    return [_subgraphs(project), _relevance(project), _paths(project)]


def _stage(
    run: Run, variants: Sequence[str], outputs: Sequence[Output], inputs: Sequence[Input], version: str
) -> Stage:
    return retrieval_stage(
        group="ugat_medqa_retrieval",
        name=outputs[0].table.name,
        variants=tuple(variants),
        outputs=tuple(outputs),
        inputs=(*_WALKED, *inputs),
        run=run,
        version=version,
        system=SYSTEM,
        models=frozenset({Model.ENCODER}),
        on_demand=True,
        settings=TrainingConfig if outputs[0].table is NODE_RELEVANCE else None,
    )


def _open(step: Step, project: Project) -> tuple[EmbeddedGraph, list[QuestionConcepts], FloatArray]:
    """Return a benchmark's graph in memory, its questions with the nodes they name, and their vectors.

    Raises:
        LookupError: the configuration names no graph for the benchmark.
        BrokenGraphError: the graph was built anew since the questions were linked.
    """
    from evidence_assets.graphs.loaders import check_numbers
    from evidence_assets.kgqa.loaders import shared_embedded_graph
    from evidence_assets.systems.ugat_medqa.subgraphs import questions_with_concepts

    kg, place = project.required_graph(step.key.name, "UGAT-MedQA"), {"benchmark": step.key.name}
    encoder = step.encoder
    graph = shared_embedded_graph(step.inputs, kg, encoder)
    concepts = step.inputs.read(QUESTION_CONCEPTS, place)
    check_numbers(graph.graph, concepts, QUESTION_CONCEPTS.name)
    rows = step.inputs.read(QUESTIONS, place)
    questions, encode = questions_with_concepts(rows, concepts), step.shortened(rows).encoding(encoder.encode)
    return graph, questions, encode([question.question for question in questions])


def _subgraphs(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.systems.ugat_medqa import report
        from evidence_assets.systems.ugat_medqa.subgraphs import subgraph_rows

        benchmark, name = step.key.name, step.key.variant
        graph, questions, vectors = _open(step, project)
        extent, progress = NEIGHBOURHOODS[name], step.progress("subgraphs")
        rows = subgraph_rows(questions, vectors, graph, extent, benchmark, progress)
        yield Rows(QUESTION_SUBGRAPHS, rows, preview=False)
        written = step.output(QUESTION_SUBGRAPHS, {"benchmark": benchmark, "neighbourhood": name})
        yield Metadata(report.of_subgraphs(written, step.key.text))

    description = (
        "The nodes within some hops of each question's concepts, capped by PageRank from them but where the "
        "name says uncapped. Options are not looked at."
    )
    return _stage(run, tuple(NEIGHBOURHOODS), [Output(QUESTION_SUBGRAPHS, description)], (), "1")


def _routes() -> str:
    return "\n".join(f"- `{name}`: {route.description}." for name, route in ROUTES.items())


def _relevance(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.systems.ugat_medqa import report
        from evidence_assets.systems.ugat_medqa.relevance_rows import relevance_tables
        from evidence_assets.systems.ugat_medqa.subgraphs import read_subgraphs, subgraphs_of

        benchmark, route = step.key.name, ROUTES[step.key.variant]
        training = AttentionConfig(**step.settings_as(TrainingConfig).model_dump())
        graph, questions, vectors = _open(step, project)
        place = {"benchmark": benchmark, "neighbourhood": route.neighbourhood}
        subgraphs = subgraphs_of(questions, read_subgraphs(step.inputs.read(QUESTION_SUBGRAPHS, place)))
        progress = step.progress("questions scored")
        pieces = relevance_tables(questions, subgraphs, vectors, graph, route, training, benchmark, progress)
        measured = [RELEVANCE_DIAGNOSTICS.schema.empty_table()]

        def scored() -> Iterator[pa.Table]:
            # Written as it comes: without a cap, what a threshold keeps of many questions fills the memory.
            for nodes, diagnostics in pieces:
                measured.append(diagnostics)
                yield nodes

        yield Rows(NODE_RELEVANCE, scored())
        yield Rows(RELEVANCE_DIAGNOSTICS, pa.concat_tables(measured))
        shown = report.of_relevance(pa.concat_tables(measured))
        if shown.pop("warn"):
            step.log.warning(
                f"{step.key.text}: of most questions all nodes score nearly alike; see relevance_diagnostics"
            )
        yield Metadata({**shown, "nodes_at_most": route.extent.cap}, RELEVANCE_DIAGNOSTICS)
        if route.method in KINDS:
            for table in step.stage.tables:
                yield Metadata({"training": training.as_json()}, table)

    description = "How relevant a question's evidence nodes, seeds and options' concepts are.\n\n" + _routes()
    measures = "Whether a relevance tells nodes apart: spread, share kept, and more."
    outputs = [Output(NODE_RELEVANCE, description), Output(RELEVANCE_DIAGNOSTICS, measures)]
    extents = {name: route.neighbourhood for name, route in ROUTES.items()}
    return _stage(run, tuple(ROUTES), outputs, [Input(QUESTION_SUBGRAPHS, variants=extents)], "4")


def _paths(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.systems.ugat_medqa import report

        graph, questions, vectors = _open(step, project)
        place = {"benchmark": step.key.name}
        nodes = step.inputs.read(NODE_RELEVANCE, {**place, "route": step.key.variant})
        rows = _path_table(step, project, graph, questions, vectors, nodes)
        yield Rows(REASONING_PATHS, rows)
        yield Metadata(report.of_paths(rows, nodes, step.inputs.read(QUESTIONS, place), graph))

    description = (
        "The cheapest paths from evidence nodes to what each option names, read out.\n\n" + _routes()
    )
    unfiltered = {name: route.neighbourhood for name, route in ROUTES.items() if route.method == NONE}
    inputs = (
        Input(NODE_RELEVANCE),
        Input(QUESTION_SUBGRAPHS, variants=unfiltered, via=NODE_RELEVANCE),
        Input(GRAPH_CONFLICTS, via=QUESTION_CONCEPTS),
        *harvested_sentence_inputs(project, QUESTION_CONCEPTS),
    )
    version = f"2-{templates_version(project.sources.templates)}"
    return _stage(run, tuple(ROUTES), [Output(REASONING_PATHS, description)], inputs, version)


def _path_table(
    step: Step,
    project: Project,
    graph: EmbeddedGraph,
    questions: Sequence[QuestionConcepts],
    vectors: FloatArray,
    nodes: pa.Table,
) -> pa.Table:
    from evidence_assets.graphs.loaders import check_numbers, templates_of
    from evidence_assets.graphs.walking.paths import PathFinder, step_costs
    from evidence_assets.systems.ugat_medqa.reasoning_paths import PathContext, path_rows
    from evidence_assets.systems.ugat_medqa.relevance_rows import every_node, relevant_nodes
    from evidence_assets.systems.ugat_medqa.subgraphs import read_subgraphs

    benchmark, route, kg = step.key.name, ROUTES[step.key.variant], graph.graph.name
    check_numbers(graph.graph, nodes, NODE_RELEVANCE.name)
    if route.method == NONE:
        around = {"benchmark": benchmark, "neighbourhood": route.neighbourhood}
        relevant = every_node(read_subgraphs(step.inputs.read(QUESTION_SUBGRAPHS, around)))
    else:
        relevant = relevant_nodes(nodes)
    longest = route.extent.hops + 1
    finder = PathFinder(graph.adjacency, step_costs(graph.adjacency, route.cost), longest)
    sentences = templates_of(step.inputs, project.graph(kg))
    context = PathContext(graph, finder, sentences, _contradicted(step.inputs, kg), route, benchmark)
    pieces = path_rows(questions, vectors, relevant, context, step.progress("questions"))
    return pa.concat_tables([REASONING_PATHS.schema.empty_table(), *pieces])


def _contradicted(inputs: TableReader, kg: str) -> set[str]:
    import pyarrow.compute as pc

    from evidence_assets.graphs.concepts.conflicts import CONTRADICTION

    conflicts = inputs.read(GRAPH_CONFLICTS, {"kg": kg}, ["conflict", "triple_ids"])
    denied = conflicts.filter(pc.equal(conflicts.column("conflict"), CONTRADICTION))
    return {triple_id for row in denied.column("triple_ids").to_pylist() for triple_id in row}
