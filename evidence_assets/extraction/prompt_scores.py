"""Scores of a prompt's paraphrases: similar meaning, different wording, certainty (thesis 5.3.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evidence_assets.extraction.probing import filled, masked_in_turn
from evidence_assets.models.encoder import EncodedWords, Encoder
from evidence_assets.models.masked_lm import MaskedLanguageModel

MOST_PROMPTS = 20
SMOOTHING = 0.01
# A nearly certain sentence has an entropy near 0: 1 / entropy is capped at this.
MOST_CERTAIN = 10.0

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PromptScore:
    """A prompt's score (eq. 5.4) and its parts, each a mean over the seeds.

    `similarity`: BERTScore to the initial prompt, F1; `overlap`: BLEU, 0 to 1; `certainty`: 1 / entropy.
    """

    prompt: str
    similarity: float
    overlap: float
    certainty: float

    @property
    def score(self) -> float:
        """Return eq. 5.4 with both weights 1."""
        unlike = (1 + SMOOTHING) / (self.overlap + SMOOTHING)
        return self.similarity + 1 / (1 + math.exp(-unlike)) + self.certainty


def bert_score(reference: EncodedWords, candidate: EncodedWords) -> float:
    """Return BERTScore's F1: each word's best cosine in the other text, precision and recall (Zhang 2020).

    0 where either is not positive: of opposite signs, their harmonic mean has no bounds.
    """
    if not reference.words or not candidate.words:
        return 0.0
    cosines = candidate.unit @ reference.unit.T
    precision, recall = float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall) if min(precision, recall) > 0 else 0.0


def bleu(reference: str, candidate: str) -> float:
    """Return sentence BLEU, 0 to 1, smoothed as sacrebleu does by default."""
    from sacrebleu import sentence_bleu

    return float(sentence_bleu(candidate, [reference]).score) / 100.0


def certainties(model: MaskedLanguageModel, sentences: Sequence[str]) -> list[float]:
    """Return 1 / entropy of each sentence (eq. 5.2, 5.3), at most `MOST_CERTAIN`.

    Entropy: the mean, over the sentence's tokens, of the entropy in nats of what the model predicts there.
    The sum of p log p over the sentence's own words, another reading of eq. 5.3, would call the least likely
    sentence the surest.
    """
    rows, places, _, owners = masked_in_turn(model, sentences)
    sums = np.bincount(owners, weights=model.entropies(rows, places), minlength=len(sentences))
    means = sums / np.maximum(np.bincount(owners, minlength=len(sentences)), 1)
    return [min(1.0 / value, MOST_CERTAIN) if value > 0 else MOST_CERTAIN for value in means.tolist()]


def score_prompts(
    model: MaskedLanguageModel, encoder: Encoder, initial: str, prompts: Sequence[str], pairs: Pairs
) -> list[PromptScore]:
    """Return each prompt's score against the initial one, filled with the same seeds; in the order given."""
    references = [filled(initial, *pair) for pair in pairs]
    encoded = encoder.encode_words(references)
    sentences = [filled(prompt, *pair) for prompt in prompts for pair in pairs]
    alike = [
        bert_score(encoded[number % len(pairs)], sentence)
        for number, sentence in enumerate(encoder.encode_words(sentences))
    ]
    overlaps = [bleu(references[number % len(pairs)], text) for number, text in enumerate(sentences)]
    sure = certainties(model, sentences)

    def mean(values: Sequence[float], number: int) -> float:
        return float(np.mean(values[number * len(pairs) : (number + 1) * len(pairs)]))

    return [
        PromptScore(prompt, mean(alike, number), mean(overlaps, number), mean(sure, number))
        for number, prompt in enumerate(prompts)
    ]


def best_prompts(
    initial: PromptScore, rewordings: Sequence[PromptScore], most: int = MOST_PROMPTS
) -> list[tuple[PromptScore, float]]:
    """Return at most `most` prompts, best first, with weights that sum to 1 in proportion to their scores.

    The initial prompt is always one of them: arms ask for it.
    """

    def rank(score: PromptScore) -> tuple[float, str]:
        return -score.score, score.prompt

    kept = sorted([initial, *sorted(rewordings, key=rank)[: most - 1]], key=rank)
    total = sum(score.score for score in kept)
    return [(score, score.score / total) for score in kept]
