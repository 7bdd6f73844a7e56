"""Likelihoods of continuations under a causal language model: what a text makes of what may follow it."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from evidence_assets.models.encoder import best_device
from evidence_assets.models.generation.transformers_local import load_causal_lm
from evidence_assets.progress import Progress

# Positions of a prefix's continuations that are computed at once.
_BATCH_TOKENS = 2_048


@dataclass(frozen=True, slots=True)
class Likelihood:
    """A continuation's log-probability in nats, summed over its tokens, and its length."""

    log_probability: float
    tokens: int
    characters: int

    @property
    def per_token(self) -> float:
        """The mean over tokens."""
        return self.log_probability / self.tokens

    @property
    def per_character(self) -> float:
        """The sum over characters: tokenizers of other grain give comparable values."""
        return self.log_probability / self.characters


class LikelihoodModel(ABC):
    """Scores continuations of texts. `model_id`: its name and weights; `context_tokens`: longest of both."""

    def __init__(self, model_id: str, context_tokens: int) -> None:
        self.model_id, self.context_tokens = model_id, context_tokens

    @abstractmethod
    def count_tokens(self, text: str) -> int:
        """Return a text's tokens."""

    @abstractmethod
    def likelihoods(
        self,
        prefixes: Sequence[str],
        continuations: Sequence[Sequence[str]],
        progress: Progress | None = None,
    ) -> list[list[Likelihood]]:
        """Return each continuation's likelihood after its prefix. A prefix's continuations share its cost.

        Raises:
            ValueError: a continuation is empty, or does not fit into the context after its prefix.
        """


def fitting_tokens(
    tokens: Callable[[str], list[int]], prefix: str, texts: Sequence[str], context_tokens: int
) -> tuple[list[int], list[list[int]]]:
    """Return the tokens of a prefix and of its continuations.

    The boundary is the text's: what a tokenizer would join across it is read as the continuation's.

    Raises:
        ValueError: a continuation is empty, or does not fit into the context after its prefix.
    """
    if not all(texts):
        raise ValueError("a continuation without a character has no likelihood; remedy: leave it out")
    before, after = tokens(prefix), [tokens(text) for text in texts]
    if len(before) + max(map(len, after), default=0) > context_tokens:
        raise ValueError(
            f"{len(before)} tokens and a continuation exceed the context of {context_tokens}; remedy: give "
            "less evidence"
        )
    return before, after


class TransformersLikelihoodModel(LikelihoodModel):
    """A causal language model of the transformers library, in this process, in the precision of its weights.

    `location`: a folder, hub name, or GGUF file (by path, or `package:PACKAGE/FILE.gguf`).

    Raises:
        GeneratorError: it cannot be loaded.
    """

    def __init__(
        self, name: str, location: str, revision: str | None = None, device: str | None = None
    ) -> None:
        self._tokenizer, self._model, known = load_causal_lm(name, location, revision)
        self._model.to(device or best_device())
        longest = int(getattr(self._model.config, "max_position_embeddings", None) or 2_048)
        super().__init__(f"transformers:{location}@{known}", longest)

    def count_tokens(self, text: str) -> int:
        """Return a text's tokens."""
        return len(self._tokens(text))

    def likelihoods(
        self,
        prefixes: Sequence[str],
        continuations: Sequence[Sequence[str]],
        progress: Progress | None = None,
    ) -> list[list[Likelihood]]:
        """Return each continuation's likelihood after its prefix, which is computed once for all of them."""
        scored = []
        for number, (prefix, texts) in enumerate(zip(prefixes, continuations, strict=True), 1):
            scored.append(self._of_prefix(prefix, texts))
            if progress is not None:
                progress(number, len(prefixes))
        return scored

    def _tokens(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def _of_prefix(self, prefix: str, texts: Sequence[str]) -> list[Likelihood]:
        before, after = fitting_tokens(self._tokens, prefix, texts, self.context_tokens)
        totals = self._totals(before, after)
        return [
            Likelihood(total, len(tokens), len(text))
            for total, tokens, text in zip(totals, after, texts, strict=True)
        ]

    def _totals(self, before: Sequence[int], after: Sequence[Sequence[int]]) -> list[float]:
        """Return the sums of the continuations' log-probabilities: the prefix once, then what follows."""
        import torch

        device = self._model.device
        totals: list[float] = []
        with torch.inference_mode():
            first = self._model(torch.tensor([list(before)], device=device), use_cache=True)
            opening = first.logits[0, -1].float().log_softmax(dim=-1)
            rows = max(1, _BATCH_TOKENS // max(map(len, after), default=1))
            for begin in range(0, len(after), rows):
                totals += self._after(before, after[begin : begin + rows], first.past_key_values, opening)
        return totals

    def _after(
        self, before: Sequence[int], after: Sequence[Sequence[int]], past: Any, opening: Any
    ) -> list[float]:
        """Return sums of log-probabilities of continuations of one prefix, computed together.

        `past`: the prefix's keys and values; `opening`: the log-probabilities of what follows it.
        """
        import torch

        longest = max(map(len, after))
        device = self._model.device
        padded = torch.zeros((len(after), longest), dtype=torch.long, device=device)
        mask = torch.ones((len(after), len(before) + longest), dtype=torch.long, device=device)
        for row, tokens in enumerate(after):
            padded[row, : len(tokens)] = torch.tensor(list(tokens), device=device)
            mask[row, len(before) + len(tokens) :] = 0
        shared = copy.deepcopy(past)
        shared.batch_repeat_interleave(len(after))
        logits = self._model(padded, attention_mask=mask, past_key_values=shared).logits.float()
        following = logits.log_softmax(dim=-1)
        sums = []
        for row, tokens in enumerate(after):
            total = float(opening[tokens[0]])
            rest = torch.tensor(list(tokens[1:]), dtype=torch.long, device=device)
            places = torch.arange(len(tokens) - 1, device=device)
            sums.append(total + float(following[row, places, rest].double().sum()))
        return sums


# Loaded once a process.
load_likelihood_model = lru_cache(maxsize=1)(TransformersLikelihoodModel)
