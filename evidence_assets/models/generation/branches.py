"""Texts with several continuations each as one row of tokens, and what a causal language model makes of them.

A token sees what stands before it in its own text alone: the prefix, and the continuation that it is of. So a
row is read as if every continuation followed its prefix with nothing beside it, and a prefix is read once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

# The branch of a prefix's tokens, which each of its continuations sees.
_PREFIX = -1


@dataclass(frozen=True, slots=True)
class Branched:
    """A row of tokens.

    `positions`, `texts`, `branches`: of each token its position in its own text, which prefix it belongs to,
    and which continuation of it. `sources`: the places of the tokens before each token of a continuation;
    `targets`: these tokens, continuation by continuation, as long as `lengths` tells.
    """

    tokens: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)
    branches: list[int] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def add(self, before: Sequence[int], after: Sequence[Sequence[int]]) -> None:
        """Add a prefix, of at least one token, and its continuations."""
        text = self.texts[-1] + 1 if self.texts else 0
        self._extend(before, 0, text, _PREFIX)
        last = len(self.tokens) - 1
        for branch, tokens in enumerate(after):
            first = len(self.tokens)
            self.sources.extend([last, *range(first, first + len(tokens) - 1)])
            self.targets.extend(tokens)
            self.lengths.append(len(tokens))
            self._extend(tokens, len(before), text, branch)

    def _extend(self, tokens: Sequence[int], position: int, text: int, branch: int) -> None:
        self.tokens.extend(tokens)
        self.positions.extend(range(position, position + len(tokens)))
        self.texts.extend([text] * len(tokens))
        self.branches.extend([branch] * len(tokens))


def log_probabilities(model: Any, row: Branched) -> torch.Tensor:
    """Return (t,) the natural log-probability of each of the row's targets, in double precision.

    `model`: a causal language model of the transformers library. Logits are computed where a target follows,
    nowhere else.

    Raises:
        ValueError: the model gives logits at other places.
    """
    import torch

    device, dtype = model.device, model.dtype
    texts, branches = (torch.tensor(values, device=device) for values in (row.texts, row.branches))
    order = torch.arange(len(row.tokens), device=device)
    seen = (branches[None] == _PREFIX) | (branches[:, None] == branches[None])
    seen &= (texts[:, None] == texts[None]) & (order[:, None] >= order[None])
    mask = torch.zeros(seen.shape, dtype=dtype, device=device).masked_fill(~seen, torch.finfo(dtype).min)
    outputs = model(
        torch.tensor([row.tokens], device=device),
        attention_mask=mask[None, None],
        position_ids=torch.tensor([row.positions], device=device),
        logits_to_keep=torch.tensor(row.sources, device=device),
        use_cache=False,
    )
    logits = outputs.logits[0].float()
    if len(logits) != len(row.sources):
        raise ValueError(f"{len(logits)} places have logits, and {len(row.sources)} were asked for")
    targets = torch.tensor(row.targets, device=device)[:, None]
    result: torch.Tensor = logits.gather(1, targets)[:, 0].double() - logits.logsumexp(dim=-1).double()
    return result
