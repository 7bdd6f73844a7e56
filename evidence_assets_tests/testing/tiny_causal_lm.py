"""A causal language model that is made on the spot: random weights over a byte-level vocabulary."""

from __future__ import annotations

from pathlib import Path

from evidence_assets_tests.testing.untyped import untyped

CONTEXT_TOKENS = 512
# So that a request's text, and no more than a role's name, goes into the prompt.
CHAT_TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)


def write_byte_tokenizer(folder: Path, context_tokens: int, chat_template: str | None) -> dict[str, int]:
    """Write a tokenizer of which every byte is a token; return the numbers of its tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    tokens = ["<pad>", "<s>", "</s>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    numbers = {token: place for place, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocab=numbers, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    wrapped = untyped(PreTrainedTokenizerFast)(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        model_max_length=context_tokens,
    )
    wrapped.chat_template = chat_template
    wrapped.save_pretrained(folder)
    return numbers


def make_tiny_causal_lm(folder: Path, seed: int = 1, *, chat_template: str | None = CHAT_TEMPLATE) -> str:
    """Write a two-layer Llama and its tokenizer to a folder; return the folder's name.

    Every byte is a token, so that there is a token count that can be told by hand. Weights are wider than
    usual, so that greedy choices are no near ties.
    """
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    numbers = write_byte_tokenizer(folder, CONTEXT_TOKENS, chat_template)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = untyped(LlamaForCausalLM)(
            LlamaConfig(
                vocab_size=len(numbers),
                hidden_size=64,
                intermediate_size=128,
                num_hidden_layers=2,
                num_attention_heads=4,
                num_key_value_heads=2,
                max_position_embeddings=CONTEXT_TOKENS,
                pad_token_id=0,
                bos_token_id=1,
                eos_token_id=2,
                initializer_range=0.3,
            )
        )
    model.save_pretrained(folder)
    return str(folder)
