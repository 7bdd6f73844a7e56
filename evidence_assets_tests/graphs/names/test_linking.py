"""From phrases to nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from evidence_assets.graphs.concepts.nodes import alias_rows, node_rows
from evidence_assets.graphs.names.linking import Concept, Link, Linker, choose_concepts, keywords
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.phrases import Phrase, phrases
from evidence_assets_tests.testing.approximate_numbers import approximately
from evidence_assets_tests.testing.graph_samples import Row, linker_of, triple_table


def near(
    linker: Linker,
    text_phrases: Sequence[Phrase],
    relevances: Sequence[float],
    links: Mapping[str, list[Link]],
    count: int,
) -> dict[Phrase, list[Link]]:
    """A text's keywords with their links by spelling."""
    return {
        phrase: linker.by_spelling(phrase.text) for phrase in keywords(text_phrases, relevances, links, count)
    }


class Labelled:
    """A linker of labels, each joined to so many leaves, and its answers as (label, method, score)."""

    def __init__(self, degrees: Mapping[str, int] | Sequence[str]) -> None:
        counts = degrees if isinstance(degrees, Mapping) else dict.fromkeys(degrees, 1)
        rows: list[Row] = [
            (label, "IsA", f"~{place}~{leaf}", 1.0)
            for place, (label, count) in enumerate(counts.items())
            for leaf in range(count)
        ]
        self.linker = linker_of(rows)
        self._labels = sorted({end for row in rows for end in (row[0], row[2])}, key=str.encode)

    def named_links(self, links: Sequence[Link]) -> list[tuple[str, str, float]]:
        return [(self._labels[link.node], link.method, link.score) for link in links]

    def form(self, phrase: str) -> list[tuple[str, str, float]]:
        return self.named_links(self.linker.by_form([phrase]).get(phrase, []))

    def spelling(self, phrase: str) -> list[tuple[str, str, float]]:
        return self.named_links(self.linker.by_spelling(phrase))

    def chosen(
        self, text: str, telling: Mapping[str, float] | None = None, limit: int = 99, keywords: int = 99
    ) -> list[tuple[str, str, str]]:
        """(phrase, label, method) of a text's concepts; phrases are as telling as said, else not at all."""
        return [
            (concept.phrase.text, *self.named_links([concept.link])[0][:2])
            for concept in self.concepts(text, telling or {}, limit, keywords)
        ]

    def concepts(self, text: str, telling: Mapping[str, float], limit: int, count: int) -> list[Concept]:
        text_phrases = phrases(text)
        links = self.linker.by_form(phrase.text for phrase in text_phrases)
        relevances = [telling.get(phrase.text, 0.0) for phrase in text_phrases]
        return choose_concepts(
            text_phrases, relevances, links, near(self.linker, text_phrases, relevances, links, count), limit
        )


def test_same_words_come_before_same_lemmas() -> None:
    graph = Labelled({"windows": 1, "window": 9, "a window": 9, "ate": 1, "eat": 5})
    assert graph.form("windows") == [("windows", "exact", 1.0)]
    assert graph.form("WINDOWS") == [("windows", "exact", 1.0)]
    assert graph.form("a window") == [("a window", "exact", 1.0)]
    assert graph.form("ate") == [("ate", "exact", 1.0)]
    assert graph.form("eaten") == [("eat", "lemma", 1.0), ("ate", "lemma", 1.0)]
    assert graph.form("the windows") == [
        ("a window", "lemma", 1.0),
        ("window", "lemma", 1.0),
        ("windows", "lemma", 1.0),
    ]


@pytest.mark.parametrize("phrase", ["ice-cream", "Ice  Cream", "ice_cream", "ICE CREAM"])
def test_signs_and_case_are_the_same_words(phrase: str) -> None:
    assert Labelled(["ice cream"]).form(phrase) == [("ice cream", "exact", 1.0)]
    assert Labelled(["Ice-Cream"]).form(phrase) == [("Ice-Cream", "exact", 1.0)]


@pytest.mark.parametrize("phrase", ["", "the", "umbrela", "dogs and cats", "👍", "{head}"])
def test_unknown_phrases_are_absent(phrase: str) -> None:
    graph = Labelled(["umbrella", "dog", "a", "???"])
    assert graph.form(phrase) == []
    assert phrase not in graph.linker.by_form([phrase, "dog"])


def test_the_four_best_connected_of_equals() -> None:
    dogs = {"dog": 1, "a dog": 7, "the dog": 3, "dogs": 2, "your dog": 3, "some dog": 1, "cat": 50}
    graph = Labelled(dogs)
    assert graph.form("any dogs") == [
        ("a dog", "lemma", 1.0),
        ("the dog", "lemma", 1.0),
        ("your dog", "lemma", 1.0),
        ("dogs", "lemma", 1.0),
    ]
    spelt = {"Yo-yo": 1, "yo yo": 2, "YO YO": 3, "yo_yo": 2, "Yo Yo": 1}
    assert Labelled(spelt).form("yo-yo") == [
        ("YO YO", "exact", 1.0),
        ("yo yo", "exact", 1.0),
        ("yo_yo", "exact", 1.0),
        ("Yo Yo", "exact", 1.0),
    ]


def test_many_phrases_at_once() -> None:
    graph = Labelled(["dog", "cats", "emu"])
    links = graph.linker.by_form(["dog", "cat", "dog", "yak", "dogs"])
    assert {phrase: graph.named_links(linked) for phrase, linked in links.items()} == {
        "dog": [("dog", "exact", 1.0)],
        "cat": [("cats", "lemma", 1.0)],
        "dogs": [("dog", "lemma", 1.0)],
    }
    assert graph.linker.by_form([]) == {}


def test_a_misspelling_is_linked_to_the_nearest_labels() -> None:
    graph = Labelled({"umbrella": 1, "umbrellas": 9, "umbrage": 3, "Stair-Way": 1, "stair way": 3})
    assert graph.spelling("umbrela") == [("umbrella", "fuzzy", approximately(14 / 15))]
    assert graph.spelling("UMBRELLA") == [("umbrella", "fuzzy", 1.0)]
    assert graph.spelling("umbrelas") == [("umbrellas", "fuzzy", approximately(16 / 17))]
    spellings = [(label, "fuzzy", approximately(16 / 17)) for label in ("stair way", "Stair-Way")]
    assert graph.spelling("stair-wy") == spellings
    assert graph.spelling("stair wy") == spellings
    for phrase in ("umbr", "stare weigh", "xyzzy plugh", "", "???", "👍" * 9):
        assert graph.spelling(phrase) == []
    assert graph.spelling("umbrela") == graph.spelling("umbrela")


def test_the_nearest_name_that_the_phrase_can_be_a_misspelling_of() -> None:
    """Other names are passed over, however much nearer they are."""
    assert Labelled(["hypercortisolism"]).spelling("hypocortisolism") == []
    phrase, other_number, misspelt = "trisomy 14 syndrome", "trisomy 13 syndrome", "trisommy 14 ssyndromes"
    assert fuzz.ratio(phrase, other_number) > fuzz.ratio(phrase, misspelt) >= 90
    graph = Labelled([other_number, misspelt, "vitamin B12 deficiency", "factor XII deficiency"])
    assert graph.spelling(phrase) == [(misspelt, "fuzzy", approximately(38 / 41))]
    assert graph.spelling("vitamin B2 deficiency") == graph.spelling("factor XI deficiency") == []
    assert graph.spelling("vitamine B12 deficiency")[0][0] == "vitamin B12 deficiency"
    assert graph.spelling("Factor-XII deficency")[0][0] == "factor XII deficiency"


MISSPELLABLE = [
    "hypercortisolism", "hypocortisolism", "vitamin B12 deficiency", "vitamin B2 deficiency",
    "factor XI deficiency", "factor XII deficiency", "eosinophilia", "eosinophil count",
    "trisomy 13 syndrome",
    "alpha thalassemia", "beta thalassemia", "Frey's syndrome", "neurofibromatosis 1", "neurofibromatosis 2",
    "intracranial hypertension", "intracranial hypotension", "coarctation of the aorta", "umbrella stand",
]  # fmt: skip
MISSPELT = Labelled(MISSPELLABLE)


@given(data=st.data(), label=st.sampled_from(MISSPELLABLE), doubled=st.booleans())
def test_a_letter_dropped_or_doubled_in_a_long_word_is_a_misspelling(
    data: st.DataObject, label: str, doubled: bool
) -> None:
    """The affix that a word begins with, and its first and last letter, stay."""
    word = data.draw(st.sampled_from(list(re.finditer(r"[A-Za-z]{7,}", label))))
    affix = re.match("hyper|hypo|intra|", word[0])
    first = max(1, affix.end() if affix else 0)
    place = word.start() + data.draw(st.integers(first, len(word[0]) - 2))
    phrase = label[:place] + label[place] * 2 * doubled + label[place + 1 :]
    [(linked_label, method, score)] = MISSPELT.spelling(phrase)
    ratio = fuzz.ratio(normal_form(phrase), normal_form(label)) / 100
    assert method == "fuzzy"
    assert linked_label == label or score > ratio
    # What tells the names apart is still there.
    assert linked_label == label


def test_short_phrases_have_no_spelling() -> None:
    graph = Labelled(["duck", "ducks", "a", "ice"])
    assert graph.spelling("duck") == []
    assert graph.spelling("ducks") == [("ducks", "fuzzy", 1.0)]
    assert graph.spelling("duckss") == [("ducks", "fuzzy", approximately(10 / 11))]


def test_lemmas_are_not_looked_up_by_spelling() -> None:
    graph = Labelled(["the umbrellas", "children of men"])
    assert graph.form("umbrella") == [("the umbrellas", "lemma", 1.0)]
    assert graph.spelling("umbrela") == []
    assert graph.spelling("child of menn") == []


def test_an_empty_graph_links_nothing() -> None:
    linker = linker_of([])
    assert linker.by_form(["dog", ""]) == {}
    assert linker.by_spelling("umbrella") == []
    text_phrases = phrases("big dog")
    assert (
        choose_concepts(
            text_phrases, [0.1, 0.2, 0.3], {}, near(linker, text_phrases, [0.1, 0.2, 0.3], {}, 9), 9
        )
        == []
    )
    assert choose_concepts([], [], {}, {}, 9) == []


def test_phrases_within_a_linked_one_are_dropped() -> None:
    graph = Labelled(["ice cream", "ice", "cream", "cream cone", "vanilla"])
    assert graph.chosen("vanilla ice cream") == [
        ("vanilla", "vanilla", "exact"),
        ("ice cream", "ice cream", "exact"),
    ]
    # Overlapping is not within; nor is the same word elsewhere.
    assert graph.chosen("ice cream cones, with ice") == [
        ("ice cream", "ice cream", "exact"),
        ("cream cones", "cream cone", "lemma"),
        ("ice", "ice", "exact"),
    ]


def test_the_most_telling_first_and_at_most_so_many() -> None:
    graph = Labelled({"dog": 3, "a cat": 1, "cats": 2, "emu": 1})
    telling = {"emu": 0.9, "cat": 0.5, "dog": -0.5}
    concepts = [
        ("emu", "emu", "exact"),
        ("cat", "cats", "lemma"),
        ("cat", "a cat", "lemma"),
        ("dog", "dog", "exact"),
    ]
    assert graph.chosen("dog, cat, emu", telling) == concepts
    # The limit is of phrases, not of their links.
    assert graph.chosen("dog, cat, emu", telling, limit=2) == concepts[:3]
    assert graph.chosen("dog, cat, emu", telling, limit=0) == []
    chosen = graph.concepts("dog, cat, emu", telling, 9, 9)
    assert [concept.relevance for concept in chosen] == [0.9, 0.5, 0.5, -0.5]
    assert [concept[0] for concept in graph.chosen("dog, cat, emu")] == ["dog", "cat", "cat", "emu"]


def test_spelling_is_for_what_overlaps_nothing_linked() -> None:
    graph = Labelled(["umbrella", "stand", "umbrella stand", "handle"])
    assert graph.chosen("umbrela, stand") == [("umbrela", "umbrella", "fuzzy"), ("stand", "stand", "exact")]
    # "umbrela stand" is nearer to a label than "umbrela" is, but "stand" is linked.
    assert graph.chosen("umbrela stand") == [("umbrela", "umbrella", "fuzzy"), ("stand", "stand", "exact")]
    assert graph.chosen("umbrela standd", {"umbrela standd": 0.9}) == [
        ("umbrela standd", "umbrella stand", "fuzzy")
    ]
    assert graph.chosen("umbrela standd", {"standd": 0.9, "umbrela": 0.1, "umbrela standd": 0.5}) == [
        ("standd", "stand", "fuzzy"),
        ("umbrela", "umbrella", "fuzzy"),
    ]
    # A part of a phrase that is linked is no keyword, whether or not it has links itself.
    assert graph.chosen("umbrella stand handles") == [
        ("umbrella stand", "umbrella stand", "exact"),
        ("handles", "handle", "lemma"),
    ]


def test_so_many_keywords_are_looked_up_by_spelling() -> None:
    graph = Labelled(["umbrella", "village", "window"])
    telling = {"umbrela": 0.2, "vilage": 0.9, "wndow": 0.5}
    spelt = [("vilage", "village", "fuzzy"), ("wndow", "window", "fuzzy"), ("umbrela", "umbrella", "fuzzy")]
    text = "umbrela, vilage, wndow"
    for count in range(4):
        assert graph.chosen(text, telling, keywords=count) == spelt[:count]


def test_what_overlaps_something_linked_is_no_keyword() -> None:
    telling = {"wooden stand": 0.9, "vilage": 0.5, "wooden": 0.1}
    assert Labelled(["stand", "village"]).chosen("wooden stand, vilage", telling, keywords=1) == [
        ("vilage", "village", "fuzzy"),
        ("stand", "stand", "exact"),
    ]


def test_concepts_carry_the_score_and_the_place() -> None:
    (concept,) = Labelled(["umbrella"]).concepts("an umbrela?", {"an umbrela": 0.0, "umbrela": 0.25}, 9, 9)
    assert (concept.phrase.start, concept.phrase.end, concept.relevance) == (3, 10, 0.25)
    assert concept.link.score == pytest.approx(fuzz.ratio("umbrela", "umbrella") / 100)


VOCABULARY = ["umbrella", "umbrela", "ice", "cream", "icecream", "window", "windows", "wndow", "the", "x"]
LABELS = ["umbrella", "ice", "ice cream", "cream window", "a window", "the windows", "icecreams", "the ice"]


def surpasses(longer: Phrase, phrase: Phrase) -> bool:
    """Tell whether the second is a part of the first, and shorter."""
    return longer.start <= phrase.start and phrase.end <= longer.end and longer != phrase


GRAPH = Labelled({label: 1 + place % 3 for place, label in enumerate(LABELS)})


@given(
    pieces=st.lists(st.tuples(st.sampled_from(VOCABULARY), st.sampled_from([" ", ", "])), max_size=10),
    seed=st.integers(0, 99),
    limit=st.integers(0, 5),
    count=st.integers(0, 3),
)
def test_concepts_of_any_text_are_chosen_by_relevance(
    pieces: list[tuple[str, str]], seed: int, limit: int, count: int
) -> None:
    text = "".join(word + sign for word, sign in pieces)
    text_phrases = phrases(text)
    relevances = np.random.default_rng(seed).integers(-2, 3, size=len(text_phrases)).tolist()
    links = GRAPH.linker.by_form(phrase.text for phrase in text_phrases)
    concepts = choose_concepts(
        text_phrases, relevances, links, near(GRAPH.linker, text_phrases, relevances, links, count), limit
    )
    chosen = list(dict.fromkeys(concept.phrase for concept in concepts))
    assert len(chosen) <= limit
    assert len({concept.phrase for concept in concepts if concept.link.method == "fuzzy"}) <= count
    telling = dict(zip(text_phrases, relevances, strict=True))
    order = [(-telling[phrase], phrase.start, -phrase.end) for phrase in chosen]
    assert order == sorted(order)
    for concept in concepts:
        assert concept.relevance == telling[concept.phrase]
        competing = [phrase for phrase in text_phrases if phrase.text in links and phrase != concept.phrase]
        if concept.link.method == "fuzzy":
            assert concept.phrase.text not in links
            assert not any(
                concept.phrase.overlaps(phrase)
                for phrase in [*competing, *chosen]
                if phrase != concept.phrase
            )
            assert 0.9 <= concept.link.score <= 1
        else:
            assert concept.link in links[concept.phrase.text]
            assert not any(surpasses(phrase, concept.phrase) for phrase in competing)
    if limit == 5 and len(chosen) < 5:
        # Nothing was cut: what has links stands there, or the same words do, or something around it does.
        texts = {phrase.text for phrase in chosen}
        for phrase in text_phrases:
            if phrase.text in links:
                around = [
                    longer.text
                    for longer in text_phrases
                    if surpasses(longer, phrase) and longer.text in links
                ]
                assert texts.intersection([phrase.text, *around])
    assert len({phrase.text for phrase in chosen}) == len(chosen)


def test_degrees_decide_among_equals_whatever_the_order_of_nodes() -> None:
    for best in ("a dog", "dogs", "the dog"):
        degrees = {label: 5 if label == best else 1 for label in ("a dog", "dogs", "the dog")}
        assert Labelled(degrees).form("any dog")[0] == (best, "lemma", 1.0)


def test_aliases_in_pieces_are_one_table() -> None:
    nodes = node_rows("kg", triple_table([("dog", "IsA", "pets", 1.0), ("dogs", "IsA", "pet", 1.0)]))
    aliases = alias_rows(nodes)
    pieces = pa.concat_tables([aliases.slice(place, 1) for place in range(aliases.num_rows)])
    degrees = nodes.column("degree").to_numpy()
    texts = ["dog", "dogs", "pet", "a pet", "the dogs"]
    links = Linker(pieces, degrees).by_form(texts)
    assert links == Linker(aliases, degrees).by_form(texts)
    assert list(links) == texts
