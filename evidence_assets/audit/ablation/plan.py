"""Which evidence of a prediction is taken away: alone, all that is cited, all else, or as much at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import BaseModel, Field

from evidence_assets.lake.ids import content_id
from evidence_assets.stages.withholding import Source


class Kind(StrEnum):
    """The kinds of sets that are taken away."""

    ONE = "one_removed"
    CITED = "cited_removed"
    ONLY_CITED = "only_cited_kept"
    RANDOM = "random_removed"
    ONLY_RANDOM = "only_random_kept"
    ALL = "all_removed"
    MINIMAL = "minimal_kept"


class AblationSettings(BaseModel):
    """How much of a benchmark's evidence is questioned.

    `sample`: predictions, drawn at random; 0: all. `each`: of a prediction's cited sources and of its others,
    so many at most are taken away alone, drawn at random. `draws`: random sets beside the cited ones.
    `minimal`: look for the least evidence that the answer stands on. `seed`: of all that is drawn.
    """

    sample: int = Field(default=0, ge=0)
    each: int = Field(default=8, ge=1)
    draws: int = Field(default=2, ge=1)
    minimal: bool = True
    seed: int = 20_261_121


@dataclass(frozen=True, slots=True)
class Questioned:
    """One answer and what it rests on.

    `given`: its sources, each once, in the order of their best rank; `cited`: those of them that the answer
    cites. `evidence`: the evidence ids that stand in each source.
    """

    prediction_id: str
    question_id: str
    predicted: str | None
    confidence: float | None
    given: tuple[Source, ...]
    cited: tuple[Source, ...]
    evidence: Mapping[Source, Sequence[str]] = field(default_factory=dict)

    @property
    def uncited(self) -> tuple[Source, ...]:
        """The sources that were given, and that the answer does not cite."""
        cited = set(self.cited)
        return tuple(source for source in self.given if source not in cited)


@dataclass(frozen=True, slots=True)
class Removal:
    """One set of a prediction's sources that is taken away.

    `draw`: of several random sets, from 1. `is_cited`, `weight`: of a source by itself, whether the answer
    cites it, and how many sources it was drawn to stand for.
    """

    kind: Kind
    sources: frozenset[Source]
    draw: int = 0
    is_cited: bool | None = None
    weight: float | None = None

    def name(self, questioned: Questioned) -> str:
        """Return what the row says was removed: an evidence id, a source, or the name of a set."""
        if self.kind is not Kind.ONE:
            return f"{self.kind} {self.draw}" if self.draw else str(self.kind)
        [source] = self.sources
        ids = questioned.evidence.get(source, ())
        return ids[0] if len(ids) == 1 else source.name


def removals(questioned: Questioned, settings: AblationSettings) -> Iterator[Removal]:
    """Yield what is taken away from one prediction; of an answer that cites nothing, no set of citations.

    Random sets are drawn from what is not cited where there is as much of it, else from all that was given:
    what is cited is not its own control. Nothing else depends on the order of predictions.
    """
    draw = _drawing(questioned.prediction_id, settings.seed)
    yield Removal(Kind.ALL, frozenset(questioned.given))
    for is_cited, sources in ((True, questioned.cited), (False, questioned.uncited)):
        drawn = draw(sources, settings.each)
        for source in drawn:
            yield Removal(Kind.ONE, frozenset([source]), 0, is_cited, len(sources) / len(drawn))
    if not questioned.cited:
        return
    count, given, cited = (len(questioned.cited), frozenset(questioned.given), frozenset(questioned.cited))
    yield Removal(Kind.CITED, cited)
    yield Removal(Kind.ONLY_CITED, given - cited)
    pool = questioned.uncited if len(questioned.uncited) >= count else questioned.given
    for number in range(1, settings.draws + 1):
        yield Removal(Kind.RANDOM, frozenset(draw(pool, count)), number)
        yield Removal(Kind.ONLY_RANDOM, given - frozenset(draw(pool, count)), number)


def sampled(predictions: Sequence[Questioned], settings: AblationSettings) -> list[Questioned]:
    """Return a random sample of predictions, in their order; all where none is set."""
    if not settings.sample or settings.sample >= len(predictions):
        return list(predictions)
    keyed = sorted(
        predictions, key=lambda answer: content_id("sample", str(settings.seed), answer.prediction_id)
    )
    sampled_ids = {answer.prediction_id for answer in keyed[: settings.sample]}
    return [answer for answer in predictions if answer.prediction_id in sampled_ids]


def _drawing(prediction_id: str, seed: int) -> Callable[[Sequence[Source], int], list[Source]]:
    """Return what draws sources at random, in their order, the same for a prediction whatever the others."""
    import numpy as np

    generator = np.random.default_rng(int(content_id("draw", str(seed), prediction_id)[:15], 16))

    def draw(sources: Sequence[Source], count: int) -> list[Source]:
        if count >= len(sources):
            return list(sources)
        places = generator.choice(len(sources), count, replace=False)
        return [sources[place] for place in sorted(places.tolist())]

    return draw


def prefixes(ordered: Sequence[Source]) -> Iterator[tuple[Source, ...]]:
    """Yield the first 1, 2, 4, 8 … of some sources: where a greedy search for enough of them looks."""
    size = 1
    while size < len(ordered):
        yield tuple(ordered[:size])
        size *= 2


def by_influence(questioned: Questioned, lost: Mapping[Source, float]) -> list[Source]:
    """Return the sources in the order in which a greedy search adds them.

    `lost`: what a source's own removal cost, for those that were tried: the most first, then what is cited,
    then the best rank.
    """
    cited = set(questioned.cited)
    place = {source: number for number, source in enumerate(questioned.given)}
    return sorted(
        questioned.given, key=lambda source: (-lost.get(source, 0.0), source not in cited, place[source])
    )


def variant_ids(question_ids: Iterable[str]) -> list[str]:
    """Return an id for each of these variants of questions: the question's, and a number."""
    counts: dict[str, int] = {}
    ids = []
    for question_id in question_ids:
        counts[question_id] = counts.get(question_id, 0) + 1
        ids.append(f"{question_id}#{counts[question_id]}")
    return ids
