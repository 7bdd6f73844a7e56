"""Texts that are encoded in one call, and looked up afterwards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.encoded_texts import EncodedTexts


class Counted:
    """An encoder of two dimensions, a text's length and its first letter, that notes what it was asked."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> FloatArray:
        self.calls.append(list(texts))
        vectors = [[len(text), ord(text[0]) if text else 0] for text in texts]
        return np.array(vectors, dtype=np.float32).reshape(len(texts), 2)


def test_every_text_is_encoded_once_in_one_call_in_the_order_it_came() -> None:
    encode = Counted()
    encoded = EncodedTexts(iter(["b", "aa", "b", "c", "aa"]), encode)
    assert encode.calls == [["b", "aa", "c"]]
    assert encoded.of(["c", "aa", "c"]).tolist() == [[1, 99], [2, 97], [1, 99]]
    assert len(encode.calls) == 1


def test_of_no_texts_there_are_no_vectors_of_the_same_width() -> None:
    assert EncodedTexts(["a"], Counted()).of([]).shape == (0, 2)
    assert EncodedTexts([], Counted()).of([]).shape == (0, 2)


def test_what_was_not_encoded_is_named() -> None:
    with pytest.raises(KeyError, match="unheard"):
        EncodedTexts(["a"], Counted()).of(["a", "unheard"])


@given(st.lists(st.text(max_size=4), max_size=20), st.data())
def test_looking_up_is_encoding(texts: list[str], data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.sampled_from(texts), max_size=20)) if texts else []
    vectors = EncodedTexts(texts, Counted()).of(wanted)
    np.testing.assert_array_equal(vectors, Counted()(wanted))
    assert vectors.dtype == np.float32
