"""Paraphrases of a relation's prompt: keywords in every order, other words for them, joined into sentences.

Thesis 5.3.2. The sentence of a list of keywords comes from a text-to-text model where one is named; else the
masked language model itself chooses among authored connectives for each gap between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import Protocol

import numpy as np

from evidence_assets.extraction.pair_scores import perplexities
from evidence_assets.extraction.probing import (
    HEAD,
    TAIL,
    PromptError,
    check_prompt,
    entity_log_probabilities,
    filled,
)
from evidence_assets.models.encoder import Encoder, SentenceTransformerEncoder
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets.models.text_to_text import TextToTextModel
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import stem
from evidence_assets.text.words import words

Pairs = Sequence[tuple[str, str]]

# More orders than this are not tried: five keywords have 120.
MOST_ORDERS = 24
# Of the words that the model likes best in a keyword's place, those nearest in meaning, if near enough.
_LIKELIEST = 40
MOST_SUBSTITUTES = 3
LEAST_NEARNESS = 0.5
_MOST_KEYWORDS = 3
# How many phrases are tried in each gap, by the number of keywords beside the two entities.
_PHRASES_PER_GAP = (16, 5, 3, 2)
# Seeds that sentences are tried on: more say little more, and cost as much each.
_TRIED_SEEDS = 2


class SentenceMaker(Protocol):
    """Joins keywords into sentences. `maker_id` identifies it."""

    maker_id: str

    def sentences(self, keywords: Sequence[str], pairs: Pairs) -> list[str]:
        """Return prompts that hold the keywords in this order, `<ENT0>` and `<ENT1>` among them."""


@cache
def connectives() -> tuple[str, ...]:
    """Return the phrases of `connectives.txt`."""
    path = files("evidence_assets.extraction").joinpath("connectives.txt")
    return tuple(line for line in path.read_text(encoding="utf-8").splitlines() if line)


def keywords_of(prompt: str, pairs: Pairs, encoder: SentenceTransformerEncoder) -> list[str]:
    """Return the prompt's keywords beside its entities, in its order.

    Those that KeyBERT finds in the prompt filled with most of the seeds; words of the seeds are theirs.
    """
    from keybert import KeyBERT

    extractor = KeyBERT(model=encoder.model)
    # The library's own list of stop words holds "part" and "found", which are all that some prompts say.
    ignored = sorted(function_words())
    prompt_words = [word for word in words(prompt.replace(HEAD, " ").replace(TAIL, " ")) if word.isalpha()]
    votes = dict.fromkeys(prompt_words, 0)
    for head, tail in pairs:
        extracted = extractor.extract_keywords(
            filled(prompt, head, tail), keyphrase_ngram_range=(1, 1), stop_words=ignored, top_n=8
        )
        for word, _ in extracted:
            if word in votes and word not in words(f"{head} {tail}"):
                votes[word] += 1
    chosen = [word for word in votes if votes[word] * 2 > len(pairs)]
    return chosen[:_MOST_KEYWORDS]


def orders_of(keywords: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the orders of the keywords and both slots; of more than `MOST_ORDERS`, evenly chosen ones."""
    orders = list(permutations([HEAD, *keywords, TAIL]))
    yield from orders[:: -(-len(orders) // MOST_ORDERS)]


def substitutes(
    model: MaskedLanguageModel, encoder: Encoder, prompt: str, keyword: str, pairs: Pairs
) -> list[str]:
    """Return other words for a keyword of the prompt.

    Of those that the model likes best in its place, averaged over the seeds, the ones that mean most nearly
    what it means there: a cloze alone would put any other relation in.
    """
    total = np.zeros(len(model.words), dtype=np.float64)
    masked = _replaced(prompt, keyword, model.mask_text)
    for head, tail in pairs:
        tokens = model.tokens(filled(masked, head, tail))
        total += model.word_log_probabilities([tokens], [tokens.index(model.mask_id)])[0]
    excluded = {stem(word) for text in (prompt, *(" ".join(pair) for pair in pairs)) for word in words(text)}
    likely = [model.words[int(place)] for place in np.argsort(-total, kind="stable")]
    likely = [word for word in likely if word not in function_words() and stem(word) not in excluded]
    return _nearest(encoder, prompt, keyword, likely[:_LIKELIEST], pairs[:_TRIED_SEEDS])


def _nearest(
    encoder: Encoder, prompt: str, keyword: str, candidates: Sequence[str], pairs: Pairs
) -> list[str]:
    """Return the words nearest to the keyword by their vectors in its place, best first."""
    if not candidates:
        return []
    nearness = np.zeros(len(candidates))
    for pair in pairs:
        texts = [filled(_replaced(prompt, keyword, word), *pair) for word in (keyword, *candidates)]
        vectors = [
            encoded.unit[encoded.words.index(word)]
            for encoded, word in zip(encoder.encode_words(texts), (keyword, *candidates), strict=True)
        ]
        nearness += np.array(vectors[1:]) @ vectors[0] / len(pairs)
    order = np.argsort(-nearness, kind="stable")[:MOST_SUBSTITUTES]
    return [candidates[place] for place in order if nearness[place] >= LEAST_NEARNESS]


def _replaced(prompt: str, keyword: str, replacement: str) -> str:
    """Return the prompt with another word for a keyword: wherever `words` finds it, in a compound too."""
    return re.sub(
        rf"(?<![^\W_]){re.escape(keyword)}(?![^\W_])", lambda _: replacement, prompt, flags=re.IGNORECASE
    )


class ConnectiveMaker:
    """Joins keywords by authored connectives, those that the masked language model likes best in each gap."""

    def __init__(self, model: MaskedLanguageModel, most: int = 4) -> None:
        self._model, self._most = model, most
        self.maker_id = f"connectives by {model.model_id}"

    def sentences(self, keywords: Sequence[str], pairs: Pairs) -> list[str]:
        """Return the most fluent prompts of these keywords in this order, best first."""
        seeds = pairs[:_TRIED_SEEDS]
        count = _PHRASES_PER_GAP[min(len(keywords) - 2, len(_PHRASES_PER_GAP) - 1)]
        texts = [keywords[0]]
        if keywords[0] not in (HEAD, TAIL):
            texts = [keywords[0], f"the {keywords[0]}"]
        for position in range(1, len(keywords)):
            rest = " ".join(keywords[position:])
            texts = [
                " ".join(part for part in (text, phrase, keywords[position]) if part)
                for text in texts
                for phrase in ("", *self._likely(text, rest, seeds, count))
            ]
        texts = [text for text in dict.fromkeys(texts) if _usable(text)]
        if not texts:
            return []
        hardness = np.mean(
            [perplexities(self._model, [filled(text, *pair) for text in texts]) for pair in seeds], axis=0
        )
        return [texts[place] for place in np.argsort(hardness, kind="stable")[: self._most]]

    def _likely(self, before: str, after: str, pairs: Pairs, count: int) -> list[str]:
        """Return the phrases likeliest in a gap: the mean log-probability of their tokens, all masked."""
        model = self._model
        totals = dict.fromkeys(connectives(), 0.0)
        by_length: dict[int, list[tuple[str, list[int]]]] = {}
        for phrase in connectives():
            tokens = model.entity_tokens(phrase)
            by_length.setdefault(len(tokens), []).append((phrase, tokens))
        for head, tail in pairs:
            for length, phrases in by_length.items():
                gap = " ".join([model.mask_text] * length)
                text = f"{before} {gap} {after}".replace(HEAD, head).replace(TAIL, tail)
                row = model.tokens(f"{text}.")
                places = [place for place, token in enumerate(row) if token == model.mask_id]
                likely = model.token_log_probabilities(
                    [row] * (length * len(phrases)),
                    places * len(phrases),
                    [token for _, tokens in phrases for token in tokens],
                )
                for (phrase, _), value in zip(
                    phrases, likely.reshape(-1, length).mean(axis=1).tolist(), strict=True
                ):
                    totals[phrase] += value
        return sorted(totals, key=lambda phrase: (-totals[phrase], phrase))[:count]


class RewritingMaker:
    """Joins keywords by a text-to-text model, which is given them with a seed's entities for the slots."""

    def __init__(self, model: TextToTextModel, most: int = 4) -> None:
        self._model, self._most = model, most
        self.maker_id = model.model_id

    def sentences(self, keywords: Sequence[str], pairs: Pairs) -> list[str]:
        """Return the model's sentences that keep both entities and the order, as prompts."""
        seeds = pairs[:_TRIED_SEEDS]
        given = [
            ", ".join({HEAD: head, TAIL: tail}.get(word, word) for word in keywords) for head, tail in seeds
        ]
        prompts: dict[str, None] = {}
        for (head, tail), written in zip(seeds, self._model.rewrite(given, self._most), strict=True):
            for text in written:
                prompt = as_prompt(text, keywords, head, tail)
                if prompt is not None:
                    prompts.setdefault(prompt)
        return list(prompts)


def as_prompt(text: str, keywords: Sequence[str], head: str, tail: str) -> str | None:
    """Return a sentence with slots for its entities; None where its keywords are not in this order."""
    lowered = " ".join(text.lower().split()).rstrip(".")
    place = 0
    for word in keywords:
        sought = {HEAD: head.lower(), TAIL: tail.lower()}.get(word, word)
        match = re.compile(rf"\b{re.escape(sought)}\b").search(lowered, place)
        if match is None:
            return None
        slot = word if word in (HEAD, TAIL) else lowered[match.start() : match.end()]
        lowered = lowered[: match.start()] + slot + lowered[match.end() :]
        place = match.start() + len(slot)
    return lowered if _usable(lowered) else None


def _usable(prompt: str) -> bool:
    """Return whether a prompt has both slots, says something, and no word of meaning twice."""
    try:
        check_prompt(prompt)
    except PromptError:
        return False
    meaning = [word for word in prompt.split() if word not in function_words()]
    return len(set(meaning)) == len(meaning)


def paraphrases(
    model: MaskedLanguageModel,
    encoder: Encoder,
    maker: SentenceMaker,
    prompt: str,
    pairs: Pairs,
    keywords: Sequence[str],
) -> list[str]:
    """Return prompts that say the same in other words and orders, without the initial one.

    A prompt that fits the seeds no better than the reversed seeds is left out: it states the converse.
    """
    prompts: dict[str, None] = {}
    for order in orders_of(keywords):
        for text in maker.sentences(order, pairs):
            prompts.setdefault(text)
    for keyword in keywords:
        for substitute in substitutes(model, encoder, prompt, keyword, pairs):
            for text in [prompt, *prompts]:
                if keyword in words(text):
                    prompts.setdefault(_replaced(text, keyword, substitute))
    prompts.pop(prompt, None)
    return [text for text in prompts if keeps_direction(model, text, pairs)]


def keeps_direction(model: MaskedLanguageModel, prompt: str, pairs: Pairs) -> bool:
    """Return whether the seeds are likelier under the prompt than the reversed seeds, on average."""
    forward = entity_log_probabilities(model, prompt, pairs)
    backward = entity_log_probabilities(model, prompt, [(tail, head) for head, tail in pairs])
    return bool(forward.mean() > backward.mean())
