"""Phrases that could name a concept."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.text.function_words import function_words
from evidence_assets.text.phrases import LONGEST_NAME, LONGEST_PHRASE, Phrase, Spans, phrases
from evidence_assets.text.words import words

VOCABULARY = ["dog", "ice", "cream", "the", "of", "Is", "printed", "works", "7", "été"]
BETWEEN = [" ", "  ", "-", "_", "'", "’", "\n", ", ", ".", " - ", "/", "? "]


def texts_of(text: str) -> list[str]:
    return [phrase.text for phrase in phrases(text) if phrase.plain]


def test_function_words_are_single_words_without_content() -> None:
    listed = function_words()
    assert {"the", "of", "is", "which", "don", "ll", "yourselves"} <= listed
    assert listed.isdisjoint({"dog", "find", "water", "time", "people", "work"})
    assert all(words(word) == [word] for word in listed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("printed works", ["printed works", "printed", "works"]),
        ("Where is the big dog?", ["big dog", "big", "dog"]),
        ("rock of the ages", ["rock of the ages", "rock", "ages"]),
        ("ice, cream", ["ice", "cream"]),
        ("ice-cream_cone", ["ice-cream_cone", "ice-cream", "ice", "cream_cone", "cream", "cone"]),
        ("dog's dinner", ["dog's dinner", "dog", "dinner"]),
        ("ice / cream", ["ice", "cream"]),
        ("ice\ncream", ["ice\ncream", "ice", "cream"]),
        # A function word at an end is let stand where the phrase is all there is.
        ("the", ["the"]),
        ("the dog", ["the dog", "dog"]),
        ("going to be it!", ["going to be it", "going"]),
        ("what is it about then", []),
        ("a. the", []),
        ("", []),
        ("???", []),
        ("👍 🎉", []),
    ],
)
def test_a_text_has_its_phrases(text: str, expected: list[str]) -> None:
    assert texts_of(text) == expected


def test_at_most_four_words() -> None:
    assert texts_of("red hot ice cream cones") == [
        *("red hot ice cream", "red hot ice", "red hot", "red"),
        *("hot ice cream cones", "hot ice cream", "hot ice", "hot"),
        *("ice cream cones", "ice cream", "ice", "cream cones", "cream", "cones"),
    ]


@pytest.mark.parametrize(
    "name",
    [
        "The Girl with the Red Hat and Pearls",
        "St. Mary's Hospital",
        "Romeo & Juliet",
        "3:10 to Yuma",
        "Smith, Jones and Partners",
        "The Return: Part One",
    ],
)
def test_longer_runs_and_those_with_punctuation_within_may_be_names(name: str) -> None:
    text = f"Who wrote of {name}?"
    runs = [run for run in phrases(text) if run.text == name]
    assert runs == [Phrase(name, 13, 13 + len(name), plain=False)]


def test_no_sentence_ends_within_a_name() -> None:
    text = "Was it Up? Dune! Heat. Dr. No"
    assert [run.text for run in phrases(text) if not run.plain and "Dune" in run.text] == []
    assert {run.text for run in phrases(text) if "No" in run.text} == {"Dr. No"}


def test_the_end_of_a_long_text_is_kept() -> None:
    """A case history ends with what is asked."""
    text_phrases = phrases(" ".join(f"word{number}" for number in range(5000)))
    assert text_phrases[-1].text == "word4999"
    assert len(text_phrases) == LONGEST_NAME * 5000 - sum(range(LONGEST_NAME))
    assert phrases("the " * 5000) == []


@given(
    st.lists(st.tuples(st.sampled_from(VOCABULARY), st.sampled_from(BETWEEN)), max_size=9),
    st.sampled_from(["", " ", "¿"]),
)
def test_phrases_are_all_runs_between_words_of_meaning(pieces: list[tuple[str, str]], before: str) -> None:
    text = before + "".join(word + sign for word, sign in pieces)
    expected = set()
    for first in range(len(pieces)):
        for last in range(first, min(first + 4, len(pieces))):
            inner = [sign for _, sign in pieces[first:last]]
            ends = {pieces[first][0].lower(), pieces[last][0].lower()}
            is_whole = (first, last) == (0, len(pieces) - 1)
            if all(re.fullmatch(r"[\s_’'-]+", sign) for sign in inner) and (
                is_whole or ends.isdisjoint({"the", "of", "is"})
            ):
                start = len(before) + sum(len(word + sign) for word, sign in pieces[:first])
                run = "".join(word + sign for word, sign in pieces[first:last]) + pieces[last][0]
                expected.add((run, start, start + len(run)))
    runs = [(phrase.text, phrase.start, phrase.end) for phrase in phrases(text) if phrase.plain]
    assert len(runs) == len(set(runs))
    assert set(runs) == expected
    assert runs == sorted(runs, key=lambda phrase: (phrase[1], -phrase[2]))


def test_phrases_with_function_words_at_their_ends_are_not_plain() -> None:
    short = [
        phrase for phrase in phrases("He had to go to work") if len(phrase.text.split()) <= LONGEST_PHRASE
    ]
    plain = {phrase.text: phrase.plain for phrase in short}
    assert plain == {"to go to work": False, "go to work": False, "to work": False, "work": True}


@given(st.text())
def test_places_are_those_of_the_text(text: str) -> None:
    for phrase in phrases(text):
        assert text[phrase.start : phrase.end] == phrase.text
        assert 1 <= len(words(phrase.text)) <= (LONGEST_PHRASE if phrase.plain else LONGEST_NAME)


def test_a_phrase_contains_its_parts_and_overlaps_what_shares_a_word() -> None:
    ice_cream, ice, cream, cream_cone = (
        Phrase("ice cream", 0, 9),
        Phrase("ice", 0, 3),
        Phrase("cream", 4, 9),
        Phrase("cream cone", 4, 14),
    )
    assert Spans([ice_cream]).surpass(ice)
    assert Spans([ice_cream]).surpass(cream)
    assert not Spans([ice_cream]).surpass(ice_cream)
    assert not Spans([ice]).surpass(ice_cream)
    assert not Spans([ice_cream]).surpass(cream_cone)
    assert ice_cream.overlaps(cream_cone)
    assert cream_cone.overlaps(ice_cream)
    assert ice_cream.overlaps(ice_cream)
    assert not ice.overlaps(cream)
    assert not Phrase("ab", 0, 2).overlaps(Phrase("c", 2, 3))
    assert not Phrase("c", 2, 3).overlaps(Phrase("ab", 0, 2))


some_phrases = st.builds(
    lambda start, length: Phrase("x" * length, start, start + length), st.integers(0, 12), st.integers(1, 6)
)


@given(st.lists(some_phrases), some_phrases)
def test_of_many_phrases_the_same_is_told_as_of_each(many: list[Phrase], phrase: Phrase) -> None:
    assert Spans(many).overlap(phrase) == any(map(phrase.overlaps, many))
    assert Spans(many).surpass(phrase) == any(
        other.start <= phrase.start and phrase.end <= other.end and other != phrase for other in many
    )


def test_a_capital_within_a_sentence_may_be_a_name() -> None:
    texts = [phrase.text for phrase in phrases("Does Ann know Go or The Who? I go. May I ask?")]
    assert {"Go", "The Who"} <= set(texts)
    assert {"May", "I", "go", "or"}.isdisjoint(texts)
    assert not [phrase for phrase in phrases("Who knows Go") if phrase.text == "Go" and phrase.plain]
    assert {"A", "NOT"}.isdisjoint(phrase.text for phrase in phrases("vitamin A is NOT one"))
