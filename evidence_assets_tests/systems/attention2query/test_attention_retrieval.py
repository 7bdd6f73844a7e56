"""Facts from question to rank: triples, options, what is missing, what K changes, whole paths beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evidence_assets.graphs.choices import HUB_PENALTY
from evidence_assets.graphs.embeddings import blend, spectral
from evidence_assets.graphs.walking.adjacency import adjacency
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walking.paths import PathFinder, step_costs
from evidence_assets.graphs.walking.walks import prior
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.graph.schema import derived_schema
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.models.pair_scorer import EncoderSimilarity
from evidence_assets.systems.attention2query.arms import RETRIEVALS, Retrieval
from evidence_assets.systems.attention2query.attention_retrieval import AttentionRetriever
from evidence_assets.systems.attention2query.drafts import own_triples
from evidence_assets.systems.attention2query.facts import QuestionFacts, QuestionLinks, Token, fact_rows
from evidence_assets.systems.attention2query.linked_questions import tokens_of
from evidence_assets.systems.attention2query.options import measures_of, option_scores, support_of
from evidence_assets.systems.attention2query.path_rating import by_classifier
from evidence_assets.systems.attention2query.relevance import Rater, Vanilla, cosines_scaled, weights_scaled
from evidence_assets.systems.attention2query.whole_paths import WholePaths
from evidence_assets.text.verbalisation import templates
from evidence_assets_tests.testing.graph_samples import SignEncoder, graph_of, number_of

ROWS = [
    ("fork", "AtLocation", "kitchen", 1.0),
    ("fork", "UsedFor", "eating", 1.0),
    ("kitchen", "PartOf", "house", 1.0),
    ("eating", "HasSubevent", "chewing", 1.0),
    ("oven", "AtLocation", "kitchen", 1.0),
    ("moon", "IsA", "rock", 1.0),
]
GRAPH = graph_of(ROWS)
SENTENCES = templates("conceptnet")


def node(label: str) -> int:
    return number_of(GRAPH, label)


def token(*labels: str) -> Token:
    return Token(" ".join(labels), tuple(map(node, labels)))


def finder(way: Retrieval, rater: Rater | None = None) -> AttentionRetriever:
    encoder, neighbours = SignEncoder(), adjacency(GRAPH)
    vectors = encoder.encode(GRAPH.labels.to_pylist())
    embedded = EmbeddedGraph(GRAPH, neighbours, vectors, prior(neighbours))
    rated = rater or Vanilla(EncoderSimilarity(encoder))
    whole_paths = None
    if way.whole_paths:
        schema = derived_schema(GRAPH, None, SENTENCES)
        base = KnowledgeBase(GRAPH, schema, node_types(GRAPH, None, schema), SENTENCES)
        whole_paths = WholePaths(base, encoder, by_classifier(rated, base.wording), way.facts)
    ways = PathFinder(neighbours, step_costs(neighbours, way.bridge or HUB_PENALTY), 3)
    return AttentionRetriever(
        embedded,
        blend(vectors, spectral(neighbours, 4), way.graph_share),
        SENTENCES,
        encoder.encode,
        rated,
        ways if way.bridge else None,
        way,
        whole_paths,
    )


def retrieve(links: QuestionLinks, name: str = "full", **changes: Any) -> QuestionFacts:
    [facts] = finder(replace(RETRIEVALS[name], **changes)).find([links])
    return facts


class ReadsTexts:
    """Rates highest the fact that has these words."""

    def __init__(self, words: str) -> None:
        self.words = words

    def rate(self, questions: Sequence[str], facts: Sequence[str]) -> np.ndarray:
        return np.array([9.0 if self.words in fact else 2.0 for fact in facts])


OPTIONS = QuestionLinks(
    "q", "Where is a fork?", ["kitchen", "rock"], [token("fork")], {0: [token("kitchen")], 1: [token("rock")]}
)
ABOUT = LinkedQuestion("q", "Where is a fork?", (Topic("fork", 11, 15, (node("fork"),)),))
OPEN = QuestionLinks("q", "Where is a fork?", [], [token("fork")], {}, ABOUT)


@pytest.mark.parametrize("name", sorted(RETRIEVALS))
def test_every_way_finds_facts_best_first(name: str) -> None:
    for question in (OPTIONS, OPEN):
        facts = retrieve(question, name).facts[-1]
        triples = [fact for fact in facts if "bridge" not in fact.parts]
        assert triples
        scores = [fact.score for fact in triples]
        assert sorted(scores, reverse=True) == scores


def test_fewer_facts_are_the_first_of_more() -> None:
    for question, candidate in ((OPTIONS, -1), (OPTIONS, 0), (OPEN, -1)):
        most = [fact.edges for fact in retrieve(question, bridge="").facts[candidate]]
        for depth in range(1, len(most) + 1):
            assert [
                fact.edges for fact in retrieve(question, bridge="", facts=depth).facts[candidate]
            ] == most[:depth]


def test_what_joins_question_and_option_is_told() -> None:
    facts = retrieve(OPTIONS).facts
    joined = {fact.text: fact.parts["joins"] for fact in facts[0]}
    assert joined["fork can be found at kitchen"] == 1
    assert joined["oven can be found at kitchen"] == 0
    assert [fact.text for fact in facts[1]] == ["moon is a rock"]


def test_the_whole_path_that_says_what_is_asked_answers() -> None:
    [retrieved] = finder(RETRIEVALS["full"], ReadsTexts("the thing is part of")).find([OPEN])
    best = retrieved.facts[-1][0]
    assert best.kind == "path"
    assert best.answers == (node("house"),)
    assert best.text == "Fork can be found at kitchen. Kitchen is part of house."
    [row] = fact_rows(OPEN, QuestionFacts({-1: [best]}, 1, 0), GRAPH, "s", "b", "full")
    assert row["triple_ids"] == ["t0", "t2"]


def test_a_question_about_nothing_in_the_graph_is_answered_by_triples() -> None:
    unknown = replace(ABOUT, topics=(Topic("fork", 11, 15, ()),))
    facts = retrieve(replace(OPEN, about=unknown)).facts
    assert facts == retrieve(replace(OPEN, about=None)).facts == retrieve(OPEN, whole_paths=False).facts
    assert facts != retrieve(OPEN).facts


def test_options_have_the_same_facts_with_whole_paths_and_without() -> None:
    offered = replace(OPTIONS, about=ABOUT)
    assert retrieve(offered) == retrieve(OPTIONS, whole_paths=False)


def test_an_entity_that_the_graph_lacks_starts_at_the_nearest_nodes() -> None:
    question = QuestionLinks("q", "Who is Zanzibar Jones?", [], tokens_of("Who is Zanzibar Jones?", []), {})
    assert [linked.text for linked in question.tokens] == ["zanzibar", "jones"]
    assert all(not linked.nodes for linked in question.tokens)
    assert retrieve(question).facts[-1]


def test_an_option_that_names_nothing_has_no_facts() -> None:
    question = replace(OPTIONS, option_tokens={})
    assert [len(retrieve(question).facts[candidate]) for candidate in (0, 1)] == [0, 0]


def test_a_block_is_found_as_its_questions_are_alone() -> None:
    together = list(finder(RETRIEVALS["full"]).find([OPTIONS, OPEN]))
    assert [retrieved.facts for retrieved in together] == [retrieve(OPTIONS).facts, retrieve(OPEN).facts]


def test_an_options_own_triples_are_all_at_its_nodes() -> None:
    vectors = np.eye(len(GRAPH.labels), dtype=np.float32)
    option_nodes, question_nodes = [node("kitchen")], [node("fork")]
    triples = own_triples(GRAPH, option_nodes, question_nodes, vectors, vectors[node("oven")])
    by_label = {
        GRAPH.labels[end].as_py(): (attention, bool(joins))
        for end, attention, joins in zip(triples.far, triples.attention, triples.joins, strict=True)
    }
    assert by_label == {"fork": (0.0, True), "house": (0.0, False), "oven": (1.0, False)}
    assert not len(own_triples(GRAPH, [], question_nodes, vectors, vectors[0]).edges)


def test_the_weights_of_what_joins_and_of_what_is_best_are_apart() -> None:
    text = np.array([[1.0, 0.0], [0.8, 0.6], [0.8, -0.6]], dtype=np.float32)
    measures = measures_of(text[0], text[1:], [support_of([3.0, 4.0], [True, False]), support_of([], [])])
    assert measures.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    measures = measures_of(
        text[0], text[1:], [support_of([3.0, 2.0], [False, True]), support_of([2.0], [True])]
    )
    assert measures[:, 2].tolist() == [1.0, -1.0]
    assert option_scores(measures, (0.0, 0.25)).tolist() == [0.25, -0.25]
    assert option_scores(measures, (0.0, 0.25), negated=True).tolist() == [-0.25, 0.25]


class _Even:
    """Finds every fact alike: attention alone orders."""

    def rate(self, questions: Sequence[str], facts: Sequence[str]) -> np.ndarray:
        return np.full(len(facts), 5.0)


@pytest.mark.parametrize("name", ["full", "paper", "no_classifier", "graph_only"])
def test_attention_and_relevance_are_on_one_scale(name: str) -> None:
    """A cosine beside a relevance of 1 to 10 counted little, and untrained attention had no bound."""
    for facts in retrieve(OPTIONS, name).facts.values():
        for fact in facts:
            assert all(
                1.0 <= fact.parts[part] <= 10.0 for part in ("attention", "relevance") if part in fact.parts
            )
            assert 1.0 <= fact.score <= 10.0


def test_a_fact_is_the_weighted_average_of_its_relevance_and_attention() -> None:
    [retrieved] = finder(replace(RETRIEVALS["full"], attention_share=0.25), _Even()).find([OPTIONS])
    for fact in retrieved.facts[0]:
        assert fact.score == pytest.approx(0.75 * 5.0 + 0.25 * fact.parts["attention"])


def test_attention_of_any_size_keeps_its_order_on_the_scale() -> None:
    weights = np.array([-0.2, 0.0, 0.5, 1.0, 3.0, 400.0])
    assert weights_scaled(weights).tolist() == pytest.approx([1.0, 1.0, 4.0, 5.5, 7.75, 9.977556])
    assert cosines_scaled(np.array([-0.5, 0.0, 1.0])).tolist() == [1.0, 1.0, 10.0]
