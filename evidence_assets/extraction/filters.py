"""Filters of entity words and of pairs (thesis 5.3.4, with additions)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import stem
from evidence_assets.text.words import words

SHORTEST = 3
# Uninformative tails: nearly everything is an object or a material.
GENERIC, REVERSED, SEED = "generic_tail", "reversed_duplicate", "seed"

IntArray = NDArray[np.int64]


@cache
def generic_words() -> frozenset[str]:
    """Return the words of `generic_words.txt`."""
    path = files("evidence_assets.extraction").joinpath("generic_words.txt")
    return frozenset(path.read_text(encoding="utf-8").split())


def allowed_words(vocabulary: Sequence[str], prompts: Iterable[str]) -> IntArray:
    """Return the numbers of the words that an entity may contain, ascending.

    Not: function words, words of fewer than three letters, words of one letter repeated, what is not of
    letters, and words of one stem with a word of the prompts.
    """
    prompt_stems = {stem(word) for prompt in prompts for word in words(prompt)}
    kept = [
        number
        for number, word in enumerate(vocabulary)
        if len(word) >= SHORTEST
        and word.isalpha()
        and len(set(word)) > 1
        and word not in function_words()
        and stem(word) not in prompt_stems
    ]
    return np.array(kept, dtype=np.int64)


def stem_numbers(vocabulary: Sequence[str]) -> IntArray:
    """Return (w,) one number a word, shared by words of one stem."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(stem(word), len(numbers)) for word in vocabulary], dtype=np.int64)


def stems_of(entity: str) -> tuple[str, ...]:
    """Return an entity's stems, in order: what "apple" and "apples" share."""
    return tuple(stem(word) for word in entity.split())


def pair_stems(pair: tuple[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a pair's stems: what pairs share that differ in their words' endings alone."""
    return stems_of(pair[0]), stems_of(pair[1])


def most_of_each(
    pairs: Sequence[tuple[str, str]], most_of_head: int, most_of_entity: int, wanted: int
) -> list[int]:
    """Return which pairs, given best first, are kept: numbers, ascending.

    A pair that a better one equals but for its words' endings is left out, as is one whose head has been kept
    as a head as often as it may, or whose head or tail as an entity: heads and tails are counted together.
    """
    seen, heads, entities = set(), Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    kept: list[int] = []
    for number, pair in enumerate(pairs):
        if len(kept) == wanted:
            break
        head, tail = pair_stems(pair)
        full = heads[head] >= most_of_head or max(entities[head], entities[tail]) >= most_of_entity
        if full or (head, tail) in seen:
            continue
        seen.add((head, tail))
        heads[head] += 1
        entities.update((head, tail))
        kept.append(number)
    return kept


def flags_of(pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return the flags of each pair, given best first: a generic tail, or a better-ranked reverse."""
    seen = set()
    flags_of_pairs = []
    for head, tail in pairs:
        generic = tail.split()[-1] in generic_words()
        reverse = pair_stems((tail, head)) in seen
        seen.add(pair_stems((head, tail)))
        flags_of_pairs.append([GENERIC] * generic + [REVERSED] * reverse)
    return flags_of_pairs
