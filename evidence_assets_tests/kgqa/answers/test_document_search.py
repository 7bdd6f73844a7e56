"""Baselines of graphs: search without the topics, by the parts of documents, and by hops; what they leave."""

from __future__ import annotations

from typing import Any

import numpy as np

from evidence_assets.evidence.experiment import RANKED_EXPERIMENT_TABLES, Experiment
from evidence_assets.graphs.walking.adjacency import adjacency
from evidence_assets.kgqa.answers.baseline_reading import read_baseline
from evidence_assets.kgqa.answers.document_search import (
    PART_WORDS,
    DocumentedGraph,
    Search,
    document_parts,
    hop_levels,
    named_nodes,
    part_pools,
    without,
)
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.graph.schema import derived_schema
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant, Triplet, Variable
from evidence_assets.kgqa.queries.serialization import PARSED, QueryRecord
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import TABLES_BY_NAME
from evidence_assets.stages.withholding import Source
from evidence_assets_tests.testing.graph_samples import SignEncoder, graph_of, number_of

ROWS = [
    ("Alien", "directed_by", "Ridley Scott", 1.0),
    ("Blade Runner", "directed_by", "Ridley Scott", 1.0),
    ("Blade Runner", "written_by", "Philip Dick", 1.0),
    ("Heat", "directed_by", "Michael Mann", 1.0),
]
TEMPLATES = {"directed_by": "{head} was directed by {tail}", "written_by": "{head} was written by {tail}"}
GRAPH = graph_of(ROWS)
QUESTION_ROW: dict[str, Any] = {
    "question_id": "q",
    "question": "what did Ridley Scott direct",
    "options": [],
    "answer_index": None,
}


def node(label: str) -> int:
    return number_of(GRAPH, label)


def labels(nodes: np.ndarray) -> set[str]:
    return {GRAPH.labels[int(node)].as_py() for node in nodes}


def documented(*texts: str) -> DocumentedGraph:
    schema = derived_schema(GRAPH, None, TEMPLATES)
    base = KnowledgeBase(GRAPH, schema, node_types(GRAPH, None, schema), TEMPLATES)
    documents = list(texts) or [f"About {label}." for label in GRAPH.labels.to_pylist()]
    return DocumentedGraph(base, documents, [f"d{number}" for number in range(len(documents))])


def test_what_a_question_names_is_left_out_of_its_pool() -> None:
    """Else it is its own answer: its document is the nearest to the question that names it."""
    question = LinkedQuestion("q", "who directed Heat", (Topic("Heat", 13, 17, (4, 7)),))
    pools = {"q": [(4, 0.9), (1, 0.5), (7, 0.4)], "other": [(4, 0.3)]}

    assert without(pools, named_nodes([question])) == {"q": [(1, 0.5)], "other": [(4, 0.3)]}


def test_levels_are_nodes_by_hops_from_all_topics() -> None:
    around = adjacency(GRAPH)

    levels = hop_levels(around, [[node("Ridley Scott")]])
    assert [labels(level) for level in levels] == [{"Alien", "Blade Runner"}, {"Philip Dick"}]

    joint = hop_levels(around, [[node("Ridley Scott")], [node("Philip Dick")]])
    assert [labels(level) for level in joint] == [{"Blade Runner"}, {"Alien"}]


def test_levels_end_where_there_are_enough_and_nothing_is_around_no_topic() -> None:
    around = adjacency(GRAPH)

    assert [labels(level) for level in hop_levels(around, [[node("Ridley Scott")]], enough=2)] == [
        {"Alien", "Blade Runner"}
    ]
    assert hop_levels(around, []) == hop_levels(around, [[]]) == []


def test_a_document_is_as_near_as_its_best_part() -> None:
    encoder = SignEncoder()
    question = encoder.encode(["red axe"])
    graph = documented(*["a long text about nothing red axe"] + ["other"] * (len(GRAPH.labels) - 1))
    start = len("a long text about nothing ")
    parts = DocumentedGraph(graph.base, graph.documents, graph.document_ids, [start] + [0] * 5)

    [pool] = part_pools(["q"], question, parts, encoder.encode, 3).values()

    assert pool[0] == (0, 1.0)
    assert len(pool) == 3


def test_parts_are_text_and_triples_and_long_ones_are_cut() -> None:
    text = " ".join(["word"] * (PART_WORDS + 1))
    assert [len(part.split()) for part in document_parts(f"{text} A is B.", len(text))] == [PART_WORDS, 1, 3]


def test_a_baselines_answer_cites_its_document_and_is_not_supported() -> None:
    encoder, graph = SignEncoder(), documented()
    vectors = encoder.encode(list(graph.documents))
    near = [(node("Alien"), 0.5), (node("Heat"), 0.2)]
    search = Search({"q": near}, encoder.encode([QUESTION_ROW["question"]]), vectors)
    experiment = Experiment("s", "documents@nearest", "b", "1", ranks=True)

    read_baseline(experiment, [{**QUESTION_ROW, "answers": ["Alien"]}], graph, search, "nearest")

    tables = experiment.tables()
    for table in RANKED_EXPERIMENT_TABLES:
        conform(tables[table.name], TABLES_BY_NAME[table.name])
    ranked = tables["ranked_answers"].to_pylist()
    assert [(row["answer"], row["returned"], row["supported"]) for row in ranked] == [
        ("Alien", True, False),
        ("Heat", False, False),
    ]
    [prediction] = tables["predictions"].to_pylist()
    assert (prediction["predicted"], prediction["correct"], prediction["confidence"]) == ("Alien", True, None)
    [chain] = tables["chains"].to_pylist()
    assert chain["citation_status"] == "valid"


def test_by_hops_the_nearest_are_the_answer_and_nearness_orders_them_alone() -> None:
    encoder, graph = SignEncoder(), documented()
    search = Search({}, encoder.encode([QUESTION_ROW["question"]]), encoder.encode(list(graph.documents)))
    levels = {"q": hop_levels(adjacency(GRAPH), [[node("Ridley Scott")]])}
    experiment = Experiment("s", "shortest_path@nearest", "b", "1", ranks=True)

    read_baseline(experiment, [{**QUESTION_ROW, "answers": ["Alien"]}], graph, search, "nearest", levels)

    ranked = experiment.tables()["ranked_answers"].to_pylist()
    assert {row["answer"] for row in ranked if row["returned"]} == {"Alien", "Blade Runner"}
    assert [row["answer"] for row in ranked][2] == "Philip Dick"


def test_a_question_about_nothing_is_not_answered_by_hops() -> None:
    encoder, graph = SignEncoder(), documented()
    search = Search({}, encoder.encode([QUESTION_ROW["question"]]), encoder.encode(list(graph.documents)))
    experiment = Experiment("s", "shortest_path@nearest", "b", "1", ranks=True)

    read_baseline(experiment, [{**QUESTION_ROW, "answers": ["Alien"]}], graph, search, "nearest", {})

    [prediction] = experiment.tables()["predictions"].to_pylist()
    assert prediction["abstained"]


def test_a_document_that_is_withheld_is_the_farthest() -> None:
    encoder, graph = SignEncoder(), documented()
    unread = {0: np.array([node("Heat")], dtype=np.int32)}
    documents = encoder.encode(list(graph.documents))
    search = Search({}, encoder.encode(["a", "a"]), documents, {}, unread)
    nodes = np.array([node("Alien"), node("Heat")], dtype=np.int32)
    assert search.nearness(0)(nodes)[1] == -1.0
    assert search.nearness(0)(nodes)[0] == search.nearness(1)(nodes)[0]
    assert search.nearness(1)(nodes)[1] > -1.0
    assert search.nearest(0, nodes, 2)[-1][0] == node("Heat")


def test_a_graph_without_a_triple_neither_answers_by_it_nor_cites_it() -> None:
    base = documented().base
    director = Constant("Ridley Scott", (node("Ridley Scott"),))
    query = ConjunctiveQuery((Triplet(Variable("a"), "directed_by", director),), "a")
    reading = QueryRecord(query, PARSED, 1.0, "")
    films = base.nodes_of(reading)
    assert len(films) > 1
    [cited] = base.support_of(reading, [int(films[0])], 4)[0]
    gone = base.unit(cited).source_key

    remaining = base.without([Source("triples", gone), Source("articles", "a")])

    assert remaining.nodes_of(reading).tolist() == films[1:].tolist()
    assert remaining.support_of(reading, films.tolist(), 4)[0] == []
    # Those that are left are read out as before, whatever their numbers.
    again = remaining.support_of(reading, [int(films[1])], 4)[0]
    before = base.support_of(reading, [int(films[1])], 4)[0]
    assert [remaining.unit(edge) for edge in again] == [base.unit(edge) for edge in before]
    assert base.nodes_of(reading).tolist() == films.tolist()
    assert base.without([Source("articles", "a")]) is base
