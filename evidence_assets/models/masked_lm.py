"""Masked language models of the transformers library, on CPU or GPU.

The interface takes rows of token ids with some positions masked, and returns for one position a
row the log-probabilities of the vocabulary's words. The output layer is applied there alone: over a
vocabulary it costs more than the body does over a short prompt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import best_device, content_hash, loading
from evidence_assets.progress import blocks

if TYPE_CHECKING:
    import torch

BATCH_ROWS = 64
SHORTEST_WORD = 3

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
# Tokens, row by row: of one length they may be one array.
Rows = Sequence[Sequence[int]] | IntArray


class MaskedLanguageModelError(Exception):
    """A model cannot be used: the message names it and the remedy."""


class MaskedLanguageModel:
    """Any masked language model of the transformers library, by local path, or by hub name and `revision`.

    `name`: what it is called in `model_id`, which adds the content hash of weights and vocabulary: what a
    harvested triple was made by. `device`: default a GPU where there is one. `words`: lower-case words that
    are one token each, sorted, what a mask can be filled with; `word_ids`: (w,) their tokens. `mask_id`,
    `mask_text`: the token of a masked place, and how it is written in a text. `max_tokens`: longest row,
    special tokens counted. `model`: the underlying model.

    Raises:
        MaskedLanguageModelError: it cannot be loaded, has no trained output layer or no mask.
    """

    def __init__(
        self, name: str, location: str, revision: str | None = None, device: str | None = None
    ) -> None:
        from transformers import AutoModelForMaskedLM, AutoTokenizer

        remedy = (
            "name a folder or hub model of a masked language model, or make one from a corpus "
            "(domain_masked_lm)"
        )
        with loading(MaskedLanguageModelError, f"masked language model {name} at {location}", remedy):
            tokenizer: Any = AutoTokenizer.from_pretrained(location, revision=revision)
            model, report = AutoModelForMaskedLM.from_pretrained(
                location, revision=revision, output_loading_info=True, trust_remote_code=False
            )
        missing = sorted(report["missing_keys"])
        if missing:
            raise MaskedLanguageModelError(
                f"masked language model {name} at {location} holds no {', '.join(missing[:3])}: its output "
                "layer was never trained; remedy: name a model with a masked-LM head, not an encoder alone"
            )
        if tokenizer.mask_token_id is None:
            raise MaskedLanguageModelError(
                f"model {name} at {location} has no mask token; remedy: name a masked language model"
            )
        rows = model.get_input_embeddings().num_embeddings
        if len(tokenizer) > rows:
            raise MaskedLanguageModelError(
                f"masked language model {name} at {location} knows {rows:,} tokens, its tokenizer writes "
                f"{len(tokenizer):,}; remedy: put the tokenizer there that the model was trained with"
            )
        # A model made from a corpus knows which of its tokens the corpus has: those come first.
        limit = getattr(model.config, "corpus_tokens", len(tokenizer))
        numbered = [(word, token) for word, token in _vocabulary_words(tokenizer) if token < limit]
        if not numbered:
            raise MaskedLanguageModelError(
                f"masked language model {name} at {location} has no word that is one token; remedy: put the "
                "tokenizer there that it was trained with, or name another model"
            )
        self.words = [word for word, _ in numbered]
        self.word_ids = np.array([token for _, token in numbered], dtype=np.int64)
        self.mask_id, self.mask_text = int(tokenizer.mask_token_id), str(tokenizer.mask_token)
        configured = int(getattr(model.config, "max_position_embeddings", 512))
        # RoBERTa's positions begin after the padding token's.
        offset = model.config.pad_token_id + 1 if "roberta" in model.config.model_type else 0
        self.max_tokens = min(configured - offset, int(tokenizer.model_max_length))
        self._tokenizer = tokenizer
        self.model: Any = model.eval().to(device or best_device())
        # From hidden vectors to logits: BERT-like models call it `cls`, RoBERTa-like ones `lm_head`.
        heads = (getattr(model, head, None) for head in ("cls", "lm_head"))
        self._head = next(filter(None, heads), None) if hasattr(model, model.base_model_prefix) else None
        vocabulary = tokenizer.backend_tokenizer.to_str()
        self.model_id = f"{name}@{content_hash(self.model, vocabulary, model.config.model_type)}"

    def tokens(self, text: str) -> list[int]:
        """Return a text's tokens with special tokens; `mask_text` in it is a masked place."""
        return list(self._tokenizer(text, truncation=False, verbose=False)["input_ids"])

    def entity_tokens(self, text: str) -> list[int]:
        """Return the tokens of a phrase within a text. A byte-level vocabulary knows words by their space."""
        return list(self._tokenizer(f" {text}", add_special_tokens=False, verbose=False)["input_ids"])

    def word_log_probabilities(
        self, rows: Rows, places: Sequence[int], among: IntArray | None = None
    ) -> FloatArray:
        """Return (n, w) each row's log-probabilities of `words` at its place; `among`: of these words alone.

        Normalised over the whole vocabulary. Rows are of one length, and run `BATCH_ROWS` at a time.
        """
        import torch

        ids = self.word_ids if among is None else self.word_ids[among]
        result = np.empty((len(rows), len(ids)), dtype=np.float32)
        wanted = torch.from_numpy(ids).to(self.model.device)
        for begin in range(0, len(rows), BATCH_ROWS):
            batch = slice(begin, begin + BATCH_ROWS)
            logits = self._logits(rows[batch], places[batch])
            normaliser = torch.logsumexp(logits, dim=1, keepdim=True)
            result[batch] = (logits[:, wanted] - normaliser).cpu().numpy()
        return result

    def token_log_probabilities(
        self, rows: Sequence[Sequence[int]], places: Sequence[int], tokens: Sequence[int]
    ) -> FloatArray:
        """Return (n,) each row's log-probability of one token at its place.

        Rows are of any lengths; those of one length are run together, equal ones once.
        """
        import torch

        numbers_of: dict[tuple[tuple[int, ...], int], list[int]] = {}
        for number, (row, place) in enumerate(zip(rows, places, strict=True)):
            numbers_of.setdefault((tuple(row), place), []).append(number)
        distinct = list(numbers_of)
        result = np.empty(len(rows), dtype=np.float32)
        for batch in _of_one_length([row for row, _ in distinct]):
            masked = [distinct[index] for index in batch]
            logits = self._logits([row for row, _ in masked], [place for _, place in masked])
            normaliser = torch.logsumexp(logits, dim=1)
            numbers = [number for key in masked for number in numbers_of[key]]
            owner = torch.tensor([index for index, key in enumerate(masked) for _ in numbers_of[key]])
            wanted = torch.tensor([tokens[number] for number in numbers])
            result[numbers] = (logits[owner, wanted] - normaliser[owner]).cpu().numpy()
        return result

    def entropies(self, rows: Sequence[Sequence[int]], places: Sequence[int]) -> FloatArray:
        """Return (n,) the entropy in nats of what is predicted at each row's place. Rows of any lengths."""
        import torch

        result = np.empty(len(rows), dtype=np.float32)
        for batch in _of_one_length(rows):
            logits = self._logits([rows[row] for row in batch], [places[row] for row in batch])
            likely = torch.log_softmax(logits, dim=1)
            result[batch] = -(likely.exp() * likely).sum(dim=1).cpu().numpy()
        return result

    def _logits(self, rows: Rows, places: Sequence[int]) -> torch.Tensor:
        """Return (n, vocabulary) logits at each row's place; the output layer sees that place alone."""
        import torch

        device = self.model.device
        ids = torch.tensor(np.asarray(rows), device=device)
        row = torch.arange(len(rows), device=device)
        place = torch.tensor(np.asarray(places), device=device)
        with torch.inference_mode():
            if self._head is None:
                at_places: torch.Tensor = self.model(input_ids=ids).logits[row, place].float()
                return at_places
            body = getattr(self.model, self.model.base_model_prefix)
            hidden = body(input_ids=ids).last_hidden_state
            logits: torch.Tensor = self._head(hidden[row, place]).float()
            return logits


def _of_one_length(rows: Sequence[Sequence[int]]) -> Iterator[Sequence[int]]:
    """Yield batches of row numbers; all rows of a batch have one length, so nothing is padded."""
    lengths: dict[int, list[int]] = {}
    for number, row in enumerate(rows):
        lengths.setdefault(len(row), []).append(number)
    for numbers in lengths.values():
        yield from blocks(numbers, BATCH_ROWS)


def _vocabulary_words(tokenizer: Any) -> list[tuple[str, int]]:
    """Return (word, token) of every token that alone is a lower-case word of letters within a text, sorted.

    A token is one if, read within a text, it gives the word, and the word gives it alone.
    """
    special = set(tokenizer.all_special_ids)
    tokens = [token for token in range(len(tokenizer)) if token not in special]
    if not tokens:
        return []
    texts = [text.strip() for text in tokenizer.batch_decode([[token] for token in tokens])]
    candidates = [
        (text, token)
        for text, token in zip(texts, tokens, strict=True)
        if len(text) >= SHORTEST_WORD and text.isalpha() and text == text.lower()
    ]
    backend = tokenizer.backend_tokenizer
    backend.no_padding()
    encodings = backend.encode_batch([f" {text}" for text, _ in candidates], add_special_tokens=False)
    result = {
        text: token
        for (text, token), encoding in zip(candidates, encodings, strict=True)
        if encoding.ids == [token]
    }
    return sorted(result.items())


# Loaded once a process.
load_masked_lm = lru_cache(maxsize=2)(MaskedLanguageModel)
