"""No question is read that was seen before: checked by id and by text, and the row is named."""

from __future__ import annotations

import pytest

from evidence_assets.reading.reading_tasks import Pool
from evidence_assets.training.questions import (
    CHOOSING,
    EVALUATION,
    TRAINING,
    LeakedQuestionError,
    check_apart,
    read_questions,
    seen,
    text_key,
    without_questions_of,
)
from evidence_assets_tests.reading.test_reading_tasks import encode

FORMATS = {"set_train": "one", "set_test": "one", "other_test": "two"}


def row(question_id: str, question: str, *options: str, answer: int | None = 0) -> dict[str, object]:
    return {
        "question_id": question_id,
        "question": question,
        "options": list(options),
        "answer_index": answer,
    }


TAUGHT = seen(
    [row("7", "What eats grass?", "A cow", "A shark"), row("8", "Why?", "x", "y")], "set_train", TRAINING
)


def test_the_text_of_a_question_is_the_same_however_cased_spaced_and_ordered() -> None:
    assert text_key("What eats grass?", ["A cow", "a shark"]) == text_key(
        " what  eats GRASS ", ["A Shark", "a cow."]
    )
    assert text_key("What eats grass?", ["a cow", "a shark"]) != text_key("What eats grass?", ["a cow"])
    assert text_key("a b", ["c"]) != text_key("a", ["b", "c"])


@pytest.mark.parametrize("benchmark", ["set_test", "other_test"])
def test_a_question_of_the_same_words_is_refused_whatever_its_id(benchmark: str) -> None:
    repeated = seen(
        [row("t1", "Why?", "p", "q"), row("t2", "what eats grass", "a shark", "a cow")], benchmark, EVALUATION
    )
    with pytest.raises(
        LeakedQuestionError,
        match=rf"question t2 of {benchmark} \(evaluation\) is question 7 of set_train.*remedy",
    ):
        check_apart(TAUGHT, repeated, FORMATS)


def test_what_others_ask_in_the_same_words_is_left_out_whatever_its_id() -> None:
    taught = [
        row("7", "What eats grass?", "A cow", "A shark"),
        row("8", "What eats kelp?", "A cow", "An urchin"),
    ]
    asked = [row("t2", "what eats grass", "a shark", "a cow"), row("8", "Why?", "p", "q")]
    assert without_questions_of(taught, asked) == taught[1:]
    assert without_questions_of(taught, []) == taught


def test_an_id_counts_among_sets_of_one_format_alone() -> None:
    again = [row("7", "What eats grass, mostly?", "A cow", "A shark")]
    with pytest.raises(
        LeakedQuestionError, match=r"question 7 of set_test .* is question 7 of set_train, .*training"
    ):
        check_apart(TAUGHT, seen(again, "set_test", CHOOSING), FORMATS)
    check_apart(TAUGHT, seen(again, "other_test", EVALUATION), FORMATS)


def test_sets_apart_pass() -> None:
    check_apart(
        TAUGHT, seen([row("9", "What eats kelp?", "A cow", "A shark")], "set_test", EVALUATION), FORMATS
    )
    check_apart([], TAUGHT, FORMATS)
    check_apart(TAUGHT, [], FORMATS)


def test_questions_are_read_with_their_nearest_texts_and_those_without_key_or_choice_are_left_out() -> None:
    pool = Pool(["cow grass", "grass shark"], encode)
    rows = [
        row("1", "grass", "cow", "shark"),
        row("2", "no key", "cow", "shark", answer=None),
        row("3", "no choice", "cow"),
    ]
    [question] = read_questions(rows, "set_test", pool, 1)
    assert question.evidence == (("cow grass",), ("grass shark",))
    example = question.example([0.5, -0.5])
    assert example.name == "set_test 1" and example.right == 0 and example.bias == (0.5, -0.5)
    assert example.queries == ("grass cow", "grass shark") and example.texts == ("cow grass.", "grass shark.")
