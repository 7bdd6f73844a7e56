"""Scoring (query, text) pairs: one protocol, a cross-encoder, and encoder similarity as fallback."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from evidence_assets.models.encoder import Encoder, FloatArray, best_device, hash_tensors
from evidence_assets.text.queries import fitting_end

CROSS_ENCODER, ENCODER_SIMILARITY = "cross_encoder", "encoder_similarity"
# Scores are rounded so that the batch a pair is scored in does not change them.
_DECIMALS = 6


class PairScorer(Protocol):
    """Scores (query, text) pairs; higher is better.

    `measure`: what the scores are, as `score_parts` name them: a cross-encoder's, or the stand-in's.
    `scorer_id`: name and content hash of the weights. `cut`: how many distinct pairs of a call were longer
    than the model takes, over the object's life: their texts' ends were cut.
    """

    measure: str
    scorer_id: str
    cut: int

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
        """Return (n,) scores of the pairs (queries[i], texts[i])."""


class EncoderSimilarity:
    """The stand-in where no cross-encoder is named: the cosine of the two texts' own vectors.

    The encoder itself counts what it cuts.
    """

    measure, cut = ENCODER_SIMILARITY, 0

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

    Every pair is scored by its raw output, so that the order does not depend on the model's activation. Of a
    query that takes more than half of the model's limit the last words are kept, as many as fit in that half:
    the option stands last, and the text beside it cuts nothing off it.

    Raises:
        ValueError: it has no fast tokenizer, or gives several numbers a pair, as it classifies.
    """

    measure = CROSS_ENCODER

    def __init__(
        self, location: str, revision: str | None = None, device: str | None = None, batch_size: int = 64
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
        self._batch_size, self.cut = batch_size, 0
        self._limit = int(self._model.max_seq_length)
        self._special_tokens = int(self._model.tokenizer.num_special_tokens_to_add(pair=True))
        digest = hashlib.blake2b(digest_size=6)
        hash_tensors(digest, self._model.state_dict())
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
        kept = {query: self._kept(query) for query in dict.fromkeys(queries)}
        read = [(kept[query], text) for query, text in distinct]
        self.cut += self._longer(read)
        outputs = self._model.predict(read, batch_size=self._batch_size, show_progress_bar=False)
        scores = np.asarray(outputs, dtype=np.float32).round(_DECIMALS)
        result: FloatArray = scores[[place[pair] for pair in pairs]]
        return result

    def _kept(self, query: str) -> str:
        """Return the longest end of a query that takes at most half of the limit."""
        room = (self._limit - self._special_tokens) // 2
        start, _ = fitting_end(query, lambda end: self._lengths([end])[0] <= room)
        return query[start:]

    def _longer(self, pairs: Sequence[tuple[str, str]]) -> int:
        """Return how many pairs are longer than the limit."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        lengths = dict(zip(texts, self._lengths(texts), strict=True))
        room = self._limit - self._special_tokens
        return sum(lengths[query] + lengths[text] > room for query, text in pairs)

    def _lengths(self, texts: Sequence[str]) -> list[int]:
        """Return each text's number of tokens, without special ones."""
        encoded = self._model.tokenizer(
            list(texts), add_special_tokens=False, truncation=False, padding=False, verbose=False
        )
        return [len(ids) for ids in encoded["input_ids"]]


# Loaded once a process.
load_cross_encoder = lru_cache(maxsize=2)(CrossEncoderScorer)
