"""Masked language models small enough to enumerate: one made up, one real with random weights."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidence_assets.extraction.probing import HEAD, TAIL, Probe, Shape
from evidence_assets.models.encoder import EncodedWords
from evidence_assets.models.masked_lm import SHORTEST_WORD, FloatArray, IntArray, MaskedLanguageModel, Rows
from evidence_assets.text.words import words
from evidence_assets_tests.testing.untyped import untyped

START, END, MASK = "[CLS]", "[SEP]", "[MASK]"
_PIECE = re.compile(r"\[MASK\]|[^\W_]+|[^\w\s]")
Pair = tuple[tuple[int, ...], tuple[int, ...]]
WORDS = ["apple", "bread", "cheese", "drum", "eagle", "flute", "goat", "house", "island"]
PROMPTS = ("<ENT0> is by <ENT1>", "the <ENT1> of <ENT0> .")
# With these weights, averages of quarters are exact.
WEIGHTS = (1.0, 3.0)
QUARTERS = 0.25


class HashedModel(MaskedLanguageModel):
    """Made up: what it predicts at a place is random, but decided by the whole row.

    Words that it does not know are spelled. `grain`: log-probabilities are rounded to its multiples, so that
    averages of them are exact in any order of summing, and many are equal. `rows_run` counts its rows.
    """

    def __init__(
        self, known: Sequence[str], seed: int = 0, grain: float = 0.0, max_tokens: int = 200
    ) -> None:
        letters = [chr(code) for code in range(33, 127)]
        self.vocabulary = [START, END, MASK, *letters, *(word for word in known if len(word) > 1)]
        self._numbers = {word: number for number, word in enumerate(self.vocabulary)}
        self.words = sorted(word for word in known if len(word) >= SHORTEST_WORD)
        self.word_ids = np.array([self._numbers[word] for word in self.words], dtype=np.int64)
        self.mask_text, self.mask_id = MASK, self._numbers[MASK]
        self.model_id, self.max_tokens = f"hashed-{seed}", max_tokens
        self.rows_run = 0
        self._seed, self._grain = seed, grain
        self._predicted = cache(self._predict)

    def entity_tokens(self, text: str) -> list[int]:
        tokens: list[int] = []
        for piece in _PIECE.findall(text):
            known = piece if piece in self._numbers else piece.lower()
            tokens += [self._numbers[part] for part in ([known] if known in self._numbers else known)]
        return tokens

    def tokens(self, text: str) -> list[int]:
        return [self._numbers[START], *self.entity_tokens(text), self._numbers[END]]

    def logits(self, row: tuple[int, ...], place: int) -> NDArray[np.float64]:
        """What a subclass makes up otherwise."""
        digest = hashlib.blake2b(repr((self._seed, row, place)).encode(), digest_size=8).digest()
        return np.random.default_rng(int.from_bytes(digest)).normal(0, 2, len(self.vocabulary))

    def _predict(self, row: tuple[int, ...], place: int) -> FloatArray:
        logits = self.logits(row, place)
        likely: NDArray[np.float64] = logits - np.logaddexp.reduce(logits)
        if self._grain:
            likely = np.round(likely / self._grain) * self._grain
        return likely.astype(np.float32)

    def predictions(self, rows: Rows, places: Sequence[int]) -> FloatArray:
        """(n, v) log-probabilities of the whole vocabulary."""
        self.rows_run += len(rows)
        predicted = [
            self._predicted(tuple(int(token) for token in row), int(place))
            for row, place in zip(rows, places, strict=True)
        ]
        return np.array(predicted, dtype=np.float32).reshape(len(rows), len(self.vocabulary))

    def word_log_probabilities(
        self, rows: Rows, places: Sequence[int], among: IntArray | None = None
    ) -> FloatArray:
        assert len({len(row) for row in rows}) <= 1
        likely = self.predictions(rows, places)[:, self.word_ids]
        return likely if among is None else likely[:, among]

    def token_log_probabilities(
        self, rows: Sequence[Sequence[int]], places: Sequence[int], tokens: Sequence[int]
    ) -> FloatArray:
        return self.predictions(rows, places)[np.arange(len(rows)), np.array(tokens, dtype=np.int64)]

    def entropies(self, rows: Sequence[Sequence[int]], places: Sequence[int]) -> FloatArray:
        likely = self.predictions(rows, places)
        entropies: FloatArray = -(np.exp(likely) * likely).sum(axis=1)
        return entropies


class HashedEncoder:
    """Made up: a word's vector is its own, moved a little by the text that it stands in."""

    encoder_id, dimension, max_tokens = "hashed-encoder", 8, 64

    def __init__(self, alike: Mapping[str, str] | None = None) -> None:
        self._alike = alike or {}

    def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
        encoded = []
        for text in texts:
            text_words = words(text)
            vectors = [
                self._vector(self._alike.get(word, word)) + 0.1 * self._vector(text) for word in text_words
            ]
            sentence = self._vector(text)
            encoded.append(
                EncodedWords(
                    text_words,
                    np.array(vectors, dtype=np.float32).reshape(len(text_words), self.dimension),
                    (sentence / np.linalg.norm(sentence)).astype(np.float32),
                )
            )
        return encoded

    def encode(self, texts: Sequence[str]) -> FloatArray:
        return np.array([word.sentence for word in self.encode_words(texts)])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(words(text)) + 2 for text in texts]

    def _vector(self, text: str) -> NDArray[np.float64]:
        digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
        return np.random.default_rng(int.from_bytes(digest)).normal(size=self.dimension)


def tiny_bert(folder: Path, known: Sequence[str], seed: int = 0) -> MaskedLanguageModel:
    """A real BERT of two small layers with random weights; it spells what it does not know."""
    import torch
    from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
    from tokenizers.models import WordPiece
    from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

    letters = "abcdefghijklmnopqrstuvwxyz"
    pieces = ["[PAD]", "[UNK]", START, END, MASK, ".", *letters, *(f"##{letter}" for letter in letters)]
    vocabulary = {piece: number for number, piece in enumerate([*pieces, *known])}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{START} $A {END}", special_tokens=[(START, vocabulary[START]), (END, vocabulary[END])]
    )
    special = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": START, "sep_token": END}
    untyped(PreTrainedTokenizerFast)(
        tokenizer_object=tokenizer, mask_token=MASK, model_max_length=64, **special
    ).save_pretrained(folder)
    torch.manual_seed(seed)
    untyped(BertForMaskedLM)(
        BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=48,
            initializer_range=0.6,
        )
    ).save_pretrained(folder)
    return MaskedLanguageModel("tiny", str(folder), device="cpu")


class Literal:
    """The log-probabilities that a search is about, each from a sentence written out, one at a time."""

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._after = cache(self._continued)

    def chain(self, head: tuple[int, ...], tail: tuple[int, ...], head_first: bool) -> list[float]:
        """Of each word in the order of filling, averaged over the prompts by weight."""
        shape = Shape(len(head), len(tail))
        order = head + tail if head_first else tail + head
        return [float(self._after(shape, head_first, order[:step])[word]) for step, word in enumerate(order)]

    def _continued(self, shape: Shape, head_first: bool, prefix: tuple[int, ...]) -> FloatArray:
        weights = self._probe.weights
        averaged: FloatArray = sum(
            weight * self.of_prompt(prompt, shape, head_first, prefix)
            for prompt, weight in zip(self._probe.prompts, weights, strict=True)
        )
        return averaged

    def of_prompt(self, prompt: str, shape: Shape, head_first: bool, prefix: tuple[int, ...]) -> FloatArray:
        """(w,) of each word after the prefix: the sentence is written with the masks that are left."""
        model = self._probe.model
        spelled = [model.words[word] for word in prefix] + [model.mask_text] * (sum(shape) - len(prefix))
        if head_first:
            head, tail = spelled[: shape.head], spelled[shape.head :]
        else:
            tail, head = spelled[: shape.tail], spelled[shape.tail :]
        text = prompt.replace(HEAD, " ".join(head)).replace(TAIL, " ".join(tail))
        row = model.tokens(text if text.endswith(".") else f"{text}.")
        masks = [place for place, token in enumerate(row) if token == model.mask_id]
        fills_head = (len(prefix) < shape.head) == head_first if head_first else len(prefix) >= shape.tail
        head_reads_first = prompt.index(HEAD) < prompt.index(TAIL)
        before = 0
        if fills_head and not head_reads_first:
            before = tail.count(model.mask_text)
        if not fills_head and head_reads_first:
            before = head.count(model.mask_text)
        likely: FloatArray = model.word_log_probabilities([row], [masks[before]])[0]
        return likely

    def score(self, head: tuple[int, ...], tail: tuple[int, ...], bidirectional: bool) -> float:
        """A pair's: the least over head then tail, or the lesser of both conditionals."""
        forward = self.chain(head, tail, True)
        if not bidirectional:
            return round(min(forward), 4)
        backward = self.chain(head, tail, False)
        return round(min([*forward[len(head) :], *backward[len(tail) :]]), 4)

    def tail(self, head: tuple[int, ...], tail: tuple[int, ...]) -> float:
        """The least of the tail's words, filled in after the head's."""
        return round(min(self.chain(head, tail, True)[len(head) :]), 4)


def pairs_of(allowed: Sequence[int], alike: Sequence[int], shape: Shape) -> Iterator[Pair]:
    """Every pair of a shape of which no two words are alike."""
    for drawn in permutations(allowed, sum(shape)):
        if len({alike[word] for word in drawn}) == len(drawn):
            yield drawn[: shape.head], drawn[shape.head :]


def words_of(pair: tuple[str, str], numbers: Mapping[str, int]) -> Pair:
    """A pair of texts as the numbers of their words."""
    head, tail = (tuple(numbers[word] for word in end.split()) for end in pair)
    return head, tail


def by_rule(pair: Pair) -> tuple[int, ...]:
    """What decides between pairs of equal scores."""
    return tuple(word for end in pair for word in (*end, -1)[:2])


def best_of(
    scores: Mapping[Pair, float], size: int, most_of_first: int, tails: Mapping[Pair, float] | None = None
) -> list[tuple[Pair, float]]:
    """At most `size` pairs, at most so many of one head, best first; of equal scores the likelier tail."""
    best: list[tuple[Pair, float]] = []

    def rank(scored: tuple[Pair, float]) -> tuple[float, float, tuple[int, ...]]:
        pair, score = scored
        return -score, -(tails[pair] if tails else 0.0), by_rule(pair)

    for pair, score in sorted(scores.items(), key=rank):
        if len(best) < size and sum(earlier[0] == pair[0] for earlier, _ in best) < most_of_first:
            best.append((pair, score))
    return best


def probe_of(seed: int = 0, count: int = len(WORDS), grain: float = QUARTERS) -> Probe:
    """Both prompts over a made-up model of the first words."""
    return Probe(HashedModel(WORDS[:count], seed, grain), PROMPTS, WEIGHTS)
