"""Training a cross-encoder on an encoder's body: query and text to a score, compared between options.

What is written is a folder that the transformers and sentence-transformers libraries open as any
cross-encoder, and nothing opens it before it is whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evidence_assets.models.encoder import best_device
from evidence_assets.models.option_training import (
    Evaluation,
    OptionTraining,
    UntrainableReaderError,
    check_examples,
    one_thread,
    training_hash,
)
from evidence_assets.models.reader_recipe import Example, ReaderTraining
from evidence_assets.models.resumable_training import has_bfloat16, remove_checkpoint
from evidence_assets.progress import Progress

if TYPE_CHECKING:
    import torch

_SPECIAL_TOKENS = 3


@dataclass(frozen=True, slots=True)
class _Question:
    """One question's token ids, an option a row, where each row's text begins, which is right, the bias."""

    rows: tuple[tuple[int, ...], ...]
    begins: tuple[int, ...]
    right: int
    bias: tuple[float, ...]

    @property
    def longest(self) -> int:
        return max(map(len, self.rows))


def train(
    training: Sequence[Example],
    validation: Sequence[Example],
    folder: Path,
    recipe: ReaderTraining,
    body: str,
    progress: Progress | None = None,
    checkpoint_every: int = 100,
) -> list[Evaluation]:
    """Train a reader and write it to `folder`; return its evaluations.

    `body`: folder or hub name of a BERT encoder. A training that was stopped in `folder` goes on at
    its last checkpoint.

    Raises:
        UntrainableReaderError: there are no questions to train on or to choose by, one offers no choice, or
            all have their right option at one place.
    """
    import torch

    for name, examples in (("training", training), ("validation", validation)):
        check_examples(name, examples)
    with one_thread():
        torch.manual_seed(recipe.seed)
        model, tokenizer = _fresh_model(body, recipe)
        questions, held_out = (_tokenised(examples, tokenizer, recipe) for examples in (training, validation))
        made_of = training_hash(training, validation, recipe, body)
        state = _ReaderTraining(model, tokenizer, recipe, made_of, questions, held_out)
        evaluations = state.run(folder, progress, checkpoint_every)
        state.put(state.kept)
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    remove_checkpoint(folder)
    return evaluations


def _fresh_model(body: str, recipe: ReaderTraining) -> tuple[Any, Any]:
    """Return a BertForSequenceClassification of one output with the encoder's body, and its tokenizer."""
    from transformers import AutoConfig, AutoTokenizer, BertForSequenceClassification

    config = AutoConfig.from_pretrained(body, num_labels=1)
    if config.model_type != "bert":
        raise UntrainableReaderError(
            f"encoder {body} is a {config.model_type}, not a BERT; remedy: name a BERT encoder"
        )
    model: Any = BertForSequenceClassification.from_pretrained(body, config=config)
    tokenizer: Any = AutoTokenizer.from_pretrained(body)
    tokenizer.model_max_length = recipe.longest
    if recipe.frozen_layers:
        frozen = [model.bert.embeddings, *model.bert.encoder.layer[: recipe.frozen_layers]]
        for part in frozen:
            part.requires_grad_(False)
    return model.to(best_device()), tokenizer


def _tokenised(examples: Sequence[Example], tokenizer: Any, recipe: ReaderTraining) -> list[_Question]:
    """Return the questions as token ids: `[CLS] query [SEP] text [SEP]`, the query at most half of them."""
    texts = list(dict.fromkeys(text for example in examples for text in (*example.queries, *example.texts)))
    encoded = tokenizer(texts, add_special_tokens=False, split_special_tokens=True, verbose=False)
    ids = dict(zip(texts, encoded["input_ids"], strict=True))
    room = recipe.longest - _SPECIAL_TOKENS
    questions = []
    for example in examples:
        rows, begins = [], []
        for query, text in zip(example.queries, example.texts, strict=True):
            kept = ids[query][-(room // 2) :]
            head = [tokenizer.cls_token_id, *kept, tokenizer.sep_token_id]
            rows.append((*head, *ids[text][: room - len(kept)], tokenizer.sep_token_id))
            begins.append(len(head))
        bias = example.bias or (0.0,) * len(rows)
        questions.append(_Question(tuple(rows), tuple(begins), example.right, bias))
    return questions


class _ReaderTraining(OptionTraining[_Question]):
    """A cross-encoder in training."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        recipe: ReaderTraining,
        made_of: str,
        questions: Sequence[_Question],
        held_out: Sequence[_Question],
    ) -> None:
        super().__init__(model, recipe, "classifier.", made_of, questions, held_out)
        self._padding = tokenizer.pad_token_id

    def scores(self, questions: Sequence[_Question]) -> Sequence[torch.Tensor]:
        """Return each question's scores, (options,)."""
        import torch

        flat = [
            (row, begin)
            for question in questions
            for row, begin in zip(question.rows, question.begins, strict=True)
        ]
        ids = np.full((len(flat), max(len(row) for row, _ in flat)), self._padding, dtype=np.int64)
        kinds = np.zeros_like(ids)
        attended = np.zeros_like(ids)
        for number, (row, begin) in enumerate(flat):
            ids[number, : len(row)] = row
            kinds[number, begin : len(row)] = 1
            attended[number, : len(row)] = 1
        device = self.model.device
        inputs, types, mask = (torch.from_numpy(values).to(device) for values in (ids, kinds, attended))
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=has_bfloat16(device.type)):
            logits = self.model(input_ids=inputs, token_type_ids=types, attention_mask=mask).logits
        return torch.split(logits.float().squeeze(1), [len(question.rows) for question in questions])
