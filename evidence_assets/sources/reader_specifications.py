"""What a configuration says of trained readers: recipes, and folders of readers from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field, model_validator

from evidence_assets.sources.specification_fields import GeneratorName, Name, Strict


class AveragedTraining(Strict):
    """One of several trainings of a reader's adapter: on which of the recipe's sets, and for how long.

    Tasks go into each. `seed`: of its draws, the recipe's if none is named.
    """

    sets: list[Name]
    steps: int = Field(ge=1)
    seed: int | None = None


class ReaderSource(Strict):
    """A recipe of a trained reader: what it learns from, and how.

    Tasks are made of the sentences of `corpora` and of the triples of `graphs`: at most `sentence_groups` and
    `triple_groups` groups of four questions; of a graph the first `triples` by id are used. `sets`: the
    benchmarks whose questions it is trained on beside them. `chosen_on`: the benchmark on whose questions the
    training is stopped; `weighed_on`: those on which its mixture with cheap cues is fitted, that one if none
    is named; `evaluated_on`: the one whose accuracy is recorded. None of these is trained on, and none of
    them all may be a test split. `apart_from`: benchmarks that it is to answer, of any split. What any of
    these asks in the same words is left out of `sets`. `texts`: texts of evidence that an option is read
    with. The other fields: see `models.reader_recipe.ReaderTraining`.

    `generator`: a language model that reads in a cross-encoder's place. With an `adapter_rank` an adapter of
    that rank is trained for it, on layers from `frozen_layers` on; without one nothing is trained, and what
    its likelihoods are worth is fitted on the questions of `sets` and `weighed_on`. `without_habits`: whether
    what the options of published questions give away is taken out of an adapter's training; `bfloat16`:
    whether it computes with numbers of 16 bits. `trainings`: the adapter is the mean of what each of these
    gives, in place of one training of all `sets` and `steps`.
    """

    description: str = ""
    corpora: list[Name] = Field(min_length=1)
    graphs: list[Name] = Field(default_factory=list)
    sets: list[Name] = Field(default_factory=list)
    apart_from: list[Name] = Field(default_factory=list)
    chosen_on: Name
    weighed_on: list[Name] = Field(default_factory=list)
    evaluated_on: Name
    generator: GeneratorName | None = None
    adapter_rank: int = Field(default=0, ge=0, le=256)
    without_habits: bool = True
    bfloat16: bool = False
    # Not written where none is named: a recipe is known by what is written of it.
    trainings: list[AveragedTraining] = Field(default_factory=list, exclude_if=lambda named: not named)
    triples: int = Field(default=12_000, ge=0)
    sentence_groups: int = Field(default=1_000, ge=0)
    triple_groups: int = Field(default=1_500, ge=0)
    texts: int = Field(default=2, ge=1, le=4)
    steps: int = Field(default=1_080, ge=1)
    batch: int = Field(default=8, ge=1)
    body_rate: float = Field(default=5e-5, gt=0)
    frozen_layers: int = Field(default=2, ge=0)
    longest: int = Field(default=96, ge=16, le=512)
    evaluations: int = Field(default=4, ge=1)
    seed: int = 2026

    @model_validator(mode="after")
    def _check_adapter(self) -> ReaderSource:
        if self.adapter_rank and self.generator is None:
            raise ValueError("adapter_rank: name the generator that the adapter is trained for")
        return self

    @model_validator(mode="after")
    def _check_trainings(self) -> ReaderSource:
        if self.trainings and (problem := next(_problems_of_trainings(self), None)):
            raise ValueError(f"trainings: {problem}")
        return self

    @property
    def choosing_benchmarks(self) -> tuple[str, ...]:
        """The benchmarks that it is chosen and weighed on, each once."""
        return tuple(dict.fromkeys([self.chosen_on, *self.weighed_on]))

    @property
    def seen_benchmarks(self) -> tuple[str, ...]:
        """The benchmarks that it is trained on, chosen on, weighed on and evaluated on, each once."""
        return tuple(dict.fromkeys([*self.sets, *self.choosing_benchmarks, self.evaluated_on]))

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """The benchmarks whose questions it depends on, each once."""
        return tuple(dict.fromkeys([*self.seen_benchmarks, *self.apart_from]))


def _problems_of_trainings(recipe: ReaderSource) -> Iterator[str]:
    """Yield why the trainings that a recipe names cannot be averaged, and the remedy."""
    if not recipe.adapter_rank:
        yield (
            "there is no adapter to be the mean of several; remedy: name its adapter_rank, or leave "
            "trainings out"
        )
    if len(recipe.trainings) == 1:
        yield "one alone has no mean; remedy: name another, or give its sets and steps to the recipe instead"
    named = {name for training in recipe.trainings for name in training.sets}
    if unknown := sorted(named - {*recipe.sets}):
        yield (
            f"{', '.join(unknown)} is none of the recipe's sets; remedy: add it to sets, or name another here"
        )
    if untaught := sorted({*recipe.sets} - named):
        yield (
            f"none is on {', '.join(untaught)} of the recipe's sets; remedy: add it to the sets of one, or "
            "take it out of the recipe's"
        )
    numbers: dict[object, int] = {}
    for number, training in enumerate(recipe.trainings, 1):
        seed = recipe.seed if training.seed is None else training.seed
        first = numbers.setdefault((frozenset(training.sets), training.steps, seed), number)
        if first != number:
            yield (
                f"number {first} and number {number} have the same sets, steps and seed; remedy: give one "
                "another seed, or leave it out"
            )


class PreparedReaderSource(Strict):
    """A reader that was trained elsewhere: a folder that `evidence-assets export-reader` wrote.

    `generator`: the language model that it was trained for, as it is called here; none for a cross-encoder.
    """

    description: str = ""
    folder: str = Field(min_length=1)
    generator: GeneratorName | None = None
