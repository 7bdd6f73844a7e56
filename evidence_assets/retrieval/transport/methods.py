"""Named methods of comparing a question with a chunk: ground cost, marginals and objective.

`coverage` ranks evidence best and is the default; the others are what it was measured against.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from evidence_assets.models.encoder import EncodedWords
from evidence_assets.retrieval.transport.ground_costs import Cosine, Euclidean, GroundCost, JensenShannon
from evidence_assets.retrieval.transport.marginals import (
    Marginal,
    bm25_marginal,
    idf_marginal,
    printed_bm25_marginal,
    uniform_marginal,
)
from evidence_assets.retrieval.transport.objectives import (
    COVERAGE,
    COVERAGE_OF_WORDS,
    Balanced,
    ClosedForm,
    Objective,
    Partial,
)
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets.text.term_statistics import TermStatistics


class Scaling(StrEnum):
    """Length of word vectors: 1, as encoded, or as encoded times the word's weight."""

    UNIT = "unit"
    RAW = "raw"
    WEIGHTED = "weighted"


@dataclass(frozen=True, slots=True)
class Method:
    """A ground cost, an objective, the weights of words and the length of their vectors."""

    ground: GroundCost
    objective: Objective
    marginal: Marginal = bm25_marginal
    scaling: Scaling = Scaling.UNIT

    @property
    def solves(self) -> bool:
        """Whether each exact cost is a linear program."""
        return not isinstance(self.objective, ClosedForm)

    def token_set(self, encoded: EncodedWords, statistics: TermStatistics) -> TokenSet:
        """Return an encoded text as weighted words."""
        weights = self.marginal(encoded.words, statistics)
        match self.scaling:
            case Scaling.UNIT:
                vectors = encoded.unit
            case Scaling.RAW:
                vectors = encoded.vectors
            case Scaling.WEIGHTED:
                vectors = encoded.vectors * weights[:, None].astype(np.float32)
        return TokenSet(vectors, weights, encoded.sentence, encoded.words)


METHODS = {
    "coverage": Method(Cosine(), COVERAGE),
    "coverage_words": Method(Cosine(), COVERAGE_OF_WORDS),
    "coverage_jensen_shannon": Method(JensenShannon(), COVERAGE),
    # The nearest faithful repair of the printed form: unit vectors, a softmax as sharp as they need.
    "balanced": Method(JensenShannon(), Balanced()),
    "partial": Method(JensenShannon(), Partial()),
    # Thesis eq. 7.3 to 7.10 as printed.
    "paper": Method(JensenShannon(1.0, far=True), Balanced(), printed_bm25_marginal, Scaling.WEIGHTED),
    "moverscore": Method(Euclidean(), Balanced(), idf_marginal),
    "word_movers_distance": Method(Euclidean(), Balanced(), uniform_marginal, Scaling.RAW),
}
