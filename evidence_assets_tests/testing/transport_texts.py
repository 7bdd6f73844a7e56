"""Random texts and pools, and the costs and objectives that the transport tests go through."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import fields

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.lake.schemas import CHUNK_POOLS
from evidence_assets.models.encoder import EncodedWords
from evidence_assets.retrieval.transport import brute_force
from evidence_assets.retrieval.transport.bounds import Tile
from evidence_assets.retrieval.transport.cascade import Candidates, Ranking
from evidence_assets.retrieval.transport.ground_costs import Cosine, Euclidean, GroundCost, JensenShannon
from evidence_assets.retrieval.transport.objectives import (
    CHUNK_RELAXED,
    COVERAGE,
    COVERAGE_OF_WORDS,
    QUESTION_RELAXED,
    Balanced,
    Objective,
    Partial,
    Solution,
)
from evidence_assets.retrieval.transport.packing import Packed, pack
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets.retrieval.transport.word_codes import WordCodes
from evidence_assets.text.words import words

GROUNDS: dict[str, GroundCost] = {
    "cosine": Cosine(),
    "euclidean": Euclidean(),
    "jensen_shannon": JensenShannon(),
    "sharp": JensenShannon.at_temperature(0.02),
    "far": JensenShannon(50.0, far=True),
    "flat": JensenShannon.at_temperature(10.0),
}
CLOSED_FORMS = (COVERAGE, COVERAGE_OF_WORDS, CHUNK_RELAXED, QUESTION_RELAXED)
OBJECTIVES: dict[str, Objective] = {
    objective.name: objective for objective in (Balanced(), Partial(), *CLOSED_FORMS)
}
LINEAR_PROGRAMS = ("balanced", "partial")
LENGTHS = (1.0, 6.0, 0.01)
# question_id, candidate, rank, chunk_id, score
PoolRow = tuple[str, int, int, str, float]


def unit(random: np.random.Generator, count: int, width: int) -> NDArray[np.float64]:
    vectors = random.normal(size=(count, width))
    units: NDArray[np.float64] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


def of_vectors(
    random: np.random.Generator, vectors: np.ndarray, zeros: float = 0.0, dtype: type = np.float32
) -> TokenSet:
    """A text of given word vectors, with random weights; a share `zeros` of them is 0."""
    weights = random.uniform(0.01, 3, size=len(vectors)) * (random.random(len(vectors)) >= zeros)
    if not weights.any():
        weights[0] = 1.0
    sentence = unit(random, 1, vectors.shape[1])[0]
    return TokenSet(vectors.astype(dtype), weights, sentence.astype(np.float32))


def text(
    random: np.random.Generator, count: int, width: int = 6, length: float = 1.0, zeros: float = 0.0
) -> TokenSet:
    return of_vectors(random, unit(random, count, width) * length, zeros)


def reordered(random: np.random.Generator, tokens: TokenSet) -> TokenSet:
    """The same words in another order."""
    order = random.permutation(len(tokens.weights))
    return TokenSet(tokens.vectors[order], tokens.weights[order], tokens.sentence)


def pool(
    random: np.random.Generator,
    count: int,
    most_words: int,
    width: int = 6,
    length: float = 1.0,
    dtype: type = np.float32,
) -> list[TokenSet]:
    """Texts of one small vocabulary: words that stand twice, weights of 0, texts that stand twice."""
    vocabulary = unit(random, 12, width) * length * random.uniform(0.7, 1.3, size=(12, 1))
    texts: list[TokenSet] = []
    for _ in range(count):
        kind = random.integers(0, 6) if texts else 0
        if kind == 1:
            texts.append(texts[random.integers(len(texts))])
        elif kind == 2:
            texts.append(reordered(random, texts[random.integers(len(texts))]))
        else:
            size = int(random.integers(1, most_words + 1))
            vectors = vocabulary[random.integers(0, 12, size=size)]
            if kind > 3:
                vectors = vectors + 0.1 * length * random.normal(size=vectors.shape)
            texts.append(of_vectors(random, vectors, 0.2, dtype))
    return texts


def all_pairs(questions: int, chunks: int, random: np.random.Generator | None = None) -> Candidates:
    """Every question with every chunk, in any order and with any prior if `random` is given."""
    question, chunk = np.divmod(np.arange(questions * chunks), chunks)
    if random is None:
        return Candidates(question, chunk, chunk)
    order = random.permutation(len(question))
    return Candidates(question[order], chunk[order], random.random(len(order)))


def whole_tile(
    questions: Sequence[TokenSet], chunks: Sequence[TokenSet], ground: GroundCost, storage: type[np.floating]
) -> Tile:
    """Every question with every chunk, as one tile."""
    question, chunk = np.divmod(np.arange(len(questions) * len(chunks)), len(chunks))
    return Tile(pack(questions, ground), pack(chunks, ground, storage), question, chunk)


def best(
    question: TokenSet, chunks: Iterable[TokenSet], ground: GroundCost, objective: Objective, depth: int
) -> list[tuple[int, Solution]]:
    """Return the numbers and solutions of the `depth` cheapest chunks; ties go to the lower number."""
    solutions = brute_force.evaluate(question, chunks, ground, objective)
    order = sorted(range(len(solutions)), key=lambda number: (solutions[number].cost, number))
    return [(number, solutions[number]) for number in order[:depth]]


def check_is_brute_force(
    ranking: Ranking,
    question: TokenSet,
    chunks: Sequence[TokenSet],
    held: Sequence[int],
    ground: GroundCost,
    objective: Objective,
    depth: int,
) -> None:
    """The ranking of the chunks `held` has brute force's numbers and costs."""
    numbers = sorted(held)
    expected = best(question, [chunks[number] for number in numbers], ground, objective, depth)
    assert ranking.chunks.tolist() == [numbers[place] for place, _ in expected]
    np.testing.assert_allclose(ranking.costs, [solution.cost for _, solution in expected], atol=1e-12)


def vector(word: str, width: int = 7) -> np.ndarray:
    """A vector by the word's hash, between 0.5 and 6 long."""
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
    random = np.random.default_rng(seed)
    drawn = random.normal(size=width)
    return (drawn / np.linalg.norm(drawn) * random.uniform(0.5, 6)).astype(np.float32)


class WordEncoder:
    """A vector a word by its hash; one text may be poisoned."""

    encoder_id, dimension, max_tokens = "fake@1", 7, 99

    def __init__(self, poisoned: str | None = None) -> None:
        self.poisoned = poisoned
        self.texts: list[str] = []

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(words(text)) for text in texts]

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([vector(text) / np.linalg.norm(vector(text)) for text in texts])

    def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
        self.texts += texts
        result = []
        for text_ in texts:
            text_words = words(text_)
            vectors = (
                np.stack([vector(word) for word in text_words])
                if text_words
                else np.empty((0, 7), np.float32)
            )
            if text_ == self.poisoned:
                vectors = vectors * np.nan
            result.append(EncodedWords(text_words, vectors, self.encode([text_])[0]))
        return result


def check_same_packed(left: Packed | None, right: Packed | None) -> None:
    assert left is not None
    assert right is not None
    np.testing.assert_array_equal(left.features.stacked(), right.features.stacked())
    for field in fields(Packed):
        if field.name not in ("features", "codes"):
            np.testing.assert_array_equal(getattr(left, field.name), getattr(right, field.name))
    assert (left.codes is None) == (right.codes is None)
    if left.codes is not None and right.codes is not None:
        for field in fields(WordCodes):
            np.testing.assert_array_equal(getattr(left.codes, field.name), getattr(right.codes, field.name))


def pool_table(rows: Sequence[PoolRow], retriever: str = "dense") -> pa.Table:
    """`chunk_pools` rows of one retriever."""
    names = ("question_id", "candidate", "rank", "chunk_id", "score")
    records = [
        {"benchmark": "b", "retriever": retriever, **dict(zip(names, row, strict=True))} for row in rows
    ]
    return pa.Table.from_pylist(records, schema=CHUNK_POOLS.schema)
