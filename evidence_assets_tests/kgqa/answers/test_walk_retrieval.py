"""Facts around a question's topics: known walks, an oracle that tries every walk, hubs, bad input."""

from __future__ import annotations

import time

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.kgqa.answers import walk_retrieval as fact_retrieval
from evidence_assets.kgqa.answers.walk_retrieval import (
    EntityQuestion,
    Fact,
    Vectors,
    WalkRetriever,
    Wording,
    masked,
    plain_wording,
)
from evidence_assets.text.words import words
from evidence_assets_tests.testing.graph_samples import Row, graph_of, number_of, signs
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.query_samples import typed_graph

FILMS: list[Row] = [
    ("Alien", "directed_by", "Ridley Scott", None),
    ("Blade Runner", "directed_by", "Ridley Scott", None),
    ("Heat", "directed_by", "Michael Mann", None),
    ("Alien", "release_year", "1979", None),
    ("Blade Runner", "release_year", "1982", None),
    ("Heat", "starred_actors", "Al Pacino", None),
]
WORDINGS = {
    "directed_by": Wording("{head} was directed by {tail}", "movie", "person"),
    "release_year": Wording("{head} was released in {tail}", "movie", "year"),
    "starred_actors": Wording("{tail} acted in {head}", "movie", "person"),
}


def bag(texts: list[str]) -> NDArray[np.float32]:
    """Unit vectors of which words a text holds: near is what shares words."""
    vectors = np.array([np.sum([signs(word) for word in words(text)], axis=0) for text in texts], np.float32)
    units: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


def finder_of(graph: Graph, beam: int = 24) -> WalkRetriever:
    return WalkRetriever(graph, WORDINGS, lambda texts: bag(list(texts)), beam)


def about(graph: Graph, question: str, *names: str) -> EntityQuestion:
    return EntityQuestion("q", question, tuple((name, number_of(graph, name)) for name in names))


def fact_texts(graph: Graph, facts: list[Fact]) -> list[tuple[str, str]]:
    return [(fact.text, graph.labels[fact.answer].as_py()) for fact in facts]


def test_the_nearest_walk_answers_in_one_hop() -> None:
    graph = graph_of(FILMS)
    around = finder_of(graph).find(about(graph, "who directed Alien, directed by?", "Alien"), 1, 10)
    assert fact_texts(graph, around.facts) == [
        ("Alien was directed by Ridley Scott", "Ridley Scott"),
        ("Alien was released in 1979", "1979"),
    ]


def test_a_walk_of_two_hops_is_one_fact_and_reads_whole() -> None:
    graph = graph_of(FILMS)
    question = about(
        graph, "when was the movie released, directed by Ridley Scott, in the year", "Ridley Scott"
    )
    around = finder_of(graph).find(question, 2, 10)
    assert set(fact_texts(graph, around.facts)[:2]) == {
        ("Alien was directed by Ridley Scott; Alien was released in 1979", "1979"),
        ("Blade Runner was directed by Ridley Scott; Blade Runner was released in 1982", "1982"),
    }
    best = around.kinds[0]
    assert [graph.labels[node].as_py() for node in best.answers.tolist()] == ["1979", "1982"]
    assert [len(fact.edges) for fact in around.facts[:2]] == [2, 2]


def test_a_topic_is_never_an_answer_and_no_edge_is_walked_back() -> None:
    graph = graph_of(FILMS)
    question = about(graph, "films of the director of Alien", "Alien")
    around = finder_of(graph).find(question, 3, 100)
    alien = number_of(graph, "Alien")
    assert around.facts
    assert all(fact.answer != alien and len(set(fact.edges)) == len(fact.edges) for fact in around.facts)


def test_names_are_masked_by_their_type_whole_and_in_any_case() -> None:
    inquiry = EntityQuestion("q", "Heat or heat, not heated: HEAT WAVE", (("Heat", 1), ("heat wave", 2)))
    assert masked(inquiry, "movie") == "that movie or that movie, not heated: that movie"
    assert masked(EntityQuestion("q", "as it stands", ()), "movie") == "as it stands"
    assert masked(EntityQuestion("q", "what is (a+b)?", (("(a+b)", 1),)), "sum") == "what is that sum?"


def test_a_question_without_a_topic_has_no_facts() -> None:
    graph = graph_of(FILMS)
    without_topics = EntityQuestion("q", "who directed it", ())
    finder = finder_of(graph)
    finder.prepare([without_topics])
    assert finder.find(without_topics, 2, 10).facts == []
    assert finder.triples(without_topics, 2, 10).facts == []


def test_two_entities_of_one_name_are_both_looked_at() -> None:
    rows = [*FILMS, ("heat", "release_year", "1986", None)]
    graph = graph_of(rows)
    question = EntityQuestion(
        "q",
        "when was Heat released in",
        (("Heat", number_of(graph, "Heat")), ("Heat", number_of(graph, "heat"))),
    )
    around = finder_of(graph).find(question, 1, 10)
    assert ("heat was released in 1986", "1986") in fact_texts(graph, around.facts)
    assert ("Heat was directed by Michael Mann", "Michael Mann") in fact_texts(graph, around.facts)


def test_no_kind_takes_more_than_half_of_the_places_while_another_has_walks() -> None:
    rows: list[Row] = [("Alien", "starred_actors", f"actor {number}", None) for number in range(20)]
    rows += [("Alien", "directed_by", "Ridley Scott", None)]
    graph = graph_of(rows)
    around = finder_of(graph).find(about(graph, "who acted in Alien", "Alien"), 1, 10)
    kinds = [fact.kind for fact in around.facts]
    assert len(kinds) == 10
    assert len(set(kinds)) == 2
    assert around.kinds[0].answers.size == 20


def test_relations_without_wording_are_read_out_by_name() -> None:
    graph = graph_of([("a", "StarredActors", "b", None)])
    finder = WalkRetriever(graph, {}, lambda texts: bag(list(texts)))
    assert finder.walk_text(((0, False),), [0, 1]) == "a starred actors b"
    assert finder.kind_text(((0, True),)) == "the thing starred actors that thing"
    assert plain_wording("directed_by").sentence == "{head} directed by {tail}"


def test_single_triples_are_ranked_by_their_own_words() -> None:
    graph = graph_of(FILMS)
    question = about(graph, "was it released in 1979, Alien?", "Alien")
    around = finder_of(graph).triples(question, 1, 10)
    assert around.facts[0].text == "Alien was released in 1979"
    assert {len(fact.edges) for fact in around.facts} == {1}
    further = finder_of(graph).triples(question, 2, 10)
    assert len(further.facts) == len({fact.edges for fact in further.facts}) > len(around.facts)


def test_a_hub_of_a_hundred_thousand_neighbours_is_bounded_and_quick() -> None:
    count = 100_000
    names = pa.array(["hub", *(f"film {number:06d}" for number in range(count)), "1979"])
    heads = np.concatenate([np.arange(1, count + 1), np.arange(1, count + 1)])
    tails = np.concatenate([np.zeros(count, int), np.full(count, count + 1)])
    table = pa.table(
        {
            "triple_id": pa.array([f"t{number}" for number in range(2 * count)]),
            "head": names.take(pa.array(heads)),
            "relation": pa.array(["directed_by"] * count + ["release_year"] * count),
            "tail": names.take(pa.array(tails)),
            "weight": pa.nulls(2 * count, pa.float64()),
        }
    )
    graph = build_graph("kg", table, pa.table({"label": names}))
    calls: list[int] = []

    def encode(texts: object) -> np.ndarray:
        calls.append(len(list(texts)))  # type: ignore[call-overload]
        return bag(list(texts))  # type: ignore[call-overload]

    finder = WalkRetriever(graph, WORDINGS, encode)
    question = EntityQuestion("q", "when were films directed by hub released", (("hub", 0),))
    started = time.perf_counter()
    around = finder.find(question, 3, 10)
    assert time.perf_counter() - started < 10
    assert len(around.facts) == 10
    assert all(len(kind.answers) <= fact_retrieval.MOST_WALKS for kind in around.kinds)
    assert sum(calls) < 100, "kinds of walks are encoded, not walks"
    single = finder.triples(question, 1, 10)
    assert len(single.facts) == 10
    assert sum(calls) < 100 + fact_retrieval.MOST_ENCODED


def test_vectors_are_encoded_once_while_they_are_held() -> None:
    calls: list[list[str]] = []

    def encode(texts: object) -> np.ndarray:
        calls.append(list(texts))  # type: ignore[call-overload]
        return bag(calls[-1])

    vectors = Vectors(encode, most=3)
    assert np.array_equal(vectors(["a", "b", "a"]), bag(["a", "b", "a"]))
    assert np.array_equal(vectors(["b"]), bag(["b"]))
    assert calls == [["a", "b"]]
    assert np.array_equal(vectors(["c", "d", "a"]), bag(["c", "d", "a"])), "more than are held: all anew"


@st.composite
def small_graphs(draw: st.DrawFn) -> tuple[list[tuple[str, str, str]], str]:
    names = [f"n{number}" for number in range(5)]
    triple = st.tuples(st.sampled_from(names), st.sampled_from(["r", "s"]), st.sampled_from(names))
    rows = sorted(draw(st.sets(triple, min_size=1, max_size=10)))
    return rows, draw(st.sampled_from(sorted({end for head, _, tail in rows for end in (head, tail)})))


@examples(60)
@given(small_graphs(), st.integers(1, 3))
def test_every_kind_of_walk_and_its_ends_are_those_of_trying_all(
    sample: tuple[list[tuple[str, str, str]], str], hops: int
) -> None:
    rows, topic = sample
    graph = typed_graph(rows)
    inquiry = EntityQuestion("q", f"what of {topic}", ((topic, number_of(graph, topic)),))
    around = WalkRetriever(graph, {}, lambda texts: bag(list(texts)), beam=1_000).find(inquiry, hops, 10_000)
    expected: dict[tuple[tuple[str, bool], ...], set[str]] = {}

    def walk(at: str, kind: tuple[tuple[str, bool], ...], last_row: tuple[str, str, str] | None) -> None:
        if len(kind) == hops:
            return
        for row in rows:
            for near, far, backwards in ((row[0], row[2], False), (row[2], row[0], True)):
                if near == at and far != topic and row != last_row and not (backwards and row[0] == row[2]):
                    longer = (*kind, (row[1], backwards))
                    expected.setdefault(longer, set()).add(far)
                    walk(far, longer, row)

    walk(topic, (), None)
    texts_by_kind = {
        tuple((graph.relation_names[relation], backwards) for relation, backwards in of_kind.kind): {
            graph.labels[node].as_py() for node in of_kind.answers.tolist()
        }
        for of_kind in around.kinds
    }
    assert texts_by_kind == expected


@pytest.mark.parametrize("depth", [0, 1, 3, 7, 50])
def test_as_many_facts_as_asked_for_or_as_there_are(depth: int) -> None:
    graph = graph_of(FILMS)
    finder = finder_of(graph)
    question = about(graph, "anything about Ridley Scott", "Ridley Scott")
    all_facts = finder.find(question, 2, 1_000).facts
    assert len(finder.find(question, 2, depth).facts) == min(depth, len(all_facts))
