"""Misspelt concepts: the index finds what a comparison with every alias finds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz, process

from evidence_assets.graphs.names.fuzzy_index import RATIO, FuzzyIndex
from evidence_assets_tests.testing.approximate_numbers import approximately
from evidence_assets_tests.testing.profiles import examples


def brute_force(phrase: str, aliases: Sequence[str]) -> list[tuple[int, float]]:
    ratios = [(place, fuzz.ratio(phrase, alias)) for place, alias in enumerate(aliases)]
    near = [item for item in ratios if item[1] >= RATIO]
    return sorted(near, key=lambda item: (-item[1], item[0]))


def index_of(aliases: Sequence[str]) -> FuzzyIndex:
    return FuzzyIndex(pa.array(aliases, pa.string()))


def misspelt(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """Delete, insert or replace a character, or swap two."""
    for kind, where, sign in edits:
        place = where % (len(text) + 1)
        match kind:
            case 0:
                text = text[:place] + text[place + 1 :]
            case 1:
                text = text[:place] + sign + text[place:]
            case 2:
                text = text[:place] + sign + text[place + 1 :]
            case _:
                text = text[:place] + text[place : place + 2][::-1] + text[place + 2 :]
    return text


@pytest.mark.parametrize(
    ("phrase", "alias", "ratio"),
    [
        ("umbrela", "umbrella", 100 * 14 / 15),
        ("umbrella", "umbrella", 100.0),
        ("vilage", "village", 100 * 12 / 13),
        ("wndow", "window", 100 * 10 / 11),
        # Nine letters of ten: the ratio is 90 itself.
        ("abcdefghij", "abcdefghix", 90.0),
        ("abcdefghijklmnopqrst", "bacdefghijklmnopqrts", 90.0),
        ("aaaaaaaaa", "aaaaaaaaaaa", 90.0),
        ("𝔸𝔹ℂ𝔻𝔼𝔽", "𝔸𝔹ℂ𝔻𝔽", 100 * 10 / 11),
    ],
)
def test_the_nearest_alias_has_its_ratio(phrase: str, alias: str, ratio: float) -> None:
    index = index_of(["something else", alias, "umbrage"])
    assert index.nearest(phrase) == [(1, approximately(ratio, 1e-9))]


@pytest.mark.parametrize(
    ("phrase", "alias"),
    [
        ("abcdefghi", "abcdefghx"),
        ("aaaaaaaa", "aaaaaaaaaa"),
        ("cat", "cot"),
        ("cat", "cats"),
        ("Umbrella", "umbrELla"),
        ("", "a"),
        ("a", ""),
        ("window", "a window"),
    ],
)
def test_ratios_below_ninety_are_nothing(phrase: str, alias: str) -> None:
    assert fuzz.ratio(phrase, alias) < RATIO
    assert index_of([alias]).nearest(phrase) == []


def test_nearest_first_then_by_place() -> None:
    aliases = ["windowsill", "windowsills", "windowsil", "indowsills", "windowsill"]
    assert [place for place, _ in index_of(aliases).nearest("windowsills")] == [1, 0, 3, 4, 2]


@pytest.mark.parametrize("phrase", ["", "a", "umbrella", "x" * 300])
def test_nothing_is_nearest_without_aliases(phrase: str) -> None:
    assert index_of([]).nearest(phrase) == []


def test_phrase_longer_than_all() -> None:
    index = index_of(["cat", "dog", "umbrella"])
    assert index.nearest("umbrella stand") == []
    assert index.nearest("umbrella" * 5000) == []


signs = st.sampled_from("ab ") | st.sampled_from("aé\n𝔸ß\u0301\x00İ中") | st.characters(codec="utf-8")
texts = st.one_of(
    st.text("ab", min_size=1, max_size=24),
    st.text(signs, min_size=1, max_size=12),
    st.text("abcdefghijklmnopqrstuvwxyz ", min_size=1, max_size=70),
)
edits = st.tuples(st.integers(0, 3), st.integers(0, 100), signs)


@examples(300)
@given(
    aliases=st.lists(texts, max_size=25),
    sources=st.lists(st.tuples(st.integers(0, 1000), st.lists(edits, max_size=6)), max_size=8),
    strangers=st.lists(texts, max_size=3),
)
def test_misspellings_are_found_as_by_brute_force(
    aliases: list[str], sources: list[tuple[int, list[tuple[int, int, str]]]], strangers: list[str]
) -> None:
    index = index_of(aliases)
    phrases = [misspelt(aliases[place % len(aliases)], changes) for place, changes in sources if aliases]
    for phrase in [*filter(None, phrases), *strangers]:
        assert index.nearest(phrase) == brute_force(phrase, aliases)


@examples(100)
@given(text=texts, changes=st.lists(st.lists(edits, max_size=3), min_size=1, max_size=10))
def test_a_family_of_spellings_finds_its_members(
    text: str, changes: list[list[tuple[int, int, str]]]
) -> None:
    aliases = [misspelt(text, edits_of_one) for edits_of_one in changes]
    index = index_of(aliases)
    for phrase in filter(None, [text, *aliases]):
        assert index.nearest(phrase) == brute_force(phrase, aliases)


@pytest.mark.parametrize("repeats", [1, 7, 40])
def test_repeated_letters_have_the_nearest_of_brute_force(repeats: int) -> None:
    """Texts whose trigrams are nearly all one: counts of them say little."""
    aliases = [unit * count for unit in ("a", "ab", "aab") for count in range(1, 50)]
    index = index_of(aliases)
    for phrase in (
        "a" * repeats,
        "ab" * repeats,
        "aab" * repeats,
        "b" + "a" * repeats,
        "ab" * repeats + "bb",
    ):
        assert index.nearest(phrase) == brute_force(phrase, aliases)


def test_three_thousand_random_labels() -> None:
    random = np.random.default_rng(0)
    letters = np.array(list("aaeeiioostrnlkdé -"))
    aliases = ["".join(random.choice(letters, size=random.integers(1, 30))) for _ in range(3000)]
    changes = [
        [
            (int(random.integers(4)), int(random.integers(100)), str(random.choice(letters)))
            for _ in range(random.integers(0, 4))
        ]
        for _ in range(3000)
    ]
    phrases = [
        misspelt(alias, edits_of_one) or "a" for alias, edits_of_one in zip(aliases, changes, strict=True)
    ]
    index = index_of(aliases)
    hits = 0
    for start in range(0, len(phrases), 500):
        block = phrases[start : start + 500]
        ratios = process.cdist(block, aliases, scorer=fuzz.ratio, dtype=np.float64)
        for phrase, row in zip(block, ratios, strict=True):
            near = np.flatnonzero(row >= RATIO).tolist()
            matches = index.nearest(phrase)
            assert sorted(matches) == [(place, row[place]) for place in near]
            hits += len(matches)
    assert hits > 2000
