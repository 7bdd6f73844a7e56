"""The stage of the concepts that questions name in a graph, and of the triples around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
from pydantic import BaseModel

from evidence_assets.graphs.graph_inputs import harvested_sentence_inputs
from evidence_assets.lake.schemas import (
    GRAPH_ALIASES,
    GRAPH_CONFLICTS,
    GRAPH_NODES,
    QUESTION_CONCEPTS,
    QUESTIONS,
    RANKED_TRIPLES,
    TRIPLES,
)
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Metadata, Model, Output, Rows, Stage, retrieval_stage
from evidence_assets.text.verbalisation import templates_version

if TYPE_CHECKING:
    from evidence_assets.stages.step import Step


class TripleConfig(BaseModel):
    """How many triples of a concept are considered.

    `triples_per_concept`: of a concept with more, the heaviest are taken, and `question_concepts` records how
    many were dropped. Triples between a question's and an option's concepts are never dropped.
    """

    triples_per_concept: int = 300


def question_triple_stage(project: Project) -> Stage:
    """Return the stage of the concepts and triples of every benchmark's questions."""

    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.graphs.loaders import open_graph, open_linker, templates_of
        from evidence_assets.retrieval.question_triples import report
        from evidence_assets.retrieval.question_triples.question_linking import link_questions, link_rows
        from evidence_assets.retrieval.question_triples.ranked_triples import rank_triples

        benchmark, inputs = step.key.name, step.inputs
        kg = project.graph_of(benchmark)
        if kg is None:
            step.log.warning(f"{benchmark} names no graph in the configuration: it has no triples")
            for table in step.selected:
                yield Rows(table, table.schema.empty_table())
            return
        limit, source = step.settings_as(TripleConfig).triples_per_concept, project.graph(kg)
        graph = open_graph(inputs, kg)
        linker = open_linker(inputs, kg, source.embedding_threshold, source.unlinked)
        questions = inputs.read(QUESTIONS, {"benchmark": benchmark})
        linked = link_questions(questions, linker, step.encoder, step.progress("questions linked"))
        if QUESTION_CONCEPTS in step.selected:
            links = link_rows(linked, graph, benchmark, limit)
            yield Rows(QUESTION_CONCEPTS, links)
            yield Metadata(report.of_links(links, questions), QUESTION_CONCEPTS)
        if RANKED_TRIPLES in step.selected:
            scorer, progress = step.pair_scorer, step.progress("questions given triples")
            sentences = templates_of(inputs, source)
            rows = rank_triples(
                linked,
                graph,
                sentences,
                step.encoder,
                scorer,
                benchmark,
                limit,
                progress,
                step.shortened(questions),
            )
            ranked = pa.concat_tables([RANKED_TRIPLES.schema.empty_table(), *rows])
            yield Rows(RANKED_TRIPLES, ranked)
            yield Metadata(report.of_triples(ranked, graph, scorer.scorer_id), RANKED_TRIPLES)

    sentences = harvested_sentence_inputs(project, TRIPLES)
    # What walks from the concepts reads the graph, and Dagster maps no graph onto a benchmark and route: so a
    # change of the graph is a change of the concepts.
    carried = (TRIPLES, GRAPH_NODES, GRAPH_CONFLICTS, *(declared.table for declared in sentences))
    return retrieval_stage(
        name=RANKED_TRIPLES.name,
        outputs=(
            Output(
                QUESTION_CONCEPTS,
                "The concepts that each question and option names, each text by itself: by the same words, "
                "by their lemmas, by spelling or by meaning, each with its score.",
                carries=carried,
            ),
            Output(
                RANKED_TRIPLES,
                "The triples around those concepts, read out, the nearest to question + option kept. A "
                "benchmark that names no graph has none.",
            ),
        ),
        inputs=(
            Input(QUESTIONS),
            Input(TRIPLES),
            Input(GRAPH_NODES),
            Input(GRAPH_ALIASES),
            Input(GRAPH_CONFLICTS, via=TRIPLES),
            *sentences,
        ),
        run=run,
        version=f"6-{templates_version(project.sources.templates)}",
        models=frozenset({Model.ENCODER, Model.PAIR_SCORER}),
        # Systems that walk the graph need the concepts alone.
        subset=True,
        settings=TripleConfig,
        configuration=lambda key: project.linking_of(key.name),
    )
