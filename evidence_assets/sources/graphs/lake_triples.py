"""Triples of another lake, from files of its tables `triples` and `harvested_triples`: a graph's folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evidence_assets.sources.graphs.common import finite_number, stated_at
from evidence_assets.sources.parquet import check_columns, parquet_rows
from evidence_assets.sources.reading import Row, file_reader, records_of
from evidence_assets.sources.records import RejectedRecord, Triple, TripleSource
from evidence_assets.sources.validation import optional_text, required_list, required_mapping, required_text

BATCH_ROWS = 4096
COLUMNS = ("head", "relation", "tail", "weight", "sources")
MINED_COLUMNS = ("kg", "head", "relation", "tail", "confidence", "prompts", "model_id")


@file_reader
def read(uri: str, key_prefix: str) -> Iterator[Triple | RejectedRecord]:
    """One triple per row, by the labels of its ends, with its weight and provenance.

    A row with an end or relation that is empty, or with a weight that is no finite number, is rejected
    alone. A row without sources is stated by the place that it was read from.

    Raises:
        UnusableSourceError: a file is no Parquet, is damaged, or lacks a column of the table.
    """

    def columns_of(present: list[str]) -> Sequence[str]:
        columns = MINED_COLUMNS if set(MINED_COLUMNS) <= set(present) else COLUMNS
        check_columns(uri, present, columns, "name files of a lake's table triples, or harvested_triples")
        return columns

    def triple(row: Row[Any]) -> Iterator[Triple]:
        yield _triple(row.fields, f"{key_prefix}{row.place}")

    return records_of(parquet_rows(uri, columns_of, BATCH_ROWS), triple)


def _triple(values: Mapping[str, Any], place: str) -> Triple:
    mined = "prompts" in values
    sources = mined_sources(values) if mined else tuple(_sources(values["sources"]))
    weight = values["confidence" if mined else "weight"]
    return Triple(
        head=required_text(values["head"], "head"),
        relation=required_text(values["relation"], "relation"),
        tail=required_text(values["tail"], "tail"),
        weight=None if weight is None else finite_number(weight, "correct the weight, or leave it out"),
        sources=sources or stated_at(place),
    )


def mined_sources(row: Mapping[str, Any]) -> tuple[TripleSource, ...]:
    """Return who states a row of `harvested_triples`: the prompts that found it, as in the view `triples`.

    Raises:
        RecordRejectedError: the row does not say.
    """
    for name in ("kg", "model_id"):
        required_text(row[name], name)
    prompts = [required_mapping(prompt, "a prompt") for prompt in required_list(row["prompts"], "prompts")]
    for prompt in prompts:
        required_text(prompt.get("prompt"), "a prompt")
    named = [str(prompt["prompt"]) for prompt in prompts if prompt.get("found") or len(prompts) == 1]
    licence = f"mined from {row['model_id']}"
    return tuple(TripleSource(row["kg"], prompt, licence) for prompt in named or ["all prompts"])


def _sources(value: object) -> Iterator[TripleSource]:
    for number, entry in enumerate([] if value is None else required_list(value, "sources"), start=1):
        source = required_mapping(entry, f"source {number}")
        yield TripleSource(
            *(
                optional_text(source.get(name), f"{name} of source {number}")
                for name in ("source", "record", "licence")
            )
        )
