"""Which words an entity may hold, which pairs are kept, and what is said against them."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.extraction.filters import (
    GENERIC,
    REVERSED,
    allowed_words,
    flags_of,
    generic_words,
    most_of_each,
    stem_numbers,
    stems_of,
)
from evidence_assets.extraction.probing import HEAD, TAIL
from evidence_assets.text.roots import stem

ENDS = ["apple", "apples", "Apple", "tree", "trees", "fruit tree", "fruits trees", "leaf", "thing"]
PAIRS = st.lists(st.tuples(st.sampled_from(ENDS), st.sampled_from(ENDS)), max_size=25)


def allowed(*vocabulary: str, prompts: tuple[str, ...] = (f"{HEAD} is in {TAIL}",)) -> list[str]:
    return [vocabulary[number] for number in allowed_words(vocabulary, prompts)]


@pytest.mark.parametrize(
    ("refused", "why"),
    [
        (["the", "because", "would", "those"], "function words"),
        (["ox", "x", ""], "fewer than three letters"),
        (["aaa", "mmmm"], "one letter repeated"),
        (["b12", "co2", "t-shirt", "don't", "1999", "##ing", "[MASK]"], "not of letters"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_entity_may_not_hold(refused: list[str], why: str) -> None:
    assert allowed(*refused) == [], why
    assert allowed("apple", *refused, "tree") == ["apple", "tree"]


def test_an_entity_may_hold_what_is_a_word() -> None:
    assert allowed("fig", "aab", "naïve", "object", "zebra") == ["fig", "aab", "naïve", "object", "zebra"]


def test_an_entity_may_not_hold_a_word_of_the_prompts_in_any_form() -> None:
    vocabulary = ("causes", "cause", "caused", "cat", "treat", "treatment", "treats")
    assert allowed(*vocabulary, prompts=(f"{HEAD} Causes {TAIL}.",)) == [
        "cat",
        "treat",
        "treatment",
        "treats",
    ]
    both = (f"{HEAD} causes {TAIL}", f"{TAIL} treats-{HEAD}")
    assert allowed(*vocabulary, prompts=both) == ["cat", "treatment"]
    assert allowed(*vocabulary, prompts=()) == list(vocabulary)


def test_allowed_words_are_numbers_ascending() -> None:
    numbers = allowed_words(["zebra", "the", "apple"], [])
    assert numbers.tolist() == [0, 2]
    assert numbers.dtype == np.int64
    assert allowed_words([], []).tolist() == []
    assert allowed_words(["the"], []).dtype == np.int64


def test_generic_words_may_be_held_but_are_told() -> None:
    assert {"thing", "object", "material"} <= generic_words()
    assert all(word.isalpha() and word == word.lower() for word in generic_words())
    assert "apple" not in generic_words()


@given(st.lists(st.sampled_from(["apple", "apples", "tree", "trees", "leaf", "Apples"])))
def test_words_of_one_stem_have_one_number(vocabulary: list[str]) -> None:
    numbers = stem_numbers(vocabulary).tolist()
    assert len(numbers) == len(vocabulary)
    for (first, first_number), (second, second_number) in product(
        zip(vocabulary, numbers, strict=True), repeat=2
    ):
        assert (first_number == second_number) == (stem(first) == stem(second))


def test_stems_are_of_every_word_in_order() -> None:
    assert stems_of("Fruit Trees") == stems_of("fruits tree") == (stem("fruit"), stem("tree"))
    assert stems_of("tree fruit") != stems_of("fruit tree")


@given(pairs=PAIRS, heads=st.integers(1, 4), entities=st.integers(1, 4), wanted=st.integers(0, 12))
def test_most_of_each_takes_the_best_that_there_is_room_for(
    pairs: list[tuple[str, str]], heads: int, entities: int, wanted: int
) -> None:
    selected = most_of_each(pairs, heads, entities, wanted)
    assert selected == sorted(set(selected))
    assert len(selected) <= wanted
    keys = [(stems_of(head), stems_of(tail)) for head, tail in pairs]
    expected: list[int] = []
    for number, key in enumerate(keys):
        expected_keys = [keys[place] for place in expected]
        times = Counter(end for pair in expected_keys for end in pair)
        full = (
            len(expected) == wanted
            or key in expected_keys
            or Counter(head for head, _ in expected_keys)[key[0]] == heads
            or times[key[0]] >= entities
            or times[key[1]] >= entities
        )
        if not full:
            expected.append(number)
    assert selected == expected


def test_ten_occurrences_are_ten_over_heads_and_tails_together() -> None:
    """Counted apart, an entity would stand in twenty pairs: ten times as a head and ten as a tail."""
    as_head = [("tree", f"{chr(97 + place)}orb") for place in range(12)]
    as_tail = [(f"{chr(97 + place)}unt", "tree") for place in range(12)]
    mixed = [pair for both in zip(as_head, as_tail, strict=True) for pair in both]
    assert most_of_each(mixed, 10, 10, 100) == list(range(10))
    assert most_of_each([*as_head, *as_tail], 3, 10, 100) == [0, 1, 2, *range(12, 19)]


def test_plurals_are_counted_as_one_entity() -> None:
    pairs = [
        ("apple", "tree"),
        ("apples", "tree"),  # the first, but for an ending
        ("apple", "Trees"),  # so is this
        ("apples", "garden"),
        ("apple", "orchard"),  # a third of one head
        ("pear", "trees"),
        ("plum", "tree"),  # a third of one entity
    ]
    assert most_of_each(pairs, 2, 2, 10) == [0, 3, 5]
    assert most_of_each(pairs, 2, 2, 2) == [0, 3]
    assert most_of_each(pairs, 10, 10, 10) == [0, 3, 4, 5, 6]
    assert most_of_each([("a b", "c"), ("b a", "c")], 1, 2, 10) == [0, 1]


def test_flags_say_what_speaks_against_a_pair() -> None:
    pairs = [
        ("apple", "tree"),
        ("trees", "apples"),  # the reverse of a better one
        ("apple", "fruit"),
        ("apple", "round thing"),
        ("thing", "apple"),  # a generic head says something
        ("thing", "round"),
        ("leaf", "material"),
        ("material", "leaf"),
    ]
    assert flags_of(pairs) == [[], [REVERSED], [], [GENERIC], [], [], [GENERIC], [REVERSED]]
    assert flags_of([("leaf", "thing"), ("thing", "leaf"), ("leaf", "things")]) == [
        [GENERIC],
        [REVERSED],
        [GENERIC, REVERSED],
    ]
    assert flags_of([]) == []


@given(PAIRS)
def test_the_better_of_a_pair_and_its_reverse_is_not_flagged(pairs: list[tuple[str, str]]) -> None:
    for number, flags in enumerate(flags_of(pairs)):
        head, tail = (stems_of(end) for end in pairs[number])
        earlier = {(stems_of(first), stems_of(second)) for first, second in pairs[:number]}
        assert (REVERSED in flags) == ((tail, head) in earlier)
        assert (GENERIC in flags) == (pairs[number][1] == "thing")
