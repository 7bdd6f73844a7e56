"""A likelihood model whose figures are worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence_assets.models.generation.likelihood import Likelihood, LikelihoodModel
from evidence_assets.progress import Progress


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


class Counting(LikelihoodModel):
    """Words are tokens; a word costs 4 nats, 1 if the prefix has it, in any case."""

    def __init__(self, context_tokens: int = 1_000) -> None:
        super().__init__("counting", context_tokens)
        self.prefixes: list[str] = []

    def count_tokens(self, text: str) -> int:
        return len(_words(text))

    def likelihoods(
        self,
        prefixes: Sequence[str],
        continuations: Sequence[Sequence[str]],
        progress: Progress | None = None,
    ) -> list[list[Likelihood]]:
        self.prefixes += prefixes
        return [
            [
                Likelihood(
                    -float(sum(1 if word in _words(before) else 4 for word in _words(text))),
                    len(_words(text)),
                    len(text),
                )
                for text in texts
            ]
            for before, texts in zip(prefixes, continuations, strict=True)
        ]
