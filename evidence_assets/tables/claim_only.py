"""A claim judged by its words of form alone, without its table: the baseline of every set of claims.

What it gets right shows no reasoning over a table. Its weights are those of a logistic regression over the
function words, comparatives and pairs of neighbours of development claims (`benchmarks.fit_claim_only`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.reading.weighing.combination import softmax
from evidence_assets.tables.programs.wording.words import tokens

MEASURED, NAME = "evidence_assets.reading.measured", "claim_only"
TWO, THREE = "two_labels", "three_labels"
_CONTENT, _NUMBER = "_", "#"
# A word of content with one of these endings is kept: a comparative, superlative, adverb, participle.
_ENDINGS = ("er", "est", "ly", "ing", "ed")


def form_words(claim: str) -> list[str]:
    """Return a claim's words, those of content as a blank and numbers as one, and the pairs of neighbours."""
    forms = [
        token.text
        if token.stop
        else _NUMBER
        if token.number is not None
        else token.text
        if token.text.endswith(_ENDINGS)
        else _CONTENT
        for token in tokens(claim)
    ]
    return [*forms, *(" ".join(pair) for pair in pairwise(forms))]


@dataclass(frozen=True, slots=True)
class ClaimClassifier:
    """A linear classifier of claims. `weights`: by form word, one a label; `intercepts`: one a label."""

    labels: Sequence[str]
    intercepts: NDArray[np.float64]
    weights: Mapping[str, NDArray[np.float64]]

    def probabilities(self, claim: str) -> dict[str, float]:
        """Return each label's probability."""
        words = sorted({word for word in form_words(claim) if word in self.weights})
        scores = self.intercepts + sum((self.weights[word] for word in words), np.zeros(len(self.labels)))
        return dict(zip(self.labels, softmax(scores).tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class KeptClassifiers:
    """What was fitted for one set of labels.

    `whole`: on all of its development claims; `folds`: on all but those of a fold's tables; `fold_of`: each
    development table's fold, by `table_id`. `commonest`: the label that most development claims have.
    """

    whole: ClaimClassifier
    folds: Sequence[ClaimClassifier]
    fold_of: Mapping[str, int]
    commonest: str

    def of_table(self, table_id: str | None) -> ClaimClassifier:
        """Return the classifier that has seen no claim about this table."""
        fold = self.fold_of.get(table_id or "")
        return self.whole if fold is None else self.folds[fold]


@cache
def classifiers(labels: str) -> KeptClassifiers:
    """Return the classifiers of `two_labels` or `three_labels`: `measured/claim_only.json`."""
    fitted = json.loads(files(MEASURED).joinpath(f"{NAME}.json").read_text(encoding="utf-8"))[labels]

    def classifier(part: Mapping[str, Any]) -> ClaimClassifier:
        return ClaimClassifier(
            fitted["labels"],
            np.array(part["intercepts"], np.float64),
            {word: np.array(weights, np.float64) for word, weights in part["weights"].items()},
        )

    folds = list(map(classifier, fitted["folds"]))
    return KeptClassifiers(classifier(fitted["whole"]), folds, fitted["fold_of"], fitted["commonest"])
