"""The concepts of questions and options: which phrases are linked, and how many."""

from __future__ import annotations

import pytest
from rapidfuzz import fuzz

from evidence_assets.retrieval.question_triples.question_linking import link_questions
from evidence_assets.text.queries import NO_OPTION
from evidence_assets_tests.testing.graph_samples import (
    Row,
    SignEncoder,
    cosine,
    linker_of,
    number_of,
    questions_of,
)
from evidence_assets_tests.testing.ranked_triple_samples import ROWS, RankedQuestions, check_is_brute_force


def test_concepts_of_a_question() -> None:
    ranking = RankedQuestions(
        [*ROWS, ("umbrella", "IsA", "thing", 1.0)], ("Which dog's coat?", ["umbrela", "no"])
    )
    names = ("candidate", "phrase", "char_start", "char_end", "label", "method", "triples", "dropped")
    assert {tuple(row[name] for name in names) for row in ranking.concepts} == {
        (-1, "dog", 6, 9, "dog", "exact", 4, 0),
        (-1, "coat", 12, 16, "coat", "exact", 1, 0),
        (0, "umbrela", 0, 7, "umbrella", "fuzzy", 1, 0),
    }
    for row in ranking.concepts:
        text = "Which dog's coat?" if row["candidate"] == -1 else "umbrela"
        assert (row["benchmark"], row["question_id"], row["kg"]) == ("b", "q0", "kg")
        assert row["node"] == number_of(ranking.graph, row["label"])
        assert row["relevance"] == cosine(row["phrase"], text)
        score = fuzz.ratio("umbrela", "umbrella") / 100 if row["method"] == "fuzzy" else 1.0
        assert row["score"] == pytest.approx(score)
    check_is_brute_force(ranking)


def test_names_are_as_long_as_the_graph_has_them_and_have_punctuation_within() -> None:
    names = ["The Girl with the Red Hat and Pearls", "St. Mary's Hospital", "Romeo & Juliet", "Dr. No"]
    rows: list[Row] = [(name, "IsA", "name", 1.0) for name in names]
    ranking = RankedQuestions(
        [*rows, ("girl", "IsA", "child", 1.0)], (f"Is it {names[0]} or {names[2]}?", names)
    )
    assert ranking.labels(0, NO_OPTION) == {names[0], names[2]}
    assert [ranking.labels(0, candidate) for candidate in range(4)] == [{name} for name in names]


def test_what_is_no_word_has_no_concept() -> None:
    ranking = RankedQuestions(ROWS, ("Which dog?", ["???", "👍", "", "pet"]))
    assert {row["candidate"] for row in ranking.concepts} == {-1, 3}
    assert {ranking.labels(0, candidate) == set() for candidate in (0, 1, 2)} == {True}
    # Only the question's concepts are left to such an option.
    assert {row["touches"] for candidate in (0, 1, 2) for row in ranking.of(0, candidate)} == {"question"}


def test_a_long_option_is_read_to_its_end() -> None:
    text = " ".join(["fur"] + ["pebble"] * 999 + ["pet"])
    ranking = RankedQuestions(ROWS, ("Which dog?", [text]))
    assert ranking.labels(0, 0) == {"fur", "pet"}
    assert ranking.linked[0].query(0) == f"Which dog? {text}"
    check_is_brute_force(ranking)


def test_ten_phrases_of_a_question_and_six_of_an_option() -> None:
    names = [f"{letter * 3}" for letter in "bcdfghjklmnp"]
    rows: list[Row] = [(name, "IsA", "letters", 1.0) for name in names]
    text = ", ".join(names)
    ranking = RankedQuestions(rows, (text, [text]))
    best = sorted(names, key=lambda name: (-cosine(name, text), names.index(name)))
    assert [row["phrase"] for row in ranking.concepts if row["candidate"] == NO_OPTION] == best[:10]
    assert [row["phrase"] for row in ranking.concepts if row["candidate"] == 0] == best[:6]
    assert ranking.labels(0, 0) == set(best[:6])


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
    ranking = RankedQuestions(rows, (text, [text]))
    best = sorted(spelt, key=lambda name: -cosine(name, text))[:3]
    for candidate in (-1, 0):
        spellings = [
            (row["phrase"], row["label"]) for row in ranking.concepts if row["candidate"] == candidate
        ]
        assert spellings == [(name, spelt[name]) for name in best]


def test_texts_are_encoded_once() -> None:
    encoder = SignEncoder()
    questions = questions_of(("dog", ["pet", "dog", "pet dog"]), ("dog", ["pet"]))
    link_questions(questions, linker_of(ROWS), encoder)
    assert sorted(encoder.texts) == sorted(set(encoder.texts)) == ["dog", "pet", "pet dog"]
