"""The tables of a benchmark: those its questions are about, or the store that they are asked of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake.schemas import TABLES
from evidence_assets.sources.files import as_configured
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.questions.rows import question_files
from evidence_assets.sources.records import Question, RejectedRecord, TableRecord, table_id
from evidence_assets.sources.rejections import Rejections
from evidence_assets.sources.specifications import BenchmarkSource
from evidence_assets.tables.hygiene import EmptyTableError
from evidence_assets.tables.table_rows import record_rows


def benchmark_tables(
    benchmark: str, source: BenchmarkSource, located: str
) -> tuple[pa.Table, list[RejectedRecord]]:
    """Return the `tables` rows of a benchmark, each table once, and what `Rejections` tells of others.

    `located`: the URI of its source, ready to open.

    Raises:
        UnusableSourceError: a file cannot be read.
    """
    licence = source.licence or BENCHMARKS[source.reader].licence
    tables, unusable, identifiers = [], Rejections(), set()
    for record in _records(source, question_files(located)):
        if isinstance(record, RejectedRecord):
            unusable.add(record)
            continue
        identifier = table_id(record)
        if identifier in identifiers:
            continue
        identifiers.add(identifier)
        try:
            read = as_configured(record.file, source.uri, located) if record.file else source.uri
            file = record.copy_of or read
            tables.append(record_rows(benchmark, [record], file, licence))
        except EmptyTableError as error:
            unusable.add(RejectedRecord(record.key, str(error), "leave its questions out"))
    return pa.concat_tables([TABLES.schema.empty_table(), *tables]), list(unusable)


def without(tables: pa.Table, retracted: Collection[str]) -> pa.Table:
    """Return `tables` rows without those of these ids."""
    return tables.filter(pc.invert(pc.is_in(tables.column("table_id"), pa.array(retracted, pa.string()))))


def _records(source: BenchmarkSource, uris: Iterable[str]) -> Iterator[TableRecord | RejectedRecord]:
    benchmark = BENCHMARKS[source.reader]
    for uri in uris:
        if benchmark.store is not None:
            yield from benchmark.store(uri)
            continue
        for record in benchmark.reader(uri, source.split):
            # What a question lacks is told with the questions.
            if isinstance(record, Question) and record.table is not None:
                yield record.table
