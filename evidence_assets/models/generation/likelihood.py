"""Likelihoods of continuations under a causal language model: what a text makes of what may follow it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from evidence_assets.models.encoder import best_device
from evidence_assets.models.generation.adapters import Adapter, with_adapter
from evidence_assets.models.generation.branches import Branched, log_probabilities
from evidence_assets.models.generation.protocol import GeneratorError
from evidence_assets.models.generation.transformers_local import load_causal_lm
from evidence_assets.progress import Progress

# Tokens of continuations that are read in one pass: each has a likelihood of every word there is.
_PASS_TOKENS = 512
# Tokens that a GPU reads in one pass, of as many prefixes as have room: a short row leaves it idle. A CPU
# reads one prefix at a time: what a longer row's tokens may not see costs it as much as what they may.
_GPU_PASS_TOKENS = 4_096
# What tells whether continuations are scored apart from one another: the last of a full pass, beside itself
# alone. They may differ by rounding: by so many nats a token, or so many steps of the weights' precision.
_PROBE, _PROBE_FILLER, _PROBED = "Question: which is a tree?\nAnswer:", " a river of great length", " an oak"
_MOST_APART, _MOST_STEPS = 0.01, 32
_REMEDY = "remedy: name a model whose layers attend to all of its text"


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
        ValueError: a prefix or continuation is empty, or a continuation does not fit after its prefix.
    """
    if not all(texts):
        raise ValueError("a continuation without a character has no likelihood; remedy: leave it out")
    before, after = tokens(prefix), [tokens(text) for text in texts]
    if not before or not all(after):
        raise ValueError("a text without a token has no likelihood and gives none; remedy: leave it out")
    if len(before) + max(map(len, after), default=0) > context_tokens:
        raise ValueError(
            f"{len(before)} tokens and a continuation exceed the context of {context_tokens}; remedy: give "
            "less evidence"
        )
    return before, after


class TransformersLikelihoodModel(LikelihoodModel):
    """A causal language model of the transformers library, in this process, in the precision of its weights.

    `location`: a folder, hub name, or GGUF file (by path, or `package:PACKAGE/FILE.gguf`). `adapter`: one
    that was trained for these weights, if it reads with one. `model`: the network, of the transformers
    library.

    Raises:
        GeneratorError: it cannot be loaded, or scores a text by what else is scored with it.
    """

    def __init__(
        self,
        name: str,
        location: str,
        revision: str | None = None,
        device: str | None = None,
        adapter: Adapter | None = None,
    ) -> None:
        self._tokenizer, self.model, known = load_causal_lm(name, location, revision)
        self._bfloat16 = adapter is not None and adapter.bfloat16
        if adapter is not None:
            self.model, changed = with_adapter(self.model, adapter.folder)
            known = f"{known}+{changed}"
        if self._bfloat16:
            _keep_in_half_precision(self.model)
        self.model.to(device or best_device())
        # None beside the first, unless there is a GPU to keep busy.
        self._pass_tokens = 0 if self.model.device.type == "cpu" else _GPU_PASS_TOKENS
        super().__init__(f"transformers:{location}@{known}", seen_tokens(self.model.config))
        self._check_masks(name)

    def count_tokens(self, text: str) -> int:
        """Return a text's tokens."""
        return len(self.tokens(text))

    def likelihoods(
        self,
        prefixes: Sequence[str],
        continuations: Sequence[Sequence[str]],
        progress: Progress | None = None,
    ) -> list[list[Likelihood]]:
        """Return each continuation's likelihood after its prefix, which many share in one pass."""
        scored: list[list[Likelihood]] = [[] for _ in prefixes]
        for row, members in self._rows(prefixes, continuations):
            for (number, text), total, tokens in zip(members, self._read(row), row.lengths, strict=True):
                scored[number].append(Likelihood(total, tokens, len(text)))
            if progress is not None:
                progress(members[-1][0] + 1, len(prefixes))
        return scored

    def tokens(self, text: str) -> list[int]:
        """Return a text's tokens, none added."""
        return list(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def _rows(
        self, prefixes: Sequence[str], continuations: Sequence[Sequence[str]]
    ) -> Iterator[tuple[Branched, list[tuple[int, str]]]]:
        """Yield rows of one pass each, with the prefix's number and the text of each continuation in it."""
        row, members = Branched(), list[tuple[int, str]]()
        for number, (prefix, texts) in enumerate(zip(prefixes, continuations, strict=True)):
            before, after = fitting_tokens(self.tokens, prefix, texts, self.context_tokens)
            for first, last in _parts(after):
                if members and not self._has_room(row, len(before), sum(map(len, after[first:last]))):
                    yield row, members
                    row, members = Branched(), []
                row.add(before, after[first:last])
                members += [(number, text) for text in texts[first:last]]
        if members:
            yield row, members

    def _has_room(self, row: Branched, before: int, after: int) -> bool:
        """Return whether a row takes a prefix and its continuations, of so many tokens, too."""
        tokens, targets = len(row.tokens) + before + after, len(row.targets) + after
        return tokens <= self._pass_tokens and targets <= _PASS_TOKENS

    def _read(self, row: Branched) -> list[float]:
        """Return sums of log-probabilities of continuations, each as it would stand alone."""
        import torch

        half = torch.autocast(self.model.device.type, torch.bfloat16, enabled=self._bfloat16)
        with torch.inference_mode(), half:
            of_tokens = log_probabilities(self.model, row).cpu()
        return [float(part.sum()) for part in torch.split(of_tokens, row.lengths)]

    def _check_masks(self, name: str) -> None:
        """Check that a continuation is scored as if no other stood beside it.

        Raises:
            GeneratorError: it is not: layers recur, slide, or count places otherwise than they are told.
        """
        import torch

        filler = _PASS_TOKENS // self.count_tokens(_PROBE_FILLER)
        said = f"generator {name}: {type(self.model).__name__}"
        try:
            fillers = [_PROBE_FILLER] * (filler - 1)
            _, [*_, beside] = self.likelihoods([_PROBE] * 2, [fillers[:1], [*fillers, _PROBED]])
            [[alone]] = self.likelihoods([_PROBE], [[_PROBED]])
        except (RuntimeError, TypeError, ValueError) as error:
            raise GeneratorError(
                f"{said} tells no likelihoods of texts side by side: {error}; {_REMEDY}"
            ) from error
        precision = torch.bfloat16 if self._bfloat16 else self.model.dtype
        most = max(_MOST_APART, _MOST_STEPS * torch.finfo(precision).eps)
        # What is no number is not within it either.
        if not abs(alone.per_token - beside.per_token) <= most:
            raise GeneratorError(f"{said} scores a text otherwise when others stand beside it; {_REMEDY}")


def _keep_in_half_precision(model: Any) -> None:
    """Keep a network's matrices as autocast multiplies them: else each pass makes the same numbers anew."""
    from torch import bfloat16
    from torch.nn import Linear, Parameter

    for module in model.modules():
        if isinstance(module, Linear):
            module.weight = Parameter(module.weight.detach().to(bfloat16), requires_grad=False)


def _parts(after: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield ranges of continuations of at most `_PASS_TOKENS` tokens together, or of one that is longer."""
    first, size = 0, 0
    for place, tokens in enumerate(after):
        if place > first and size + len(tokens) > _PASS_TOKENS:
            yield first, place
            first, size = place, 0
        size += len(tokens)
    if after:
        yield first, len(after)


def seen_tokens(config: Any) -> int:
    """Return the longest text of which every layer sees all: of a window's, where attention slides.

    `config`: a model's, of the transformers library.
    """
    config = config.get_text_config()
    longest = int(getattr(config, "max_position_embeddings", None) or 2_048)
    kinds = getattr(config, "layer_types", None)
    window = getattr(config, "sliding_window", None)
    if not window or (kinds is not None and "sliding_attention" not in kinds):
        return longest
    return min(longest, int(window))


# Loaded once a process.
load_likelihood_model = lru_cache(maxsize=1)(TransformersLikelihoodModel)
