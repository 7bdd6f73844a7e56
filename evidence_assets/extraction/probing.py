"""Probing a masked language model with a relation's prompts: the log-probability of each word in a slot.

A pair of entities is filled in word by word, the head's words first or the tail's; every word's
log-probability is conditional on those already filled in, with the others masked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets.progress import blocks

HEAD, TAIL = "<ENT0>", "<ENT1>"
_LONGEST_PROMPT = 2_000

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
WordIndices = tuple[int, ...]


class Shape(NamedTuple):
    """How many words a pair's head and tail have."""

    head: int
    tail: int

    def __str__(self) -> str:
        """Return the name that tables use: 1-1, 1-2, 2-1 or 2-2."""
        return f"{self.head}-{self.tail}"


SHAPES = (Shape(1, 1), Shape(1, 2), Shape(2, 1), Shape(2, 2))


class PromptError(Exception):
    """A prompt cannot be used with a model: the message names it and the remedy."""


@dataclass(frozen=True, slots=True)
class Cloze:
    """A prompt as tokens with its entities masked. `head`, `tail`: the masked places, as they are read."""

    tokens: tuple[int, ...]
    head: tuple[int, ...]
    tail: tuple[int, ...]


def check_prompt(prompt: str) -> None:
    """Check that a prompt has both slots, once each, and something besides.

    Raises:
        PromptError: it has not.
    """
    for slot in (HEAD, TAIL):
        if prompt.count(slot) != 1:
            raise PromptError(
                f"prompt {prompt!r} holds {slot} {prompt.count(slot)} times; remedy: write it once, where "
                "the entity stands"
            )
    if not prompt.replace(HEAD, "").replace(TAIL, "").strip(" ."):
        raise PromptError(f"prompt {prompt!r} says nothing beside its two slots; remedy: word the relation")


def filled(prompt: str, head: str, tail: str) -> str:
    """Return the prompt as a sentence with its entities, ended by a full stop."""
    before, _, rest = prompt.partition(HEAD)
    if TAIL in before:
        first, _, between = before.partition(TAIL)
        text = f"{first}{tail}{between}{head}{rest}"
    else:
        between, _, after = rest.partition(TAIL)
        text = f"{before}{head}{between}{tail}{after}"
    return text if text.rstrip().endswith((".", "!", "?")) else f"{text.rstrip()}."


def cloze(model: MaskedLanguageModel, prompt: str, head: int, tail: int) -> Cloze:
    """Return a prompt with `head` and `tail` masked tokens for its entities.

    Raises:
        PromptError: a slot is missing, or the prompt is longer than the model.
    """
    check_prompt(prompt)
    mask = model.mask_text
    if len(prompt) > _LONGEST_PROMPT:
        raise PromptError(f"prompt {prompt[:60]!r}… has {len(prompt):,} letters; remedy: word it shortly")
    tokens = model.tokens(filled(prompt, " ".join([mask] * head), " ".join([mask] * tail)))
    if len(tokens) > model.max_tokens:
        raise PromptError(
            f"prompt {prompt!r} has {len(tokens)} tokens, the model takes {model.max_tokens}; remedy: "
            "word it more shortly"
        )
    masked = tuple(place for place, token in enumerate(tokens) if token == model.mask_id)
    if len(masked) != head + tail:
        raise PromptError(f"prompt {prompt!r} holds the model's own mask, {mask}; remedy: leave it out")
    if prompt.index(HEAD) < prompt.index(TAIL):
        return Cloze(tuple(tokens), masked[:head], masked[head:])
    return Cloze(tuple(tokens), masked[tail:], masked[:tail])


@dataclass(frozen=True, slots=True)
class Filling:
    """One way to fill a pair in: its shape, and whether the head's words come first."""

    shape: Shape
    head_first: bool

    @property
    def first(self) -> int:
        """Words of the entity that is filled in first."""
        return self.shape.head if self.head_first else self.shape.tail

    @property
    def second(self) -> int:
        """Words of the other."""
        return self.shape.tail if self.head_first else self.shape.head

    def places(self, masked: Cloze) -> tuple[int, ...]:
        """Return a cloze's places in the order of filling."""
        return masked.head + masked.tail if self.head_first else masked.tail + masked.head

    def order(self, head: WordIndices, tail: WordIndices) -> WordIndices:
        """Return a pair's words in the order of filling."""
        return head + tail if self.head_first else tail + head


class Probe:
    """A relation's prompts, weighted, and the model that fills them.

    `prompts`: texts with both slots. `weights`: what each counts for, scaled to a sum of 1. `passes` counts
    the rows that the model was run on.

    Raises:
        PromptError: a prompt lacks a slot or is longer than the model.
        ValueError: there is no prompt, or a weight is not positive.
    """

    def __init__(self, model: MaskedLanguageModel, prompts: Sequence[str], weights: Sequence[float]) -> None:
        if not prompts or min(weights) <= 0 or len(prompts) != len(weights):
            raise ValueError("every prompt needs a weight, and every weight must be positive")
        for prompt in prompts:
            cloze(model, prompt, 2, 2)
        self.model, self.prompts = model, tuple(prompts)
        scaled = np.asarray(weights, dtype=np.float64)
        self.weights = (scaled / scaled.sum()).astype(np.float32)
        self.passes = 0
        self._clozes = cache(partial(cloze, model))

    def continuations(
        self, filling: Filling, prefixes: Sequence[WordIndices], among: IntArray | None = None
    ) -> FloatArray:
        """Return (n, w) log-probabilities of each word after each prefix, averaged over the prompts.

        `prefixes`: words already filled in, as indices into the model's words; all of one length. `among`:
        indices of the words that are asked for; None: of all.
        """
        total = np.zeros(1, dtype=np.float32)
        for prompt, weight in zip(self.prompts, self.weights, strict=True):
            total = total + weight * self.continuations_of(prompt, filling, prefixes, among)
        return total

    def continuations_of(
        self, prompt: str, filling: Filling, prefixes: Sequence[WordIndices], among: IntArray | None = None
    ) -> FloatArray:
        """Return (n, w) log-probabilities of each word after each prefix, under one prompt."""
        known = self._clozes(prompt, *filling.shape)
        places = filling.places(known)
        depth = len(prefixes[0])
        rows = np.tile(np.array(known.tokens, dtype=np.int64), (len(prefixes), 1))
        if depth:
            rows[:, list(places[:depth])] = self.model.word_ids[np.array(prefixes, dtype=np.int64)]
        self.passes += len(prefixes)
        return self.model.word_log_probabilities(rows, [places[depth]] * len(prefixes), among)

    def chains(self, filling: Filling, words: Sequence[WordIndices], first: int = 0) -> FloatArray:
        """Return (p, n, s) log-probabilities of the words of each pair, under each prompt.

        `words`: each pair's, in the order of filling. `first`: the step to begin at; the words before are
        taken as filled in. s counts the steps from there. Prefixes that pairs share are run once.
        """
        steps = sum(filling.shape)
        log_probabilities = np.empty((len(self.prompts), len(words), steps - first), dtype=np.float32)
        for step in range(first, steps):
            rows_of: dict[WordIndices, list[int]] = {}
            for number, ordered in enumerate(words):
                rows_of.setdefault(ordered[:step], []).append(number)
            prefixes = sorted(rows_of)
            for batch in blocks(prefixes, _TOGETHER):
                owners = np.array([row for row, prefix in enumerate(batch) for _ in rows_of[prefix]])
                numbers = np.array([number for prefix in batch for number in rows_of[prefix]])
                wanted = np.array([words[number][step] for number in numbers])
                for place, prompt in enumerate(self.prompts):
                    likely = self.continuations_of(prompt, filling, batch)
                    log_probabilities[place, numbers, step - first] = likely[owners, wanted]
        return log_probabilities


# Prefixes whose continuations are held in memory at once: with 30,000 words, 60 MB.
_TOGETHER = 512


def entity_log_probabilities(
    model: MaskedLanguageModel, prompt: str, pairs: Sequence[tuple[str, str]]
) -> FloatArray:
    """Return (n, 2): log p(head | tail) and log p(tail | head) of pairs of any words, under one prompt.

    An entity's is the least of its tokens', filled in from left to right: a word that is no single token of
    the vocabulary is as many tokens as it needs.
    """
    rows: list[list[int]] = []
    places: list[int] = []
    tokens: list[int] = []
    owners: list[tuple[int, int]] = []
    for number, (head, tail) in enumerate(pairs):
        ends = (model.entity_tokens(head), model.entity_tokens(tail))
        known = cloze(model, prompt, len(ends[0]), len(ends[1]))
        spots = (known.head, known.tail)
        for side in (0, 1):
            row = list(known.tokens)
            for spot, token in zip(spots[1 - side], ends[1 - side], strict=True):
                row[spot] = token
            for spot, token in zip(spots[side], ends[side], strict=True):
                rows.append(list(row))
                places.append(spot)
                tokens.append(token)
                owners.append((number, side))
                row[spot] = token
    log_probabilities = np.zeros((len(pairs), 2), dtype=np.float32)
    for (number, side), value in zip(
        owners, model.token_log_probabilities(rows, places, tokens), strict=True
    ):
        log_probabilities[number, side] = min(log_probabilities[number, side], value)
    return log_probabilities


def masked_in_turn(
    model: MaskedLanguageModel, sentences: Sequence[str]
) -> tuple[list[list[int]], list[int], list[int], list[int]]:
    """Return a row for each token of each sentence, that token masked.

    With it the masked position, the token there, and the sentence's number; special tokens are not masked.
    """
    rows: list[list[int]] = []
    places: list[int] = []
    tokens: list[int] = []
    owners: list[int] = []
    for number, sentence in enumerate(sentences):
        known = model.tokens(sentence)
        for place in range(1, len(known) - 1):
            rows.append([*known[:place], model.mask_id, *known[place + 1 :]])
            places.append(place)
            tokens.append(known[place])
            owners.append(number)
    return rows, places, tokens, owners


def places_by_shape(pairs: Sequence[tuple[str, str]]) -> dict[Shape, list[int]]:
    """Return the places of pairs of texts by how many words they have."""
    places: dict[Shape, list[int]] = {}
    for place, (head, tail) in enumerate(pairs):
        places.setdefault(Shape(len(head.split()), len(tail.split())), []).append(place)
    return places


def word_indices(model: MaskedLanguageModel) -> Mapping[str, int]:
    """Return each word's number among the model's words."""
    return {word: number for number, word in enumerate(model.words)}
