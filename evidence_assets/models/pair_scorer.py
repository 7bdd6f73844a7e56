"""Scoring (query, text) pairs: one protocol, a cross-encoder, and encoder similarity as fallback."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from evidence_assets.models.encoder import Encoder, FloatArray, best_device, hash_weights

CROSS_ENCODER, ENCODER_SIMILARITY = "cross_encoder", "encoder_similarity"
# Scores are rounded so that the batch a pair is scored in does not change them.
_DECIMALS = 6


class PairScorer(Protocol):
    """Scores (query, text) pairs; higher is better.

    `measure`: what the scores are, as `score_parts` name them: a cross-encoder's, or the stand-in's.
    `scorer_id`: name and content hash of the weights.
    """

    measure: str
    scorer_id: str

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
        """Return (n,) scores of the pairs (queries[i], texts[i])."""


class EncoderSimilarity:
    """The stand-in where no cross-encoder is named: the cosine of the two texts' own vectors."""

    measure = ENCODER_SIMILARITY

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.scorer_id = f"{ENCODER_SIMILARITY}:{encoder.encoder_id}"

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
        """Return (n,) cosines."""
        distinct = list(dict.fromkeys([*queries, *texts]))
        place = {text: number for number, text in enumerate(distinct)}
        vectors = self._encoder.encode(distinct)
        left = [place[query] for query in queries]
        right = [place[text] for text in texts]
        result: FloatArray = np.einsum("nd,nd->n", vectors[left], vectors[right]).round(_DECIMALS)
        return result


class CrossEncoderScorer:
    """Any sentence-transformers cross-encoder with one output, by local path or hub name.

    Every pair is scored by its raw output, so that the order does not depend on the model's activation.

    Raises:
        ValueError: it has no fast tokenizer, or gives several numbers a pair, as it classifies.
    """

    measure = CROSS_ENCODER

    def __init__(
        self,
        location: str,
        revision: str | None = None,
        device: str | None = None,
        batch_size: int = 64,
    ) -> None:
        import torch
        from sentence_transformers import CrossEncoder

        self._model: Any = CrossEncoder(
            location,
            revision=revision,
            device=device or best_device(),
            trust_remote_code=False,
            activation_fn=torch.nn.Identity(),
        )
        outputs = self._model.config.num_labels
        if outputs != 1:
            raise ValueError(
                f"cross-encoder {location} gives {outputs} numbers a pair; remedy: name one that ranks, "
                "such as cross-encoder/ms-marco-MiniLM-L6-v2"
            )
        if not getattr(self._model.tokenizer, "is_fast", False):
            raise ValueError(f"cross-encoder {location}: no fast tokenizer; choose another model")
        self._batch_size = batch_size
        digest = hashlib.blake2b(digest_size=6)
        hash_weights(digest, self._model)
        digest.update(self._model.tokenizer.backend_tokenizer.to_str().encode())
        digest.update(str(self._model.max_seq_length).encode())
        name = location.rstrip("/").rpartition("/")[2]
        self.scorer_id = f"{CROSS_ENCODER}:{name}@{digest.hexdigest()}"

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
        """Return (n,) raw outputs; equal pairs are scored once."""
        pairs = list(zip(queries, texts, strict=True))
        if not pairs:
            return np.empty(0, dtype=np.float32)
        distinct = list(dict.fromkeys(pairs))
        place = {pair: number for number, pair in enumerate(distinct)}
        outputs = self._model.predict(distinct, batch_size=self._batch_size, show_progress_bar=False)
        scores = np.asarray(outputs, dtype=np.float32).round(_DECIMALS)
        result: FloatArray = scores[[place[pair] for pair in pairs]]
        return result


# Loaded once a process.
load_cross_encoder = lru_cache(maxsize=2)(CrossEncoderScorer)
