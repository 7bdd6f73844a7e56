"""Words read as those of relations that are used as they are, by the packaged encoder."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.graph.schema import Schema, load_schema
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.masking import masked
from evidence_assets.kgqa.slots.near_words import NEAR, NearWords
from evidence_assets.text.opposites import are_contraries, are_opposites
from evidence_assets_tests.testing.parsing_samples import encoder, linked_question, museum_schema

CAVES = """
types:
  cave: [cave]
  person: [person, who]
  club: [club]
  year: [year, when]
relations:
  discovered_by:
    head: cave
    tail: person
    sentences: ["{head} was discovered by {tail}", "{tail} is the discoverer of {head}"]
  club_founded:
    head: club
    tail: year
    sentences: ["{head} was founded in {tail}"]
  member_of:
    head: person
    tail: club
    sentences: ["{head} is a member of {tail}", "{head} belongs to {tail}"]
  trained_by:
    head: person
    tail: person
    sentences: ["{head} was trained by {tail}"]
  sold_to:
    head: cave
    tail: club
    sentences: ["{head} was sold to {tail}"]
"""


def caves() -> Schema:
    return load_schema(CAVES, "caves.yaml")


def near(*words: str, hidden: tuple[int, ...] = ()) -> dict[str, str]:
    [encoded] = encoder().encode_words([" ".join(words)])
    read = NearWords(Vocabulary(caves()), encoder()).of(words, encoded, hidden)
    assert all(other.cosine >= NEAR for _, other in read)
    return {word: other.word for word, other in read}


def test_a_word_is_read_as_the_one_that_is_used_as_it_is() -> None:
    assert near("who", "found", "that", "cave") == {"found": "discovered"}
    assert near("the", "finder", "of", "that", "cave") == {"finder": "discoverer"}


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("who", "discovered", "that", "cave"), id="a relation has it"),
        pytest.param(("who", "drew", "that", "cave"), id="none is used so"),
        pytest.param(("who", "got", "that", "cave"), id="a verb that says little"),
        pytest.param(("which", "club", "bought", "that", "cave"), id="an opposite"),
        pytest.param(("who", "coached", "that", "person"), id="between persons it tells who of whom too"),
        pytest.param(("which", "nonmember", "visited", "that", "cave"), id="made of a relation's word"),
    ],
)
def test_a_word_is_left_as_it_is(words: tuple[str, ...]) -> None:
    assert near(*words) == {}


def test_words_of_names_are_read_as_nothing() -> None:
    assert near("who", "found", "that", "cave", hidden=(1,)) == {}


def test_a_masked_question_is_read_with_other_words_at_their_places() -> None:
    question = masked(
        linked_question("Who made Blue Harbour?", "Blue Harbour"), 0, ["work"], Vocabulary(museum_schema())
    )
    [encoded] = encoder().encode_words(["who found that cave"])
    read = question.reading(NearWords(Vocabulary(caves()), encoder()).of(encoded.words, encoded))
    assert read.words == question.words, "it has no such word"
    assert [(word, other.word) for word, other in read.near] == [("found", "discovered")]


@pytest.mark.parametrize(
    ("word", "other", "opposite"),
    [
        ("sold", "bought", True),
        ("buyer", "seller", True),
        ("taught", "learned", True),
        ("child", "mother", True),
        ("found", "discovered", False),
        ("built", "maker", False),
    ],
)
def test_opposites_are_told_both_ways_round(word: str, other: str, opposite: bool) -> None:
    assert are_opposites(word, other) is opposite
    assert are_opposites(other, word) is opposite


def test_who_is_taught_learns_and_who_left_did_not_join() -> None:
    assert are_contraries("left", "joined")
    assert not are_contraries("taught", "learned")
