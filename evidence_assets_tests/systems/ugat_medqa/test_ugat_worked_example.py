"""The worked example of section 6.4.5 of the thesis, and table 6.1: what is found, and how it reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from evidence_assets.graphs.passages import path_passage
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walking.paths import PathFinder, step_costs
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import NODE_RELEVANCE, REASONING_PATHS
from evidence_assets.retrieval.question_triples.question_linking import link_questions, link_rows
from evidence_assets.systems.ugat_medqa.arms import ARMS, NEIGHBOURHOODS, ROUTES
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig
from evidence_assets.systems.ugat_medqa.reading import read_benchmark
from evidence_assets.systems.ugat_medqa.reasoning_paths import PathContext, path_rows
from evidence_assets.systems.ugat_medqa.relevance import node_scores
from evidence_assets.systems.ugat_medqa.relevance_rows import node_rows, relevant_nodes
from evidence_assets.systems.ugat_medqa.subgraphs import QuestionConcepts, read_subgraphs, subgraph_rows
from evidence_assets.text.verbalisation import BIOMEDICAL, templates
from evidence_assets_tests.testing.graph_samples import Row, SignEncoder, graph_of, linker_of, number_of
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.table_rows import table_of
from evidence_assets_tests.testing.ugat_samples import embedded_rows

QUESTION = (
    "Chronic urethral obstruction due to benign prostatic hyperplasia can lead to the following change in "
    "kidney parenchyma"
)
OPTIONS = ["Hyperplasia", "Hypertrophy", "Atrophy", "Dysplasia"]
# The thesis's four triples, and two that join the question to them, one of which is walked backwards.
ROWS: list[Row] = [
    ("parenchymal thinning", "is_a_risk_factor_of", "atrophy", None),
    ("hydronephrosis", "is_associated_with", "increased pressure", None),
    ("increased pressure", "is_a_risk_factor_of", "bladder hypertrophy", None),
    ("bladder hypertrophy", "is_a_subtype_of", "hyperplasia", None),
    ("urethral obstruction", "may_cause", "hydronephrosis", None),
    ("parenchymal thinning", "is_a_finding_in", "hydronephrosis", None),
]
TABLE_6_1 = {
    "is_a_subtype_of": "is a subtype of",
    "belongs_to_the_category_of": "belongs to the category of",
    "may_cause": "may cause",
    "may_be_allelic_with": "may be allelic with",
    "is_a_risk_factor_of": "is a risk factor for",
    "is_associated_with": "is associated with",
    "see_also": "see also",
    "interacts_with": "interacts with",
    "may_contraindicate": "may contraindicate",
    "belongs_to_the_drug_family_of": "belongs to the drug family of",
    "is_a_vector_for": "is a vector for",
    "belongs_to_drug_super-family": "belongs to the drug super-family",
    "is_a_category": "is a category of",
    "is_an_ingredient_of": "is an ingredient of",
    "may_treat": "may treat",
}
Rows = list[dict[str, Any]]


def alike_graph() -> EmbeddedGraph:
    """The example's graph, every label of which is as near to the question as any other."""
    graph = embedded_rows(ROWS)
    return EmbeddedGraph(graph.graph, graph.adjacency, np.full_like(graph.vectors, 1 / 8), graph.prior)


def walked(
    graph: EmbeddedGraph, question: QuestionConcepts, vector: np.ndarray, route_name: str
) -> tuple[Rows, Rows]:
    """Rows of `node_relevance` and `reasoning_paths` for one question."""
    route = ROUTES[route_name]
    around = NEIGHBOURHOODS[route.neighbourhood]
    [subgraph] = read_subgraphs(
        pa.concat_tables(subgraph_rows([question], vector[None], graph, around, "b"))
    ).values()
    [relevance] = node_scores([subgraph], vector[None], graph, route, AttentionConfig(steps=2))
    nodes = table_of(NODE_RELEVANCE, *node_rows(question, subgraph, relevance, graph, route, "b"))
    finder = PathFinder(graph.adjacency, step_costs(graph.adjacency, route.cost), around.hops + 1)
    wording = templates(BIOMEDICAL)
    context = PathContext(graph, finder, wording, (), route, "b")
    pieces = path_rows([question], vector[None], relevant_nodes(nodes), context)
    return nodes.to_pylist(), conform(pa.concat_tables(pieces), REASONING_PATHS).to_pylist()


@pytest.fixture(scope="module")
def relevance_and_paths() -> tuple[Rows, Rows]:
    graph = alike_graph()
    offered = {0: [number_of(graph.graph, "hyperplasia")], 2: [number_of(graph.graph, "atrophy")]}
    start = number_of(graph.graph, "urethral obstruction")
    question = QuestionConcepts("q1", QUESTION, OPTIONS, [start], offered)
    return walked(graph, question, np.ones(64, dtype=np.float32) / 8, "guided_walk")


def labelled(row: dict[str, Any]) -> list[str]:
    labels = graph_of(ROWS).labels
    return [labels[node].as_py() for node in row["nodes"]]


def test_the_path_to_atrophy(relevance_and_paths: tuple[Rows, Rows]) -> None:
    row, second = (row for row in relevance_and_paths[1] if row["candidate"] == 2)
    assert labelled(row) == ["urethral obstruction", "hydronephrosis", "parenchymal thinning", "atrophy"]
    assert row["triple_ids"] == ["t4", "t5", "t0"]
    assert row["backwards"] == [False, True, False]
    assert row["text"] == (
        "Urethral obstruction may cause hydronephrosis. Parenchymal thinning is a finding in hydronephrosis. "
        "Parenchymal thinning is a risk factor for atrophy."
    )
    assert (row["rank"], row["length"], row["denies"], row["conflicts"]) == (1, 3, False, 0)
    # The other way there begins at an evidence node, against the direction of every triple but the last.
    assert labelled(second)[0] == "bladder hypertrophy"
    assert labelled(second)[2:] == labelled(row)[1:]
    assert (second["rank"], second["backwards"]) == (2, [True, True, True, False])
    assert second["text"] == (
        "Increased pressure is a risk factor for bladder hypertrophy. "
        "Hydronephrosis is associated with increased pressure. "
        "Parenchymal thinning is a finding in hydronephrosis. "
        "Parenchymal thinning is a risk factor for atrophy."
    )


def test_the_path_to_hyperplasia(relevance_and_paths: tuple[Rows, Rows]) -> None:
    """It is a step longer than the subgraph is wide."""
    rows = [row for row in relevance_and_paths[1] if row["candidate"] == 0]
    assert labelled(rows[0]) == [
        "urethral obstruction",
        "hydronephrosis",
        "increased pressure",
        "bladder hypertrophy",
        "hyperplasia",
    ]
    assert rows[0]["triple_ids"] == ["t4", "t1", "t2", "t3"]
    assert rows[0]["backwards"] == [False, False, False, False]
    assert rows[0]["text"] == (
        "Urethral obstruction may cause hydronephrosis. "
        "Hydronephrosis is associated with increased pressure. "
        "Increased pressure is a risk factor for bladder hypertrophy. "
        "Bladder hypertrophy is a subtype of hyperplasia."
    )
    assert [row["rank"] for row in rows] == [1]
    [outside] = [row for row in relevance_and_paths[0] if row["label"] == "hyperplasia"]
    assert (outside["hops"], outside["rank"], outside["candidates"]) == (-1, 0, [0])


def test_an_option_without_a_concept_has_no_path(relevance_and_paths: tuple[Rows, Rows]) -> None:
    assert {row["candidate"] for row in relevance_and_paths[1]} == {0, 2}


def test_the_thesis_passages_stand_in_what_is_read(relevance_and_paths: tuple[Rows, Rows]) -> None:
    read = " ".join(row["text"] for row in relevance_and_paths[1])
    for passage in (
        "Parenchymal thinning is a risk factor for atrophy.",
        "Hydronephrosis is associated with increased pressure.",
        "Increased pressure is a risk factor for bladder hypertrophy.",
        "Bladder hypertrophy is a subtype of hyperplasia.",
    ):
        assert passage in read


ROUTES_READ = ["guided_walk", "pagerank", "cosine", "attention", "unfiltered"]
KIDNEY, GROWTH = ("kidney", "parenchym", "hydroneph", "thinning", "atroph"), ("hyperplas", "prostat")
TOPICS = (("urethra", "obstruct"), KIDNEY, ("bladder", "hypertroph"), GROWTH, ("pressure",), ("dysplas",))


def meaning(stressed: Sequence[str]) -> Callable[[Sequence[str]], np.ndarray]:
    """An encoder that counts the words of six topics, those of one twice, and a little for all else."""

    def encode(texts: Sequence[str]) -> np.ndarray:
        counts = [
            [sum(map(text.lower().count, topic)) * (2 if topic == stressed else 1) for topic in TOPICS]
            for text in texts
        ]
        vectors = np.column_stack([np.array(counts), np.full(len(texts), 0.3)]).astype(np.float32)
        unit: np.ndarray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit

    return encode


def linked_example() -> tuple[pa.Table, pa.Table]:
    """Rows of `questions` and `question_concepts`."""
    questions = question_table(question_row("q0", QUESTION, OPTIONS, 2))
    linked = link_questions(questions, linker_of(ROWS), SignEncoder())
    return questions, link_rows(linked, graph_of(ROWS), "b", 300)


def walked_example(route: str, encode: Callable[[Sequence[str]], np.ndarray]) -> tuple[Rows, Rows]:
    """Rows of `node_relevance` and `reasoning_paths`, from the concepts that are linked."""
    bare = embedded_rows(ROWS)
    graph = EmbeddedGraph(bare.graph, bare.adjacency, encode(bare.graph.labels.to_pylist()), bare.prior)
    offered = {0: [number_of(graph.graph, "hyperplasia")], 2: [number_of(graph.graph, "atrophy")]}
    starts = [number_of(graph.graph, label) for label in ("urethral obstruction", "hyperplasia")]
    return walked(
        graph, QuestionConcepts("q0", QUESTION, OPTIONS, starts, offered), encode([QUESTION])[0], route
    )


def test_the_concepts_of_the_question_and_its_options() -> None:
    links = {(row["candidate"], row["label"]) for row in linked_example()[1].to_pylist()}
    assert links == {(-1, "urethral obstruction"), (-1, "hyperplasia"), (0, "hyperplasia"), (2, "atrophy")}


@pytest.mark.parametrize("route", ROUTES_READ)
def test_every_step_is_the_graphs_and_every_passage_its_paths(route: str) -> None:
    _, paths = walked_example(route, SignEncoder().encode)
    assert {row["candidate"] for row in paths} == {0, 2}
    triples = {f"t{place}": row[:3] for place, row in enumerate(ROWS)}
    for row in paths:
        assert labelled(row)[-1] == {0: "hyperplasia", 2: "atrophy"}[row["candidate"]]
        steps = zip(labelled(row), labelled(row)[1:], row["triple_ids"], row["backwards"], strict=False)
        sentences = []
        for start, end, triple_id, backwards in steps:
            head, relation, tail = triples[triple_id]
            assert (head, tail) == ((end, start) if backwards else (start, end))
            sentences.append(f"{head.capitalize()} {TABLE_6_1.get(relation, 'is a finding in')} {tail}.")
        assert row["text"] == " ".join(sentences)


@pytest.mark.parametrize(
    ("route", "stressed", "answer"),
    [*((route, KIDNEY, "Atrophy") for route in ROUTES_READ), ("guided_walk", GROWTH, "Hyperplasia")],
)
def test_from_the_question_to_an_answer(route: str, stressed: Sequence[str], answer: str) -> None:
    """What the question is taken to be about decides, and only an option with passages can be the answer."""
    encode = meaning(stressed)
    nodes, paths = walked_example(route, encode)
    tables = read_benchmark(
        *linked_example(),
        pa.Table.from_pylist(paths, schema=REASONING_PATHS.schema),
        pa.Table.from_pylist(nodes, schema=NODE_RELEVANCE.schema),
        encode,
        ARMS["full@extractive"],
        "b",
        "1",
    ).tables()
    [prediction] = tables["predictions"].to_pylist()
    assert (prediction["predicted"], prediction["correct"]) == (answer, answer == "Atrophy")
    chains = {row["candidate"]: row for row in tables["chains"].to_pylist()}
    assert chains.keys() == {0, 2}
    assert {row["citation_status"] for row in chains.values()} == {"valid"}
    first = {row["candidate"]: row["text"] for row in paths if row["rank"] == 1}
    for candidate, chain in chains.items():
        opening, *sentences = chain["text"].removesuffix(".").split(". ")
        assert opening == f"The graph leads from the question to “{OPTIONS[candidate]}”"
        assert sentences[0] == f"{first[candidate].removesuffix('.').replace('. ', '; ')} [E1]"
        assert len(sentences) == len(chain["cited"]) <= 3
    chosen = chains[prediction["predicted_index"]]["text"]
    assert (
        prediction["raw_output"] == f"Answer: {'ABCD'[prediction['predicted_index']]}\nExplanation: {chosen}"
    )


def test_table_6_1() -> None:
    wording = templates(BIOMEDICAL)
    assert list(wording)[:15] == list(TABLE_6_1)
    for relation, phrase in TABLE_6_1.items():
        graph = graph_of([("alpha", relation, "beta", None)])
        # "See also" is no verb: its sentence takes a colon.
        colon = ":" if relation == "see_also" else ""
        assert path_passage(graph, [0, 1], wording, ()).text == f"Alpha{colon} {phrase} beta."
        assert path_passage(graph, [1, 0], wording, ()).text == f"Alpha{colon} {phrase} beta."
