"""What the parts as printed are trained or drawn with: part of the version of what they give."""

from __future__ import annotations

from dataclasses import dataclass

# The paper trains no projection (4.4, 4.5); these are drawn, once and for all.
HEADS, HEAD_WIDTH, SEED = 8, 48, 20_261_122


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a head is trained. One question in `held_out` is held out to evaluate it."""

    hidden: int = 32
    epochs: int = 10
    batch: int = 256
    learning_rate: float = 3e-3
    decay: float = 0.01
    held_out: int = 10
    seed: int = 20_261_123
