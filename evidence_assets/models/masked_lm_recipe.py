"""How a masked language model is made from a text."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_assets.models.resumable_training import Schedule


@dataclass(frozen=True, slots=True)
class Recipe(Schedule):
    """How a model is made.

    `masked`: share of tokens masked. `kept_average`: weight of the past in the exponential average of the
    weights. `vocabulary`: tokens in all, the text's most frequent ones and common words where those leave
    room; rarer words are spelled. `layers`: of the encoder's body, the lowest kept; 0 keeps all. `held_out`:
    sentences that are evaluated and never trained on. `scratch_layers`, `scratch_width`: of a body without
    an encoder.
    """

    steps: int = 900
    batch: int = 32
    body_rate: float = 4e-4
    head_rate: float = 1e-3
    masked: float = 0.2
    kept_average: float = 0.98
    vocabulary: int = 6_000
    longest: int = 64
    layers: int = 0
    held_out: int = 200
    scratch_layers: int = 2
    scratch_width: int = 128
    evaluations: int = 10
