"""Parts of a partition that a record tells of and that do not stand: files that were removed from outside.

A stage is a function of what it reads. So a part that was recorded with the inputs and the version of what
stands beside it belongs there; what a later run left out was recorded with others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from evidence_assets.stages.declaration import Key, Scope, Stage

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake
    from evidence_assets.lake.schemas import Table
    from evidence_assets.stages.layout import Layout

Record = Mapping[str, Any]


class LostPartError(Exception):
    """A file of a table was removed from the lake: names it, and the asset and partition to make anew."""


def lost_parts(recorded: Iterable[Record], standing: Collection[str], beside: Iterable[Record]) -> list[str]:
    """Return the parts of a table's partition that are lost, sorted.

    `recorded`: what is recorded of all that ever were. `standing`: those that stand. `beside`: what is
    recorded of what stands of the same partition, of whichever table of its stage; where nothing does, the
    last that was made counts.
    """
    recorded = list(recorded)
    beside = list(beside) or sorted(recorded, key=itemgetter("materialized_at"))[-1:]
    made = [(record["code_version"], record["upstream"]) for record in beside]
    return sorted(
        {
            record["partition"]
            for record in recorded
            if record["partition"] not in standing and (record["code_version"], record["upstream"]) in made
        }
    )


def require_parts(lake: Lake, layout: Layout, stage: Stage, key: Key, table: Table) -> None:
    """Check that nothing of a table is lost, of a stage's partition that is several of the lake's.

    Relations that are mined come and go while others read them: of these nothing is checked.

    Raises:
        LostPartError: a part of it is.
    """
    from evidence_assets.lake.lake import parsed_partition, partition_name
    from evidence_assets.lake.records import all_records

    if stage.scope == Scope.RELATION or tuple(layout.place(table, stage, key)) == table.partition_columns:
        return
    places = {
        written: [place for place in lake.partitions(written) if layout.covers(place, written, stage, key)]
        for written in stage.tables
    }
    recorded = [
        record
        for record in all_records(lake)
        if record["table"] == table.name
        and layout.covers(parsed_partition(record["partition"]), table, stage, key)
    ]
    # All that one making left is recorded alike: of each table one part tells.
    beside = [lake.recorded(written, of_table[0]) for written, of_table in places.items() if of_table]
    standing = {partition_name(place) for place in places[table]}
    if lost := lost_parts(recorded, standing, filter(None, beside)):
        more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        raise LostPartError(
            f"table {table.name}: the file of {lost[0]}{more} is recorded, and is not in {lake.uri} any "
            f"more; remedy: materialise {stage.name} {key.text} anew, in Dagster or by evidence-assets "
            "retract --edited --apply"
        )
