"""Which of a question's words sentences say, near it, elsewhere or by a pronoun."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evidence_assets.reading.sentences.said_words import (
    SaidWords,
    asks,
    is_heading,
    questions_before,
    said_words,
)
from evidence_assets.text.roots import content_roots
from evidence_assets_tests.testing.reading_cases import bag_of_word_vectors


def said(question: str, *texts: str, passages: Sequence[str] = ()) -> list[SaidWords]:
    """The question's words in sentences, of one passage unless they are named."""
    asking, *encoded = bag_of_word_vectors([question, *texts])
    roots = [content_roots(text) for text in texts]
    return said_words(asking, encoded, texts, roots, passages or ["one"] * len(texts))


def test_weights_are_shares_and_rare_words_weigh_more() -> None:
    [first, *_] = said("Does the pump need grease?", "The pump runs.", "A pump stops.", "Grease it.")
    pump, need, grease = first.weights
    assert first.weights.sum() == pytest.approx(1.0)
    assert pump < grease < need, "no sentence says that anything is needed"


def test_what_only_another_sentence_says_is_said_elsewhere() -> None:
    rye, walnut = said("How long is walnut bread baked?", "Rye bread is baked long.", "Walnut bread is sold.")
    assert rye.measures()["said elsewhere"] > 0
    assert walnut.measures()["said elsewhere"] > 0, "that it is baked"
    [alone] = said("How long is walnut bread baked?", "Rye bread is baked long.")
    assert alone.measures()["said elsewhere"] == 0


@pytest.mark.parametrize(
    ("opening", "is_meant"),
    [
        ("It", True),
        ("The latter", True),
        ("She", True),
        ("The place", False),
        ("There is one, and it", False),
    ],
)
def test_a_pronoun_that_opens_a_sentence_means_what_stands_before_it(opening: str, is_meant: bool) -> None:
    before, then = said(
        "How many seats has the planetarium?", "The planetarium is new.", f"{opening} has 38 seats."
    )
    assert before.said.tolist() == [False, True]
    assert then.said.tolist() == [True, is_meant]
    assert then.nearness.max() == 1.0
    assert (then.nearness.tolist() == [1.0, 0.9]) == is_meant
    assert then.elsewhere.tolist() == [False, not is_meant]


def test_a_pronoun_means_nothing_of_another_passage_nor_of_a_sentence_further_before() -> None:
    question, texts = "How many seats has the planetarium?", ("The planetarium is new.", "It has 38 seats.")
    assert not said(question, *texts, passages=["one", "two"])[1].said[1]
    assert not said(question, texts[0], "It rains.", texts[1])[2].said[1]


def test_what_it_says_in_its_words_is_no_more_than_what_it_nearly_says() -> None:
    [row] = said("Which bacteria live in white clover?", "Bacteria live in clover.")
    assert 0 < row.measures()["in its words"] <= row.measures()["said"] < 1


def test_a_question_of_function_words_has_no_words_to_say() -> None:
    [row] = said("Is it?", "It is.")
    assert set(row.measures().values()) == {0.0}
    assert said("Is it?") == []


def test_what_stands_behind_a_question_answers_it() -> None:
    texts = ["Can I share my plot?", "Yes.", "A friend can join.", "Paths are cut."]
    assert questions_before(texts, ["faq"] * 4) == [None, 0, 0, None]
    assert questions_before(texts, ["faq", "faq", "rules", "rules"]) == [None, 0, None, None]
    assert questions_before(["Is it open?", "## Prices", "Two pounds."], ["faq"] * 3) == [None, None, None]
    _, then, _, last = said("May I share my plot with somebody?", *texts)
    assert then.said.any() and not last.said.any()


@pytest.mark.parametrize(
    ("text", "is_question"),
    [
        ("Q: Is there a toilet?", True),
        ("## **Is there a toilet?**", True),
        ("“Is there one?”", True),
        ("He asked: is there one? Nobody knew.", False),
        ("It is open.", False),
        ('The film is called "Who Framed Roger Rabbit?"', False),
    ],
)
def test_a_question_ends_in_its_mark(text: str, is_question: bool) -> None:
    assert asks(text) == is_question


def test_a_heading_of_markdown_begins_with_its_signs() -> None:
    assert is_heading("## Gates and hours") and is_heading("# One")
    for text in ("#1 is the oldest plot.", "# 1 hit: Help", "# of visitors in 2020: 500"):
        assert not is_heading(text)


def test_to_find_says_no_more_than_where() -> None:
    [where] = said("Where can I find the defibrillator?", "A defibrillator hangs there.")
    [who] = said("Who will find the defibrillator?", "A defibrillator hangs there.")
    assert where.measures()["in its words"] == 1.0 > who.measures()["in its words"]
