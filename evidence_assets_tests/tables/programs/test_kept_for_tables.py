"""What is made of a table is made once, for the tables that were used last."""

from __future__ import annotations

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.table import Table

TABLES = [make_table(f"table-{n}", "Vans", [["Van", "Seats"]], [["Una", "4"]]) for n in range(9)]


def test_what_is_made_of_a_table_is_kept_until_others_take_its_place() -> None:
    made: list[str] = []

    @kept_for_tables
    def name(table: Table) -> str:
        made.append(table.table_id)
        return table.table_id

    first, *others = TABLES
    assert [name(first), name(first)] == ["table-0", "table-0"]
    assert made == ["table-0"]
    for other in others[:-1]:
        name(other)
    name(first)
    name(others[-1])
    assert made == [table.table_id for table in TABLES]
    name(first)
    assert made == [table.table_id for table in TABLES]
    name(others[0])
    assert made[-1] == "table-1"
