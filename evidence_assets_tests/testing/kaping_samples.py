"""A film graph small enough to know by heart, with what KAPING reads of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.names.node_names import NodesByName
from evidence_assets.kgqa.answers.walk_retrieval import EntityQuestion, WalkRetriever, Wording
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.graph.schema import load_schema
from evidence_assets.kgqa.paths.relation_paths import RelationPath, path_types
from evidence_assets.kgqa.queries.conjunctive import Constant, chain
from evidence_assets.kgqa.queries.serialization import PARSED, QueryRecord
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.lake.schemas import QUESTIONS, RETRIEVED_FACTS
from evidence_assets.reading.prompting.background import Background, StatedTriple, background_rows
from evidence_assets.systems.kaping.arms import retrievals
from evidence_assets.systems.kaping.retrieving import Retriever, fact_tables
from evidence_assets.text.words import words
from evidence_assets_tests.testing.graph_samples import linker_of, number_of, signs
from evidence_assets_tests.testing.query_samples import FILM_ROWS, FILM_SCHEMA, typed_graph
from evidence_assets_tests.testing.question_rows import question_row

BENCHMARK, BACKGROUND = "films_quiz", "scripted"
SCHEMA = load_schema(FILM_SCHEMA, "films.yaml")
WORDINGS = {
    name: Wording(relation.sentences[0], relation.head_type, relation.tail_type)
    for name, relation in SCHEMA.relations.items()
}
TEMPLATES = {name: relation.sentences[0] for name, relation in SCHEMA.relations.items()}
Steps = tuple[tuple[str, bool], ...]
DIRECTOR: Steps = (("directed_by", False),)
FILMS_OF: Steps = (("directed_by", True),)
ACTORS_OF_FILMS: Steps = (("directed_by", True), ("starred_actors", False))


def bag(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit vectors of the words of texts: near is what shares words."""
    vectors = np.array([np.sum([signs(word) for word in words(text)], axis=0) for text in texts], np.float32)
    units: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


def film_graph() -> Graph:
    return typed_graph(FILM_ROWS)


def names_in(graph: Graph) -> NodesByName:
    rows = [(head, relation, tail, None) for head, relation, tail in FILM_ROWS]
    return NodesByName(graph, linker_of(rows))


def film_base(graph: Graph) -> KnowledgeBase:
    return KnowledgeBase(graph, SCHEMA, node_types(graph, None, SCHEMA), TEMPLATES)


def inquiry(graph: Graph, question: str, *topics: str, question_id: str = "q1") -> EntityQuestion:
    return EntityQuestion(question_id, question, tuple((name, number_of(graph, name)) for name in topics))


def reading(graph: Graph, topic: str, steps: Steps, score: float = 1.0, status: str = PARSED) -> QueryRecord:
    nodes = (number_of(graph, topic),) if topic in graph.labels.to_pylist() else ()
    query = chain(Constant(topic, nodes), steps, path_types(RelationPath(steps), SCHEMA)[1:])
    return QueryRecord(query, status, score, "")


def stated_rows(
    *triples: tuple[str, str, str], contradicts: Mapping[int, Sequence[str]] | None = None
) -> pa.Table:
    against = [list((contradicts or {}).get(number, ())) for number in range(len(triples))]
    background = Background([StatedTriple(*triple, likelihood=0.5) for triple in triples])
    return background_rows(["q1"], [background], [against], BENCHMARK, BACKGROUND, "model@1")


def question_table(question: str, answers: Sequence[str], topics: Sequence[str] | None = ()) -> pa.Table:
    named = None if topics is None else list(topics)
    row = question_row("q1", question, benchmark=BENCHMARK, answers=list(answers), topics=named)
    return pa.Table.from_pylist([row], schema=QUESTIONS.schema)


def retriever_of(
    graph: Graph, stated: pa.Table | None = None, nodes_of: Callable[[str], Sequence[int]] | None = None
) -> Retriever:
    rows = stated.to_pylist() if stated is not None else []
    finder = WalkRetriever(graph, WORDINGS, lambda texts: bag(list(texts)))
    return Retriever(finder, nodes_of or names_in(graph), {"q1": rows})


def facts_of(
    graph: Graph, question: EntityQuestion, retrieval: str, stated: pa.Table | None = None
) -> pa.Table:
    how = retrievals([BACKGROUND])[retrieval]
    finder = WalkRetriever(graph, WORDINGS, lambda texts: bag(list(texts)))
    pieces = fact_tables([question], finder, retriever_of(graph, stated), how, BENCHMARK)
    return pa.concat_tables([RETRIEVED_FACTS.schema.empty_table(), *pieces])
