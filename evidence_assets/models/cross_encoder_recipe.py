"""How a cross-encoder is trained to read, and what it is trained on."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_assets.models.resumable_training import Schedule


@dataclass(frozen=True, slots=True)
class ReaderTraining(Schedule):
    """How a reader is trained.

    `batch`: questions a step. `frozen_layers`: the lowest layers of the body that are not trained, word
    vectors with them where there are any. `longest`: tokens of a pair, special tokens counted: of the query
    the last half are kept, of the text what then fits. Of the evaluations' weights the best are kept.
    """

    steps: int = 1_500
    batch: int = 8
    body_rate: float = 5e-5
    head_rate: float = 5e-4
    frozen_layers: int = 2
    longest: int = 96
    evaluations: int = 4


@dataclass(frozen=True, slots=True)
class Example:
    """One question: a query and a text of evidence for each option, and which option is right.

    `bias`: what is added to the options' scores in training and never in reading: what a control that sees
    the option alone makes of each. What it explains, the reader need not learn. Empty: nothing.
    """

    name: str
    queries: tuple[str, ...]
    texts: tuple[str, ...]
    right: int
    bias: tuple[float, ...] = ()
