"""Masked language models of three architectures with random weights, and the library's forward of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers, processors, trainers
from tokenizers.models import BPE, WordPiece
from transformers import (
    AddedToken,
    AutoModelForMaskedLM,
    BertConfig,
    BertForMaskedLM,
    DistilBertConfig,
    DistilBertForMaskedLM,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForMaskedLM,
)

from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets_tests.testing.untyped import untyped

WORDS = ["the", "rose", "flower", "hammer", "tool", "shark", "fish", "red", "kind", "naïve"]
SHORT = ["a", "is", "of", "ox"]
PIECES = [".", "!", "123", "##s", "##er", "##man", "gold2"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCABULARY = [*SPECIAL, *SHORT, *WORDS, *PIECES]
SENTENCES = [
    "A rose is a kind of flower.",
    "The primrose is a flower, a rose is a rose.",
    "A shark is a kind of fish, a shark is a fish.",
    "The hammer is a tool of the kind.",
    "Is the King a King of the kind?",
]
LONGEST = 24
KINDS = ("bert", "roberta", "distilbert")


def wordpiece(vocabulary: Sequence[str] = VOCABULARY, mask: str | None = "[MASK]") -> Any:
    """A tokenizer of BERT's kind; it takes texts of any length."""
    numbers = {token: number for number, token in enumerate(vocabulary)}
    tokenizer = Tokenizer(WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", numbers["[CLS]"]), ("[SEP]", numbers["[SEP]"])]
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return untyped(PreTrainedTokenizerFast)(tokenizer_object=tokenizer, mask_token=mask, **names)


def byte_level() -> Any:
    """A tokenizer of RoBERTa's kind, trained on a few sentences: a word within a text carries its space."""
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    tokenizer.train_from_iterator(
        SENTENCES * 5,
        trainers.BpeTrainer(
            vocab_size=340,
            special_tokens=special,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = {"bos_token": "<s>", "cls_token": "<s>", "sep_token": "</s>", "eos_token": "</s>"}
    return untyped(PreTrainedTokenizerFast)(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token=AddedToken("<mask>", lstrip=True, special=True),
        **names,
    )


def bert_config(**changed: Any) -> BertConfig:
    shape = {
        "vocab_size": len(VOCABULARY),
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": LONGEST,
        "initializer_range": 0.5,
    }
    return BertConfig(**{**shape, **changed})


def save(folder: Path, kind: str, seed: int = 0, tokenizer: Any = None) -> Path:
    """A model of a kind with random weights, and its tokenizer."""
    torch.manual_seed(seed)
    if kind == "bert":
        tokenizer = tokenizer or wordpiece()
        model: Any = untyped(BertForMaskedLM)(bert_config())
    elif kind == "distilbert":
        tokenizer = tokenizer or wordpiece()
        model = untyped(DistilBertForMaskedLM)(
            DistilBertConfig(
                vocab_size=len(tokenizer),
                dim=16,
                hidden_dim=32,
                n_layers=2,
                n_heads=2,
                max_position_embeddings=LONGEST,
                initializer_range=0.5,
            )
        )
    else:
        tokenizer = tokenizer or byte_level()
        model = untyped(RobertaForMaskedLM)(
            RobertaConfig(
                vocab_size=len(tokenizer),
                hidden_size=16,
                num_hidden_layers=2,
                num_attention_heads=2,
                intermediate_size=32,
                # RoBERTa counts positions from the padding token's number on.
                max_position_embeddings=LONGEST + 2,
                pad_token_id=1,
                bos_token_id=0,
                eos_token_id=2,
                initializer_range=0.5,
            )
        )
    with torch.no_grad():  # as if it had been trained: by default all biases are nought
        for name, weights in model.named_parameters():
            if name.endswith("bias"):
                weights.normal_(0, 0.5)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def opened(folder: Path) -> MaskedLanguageModel:
    return MaskedLanguageModel("tiny", str(folder), device="cpu")


def whole_forward(folder: Path, rows: Sequence[Sequence[int]], places: Sequence[int]) -> np.ndarray:
    """(n, v) log-probabilities of the whole vocabulary, each row alone through the library's own forward."""
    theirs = AutoModelForMaskedLM.from_pretrained(folder).eval()
    with torch.inference_mode():
        return np.stack(
            [
                theirs(input_ids=torch.tensor([list(row)])).logits[0, place].log_softmax(0).numpy()
                for row, place in zip(rows, places, strict=True)
            ]
        )


def drawn_rows(
    model: MaskedLanguageModel, lengths: Sequence[int], seed: int = 0
) -> tuple[list[list[int]], list[int]]:
    """Rows of random words with some places masked, and one masked place of each."""
    random = np.random.default_rng(seed)
    begin, *_, end = model.tokens("x")
    rows, places = [], []
    for length in lengths:
        inner = random.choice(model.word_ids, size=length - 2)
        masked = random.choice(length - 2, size=min(2, length - 2), replace=False)
        inner[masked] = model.mask_id
        rows.append([begin, *inner.tolist(), end])
        places.append(int(masked[0]) + 1)
    return rows, places
