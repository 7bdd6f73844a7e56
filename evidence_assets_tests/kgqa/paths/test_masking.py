"""Topics hidden behind their types, conditions of several topics told apart, what a question asks for."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.answer_types import asked_type
from evidence_assets.kgqa.paths.masking import masked
from evidence_assets.text.roots import root
from evidence_assets.text.words import words
from evidence_assets_tests.testing.parsing_samples import linked_question, museum_schema

VOCABULARY = Vocabulary(museum_schema())


@pytest.mark.parametrize(
    ("text", "name", "type_", "expected"),
    [
        ("Who painted Blue Harbour?", "Blue Harbour", "work", "Who painted that painting?"),
        ("Who made the picture Blue Harbour?", "Blue Harbour", "work", "Who made that painting?"),
        ("Kornhaus owns what?", "Kornhaus", "museum", "that museum owns what?"),
        ("Which works are by the painter Mira Quist", "Mira Quist", "artist", None),
    ],
)
def test_a_name_becomes_its_type(text: str, name: str, type_: str, expected: str | None) -> None:
    question = masked(linked_question(text, name), 0, [type_], VOCABULARY)
    # "painter" says how they are related: it stays.
    assert question.text == (expected or "Which works are by the painter that artist")
    assert question.words[question.topic] == VOCABULARY.noun(type_)
    assert {question.words[place] for place in question.hidden} == {"that", VOCABULARY.noun(type_)}


def test_names_stay_where_they_are_not_hidden() -> None:
    question = masked(
        linked_question("Who painted Blue Harbour?", "Blue Harbour"), 0, ["work"], VOCABULARY, hide=False
    )
    assert question.text == "Who painted Blue Harbour?"
    assert question.words[question.topic] == "harbour"


def test_each_topic_keeps_its_own_condition() -> None:
    question = linked_question("Which works hang in Kornhaus and date from Tonalism?", "Kornhaus", "Tonalism")
    types = ["museum", "movement"]
    assert masked(question, 0, types, VOCABULARY).text == "Which works hang in that museum"
    second = masked(question, 1, types, VOCABULARY)
    assert second.text == "Which works date from that movement?"
    assert second.words[second.topic] == "movement"
    assert second.answer_type.types == ("work",)


def test_a_name_that_the_text_lacks_stands_at_its_end() -> None:
    text = "Who painted it?"
    question = LinkedQuestion("q", text, (Topic("Blue Harbour", len(text), len(text), (1,)),))
    assert masked(question, 0, ["work"], VOCABULARY).text == "Who painted it? that painting"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("who owns it", ("artist",)),
        ("in which town does it stand", ("city",)),
        ("what are the styles of it", ("movement",)),
        ("what work year is it from", ("year",)),
        ("which works date from it", ("work",)),
        ("what did it teach", ()),
        ("whose pictures hang there", ("artist",)),
        ("what goes into the painting", ()),
        ("what is the artist known for", ()),
        ("what is the style of the artist", ("movement",)),
        ("name a painting of it", ("work",)),
        ("name the gallery that the painter works for", ("museum",)),
        ("the gallery of the painter", ("artist",)),
        ("tell me more", ()),
        ("", ()),
    ],
)
def test_what_is_asked_for(text: str, expected: tuple[str, ...]) -> None:
    assert asked_type(words(text), frozenset(), VOCABULARY).types == expected


def test_what_stands_for_a_topic_asks_for_nothing() -> None:
    assert asked_type(["name", "that", "museum"], frozenset({1, 2}), VOCABULARY).types == ()


def test_rare_words_weigh_more() -> None:
    weights = VOCABULARY.weights
    assert weights[root("taught")] > weights[root("work")]
    assert VOCABULARY.types_named("Galleries") == ("museum",)
    assert VOCABULARY.noun("unheard_of") == "unheard of"
