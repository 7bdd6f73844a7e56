"""The packaged encoder without its library: the library's id, its vectors to the bit, its tokens."""

from __future__ import annotations

import random

import numpy as np
import pytest

from evidence_assets.models.encoder import SentenceTransformerEncoder, packaged_minilm
from evidence_assets.models.packaged_encoder import PackagedMiniLM

pytestmark = pytest.mark.integration

NAME = "all-MiniLM-L6-v2"
WORDS = ("the", "a", "cat", "protein", "3.14", "naïve", "water-cycle", "中", "run,", "(x)", "ß", "kelp")
LENGTHS = (1, 2, 5, 6, 7, 8, 14, 30, 31, 100, 300)


def texts() -> list[str]:
    """Texts of all lengths: those that fill their batch have no padding, the longest are cut."""
    chosen = random.Random(5)
    made = [" ".join(chosen.choices(WORDS, k=length)) for length in LENGTHS for _ in range(4)]
    return ["", "word", "kelp forests", *made]


def test_the_packaged_encoder_gives_the_librarys_vectors_under_its_id() -> None:
    library, packaged = (
        SentenceTransformerEncoder(NAME, packaged_minilm(), device="cpu"),
        PackagedMiniLM(NAME),
    )
    assert packaged.encoder_id == library.encoder_id
    assert (packaged.dimension, packaged.max_tokens) == (library.dimension, library.max_tokens)
    assert packaged.count_tokens(texts()) == library.count_tokens(texts())
    np.testing.assert_array_equal(packaged.encode(texts()), library.encode(texts()))
    for ours, theirs in zip(packaged.encode_words(texts()), library.encode_words(texts()), strict=True):
        assert ours.words == theirs.words
        np.testing.assert_array_equal(ours.vectors, theirs.vectors)
        np.testing.assert_array_equal(ours.sentence, theirs.sentence)


def test_the_packaged_encoder_loads_its_librarys_model_for_who_asks() -> None:
    encoder = PackagedMiniLM(NAME)
    np.testing.assert_allclose(
        encoder.model.encode(["kelp"], normalize_embeddings=True), encoder.encode(["kelp"]), atol=1e-6
    )
