"""The triples around questions and options: read out, ranked, capped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.models.pair_scorer import EncoderSimilarity
from evidence_assets.retrieval.question_triples import ranked_triples
from evidence_assets.retrieval.question_triples.question_linking import link_questions
from evidence_assets.retrieval.question_triples.ranked_triples import TOUCHES, edges_around, rank_triples
from evidence_assets.text.queries import NO_OPTION, queries
from evidence_assets_tests.testing.graph_samples import (
    HashScorer,
    Row,
    SignEncoder,
    cosine,
    graph_of,
    linker_of,
    number_of,
    questions_of,
)
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.ranked_triple_samples import (
    ROWS,
    TEMPLATES,
    UNLIMITED,
    RankedQuestions,
    check_is_brute_force,
    many,
)


def test_a_question_with_two_options() -> None:
    ranking = RankedQuestions(ROWS, ("Which dog barks?", ["a pet", "the furs"]))
    assert ranking.labels(0, NO_OPTION) == {"dog"}
    assert ranking.labels(0, 0) == {"pet"}
    assert ranking.labels(0, 1) == {"fur"}
    assert {frozenset(ranking.edges(0, candidate)) for candidate in (-1, 0, 1)} == {
        frozenset({0, 2, 6, 8}),
        frozenset({0, 2, 6, 8, 1, 4}),
        frozenset({0, 2, 6, 8, 3, 5}),
    }
    touches = {
        candidate: dict(
            zip(
                ranking.edges(0, candidate), [row["touches"] for row in ranking.of(0, candidate)], strict=True
            )
        )
        for candidate in (-1, 0, 1)
    }
    assert touches[-1] == dict.fromkeys((0, 2, 6, 8), "question")
    assert touches[0] == {
        **dict.fromkeys((2, 6, 8), "question"),
        **dict.fromkeys((1, 4), "option"),
        0: "both",
    }
    assert touches[1] == {
        **dict.fromkeys((0, 6, 8), "question"),
        **dict.fromkeys((3, 5), "option"),
        2: "both",
    }
    check_is_brute_force(ranking)


WORDS = ["dog", "cats", "pet", "fur", "furr", "coat", "tree", "leaves", "the", "zebra", "umbrela", "?"]
LABELS = ["dog", "cat", "a pet", "fur", "coat", "tree", "leaf", "umbrella", "dog coat"]
some_text = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
some_rows = st.lists(
    st.tuples(
        st.sampled_from(LABELS),
        st.sampled_from(sorted(TEMPLATES)),
        st.sampled_from(LABELS),
        st.none() | st.integers(0, 3),
    ),
    max_size=60,
)


@examples(60)
@given(rows=some_rows, questions=st.lists(st.tuples(some_text, st.lists(some_text, max_size=3)), max_size=3))
def test_ranking_is_brute_force_over_the_whole_neighbourhood(
    rows: list[Row], questions: list[tuple[str, list[str]]]
) -> None:
    check_is_brute_force(RankedQuestions(rows, *questions))


def test_at_most_twenty_and_equal_scores_by_number() -> None:
    ranking = RankedQuestions([*many(300), *many(300, "cat")], ("dog", ["cat", "zebra"]))
    assert [len(ranking.of(0, candidate)) for candidate in (-1, 0, 1)] == [20, 20, 20]
    check_is_brute_force(ranking)
    scores = [row["score"] for row in ranking.of(0, 0)]
    assert len(set(scores)) < 20, "no two are equal: the sample does not say what becomes of ties"


def test_the_same_sentence_twice_stands_twice() -> None:
    """Triples differ by their ids, not by how they read."""
    ranking = RankedQuestions([("dog", "IsA", "pet", weight) for weight in (1.0, 3.0, 2.0)], ("dog", []))
    assert ranking.edges(0, NO_OPTION) == [0, 1, 2]


@pytest.mark.parametrize("measure", ["encoder", "cross-encoder"])
@pytest.mark.parametrize(
    "options",
    [
        [],
        [""],
        ["pet", "pet", "pet"],
        ["", "pet", ""],
        ["???", "👍🎉", "\n", "…", "٣"],
        ["the", "of the", "zebra"],
        [" ".join(["dog", "leaf"] * 2500), "pet"],
        ["pet" * 5000, "dog"],
        ["dog"],
        ["{head}", "{tail} pet {}"],
    ],
    ids=lambda options: f"{len(options)}:{''.join(options)[:9]}",
)
def test_triples_are_ranked_for_any_options(options: list[str], measure: str) -> None:
    scorer = HashScorer(5) if measure == "cross-encoder" else None
    ranking = RankedQuestions(ROWS, ("Which dog?", options), ("Why?", options), scorer=scorer)
    assert [len(linked.concepts) for linked in ranking.linked] == [len(options) + 1] * 2
    texts = [query.text for query in queries(ranking.questions)]
    assert texts == [
        ranking.linked[question].query(candidate) for question, candidate in ranking.candidates()
    ]
    for question, candidate in ranking.candidates():
        assert set(ranking.edges(question, candidate)) == {
            edge for _, edge, _ in ranking.near(question, candidate)
        }
        for place, option in enumerate(options):
            if candidate >= 0 and option == options[candidate]:
                assert ranking.edges(question, place) == ranking.edges(question, candidate)
    assert ranking.of(1, NO_OPTION) == []
    if scorer is None:
        check_is_brute_force(ranking)


@pytest.mark.parametrize("scorer", [None, HashScorer(5)])
def test_a_question_without_concept_has_no_rows(scorer: HashScorer | None) -> None:
    ranking = RankedQuestions(ROWS, ("Why?", []), ("", ["", "zebra"]), ("Which dog?", ["pet"]), scorer=scorer)
    assert {row["question_id"] for row in ranking.ranked} == {"q2"}
    assert {row["question_id"] for row in ranking.concepts} == {"q2"}
    nothing = RankedQuestions(ROWS, ("Why?", ["zebra"]), scorer=scorer)
    assert (nothing.ranked, nothing.concepts) == ([], [])


@pytest.mark.parametrize("scorer", [None, HashScorer(5)])
def test_an_option_alone_may_have_concepts(scorer: HashScorer | None) -> None:
    ranking = RankedQuestions(ROWS, ("Why?", ["tree"]), scorer=scorer)
    assert ranking.edges(0, 0) == [7]
    assert ranking.of(0, 0)[0]["touches"] == "option"
    assert ranking.of(0, NO_OPTION) == []


def test_nothing_asked_and_empty_graphs() -> None:
    ranking = RankedQuestions(ROWS)
    assert (ranking.linked, ranking.concepts, ranking.ranked) == ([], [], [])
    empty = RankedQuestions([], ("Which dog?", ["pet"]))
    assert (empty.concepts, empty.ranked) == ([], [])
    assert [linked.question_id for linked in empty.linked] == ["q0"]


def test_blocks_of_questions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["dog", "cat", "zebra", "fur coat", "tree", "pet", "leaf"]
    questions = [(text, texts[place:]) for place, text in enumerate(texts)]
    expected = RankedQuestions(ROWS, *questions).ranked
    for size in (1, 2, 7):
        monkeypatch.setattr(ranked_triples, "_QUESTIONS_AT_ONCE", size)
        assert RankedQuestions(ROWS, *questions).ranked == expected


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranked_triples, "_QUESTIONS_AT_ONCE", 2)
    progress: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        progress.append((done, total))

    encoder = SignEncoder()
    linked = link_questions(questions_of(*[("dog", ["cat"])] * 3), linker_of(ROWS), encoder, note)
    assert progress == [(1, 3), (2, 3), (3, 3)]
    progress.clear()
    scorer = EncoderSimilarity(encoder)
    tables = list(rank_triples(linked, graph_of(ROWS), TEMPLATES, encoder, scorer, "b", UNLIMITED, note))
    assert len(tables) == 2
    assert progress == [(2, 3), (3, 3)]


# --- the cap ---


HUB = 50_000


@pytest.fixture(scope="module")
def hubs() -> list[Row]:
    """A concept of 50,000 neighbours of weights in no order, another of 400; one light edge between them."""
    weights = np.random.default_rng(0).permutation(HUB - 1) + 2.0
    return [
        *(("hub", "HasA", f"thing {place}", float(weight)) for place, weight in enumerate(weights)),
        ("wheel", "PartOf", "hub", 1.0),
        *(("wheel", "HasA", f"spoke {place}", 2.0 + place) for place in range(400)),
    ]


@pytest.fixture(scope="module")
def hub_ranking(hubs: list[Row]) -> RankedQuestions:
    return RankedQuestions(hubs, ("Which hub?", ["wheel", "spoke 0", "???"]), limit=300)


def weight_of(row: Row) -> float:
    weight = row[3]
    assert weight is not None
    return weight


def test_dropped_triples_are_recorded(hub_ranking: RankedQuestions) -> None:
    counts = {row["label"]: (row["triples"], row["dropped"]) for row in hub_ranking.concepts}
    assert counts == {"hub": (HUB, HUB - 300), "wheel": (401, 101), "spoke 0": (1, 0)}


def test_the_heaviest_are_taken_and_what_joins_both_sides(
    hub_ranking: RankedQuestions, hubs: list[Row]
) -> None:
    graph = hub_ranking.graph
    hub, wheel = number_of(graph, "hub"), number_of(graph, "wheel")
    heaviest = {
        label: sorted(
            (edge for edge, row in enumerate(hubs) if label in (row[0], row[2])),
            key=lambda edge: -weight_of(hubs[edge]),
        )[:300]
        for label in ("hub", "wheel")
    }
    between = HUB - 1
    assert hubs[between] == ("wheel", "PartOf", "hub", 1.0)
    assert not any(between in edges for edges in heaviest.values())
    alone = edges_around(graph, [hub], [], 300)
    assert set(alone.edges.tolist()) == set(heaviest["hub"])
    for sides in ([hub], [wheel]), ([wheel], [hub]):
        both = edges_around(graph, *sides, 300)
        assert set(both.edges.tolist()) == {between, *heaviest["hub"], *heaviest["wheel"]}
        joining = both.touches[both.edges.tolist().index(between)]
        assert TOUCHES[joining] == "both"
        assert np.count_nonzero(both.touches == joining) == 1


def test_ranking_is_of_the_capped_neighbourhood(hub_ranking: RankedQuestions, hubs: list[Row]) -> None:
    order = sorted(range(HUB), key=lambda edge: -weight_of(hubs[edge]))[:300]
    query = "Which hub?"
    best = sorted(order, key=lambda edge: (-cosine(query, hub_ranking.sentence(edge)), edge))[:20]
    assert hub_ranking.edges(0, NO_OPTION) == best
    assert hub_ranking.labels(0, 2) == set()
    assert len(hub_ranking.of(0, 2)) == 20
    # No more sentences are encoded than the cap lets through.
    assert len(set(hub_ranking.encoder.texts)) < 1000


names = st.sampled_from("abcdef")


@given(
    rows=st.lists(
        st.tuples(names, st.just("IsA"), names, st.none() | st.sampled_from([0.5, 1.0, 2.0, 3.0])),
        min_size=1,
        max_size=40,
    ),
    question_labels=st.lists(names, unique=True, max_size=3),
    offered=st.lists(names, unique=True, max_size=3),
    limit=st.integers(0, 8),
)
def test_edges_around_are_the_heaviest_and_those_between(
    rows: list[Row], question_labels: list[str], offered: list[str], limit: int
) -> None:
    graph = graph_of(rows)
    labels = set(graph.labels.to_pylist())
    question_labels, offered = (
        [label for label in side if label in labels] for side in (question_labels, offered)
    )
    expected: dict[int, str] = {}
    for label in (*question_labels, *offered):
        weighted_edges = [
            (-1.0 if weight is None else -weight, edge)
            for edge, (head, _, tail, weight) in enumerate(rows)
            if label in (head, tail)
        ]
        expected |= dict.fromkeys((edge for _, edge in sorted(weighted_edges)[:limit]), "")
    for edge, (head, _, tail, _) in enumerate(rows):
        joins = (head in question_labels and tail in offered) or (tail in question_labels and head in offered)
        if joins and head != tail:
            expected[edge] = ""
        if edge in expected:
            sides = [bool({head, tail} & set(side)) for side in (question_labels, offered)]
            expected[edge] = "both" if all(sides) else "question" if sides[0] else "option"
    around = edges_around(
        graph,
        [number_of(graph, label) for label in question_labels],
        [number_of(graph, label) for label in offered],
        limit,
    )
    assert around.edges.tolist() == sorted(expected)
    assert [TOUCHES[side] for side in around.touches] == [expected[edge] for edge in sorted(expected)]


# --- a cross-encoder ---


@pytest.mark.parametrize("levels", [1, 3, 1 << 20])
@pytest.mark.parametrize("count", [5, 20, 64, 65, 200])
def test_a_cross_encoder_rescores_the_nearest(levels: int, count: int) -> None:
    scorer = HashScorer(levels)
    rows = [*many(count), ("cat", "IsA", "pet", 1.0)]
    ranking = RankedQuestions(rows, ("dog", ["cat", "zebra"]), scorer=scorer)
    calls = iter(scorer.calls)
    for candidate in (-1, 0, 1):
        near = ranking.near(0, candidate)[:64]
        query = ranking.linked[0].query(candidate)
        scored_queries, scored_texts = next(calls)
        assert set(scored_queries) == {query}
        assert scored_texts == [ranking.sentence(edge) for _, edge, _ in near]
        # Python's sort is stable: equal scores stay in the encoder's order.
        best = sorted(near, key=lambda item: -scorer.of(query, ranking.sentence(item[1])))[:20]
        rows_found = ranking.of(0, candidate)
        assert ranking.edges(0, candidate) == [edge for _, edge, _ in best]
        assert [row["touches"] for row in rows_found] == [touches for _, _, touches in best]
        for row, (similarity, edge, _) in zip(rows_found, best, strict=True):
            score = scorer.of(query, ranking.sentence(edge))
            assert row["score"] == score
            assert row["score_parts"] == [
                {"name": "cross_encoder", "value": score},
                {"name": "encoder_similarity", "value": similarity},
            ]
    assert next(calls, None) is None
