"""A table without some of its cells: they stand empty, and names and places stay as they are."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from evidence_assets.lake.ids import content_id
from evidence_assets.lake.schemas import TABLES
from evidence_assets.stages.withholding import Source
from evidence_assets.tables.table import EMPTY_CELL, Table


def without_cells(table: Table, withheld: Collection[Source]) -> Table:
    """Return a table with the withheld ones of its cells empty, under an id of its own; itself without any.

    The header stays: a program that names a column finds nothing in it.
    """
    places = sorted(
        (source.row, source.column)
        for source in withheld
        if source.table == TABLES.name
        and source.key == table.table_id
        and source.row is not None
        and source.column is not None
    )
    if not places:
        return table
    gone = set(places)
    rows = tuple(
        tuple(EMPTY_CELL if (row, column) in gone else cell for column, cell in enumerate(cells))
        for row, cells in enumerate(table.rows)
    )
    addresses = [f"{row},{column}" for row, column in places]
    return replace(table, table_id=content_id("withheld", table.table_id, *addresses), rows=rows)
