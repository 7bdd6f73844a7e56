"""Conjunctions of relations by variable elimination, in SQL: a join for each variable, its result projected.

Bucket elimination (Dechter 1999). Where conditions form a tree every join is a semi-join (Yannakakis 1981); a
join on a cycle that exceeds a bound is split (mini-buckets, Dechter and Rish 2003): its result then holds
every solution, and may hold more.
"""

# ruff: noqa: S608 - the SQL is made of identifiers and integers of this package, never of outside text.

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class _Relation:
    """A common table expression: its name, and its columns, each a variable."""

    name: str
    columns: frozenset[str]


class Elimination:
    """A conjunction of relations, solved for some of its variables.

    Args:
        connection: What runs the SQL.
        outputs: The variables of the result; all others are eliminated.
        most: Rows that a join on a cycle may have.
    """

    def __init__(self, connection: DuckDBPyConnection, outputs: Sequence[str], most: int) -> None:
        self._connection, self._outputs, self._most = connection, outputs, most
        self._tables: list[str] = []
        self._relations: list[_Relation] = []
        self.exact = True

    def add(self, columns: Collection[str], select: str) -> None:
        """Add a relation of these columns: SQL of fixed identifiers and integers alone."""
        name = f"r{len(self._tables)}"
        self._tables.append(f"{name} AS ({select})")
        self._relations.append(_Relation(name, frozenset(columns)))

    def result(self, select: str, grouping: str = "") -> Mapping[str, NDArray[np.integer]]:
        """Return the columns of a SELECT over the output variables; its rows are in no order."""
        while eliminable := frozenset().union(*(part.columns for part in self._relations)) - {*self._outputs}:
            self._eliminate(min(eliminable, key=lambda column: (len(self._neighbours(column)), column)))
        if len(self._relations) > 1:
            self._project(self._relations, self._outputs)
        rows = self._connection.execute(
            f"{self._with()} SELECT {select} FROM {self._relations[-1].name} {grouping}"
        )
        columns: Mapping[str, NDArray[np.integer]] = rows.fetchnumpy()
        return columns

    def _neighbours(self, column: str) -> set[str]:
        """Return the variables that share a relation with this one."""
        holding = (relation.columns for relation in self._relations if column in relation.columns)
        return set().union(*holding) - {column}

    def _eliminate(self, column: str) -> None:
        neighbours = self._neighbours(column)
        bucket = [relation for relation in self._relations if column in relation.columns]
        self._relations = [relation for relation in self._relations if column not in relation.columns]
        if len(neighbours) > 1 and self._exceeds(bucket, column):
            self.exact = False
            for relation in bucket:
                self._project([relation], relation.columns - {column})
        else:
            # Relations of the other variables alone reduce the rows to join; they stay for later joins.
            filters = [relation for relation in self._relations if relation.columns <= neighbours]
            self._project([*bucket, *(filters if len(neighbours) > 1 else ())], neighbours)

    def _project(self, relations: Sequence[_Relation], columns: Collection[str]) -> None:
        holders = {column: relation.name for relation in relations for column in relation.columns}
        chosen = ", ".join(f"{holders[column]}.{column}" for column in sorted(columns))
        # A relation that shares no variable with the others only matters by whether it has a row.
        self.add(columns, f"SELECT DISTINCT {chosen or '1'} FROM {_joined(relations)}")

    def _exceeds(self, bucket: Sequence[_Relation], column: str) -> bool:
        """Return whether a join has too many rows, counted before it is made."""
        counts = [
            f"(SELECT {column}, count(*)::DOUBLE AS rows FROM {relation.name} GROUP BY {column}) AS c{place}"
            for place, relation in enumerate(bucket)
        ]
        equalities = [f"c0.{column} = c{place}.{column}" for place in range(1, len(bucket))]
        product = " * ".join(f"c{place}.rows" for place in range(len(bucket)))
        total = f"SELECT sum({product}) FROM {', '.join(counts)} WHERE {' AND '.join(equalities) or 'true'}"
        (rows,) = self._connection.execute(f"{self._with()} {total}").fetchall()
        return bool((rows[0] or 0) > self._most)

    def _with(self) -> str:
        return f"WITH {', '.join(self._tables)}"


def _joined(relations: Sequence[_Relation]) -> str:
    """Return a FROM clause that joins relations on the columns that they share."""
    holders: dict[str, str] = {}
    equalities = [
        f"{holder}.{column} = {relation.name}.{column}"
        for relation in relations
        for column in sorted(relation.columns)
        if (holder := holders.setdefault(column, relation.name)) != relation.name
    ]
    return f"{', '.join(relation.name for relation in relations)} WHERE {' AND '.join(equalities) or 'true'}"
