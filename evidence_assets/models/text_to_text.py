"""Text-to-text models: one protocol, and its transformers backend."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

from evidence_assets.models.encoder import best_device, hash_weights

BATCH_TEXTS = 16


class TextToTextError(Exception):
    """A model cannot be used: names it and the remedy."""


class TextToTextModel(Protocol):
    """Turns texts into others."""

    @property
    def model_id(self) -> str:
        """Name and content hash of weights and vocabulary."""

    def rewrite(self, texts: Sequence[str], count: int) -> list[list[str]]:
        """Return each text's `count` likeliest rewritings, best first."""


class TransformersTextToText:
    """Any encoder-decoder of the transformers library, by local folder or hub name; beams, nothing by chance.

    Parameters
    ----------
    max_tokens
        The longest text written.

    Raises:
        TextToTextError: it cannot be loaded.
    """

    def __init__(
        self, location: str, revision: str | None = None, device: str | None = None, max_tokens: int = 48
    ) -> None:
        from safetensors import SafetensorError
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(location, revision=revision)
            model: Any = AutoModelForSeq2SeqLM.from_pretrained(
                location, revision=revision, trust_remote_code=False, use_safetensors=True
            )
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
            raise TextToTextError(
                f"text-to-text model at {location}: {' '.join(str(error).split())[:300]}; remedy: name a "
                "folder or hub model of an encoder-decoder, or none"
            ) from error
        self._model = model.eval().to(device or best_device())
        self._max_tokens = max_tokens
        digest = hashlib.blake2b(digest_size=8)
        digest.update(self._tokenizer.backend_tokenizer.to_str().encode())
        hash_weights(digest, self._model)
        self._id = f"{location.rstrip('/').rpartition('/')[2]}@{digest.hexdigest()}"

    @property
    def model_id(self) -> str:
        """Name and content hash."""
        return self._id

    def rewrite(self, texts: Sequence[str], count: int) -> list[list[str]]:
        """Return each text's `count` likeliest rewritings, best first."""
        import torch

        rewritings: list[list[str]] = []
        for begin in range(0, len(texts), BATCH_TEXTS):
            batch = list(texts[begin : begin + BATCH_TEXTS])
            inputs = self._tokenizer(batch, return_tensors="pt", padding=True).to(self._model.device)
            with torch.inference_mode():
                written = self._model.generate(
                    **inputs,
                    num_beams=count,
                    num_return_sequences=count,
                    max_new_tokens=self._max_tokens,
                    do_sample=False,
                )
            decoded = self._tokenizer.batch_decode(written, skip_special_tokens=True)
            rewritings += [decoded[place : place + count] for place in range(0, len(decoded), count)]
        return rewritings


@lru_cache(maxsize=1)
def load_text_to_text(location: str, revision: str | None, device: str | None) -> TransformersTextToText:
    """Return a model, loaded once a process."""
    return TransformersTextToText(location, revision, device)
