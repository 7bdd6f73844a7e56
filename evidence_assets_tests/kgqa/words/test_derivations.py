"""Nouns of who does something, and of whom it is done to, by their verbs."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.words.derivations import verb_done_to, verb_of


@pytest.mark.parametrize(
    ("noun", "verb"),
    [
        ("employee", "employ"),
        ("trainees", "train"),
        ("coffee", ""),
        ("attendees", ""),
        ("tree", ""),
        ("employer", ""),
    ],
)
def test_whom_something_is_done_to_has_its_verb(noun: str, verb: str) -> None:
    assert verb_done_to(noun) == verb


@pytest.mark.parametrize(
    ("noun", "verb"), [("trainers", "trains"), ("founder", "founds"), ("doctor", ""), ("employee", "")]
)
def test_who_does_something_has_its_verb(noun: str, verb: str) -> None:
    assert verb_of(noun) == verb
