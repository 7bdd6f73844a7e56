"""What each unit of evidence was taken from, as it stands in the lake now: passages, triples, tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.audit.pages.source_tables import SOURCE_TABLES
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNKS,
    GENERATED_TRIPLES,
    NODE_DOCUMENTS,
    QUESTIONS,
    TABLES,
    TRIPLES,
    Table,
)

if TYPE_CHECKING:
    from evidence_assets.stages.inputs import Inputs

_UNREAD = {
    ARTICLES: {"corpus", "shard", "text_hash"},
    CHUNKS: {"corpus", "shard", "text", "sentence_ends", "n_tokens"},
    TRIPLES: {"weight"},
    TABLES: {"typed_rows"},
}
# Characters of a source that are shown on either side of what was cited.
AROUND = 320
Row = Mapping[str, Any]


class Standing(StrEnum):
    """How a source stands to the evidence that was taken from it."""

    STANDS = "stands"
    """It says what it said."""
    CHANGED = "changed"
    """It was changed after the evidence was taken."""
    GONE = "gone"
    """The lake no longer holds it."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What stands in a source: the words that were taken, and some on either side."""

    before: str
    marked: str
    after: str
    starts: bool = True
    ends: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """A triple, with the sources that state it."""

    triple_id: str
    head: str
    relation: str
    tail: str
    stated_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a unit of evidence comes from.

    `keys`: what it is known by to other answers that rest on it, the most telling first. `problem`: what to
    say where it does not stand as it did; `note`: what else to say of it.
    """

    standing: Standing
    title: str
    place: str = ""
    uri: str = ""
    revision: str = ""
    licence: str = ""
    problem: str = ""
    note: str = ""
    passage: Passage | None = None
    steps: tuple[Step, ...] = ()
    table: Row | None = None
    keys: tuple[str, ...] = ()


class Sources:
    """The rows that an experiment's evidence was taken from.

    `readable`: the tables that the stage declares; evidence taken from others is shown by its text alone.
    """

    def __init__(
        self,
        inputs: Inputs,
        readable: Collection[Table],
        evidence: Iterable[Row],
        questions: Mapping[str, Row],
    ) -> None:
        keys_of_tables: dict[Table, set[str]] = {table: set() for table in SOURCE_TABLES}
        by_name = {table.name: table for table in SOURCE_TABLES}
        for unit in evidence:
            locator = unit["locator"]
            if (table := by_name.get(unit["source_table"])) is not None:
                keys_of_tables[table].add(unit["source_key"])
            keys_of_tables[TRIPLES].update(locator["triple_ids"] or ())
            if locator["article_id"] is not None:
                keys_of_tables[ARTICLES].add(locator["article_id"])
        self._rows = {
            table: _rows(inputs, table, keys) if table in readable else {}
            for table, keys in keys_of_tables.items()
        }
        self._questions = questions
        self._described: dict[str, Source] = {}

    def of(self, unit: Row) -> Source:
        """Return where a row of `evidence` comes from."""
        if unit["evidence_id"] not in self._described:
            self._described[unit["evidence_id"]] = self._describe(unit)
        return self._described[unit["evidence_id"]]

    def _describe(self, unit: Row) -> Source:
        describe = {
            CHUNKS.name: self._text,
            TRIPLES.name: self._triples,
            "reasoning_paths": self._triples,
            TABLES.name: self._cell,
            NODE_DOCUMENTS.name: self._document,
            GENERATED_TRIPLES.name: self._stated_by_a_model,
            QUESTIONS.name: self._question,
        }.get(unit["source_table"])
        if describe is None:
            return Source(Standing.STANDS, f"{unit['source_table']} {unit['source_key']}")
        return describe(unit)

    def title_of_chunk(self, chunk_id: str) -> str:
        """Return the title of the article that a chunk is of; empty where that is not known."""
        chunk = self._rows[CHUNKS].get(chunk_id)
        article = self._rows[ARTICLES].get(chunk["article_id"]) if chunk else None
        return str(article["title"]) if article else ""

    def _text(self, unit: Row) -> Source:
        locator, chunk = unit["locator"], self._rows[CHUNKS].get(unit["source_key"])
        start, end = locator["char_start"], locator["char_end"]
        article = self._rows[ARTICLES].get(locator["article_id"])
        place = f"characters {start:,} to {end:,}" if start is not None else "the whole chunk"
        if article is None:
            problem = "The article that this was taken from is no longer in the lake."
            return Source(
                Standing.GONE,
                "an article that is gone",
                place,
                problem=problem,
                keys=_keys(locator["article_id"]),
            )
        standing, problem = Standing.STANDS, ""
        text, passage_text = str(article["text"]), None if start is None else article["text"][start:end]
        if passage_text != unit["text"]:
            standing, problem = Standing.CHANGED, "The article was changed after this was taken from it."
        elif chunk is None or chunk["text_hash"] != unit["source_version"]:
            standing = Standing.CHANGED
            problem = "The words still stand, but the text around them was changed or cut otherwise since."
        return Source(
            standing,
            article["title"],
            place,
            article["source_uri"],
            article["revision"],
            article["licence"],
            problem,
            passage=None if start is None else _passage(text, start, end),
            keys=_keys(article["source_key"], article["article_id"]),
        )

    def _triples(self, unit: Row) -> Source:
        ids = unit["locator"]["triple_ids"] or [unit["source_key"]]
        rows = [self._rows[TRIPLES].get(triple_id) for triple_id in ids]
        steps = tuple(_step(row) for row in rows if row is not None)
        gone = len(ids) - len(steps)
        licences = sorted({source["licence"] for row in rows if row for source in row["sources"]})
        graphs = sorted({row["kg"] for row in rows if row})
        noun = "triple" if len(ids) == 1 else "path"
        return Source(
            Standing.GONE if gone else Standing.STANDS,
            f"{noun} of the graph {', '.join(graphs)}" if graphs else f"a {noun} that is gone",
            licence=", ".join(licences),
            problem=f"{gone} of {len(ids)} triples are no longer in the graph." if gone else "",
            steps=steps,
            keys=tuple(ids),
        )

    def _cell(self, unit: Row) -> Source:
        table, locator = self._rows[TABLES].get(unit["source_key"]), unit["locator"]
        row, column = locator["row"], locator["column"]
        place = ", ".join(
            [
                *([f"row {row + 1}"] if row is not None else []),
                *([f"column {column + 1}"] if column is not None else []),
            ]
        )
        if table is None:
            problem = "The table that this was taken from is no longer in the lake."
            return Source(
                Standing.GONE, "a table that is gone", place, problem=problem, keys=_keys(unit["source_key"])
            )
        return Source(
            Standing.STANDS,
            table["caption"] or table["key"] or "table without a caption",
            place,
            table["source_uri"],
            licence=table["licence"],
            table=table,
            keys=_keys(table["table_id"]),
        )

    def _document(self, unit: Row) -> Source:
        document = self._rows[NODE_DOCUMENTS].get(unit["source_key"])
        if document is None:
            problem = "The node's document that this was taken from is no longer in the lake."
            return Source(
                Standing.GONE, "a document that is gone", problem=problem, keys=_keys(unit["source_key"])
            )
        start = document["text"].find(unit["text"])
        changed = start < 0
        return Source(
            Standing.CHANGED if changed else Standing.STANDS,
            f"{document['label']}, a node of the graph {document['kg']}",
            f"a document of {document['triples']:,} triples",
            problem="The node's document was changed after this was taken from it." if changed else "",
            passage=None if changed else _passage(document["text"], start, start + len(unit["text"])),
            keys=_keys(document["document_id"]),
        )

    def _stated_by_a_model(self, unit: Row) -> Source:
        triple = self._rows[GENERATED_TRIPLES].get(unit["source_key"])
        note = "No source states this: a language model does, and no graph holds it."
        if triple is None:
            problem = "What the model stated is no longer in the lake."
            return Source(
                Standing.GONE, "a language model", problem=problem, note=note, keys=_keys(unit["source_key"])
            )
        step = Step(triple["generated_triple_id"], triple["head"], triple["relation"], triple["tail"])
        request = f"request {triple['request_hash']}" if triple["request_hash"] else ""
        return Source(
            Standing.STANDS,
            triple["model"],
            request,
            note=note,
            steps=(step,),
            keys=_keys(unit["source_key"]),
        )

    def _question(self, unit: Row) -> Source:
        question = self._questions.get(unit["source_key"])
        if question is None:
            return Source(
                Standing.GONE, "a question that is gone", problem="The question is no longer in the lake."
            )
        changed = question["question"] != unit["text"]
        return Source(
            Standing.CHANGED if changed else Standing.STANDS,
            "the question itself",
            uri=question["source_uri"],
            licence=question["licence"],
            problem="The question was changed since." if changed else "",
            note="Nothing was retrieved for this answer.",
        )


def _rows(inputs: Inputs, table: Table, keys: set[str]) -> dict[str, Row]:
    """Return the rows of a table with these keys, by key; of equal rows in several partitions the first."""
    if not keys:
        return {}
    column, key_array = SOURCE_TABLES[table], pa.array(sorted(keys), pa.string())
    columns = [name for name in table.schema.names if name not in _UNREAD.get(table, ())]
    rows: dict[str, Row] = {}
    for place in inputs.partitions(table):
        for batch in inputs.scan(table, place, columns):
            matching = batch.filter(pc.is_in(batch.column(column), value_set=key_array))
            for row in matching.to_pylist():
                rows.setdefault(row[column], row)
    return rows


def _keys(*keys: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for key in keys if key))


def _step(row: Row) -> Step:
    stated_by = tuple(
        ", ".join(filter(None, (record["source"], record["record"]))) for record in row["sources"]
    )
    return Step(row["triple_id"], row["head"], row["relation"], row["tail"], stated_by)


def _passage(text: str, start: int, end: int) -> Passage:
    """Return a span of a text with what stands around it, cut at white space."""
    first, last = max(0, start - AROUND), min(len(text), end + AROUND)
    while 0 < first < start and not text[first - 1].isspace():
        first += 1
    while end < last < len(text) and not text[last].isspace():
        last -= 1
    return Passage(text[first:start], text[start:end], text[end:last], first == 0, last == len(text))


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table that is shown: its text, and the marks of the citations that name it."""

    text: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableView:
    """The part of a table that citations name, with its neighbours; `left_out` says what is not shown."""

    caption: str
    header: tuple[Cell, ...]
    rows: tuple[tuple[int, tuple[Cell, ...]], ...]
    left_out: str


_MOST_ROWS, _MOST_COLUMNS, _NEIGHBOURS, _LONGEST_CELL = 24, 10, 1, 160


def table_view(table: Row, cited: Sequence[tuple[str, int | None, int | None]]) -> TableView:
    """Return a table with its cited cells marked.

    `cited`: of each citation its mark, row and column; None for a whole row or column.
    """
    height, width = len(table["rows"]), len(table["header"])
    rows = _near([row for _, row, _ in cited if row is not None], height, _MOST_ROWS)
    columns = _near([column for _, _, column in cited if column is not None], width, _MOST_COLUMNS)
    body = []
    for row in rows:
        cells = table["rows"][row]
        shown_cells = [
            Cell(_cut(cells[column] if column < len(cells) else ""), _marks(cited, row, column))
            for column in columns
        ]
        body.append((row + 1, tuple(shown_cells)))
    header = tuple(Cell(_cut(table["header"][column]), _marks(cited, None, column)) for column in columns)
    hidden = []
    if len(rows) < height:
        hidden.append(f"{height - len(rows):,} of {height:,} rows")
    if len(columns) < width:
        hidden.append(f"{width - len(columns):,} of {width:,} columns")
    left_out = f"Not shown: {' and '.join(hidden)}." if hidden else ""
    return TableView(table["caption"] or table["key"] or "", header, tuple(body), left_out)


def _near(cited: Sequence[int], size: int, most: int) -> list[int]:
    """Return the places to show of `size`: those cited, their neighbours, then the first ones."""
    if size <= most:
        return list(range(size))
    around = (place + step for place in cited for step in range(-_NEIGHBOURS, _NEIGHBOURS + 1))
    ranked = dict.fromkeys((*cited, *around, *range(min(size, most))))
    return sorted([place for place in ranked if 0 <= place < size][:most])


def _marks(
    cited: Iterable[tuple[str, int | None, int | None]], row: int | None, column: int
) -> tuple[str, ...]:
    return tuple(mark for mark, at_row, at_column in cited if at_row == row and at_column in (None, column))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 1] + "…"
