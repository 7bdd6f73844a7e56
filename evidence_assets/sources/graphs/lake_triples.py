"""Triples of another lake, from files of its tables `triples` and `harvested_triples`: a graph's folder."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evidence_assets.sources.articles.common import check_field_names, read_each
from evidence_assets.sources.files import BrokenReadError, open_binary
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    optional_text,
    required_list,
    required_mapping,
    required_text,
)
from evidence_assets.sources.records import RejectedRecord, Triple, TripleSource, UnusableSourceError

BATCH_ROWS = 4096
COLUMNS = ("head", "relation", "tail", "weight", "sources")
MINED_COLUMNS = ("kg", "head", "relation", "tail", "confidence", "prompts", "model_id")


def read(uri: str, fields: Mapping[str, str]) -> Iterator[Triple | RejectedRecord]:
    """One triple per row, by the labels of its ends, with its weight and provenance.

    A row with an end or relation that is empty, or with a weight that is no finite number, is rejected
    alone. A row without sources is stated by the place that it was read from.

    Raises:
        UnusableSourceError: a file is missing, is no Parquet, is damaged, or lacks a column of the table;
            `fields` is not empty.
    """
    check_field_names(uri, fields, ())
    yield from read_each(uri, _read_file)


def _read_file(uri: str, key_prefix: str) -> Iterator[Triple | RejectedRecord]:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    number = 0
    with open_binary(uri) as stream:
        try:
            parquet = ParquetFile(stream, pre_buffer=False, buffer_size=1024 * 1024)
            columns = _columns(uri, parquet.schema_arrow.names)
            for batch in parquet.iter_batches(BATCH_ROWS, columns=list(columns), use_threads=False):
                for row in range(batch.num_rows):
                    number += 1
                    try:
                        yield _triple(_values(batch, row), f"{key_prefix}row {number}")
                    except RecordRejectedError as rejected:
                        yield rejected.at(f"row {number}")
        except BrokenReadError as error:
            raise error.after(f"row {number}") from error
        except (pa.ArrowException, OSError) as error:
            raise UnusableSourceError(
                uri,
                f"after row {number}",
                f"not readable as Parquet ({' '.join(str(error).split())})",
                "fetch the file again, or name only Parquet files",
            ) from error


def _columns(uri: str, present: list[str]) -> Sequence[str]:
    columns = MINED_COLUMNS if set(MINED_COLUMNS) <= set(present) else COLUMNS
    missing = [name for name in columns if name not in present]
    if missing:
        raise UnusableSourceError(
            uri,
            "before the first record",
            f"no column {', '.join(missing)}; the file has {', '.join(present)}",
            "name files of a lake's table triples, or harvested_triples",
        )
    return columns


def _values(batch: Any, row: int) -> dict[str, Any]:
    try:
        return {name: batch.column(name)[row].as_py() for name in batch.schema.names}
    except UnicodeDecodeError as error:
        raise RecordRejectedError(
            f"byte {error.start} of a text is not UTF-8", "correct the row in the source"
        ) from error


def _triple(values: Mapping[str, Any], place: str) -> Triple:
    mined = "prompts" in values
    sources = mined_sources(values) if mined else tuple(_sources(values["sources"]))
    return Triple(
        head=required_text(values["head"], "head"),
        relation=required_text(values["relation"], "relation"),
        tail=required_text(values["tail"], "tail"),
        weight=_weight(values["confidence" if mined else "weight"]),
        sources=sources or (TripleSource(source="", record=place, licence=""),),
    )


def mined_sources(row: Mapping[str, Any]) -> tuple[TripleSource, ...]:
    """Return who states a row of `harvested_triples`: the prompts that found it, as in the view `triples`."""
    prompts, licence = row["prompts"], f"mined from {row['model_id']}"
    named = [prompt["prompt"] for prompt in prompts if prompt["found"] or len(prompts) == 1]
    return tuple(TripleSource(row["kg"], prompt, licence) for prompt in named or ["all prompts"])


def _weight(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise RecordRejectedError(
            f"weight is {value!r:.60}, not a finite number", "correct the weight, or leave it out"
        )
    return float(value)


def _sources(value: object) -> Iterator[TripleSource]:
    for number, entry in enumerate([] if value is None else required_list(value, "sources"), start=1):
        source = required_mapping(entry, f"source {number}")
        yield TripleSource(
            *(
                optional_text(source.get(name), f"{name} of source {number}")
                for name in ("source", "record", "licence")
            )
        )
