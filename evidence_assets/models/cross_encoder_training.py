"""Training a cross-encoder on an encoder's body: query and text to a score, compared between options.

The loss is the cross-entropy of the right option among those of its question. Every draw depends on the seed
and the step alone, and one thread computes: a training that was stopped goes on at its last checkpoint to the
same weights. What is written is a folder that the transformers and sentence-transformers libraries open as
any cross-encoder, and nothing opens it before it is whole.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.cross_encoder_recipe import Example, ReaderTraining
from evidence_assets.models.encoder import best_device
from evidence_assets.progress import Progress

if TYPE_CHECKING:
    import torch

_CHECKPOINT = "checkpoint.safetensors"
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
    stop_after: int | None = None,
) -> list[Evaluation]:
    """Train a reader and write it to `folder`; return its evaluations.

    `body`: folder or hub name of a BERT encoder. `stop_after`: stop at this step as if killed, for tests of
    going on. A training that was stopped in `folder` goes on at its last checkpoint.

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
        state = _State(model, tokenizer, recipe, training_hash(training, validation, recipe, body))
        folder.mkdir(parents=True, exist_ok=True)
        step, evaluations = state.restore(folder / _CHECKPOINT)
        every = max(1, recipe.steps // recipe.evaluations)
        batches = _batches(questions, recipe, step)
        for number in range(step, recipe.steps):
            # Dropout of a step depends on the step alone: what goes on is what would have been.
            torch.manual_seed(recipe.seed * 1_000_003 + number)
            state.train_on(next(batches), number)
            done = number + 1
            if done % every == 0 or done == recipe.steps:
                evaluations.append(state.evaluate(held_out, done, evaluations))
            if done % checkpoint_every == 0 and done < recipe.steps:
                state.save(folder / _CHECKPOINT, done, evaluations)
            if progress:
                progress(done, recipe.steps)
            if done == stop_after:
                return evaluations
        state.put_best()
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    (folder / _CHECKPOINT).unlink(missing_ok=True)
    return evaluations


def best_of(evaluations: Sequence[Evaluation]) -> Evaluation:
    """Return the evaluation whose weights are kept: most accurate, of least validation loss, first."""
    return max(evaluations, key=lambda each: (each.accuracy, -each.validation_loss, -each.step))


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
    texts = list(dict.fromkeys(text for each in examples for text in (*each.queries, *each.texts)))
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


class _State:
    """A reader in training: its optimiser, the best weights so far, and how to stop and go on."""

    def __init__(self, model: Any, tokenizer: Any, recipe: ReaderTraining, made_of: str) -> None:
        import torch

        self._model, self._recipe, self._made_of = model, recipe, made_of
        self._padding = tokenizer.pad_token_id
        self._named = {name: value for name, value in model.named_parameters() if value.requires_grad}
        head = {name for name in self._named if name.startswith("classifier.")}
        self._optimiser = torch.optim.AdamW(
            [
                {"params": [self._named[name] for name in sorted(set(self._named) - head)]},
                {"params": [self._named[name] for name in sorted(head)]},
            ],
            weight_decay=recipe.weight_decay,
        )
        self._best = {name: value.detach().clone() for name, value in self._named.items()}
        self._losses: list[float] = []

    def train_on(self, questions: Sequence[_Question], step: int) -> None:
        """Take one step on these questions."""
        import torch

        rates = (self._recipe.body_rate, self._recipe.head_rate)
        for group, rate in zip(self._optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * _schedule(step, self._recipe)
        self._model.train()
        losses, _ = self._losses_of(questions, with_bias=True)
        loss = losses.mean()
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(list(self._named.values()), 1.0)
        self._optimiser.step()
        self._losses.append(float(loss.detach()))

    def _losses_of(self, questions: Sequence[_Question], with_bias: bool) -> tuple[torch.Tensor, int]:
        """Return each question's cross-entropy, (n,), and how many are answered rightly."""
        import torch

        flat = [(row, begin) for each in questions for row, begin in zip(each.rows, each.begins, strict=True)]
        ids = np.full((len(flat), max(len(row) for row, _ in flat)), self._padding, dtype=np.int64)
        kinds = np.zeros_like(ids)
        attended = np.zeros_like(ids)
        for number, (row, begin) in enumerate(flat):
            ids[number, : len(row)] = row
            kinds[number, begin : len(row)] = 1
            attended[number, : len(row)] = 1
        device = self._model.device
        inputs, types, mask = (torch.from_numpy(values).to(device) for values in (ids, kinds, attended))
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=_has_bfloat16(device.type)):
            logits = self._model(input_ids=inputs, token_type_ids=types, attention_mask=mask).logits
        scores = torch.split(logits.float().squeeze(1), [len(each.rows) for each in questions])
        losses, right = [], 0
        for each, of_options in zip(questions, scores, strict=True):
            weighed = of_options + torch.tensor(each.bias, device=device) if with_bias else of_options
            losses.append(-torch.log_softmax(weighed, 0)[each.right])
            right += int(of_options.argmax()) == each.right
        return torch.stack(losses), right

    def evaluate(self, held_out: Sequence[_Question], step: int, before: Sequence[Evaluation]) -> Evaluation:
        """Answer the validation questions, without any bias; keep the weights if none before are better."""
        import torch

        self._model.eval()
        ordered = sorted(held_out, key=lambda question: question.longest)
        total, right = 0.0, 0
        with torch.inference_mode():
            for begin in range(0, len(ordered), _EVALUATED):
                losses, correct = self._losses_of(ordered[begin : begin + _EVALUATED], with_bias=False)
                total, right = total + float(losses.sum()), right + correct
        losses_since, self._losses = self._losses, []
        evaluation = Evaluation(
            step,
            float(np.mean(losses_since)) if losses_since else math.nan,
            right / len(ordered),
            total / len(ordered),
        )
        if best_of([*before, evaluation]) is evaluation:
            self._best = {name: value.detach().clone() for name, value in self._named.items()}
        return evaluation

    def put_best(self) -> None:
        """Put the best weights into the model."""
        self._put(self._best)

    def _put(self, weights: Mapping[str, torch.Tensor]) -> None:
        for name, value in self._named.items():
            value.data.copy_(weights[name])

    def save(self, path: Path, step: int, evaluations: Sequence[Evaluation]) -> None:
        """Write all that going on needs; an earlier checkpoint stands until this one is whole."""
        from safetensors.torch import save_file

        tensors = {f"weight/{name}": value.detach().contiguous() for name, value in self._named.items()}
        tensors |= {f"best/{name}": value for name, value in self._best.items()}
        for name, value in self._named.items():
            moments = self._optimiser.state[value]
            tensors |= {f"{moment}/{name}": moments[moment] for moment in ("exp_avg", "exp_avg_sq")}
        notes = {
            "made_of": self._made_of,
            "step": str(step),
            "evaluations": json.dumps([asdict(evaluation) for evaluation in evaluations]),
            "losses": json.dumps(self._losses),
        }
        partial = path.with_suffix(".partial")
        save_file(tensors, partial, notes)
        partial.replace(path)

    def restore(self, path: Path) -> tuple[int, list[Evaluation]]:
        """Go back to a checkpoint, if there is one; return its step and evaluations."""
        import torch
        from safetensors import SafetensorError, safe_open

        if not path.exists():
            return 0, []
        try:
            with safe_open(path, "pt", device=str(self._model.device)) as stored:
                notes = stored.metadata() or {}
                if notes["made_of"] != self._made_of:
                    return 0, []  # another recipe's, or other examples'
                step, losses = int(notes["step"]), json.loads(notes["losses"])
                evaluations = [Evaluation(**fields) for fields in json.loads(notes["evaluations"])]
                read = {
                    kind: {name: stored.get_tensor(f"{kind}/{name}") for name in self._named}
                    for kind in ("weight", "best", "exp_avg", "exp_avg_sq")
                }
        except (SafetensorError, KeyError, ValueError):
            return 0, []  # half a file: the training begins anew, and gives the same bytes
        self._put(read["weight"])
        self._best, self._losses = read["best"], losses
        for name, value in self._named.items():
            self._optimiser.state[value] = {
                "step": torch.tensor(float(step)),
                "exp_avg": read["exp_avg"][name],
                "exp_avg_sq": read["exp_avg_sq"][name],
            }
        return step, evaluations


def _schedule(step: int, recipe: ReaderTraining) -> float:
    """Return the factor of the learning rate at a step: linear warm-up, then linear decay to 0."""
    warm = max(1, round(recipe.warm_up * recipe.steps))
    if step < warm:
        return (step + 1) / warm
    return max(0.0, (recipe.steps - step) / max(1, recipe.steps - warm))


def _has_bfloat16(device: str) -> bool:
    """Return whether half precision is faster there, not merely possible."""
    import torch

    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu._is_avx512_bf16_supported())
