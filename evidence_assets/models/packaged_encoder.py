"""The packaged encoder on a CPU, without the library that it was made for: the same vectors, sooner.

Importing sentence-transformers takes longer than most questions. all-MiniLM-L6-v2 is six layers of BERT and a
mean: the operations here are those of `transformers.models.bert`, in their order, and give the same bits; so
its `encoder_id` is the library's too. A test holds both to it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidence_assets.models.encoder import SentenceTransformerEncoder, hash_tensors, packaged_minilm

if TYPE_CHECKING:
    import torch

    Weights = Mapping[str, torch.Tensor]

_HEADS, _EPSILON = 12, 1e-12
# The library's modules and settings, as `SentenceTransformerEncoder` hashes them.
_MODULES = (
    'Transformer {"modality_config": {"text": {"method": "forward", '
    '"method_output_name": "last_hidden_state"}}, '
    '"module_output_name": "token_embeddings", "transformer_task": "feature-extraction"}',
    'Pooling {"embedding_dimension": 384, "include_prompt": true, "pooling_mode": "mean"}',
    'Normalize {"module_input_name": "sentence_embedding", "module_output_name": "sentence_embedding"}',
)


class PackagedMiniLM(SentenceTransformerEncoder):
    """all-MiniLM-L6-v2 from its package, on a CPU. `model`: the library's, loaded when it is asked for."""

    dimension, max_tokens = 384, 256

    def __init__(self, name: str, token_budget: int = 4096) -> None:
        from safetensors.torch import load_file
        from tokenizers import Tokenizer

        folder = Path(packaged_minilm())
        self._token_budget = token_budget
        self._backend: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._padding = int(json.loads((folder / "config.json").read_text(encoding="utf-8"))["pad_token_id"])
        stored = load_file(folder / "model.safetensors")
        self._weights: Weights = {
            key: weights for key, weights in stored.items() if not key.endswith("position_ids")
        }
        digest = hashlib.blake2b(
            "".join((*_MODULES, self._backend.to_str(), str(self.max_tokens))).encode(), digest_size=6
        )
        hash_tensors(digest, {f"0.model.{key}": weights for key, weights in self._weights.items()})
        self.encoder_id = f"{name}@{digest.hexdigest()}"

    @cached_property
    def model(self) -> Any:
        """The library's model: what extracts keywords asks for it."""
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(packaged_minilm(), device="cpu", trust_remote_code=False).eval()

    def _tokens(self, texts: Sequence[str]) -> tuple[list[list[int]], list[Any]]:
        self._backend.enable_truncation(self.max_tokens)
        self._backend.no_padding()
        encodings = self._backend.encode_batch(list(texts))
        return [encoding.ids for encoding in encodings], [encoding.offsets for encoding in encodings]

    def _outputs(self, input_ids: torch.Tensor, attention: torch.Tensor) -> dict[str, torch.Tensor]:
        import torch
        from torch.nn.functional import normalize

        with torch.inference_mode():
            tokens = _last_layer(self._weights, input_ids, attention)
            mask = attention.unsqueeze(-1).to(tokens.dtype)
            mean = (tokens * mask).sum(dim=1) / torch.clamp(mask.sum(dim=1), min=1e-9)
            return {"token_embeddings": tokens, "sentence_embedding": normalize(mean, p=2, dim=-1)}


def _last_layer(weights: Weights, input_ids: torch.Tensor, attention: torch.Tensor) -> torch.Tensor:
    """Return (n, tokens, width) what BERT makes of (n, tokens) token ids; `attention` is 0 at padding."""
    import torch
    from torch.nn.functional import embedding, gelu, layer_norm, linear, scaled_dot_product_attention

    def dense(name: str, values: torch.Tensor) -> torch.Tensor:
        return linear(values, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def normed(name: str, values: torch.Tensor) -> torch.Tensor:
        scale, shift = weights[f"{name}.LayerNorm.weight"], weights[f"{name}.LayerNorm.bias"]
        return layer_norm(values, scale.shape, scale, shift, _EPSILON)

    texts, length = input_ids.shape
    mask = None
    if not attention.all():
        mask = attention.bool()[:, None, None, :].expand(texts, -1, length, length)
    hidden = embedding(input_ids, weights["embeddings.word_embeddings.weight"])
    hidden = hidden + weights["embeddings.token_type_embeddings.weight"][torch.zeros_like(input_ids)]
    hidden = normed("embeddings", hidden + weights["embeddings.position_embeddings.weight"][None, :length])
    heads = (texts, length, _HEADS, -1)
    layers = sum(key.endswith("attention.self.query.weight") for key in weights)
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        query, key, value = (
            dense(f"{name}.attention.self.{part}", hidden).view(heads).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        context = scaled_dot_product_attention(
            query, key, value, attn_mask=mask, scale=query.shape[-1] ** -0.5
        )
        context = context.transpose(1, 2).reshape(texts, length, -1).contiguous()
        hidden = normed(f"{name}.attention.output", dense(f"{name}.attention.output.dense", context) + hidden)
        inner = gelu(dense(f"{name}.intermediate.dense", hidden))
        hidden = normed(f"{name}.output", dense(f"{name}.output.dense", inner) + hidden)
    return hidden
