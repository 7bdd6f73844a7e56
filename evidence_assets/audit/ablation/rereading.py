"""Predictions read again by their very reader, some of their evidence withheld."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evidence_assets.audit.ablation.plan import (
    AblationSettings,
    Kind,
    Questioned,
    Removal,
    by_influence,
    prefixes,
    removals,
    variant_ids,
)
from evidence_assets.stages.withholding import Source, Variant, Variants

if TYPE_CHECKING:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.progress import Progress

# Variants read in one call: what they are read from is held in memory for each.
VARIANTS_AT_ONCE = 1_000
# The most sources that are taken away one after another, each time all are read again.
MOST_PRUNED = 32

Read = Callable[[Variants], "Experiment"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a reader answers to a variant."""

    predicted: str | None
    confidence: float | None
    abstained: bool


@dataclass(frozen=True, slots=True)
class Ablated:
    """What a prediction becomes without some sources."""

    questioned: Questioned
    removal: Removal
    outcome: Outcome

    @property
    def changed(self) -> bool:
        """Whether it is another answer, or none."""
        return self.outcome.predicted != self.questioned.predicted


@dataclass(slots=True)
class Ablations:
    """What was read. `unlike`: predictions that the reader does not give again though nothing is withheld.

    `too_many`: those whose least evidence was not looked for, since they need more than can be tried.
    """

    ablated: list[Ablated] = field(default_factory=list)
    unlike: list[Questioned] = field(default_factory=list)
    too_many: int = 0


class Rereading:
    """Reads predictions again. `read`: the reader, given variants of the questions."""

    def __init__(self, read: Read, progress: Progress | None = None) -> None:
        self._read, self._progress = read, progress

    def ablate(self, predictions: Sequence[Questioned], settings: AblationSettings) -> Ablations:
        """Return what each prediction becomes without each set of its sources."""
        nothing = Removal(Kind.ALL, frozenset())
        unchanged = self._ablated([(answer, nothing) for answer in predictions])
        result = Ablations(unlike=[answer.questioned for answer in unchanged if answer.changed])
        alike = [answer.questioned for answer in unchanged if not answer.changed]
        result.ablated = self._ablated(
            [(answer, removal) for answer in alike for removal in removals(answer, settings)]
        )
        if settings.minimal:
            least, result.too_many = self._minimal(alike, result.ablated)
            result.ablated += least
        return result

    def _ablated(self, pairs: Sequence[tuple[Questioned, Removal]]) -> list[Ablated]:
        result: list[Ablated] = []
        for start in range(0, len(pairs), VARIANTS_AT_ONCE):
            batch = pairs[start : start + VARIANTS_AT_ONCE]
            outcomes = self._outcomes([(answer.question_id, removal.sources) for answer, removal in batch])
            result += [
                Ablated(answer, removal, outcome)
                for (answer, removal), outcome in zip(batch, outcomes, strict=True)
            ]
            if self._progress is not None:
                self._progress(start + len(batch), len(pairs))
        return result

    def _outcomes(self, withheld: Sequence[tuple[str, frozenset[Source]]]) -> list[Outcome]:
        ids = variant_ids(question_id for question_id, _ in withheld)
        variants = [
            Variant(question_id, variant_id, sources)
            for (question_id, sources), variant_id in zip(withheld, ids, strict=True)
        ]
        answers = {
            row["question_id"]: Outcome(row["predicted"], row["confidence"], row["abstained"])
            for row in self._read(Variants(variants)).predictions
        }
        return [answers[variant_id] for variant_id in ids]

    def _minimal(
        self, predictions: Sequence[Questioned], ablated: Iterable[Ablated]
    ) -> tuple[list[Ablated], int]:
        """Return the least evidence found on which each answer stands, and how many were not searched.

        Greedy: sources are added by what their own removal cost, as many as the answer needs, and then
        taken away one by one, the last added first, where the answer stands without. No source of what is
        left can go by itself.
        """
        lost: dict[str, dict[Source, float]] = {}
        needless: dict[str, Outcome] = {}
        for ablation in ablated:
            key = ablation.questioned.prediction_id
            if ablation.removal.kind is Kind.ONE:
                [source] = ablation.removal.sources
                lost.setdefault(key, {})[source] = _lost(ablation)
            elif ablation.removal.kind is Kind.ALL and not ablation.changed:
                needless[key] = ablation.outcome
        searched = [prediction for prediction in predictions if prediction.prediction_id not in needless]
        enough = self._enough(searched, lost)
        fitting = [
            prediction for prediction in searched if len(enough[prediction.prediction_id]) <= MOST_PRUNED
        ]
        outcomes = {
            prediction.prediction_id: Outcome(prediction.predicted, prediction.confidence, False)
            for prediction in fitting
        }
        self._prune(fitting, enough, outcomes)
        result = [
            _kept(prediction, (), needless[prediction.prediction_id])
            for prediction in predictions
            if prediction.prediction_id in needless
        ]
        result += [
            _kept(prediction, enough[prediction.prediction_id], outcomes[prediction.prediction_id])
            for prediction in fitting
        ]
        return result, len(searched) - len(fitting)

    def _enough(
        self, predictions: Sequence[Questioned], lost: Mapping[str, Mapping[Source, float]]
    ) -> dict[str, list[Source]]:
        ordered = {
            prediction.prediction_id: by_influence(prediction, lost.get(prediction.prediction_id, {}))
            for prediction in predictions
        }
        trials = [
            (prediction, _keeping(prediction, prefix))
            for prediction in predictions
            for prefix in prefixes(ordered[prediction.prediction_id])
        ]
        enough = {key: list(sources) for key, sources in ordered.items()}
        for ablation in self._ablated(trials):
            key = ablation.questioned.prediction_id
            size = len(ablation.questioned.given) - len(ablation.removal.sources)
            if not ablation.changed and size < len(enough[key]):
                enough[key] = ordered[key][:size]
        return enough

    def _prune(
        self, predictions: Sequence[Questioned], enough: dict[str, list[Source]], outcomes: dict[str, Outcome]
    ) -> None:
        trials = {
            answer.prediction_id: list(reversed(enough[answer.prediction_id])) for answer in predictions
        }
        for number in range(max((len(current) for current in trials.values()), default=0)):
            removals = []
            for answer in predictions:
                current, candidates = enough[answer.prediction_id], trials[answer.prediction_id]
                # Without any source it was read before: the last stays.
                if number < len(candidates) and len(current) > 1:
                    remaining = [source for source in current if source != candidates[number]]
                    removals.append((answer, _keeping(answer, remaining)))
            for ablated in self._ablated(removals):
                if not ablated.changed:
                    key = ablated.questioned.prediction_id
                    enough[key].remove(trials[key][number])
                    outcomes[key] = ablated.outcome


def _keeping(questioned: Questioned, sources: Iterable[Source]) -> Removal:
    return Removal(Kind.MINIMAL, frozenset(questioned.given) - frozenset(sources))


def _kept(questioned: Questioned, sources: Iterable[Source], outcome: Outcome) -> Ablated:
    return Ablated(questioned, _keeping(questioned, sources), outcome)


def _lost(ablated: Ablated) -> float:
    """Return what a removal cost: 1 for the answer, else what the confidence lost."""
    if ablated.changed:
        return 1.0
    before, after = ablated.questioned.confidence, ablated.outcome.confidence
    return 0.0 if before is None or after is None else before - after
