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

from evidence_assets.graphs.linking import Concept, Link, Linker, choose_concepts, keywords
from evidence_assets.graphs.merging import Merger
from evidence_assets.graphs.nodes import alias_rows, concept_rows, node_rows
from evidence_assets.retrieval.question_triples.question_linking import link_questions
from evidence_assets.sources.records import ConceptRecord
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.phrases import Phrase, phrases
from evidence_assets_tests.testing.graph_samples import (
    Row,
    SignEncoder,
    cosine,
    linker_of,
    questions_of,
    triple_table,
)


def near(
    linker: Linker,
    found: Sequence[Phrase],
    relevances: Sequence[float],
    links: Mapping[str, list[Link]],
    count: int,
) -> dict[Phrase, list[Link]]:
    """A text's keywords with their links by spelling."""
    return {phrase: linker.by_spelling(phrase.text) for phrase in keywords(found, relevances, links, count)}


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

    def told(self, links: Sequence[Link]) -> list[tuple[str, str, float]]:
        return [(self._labels[link.node], link.method, link.score) for link in links]

    def form(self, phrase: str) -> list[tuple[str, str, float]]:
        return self.told(self.linker.by_form([phrase]).get(phrase, []))

    def spelling(self, phrase: str) -> list[tuple[str, str, float]]:
        return self.told(self.linker.by_spelling(phrase))

    def chosen(
        self, text: str, telling: Mapping[str, float] | None = None, limit: int = 99, keywords: int = 99
    ) -> list[tuple[str, str, str]]:
        """(phrase, label, method) of a text's concepts; phrases are as telling as said, else not at all."""
        return [
            (concept.phrase.text, *self.told([concept.link])[0][:2])
            for concept in self.concepts(text, telling or {}, limit, keywords)
        ]

    def concepts(self, text: str, telling: Mapping[str, float], limit: int, count: int) -> list[Concept]:
        found = phrases(text)
        links = self.linker.by_form(phrase.text for phrase in found)
        relevances = [telling.get(phrase.text, 0.0) for phrase in found]
        return choose_concepts(
            found, relevances, links, near(self.linker, found, relevances, links, count), limit
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
    found = graph.linker.by_form(["dog", "cat", "dog", "yak", "dogs"])
    assert {phrase: graph.told(links) for phrase, links in found.items()} == {
        "dog": [("dog", "exact", 1.0)],
        "cat": [("cats", "lemma", 1.0)],
        "dogs": [("dog", "lemma", 1.0)],
    }
    assert graph.linker.by_form([]) == {}


def test_nearest_spelling() -> None:
    graph = Labelled({"umbrella": 1, "umbrellas": 9, "umbrage": 3, "Stair-Way": 1, "stair way": 3})
    assert graph.spelling("umbrela") == [("umbrella", "fuzzy", pytest.approx(14 / 15))]
    assert graph.spelling("UMBRELLA") == [("umbrella", "fuzzy", 1.0)]
    assert graph.spelling("umbrelas") == [("umbrellas", "fuzzy", pytest.approx(16 / 17))]
    both = [(label, "fuzzy", pytest.approx(16 / 17)) for label in ("stair way", "Stair-Way")]
    assert graph.spelling("stair-wy") == both
    assert graph.spelling("stair wy") == both
    for phrase in ("umbr", "stare weigh", "xyzzy plugh", "", "???", "👍" * 9):
        assert graph.spelling(phrase) == []
    assert graph.spelling("umbrela") == graph.spelling("umbrela")


def test_the_nearest_name_that_the_phrase_can_be_a_misspelling_of() -> None:
    """Other names are passed over, however much nearer they are."""
    assert Labelled(["hypercortisolism"]).spelling("hypocortisolism") == []
    phrase, other, own = "trisomy 14 syndrome", "trisomy 13 syndrome", "trisommy 14 ssyndromes"
    assert fuzz.ratio(phrase, other) > fuzz.ratio(phrase, own) >= 90
    graph = Labelled([other, own, "vitamin B12 deficiency", "factor XII deficiency"])
    assert graph.spelling(phrase) == [(own, "fuzzy", pytest.approx(38 / 41))]
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
    [(found, method, score)] = MISSPELT.spelling(phrase)
    own = fuzz.ratio(normal_form(phrase), normal_form(label)) / 100
    assert method == "fuzzy"
    assert found == label or score > own
    # What tells the names apart is still there.
    assert found == label


def test_short_phrases_have_no_spelling() -> None:
    graph = Labelled(["duck", "ducks", "a", "ice"])
    assert graph.spelling("duck") == []
    assert graph.spelling("ducks") == [("ducks", "fuzzy", 1.0)]
    assert graph.spelling("duckss") == [("ducks", "fuzzy", pytest.approx(10 / 11))]


def test_lemmas_are_not_looked_up_by_spelling() -> None:
    graph = Labelled(["the umbrellas", "children of men"])
    assert graph.form("umbrella") == [("the umbrellas", "lemma", 1.0)]
    assert graph.spelling("umbrela") == []
    assert graph.spelling("child of menn") == []


def test_empty_graph() -> None:
    linker = linker_of([])
    assert linker.by_form(["dog", ""]) == {}
    assert linker.by_spelling("umbrella") == []
    found = phrases("big dog")
    assert choose_concepts(found, [0.1, 0.2, 0.3], {}, near(linker, found, [0.1, 0.2, 0.3], {}, 9), 9) == []
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
    every = [
        ("emu", "emu", "exact"),
        ("cat", "cats", "lemma"),
        ("cat", "a cat", "lemma"),
        ("dog", "dog", "exact"),
    ]
    assert graph.chosen("dog, cat, emu", telling) == every
    # The limit is of phrases, not of their links.
    assert graph.chosen("dog, cat, emu", telling, limit=2) == every[:3]
    assert graph.chosen("dog, cat, emu", telling, limit=0) == []
    found = graph.concepts("dog, cat, emu", telling, 9, 9)
    assert [concept.relevance for concept in found] == [0.9, 0.5, 0.5, -0.5]
    assert [one[0] for one in graph.chosen("dog, cat, emu")] == ["dog", "cat", "cat", "emu"]


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
    spelt = [
        ("vilage", "village", "fuzzy"),
        ("wndow", "window", "fuzzy"),
        ("umbrela", "umbrella", "fuzzy"),
    ]
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
GRAPH = Labelled({label: 1 + place % 3 for place, label in enumerate(LABELS)})


@given(
    pieces=st.lists(st.tuples(st.sampled_from(VOCABULARY), st.sampled_from([" ", ", "])), max_size=10),
    seed=st.integers(0, 99),
    limit=st.integers(0, 5),
    count=st.integers(0, 3),
)
def test_any_text(pieces: list[tuple[str, str]], seed: int, limit: int, count: int) -> None:
    text = "".join(word + sign for word, sign in pieces)
    found = phrases(text)
    relevances = np.random.default_rng(seed).integers(-2, 3, size=len(found)).tolist()
    links = GRAPH.linker.by_form(phrase.text for phrase in found)
    concepts = choose_concepts(
        found, relevances, links, near(GRAPH.linker, found, relevances, links, count), limit
    )
    chosen = list(dict.fromkeys(concept.phrase for concept in concepts))
    assert len(chosen) <= limit
    assert len({concept.phrase for concept in concepts if concept.link.method == "fuzzy"}) <= count
    telling = dict(zip(found, relevances, strict=True))
    order = [(-telling[phrase], phrase.start, -phrase.end) for phrase in chosen]
    assert order == sorted(order)
    for concept in concepts:
        assert concept.relevance == telling[concept.phrase]
        others = [phrase for phrase in found if phrase.text in links and phrase != concept.phrase]
        if concept.link.method == "fuzzy":
            assert concept.phrase.text not in links
            assert not any(
                concept.phrase.overlaps(phrase) for phrase in [*others, *chosen] if phrase != concept.phrase
            )
            assert 0.9 <= concept.link.score <= 1
        else:
            assert concept.link in links[concept.phrase.text]
            assert not any(phrase.contains(concept.phrase) for phrase in others)
    if limit == 5 and len(chosen) < 5:
        # Nothing was cut: what has links stands there, or the same words do, or something around it does.
        texts = {phrase.text for phrase in chosen}
        for phrase in found:
            if phrase.text in links:
                around = [other.text for other in found if other.contains(phrase) and other.text in links]
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
    asked = ["dog", "dogs", "pet", "a pet", "the dogs"]
    found = Linker(pieces, degrees).by_form(asked)
    assert found == Linker(aliases, degrees).by_form(asked)
    assert list(found) == asked


# --- names beside the label


class Described:
    """A linker of concepts with synonyms, each joined to one leaf; answers as of `Labelled`."""

    def __init__(
        self,
        synonyms: Mapping[str, Sequence[str]],
        threshold: float | None = None,
        unlinked: Sequence[str] = (),
    ) -> None:
        records = [
            ("one", ConceptRecord(f"A:{place}", label, tuple(names)))
            for place, (label, names) in enumerate(synonyms.items())
        ]
        concepts = concept_rows("kg", Merger(records).concepts)
        nodes = node_rows("kg", triple_table([(label, "IsA", "~", None) for label in synonyms]), concepts)
        self.labels = nodes.column("label").to_pylist()
        degrees = nodes.column("degree").to_numpy()
        self.linker = Linker(alias_rows(nodes, concepts), degrees, threshold, unlinked)

    def told(self, links: Sequence[Link]) -> list[tuple[str, str, float]]:
        return [(self.labels[link.node], link.method, link.score) for link in links]

    def form(self, phrase: str) -> list[tuple[str, str, float]]:
        return self.told(self.linker.by_form([phrase]).get(phrase, []))

    def label(self, phrase: str) -> list[tuple[str, str, float]]:
        return self.told(self.linker.by_label([phrase]).get(phrase, []))

    def spelling(self, phrase: str) -> list[tuple[str, str, float]]:
        return self.told(self.linker.by_spelling(phrase))

    def meaning(self, *asked: str) -> dict[str, list[tuple[str, str, float]]]:
        found = self.linker.by_meaning(asked, SignEncoder())
        return {phrase: self.told(links) for phrase, links in found.items()}


MEDICINE = {
    "cutaneous mastocytosis": ["CM", "mast cell disease of the skin"],
    "centimetre": ["cm"],
    "scurvy": ["vitamin C deficiency", "Barlow's disease"],
    "Barlow's syndrome": ["Mitral valve prolapse"],
    "gout": ["scurvys cousin", "HIV"],
}


def test_synonyms_are_the_same_words() -> None:
    graph = Described(MEDICINE)
    for phrase in ("vitamin C deficiency", "VITAMIN-C deficiency", "Barlow's disease"):
        assert graph.form(phrase) == graph.label(phrase) == [("scurvy", "exact", 1.0)]
    assert graph.form("vitamin C deficiencies") == [("scurvy", "lemma", 1.0)]
    assert graph.label("vitamin C deficiencies") == []
    assert graph.form("the mitral valves prolapse") == [("Barlow's syndrome", "lemma", 1.0)]


def test_a_label_comes_before_a_synonym() -> None:
    graph = Described({"cold": [], "rhinitis": ["cold", "catarrh"], "chill": ["Cold", "catarrh"]})
    assert graph.form("cold") == [("cold", "exact", 1.0)]
    assert graph.form("catarrh") == [("chill", "exact", 1.0), ("rhinitis", "exact", 1.0)]
    # So does a synonym before what has only its lemmas.
    assert Described({"colds": [], "rhinitis": ["cold"]}).form("cold") == [("rhinitis", "exact", 1.0)]


def test_the_capitals_of_an_abbreviation_count() -> None:
    graph = Described(MEDICINE)
    assert graph.form("CM") == [("cutaneous mastocytosis", "exact", 1.0)]
    assert graph.form("cm") == [("centimetre", "exact", 1.0)]
    assert graph.form("Cm") == [("centimetre", "exact", 1.0)]
    assert graph.form("HIV") == [("gout", "exact", 1.0)]
    for other in ("hiv", "Hiv", "HIVs", "H IV"):
        assert graph.form(other) == []
    # A label is found whatever its capitals, and goes first.
    named = Described({"AIDS": ["A"], "hearing aids": ["AIDS"]})
    assert named.form("aids") == named.form("AIDS") == [("AIDS", "exact", 1.0)]


def test_misspelt_synonyms_are_found_and_abbreviations_are_not() -> None:
    graph = Described({**MEDICINE, "acquired immunodeficiency": ["ABCDE"]})
    assert graph.spelling("vitamin C deficency") == [("scurvy", "fuzzy", pytest.approx(38 / 39))]
    assert graph.spelling("cutaneous mastocytoses")[0][0] == "cutaneous mastocytosis"
    assert graph.spelling("abcdef") == graph.spelling("ABCDE") == []


# --- words that name nothing


def test_unlinked_words_name_nothing_when_they_stand_alone() -> None:
    words = {"lead": ["shows"], "lead poisoning": [], "shows": ["lead"], "umbrella": ["Falls"]}
    graph = Described(words, 0.5, ["lead", "shows", "falls", "umbrella"])
    for phrase in ("lead", "Lead", "LEAD", "shows", "Falls", "umbrella"):
        assert graph.form(phrase) == graph.label(phrase) == []
        assert graph.meaning(phrase) == {}
    assert graph.spelling("umbrella") == []
    assert graph.form("lead poisoning") == [("lead poisoning", "exact", 1.0)]
    # The words alone, as they stand.
    assert graph.form("the lead") == [("lead", "lemma", 1.0), ("shows", "lemma", 1.0)]
    free = Described(words, 0.5)
    assert free.form("lead") == [("lead", "exact", 1.0)]
    assert free.spelling("umbrella") == [("umbrella", "fuzzy", 1.0)]
    found = graph.linker.by_form(["lead", "lead poisoning", "shows"])
    assert list(found) == ["lead poisoning"]


# --- by meaning


def nearest(graph: Described, phrase: str) -> tuple[float, set[str]]:
    """The highest cosine of a phrase to a name, and the names that have it."""
    names = graph.linker._names.names.to_pylist()
    best = max(cosine(phrase, name) for name in names)
    return best, {name for name in names if cosine(phrase, name) == best}


PHRASES = [f"phrase {number}" for number in range(600)]


@pytest.mark.parametrize("threshold", [0.25, 0.3125, 0.40625])
def test_the_name_nearest_in_meaning_if_it_is_near_enough(threshold: float) -> None:
    """More phrases than one block; the threshold itself is near enough."""
    graph = Described(MEDICINE, threshold)
    owners: dict[str, set[str]] = {"~": {"~"}}
    for label, names in MEDICINE.items():
        for name in (label, *names):
            if name == label or not name.isupper():
                owners.setdefault(normal_form(name), set()).add(label)
    found = graph.meaning(*PHRASES)
    near = {phrase: nearest(graph, phrase) for phrase in PHRASES}
    assert list(found) == [phrase for phrase in PHRASES if near[phrase][0] >= threshold]
    assert 0 < len(found) < len(PHRASES)
    assert any(near[phrase][0] == threshold for phrase in found)
    assert any(nearest(graph, phrase)[0] == threshold - 1 / 32 for phrase in PHRASES)
    for phrase, links in found.items():
        score, names = near[phrase]
        assert {(method, value) for _, method, value in links} == {("embedding", score)}
        assert {label for label, *_ in links} in [owners[name] for name in names]


def test_a_name_itself_is_nearest_in_meaning_by_its_normal_form() -> None:
    graph = Described(MEDICINE, 1.0)
    assert graph.meaning("vitamin c deficiency", "gout", "phrase") == {
        "vitamin c deficiency": [("scurvy", "embedding", 1.0)],
        "gout": [("gout", "embedding", 1.0)],
    }
    # An abbreviation has no meaning that its letters tell.
    assert graph.meaning("CM") == {}
    assert graph.meaning() == {}


def test_without_a_threshold_or_names_nothing_is_encoded() -> None:
    encoder = SignEncoder()
    assert Described(MEDICINE).linker.by_meaning(["gout"], encoder) == {}
    empty = Linker(alias_rows(node_rows("kg", triple_table([]))), np.empty(0, dtype=np.int32), 0.1)
    assert empty.by_meaning(["gout"], encoder) == {}
    assert Described(MEDICINE, 0.1).linker.by_meaning([], encoder) == {}
    assert encoder.asked == []


def test_keywords_are_linked_by_spelling_else_by_meaning() -> None:
    """Each of the three most telling, and only where nothing is linked by form."""
    threshold = 0.28125
    graph = Described(MEDICINE, threshold)
    alike = next(
        phrase
        for phrase in (f"word{number}" for number in range(10_000))
        if nearest(graph, phrase)[0] >= threshold and not graph.spelling(phrase)
    )
    score, _ = nearest(graph, alike)
    text = f"scurvyy, gout, {alike}"
    for asked, expected in (
        (graph, {("scurvyy", "fuzzy"), ("gout", "exact"), (alike, "embedding")}),
        (Described(MEDICINE), {("scurvyy", "fuzzy"), ("gout", "exact")}),
    ):
        [linked] = link_questions(questions_of((text, [])), asked.linker, SignEncoder())
        found = [(concept.phrase.text, concept.link) for concept in linked.concepts[-1]]
        assert {(phrase, link.method) for phrase, link in found} == expected
        assert {link.score for _, link in found if link.method == "embedding"} <= {score}


def test_what_is_alike_in_spelling_is_not_looked_up_by_meaning() -> None:
    graph = Described({"scurvy": [], "gout": []}, 0.03125)
    encoder = SignEncoder()
    link_questions(questions_of(("scurvyy", ["scurvvy"])), graph.linker, encoder)
    # Names are encoded where a phrase is looked up by its meaning.
    assert "scurvy" not in encoder.asked
    link_questions(questions_of(("xyzzy", [])), graph.linker, encoder)
    assert {"scurvy", "gout", "~"} <= set(encoder.asked)
