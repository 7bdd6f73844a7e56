"""Training a cross-encoder on an encoder's body: query and text to a score, compared between options.

The loss is the cross-entropy of the right option among those of its question. Every draw depends on the seed
and the step alone, and one thread computes: a training that was stopped goes on at its last checkpoint to the
same weights. What is written is a folder that the transformers and sentence-transformers libraries open as
any cross-encoder, and nothing opens it before it is whole.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.cross_encoder_recipe import Example, ReaderTraining
from evidence_assets.models.encoder import best_device
from evidence_assets.models.resumable_training import ResumableTraining, has_bfloat16, remove_checkpoint
from evidence_assets.progress import Progress, blocks

if TYPE_CHECKING:
    import torch

# Part of what a reader is known by: raise it where the same recipe and examples give other weights.
_CODE_VERSION = "1"
_SPECIAL_TOKENS = 3
# Batches that are drawn together and cut by length, so that little is padding.
_TOGETHER = 8
_EVALUATED = 32


class UntrainableReaderError(Exception):
    """No reader can be trained: the message names the examples and the remedy."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Validation questions answered at one step. `loss`: of the training batches since the last."""

    step: int
    loss: float
    accuracy: float
    validation_loss: float


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


def training_hash(
    training: Sequence[Example], validation: Sequence[Example], recipe: ReaderTraining, body: str
) -> str:
    """Return what a reader is known by before it is made: recipe, examples, the id of the body's weights."""
    digest = hashlib.blake2b(_CODE_VERSION.encode(), digest_size=12)
    digest.update(json.dumps(asdict(recipe), sort_keys=True).encode())
    digest.update(body.encode())
    for examples in (training, validation):
        digest.update(b"\x00set")
        for example in examples:
            digest.update(json.dumps(asdict(example)).encode() + b"\x00")
    return digest.hexdigest()


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
        _check(name, examples)
    with _one_thread():
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


def best_of(evaluations: Sequence[Evaluation]) -> Evaluation:
    """Return the evaluation whose weights are kept: most accurate, of least validation loss, first."""
    return max(
        evaluations,
        key=lambda evaluation: (evaluation.accuracy, -evaluation.validation_loss, -evaluation.step),
    )


def _check(name: str, examples: Sequence[Example]) -> None:
    if not examples:
        raise UntrainableReaderError(
            f"there is no {name} question; remedy: name {name} sets that offer options and have a key"
        )
    for example in examples:
        if len(set(example.queries)) < 2 or not 0 <= example.right < len(example.queries):
            raise UntrainableReaderError(
                f"{name} question {example.name} offers {len(set(example.queries))} different options, and "
                f"its right one is number {example.right}; remedy: leave it out of the set, or repair its "
                "options and key"
            )
    if len(examples) > 1 and len({example.right for example in examples}) == 1:
        raise UntrainableReaderError(
            f"all {len(examples)} {name} questions, {examples[0].name} to {examples[-1].name}, have their "
            f"right option at place {examples[0].right + 1}: a set of one label; remedy: give the set with "
            "its real key, in the options' published order"
        )


@contextmanager
def _one_thread() -> Iterator[None]:
    """Compute with one thread for as long as this is open: sums of several come out in any order."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


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


def _batches(questions: Sequence[_Question], recipe: ReaderTraining, first: int) -> Iterator[list[_Question]]:
    """Yield batches from the one numbered `first`; every question is drawn once before any is drawn again."""
    orders: dict[int, NDArray[np.int64]] = {}

    def drawn(number: int) -> _Question:
        epoch, place = divmod(number, len(questions))
        if epoch not in orders:
            orders[epoch] = np.random.default_rng([recipe.seed, epoch]).permutation(len(questions))
        return questions[int(orders[epoch][place])]

    size = recipe.batch * _TOGETHER
    for group in count(first // _TOGETHER):
        members = sorted(
            (drawn(number) for number in range(group * size, (group + 1) * size)),
            key=lambda question: question.longest,
        )
        turns = np.random.default_rng([recipe.seed, 1, group]).permutation(_TOGETHER)
        for place, turn in enumerate(turns):
            if group * _TOGETHER + place >= first:
                yield members[turn * recipe.batch : (turn + 1) * recipe.batch]


class _ReaderTraining(ResumableTraining[list[_Question], Evaluation]):
    """A reader in training; the weights kept are the best that an evaluation saw."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        recipe: ReaderTraining,
        made_of: str,
        questions: Sequence[_Question],
        held_out: Sequence[_Question],
    ) -> None:
        super().__init__(model, recipe, "classifier.", made_of, Evaluation)
        self._recipe, self._padding = recipe, tokenizer.pad_token_id
        self._questions = questions
        self._held_out = sorted(held_out, key=lambda question: question.longest)

    def batches(self, first: int) -> Iterator[list[_Question]]:
        """Yield batches of questions from the one numbered `first`."""
        return _batches(self._questions, self._recipe, first)

    def loss(self, batch: list[_Question], step: int) -> torch.Tensor:
        """Return the mean cross-entropy of the right options, biases added."""
        return self._answered(batch, with_bias=True)[0].mean()

    def evaluate(self, step: int, loss: float, before: list[Evaluation]) -> Evaluation:
        """Answer the validation questions, without any bias; keep the weights if none before are better."""
        import torch

        self.model.eval()
        total, right = 0.0, 0
        with torch.inference_mode():
            for batch in blocks(self._held_out, _EVALUATED):
                losses, correct = self._answered(batch, with_bias=False)
                total, right = total + float(losses.sum()), right + correct
        size = len(self._held_out)
        evaluation = Evaluation(step, loss, right / size, total / size)
        if best_of([*before, evaluation]) is evaluation:
            self.kept = self.copied()
        return evaluation

    def _answered(self, questions: Sequence[_Question], with_bias: bool) -> tuple[torch.Tensor, int]:
        """Return each question's cross-entropy, (n,), and how many are answered rightly."""
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
        scores = torch.split(logits.float().squeeze(1), [len(question.rows) for question in questions])
        losses, right = [], 0
        for question, of_options in zip(questions, scores, strict=True):
            weighed = of_options + torch.tensor(question.bias, device=device) if with_bias else of_options
            losses.append(-torch.log_softmax(weighed, 0)[question.right])
            right += int(of_options.argmax()) == question.right
        return torch.stack(losses), right
