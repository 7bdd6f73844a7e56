"""The hyperparameters of the networks as printed."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class AttentionConfig:
    """Hyperparameters. The thesis names heads, layers, steps and threshold and states no value of any.

    Raises:
        ValueError: a value is out of its range, or heads do not divide the width; it names the field.
    """

    heads: int = 4
    """K of algorithm 6.1. Not stated: chosen. Convolution has no heads."""
    layers: int = 2
    """L of algorithm 6.1. Not stated: chosen."""
    width: int = 64
    """Hidden size d_h, of which every head has d_z = d_h / K (stated below eq. 6.3). Not stated: chosen."""
    steps: int = 20
    """T of algorithm 6.1. Not stated: chosen."""
    learning_rate: float = 0.01
    """Neither it nor the optimiser is stated: Adam with its usual moments, chosen."""
    threshold: float = 0.5
    """theta_0 of algorithm 6.1. "A predefined threshold", not stated: chosen."""
    seed: int = 0
    """Of the projection and the initial parameters, the same for every question. Not stated: chosen."""

    def __post_init__(self) -> None:
        for name in ("heads", "layers", "width"):
            self._check(name, getattr(self, name) >= 1, "1 or more")
        self._check("steps", self.steps >= 0, "0 or more")
        self._check("learning_rate", 0 < self.learning_rate < math.inf, "a number above 0")
        self._check("threshold", -1 <= self.threshold <= 1, "a cosine, from -1 to 1")
        self._check("seed", self.seed >= 0, "0 or more")
        self._check("heads", self.width % self.heads == 0, f"a divisor of the width, {self.width}")

    def _check(self, name: str, holds: bool, wanted: str) -> None:
        if not holds:
            raise ValueError(
                f"training: {name} is {getattr(self, name)}; "
                f"remedy: set {name} in the run configuration of node_relevance to {wanted}"
            )

    def as_json(self) -> str:
        """Return every value as JSON, in the order declared: equal for equal trainings alone."""
        return json.dumps(asdict(self))
