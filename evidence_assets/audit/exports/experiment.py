"""What of an experiment is exported: its answers down to the sources' words, and what made its tables."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import PartitionVersion
from evidence_assets.lake.schemas import PREDICTIONS, TABLES_BY_NAME
from evidence_assets.stages.inputs import SOURCE_FILES

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake
    from evidence_assets.lake.schemas import Table

Row = Mapping[str, Any]
EXPERIMENT = ("system", "arm", "benchmark")
_ANSWERS = """
SELECT predictions.*, questions.question FROM predictions LEFT JOIN questions USING (benchmark, question_id)
WHERE system = ? AND arm = ? AND benchmark = ? ORDER BY question_id
"""


@dataclass(frozen=True, slots=True)
class Made:
    """A version of a partition, or of a file outside, and what it was made from.

    `record`: its row of `materializations`; None of a file, and of what nothing is recorded of any more.
    """

    version: PartitionVersion
    made_from: tuple[PartitionVersion, ...]
    record: Row | None

    @property
    def is_file(self) -> bool:
        """Whether it is a file outside the lake."""
        return self.version.table == SOURCE_FILES


@dataclass(frozen=True, slots=True)
class Exported:
    """An experiment as it stands.

    `place`: system, arm and benchmark. `answers`: rows of `predictions` with their questions. `traced`: what
    `trace` says of each, by prediction. `tables`: those that hold rows of it. `lineage`: their versions, and
    what these were made from, up to the files.
    """

    place: dict[str, str]
    answers: tuple[Row, ...]
    traced: Mapping[str, Sequence[Row]]
    tables: tuple[Table, ...]
    lineage: tuple[Made, ...]

    @property
    def answers_made(self) -> Made:
        """The partition of `predictions`."""
        return next(made for made in self.lineage if made.version.table == PREDICTIONS.name)

    @property
    def name(self) -> str:
        """What it is called where people read."""
        return f"{self.place['system']}/{self.place['arm']} on {self.place['benchmark']}"


def read_experiment(lake: Lake, system: str, arm: str, benchmark: str) -> Exported:
    """Return what is exported of an experiment.

    Raises:
        LookupError: it was never run.
    """
    place = dict(zip(EXPERIMENT, (system, arm, benchmark), strict=True))
    if not lake.exists(PREDICTIONS, place):
        raise LookupError(
            f"nothing was answered by {system}/{arm} on {benchmark}; remedy: evidence-assets demo "
            f"{benchmark} --arms {system}/{arm}"
        )
    tables = tuple(
        table
        for table in TABLES_BY_NAME.values()
        if table.partition_columns == EXPERIMENT and lake.exists(table, place)
    )
    with catalogue.connect(lake) as connection:
        answers = connection.sql(_ANSWERS, params=list(place.values())).to_arrow_table().to_pylist()
        ids = [answer["prediction_id"] for answer in answers]
        rows = connection.sql("SELECT * FROM traces(?)", params=[ids]).to_arrow_table().to_pylist()
    traced: dict[str, list[Row]] = {name: [] for name in ids}
    for row in rows:
        traced[row["prediction_id"]].append(row)
    lineage = tuple(_lineage(lake, [lake.version(table, place) for table in tables]))
    return Exported(place, tuple(answers), traced, tables, lineage)


def _lineage(lake: Lake, versions: list[PartitionVersion]) -> Iterator[Made]:
    waiting, visited = deque(versions), set(versions)
    while waiting:
        version = waiting.popleft()
        record = None if version.table == SOURCE_FILES else lake.record_of(version)
        made_from = (
            () if record is None else tuple(PartitionVersion(**upstream) for upstream in record["upstream"])
        )
        yield Made(version, made_from, record)
        waiting += [version for version in made_from if version not in visited]
        visited.update(made_from)
