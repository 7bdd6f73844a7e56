"""Deeds and roles that no relation tells, facts of things that are not spoken of, and all together."""

from __future__ import annotations

import pytest

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.understanding.guessed_words import guessed_words
from evidence_assets_tests.testing.railway_questions import outcome, railway, read
from evidence_assets_tests.testing.workshop_questions import asked


def _accounting(text: str, word: str, nearness: float, name: str) -> Accounting:
    """Return the words of a question, one near to a relation and one of a name."""
    start, at = text.index(word), text.index(name)
    others = [part for part in text.rstrip("?").split() if part not in {word, *name.split()}]
    bindings = [
        Binding(start, start + len(word), word, Role.MEANING, "relation printed_by", nearness),
        Binding(at, at + len(name), name, Role.EVIDENCE, f"node {name}"),
        *(Binding(text.index(other), text.index(other) + len(other), other, Role.EMPTY) for other in others),
    ]
    return Accounting(tuple(sorted(bindings, key=lambda binding: binding.start)))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Which books were sold by Kranz?", "sold"),
        ("Which printer advertised Kranz?", "advertised"),
        ("Which tram was stolen on the Kranz?", "stolen"),
        ("Who is the owner of the Kranz?", "owner"),
        ("When did Kranz die?", "die"),
        ("Who designed the hats of Kranz?", "designed"),
    ],
)
def test_a_deed_or_role_that_is_like_no_relation_is_left(text: str, word: str) -> None:
    assert guessed_words(_accounting(text, word, 0.2, "Kranz")) == [word]
    assert not guessed_words(_accounting(text, word, 0.6, "Kranz"))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Which pub serves Kranz?", "serves"),
        ("Which farmers lived in Kranz?", "lived"),
        ("Which ships are in the hands of Kranz?", "hands"),
        ("Who was sold the books of Kranz?", "sold"),
    ],
)
def test_how_things_are_may_be_told_by_a_relation_that_has_other_words(text: str, word: str) -> None:
    assert not guessed_words(_accounting(text, word, 0.2, "Kranz"))


@pytest.mark.parametrize("authored", [True, False])
@pytest.mark.parametrize("text", ["When was Velden built?", "When was maple built?"])
def test_no_time_is_answered_of_what_is_not_spoken_of(text: str, authored: bool) -> None:
    answer, reading = asked(text, authored)
    assert answer == "abstained", reading.query


@pytest.mark.parametrize(
    "text",
    [
        "How wide is the Coast Line?",
        "How long are the Coast Line and the Moor Line in total?",
    ],
)
def test_another_dimension_and_a_sum_are_not_answered_by_lengths(text: str) -> None:
    base = railway()
    reading = read(text, base)
    assert outcome(reading, base) == "abstained", reading.query


def test_a_length_is_told() -> None:
    base = railway()
    assert outcome(read("How long is the Coast Line?", base), base) == ["120"]
