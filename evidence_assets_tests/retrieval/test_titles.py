"""Titles named in texts: what counts as a name, and what of a question a titled text shares."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from evidence_assets.retrieval.titles import Titles, name_of, shared_words, vocabulary_of
from evidence_assets.text.term_statistics import TermStatistics, count_terms, from_table
from evidence_assets.text.words import words

FILLER = [f"the end of it was {number}" for number in range(2000)]


def statistics(*texts: str) -> TermStatistics:
    return from_table(count_terms([*texts, *FILLER], "k"))


def titles(*titled: tuple[str, str], texts: tuple[str, ...] = ()) -> Titles:
    held = [title for _, title in titled]
    return Titles(titled, vocabulary_of([*texts, *held]), statistics(*held))


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Ed Wood (film)", ("ed", "wood")),
        ("Ed Wood (film) (1994)", ("ed", "wood", "film")),
        ("M*A*S*H", ("m", "a", "s", "h")),
        ("(film)", ()),
        ("1984", ("1984",)),
    ],
)
def test_a_name_is_a_title_without_its_qualifier(title: str, name: tuple[str, ...]) -> None:
    assert name_of(title) == name


def test_names_stand_in_texts_the_longest_first_and_each_once() -> None:
    names = titles(
        ("a1", "Scott Derrickson"), ("a2", "Derrickson"), ("a3", "Ed Wood (film)"), ("a4", "Ed Wood")
    )
    text = "Scott Derrickson met Ed Wood; derrickson, ED WOOD."
    assert names.named_in(text) == [("scott", "derrickson"), ("ed", "wood"), ("derrickson",)]
    assert names.articles(("ed", "wood")) == ["a3", "a4"], "namesakes all"
    assert names.articles(("nobody",)) == ()
    assert names.of("a3") == ("ed", "wood")
    assert names.of("unknown") == ()
    assert names.named_in("") == []


def test_frequent_words_and_words_that_no_text_holds_are_no_names() -> None:
    names = titles(("a1", "It"), ("a2", "The End"), ("a3", "Zyzzyva"))
    assert names.named_in("it was the end of the zyzzyva") == [("zyzzyva",)]
    unseen = Titles([("a1", "Quagga Day")], vocabulary_of(["a quagga"]), statistics("quagga day"))
    assert unseen.named_in("quagga day") == []


def test_shared_words_are_a_share_of_the_questions_weight() -> None:
    term_statistics = statistics("quagga zebra", "zebra")
    question_words = ["quagga", "zebra", "unheard"]
    weighted = list(zip(question_words, term_statistics.idf(question_words).tolist(), strict=True))
    for text in ("quagga", "quagga quagga zebra", "the end", "", "zebra " * 200):
        text_words = words(text)
        value = shared_words(
            weighted, Counter(text_words), term_statistics.length_norm(float(len(text_words)))
        )
        assert 0.0 <= value < 1.0
    assert shared_words([("quagga", 5.0)], Counter(["quagga"]), 0.25) == 1 / 1.25
    assert shared_words([("quagga", 3.0), ("zebra", 1.0)], Counter(["quagga"]), 1.0) == 3 / 2 / 4
    assert shared_words([], Counter("a"), 1.0) == 0.0


def test_one_norm_of_length_serves_a_text_and_many() -> None:
    term_statistics = statistics("quagga zebra")
    many = term_statistics.length_norm(np.array([1.0, 5.0]))
    assert many.tolist() == [term_statistics.length_norm(1.0), term_statistics.length_norm(5.0)]
