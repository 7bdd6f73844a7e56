"""Text-to-text models of the transformers library."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from evidence_assets.models.encoder import best_device, content_hash, loading
from evidence_assets.progress import blocks

BATCH_TEXTS = 16


class TextToTextError(Exception):
    """A model cannot be used: names it and the remedy."""


class TextToTextModel:
    """Any encoder-decoder of the transformers library, by local folder or hub name; beams, nothing by chance.

    `model_id`: name and content hash of weights and vocabulary. `max_tokens`: the longest text written.

    Raises:
        TextToTextError: it cannot be loaded.
    """

    def __init__(
        self, location: str, revision: str | None = None, device: str | None = None, max_tokens: int = 48
    ) -> None:
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        remedy = "name a folder or hub model of an encoder-decoder, or none"
        with loading(TextToTextError, f"text-to-text model at {location}", remedy):
            self._tokenizer: Any = AutoTokenizer.from_pretrained(location, revision=revision)
            model: Any = AutoModelForSeq2SeqLM.from_pretrained(
                location, revision=revision, trust_remote_code=False, use_safetensors=True
            )
        self._model = model.eval().to(device or best_device())
        self._max_tokens = max_tokens
        vocabulary = self._tokenizer.backend_tokenizer.to_str()
        name = location.rstrip("/").rpartition("/")[2]
        self.model_id = f"{name}@{content_hash(self._model, vocabulary)}"

    def rewrite(self, texts: Sequence[str], count: int) -> list[list[str]]:
        """Return each text's `count` likeliest rewritings, best first."""
        import torch

        rewritings: list[list[str]] = []
        for batch in blocks(list(texts), BATCH_TEXTS):
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


# Loaded once a process.
load_text_to_text = lru_cache(maxsize=1)(TextToTextModel)
