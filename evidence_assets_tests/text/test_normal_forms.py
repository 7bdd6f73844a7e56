"""What two spellings of one concept share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.text.normal_forms import lemma_form, normal_form
from evidence_assets.text.words import words


@pytest.mark.parametrize(
    ("label", "form"),
    [
        ("window", "window"),
        ("Your  House ", "your house"),
        ("ice_cream", "ice cream"),
        ("Yo-Yo's", "yo yo s"),
        ("  rock'n'roll!", "rock n roll"),
        ("3.5 mm", "3 5 mm"),
        ("ÉTÉ", "été"),
        ("a window", "a window"),
        ("the", "the"),
        ("???", "???"),
        (" :-D ", "d"),
        (" !? ", "!?"),
        ("👍", "👍"),
        ("Ⓐ", "ⓐ"),
        ("__", "__"),
        ("", ""),
        (" \t", ""),
    ],
)
def test_a_label_has_its_normal_form(label: str, form: str) -> None:
    assert normal_form(label) == form


@pytest.mark.parametrize(
    "labels",
    [
        ("window", "a window", "windows", "The Windows", "your window", "the  window"),
        ("eat", "to eat", "eats", "ate", "someone eats"),
        ("mouse", "mice", "some mice", "any mouse"),
        ("ice cream", "ice_creams", "Ice-Cream", "an ice cream"),
        ("run shoe", "running shoes", "his running shoe"),
        ("child", "children", "their children"),
    ],
)
def test_one_concept_has_one_lemma_form(labels: tuple[str, ...]) -> None:
    assert {lemma_form(label) for label in labels} == {labels[0]}


@pytest.mark.parametrize(
    ("label", "form"),
    [
        ("the end of the road", "end of the road"),
        ("window a", "window a"),
        ("go to the window", "go to the window"),
        ("theatre", "theatre"),
    ],
)
def test_only_leading_words_are_dropped(label: str, form: str) -> None:
    assert lemma_form(label) == form


def test_a_possessive_ending_is_dropped_and_a_letter_stays() -> None:
    assert lemma_form("Apert's syndrome") == lemma_form("Apert\u2019s syndrome") == "apert syndrome"
    assert lemma_form("protein S deficiency") == "protein s deficiency"
    assert lemma_form("X's") == "x s", "a letter owns nothing"


@pytest.mark.parametrize("label", ["the", "a", "to the", "someone", "One", "???", "👍", "", "  ", "__"])
def test_nothing_but_articles_or_signs_has_no_lemma_form(label: str) -> None:
    assert lemma_form(label) == ""


@given(text=st.text(), article=st.sampled_from(["a", "The", "to", "SOME"]))
def test_forms_of_any_text(text: str, article: str) -> None:
    form = normal_form(text)
    assert form.split() == (words(text) or text.lower().split())
    assert normal_form(f" {text}\n") == form
    lemmas = lemma_form(text)
    assert lemma_form(f"{article} {text}") == lemmas
    assert len(lemmas.split(" ")) <= max(1, len(words(text)))
    assert not lemmas or words(text)
    if text.isascii():
        assert normal_form(form) == form
        assert lemma_form(text.upper()) == lemmas
