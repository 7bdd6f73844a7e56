"""What Dagster shows of a partition that was made: its first rows, and of an experiment a few answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake.previews import table_preview
from evidence_assets.lake.schemas import ARTICLES, CHAINS, EVIDENCE, PREDICTIONS, QUESTIONS, TABLES, Table

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake, Partition, WrittenPartition
    from evidence_assets.stages.layout import Layout

PREVIEW_ROWS = 5
_HASH = re.compile(r"[0-9a-f]{16,64}")
# What evidence of these was read from, where it is no file.
_READ_FROM = {"questions": "the question", "generated_triples": "a model", "tables": "a table"}


def sample_chains(lake: Lake, place: Partition, layout: Layout) -> str:
    """Return a few answers of an experiment as Markdown, abstentions left out; empty where all abstained.

    Each with its question, its chain, and the files, graphs and tables that the chain cites.
    """
    columns = ["question_id", "predicted", "predicted_index"]
    predictions = lake.read(PREDICTIONS, place, columns)
    given = predictions.filter(pc.is_valid(predictions.column("predicted")))
    answered = given.slice(0, PREVIEW_ROWS).to_pylist()
    # Of a question without options there is one chain, and no index.
    wanted = {
        (row["question_id"], -1 if row["predicted_index"] is None else row["predicted_index"])
        for row in answered
    }
    columns = ["question_id", "candidate", "text", "cited", "citation_status"]
    chains = {
        row["question_id"]: row
        for row in _rows_of(lake.read(CHAINS, place, columns), {key for key, _ in wanted}).to_pylist()
        if (row["question_id"], row["candidate"]) in wanted
    }
    cited = {key for chain in chains.values() for key in chain["cited"]}
    sources = _sources(lake, place, layout, cited)
    rows = [
        {
            "benchmark": place["benchmark"],
            "question_id": row["question_id"],
            "answer": row["predicted"],
            "chain": chains[row["question_id"]]["text"],
            "citations": chains[row["question_id"]]["citation_status"],
            "sources": "; ".join(dict.fromkeys(sources[key] for key in chains[row["question_id"]]["cited"])),
        }
        for row in answered
        if row["question_id"] in chains
    ]
    if not rows:
        return ""
    shown = _with_questions(lake, pa.Table.from_pylist(rows))
    return table_preview(shown.drop_columns(["benchmark", "question_id"]))


def _sources(lake: Lake, place: Partition, layout: Layout, cited: Set[str]) -> dict[str, str]:
    """Return where each unit of evidence was read from, as people call it: an article, a graph, a table."""
    columns = ["evidence_id", "source_table", "source_key", "locator"]
    units = _rows_of(lake.read(EVIDENCE, place, columns), cited).to_pylist()
    links = layout.benchmarks[place["benchmark"]]
    shards = [shard for shard, corpus in layout.shards.items() if corpus == links.corpus]
    articles = [{"corpus": str(links.corpus), "shard": shard} for shard in shards]
    tables = [{"source": place["benchmark"]}]
    wanted = {row["locator"]["article_id"] for row in units} - {None}
    names = _named(lake, ARTICLES, articles, ("article_id", "source_key"), wanted)
    names |= _named(lake, TABLES, tables, ("table_id", "key"), {row["source_key"] for row in units})
    return {
        row["evidence_id"]: names.get(row["locator"]["article_id"])
        or names.get(row["source_key"])
        or _READ_FROM.get(row["source_table"], f"graph {links.graph}")
        for row in units
    }


def _named(
    lake: Lake, table: Table, places: Iterable[Partition], columns: Sequence[str], wanted: Set[str]
) -> dict[str, str]:
    """Return what rows are called in their sources, by id."""
    names: dict[str, str] = {}
    for place in places:
        if wanted and lake.exists(table, place):
            for batch in lake.scan(table, place, columns):
                rows = _rows_of(batch, wanted)
                names |= dict(zip(*(rows.column(name).to_pylist() for name in columns), strict=True))
    return names


def _rows_of(rows: pa.Table | pa.RecordBatch, wanted: Set[str]) -> pa.Table | pa.RecordBatch:
    """Return the rows whose first column holds one of these."""
    return rows.filter(pc.is_in(rows.column(0), value_set=pa.array(sorted(wanted), pa.string())))


def preview(lake: Lake, written: WrittenPartition, table: Table) -> str:
    """Return the first rows as Markdown: with the questions that they are about, and without hashes."""
    from evidence_assets.lake.parquet import scan_file

    columns = [column.name for column in table.schema if column.name != "vector"]
    first = next(scan_file(lake.filesystem, written.path, columns, PREVIEW_ROWS)[1], None)
    if first is None:
        return table_preview(pa.table({}))
    rows = _without_hashes(pa.Table.from_batches([first]).slice(0, PREVIEW_ROWS))
    return table_preview(_with_questions(lake, rows))


def _without_hashes(rows: pa.Table) -> pa.Table:
    def is_hash(name: str) -> bool:
        values = [value for value in rows.column(name).to_pylist() if value is not None]
        return bool(values) and all(isinstance(value, str) and _HASH.fullmatch(value) for value in values)

    kept = [name for name in rows.column_names if not is_hash(name)]
    return rows.select(kept or rows.column_names)


def _with_questions(lake: Lake, rows: pa.Table) -> pa.Table:
    names = rows.column_names
    if not {"benchmark", "question_id"} <= set(names) or "question" in names or not rows.num_rows:
        return rows
    texts: dict[tuple[str, str], str] = {}
    columns = [rows.column(name).to_pylist() for name in ("benchmark", "question_id")]
    keys = list(zip(*columns, strict=True))
    for benchmark in sorted(set(columns[0])):
        place = {"benchmark": benchmark}
        if not lake.exists(QUESTIONS, place):
            continue
        questions = lake.read(QUESTIONS, place, ["question_id", "question"])
        for row in _rows_of(questions, set(columns[1])).to_pylist():
            texts[benchmark, row["question_id"]] = row["question"]
    return rows.add_column(0, "question", pa.array([texts.get(key, "") for key in keys], pa.string()))
