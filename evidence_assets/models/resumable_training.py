"""Training that may be killed: it goes on at its last checkpoint and ends at the same weights.

Every draw of a step depends on the seed and the step alone. The body and the new output of a model learn at
rates of their own, which rise and then fall linearly. A second set of weights is kept beside those in
training, an average of them or the best so far, and is what the finished model holds.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from evidence_assets.lake.filesystem import local_output
from evidence_assets.progress import Progress

if TYPE_CHECKING:
    import torch

_CHECKPOINT = "checkpoint.safetensors"
_MOMENTS = ("exp_avg", "exp_avg_sq")

Batch = TypeVar("Batch")
# A dataclass of numbers.
Evaluation = TypeVar("Evaluation", bound=Any)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The steps of a training.

    `body_rate`, `head_rate`: greatest learning rates of the body and of the new output. `warm_up`: share of
    `steps` in which the rates rise. `evaluations`: how often held-out data are answered.
    """

    steps: int
    body_rate: float
    head_rate: float
    evaluations: int
    warm_up: float = 0.06
    weight_decay: float = 0.01
    seed: int = 2026


class ResumableTraining(ABC, Generic[Batch, Evaluation]):
    """A model in training.

    `head`: how the names of the new output's parameters begin. `made_of`: what a checkpoint must have been
    made of to be gone on from. `evaluation`: the class of evaluations, whose fields are numbers.
    """

    def __init__(
        self, model: Any, schedule: Schedule, head: str, made_of: str, evaluation: type[Evaluation]
    ) -> None:
        import torch

        self.model = model
        self.parameters = {name: value for name, value in model.named_parameters() if value.requires_grad}
        self.kept = self.copied()
        self._schedule, self._made_of, self._evaluation = schedule, made_of, evaluation
        of_head = {name for name in self.parameters if name.startswith(head)}
        self._optimiser = torch.optim.AdamW(
            [
                {"params": [self.parameters[name] for name in sorted(set(self.parameters) - of_head)]},
                {"params": [self.parameters[name] for name in sorted(of_head)]},
            ],
            weight_decay=schedule.weight_decay,
        )
        self._losses: list[float] = []

    @abstractmethod
    def batches(self, first: int) -> Iterator[Batch]:
        """Yield the batches from the one numbered `first`."""

    @abstractmethod
    def loss(self, batch: Batch, step: int) -> torch.Tensor:
        """Return a batch's loss, a scalar."""

    def end_step(self, step: int) -> None:
        """Follow a step that was taken; most trainings have nothing to do here."""

    @abstractmethod
    def evaluate(self, step: int, loss: float, before: list[Evaluation]) -> Evaluation:
        """Return how good the weights are. `loss`: mean of the batches since the last evaluation."""

    def run(self, folder: Path, progress: Progress | None, checkpoint_every: int) -> list[Evaluation]:
        """Train from the checkpoint in `folder` where there is one; return the evaluations."""
        import torch

        folder.mkdir(parents=True, exist_ok=True)
        steps = self._schedule.steps
        first, evaluations = self._restore(folder / _CHECKPOINT)
        every = max(1, steps // self._schedule.evaluations)
        batches = self.batches(first)
        for step in range(first, steps):
            # Dropout of a step depends on the step alone: what goes on is what would have been.
            torch.manual_seed(self._schedule.seed * 1_000_003 + step)
            self._take_step(next(batches), step)
            done = step + 1
            if done % every == 0 or done == steps:
                losses, self._losses = self._losses, []
                evaluations.append(self.evaluate(done, float(np.mean(losses)), evaluations))
            if done % checkpoint_every == 0 and done < steps:
                self._save(folder / _CHECKPOINT, done, evaluations)
            if progress:
                progress(done, steps)
        return evaluations

    def copied(self) -> dict[str, torch.Tensor]:
        """Return a copy of the weights in training."""
        return {name: value.detach().clone() for name, value in self.parameters.items()}

    def put(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Put weights into the model."""
        for name, value in self.parameters.items():
            value.data.copy_(weights[name])

    def _take_step(self, batch: Batch, step: int) -> None:
        import torch

        rates = (self._schedule.body_rate, self._schedule.head_rate)
        for group, rate in zip(self._optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * rate_factor(step, self._schedule)
        self.model.train()
        loss = self.loss(batch, step)
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(list(self.parameters.values()), 1.0)
        self._optimiser.step()
        self.end_step(step)
        self._losses.append(float(loss.detach()))

    def _save(self, path: Path, step: int, evaluations: list[Evaluation]) -> None:
        """Write all that going on needs; an earlier checkpoint stands until this one is whole."""
        from safetensors.torch import save_file

        tensors = {f"weight/{name}": value.detach().contiguous() for name, value in self.parameters.items()}
        tensors |= {f"kept/{name}": value for name, value in self.kept.items()}
        for name, value in self.parameters.items():
            moments = self._optimiser.state[value]
            tensors |= {f"{moment}/{name}": moments[moment] for moment in _MOMENTS}
        notes = {
            "made_of": self._made_of,
            "step": str(step),
            "evaluations": json.dumps([asdict(evaluation) for evaluation in evaluations]),
            "losses": json.dumps(self._losses),
        }
        with local_output(path) as file:
            save_file(tensors, file.name, notes)

    def _restore(self, path: Path) -> tuple[int, list[Evaluation]]:
        """Go back to a checkpoint, if there is one; return its step and evaluations."""
        import torch
        from safetensors import SafetensorError, safe_open

        if not path.exists():
            return 0, []
        try:
            with safe_open(path, "pt", device=str(self.model.device)) as stored:
                notes = stored.metadata() or {}
                if notes["made_of"] != self._made_of:
                    return 0, []  # of another recipe or of other data
                step, losses = int(notes["step"]), json.loads(notes["losses"])
                evaluations = [self._evaluation(**fields) for fields in json.loads(notes["evaluations"])]
                tensors = {
                    kind: {name: stored.get_tensor(f"{kind}/{name}") for name in self.parameters}
                    for kind in ("weight", "kept", *_MOMENTS)
                }
        except (SafetensorError, KeyError, ValueError):
            return 0, []  # half a file: the training begins anew, and gives the same bytes
        self.put(tensors["weight"])
        self.kept, self._losses = tensors["kept"], losses
        for name, value in self.parameters.items():
            moments = {moment: tensors[moment][name] for moment in _MOMENTS}
            self._optimiser.state[value] = {"step": torch.tensor(float(step)), **moments}
        return step, evaluations


def remove_checkpoint(folder: Path) -> None:
    """Remove what a training went on from, once its model is written."""
    (folder / _CHECKPOINT).unlink(missing_ok=True)


def has_bfloat16(device: str) -> bool:
    """Return whether half precision is faster there, not merely possible."""
    import torch

    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu._is_avx512_bf16_supported())


def rate_factor(step: int, schedule: Schedule) -> float:
    """Return the factor of the learning rate at a step: linear warm-up, then linear decay to 0."""
    warm = max(1, round(schedule.warm_up * schedule.steps))
    if step < warm:
        return (step + 1) / warm
    return max(0.0, (schedule.steps - step) / max(1, schedule.steps - warm))
