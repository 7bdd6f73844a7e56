"""Likelihoods of continuations by vLLM: the log-probabilities that it gives a prompt's own tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from evidence_assets.models.generation.likelihood import Likelihood, LikelihoodModel, fitting_tokens
from evidence_assets.models.generation.vllm_local import VllmGenerator
from evidence_assets.progress import Progress, blocks

# Prefixes whose continuations are one batch to the engine.
_BATCH_PREFIXES = 64


class VllmLikelihoodModel(LikelihoodModel):
    """A causal language model of vLLM, in this process, by the engine that a generator has loaded.

    The engine computes a prefix anew for each continuation, as it keeps no log-probabilities of prompts, and
    schedules all of a batch together. It always writes a token, which takes one of the context.
    """

    def __init__(self, generator: VllmGenerator) -> None:
        super().__init__(generator.generator_id, generator.context_tokens - 1)
        self._generator = generator

    def count_tokens(self, text: str) -> int:
        """Return a text's tokens."""
        return len(self._generator.text_tokens(text))

    def likelihoods(
        self,
        prefixes: Sequence[str],
        continuations: Sequence[Sequence[str]],
        progress: Progress | None = None,
    ) -> list[list[Likelihood]]:
        """Return each continuation's likelihood after its prefix."""
        pairs = [
            (texts, *fitting_tokens(self._generator.text_tokens, prefix, texts, self.context_tokens))
            for prefix, texts in zip(prefixes, continuations, strict=True)
        ]
        scored: list[list[Likelihood]] = []
        for batch in blocks(pairs, _BATCH_PREFIXES, progress):
            outputs = iter(
                self._generator.scored_prompts(
                    [before + tokens for _, before, after in batch for tokens in after]
                )
            )
            for texts, _, after in batch:
                scored.append(
                    [
                        Likelihood(_total(next(outputs), len(tokens)), len(tokens), len(text))
                        for text, tokens in zip(texts, after, strict=True)
                    ]
                )
        return scored


def _total(output: Any, count: int) -> float:
    """Return the sum of the log-probabilities of a prompt's last tokens."""
    tokens, known = output.prompt_token_ids[-count:], output.prompt_logprobs[-count:]
    return math.fsum(there[token].logprob for token, there in zip(tokens, known, strict=True))
