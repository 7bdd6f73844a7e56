"""Words that say the contrary of others."""

from __future__ import annotations

import pytest

from evidence_assets.text.opposites import are_contraries, are_converses, are_opposites, says_the_contrary


def test_contraries_and_converses_are_told_apart() -> None:
    assert are_contraries("rises", "fell")
    assert not are_contraries("taught", "learned")
    assert are_converses("taught", "learned")
    assert are_opposites("fell", "rises")
    assert not are_opposites("falls", "fell")


@pytest.mark.parametrize(
    ("wanted", "said", "is_contrary"),
    [
        ("fee fall", "the fee will rise", True),
        ("fee decreased", "the fee increases", True),
        ("fee fall", "the fee falls and will rise", False),
        ("fee rise fall", "the fee rises", False),
        ("fee fall", "the fee is paid", False),
        ("", "the fee rises", False),
    ],
)
def test_a_contrary_is_said_where_the_wanted_word_is_not(wanted: str, said: str, is_contrary: bool) -> None:
    assert says_the_contrary(wanted.split(), said.split()) is is_contrary
