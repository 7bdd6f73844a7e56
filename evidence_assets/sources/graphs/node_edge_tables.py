"""Concepts and triples of a table of nodes and a table of edges: CSV, TSV, JSONL or Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from evidence_assets.sources.files import NamedFile, named_files, uncompressed_name
from evidence_assets.sources.graphs.common import GraphRecords, finite_number, rows, stated_at
from evidence_assets.sources.graphs.cross_references import canonical
from evidence_assets.sources.parquet import check_columns, parquet_rows
from evidence_assets.sources.reading import Folder, Row, check_field_names, in_file, records_of
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple
from evidence_assets.sources.validation import RecordRejectedError, required_text

NODES, EDGES = "nodes", "edges"
FORMATS = (".csv", ".tsv", ".jsonl", ".parquet")
# Ours, and whether a table must have it.
NODE_COLUMNS = {"id": True, "name": True, "type": False, "aliases": False, "description": False}
EDGE_COLUMNS = {"head": True, "relation": True, "tail": True, "weight": False}
PREFIX = "prefix"
FIELD_NAMES = (*NODE_COLUMNS, *EDGE_COLUMNS, PREFIX)
BATCH_ROWS = 4096
_MAPPED = "map our names to the file's columns with `fields`"


def read(uri: str, fields: Mapping[str, str]) -> GraphRecords:
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
    from evidence_assets.sources.uris import file_name

    check_field_names(uri, fields, FIELD_NAMES)
    folder = Folder(uri, named_files(uri))
    nodes, edges = (folder.file(*(f"{name}{suffix}" for suffix in FORMATS)) for name in (NODES, EDGES))
    prefix = fields.get(PREFIX) or file_name(uri.rstrip("/")).upper()
    yield from _some(nodes, in_file(nodes, _concepts(nodes, fields, prefix)), "a node")
    yield from _some(edges, in_file(edges, _triples(edges, fields, prefix)), "an edge")


def _some(file: NamedFile, records: GraphRecords, kind: str) -> GraphRecords:
    """The records of a table; of one that has none, why it is of no use."""
    first = next(records, None)
    if first is None:
        yield RejectedRecord(file.name, "it has no row below its header", f"write {kind} a row below it")
        return
    yield first
    yield from records


def _concepts(
    file: NamedFile, fields: Mapping[str, str], prefix: str
) -> Iterator[ConceptRecord | RejectedRecord]:
    places: dict[str, str] = {}

    def concept(row: Row[object]) -> Iterator[ConceptRecord]:
        values = _by_our_names(row, NODE_COLUMNS, fields)
        key = _key(values["id"], "id", prefix)
        if key in places:
            raise RecordRejectedError(
                f"the id {values['id']!a:.60} was used before, at {places[key]}",
                "give every node an id of its own",
            )
        name = _text(values["name"])
        yield ConceptRecord(
            key=key,
            label=required_text(name, "name"),
            synonyms=_aliases(values["aliases"], name),
            definition=_text(values["description"]),
            kind=_text(values["type"]),
            record=f"{file.name}:{row.place}",
        )
        places[key] = row.place

    return records_of(_rows(file, NODE_COLUMNS, fields), concept)


def _triples(file: NamedFile, fields: Mapping[str, str], prefix: str) -> Iterator[Triple | RejectedRecord]:
    def triple(row: Row[object]) -> Iterator[Triple]:
        values = _by_our_names(row, EDGE_COLUMNS, fields)
        yield Triple(
            head=_key(values["head"], "head", prefix),
            relation=required_text(_text(values["relation"]), "relation"),
            tail=_key(values["tail"], "tail", prefix),
            weight=_weight(values["weight"]),
            sources=stated_at(f"{file.name}:{row.place}"),
            by_key=True,
        )

    return records_of(_rows(file, EDGE_COLUMNS, fields), triple)


def _by_our_names(row: Row[object], ours: Iterable[str], fields: Mapping[str, str]) -> dict[str, object]:
    """A row's values; a column that is not there has None."""
    return {name: row.fields.get(fields.get(name, name)) for name in ours}


def _rows(
    file: NamedFile, ours: Mapping[str, bool], fields: Mapping[str, str]
) -> Iterator[Row[object] | RejectedRecord]:
    """The rows of a table in any of the formats; columns that are mapped must be there."""
    needed = [fields.get(name, name) for name, is_needed in ours.items() if is_needed or name in fields]
    suffix = uncompressed_name(file.name).suffix
    if suffix == ".jsonl":
        from evidence_assets.sources.json_entries import json_lines

        return json_lines(file.uri, needed=tuple(needed), identifier="")
    if suffix == ".parquet":

        def columns_of(present: list[str]) -> Sequence[str]:
            check_columns(file.uri, present, needed, _MAPPED)
            return present

        remedy = "fetch or write the file again"
        return parquet_rows(file.uri, columns_of, BATCH_ROWS, remedy=remedy)
    delimiter = "," if suffix == ".csv" else "\t"
    return rows(file.uri, needed, delimiter=delimiter, quoted=suffix == ".csv", remedy=_MAPPED)


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
    return finite_number(value, "correct the weight, or leave it out")
