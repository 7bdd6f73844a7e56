"""What a change of sources came to: other answers, other questions, other records left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evidence_assets.lake.schemas import ARTICLES, PREDICTIONS, QUESTIONS, REJECTED_RECORDS, TRIPLES
from evidence_assets.sources.rejections import kind_of_reason, source_of_graph
from evidence_assets.sources.retractions import RETRACTED

if TYPE_CHECKING:
    from evidence_assets.orchestration.workspace import Workspace
    from evidence_assets.stages.declaration import Key
    from evidence_assets.stages.graph import Needed


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What was answered, None where nothing was, and whether that is right, None without a key."""

    predicted: str | None
    is_right: bool | None

    @property
    def verdict(self) -> str:
        """What the key says of it."""
        if self.is_right is None:
            return "not scored"
        return "right" if self.is_right else "wrong"


@dataclass(frozen=True, slots=True)
class Changed:
    """An answer that is another, or is judged otherwise, since its sources changed.

    `before`, `after`: None where the experiment had no such question then, or has none now.
    """

    system: str
    arm: str
    benchmark: str
    question_id: str
    before: GivenAnswer | None
    after: GivenAnswer | None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A record that a source's reader rejects: the shard, graph or benchmark, the record, why, the remedy."""

    source: str
    record: str
    reason: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What carrying out a plan changed.

    `left_out`: records that were read before, or were not there; `taken_in`: such as were left out before,
    and are read now, or are gone. What was retracted is not among them.
    """

    answers: tuple[Changed, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    taken_in: tuple[LeftOut, ...] = ()


Answers = Mapping[tuple[str, str, str, str], GivenAnswer]
# A file that is edited breaks elsewhere: a record is told once for each kind of reason.
Rejections = Mapping[tuple[str, str, str], LeftOut]


def outcome_of(answers: tuple[Answers, Answers], rejections: tuple[Rejections, Rejections]) -> Outcome:
    """Return what differs between what stood before and what stands now."""
    before, after = answers
    rejected_before, rejected_now = rejections
    changed = (
        Changed(*place, before.get(place), after.get(place))
        for place in sorted({*before, *after})
        if before.get(place) != after.get(place)
    )
    return Outcome(
        tuple(changed),
        tuple(rejected_now[name] for name in sorted(rejected_now.keys() - rejected_before.keys())),
        tuple(rejected_before[name] for name in sorted(rejected_before.keys() - rejected_now.keys())),
    )


def answers_of(workspace: Workspace, partitions: Iterable[Needed]) -> Answers:
    """Return the answers of the experiments among these partitions, by experiment and question."""
    answers: dict[tuple[str, str, str, str], GivenAnswer] = {}
    columns = ["question_id", "predicted", "correct"]
    for needed in partitions:
        if PREDICTIONS not in needed.stage.tables:
            continue
        experiment = (needed.stage.system, needed.key.variant, needed.key.name)
        place = dict(zip(("system", "arm", "benchmark"), experiment, strict=True))
        rows: list[dict[str, Any]] = workspace.lake.read(PREDICTIONS, place, columns).to_pylist()
        for row in rows:
            answers[*experiment, row["question_id"]] = GivenAnswer(row["predicted"], row["correct"])
    return answers


def rejections_of(workspace: Workspace, read: Iterable[tuple[str, Key]]) -> Rejections:
    """Return what is left out of the sources that these partitions are read from, but for retractions."""
    rejections = {}
    for stage, key in read:
        if stage not in {ARTICLES.name, QUESTIONS.name, TRIPLES.name}:
            continue
        source = source_of_graph(key.name) if stage == TRIPLES.name else key.name
        if not workspace.lake.exists(REJECTED_RECORDS, {"source": source}):
            continue
        columns = ["source", "record", "reason", "remedy"]
        for row in workspace.lake.read(REJECTED_RECORDS, {"source": source}, columns).to_pylist():
            if row["reason"] != RETRACTED:
                name = (source, row["record"], kind_of_reason(row["reason"]))
                rejections[name] = LeftOut(**row)
    return rejections
