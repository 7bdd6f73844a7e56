"""Who does what to whom, where things of one kind stand at both ends of a relation."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.understanding.who_does_what import Phrase, Voice, voices
from evidence_assets_tests.testing.potter_questions import asked_of_potters

with_and_without_schema = pytest.mark.parametrize("authored", [True, False])


def said(text: str, *names: str) -> tuple[Voice, ...]:
    topics = [Topic(name, text.index(name), text.index(name) + len(name), (0,)) for name in names]
    return voices(LinkedQuestion("q", text, tuple(topics)))


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Whose apprentice was Ruth Cassel?", ["Ida Moss"]),
        ("Whose apprentice was Gwen Tallis?", ["Otis Fenwick"]),
        ("Who was Ruth Cassel's apprentice?", ["Nell Bramble"]),
        ("Who were Otis Fenwick's apprentices?", ["Gwen Tallis", "Paul Stark"]),
        ("Who was Ruth Cassel an apprentice of?", ["Ida Moss"]),
        ("Who apprenticed under Ruth Cassel?", ["Nell Bramble"]),
        ("Who was the apprentice of the founder of Blue Kiln?", ["Nell Bramble"]),
        ("Who mentored Gwen Tallis?", ["Ida Moss"]),
        ("Whose mentor was Ida Moss?", ["Gwen Tallis"]),
    ],
)
def test_nouns_and_prepositions_tell_which_of_two_potters_it_is(
    text: str, expected: list[str], authored: bool
) -> None:
    assert asked_of_potters(text, authored) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Under whom did Gwen Tallis train?", ["Otis Fenwick"]),
        ("Who did Ruth Cassel learn her trade from?", ["Ida Moss"]),
        ("Who trained the founder of Blue Kiln?", ["Ida Moss"]),
        ("Who was trained by the founder of Fire Yard?", ["Gwen Tallis", "Paul Stark"]),
        ("Who did the founder of Blue Kiln train?", ["Nell Bramble"]),
        ("Who did the founder of Blue Kiln learn from?", ["Ida Moss"]),
    ],
)
def test_a_verb_is_said_of_a_phrase_with_a_name_in_it_as_of_a_name(text: str, expected: list[str]) -> None:
    assert asked_of_potters(text, authored=True) == expected


@pytest.mark.parametrize(
    ("text", "voice"),
    [
        ("who trained Ada", Voice("train", Phrase("Ada"), agent=False)),
        ("who did Ada train", Voice("train", Phrase("Ada"), agent=True)),
        ("under whom did Ada train", Voice("train", Phrase("Ada"), agent=False)),
        ("who trained under Ada", Voice("train", Phrase("Ada"), agent=True)),
        ("who did Ada train under", Voice("train", Phrase("Ada"), agent=False)),
        ("was Ada later trained by Eve", Voice("train", Phrase("Ada"), agent=False)),
        (
            "did the founder of the firm behind Ada train Eve",
            Voice("train", Phrase("Ada", longer=True), agent=True),
        ),
        ("who learned the trade from Ada", Voice("do learn from", Phrase("Ada"), agent=False)),
        ("who did Ada learn her trade from", Voice("do learn from", Phrase("Ada"), agent=True)),
        ("whose pupil was Ada", Voice("the pupil", Phrase("Ada"), agent=True)),
        ("who is Ada's pupil", Voice("the pupil", Phrase("Ada"), agent=False)),
        ("who was Ada a pupil of", Voice("the pupil", Phrase("Ada"), agent=True)),
        ("who are the employees of Ada", Voice("employ", Phrase("Ada"), agent=True)),
        ("who is Ada's employer", Voice("employ", Phrase("Ada"), agent=False)),
        ("who trained the founder of Ada", Voice("train", Phrase("Ada", longer=True), agent=False)),
        ("who did the founder of Ada train", Voice("train", Phrase("Ada", longer=True), agent=True)),
        ("who was trained by Ada's founder", Voice("train", Phrase("Ada", longer=True), agent=True)),
        ("who is Ada's founder's pupil", Voice("the pupil", Phrase("Ada", longer=True), agent=False)),
    ],
)
def test_the_order_of_words_tells_who_does_it(text: str, voice: Voice) -> None:
    assert voice in said(text, "Ada")


@pytest.mark.parametrize("text", ["who trained the most pupils of Ada", "who trained the brother and Ada"])
def test_what_is_counted_or_listed_is_not_what_a_verb_is_said_of(text: str) -> None:
    assert Voice("train", Phrase("Ada", longer=True), agent=False) not in said(text, "Ada")


def test_a_verb_in_a_clause_of_a_name_says_nothing_of_what_is_asked() -> None:
    """Of `the team that Rovers defeated` Rovers are no coach."""
    of_rovers = said("who is the coach of the team that Rovers defeated", "Rovers")
    agents = {voice.agent for voice in of_rovers if voice.verb == "the coach"}
    assert agents == {False}


@pytest.mark.parametrize(
    ("text", "verb"), [("who served under Ada", "serv"), ("who was Ada looked after by", "look after")]
)
def test_who_serves_under_somebody_serves_them(text: str, verb: str) -> None:
    assert not [voice for voice in said(text, "Ada") if voice.verb == verb]


def test_a_verb_with_an_object_and_a_preposition_is_said_of_both_names() -> None:
    of_both = said("did Eve learn the trade from Ada", "Eve", "Ada")
    assert Voice("do learn from", Phrase("Ada"), agent=False) in of_both
