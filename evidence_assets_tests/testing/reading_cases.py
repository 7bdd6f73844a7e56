"""Articles, questions and a fake encoder, for the tests of USCRaKE's readers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.corpus.chunking import TokenCounter, chunk_rows
from evidence_assets.lake.schemas import ARTICLES
from evidence_assets.models.encoder import EncodedWords
from evidence_assets.text.words import words
from evidence_assets_tests.testing.question_rows import question_row

ARTICLE_TEXTS = {
    "a1": "Bees make honey. Bees visit flowers!\nA bee has six legs. “Honey,” it is said, keeps.",
    "a2": "Cows give milk. Cows eat grass. Cows do not fly; 3.5 birds do.",
    "a3": "Iron rusts in water. Gold does not.\n\n火は熱い。水は冷たい。",
    "a4": "Bees make honey.",  # a sentence that another article says too
}
# No article says anything of "nothing", and two options of "equal" are alike.
ARTICLE_QUESTIONS = (
    question_row("bees", "What do bees make?", ["milk", "honey", "iron"], 1),
    question_row("cows", "What do cows give?", ["milk", "gold"], 0),
    question_row("open", "Who makes honey?", [], None, answers=["bees"]),
    question_row("nothing", "What is never found?", ["this", "that"], 0),
    question_row("equal", "Which metal rusts in water?", ["gold", "iron", "iron"], 2),
)


@cache
def vector(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).normal(size=32)


def bag_of_words(texts: Sequence[str]) -> NDArray[np.float32]:
    """A fake encoder: the sum of its words' random vectors, so that texts that share words are near."""
    sums = np.stack([np.sum([vector(word) for word in ["", *words(text)]], axis=0) for text in texts])
    units: NDArray[np.float64] = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    return units.astype(np.float32)


def bag_of_word_vectors(texts: Sequence[str]) -> list[EncodedWords]:
    """Texts as their words, by the same fake encoder."""
    encoded = []
    for text, sentence in zip(texts, bag_of_words(texts), strict=True):
        of_text = words(text)
        vectors = np.array([vector(word) for word in of_text], np.float32).reshape(
            len(of_text), len(sentence)
        )
        encoded.append(EncodedWords(of_text, vectors, sentence))
    return encoded


def chunks_of(texts: Mapping[str, str]) -> pa.Table:
    """`chunks` rows of some articles' texts."""
    names = ("article_id", "corpus", "shard", "text")
    articles = pa.table(
        [list(texts), ["k"] * len(texts), ["s"] * len(texts), list(texts.values())],
        schema=pa.schema([ARTICLES.schema.field(name) for name in names]),
    )
    counter = TokenCounter(lambda texts: [2 + len(words(text)) for text in texts])
    return pa.concat_tables(chunk_rows(articles.to_batches(), counter, 14))
