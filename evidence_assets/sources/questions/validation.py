"""What makes a question usable: its options, its answers and its key."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.sources.records import Question
from evidence_assets.sources.validation import (
    RecordRejectedError,
    number_as_text,
    optional_text,
    required_text,
)

MINIMUM_OPTIONS = 2
# Placeholders for the answer key in public test sets with hidden answers.
ABSENT_KEYS = frozenset({"", "-1"})


def no_answer_key(name: str) -> RecordRejectedError:
    """The rejection of a record without an answer."""
    return RecordRejectedError(
        f"no answer key: {name} is missing or empty, as in splits that have no public labels",
        f"use a split with public labels, or give the record its {name}; a mapping of your own asks such "
        "questions unscored (without_key: kept)",
    )


def key_position(key: object, labels: Sequence[str], name: str) -> int:
    """Returns the position of the answer key among the labels of the options.

    Raises:
        RecordRejectedError: there is no key, or it names none of the labels, or more than one.
    """
    answer_key = required_key(key, name)
    positions = [position for position, label in enumerate(labels) if label == answer_key]
    if not positions:
        raise RecordRejectedError(
            f"answer key {answer_key!r} is out of range: the labels are {', '.join(labels)}",
            f"set {name} to one of the labels",
        )
    if len(positions) > 1:
        raise RecordRejectedError(
            f"answer key {answer_key!r} names more than one option", "give every option a label of its own"
        )
    return positions[0]


def required_key(key: object, name: str) -> str:
    """Returns the answer key as text.

    Raises:
        RecordRejectedError: there is none, or it is neither text nor a whole number.
    """
    text = optional_text(number_as_text(key, name), name)
    if text in ABSENT_KEYS:
        raise no_answer_key(name)
    return text


def multiple_choice(
    question: str, options: Sequence[object], labels: Sequence[str], key: object, key_name: str
) -> Question:
    """Returns a question with its options, without id; `labels` are the names by which the key calls them.

    Raises:
        RecordRejectedError: an empty option, fewer than two options, no key or one out of range.
    """
    texts = choice_texts(options)
    if not texts:
        raise RecordRejectedError("the question has 0 option(s)", "give it two options or more")
    position = key_position(key, labels, key_name)
    return Question("", question, texts, position, (texts[position],))


def choice_texts(options: Sequence[object]) -> tuple[str, ...]:
    """Returns the texts of options, none or at least two.

    Raises:
        RecordRejectedError: an empty option, or a lone one.
    """
    texts = tuple(required_text(option, f"option {number}") for number, option in enumerate(options, start=1))
    if texts and len(texts) < MINIMUM_OPTIONS:
        raise RecordRejectedError(f"the question has {len(texts)} option(s)", "give it two options or more")
    return texts


def alike_options(options: Sequence[str]) -> tuple[int, int] | None:
    """Returns the numbers, from 1, of the first two options that say the same; None where no two do."""
    first: dict[str, int] = {}
    for number, option in enumerate(options, start=1):
        before = first.setdefault(" ".join(option.split()), number)
        if before != number:
            return before, number
    return None


def check_unlike(options: Sequence[str]) -> None:
    """Checks that no two options say the same: which of them is chosen would be chance.

    Raises:
        RecordRejectedError: two do.
    """
    if alike := alike_options(options):
        first, second = alike
        raise RecordRejectedError(
            f"options {first} and {second} are alike", "give one of them another text, or leave it out"
        )


def open_question(question: str, answers: Sequence[object], answers_name: str) -> Question:
    """Returns a question without options and id; answers that are repeated are kept once.

    Raises:
        RecordRejectedError: no answer, or an empty one.
    """
    texts = [required_text(answer, f"answer {number}") for number, answer in enumerate(answers, start=1)]
    if not texts:
        raise no_answer_key(answers_name)
    return Question("", question, answers=tuple(dict.fromkeys(texts)))


def position_of_answer(answers: Sequence[str], name: str, options: Sequence[object]) -> int:
    """Returns the position of the one option that is an answer; `name` is what messages call the answers.

    Raises:
        RecordRejectedError: none is, or more than one.
    """
    positions = [
        position
        for position, option in enumerate(options)
        if optional_text(option, f"option {position + 1}") in answers
    ]
    if len(positions) != 1:
        raise RecordRejectedError(
            f"{name} names {len(positions)} of the options", "give the right one's text once, or its key"
        )
    return positions[0]
