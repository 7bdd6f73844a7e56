"""Both sides of a closed form of the cosine cost, every question against every chunk, from words as integers.

One exact product of integers gives each question word's best partner in a chunk, and each chunk word's in a
question; what the integers are off by (`word_codes`) bounds the true costs from both sides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.retrieval.transport import kernels
from evidence_assets.retrieval.transport.objectives import ClosedForm
from evidence_assets.retrieval.transport.packing import Packed
from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError
from evidence_assets.retrieval.transport.word_codes import WordCodes, products

# About 64 questions of a dozen words against 30 passages: as many as keep a product busy and its result in a
# core's cache.
TILE_QUESTION_WORDS, TILE_CHUNK_WORDS = 768, 2048
# A product of integers, at most a little above 1, times two steps in single precision: two roundings.
_ROUNDING = 4.0 * 2.0**-24

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CodedWords:
    """Texts' words as integers: text t's are rows offsets[t] to offsets[t + 1] of `codes`.

    `marginals`: (n,) normalised weights.
    """

    codes: WordCodes
    offsets: NDArray[np.int64]
    marginals: Values

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Return (c,) words of each text."""
        return np.diff(self.offsets)

    def between(self, first: int, last: int) -> CodedWords:
        """Return the words of texts first to last, as views."""
        rows = slice(int(self.offsets[first]), int(self.offsets[last]))
        return CodedWords(
            self.codes.take(rows), self.offsets[first : last + 1] - rows.start, self.marginals[rows]
        )

    def take(self, texts: NDArray[np.int64]) -> CodedWords:
        """Return the words of some texts, in the order given."""
        offsets = np.concatenate([[0], np.cumsum(self.lengths[texts])])
        rows = np.arange(offsets[-1]) + np.repeat(self.offsets[texts] - offsets[:-1], np.diff(offsets))
        return CodedWords(self.codes.take(rows), offsets, self.marginals[rows])


@dataclass(frozen=True, slots=True)
class CodedTexts:
    """Texts whose words are integers.

    `mean_errors`: (c,) of a text's words, by weight; `largest_errors`. `sentences`: (c, d), or None if any
    text has none.
    """

    words: CodedWords
    mean_errors: Values
    largest_errors: Values
    sentences: Values | None

    def __len__(self) -> int:
        return len(self.words)

    def between(self, first: int, last: int) -> CodedTexts:
        """Return texts first to last, as views."""
        part = slice(first, last)
        sentences = None if self.sentences is None else self.sentences[part]
        errors = self.mean_errors[part], self.largest_errors[part]
        return CodedTexts(self.words.between(first, last), *errors, sentences)


def coded_texts(packed: Packed) -> CodedTexts:
    """Return packed texts as integers.

    Raises:
        ValueError: they were packed for another cost than the cosine's.
    """
    if packed.codes is None:
        raise ValueError("only texts that are packed for the cosine cost are kept as integers")
    errors, starts = packed.codes.errors.astype(np.float64), packed.offsets[:-1]
    return CodedTexts(
        CodedWords(packed.codes, packed.offsets, packed.marginals),
        np.add.reduceat(errors * packed.marginals, starts),
        np.maximum.reduceat(errors, starts),
        None if packed.sentences is None else np.asarray(packed.sentences, np.float64),
    )


def coded_costs(form: ClosedForm, questions: CodedTexts, chunks: CodedTexts) -> tuple[Values, Values]:
    """Return (q, c) costs over the ground cost's scale, and how far the true ones may be from each.

    Raises:
        InvalidTokenSetError: the form has a sentence term and a text has no sentence vector.
    """
    question, chunk = np.arange(len(questions))[:, None], np.arange(len(chunks))
    best = best_products(questions.words, chunks.words)
    return costs_of_pairs(form, questions, chunks, (question, chunk), best)


def best_products(questions: CodedWords, chunks: CodedWords) -> tuple[Values, Values]:
    """Return (q, c) weighted means of the largest products: of a question's words, of a chunk's."""
    covering, saying = (np.empty((len(questions), len(chunks))) for _ in range(2))
    kernels.best_products(
        products(questions.codes, chunks.codes),
        questions.codes.steps,
        chunks.codes.steps,
        questions.offsets,
        chunks.offsets,
        questions.marginals,
        chunks.marginals,
        covering,
        saying,
    )
    return covering, saying


def costs_of_pairs(
    form: ClosedForm,
    questions: CodedTexts,
    chunks: CodedTexts,
    pairs: tuple[NDArray[np.int64], NDArray[np.int64]],
    best: tuple[Values, Values],
) -> tuple[Values, Values]:
    """Return costs of pairs over the ground cost's scale, and how far the true ones may be from each.

    `pairs`: places of questions and of chunks. `best`: what `best_products` tells of each pair.

    Raises:
        InvalidTokenSetError: the form has a sentence term and a text has no sentence vector.
    """
    (question, chunk), (covering, saying) = pairs, best
    costs = form.covering * (1.0 - covering) + form.saying * (1.0 - saying)
    if form.sentence:
        if questions.sentences is None or chunks.sentences is None:
            raise InvalidTokenSetError(f"{form.name} compares sentence vectors, and a text has none")
        costs += form.sentence * (1.0 - (questions.sentences @ chunks.sentences.T)[question, chunk])
    # A product of words off by e and f is off by e + f + e f: its mean over one side, at the other's largest.
    question_errors, chunk_errors = questions.mean_errors[question], chunks.mean_errors[chunk]
    errors = form.covering * (question_errors + (1.0 + question_errors) * chunks.largest_errors[chunk])
    errors += form.saying * (chunk_errors + (1.0 + chunk_errors) * questions.largest_errors[question])
    return costs, errors + _ROUNDING * (form.covering + form.saying)
