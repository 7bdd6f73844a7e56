"""How a reader of options is trained, and what it is trained on."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_assets.models.resumable_training import Schedule


@dataclass(frozen=True, slots=True)
class ReaderTraining(Schedule):
    """How a cross-encoder is trained.

    `batch`: questions a step. `frozen_layers`: the lowest layers of the body that are not trained, word
    vectors with them where there are any. `longest`: tokens of a pair, special tokens counted: of the query
    the last half are kept, of the text what then fits. Of the evaluations' weights the best are kept.
    """

    steps: int = 1_500
    batch: int = 8
    body_rate: float = 5e-5
    head_rate: float = 5e-4
    frozen_layers: int = 2
    longest: int = 96
    evaluations: int = 4


@dataclass(frozen=True, slots=True)
class AdapterTraining(ReaderTraining):
    """How a language model's adapter is trained.

    `rank`: of the adapter's matrices. `longest`: tokens before an option: what more there are at the
    beginning is cut. The layers that are frozen get no adapter; word vectors and output are never trained.
    `without_habits`: whether what the options of published questions give away is taken out, as it always is
    of a cross-encoder's. `bfloat16`: whether products of matrices are made of numbers of 16 bits, in half the
    time where a processor has instructions for them; the adapter's weights keep 32.
    """

    rank: int = 16
    without_habits: bool = True
    bfloat16: bool = False


@dataclass(frozen=True, slots=True)
class Course:
    """One training of an adapter: on the questions of which sets, beside the tasks, and how.

    An adapter of several courses is the mean of what each gives; they differ in sets, steps and seed alone.
    """

    sets: tuple[str, ...]
    recipe: AdapterTraining


@dataclass(frozen=True, slots=True)
class Example:
    """One question: a query and a text of evidence for each option, and which option is right.

    `bias`: what is added to the options' scores in training and never in reading: what a control that sees
    the option alone makes of each. What it explains, the reader need not learn. Empty: nothing.
    """

    name: str
    queries: tuple[str, ...]
    texts: tuple[str, ...]
    right: int
    bias: tuple[float, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """What tells its options apart."""
        return self.queries


@dataclass(frozen=True, slots=True)
class PrefixExample:
    """One question as a language model reads it: its options are continuations of one prefix.

    `right`, `bias`: as `Example`'s.
    """

    name: str
    prefix: str
    continuations: tuple[str, ...]
    right: int
    bias: tuple[float, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """What tells its options apart."""
        return self.continuations
