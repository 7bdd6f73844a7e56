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
class CodedTexts:
    """Texts whose words are integers: text t's are rows offsets[t] to offsets[t + 1] of `codes`.

    `marginals`: (n,) normalised weights. `mean_errors`: (c,) of a text's words, by weight; `largest_errors`.
    `sentences`: (c, d), or None if any text has none.
    """

    codes: WordCodes
    offsets: NDArray[np.int64]
    marginals: Values
    mean_errors: Values
    largest_errors: Values
    sentences: Values | None

    def __len__(self) -> int:
        return len(self.mean_errors)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Return (c,) words of each text."""
        return np.diff(self.offsets)

    def between(self, first: int, last: int) -> CodedTexts:
        """Return texts first to last, as views."""
        start, end = int(self.offsets[first]), int(self.offsets[last])
        offsets = self.offsets[first : last + 1] - start
        return self._part(slice(start, end), offsets, slice(first, last))

    def take(self, texts: NDArray[np.int64]) -> CodedTexts:
        """Return some texts, in the order given."""
        lengths = self.lengths[texts]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        rows = np.arange(offsets[-1]) + np.repeat(self.offsets[texts] - offsets[:-1], lengths)
        return self._part(rows, offsets, texts)

    def _part(
        self,
        rows: slice | NDArray[np.int64],
        offsets: NDArray[np.int64],
        texts: slice | NDArray[np.int64],
    ) -> CodedTexts:
        sentences = None if self.sentences is None else self.sentences[texts]
        errors = self.mean_errors[texts], self.largest_errors[texts]
        return CodedTexts(self.codes.take(rows), offsets, self.marginals[rows], *errors, sentences)


def coded_texts(packed: Packed) -> CodedTexts:
    """Return packed texts as integers.

    Raises:
        ValueError: they were packed for another cost than the cosine's.
    """
    if packed.codes is None:
        raise ValueError("only texts that are packed for the cosine cost are kept as integers")
    errors, starts = packed.codes.errors.astype(np.float64), packed.offsets[:-1]
    return CodedTexts(
        packed.codes,
        packed.offsets,
        packed.marginals,
        np.add.reduceat(errors * packed.marginals, starts),
        np.maximum.reduceat(errors, starts),
        None if packed.sentences is None else np.asarray(packed.sentences, np.float64),
    )


def coded_costs(form: ClosedForm, questions: CodedTexts, chunks: CodedTexts) -> tuple[Values, Values]:
    """Return (q, c) costs over the ground cost's scale, and how far the true ones may be from each.

    Raises:
        InvalidTokenSetError: the form has a sentence term and a text has no sentence vector.
    """
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
    costs = form.covering * (1.0 - covering) + form.saying * (1.0 - saying)
    if form.sentence:
        if questions.sentences is None or chunks.sentences is None:
            raise InvalidTokenSetError(f"{form.name} compares sentence vectors, and a text has none")
        costs += form.sentence * (1.0 - questions.sentences @ chunks.sentences.T)
    # A product of words off by e and f is off by e + f + e f: its mean over one side, at the other's largest.
    question_errors, chunk_errors = questions.mean_errors[:, None], chunks.mean_errors
    errors = form.covering * (question_errors + (1.0 + question_errors) * chunks.largest_errors)
    errors += form.saying * (chunk_errors + (1.0 + chunk_errors) * questions.largest_errors[:, None])
    return costs, errors + _ROUNDING * (form.covering + form.saying)
