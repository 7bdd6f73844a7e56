"""What encoders of whole texts have in common in tests."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.models.encoder import EncodedWords


class TextEncoder:
    """An encoder whose tokens are a text's words, and that nobody may ask for the vectors of words."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
        raise AssertionError("no word vectors are needed")
