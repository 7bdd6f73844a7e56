"""Concepts and triples of a table of nodes and a table of edges: CSV, TSV, JSONL or Parquet."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from evidence_assets.sources.articles.common import check_field_names
from evidence_assets.sources.files import (
    COMPRESSION_SUFFIXES,
    BrokenReadError,
    NamedFile,
    named_files,
    open_binary,
)
from evidence_assets.sources.graphs.common import folder_file, in_file, rows
from evidence_assets.sources.graphs.cross_references import canonical
from evidence_assets.sources.questions.validation import RecordRejectedError, required_text
from evidence_assets.sources.records import (
    ConceptRecord,
    RejectedRecord,
    Triple,
    TripleSource,
    UnusableSourceError,
)

NODES, EDGES = "nodes", "edges"
FORMATS = (".csv", ".tsv", ".jsonl", ".parquet")
# Ours, and whether a table must have it.
NODE_COLUMNS = {"id": True, "name": True, "type": False, "aliases": False, "description": False}
EDGE_COLUMNS = {"head": True, "relation": True, "tail": True, "weight": False}
PREFIX = "prefix"
FIELD_NAMES = (*NODE_COLUMNS, *EDGE_COLUMNS, PREFIX)
BATCH_ROWS = 4096
Values = Mapping[str, object]


def read(uri: str, fields: Mapping[str, str]) -> Iterator[Triple | ConceptRecord | RejectedRecord]:
    """One concept a node, then one triple an edge.

    The folder holds `nodes` and `edges`, each as .csv, .tsv, .jsonl or .parquet. Nodes have an `id` and a
    `name`, and may have a `type`, `aliases` (parted by bars, or a list) and a `description`; edges have a
    `head`, a `relation` and a `tail`, the ends by the nodes' ids, and may have a `weight`. `fields` maps our
    names to the tables' columns where they differ. An id without the name of its registry gets `prefix`, by
    default the folder's name: two sources of one prefix mean the same nodes by the same ids. CSV may be
    quoted, a row a line. A bad row is rejected alone.

    Raises:
        UnusableSourceError: a file is missing, breaks off or lacks a column; `fields` has an unknown name.
    """
    from evidence_assets.sources.questions.reading import file_name

    check_field_names(uri, fields, FIELD_NAMES)
    files = named_files(uri)
    nodes, edges = (
        folder_file(uri, files, *(f"{name}{suffix}" for suffix in FORMATS)) for name in (NODES, EDGES)
    )
    prefix = fields.get(PREFIX) or file_name(uri.rstrip("/")).upper()
    yield from _concepts(nodes, _columns(NODE_COLUMNS, fields), prefix)
    yield from _triples(edges, _columns(EDGE_COLUMNS, fields), prefix)


def _columns(ours: Mapping[str, bool], fields: Mapping[str, str]) -> dict[str, tuple[str, bool]]:
    """The table's column of each of our names, and whether it must be there: what is mapped must."""
    return {name: (fields.get(name, name), needed or name in fields) for name, needed in ours.items()}


def _concepts(
    file: NamedFile, columns: Mapping[str, tuple[str, bool]], prefix: str
) -> Iterator[ConceptRecord | RejectedRecord]:
    places: dict[str, str] = {}
    for place, values in _rows(file, columns):
        try:
            if isinstance(values, RejectedRecord):
                yield in_file(file, values)
                continue
            key = _key(values["id"], "id", prefix)
            if key in places:
                raise RecordRejectedError(
                    f"the id {values['id']!a:.60} was used before, at {places[key]}",
                    "give every node an id of its own",
                )
            concept = ConceptRecord(
                key=key,
                label=required_text(_text(values["name"]), "name"),
                synonyms=_aliases(values["aliases"], _text(values["name"])),
                definition=_text(values["description"]),
                kind=_text(values["type"]),
                record=f"{file.name}:{place}",
            )
        except RecordRejectedError as rejected:
            yield in_file(file, rejected.at(place))
            continue
        places[key] = place
        yield concept


def _triples(
    file: NamedFile, columns: Mapping[str, tuple[str, bool]], prefix: str
) -> Iterator[Triple | RejectedRecord]:
    for place, values in _rows(file, columns):
        try:
            if isinstance(values, RejectedRecord):
                yield in_file(file, values)
                continue
            yield Triple(
                head=_key(values["head"], "head", prefix),
                relation=required_text(_text(values["relation"]), "relation"),
                tail=_key(values["tail"], "tail", prefix),
                weight=_weight(values["weight"]),
                sources=(TripleSource(source="", record=f"{file.name}:{place}", licence=""),),
                by_key=True,
            )
        except RecordRejectedError as rejected:
            yield in_file(file, rejected.at(place))


def _rows(
    file: NamedFile, columns: Mapping[str, tuple[str, bool]]
) -> Iterator[tuple[str, Values | RejectedRecord]]:
    """Place and values, by our names, of every row; a column that is not there has None."""
    needed = [column for column, must in columns.values() if must]
    for place, row in _READERS[_format(file.name)](file.uri, needed):
        if isinstance(row, RejectedRecord):
            yield place, row
        else:
            yield place, {name: row.get(column) for name, (column, _) in columns.items()}


def _delimited(uri: str, needed: Sequence[str], *, delimiter: str) -> Iterator[tuple[str, Any]]:
    for row in rows(uri, needed, delimiter=delimiter, quoted=delimiter == ","):
        if isinstance(row, RejectedRecord):
            yield row.record, row
        else:
            yield f"line {row.number}", row.values


def _lines(uri: str, needed: Sequence[str]) -> Iterator[tuple[str, Any]]:
    from evidence_assets.sources.questions.reading import json_lines

    for entry in json_lines(uri, needed=tuple(needed)):
        if isinstance(entry, RejectedRecord):
            yield entry.record, entry
        else:
            yield f"line {entry.number}", entry.fields


def _parquet(uri: str, needed: Sequence[str]) -> Iterator[tuple[str, Any]]:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    number = 0
    with open_binary(uri) as stream:
        try:
            parquet = ParquetFile(stream, pre_buffer=False, buffer_size=1024 * 1024)
            present = parquet.schema_arrow.names
            if missing := [name for name in needed if name not in present]:
                raise UnusableSourceError(
                    uri,
                    "before the first record",
                    f"no column {', '.join(missing)}; the file has {', '.join(present)}",
                    "map our names to the file's columns with `fields`",
                )
            for batch in parquet.iter_batches(BATCH_ROWS, use_threads=False):
                for values in batch.to_pylist():
                    number += 1
                    yield f"row {number}", values
        except BrokenReadError as error:
            raise error.after(f"row {number}") from error
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise UnusableSourceError(
                uri,
                f"after row {number}",
                f"not readable as Parquet ({' '.join(str(error).split())})",
                "fetch or write the file again",
            ) from error


def _csv(uri: str, needed: Sequence[str]) -> Iterator[tuple[str, Any]]:
    return _delimited(uri, needed, delimiter=",")


def _tsv(uri: str, needed: Sequence[str]) -> Iterator[tuple[str, Any]]:
    return _delimited(uri, needed, delimiter="\t")


_READERS = dict(zip(FORMATS, (_csv, _tsv, _lines, _parquet), strict=True))


def _format(name: str) -> str:
    path = PurePosixPath(name)
    return path.with_suffix("").suffix if path.suffix.lower() in COMPRESSION_SUFFIXES else path.suffix


def _key(value: object, name: str, prefix: str) -> str:
    identifier = required_text(_text(value), name)
    return canonical(identifier) if ":" in identifier else f"{prefix}:{identifier}"


def _text(value: object) -> str:
    """A cell as text: whole numbers are ids in some tables, text in others."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise RecordRejectedError(f"{json.dumps(value, default=str):.60} is no text", "write it as text")
    return str(value).strip()


def _aliases(value: object, name: str) -> tuple[str, ...]:
    parts = value if isinstance(value, list) else _text(value).split("|")
    aliases = dict.fromkeys(text for part in parts if (text := _text(part)))
    aliases.pop(name, None)
    return tuple(aliases)


def _weight(value: object) -> float | None:
    if value is None or value == "":
        return None
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError(value)
        weight = float(value)
        if not math.isfinite(weight):
            raise ValueError(value)
    except ValueError:
        raise RecordRejectedError(
            f"weight is {value!a:.60}, not a finite number", "correct the weight, or leave it out"
        ) from None
    return weight
