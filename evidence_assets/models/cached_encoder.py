"""A caching encoder: a text is encoded once for every asset, run or machine
that shares the folder. An interrupted run resumes at its last checkpoint.

One pass of the encoder gives a text's vector and its words' vectors: whoever asks for the words leaves the
text's vector behind as well, and whoever knows that the words will be asked for keeps them with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evidence_assets.lake.filesystem import safe_path_part
from evidence_assets.models.array_store import ArrayStore, keys_of
from evidence_assets.models.encoder import EncodedWords, Encoder, FloatArray
from evidence_assets.progress import Progress, blocks

CHECKPOINT_TEXTS = 2048
# Word vectors take a hundred times the space of a text's vector: past this size no more are stored, and
# the rest is encoded again. In memory at once: `WORD_CHECKPOINT_TEXTS` texts.
WORD_STORE_BYTES = 8 << 30
WORD_CHECKPOINT_TEXTS = 512
# Share of that space for words not asked for yet: the rest is for those that are compared.
_EARLY_WORDS = 4
# Labels of kept vectors: the whole text was encoded, or its end was cut off. Older ones have none.
_WHOLE, _CUT, _UNKNOWN = "whole", "cut", ""
# Special tokens that an encoder adds to a text, at most.
_SPECIAL_TOKENS = 4


class CachedEncoder:
    """An encoder whose vectors are cached in a folder named by its id, so that encoders never mix.

    `encoded` and `reused` count distinct texts of each call, over the object's life. `cut` holds the
    texts longer than the encoder takes, of those whose vectors were asked for since it was last emptied.
    `progress` is called in calls of more than one checkpoint that pass no progress of their own.
    """

    def __init__(
        self,
        encoder: Encoder,
        folder: Path,
        word_store_bytes: int = WORD_STORE_BYTES,
        progress: Progress | None = None,
    ) -> None:
        self._encoder, self._progress = encoder, progress
        # Caching changes no vector.
        self.encoder_id, self.dimension = encoder.encoder_id, encoder.dimension
        self.max_tokens = encoder.max_tokens
        folder_of_encoder = folder / safe_path_part(encoder.encoder_id)
        self._texts = ArrayStore(folder_of_encoder / "texts", encoder.dimension, np.float32)
        self._words = ArrayStore(folder_of_encoder / "word_means", encoder.dimension, np.float16)
        self._word_store_bytes = word_store_bytes
        self.encoded = 0
        self.reused = 0
        self.cut: set[str] = set()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return each text's number of tokens, special tokens counted, without cutting."""
        return self._encoder.count_tokens(texts)

    def encode(
        self, texts: Sequence[str], progress: Progress | None = None, keep_words: bool = False
    ) -> FloatArray:
        """Return (n, d) unit vectors, in the order given; equal texts are encoded once.

        `progress` gets (texts done, texts to encode) at every checkpoint. `keep_words`: the words of these
        texts are likely to be asked for, so they are kept too, while they take little of the space for words.
        """
        distinct = list(dict.fromkeys(texts))
        missing = self._longest_first(self._texts, distinct)
        if progress is None and len(missing) > CHECKPOINT_TEXTS:
            progress = self._progress
        done = 0
        while done < len(missing):
            with_words = keep_words and self._words.size() < self._word_store_bytes // _EARLY_WORDS
            piece = missing[done : done + (WORD_CHECKPOINT_TEXTS if with_words else CHECKPOINT_TEXTS)]
            if with_words:
                encoded = self._encoder.encode_words(piece)
                # What is asked for is kept last: a run that died in between encodes the piece again.
                self._keep_words(piece, encoded)
                self._keep_texts(piece, _sentences(encoded))
            else:
                self._keep_texts(piece, self._encoder.encode(piece))
            done += len(piece)
            if progress is not None:
                progress(done, len(missing))
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        unlabelled = []
        for row, (text, key) in enumerate(zip(texts, keys_of(texts), strict=True)):
            label, array = self._texts.get(key)
            vectors[row] = array[0]
            if label == _CUT:
                self.cut.add(text)
            elif label == _UNKNOWN:
                unlabelled.append(text)
        labels = self._labels(unlabelled)
        self.cut.update(text for text, label in zip(unlabelled, labels, strict=True) if label == _CUT)
        return vectors

    def _labels(self, texts: Sequence[str]) -> list[str]:
        """Tell of each text whether it is encoded whole or cut."""
        # No token is shorter than a byte: most texts are short enough to be known without counting.
        long = [text for text in texts if len(text.encode()) + _SPECIAL_TOKENS > self.max_tokens]
        lengths = dict(zip(long, self.count_tokens(long), strict=True)) if long else {}
        return [_CUT if lengths.get(text, 0) > self.max_tokens else _WHOLE for text in texts]

    def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
        """Return every text's word vectors and its own vector, in the order given, to half precision.

        The precision is the same whether they were cached or not.
        """
        distinct = list(dict.fromkeys(texts))
        missing = self._longest_first(self._words, distinct)
        fresh: dict[str, EncodedWords] = {}
        for piece in blocks(missing, WORD_CHECKPOINT_TEXTS):
            encoded = self._encoder.encode_words(piece)
            self._keep_texts(piece, _sentences(encoded))
            if self._words.size() < self._word_store_bytes:
                self._keep_words(piece, encoded)
            else:
                fresh.update(zip(piece, map(_halved, encoded), strict=True))
        keys = keys_of(texts)
        return [fresh.get(text) or self._remembered(key) for text, key in zip(texts, keys, strict=True)]

    def remember_words(self, texts: Sequence[str], progress: Progress | None = None) -> None:
        """Encode texts that are not cached, longest first, until the store is full.

        `progress` gets (texts done, texts to encode) at every checkpoint.
        """
        missing = self._longest_first(self._words, list(dict.fromkeys(texts)))
        for piece in blocks(missing, WORD_CHECKPOINT_TEXTS, progress):
            if self._words.size() >= self._word_store_bytes:
                return
            encoded = self._encoder.encode_words(piece)
            self._keep_texts(piece, _sentences(encoded))
            self._keep_words(piece, encoded)

    def _keep_words(self, texts: Sequence[str], encoded: Sequence[EncodedWords]) -> None:
        """Store the words of texts, where they are missing, to half precision."""
        keys = keys_of(texts)
        missing = self._words.missing(keys).tolist()
        if missing:
            kept = [encoded[place] for place in missing]
            arrays = [np.vstack([words.sentence[None], words.vectors]) for words in kept]
            self._words.put(keys[missing], [" ".join(words.words) for words in kept], arrays)

    def _keep_texts(self, texts: Sequence[str], vectors: FloatArray) -> None:
        """Store the texts' own vectors, where they are missing."""
        keys = keys_of(texts)
        missing = self._texts.missing(keys).tolist()
        if missing:
            labels = self._labels([texts[place] for place in missing])
            self._texts.put(keys[missing], labels, list(vectors[missing][:, None, :]))

    def _remembered(self, key: np.void) -> EncodedWords:
        label, array = self._words.get(key)
        vectors = array.astype(np.float32)
        return EncodedWords(label.split(), vectors[1:], vectors[0])

    def _longest_first(self, store: ArrayStore, distinct: list[str]) -> list[str]:
        """Return the texts not yet cached, longest first, so that batches have similar lengths."""
        missing = [distinct[place] for place in store.missing(keys_of(distinct))]
        self.encoded += len(missing)
        self.reused += len(distinct) - len(missing)
        return sorted(missing, key=lambda text: (-len(text), text))


def _sentences(encoded: Sequence[EncodedWords]) -> FloatArray:
    return np.stack([words.sentence for words in encoded])


def _halved(words: EncodedWords) -> EncodedWords:
    def rounded(array: FloatArray) -> FloatArray:
        return array.astype(np.float16).astype(np.float32)

    return EncodedWords(words.words, rounded(words.vectors), rounded(words.sentence))
