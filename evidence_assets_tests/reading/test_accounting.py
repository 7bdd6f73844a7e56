"""Accounting: every word bound, empty or named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.reading.accounting import account, is_decisive, spans


def bound(text: str, phrase: str, role: Role = Role.EVIDENCE) -> Binding:
    start = text.index(phrase)
    return Binding(start, start + len(phrase), phrase, role, f"the {phrase}")


def test_words_that_nothing_binds_are_named() -> None:
    claim = "Wheat destroys the North Valley"
    accounting = account(claim, [bound(claim, "Wheat"), bound(claim, "North Valley")])
    assert accounting.unaccounted == ("destroys",)
    assert accounting.share == pytest.approx(2 / 3)
    assert [binding.role for binding in accounting.bindings] == [
        Role.EVIDENCE,
        Role.UNACCOUNTED,
        Role.EMPTY,
        Role.EVIDENCE,
    ]


@pytest.mark.parametrize(
    ("text", "unaccounted"),
    [
        ("the river does not flow", ("river", "not", "flow")),
        ("it didn't", ("n't",)),
        ("I'd say I'm there", ("say",)),
        ("vitamin D, then d", ("vitamin", "D", "d")),
        ("only all of them", ("only", "all")),
        ("3.5 % in 2019", ("3.5 %", "2019")),
    ],
)
def test_negations_quantifiers_and_numbers_always_carry_something(
    text: str, unaccounted: tuple[str, ...]
) -> None:
    assert account(text, []).unaccounted == unaccounted
    assert account(text, [], empty={"onli", "all", "not", "3.5"}).unaccounted == unaccounted


@pytest.mark.parametrize(
    ("text", "number"), [("over 4.5 percent", "4.5"), ("over 4.5 % of it", "4.5 %"), ("over 7%", "7%")]
)
def test_a_number_holds_its_sign_of_percent_and_no_blank_after_it(text: str, number: str) -> None:
    start, end = spans(text)[1]
    assert text[start:end] == number


def test_of_overlapping_bindings_the_first_keeps_the_words() -> None:
    text = "the North Valley line"
    accounting = account(text, [bound(text, "North Valley"), bound(text, "Valley line", Role.TYPE)])
    assert [binding.text for binding in accounting.bindings] == ["the", "North Valley", "line"]
    assert accounting.unaccounted == ("line",)


def test_a_text_without_content_is_accounted_for() -> None:
    assert account("it is", []).share == 1.0
    assert Accounting(()).share == 1.0


@given(st.text(max_size=80), st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=5))
def test_every_word_is_in_one_binding(text: str, places: list[tuple[int, int]]) -> None:
    bindings = [
        Binding(start, end, text[start:end], Role.EVIDENCE, "x") for start, end in places if start < end
    ]
    accounted = account(text, bindings).bindings
    for start, end in spans(text):
        assert sum(binding.start < end and start < binding.end for binding in accounted) == 1


def test_decisive_words_turn_an_answer() -> None:
    assert all(map(is_decisive, ("not", "Only", "n't", "n’t", "17", "3.5 %", "without")))
    assert not any(map(is_decisive, ("river", "the", "which")))
