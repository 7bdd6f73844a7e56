"""Phrases linked by synonyms, abbreviations and meaning; words that name nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from evidence_assets.graphs.concepts.merging import Merger
from evidence_assets.graphs.concepts.nodes import alias_rows, concept_rows, node_rows
from evidence_assets.graphs.names.linking import Link, Linker
from evidence_assets.retrieval.question_triples.question_linking import link_questions
from evidence_assets.sources.records import ConceptRecord
from evidence_assets.text.normal_forms import normal_form
from evidence_assets_tests.testing.approximate_numbers import approximately
from evidence_assets_tests.testing.graph_samples import SignEncoder, cosine, questions_of, triple_table

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

    def named_links(self, links: Sequence[Link]) -> list[tuple[str, str, float]]:
        return [(self.labels[link.node], link.method, link.score) for link in links]

    def form(self, phrase: str) -> list[tuple[str, str, float]]:
        return self.named_links(self.linker.by_form([phrase]).get(phrase, []))

    def label(self, phrase: str) -> list[tuple[str, str, float]]:
        return self.named_links(self.linker.by_label([phrase]).get(phrase, []))

    def spelling(self, phrase: str) -> list[tuple[str, str, float]]:
        return self.named_links(self.linker.by_spelling(phrase))

    def meaning(self, *texts: str) -> dict[str, list[tuple[str, str, float]]]:
        links_of = self.linker.by_meaning(texts, SignEncoder())
        return {phrase: self.named_links(links) for phrase, links in links_of.items()}


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
    for spelling in ("hiv", "Hiv", "HIVs", "H IV"):
        assert graph.form(spelling) == []
    # A label is found whatever its capitals, and goes first.
    described = Described({"AIDS": ["A"], "hearing aids": ["AIDS"]})
    assert described.form("aids") == described.form("AIDS") == [("AIDS", "exact", 1.0)]


def test_misspelt_synonyms_are_found_and_abbreviations_are_not() -> None:
    graph = Described({**MEDICINE, "acquired immunodeficiency": ["ABCDE"]})
    assert graph.spelling("vitamin C deficency") == [("scurvy", "fuzzy", approximately(38 / 39))]
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
    links = graph.linker.by_form(["lead", "lead poisoning", "shows"])
    assert list(links) == ["lead poisoning"]


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
    links_of = graph.meaning(*PHRASES)
    near = {phrase: nearest(graph, phrase) for phrase in PHRASES}
    assert list(links_of) == [phrase for phrase in PHRASES if near[phrase][0] >= threshold]
    assert 0 < len(links_of) < len(PHRASES)
    assert any(near[phrase][0] == threshold for phrase in links_of)
    assert any(nearest(graph, phrase)[0] == threshold - 1 / 32 for phrase in PHRASES)
    for phrase, links in links_of.items():
        score, nearest_names = near[phrase]
        assert {(method, value) for _, method, value in links} == {("embedding", score)}
        assert {label for label, *_ in links} in [owners[name] for name in nearest_names]


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
    assert encoder.texts == []


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
    for described, expected in (
        (graph, {("scurvyy", "fuzzy"), ("gout", "exact"), (alike, "embedding")}),
        (Described(MEDICINE), {("scurvyy", "fuzzy"), ("gout", "exact")}),
    ):
        [linked] = link_questions(questions_of((text, [])), described.linker, SignEncoder())
        linked_phrases = [(concept.phrase.text, concept.link) for concept in linked.concepts[-1]]
        assert {(phrase, link.method) for phrase, link in linked_phrases} == expected
        assert {link.score for _, link in linked_phrases if link.method == "embedding"} <= {score}


def test_what_is_alike_in_spelling_is_not_looked_up_by_meaning() -> None:
    graph = Described({"scurvy": [], "gout": []}, 0.03125)
    encoder = SignEncoder()
    link_questions(questions_of(("scurvyy", ["scurvvy"])), graph.linker, encoder)
    # Names are encoded where a phrase is looked up by its meaning.
    assert "scurvy" not in encoder.texts
    link_questions(questions_of(("xyzzy", [])), graph.linker, encoder)
    assert {"scurvy", "gout", "~"} <= set(encoder.texts)
