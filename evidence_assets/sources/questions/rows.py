"""Records of a benchmark reader to rows of `questions`."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

import pyarrow as pa

from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.schemas import QUESTIONS
from evidence_assets.sources.files import list_files
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import Question, RejectedRecord, table_id
from evidence_assets.sources.rejections import Rejections, none_usable
from evidence_assets.sources.specifications import BenchmarkSource


def question_files(uri: str) -> list[str]:
    """Return the URIs to hand to a reader, one by one: the files of a glob, else the URI as it is.

    Raises:
        UnusableSourceError: the glob names no file.
    """
    return list_files(uri) if glob.has_magic(uri) else [uri]


def question_rows(
    records: Iterable[Question | RejectedRecord], benchmark: str, source: BenchmarkSource
) -> tuple[pa.Table, list[RejectedRecord]]:
    """Return the `questions` rows of a benchmark, and what `Rejections` tells of records that are none."""
    licence = source.licence or BENCHMARKS[source.reader].licence
    rows, rejected, seen = [], Rejections(), set()
    for record in records:
        if isinstance(record, RejectedRecord):
            rejected.add(record)
            continue
        if record.question_id in seen:
            reason = "the question id was used before, in another file of the benchmark"
            rejected.add(
                RejectedRecord(f"question {record.question_id!r}", reason, "give it an id of its own")
            )
            continue
        seen.add(record.question_id)
        rows.append(
            {
                **asdict(replace(record, table=None)),
                "benchmark": benchmark,
                "table_id": None if record.table is None else table_id(record.table),
                "split": source.split,
                "source_uri": source.uri,
                "licence": licence,
            }
        )
    return pa.Table.from_pylist(rows, schema=QUESTIONS.schema), list(rejected)


def no_questions(place: str, source: BenchmarkSource, rejected: Sequence[RejectedRecord]) -> str:
    """Return what is said of a benchmark none of whose records is a question: how many there are, and why."""
    where = f"{place}: {source.uri}, read as {source.reader}"
    if not rejected:
        return f"{where}: no record of the split {source.split!r}; remedy: name the file that holds it"
    return f"{where}: {none_usable('a question', rejected)}, or name the reader that fits"


def sampled(questions: pa.Table, sample: int | None) -> pa.Table:
    """Return `sample` of a benchmark's `questions` rows, in their order; all of them where it is None.

    Taken are those whose ids have the smallest hashes: a sample as good as drawn by lot, that is the same on
    every machine and does not depend on the order of the files.
    """
    if sample is None or questions.num_rows <= sample:
        return questions
    hashes = [text_hash(identifier) for identifier in questions.column("question_id").to_pylist()]
    chosen = sorted(range(len(hashes)), key=hashes.__getitem__)[:sample]
    return questions.take(pa.array(sorted(chosen), pa.int64()))
