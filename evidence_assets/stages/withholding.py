"""Questions asked once more without some of their evidence: what a reader is handed of each variant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidence_assets.lake.schemas import DOCUMENT_POOLS, REASONING_PATHS, RETRIEVED_FACTS, Table

if TYPE_CHECKING:
    import pyarrow as pa

QUESTION = "question_id"
# The column of a table of evidence, found for questions, and the tables whose rows it names.
_NAMES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    DOCUMENT_POOLS.name: ("document_id", ("node_documents",)),
    REASONING_PATHS.name: ("path_id", ("reasoning_paths",)),
    RETRIEVED_FACTS.name: ("fact_id", ("triples", "reasoning_paths", "generated_triples")),
}


@dataclass(frozen=True, slots=True)
class Source:
    """What is withheld as one: a row of a table of the lake, or a cell of a table that a question is about.

    Text counts by its article, however many sentences of it were given.
    """

    table: str
    key: str
    row: int | None = None
    column: int | None = None

    @property
    def name(self) -> str:
        """A name for people and for SQL: `articles/…`, `tables/… R3.C2`."""
        if self.row is None or self.column is None:
            return f"{self.table}/{self.key}"
        return f"{self.table}/{self.key} R{self.row + 1}.C{self.column + 1}"


@dataclass(frozen=True, slots=True)
class Variant:
    """A question asked under an id of its own, without some sources."""

    question_id: str
    variant_id: str
    withheld: frozenset[Source]


class Variants:
    """Variants of a benchmark's questions: they take the questions' place in whatever a stage reads.

    Raises:
        ValueError: two variants have one id.
    """

    def __init__(self, variants: Iterable[Variant]) -> None:
        self._variants = tuple(variants)
        self._withheld = {variant.variant_id: variant.withheld for variant in self._variants}
        if len(self._withheld) < len(self._variants):
            raise ValueError("two variants of questions have one id")

    def withheld(self, variant_id: str) -> frozenset[Source]:
        """Return what is withheld from a variant."""
        return self._withheld.get(variant_id, frozenset())

    @staticmethod
    def columns_needed(table: Table) -> tuple[str, ...]:
        """Return the columns that tell what of a table's rows a variant is handed."""
        if QUESTION not in table.schema.names:
            return ()
        if table.name not in _NAMES:
            return (QUESTION,)
        lists = ("triple_ids",) if "triple_ids" in table.schema.names else ()
        return (QUESTION, _NAMES[table.name][0], *lists)

    def rows(self, table: Table, rows: pa.Table) -> pa.Table:
        """Return the rows of every variant's question under the variant's id, without those withheld.

        Rows keep their order within a variant. A table that names no question stays as it is.
        """
        import pyarrow as pa

        if QUESTION not in rows.column_names:
            return rows
        places: dict[str, list[int]] = {}
        for place, question_id in enumerate(rows.column(QUESTION).to_pylist()):
            places.setdefault(question_id, []).append(place)
        names = self._named(table, rows)
        row_places: list[int] = []
        ids: list[str] = []
        for variant in self._variants:
            kept = [
                place
                for place in places.get(variant.question_id, ())
                if not variant.withheld or names is None or variant.withheld.isdisjoint(names[place])
            ]
            row_places += kept
            ids += [variant.variant_id] * len(kept)
        column = rows.column_names.index(QUESTION)
        result = rows.take(pa.array(row_places, type=pa.int64()))
        return result.set_column(column, rows.schema.field(QUESTION), pa.array(ids, type=pa.string()))

    @staticmethod
    def _named(table: Table, rows: pa.Table) -> list[frozenset[Source]] | None:
        """Return the sources that each row of a table of evidence names; None for any other table."""
        if table.name not in _NAMES:
            return None
        column, tables = _NAMES[table.name]
        keys = rows.column(column).to_pylist()
        triples: Iterable[list[str] | None] = [None] * len(keys)
        # A path that is a question's own source goes as a whole; a fact goes with each of its triples.
        if table is RETRIEVED_FACTS:
            triples = rows.column("triple_ids").to_pylist()
        return [
            frozenset(
                [*(Source(name, key) for name in tables), *(Source("triples", triple) for triple in of or ())]
            )
            for key, of in zip(keys, triples, strict=True)
        ]
