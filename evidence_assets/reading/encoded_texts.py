"""Lookup table of text vectors that are encoded in one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evidence_assets.models.encoder import Encode, FloatArray


class EncodedTexts:
    """Texts, each encoded once, all in one call.

    Args:
        texts: The texts to look up, with repetitions.
        encode: Distinct texts to their vectors, (n, d).
    """

    def __init__(self, texts: Iterable[str], encode: Encode) -> None:
        self._place = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        self._vectors = encode(list(self._place))

    def of(self, texts: Sequence[str]) -> FloatArray:
        """Return (n, d) vectors, in the order of `texts`.

        Raises:
            KeyError: a text was not encoded.
        """
        return self._vectors[[self._place[text] for text in texts]]
