"""The triples around questions and options: linked, read out, ranked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from graph_samples import (
    HashScorer,
    Row,
    SignEncoder,
    cosine,
    graph_of,
    linker_of,
    number_of,
    questions_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz, process

from evidence_assets.corpus.queries import QUESTION_ALONE, queries
from evidence_assets.graphs import evidence
from evidence_assets.graphs.evidence import (
    TOUCHES,
    edges_around,
    link_questions,
    link_rows,
    rank_triples,
)
from evidence_assets.graphs.fuzzy import FuzzyIndex
from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.graphs.labels import normal_form
from evidence_assets.graphs.linking import Linker
from evidence_assets.graphs.nodes import alias_rows, node_rows
from evidence_assets.graphs.triples import TripleCollector
from evidence_assets.graphs.verbalisation import templates, verbalise
from evidence_assets.lake.parquet import conform
from evidence_assets.lake.schemas import QUESTION_CONCEPTS, RANKED_TRIPLES
from evidence_assets.models.pair_scorer import EncoderSimilarity, PairScorer
from evidence_assets.sources.graphs.registry import reader

TEMPLATES = {"IsA": "{head} is a {tail}", "HasA": "{head} has {tail}", "PartOf": "{tail} holds {head}"}
UNLIMITED = 1 << 30

ROWS: list[Row] = [
    ("dog", "IsA", "pet", 1.0),
    ("cat", "IsA", "pet", 2.0),
    ("dog", "HasA", "fur", None),
    ("cat", "HasA", "fur", 4.0),
    ("pet", "HasA", "owner", 1.0),
    ("fur", "PartOf", "coat", 1.0),
    ("dog", "IsA", "dog", 0.5),
    ("tree", "HasA", "leaf", 9.0),
    ("dog", "HasA", "a coat", 1.0),
]


class Asked:
    """Questions linked to a graph and its triples ranked: every table checked against its declaration."""

    def __init__(
        self,
        rows: Sequence[Row],
        *asked: tuple[str, Sequence[str]],
        limit: int = UNLIMITED,
        scorer: PairScorer | None = None,
    ) -> None:
        self.rows, self.limit = rows, limit
        self.graph = graph_of(rows)
        self.encoder = SignEncoder()
        self.scorer = scorer or EncoderSimilarity(self.encoder)
        self.questions = questions_of(*asked)
        self.linked = link_questions(self.questions, linker_of(rows), self.encoder)
        self.concepts = conform(link_rows(self.linked, self.graph, "b", limit), QUESTION_CONCEPTS).to_pylist()
        self.ranked = self._ranked()

    def _ranked(self) -> list[dict]:
        tables = rank_triples(self.linked, self.graph, TEMPLATES, self.encoder, self.scorer, "b", self.limit)
        rows = [row for table in tables for row in conform(table, RANKED_TRIPLES).to_pylist()]
        ranks: dict[tuple[str, int], list[int]] = {}
        for row in rows:
            ranks.setdefault((row["question_id"], row["candidate"]), []).append(row["rank"])
            assert (row["benchmark"], row["scorer"]) == ("b", self.scorer.scorer_id)
            assert row["score"] == row["score_parts"][0]["value"]
        assert all(own == list(range(1, len(own) + 1)) for own in ranks.values())
        return rows

    def labels(self, question: int, candidate: int) -> set[str]:
        names = self.graph.labels.to_pylist()
        return {names[node] for node in self.linked[question].nodes(candidate)}

    def sentence(self, edge: int) -> str:
        head, relation, tail, _ = self.rows[edge]
        return verbalise(TEMPLATES[relation], head, tail)

    def near(self, question: int, candidate: int) -> list[tuple[float, int, str]]:
        """(cosine, edge, touches) of the whole neighbourhood, the nearest first, row by row."""
        asked = self.labels(question, QUESTION_ALONE)
        offered = set() if candidate == QUESTION_ALONE else self.labels(question, candidate)
        found = []
        for edge, (head, _, tail, _) in enumerate(self.rows):
            sides = [not asked.isdisjoint({head, tail}), not offered.isdisjoint({head, tail})]
            if any(sides):
                touches = "both" if all(sides) else "question" if sides[0] else "option"
                query = self.linked[question].query(candidate)
                found.append((cosine(query, self.sentence(edge)), edge, touches))
        return sorted(found, key=lambda item: (-item[0], item[1]))

    def of(self, question: int, candidate: int) -> list[dict]:
        key = (f"q{question}", candidate)
        return [row for row in self.ranked if (row["question_id"], row["candidate"]) == key]

    def edges(self, question: int, candidate: int) -> list[int]:
        return [int(row["triple_id"].removeprefix("t")) for row in self.of(question, candidate)]

    def candidates(self) -> list[tuple[int, int]]:
        return [
            (number, candidate)
            for number, options in enumerate(self.questions.column("options").to_pylist())
            for candidate in range(-1, len(options))
        ]


def check_is_brute_force(asked: Asked) -> None:
    """Every query has the best 20 of its neighbourhood by cosine, equal ones by their number."""
    for question, candidate in asked.candidates():
        expected = asked.near(question, candidate)[:20]
        rows = asked.of(question, candidate)
        assert asked.edges(question, candidate) == [edge for _, edge, _ in expected]
        assert [row["score"] for row in rows] == [score for score, _, _ in expected]
        assert [row["touches"] for row in rows] == [touches for _, _, touches in expected]
        assert [row["text"] for row in rows] == [asked.sentence(edge) for _, edge, _ in expected]
        for row in rows:
            assert row["score_parts"] == [{"name": "encoder_similarity", "value": row["score"]}]


def test_a_question_with_two_options() -> None:
    asked = Asked(ROWS, ("Which dog barks?", ["a pet", "the furs"]))
    assert asked.labels(0, QUESTION_ALONE) == {"dog"}
    assert asked.labels(0, 0) == {"pet"}
    assert asked.labels(0, 1) == {"fur"}
    assert {frozenset(asked.edges(0, candidate)) for candidate in (-1, 0, 1)} == {
        frozenset({0, 2, 6, 8}),
        frozenset({0, 2, 6, 8, 1, 4}),
        frozenset({0, 2, 6, 8, 3, 5}),
    }
    touches = {
        candidate: dict(
            zip(asked.edges(0, candidate), [row["touches"] for row in asked.of(0, candidate)], strict=True)
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
    check_is_brute_force(asked)


def test_concepts_of_a_question() -> None:
    asked = Asked([*ROWS, ("umbrella", "IsA", "thing", 1.0)], ("Which dog's coat?", ["umbrela", "no"]))
    names = ("candidate", "phrase", "char_start", "char_end", "label", "method", "triples", "dropped")
    assert {tuple(row[name] for name in names) for row in asked.concepts} == {
        (-1, "dog", 6, 9, "dog", "exact", 4, 0),
        (-1, "coat", 12, 16, "coat", "exact", 1, 0),
        (0, "umbrela", 0, 7, "umbrella", "fuzzy", 1, 0),
    }
    for row in asked.concepts:
        text = "Which dog's coat?" if row["candidate"] == -1 else "umbrela"
        assert (row["benchmark"], row["question_id"], row["kg"]) == ("b", "q0", "kg")
        assert row["node"] == number_of(asked.graph, row["label"])
        assert row["relevance"] == cosine(row["phrase"], text)
        score = fuzz.ratio("umbrela", "umbrella") / 100 if row["method"] == "fuzzy" else 1.0
        assert row["score"] == pytest.approx(score)
    check_is_brute_force(asked)


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


@settings(deadline=None, max_examples=60)
@given(rows=some_rows, asked=st.lists(st.tuples(some_text, st.lists(some_text, max_size=3)), max_size=3))
def test_ranking_is_brute_force_over_the_whole_neighbourhood(
    rows: list[Row], asked: list[tuple[str, list[str]]]
) -> None:
    check_is_brute_force(Asked(rows, *asked))


def many(count: int, head: str = "dog") -> list[Row]:
    return [(head, "HasA", f"thing {number}", 1.0) for number in range(count)]


def test_at_most_twenty_and_equal_scores_by_number() -> None:
    asked = Asked([*many(300), *many(300, "cat")], ("dog", ["cat", "zebra"]))
    assert [len(asked.of(0, candidate)) for candidate in (-1, 0, 1)] == [20, 20, 20]
    check_is_brute_force(asked)
    scores = [row["score"] for row in asked.of(0, 0)]
    assert len(set(scores)) < 20, "no two are equal: the sample does not say what becomes of ties"


def test_the_same_sentence_twice_stands_twice() -> None:
    """Triples differ by their ids, not by how they read."""
    asked = Asked([("dog", "IsA", "pet", weight) for weight in (1.0, 3.0, 2.0)], ("dog", []))
    assert asked.edges(0, QUESTION_ALONE) == [0, 1, 2]


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
def test_any_options(options: list[str], measure: str) -> None:
    scorer = HashScorer(5) if measure == "cross-encoder" else None
    asked = Asked(ROWS, ("Which dog?", options), ("Why?", options), scorer=scorer)
    assert [len(linked.concepts) for linked in asked.linked] == [len(options) + 1] * 2
    texts = [query.text for query in queries(asked.questions)]
    assert texts == [asked.linked[question].query(candidate) for question, candidate in asked.candidates()]
    for question, candidate in asked.candidates():
        assert set(asked.edges(question, candidate)) == {
            edge for _, edge, _ in asked.near(question, candidate)
        }
        for other, option in enumerate(options):
            if candidate >= 0 and option == options[candidate]:
                assert asked.edges(question, other) == asked.edges(question, candidate)
    assert asked.of(1, QUESTION_ALONE) == []
    if scorer is None:
        check_is_brute_force(asked)


def test_what_is_no_word_has_no_concept() -> None:
    asked = Asked(ROWS, ("Which dog?", ["???", "👍", "", "pet"]))
    assert {row["candidate"] for row in asked.concepts} == {-1, 3}
    assert {asked.labels(0, candidate) == set() for candidate in (0, 1, 2)} == {True}
    # Only the question's concepts are left to such an option.
    assert {row["touches"] for candidate in (0, 1, 2) for row in asked.of(0, candidate)} == {"question"}


def test_a_long_option_is_read_from_its_beginning() -> None:
    text = " ".join(["pebble"] * 255 + ["fur"] + ["pet"] * 5000)
    asked = Asked(ROWS, ("Which dog?", [text]))
    assert asked.labels(0, 0) == {"fur"}
    assert asked.linked[0].query(0) == f"Which dog? {text}"
    check_is_brute_force(asked)


@pytest.mark.parametrize("scorer", [None, HashScorer(5)])
def test_a_question_without_concept_has_no_rows(scorer: HashScorer | None) -> None:
    asked = Asked(ROWS, ("Why?", []), ("", ["", "zebra"]), ("Which dog?", ["pet"]), scorer=scorer)
    assert {row["question_id"] for row in asked.ranked} == {"q2"}
    assert {row["question_id"] for row in asked.concepts} == {"q2"}
    nothing = Asked(ROWS, ("Why?", ["zebra"]), scorer=scorer)
    assert (nothing.ranked, nothing.concepts) == ([], [])


@pytest.mark.parametrize("scorer", [None, HashScorer(5)])
def test_an_option_alone_may_have_concepts(scorer: HashScorer | None) -> None:
    asked = Asked(ROWS, ("Why?", ["tree"]), scorer=scorer)
    assert asked.edges(0, 0) == [7]
    assert asked.of(0, 0)[0]["touches"] == "option"
    assert asked.of(0, QUESTION_ALONE) == []


def test_nothing_asked_and_empty_graphs() -> None:
    asked = Asked(ROWS)
    assert (asked.linked, asked.concepts, asked.ranked) == ([], [], [])
    empty = Asked([], ("Which dog?", ["pet"]))
    assert (empty.concepts, empty.ranked) == ([], [])
    assert [linked.question_id for linked in empty.linked] == ["q0"]


def test_ten_phrases_of_a_question_and_six_of_an_option() -> None:
    names = [f"{letter * 3}" for letter in "bcdfghjklmnp"]
    rows: list[Row] = [(name, "IsA", "letters", 1.0) for name in names]
    text = ", ".join(names)
    asked = Asked(rows, (text, [text]))
    best = sorted(names, key=lambda name: (-cosine(name, text), names.index(name)))
    assert [row["phrase"] for row in asked.concepts if row["candidate"] == QUESTION_ALONE] == best[:10]
    assert [row["phrase"] for row in asked.concepts if row["candidate"] == 0] == best[:6]
    assert asked.labels(0, 0) == set(best[:6])


def test_three_phrases_of_a_text_are_looked_up_by_spelling() -> None:
    spelt = {
        "umbrela": "umbrella",
        "vilage": "village",
        "wndow": "window",
        "blankt": "blanket",
        "pencill": "pencil",
    }
    rows: list[Row] = [(label, "IsA", "~", 1.0) for label in spelt.values()]
    text = ", ".join(spelt)
    asked = Asked(rows, (text, [text]))
    best = sorted(spelt, key=lambda name: -cosine(name, text))[:3]
    for candidate in (-1, 0):
        found = [(row["phrase"], row["label"]) for row in asked.concepts if row["candidate"] == candidate]
        assert found == [(name, spelt[name]) for name in best]


def test_texts_are_encoded_once() -> None:
    encoder = SignEncoder()
    asked = questions_of(("dog", ["pet", "dog", "pet dog"]), ("dog", ["pet"]))
    link_questions(asked, linker_of(ROWS), encoder)
    assert sorted(encoder.asked) == sorted(set(encoder.asked)) == ["dog", "pet", "pet dog"]


def test_blocks_of_questions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["dog", "cat", "zebra", "fur coat", "tree", "pet", "leaf"]
    asked = [(text, texts[place:]) for place, text in enumerate(texts)]
    expected = Asked(ROWS, *asked).ranked
    for size in (1, 2, 7):
        monkeypatch.setattr(evidence, "_QUESTIONS_AT_ONCE", size)
        assert Asked(ROWS, *asked).ranked == expected


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "_QUESTIONS_AT_ONCE", 2)
    told: list[tuple[int, int]] = []

    def note(done: int, whole: int) -> None:
        told.append((done, whole))

    encoder = SignEncoder()
    linked = link_questions(questions_of(*[("dog", ["cat"])] * 3), linker_of(ROWS), encoder, note)
    assert told == [(1, 3), (2, 3), (3, 3)]
    told.clear()
    scorer = EncoderSimilarity(encoder)
    found = list(rank_triples(linked, graph_of(ROWS), TEMPLATES, encoder, scorer, "b", UNLIMITED, note))
    assert len(found) == 2
    assert told == [(2, 3), (3, 3)]


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
def hub_asked(hubs: list[Row]) -> Asked:
    return Asked(hubs, ("Which hub?", ["wheel", "spoke 0", "???"]), limit=300)


def test_dropped_triples_are_recorded(hub_asked: Asked) -> None:
    found = {row["label"]: (row["triples"], row["dropped"]) for row in hub_asked.concepts}
    assert found == {"hub": (HUB, HUB - 300), "wheel": (401, 101), "spoke 0": (1, 0)}


def test_the_heaviest_are_taken_and_what_joins_both_sides(hub_asked: Asked, hubs: list[Row]) -> None:
    graph = hub_asked.graph
    hub, wheel = number_of(graph, "hub"), number_of(graph, "wheel")
    heaviest = {
        label: sorted(
            (edge for edge, row in enumerate(hubs) if label in (row[0], row[2])),
            key=lambda edge: -hubs[edge][3],
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


def test_ranking_is_of_the_capped_neighbourhood(hub_asked: Asked, hubs: list[Row]) -> None:
    order = sorted(range(HUB), key=lambda edge: -hubs[edge][3])[:300]
    query = "Which hub?"
    best = sorted(order, key=lambda edge: (-cosine(query, hub_asked.sentence(edge)), edge))[:20]
    assert hub_asked.edges(0, QUESTION_ALONE) == best
    assert hub_asked.labels(0, 2) == set()
    assert len(hub_asked.of(0, 2)) == 20
    # No more sentences are encoded than the cap lets through.
    assert len(set(hub_asked.encoder.asked)) < 1000


names = st.sampled_from("abcdef")


@settings(deadline=None)
@given(
    rows=st.lists(
        st.tuples(names, st.just("IsA"), names, st.none() | st.sampled_from([0.5, 1.0, 2.0, 3.0])),
        min_size=1,
        max_size=40,
    ),
    asked=st.lists(names, unique=True, max_size=3),
    offered=st.lists(names, unique=True, max_size=3),
    limit=st.integers(0, 8),
)
def test_edges_around_are_the_heaviest_and_those_between(
    rows: list[Row], asked: list[str], offered: list[str], limit: int
) -> None:
    graph = graph_of(rows)
    known = set(graph.labels.to_pylist())
    asked, offered = ([label for label in side if label in known] for side in (asked, offered))
    expected: dict[int, str] = {}
    for label in (*asked, *offered):
        own = [
            (-1.0 if weight is None else -weight, edge)
            for edge, (head, _, tail, weight) in enumerate(rows)
            if label in (head, tail)
        ]
        expected |= dict.fromkeys((edge for _, edge in sorted(own)[:limit]), "")
    for edge, (head, _, tail, _) in enumerate(rows):
        joins = (head in asked and tail in offered) or (tail in asked and head in offered)
        if joins and head != tail:
            expected[edge] = ""
        if edge in expected:
            sides = [bool({head, tail} & set(side)) for side in (asked, offered)]
            expected[edge] = "both" if all(sides) else "question" if sides[0] else "option"
    found = edges_around(
        graph, [number_of(graph, one) for one in asked], [number_of(graph, one) for one in offered], limit
    )
    assert found.edges.tolist() == sorted(expected)
    assert [TOUCHES[side] for side in found.touches] == [expected[edge] for edge in sorted(expected)]


# --- a cross-encoder ---


@pytest.mark.parametrize("levels", [1, 3, 1 << 20])
@pytest.mark.parametrize("count", [5, 20, 64, 65, 200])
def test_a_cross_encoder_rescores_the_nearest(levels: int, count: int) -> None:
    scorer = HashScorer(levels)
    rows = [*many(count), ("cat", "IsA", "pet", 1.0)]
    asked = Asked(rows, ("dog", ["cat", "zebra"]), scorer=scorer)
    calls = iter(scorer.calls)
    for candidate in (-1, 0, 1):
        near = asked.near(0, candidate)[:64]
        query = asked.linked[0].query(candidate)
        scored_queries, scored_texts = next(calls)
        assert set(scored_queries) == {query}
        assert scored_texts == [asked.sentence(edge) for _, edge, _ in near]
        # Python's sort is stable: equal scores stay in the encoder's order.
        best = sorted(near, key=lambda item: -scorer.of(query, asked.sentence(item[1])))[:20]
        rows_found = asked.of(0, candidate)
        assert asked.edges(0, candidate) == [edge for _, edge, _ in best]
        assert [row["touches"] for row in rows_found] == [touches for _, _, touches in best]
        for row, (similarity, edge, _) in zip(rows_found, best, strict=True):
            score = scorer.of(query, asked.sentence(edge))
            assert row["score"] == score
            assert row["score_parts"] == [
                {"name": "cross_encoder", "value": score},
                {"name": "encoder_similarity", "value": similarity},
            ]
    assert next(calls, None) is None


# --- ConceptNet ---


@pytest.fixture(scope="module")
def conceptnet(real_data: Path) -> tuple[pa.Table, Graph, Linker, TripleCollector]:
    path = real_data / "kg" / "conceptnet100k" / "train_old.txt"
    collector = TripleCollector("conceptnet100k", templates("conceptnet"))
    collector.add(reader("relation_head_tail")(str(path), {}), "train", "CC BY-SA 4.0")
    triples = pa.concat_tables([table for _, table in collector.tables()])
    nodes = node_rows("conceptnet100k", triples)
    linker = Linker(alias_rows(nodes), nodes.column("degree").to_numpy())
    return triples, build_graph("conceptnet100k", triples, nodes), linker, collector


RealGraph = tuple[pa.Table, Graph, Linker, TripleCollector]


@pytest.mark.real_data
def test_real_graph_is_the_file(conceptnet: RealGraph, real_data: Path) -> None:
    triples, graph, _, collector = conceptnet
    path = real_data / "kg" / "conceptnet100k" / "train_old.txt"
    lines = [
        tuple(part.strip() for part in line.split("\t"))
        for line in path.read_text(encoding="utf-8").strip().split("\n")
    ]
    kept = [line for line in lines if line[0] in templates("conceptnet")]
    assert collector.statements == len(kept) == 99_998
    assert [one.record for one in collector.rejected] == [
        "relation HasPainCharacter",
        "relation HasPainIntensity",
    ]
    # Three statements differ from another one by a space behind their tail alone.
    assert triples.num_rows == len(set(kept)) == 99_995
    assert len(triples.column("triple_id").unique()) == 99_995
    assert len(graph.labels) == len({label for line in kept for label in line[1:]}) == 78_087
    assert {
        (relation, head, tail) for head, relation, tail in map(graph.triple, range(triples.num_rows))
    } == set(kept)
    loops = sum(head == tail for _, head, tail in set(kept))
    assert graph.offsets[-1] == 2 * 99_995 - loops
    assert graph.degree(number_of(graph, "person")) == sum("person" in line[1:] for line in set(kept))


@pytest.mark.real_data
def test_real_question(conceptnet: RealGraph) -> None:
    _, graph, linker, _ = conceptnet
    encoder = SignEncoder()
    options = ["doctor", "bookstore", "train station", "a vilage", "umbrela", "???"]
    asked = questions_of(("Where would you find magazines along side many other printed works?", options))
    linked = link_questions(asked, linker, encoder)
    rows = conform(link_rows(linked, graph, "b", 20), QUESTION_CONCEPTS).to_pylist()
    found = {(row["candidate"], row["phrase"], row["label"], row["method"]) for row in rows}
    assert found == {
        (-1, "find", "find", "exact"),
        (-1, "magazines", "magazine", "lemma"),
        (-1, "magazines", "some magazine", "lemma"),
        (-1, "side", "side", "exact"),
        (-1, "printed", "print", "lemma"),
        (-1, "works", "work", "lemma"),
        (0, "doctor", "doctor", "exact"),
        (1, "bookstore", "bookstore", "exact"),
        (2, "train station", "train station", "exact"),
        (3, "vilage", "village", "fuzzy"),
        (4, "umbrela", "umbrella", "fuzzy"),
    }
    scores = {row["phrase"]: row["score"] for row in rows}
    assert scores["umbrela"] == pytest.approx(14 / 15)
    assert scores["vilage"] == pytest.approx(12 / 13)
    assert scores["magazines"] == 1.0
    cut = {row["label"]: (row["triples"], row["dropped"]) for row in rows}
    assert (cut["magazine"], cut["bookstore"], cut["side"]) == ((44, 24), (34, 14), (1, 0))
    for place, candidate in (("doctor", 0), ("bookstore", 1), ("train station", 2)):
        # However low the cap, what joins question and option is there.
        around = edges_around(graph, linked[0].nodes(QUESTION_ALONE), linked[0].nodes(candidate), 1)
        joining = {graph.triple(edge) for edge in around.edges[around.touches == TOUCHES.index("both")]}
        assert ("magazine", "AtLocation", place) in joining


@pytest.mark.real_data
def test_real_ranking_is_brute_force(conceptnet: RealGraph) -> None:
    triples, graph, linker, _ = conceptnet
    encoder = SignEncoder()
    linked = link_questions(questions_of(("Where are magazines sold?", ["bookstore"])), linker, encoder)
    scorer = EncoderSimilarity(encoder)
    (table,) = rank_triples(linked, graph, templates("conceptnet"), encoder, scorer, "b", UNLIMITED)
    asked, offered = {"magazine", "some magazine", "sell"}, {"bookstore"}
    query = "Where are magazines sold? bookstore"
    expected = []
    for edge, row in enumerate(triples.select(["head", "relation", "tail"]).to_pylist()):
        ends = {row["head"], row["tail"]}
        sides = [not asked.isdisjoint(ends), not offered.isdisjoint(ends)]
        if any(sides):
            sentence = verbalise(templates("conceptnet")[row["relation"]], row["head"], row["tail"])
            touches = "both" if all(sides) else "question" if sides[0] else "option"
            expected.append((-cosine(query, sentence), edge, sentence, touches))
    assert ("magazine can be found at bookstore", "both") in {one[2:] for one in expected}
    found = [row for row in conform(table, RANKED_TRIPLES).to_pylist() if row["candidate"] == 0]
    assert [(-row["score"], row["text"], row["touches"]) for row in found] == [
        (cost, sentence, touches) for cost, _, sentence, touches in sorted(expected)[:20]
    ]
    ids = triples.column("triple_id")
    assert [row["triple_id"] for row in found] == [ids[one[1]].as_py() for one in sorted(expected)[:20]]


@pytest.mark.real_data
def test_real_spellings_are_found_as_by_brute_force(conceptnet: RealGraph) -> None:
    _, graph, linker, _ = conceptnet
    assert [graph.labels[link.node].as_py() for link in linker.by_spelling("umbrela")] == ["umbrella"]
    names = sorted({normal_form(label) for label in graph.labels.to_pylist()})
    index = FuzzyIndex(pa.array(names))
    random = np.random.default_rng(0)
    for name in random.choice(names, size=60, replace=False).tolist():
        place = int(random.integers(len(name)))
        phrase = name[:place] + name[place + 1 :]
        near = process.extract(phrase, names, scorer=fuzz.ratio, score_cutoff=90, limit=None)
        assert sorted(index.nearest(phrase)) == sorted((number, ratio) for _, ratio, number in near)
