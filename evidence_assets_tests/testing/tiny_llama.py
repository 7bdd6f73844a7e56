"""A Llama with random weights that writes printable characters, made where it is needed."""

from __future__ import annotations

import string
from pathlib import Path

from evidence_assets_tests.testing.tiny_causal_lm import CHAT_TEMPLATE, write_byte_tokenizer
from evidence_assets_tests.testing.untyped import untyped


def make_llama(folder: Path) -> Path:
    """Save the model: a token a byte, so that counts are easily told."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    vocabulary = write_byte_tokenizer(folder, 4_096, CHAT_TEMPLATE)
    torch.manual_seed(1)
    model = untyped(LlamaForCausalLM)(
        LlamaConfig(
            vocab_size=len(vocabulary),
            # Heads of 32: the smallest that vLLM's attention on a CPU is made for.
            hidden_size=128,
            intermediate_size=256,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=4_096,
            pad_token_id=0,
            bos_token_id=1,
            eos_token_id=2,
            # Large weights: one token is far likelier than the next, and rounding decides nothing.
            initializer_range=0.3,
        )
    )
    printable = {
        vocabulary[character] for character in string.ascii_letters + string.digits + string.punctuation
    }
    with torch.no_grad():
        for number in range(len(vocabulary)):
            # Of half a character at a reply's end transformers makes U+FFFD, and vLLM nothing.
            if number not in printable | {vocabulary["</s>"]}:
                model.lm_head.weight[number] = 0.0
    # What many published models bring, and no request asked for.
    untyped(model.generation_config.update)(do_sample=True, repetition_penalty=1.5, top_k=20)
    model.save_pretrained(folder)
    return folder
