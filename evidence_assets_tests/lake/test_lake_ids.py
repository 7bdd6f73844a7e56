"""Ids: canonical, the same on every machine, different for different things."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.lake.ids import KeyPart, combined_hash, content_id, file_hash, text_hash

ANY_TEXT = st.text(st.characters(), max_size=8)  # lone surrogates too
PARTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


def typed(value: object) -> object:
    """Tell apart what Python's == does not: 1, 1.0, True; 0.0 and -0.0."""
    return [typed(part) for part in value] if isinstance(value, list) else (type(value), repr(value))


def test_known_values_never_change() -> None:
    # Ids stand in files already written: a changed value here would orphan them all.
    assert content_id("chunk", "a", 0, 5, "héart") == "e116203d8cb8b07691f3c1e35938d836"
    assert text_hash("héart") == "2654c17b70a5c9ee209b3b276bd0c5e0"
    assert combined_hash(["a", "b"]) == "08b1e8b75c8635d39c23d0ebbd825af4"


def test_a_file_has_the_hash_of_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes("héart".encode())
    assert file_hash(path) == text_hash("héart")
    assert file_hash(path, digest_size=64) == hashlib.blake2b("héart".encode()).hexdigest()
    assert len(file_hash(path, digest_size=8)) == 16
    with pytest.raises(FileNotFoundError):
        file_hash(tmp_path / "gone")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("ab", "c"), ("a", "bc")),
        (("ab",), ("a", "b")),
        (("a", ""), ("a",)),
        ((1,), ("1",)),
        ((1,), (1.0,)),
        ((1,), (True,)),
        ((None,), ("null",)),
        (([],), ()),
        ((["a", "b"],), ("a", "b")),
        (('a","b',), ("a", "b")),
        (("é",), ("e\u0301",)),
        (("\ud83d\ude00",), ("😀",)),
        (("\ud800",), ("\ud801",)),
    ],
)
def test_different_parts_have_different_ids(first: tuple[KeyPart, ...], second: tuple[KeyPart, ...]) -> None:
    assert content_id("thing", *first) != content_id("thing", *second)


def test_kind_is_part_of_the_id() -> None:
    assert content_id("chunk", "a") != content_id("article", "a")
    assert content_id("chunk", "a") != content_id("chunka")


def test_tuples_and_lists_are_one_sequence() -> None:
    assert content_id("thing", ("a", 1)) == content_id("thing", ["a", 1])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_json_cannot_write_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        content_id("thing", value)


@given(st.lists(PARTS, max_size=4), st.lists(PARTS, max_size=4))
def test_ids_are_equal_exactly_when_parts_are(first: list[KeyPart], second: list[KeyPart]) -> None:
    assert (content_id("thing", *first) == content_id("thing", *second)) == (typed(first) == typed(second))


@given(ANY_TEXT, ANY_TEXT)
def test_text_hashes_are_equal_exactly_when_texts_are(first: str, second: str) -> None:
    assert (text_hash(first) == text_hash(second)) == (first == second)


@given(ANY_TEXT)
def test_form_is_32_lower_case_hexadecimal_digits(text: str) -> None:
    for digest in (content_id("thing", text), text_hash(text)):
        assert len(digest) == 32
        assert set(digest) <= set("0123456789abcdef")


@given(st.lists(st.text("abc", max_size=3), max_size=4), st.lists(st.text("abc", max_size=3), max_size=4))
def test_combined_hash_keeps_order_and_boundaries(first: list[str], second: list[str]) -> None:
    assert (combined_hash(first) == combined_hash(second)) == (first == second)
