"""Training a causal language model to answer: an adapter under which right options are the likeliest.

An option's score is its log-probability a token after evidence and question, so that what the model knew of
language goes on to count; options are compared by the softmax of their scores. What is written is an
adapter's folder, which nothing opens before it is whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidence_assets.models.generation.adapters import new_adapter, save_adapter
from evidence_assets.models.generation.branches import Branched, log_probabilities
from evidence_assets.models.generation.likelihood import TransformersLikelihoodModel
from evidence_assets.models.option_training import (
    Evaluation,
    OptionTraining,
    check_examples,
    one_thread,
    training_hash,
)
from evidence_assets.models.reader_recipe import AdapterTraining, PrefixExample
from evidence_assets.models.resumable_training import remove_checkpoint
from evidence_assets.progress import Progress

if TYPE_CHECKING:
    import torch

# Tokens of questions that are read in one pass: longer rows spend more on what they may not see.
_PASS_TOKENS = 512


@dataclass(frozen=True, slots=True)
class BaseModel:
    """The language model that an adapter is trained for: as `TransformersLikelihoodModel` opens it."""

    name: str
    location: str
    revision: str | None = None
    device: str | None = None


@dataclass(frozen=True, slots=True)
class _Question:
    """One question's token ids: before the options, and of each; which is right, the bias."""

    before: tuple[int, ...]
    options: tuple[tuple[int, ...], ...]
    right: int
    bias: tuple[float, ...]

    @property
    def longest(self) -> int:
        return len(self.before) + sum(map(len, self.options))


def train(
    training: Sequence[PrefixExample],
    validation: Sequence[PrefixExample],
    folder: Path,
    recipe: AdapterTraining,
    base: BaseModel,
    progress: Progress | None = None,
    checkpoint_every: int = 100,
) -> list[Evaluation]:
    """Train an adapter and write it to `folder`; return its evaluations.

    A training that was stopped in `folder` goes on at its last checkpoint.

    Raises:
        UntrainableReaderError: there are no questions to train on or to choose by, one offers no choice, or
            all have their right option at one place.
        GeneratorError: the language model cannot be loaded.
    """
    import torch

    for name, examples in (("training", training), ("validation", validation)):
        check_examples(name, examples)
    with one_thread():
        # An instance of its own: the adapter is put into the network that is trained.
        model = TransformersLikelihoodModel(base.name, base.location, base.revision, base.device)
        made_of = training_hash(training, validation, recipe, model.model_id)
        questions, held_out = (_tokenised(examples, model, recipe) for examples in (training, validation))
        torch.manual_seed(recipe.seed)
        adapted = new_adapter(model.model, recipe.rank, recipe.frozen_layers)
        state = _AdapterTraining(adapted, recipe, made_of, questions, held_out)
        evaluations = state.run(folder, progress, checkpoint_every)
        state.put(state.kept)
        save_adapter(adapted, folder, base.location)
    remove_checkpoint(folder)
    return evaluations


def _tokenised(
    examples: Sequence[PrefixExample], model: TransformersLikelihoodModel, recipe: AdapterTraining
) -> list[_Question]:
    return [
        _Question(
            tuple(model.tokens(example.prefix)[-recipe.longest :]),
            tuple(tuple(model.tokens(text)) for text in example.continuations),
            example.right,
            example.bias or (0.0,) * len(example.continuations),
        )
        for example in examples
    ]


class _AdapterTraining(OptionTraining[_Question]):
    """A language model's adapter in training."""

    def __init__(
        self,
        model: Any,
        recipe: AdapterTraining,
        made_of: str,
        questions: Sequence[_Question],
        held_out: Sequence[_Question],
    ) -> None:
        super().__init__(model, recipe, "lm_head.", made_of, questions, held_out)
        self._bfloat16 = recipe.bfloat16

    def scores(self, questions: Sequence[_Question]) -> Sequence[torch.Tensor]:
        """Return each question's scores, (options,): nats a token."""
        import torch

        means: list[torch.Tensor] = []
        for row in _rows(questions):
            with torch.autocast(self.model.device.type, torch.bfloat16, enabled=self._bfloat16):
                of_tokens = log_probabilities(self.model, row).float()
            means += [part.mean() for part in torch.split(of_tokens, row.lengths)]
        return [
            torch.stack(list(part))
            for part in _split(means, [len(question.options) for question in questions])
        ]


def _rows(questions: Sequence[_Question]) -> list[Branched]:
    """Return questions as rows of at most `_PASS_TOKENS` tokens, or of one question that is longer."""
    rows: list[Branched] = []
    for question in questions:
        if not rows or len(rows[-1].tokens) + question.longest > _PASS_TOKENS:
            rows.append(Branched())
        rows[-1].add(question.before, question.options)
    return rows


def _split(values: Sequence[Any], sizes: Sequence[int]) -> list[Sequence[Any]]:
    parts, first = [], 0
    for size in sizes:
        parts.append(values[first : first + size])
        first += size
    return parts
