"""What sentences say of a question, and what near misses lack of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evidence_assets.reading.sentences.sentence_measures import MEASURES, missing_kind, sentence_measures
from evidence_assets_tests.testing.reading_cases import bag_of_word_vectors


def measures(question: str, *texts: str, passages: Sequence[str] = ()) -> list[dict[str, float]]:
    """Measures of sentences, each of a passage of its own unless they are named."""
    asking, *encoded = bag_of_word_vectors([question, *texts])
    return sentence_measures(question, asking, texts, encoded, passages or texts)


def test_the_question_itself_says_all_of_it_and_lacks_nothing() -> None:
    question = "Which pump of Hartmann serves tank 5?"
    [itself] = measures(question, question)
    assert itself == {
        "nearness": 1.0,
        "said": 1.0,
        "in its words": 1.0,
        "said elsewhere": 0.0,
        "names lacking": 0.0,
        "names unknown": 0.0,
        "numbers lacking": 0.0,
        "rival told": 0.0,
        "other neighbours": 0.0,
    }


def test_of_what_is_said_rare_words_count_more() -> None:
    filler = ["The pump runs.", "A pump stops.", "No pump leaks."]
    rare, common = measures("Does the pump need grease?", "Grease it.", "The pump.", *filler)[:2]
    assert rare["said"] > common["said"] > 0


def test_an_other_number_is_told_and_the_same_is_not() -> None:
    other, same, none = (
        row["numbers lacking"]
        for row in measures(
            "How often is pump 3 cleaned?", "Pump 2 is cleaned.", "Pump 3 is cleaned.", "It is."
        )
    )
    assert (other, same, none) == (1.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("When is the roof of house C renewed?", "The roof of house B is renewed in May.", 1.0),
        ("When is the roof of house C renewed?", "The roofs of houses A, B and C are renewed.", 0.0),
        ("what does house c cost", "House C costs more.", 0.0),
        ("How many flats has house A?", "House D has 36 flats.", 1.0),
        ("What did George W. Bush sign?", "Bush signed it.", 0.0),
        ("How thick is a 3 m wall?", "A wall of 3 metres is thick.", 0.0),
        ("Where was I born?", "In Ghent.", 0.0),
    ],
)
def test_a_letter_that_tells_things_of_a_kind_apart_is_as_good_as_a_number(
    question: str, text: str, lacks: float
) -> None:
    [row] = measures(question, text)
    assert row["numbers lacking"] == lacks


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("When does the library close on weekdays?", "On Sundays it closes at 4 pm.", 1.0),
        ("When does the library close on weekdays?", "From Monday to Friday it closes at 8 pm.", 0.0),
        ("When will the fee fall?", "The fee will rise on 1 May.", 1.0),
        ("When will the fee rise?", "The fee will rise on 1 May.", 0.0),
        ("When is the bridge shut?", "The bridge must not be opened at night.", 0.0),
        ("Which team lost in 1938?", "In 1938 Ashwell won against Crook.", 0.0),
        ("How expensive is it?", "The cheap boat costs 5 euros.", 0.0),
    ],
)
def test_a_rival_is_told_by_another_part_of_the_week_and_by_a_contrary(
    question: str, text: str, told: float
) -> None:
    [row] = measures(question, text)
    assert row["rival told"] == told


def test_names_that_a_passage_lacks_are_counted_by_their_share() -> None:
    question, texts = "When did Martin Oduya leave?", ("Martin Oduya left.", "Martin left.", "He did.")
    assert [row["names lacking"] for row in measures(question, *texts)] == [0.0, 0.5, 1.0]
    of_two = measures(question, *texts, passages=("first", "second", "first"))
    assert [row["names lacking"] for row in of_two] == [0.0, 0.5, 0.0]
    assert measures("Who left?", "He left.")[0]["names lacking"] == 0.0


def test_names_that_no_passage_says_are_unknown_to_all() -> None:
    rows = measures("When did Martin Oduya leave Ashbeck?", "Martin left.", "Oduya was ill.")
    assert [row["names unknown"] for row in rows] == [pytest.approx(1 / 3, abs=1e-6)] * 2


@pytest.mark.parametrize(
    ("question", "text", "is_other"),
    [
        ("What do those on the early shift get?", "Those on the late shift get more.", 1.0),
        ("What do those on the early shift get?", "Those on the early shift get more.", 0.0),
        ("What do those on the early shift get?", "The early and the late shift get more.", 0.0),
        ("What do those on the early shift get?", "The shift begins.", 0.0),
        ("How many days for a sick spouse?", "Three days for a relative.", 0.0),
    ],
)
def test_a_word_beside_another_than_in_the_question(question: str, text: str, is_other: float) -> None:
    [row] = measures(question, text)
    assert row["other neighbours"] == is_other


@pytest.mark.parametrize(
    ("question", "text", "is_told"),
    [
        ("How warm is the water in autumn?", "In summer the water is warm.", 1.0),
        ("How warm is the water in autumn?", "In summer and in autumn the water is warm.", 0.0),
        ("How warm is the water in autumn?", "The water is warm.", 0.0),
        ("How warm is the water?", "In summer the water is warm.", 0.0),
        ("Who closes the eastern gate?", "The western gate is closed by Ada.", 1.0),
    ],
)
def test_another_of_a_kind_is_told_in_the_place_of_what_is_asked(
    question: str, text: str, is_told: float
) -> None:
    [row] = measures(question, text)
    assert row["rival told"] == is_told


def test_what_is_asked_for_and_not_told_is_named() -> None:
    without_reason, with_reason = measures(
        "Why was the tour given up?", "It was given up.", "It was so because of rain."
    )
    assert (missing_kind(without_reason), missing_kind(with_reason)) == ("reason", "")
    [without_kind] = measures("Is zircon cheap?", "Zircon is cheap.")
    assert (set(without_kind), missing_kind(without_kind)) == (set(MEASURES), "")


def test_texts_of_function_words_and_of_none_are_no_error() -> None:
    for row in measures("Is it?", "It is.", "—"):
        assert (row["said"], row["in its words"], row["said elsewhere"]) == (0, 0, 0)
    assert measures("Is it?") == []
