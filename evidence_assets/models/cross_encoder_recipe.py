"""How a cross-encoder is trained to read, and what it is trained on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReaderTraining:
    """How a reader is trained.

    `steps`: batches of `batch` questions. `body_rate`, `head_rate`: greatest learning rates of the encoder's
    body and of the new output. `frozen_layers`: the lowest layers of the body that are not trained, word
    vectors with them where there are any. `longest`: tokens of a pair, special tokens counted: of the query
    the last half are kept, of the text what then fits. `evaluations`: how often the validation questions are
    answered; the weights of the best of these are kept.
    """

    steps: int = 1_500
    batch: int = 8
    body_rate: float = 5e-5
    head_rate: float = 5e-4
    warm_up: float = 0.06
    weight_decay: float = 0.01
    frozen_layers: int = 2
    longest: int = 96
    evaluations: int = 4
    seed: int = 2026


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
