"""Training that answers questions with options: what cross-encoders and language models have in common.

The loss is the cross-entropy of the right option among those of its question. Every draw depends on the seed
and the step alone, and one thread computes: a training that was stopped goes on at its last checkpoint to the
same weights.
"""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.reader_recipe import Example, PrefixExample, ReaderTraining
from evidence_assets.models.resumable_training import ResumableTraining
from evidence_assets.progress import blocks

if TYPE_CHECKING:
    import torch

# Part of what a reader is known by: raise it where the same recipe and examples give other weights.
_CODE_VERSION = "1"
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


class TokenisedQuestion(Protocol):
    """A question as token ids: which option is right, each option's bias, the tokens of its longest row."""

    @property
    def right(self) -> int:
        """The place of the right option."""

    @property
    def bias(self) -> tuple[float, ...]:
        """One number an option."""

    @property
    def longest(self) -> int:
        """How many tokens it takes."""


Question = TypeVar("Question", bound=TokenisedQuestion)


def training_hash(
    training: Sequence[Example | PrefixExample],
    validation: Sequence[Example | PrefixExample],
    recipe: ReaderTraining,
    body: str,
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


def best_of(evaluations: Sequence[Evaluation]) -> Evaluation:
    """Return the evaluation whose weights are kept: most accurate, of least validation loss, first."""
    return max(
        evaluations,
        key=lambda evaluation: (evaluation.accuracy, -evaluation.validation_loss, -evaluation.step),
    )


def check_examples(name: str, examples: Sequence[Example | PrefixExample]) -> None:
    """Check that examples can teach. `name`: what they are for.

    Raises:
        UntrainableReaderError: there are none, one offers no choice, or all have their right option at one
            place.
    """
    if not examples:
        raise UntrainableReaderError(
            f"there is no {name} question; remedy: name {name} sets that offer options and have a key"
        )
    for example in examples:
        if len(set(example.options)) < 2 or not 0 <= example.right < len(example.options):
            raise UntrainableReaderError(
                f"{name} question {example.name} offers {len(set(example.options))} different options, and "
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
def one_thread() -> Iterator[None]:
    """Compute with one thread for as long as this is open: sums of several come out in any order."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def drawn_batches(
    questions: Sequence[Question], recipe: ReaderTraining, first: int
) -> Iterator[list[Question]]:
    """Yield batches from the one numbered `first`; every question is drawn once before any is drawn again."""
    orders: dict[int, NDArray[np.int64]] = {}

    def drawn(number: int) -> Question:
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


class OptionTraining(ResumableTraining[list[Question], Evaluation]):
    """A reader in training; the weights kept are the best that an evaluation saw.

    `head`, `made_of`: as `ResumableTraining`'s. `questions`: to train on; `held_out`: to choose by.
    """

    def __init__(
        self,
        model: Any,
        recipe: ReaderTraining,
        head: str,
        made_of: str,
        questions: Sequence[Question],
        held_out: Sequence[Question],
    ) -> None:
        super().__init__(model, recipe, head, made_of, Evaluation)
        self._recipe = recipe
        self._questions = questions
        self._held_out = sorted(held_out, key=lambda question: question.longest)

    @abstractmethod
    def scores(self, questions: Sequence[Question]) -> Sequence[torch.Tensor]:
        """Return each question's scores, (options,)."""

    def batches(self, first: int) -> Iterator[list[Question]]:
        """Yield batches of questions from the one numbered `first`."""
        return drawn_batches(self._questions, self._recipe, first)

    def loss(self, batch: list[Question], step: int) -> torch.Tensor:
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

    def _answered(self, questions: Sequence[Question], with_bias: bool) -> tuple[torch.Tensor, int]:
        """Return each question's cross-entropy, (n,), and how many are answered rightly."""
        import torch

        losses, right = [], 0
        for question, of_options in zip(questions, self.scores(questions), strict=True):
            bias = torch.tensor(question.bias, dtype=of_options.dtype, device=of_options.device)
            weighed = of_options + bias if with_bias else of_options
            losses.append(-torch.log_softmax(weighed, 0)[question.right])
            right += int(of_options.argmax()) == question.right
        return torch.stack(losses), right
