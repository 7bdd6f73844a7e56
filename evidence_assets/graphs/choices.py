"""What can be chosen of a graph: what its nodes' vectors are made from, what a step of a path costs."""

from __future__ import annotations

NUMBERBATCH, SPECTRAL = "numberbatch", "spectral"
HUB_PENALTY, HOP_COUNT = "hub_penalty", "hop_count"
COSTS = (HUB_PENALTY, HOP_COUNT)
