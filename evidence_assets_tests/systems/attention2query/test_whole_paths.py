"""Open questions by whole paths: what answers, what must not, who rates, what is learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.passages import as_sentence
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.paths.parses import PathParse
from evidence_assets.kgqa.paths.path_scoring import COSINE, PARTS
from evidence_assets.kgqa.paths.relation_paths import RelationPath
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.models.pair_scorer import CROSS_ENCODER, EncoderSimilarity
from evidence_assets.systems.attention2query.as_printed.pairs import open_pairs
from evidence_assets.systems.attention2query.facts import Fact
from evidence_assets.systems.attention2query.path_rating import (
    CROSSED,
    PathRating,
    by_attention,
    by_classifier,
    by_shared_score,
    with_cross_encoder,
)
from evidence_assets.systems.attention2query.whole_paths import WholePaths
from evidence_assets_tests.testing.graph_samples import HashScorer
from evidence_assets_tests.testing.parsing_samples import (
    encoder,
    linked_question,
    museum,
    museum_data,
    museum_parser,
    museum_schema,
)

QUESTIONS = [linked_question(text, *names) for text, names, _ in museum_data()["questions"]]
SOME = QUESTIONS[::4]


@cache
def museum_base() -> KnowledgeBase:
    types = node_types(museum(), None, museum_schema())
    sentences = {name: relation.sentences[0] for name, relation in museum_schema().relations.items()}
    return KnowledgeBase(museum(), museum_schema(), types, sentences)


def shared() -> PathRating:
    return by_shared_score(EncoderSimilarity(encoder()), museum_base().wording)


def facts_of(
    *questions: LinkedQuestion, rating: PathRating | None = None, most: int = 50
) -> list[list[Fact]]:
    return WholePaths(museum_base(), encoder(), rating or shared(), most).facts(questions)


@cache
def every_fact() -> list[list[Fact]]:
    """The facts of every question by the shared score."""
    return facts_of(*QUESTIONS)


def answers(facts: Sequence[Fact]) -> list[str]:
    """The answers of the best score."""
    best = [node for fact in facts for node in fact.answers if fact.score == facts[0].score]
    return sorted(museum().labels[node].as_py() for node in best)


class Says:
    """A classifier that finds relevant what has these words."""

    def __init__(self, words: str) -> None:
        self.words, self.questions = words, list[str]()

    def rate(self, questions: Sequence[str], facts: Sequence[str]) -> np.ndarray:
        self.questions += questions
        return np.array([9.0 if self.words in fact else 2.0 for fact in facts])


class Outputs:
    """A cross-encoder with these outputs, in the order in which it is asked."""

    measure, scorer_id, cut = CROSS_ENCODER, "cross_encoder:outputs@1", 0

    def __init__(self, outputs: Sequence[float]) -> None:
        self.outputs = np.array(outputs, dtype=np.float32)

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> np.ndarray:
        assert len(queries) == len(texts) == len(self.outputs)
        return self.outputs


def readings_of(scores: Sequence[float], cosines: Sequence[float]) -> list[PathParse]:
    parses = []
    for place, (score, cosine) in enumerate(zip(scores, cosines, strict=True)):
        parts = tuple(cosine if name == COSINE else 0.0 for name in PARTS)
        path = RelationPath(((str(place), False),))
        parses.append(PathParse(place, path, score, parts, True, (), "what is that thing"))
    return parses


def test_the_default_answers_as_the_parser_does() -> None:
    parsed = museum_parser().parse(QUESTIONS)
    for facts, readings in zip(every_fact(), parsed, strict=True):
        first = next(reading for reading in readings if reading.exists)
        assert {node for fact in facts for node in fact.answers if fact.score == facts[0].score} == set(
            first.answers.tolist()
        )


def test_facts_are_instances_read_out_with_their_triples() -> None:
    text = "Which other works are by the painter of Blue Harbour?"
    best = facts_of(linked_question(text, "Blue Harbour"))[0][0]
    assert best.kind == "path"
    assert [museum().triple(edge) for edge in best.edges] == [
        ("Blue Harbour", "painted_by", "Ines Alder"),
        ("Winter Orchard", "painted_by", "Ines Alder"),
    ]
    assert best.text == "Blue Harbour was painted by Ines Alder. Winter Orchard was painted by Ines Alder."
    assert best.parts["steps"] == 2
    assert best.parts["relevance"] == best.score


def test_relevance_descends_within_its_scale_and_no_fact_stands_twice() -> None:
    ratings = (by_attention(), by_classifier(Says("painted"), museum_base().wording))
    for retrieved in (every_fact(), *(facts_of(*SOME, rating=rating) for rating in ratings)):
        for facts in retrieved:
            scores = [fact.score for fact in facts]
            assert scores == sorted(scores, reverse=True)
            assert all(1 <= score <= 10 for score in scores)
            assert len({fact.edges for fact in facts}) == len(facts)
            for fact in facts:
                joined = [as_sentence(_read(edge)) for edge in fact.edges]
                assert fact.text == " ".join(joined)


def _read(edge: int) -> str:
    head, relation, tail = museum().triple(edge)
    return museum_base().templates[relation].format(head=head, tail=tail)


def test_a_reading_that_the_graph_lacks_answers_nothing() -> None:
    question = linked_question("In which museum is Two Herons kept?", "Two Herons")
    assert not museum_parser().parse([question])[0][0].exists
    [facts] = facts_of(question)
    assert not any(museum().triple(edge)[1] == "kept_in" for fact in facts for edge in fact.edges[:1])
    assert facts, "the next reading answers"


def test_what_the_graph_does_not_hold_has_no_facts() -> None:
    assert facts_of(LinkedQuestion("q", "Nobody knows?", (Topic("Nobody", 0, 6, ()),))) == [[]]
    assert facts_of() == []


def test_several_topics_are_joined() -> None:
    [facts] = facts_of(linked_question("Which painting by Ines Alder is made of wood?", "Ines Alder", "wood"))
    assert answers(facts) == ["Winter Orchard"]
    assert {museum().triple(edge)[1] for edge in facts[0].edges} == {"painted_by", "made_of"}


def test_fewer_facts_are_the_first_of_more() -> None:
    for most in (1, 3):
        cut = facts_of(*SOME, most=most)
        assert [[fact.edges for fact in facts] for facts in cut] == [
            [fact.edges for fact in facts[:most]] for facts in every_fact()[::4]
        ]


def test_the_classifier_decides_alone_and_sees_no_name() -> None:
    rater = Says("is kept in")
    question = linked_question("Who painted Blue Harbour?", "Blue Harbour")
    [facts] = facts_of(question, rating=by_classifier(rater, museum_base().wording))
    assert museum().triple(facts[0].edges[0])[1] == "kept_in"
    assert facts[0].score == 9
    assert set(rater.questions) == {"Who painted that painting?"}


def test_attention_alone_orders_paths_by_their_cosine() -> None:
    for facts in facts_of(*SOME, rating=by_attention()):
        cosines = [fact.parts[COSINE] for fact in facts]
        assert cosines == sorted(cosines, reverse=True)


def test_without_a_cross_encoder_nothing_joins_the_shared_score() -> None:
    assert shared().rate is None
    assert by_shared_score(HashScorer(5), museum_base().wording).rate is not None


@given(st.lists(st.floats(-9, 9, width=32), min_size=1, max_size=8))
def test_a_cross_encoder_counts_as_the_cosine_does_whatever_its_scale(outputs: list[float]) -> None:
    cosines = [place / 10 for place in range(len(outputs))]
    readings = readings_of([1.0] * len(outputs), cosines)
    wording = "{}".format
    [added] = with_cross_encoder(Outputs(outputs), wording)([readings])
    assert np.mean(added) == pytest.approx(1, abs=1e-6)
    if np.std(outputs) > 1e-3:
        assert np.std(added) == pytest.approx(np.std(cosines), abs=1e-6)
        assert np.argmax(outputs) in np.flatnonzero(np.array(added) > max(added) - 1e-6)
        [scaled] = with_cross_encoder(Outputs([3 * output + 7 for output in outputs]), wording)([readings])
        np.testing.assert_allclose(scaled, added, atol=1e-3)
    else:
        np.testing.assert_allclose(added, 1, atol=max(cosines) + 1e-6)


def test_paths_past_those_that_a_cross_encoder_reads_get_the_least() -> None:
    count = CROSSED + 2
    readings = readings_of([0.5] * count, [place / count for place in range(count)])
    outputs = [float(place % 7) for place in range(CROSSED)]
    [added] = with_cross_encoder(Outputs(outputs), "{}".format)([readings])
    assert added[CROSSED:] == [min(added[:CROSSED])] * 2


def test_a_cross_encoder_can_turn_what_the_shared_score_finds_nearly_alike() -> None:
    readings = readings_of([0.52, 0.5, 0.1], [0.5, 0.4, 0.3])
    [added] = with_cross_encoder(Outputs([-4.0, 4.0, -4.0]), "{}".format)([readings])
    assert np.argsort(added).tolist()[-1] == 1


def test_every_path_of_a_known_answer_is_learnt_from_by_its_f1() -> None:
    question = linked_question("Who painted Blue Harbour?", "Blue Harbour")
    labels = museum().labels.to_pylist()
    gold = [{labels.index("Ines Alder")}, set[int]()]
    pairs = list(open_pairs([question, replace(question)], gold, museum_base(), museum_parser()))
    relevances = {pair.fact: pair.relevance for pair in pairs}
    assert len(relevances) == len(pairs), "a question whose answer is not known teaches nothing"
    assert relevances["that painting was painted by which artist"] == 10
    assert relevances["that painting is kept in which museum"] == 1
    assert {pair.question for pair in pairs} == {"Who painted that painting?"}
    assert not any("Harbour" in pair.fact for pair in pairs)
