"""Triples from ConceptNet 5.7's file of assertions: its English edges, with everyone who states them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping

from evidence_assets.sources.files import Line, byte_lines, decoded_line
from evidence_assets.sources.graphs.common import check_count
from evidence_assets.sources.reading import file_reader, records_of
from evidence_assets.sources.records import RejectedRecord, Triple, TripleSource
from evidence_assets.sources.validation import (
    RecordRejectedError,
    optional_text,
    required_list,
    required_mapping,
    required_text,
)

COLUMNS = 5
ENGLISH = b"/c/en/"
RELATION = "/r/"
# Who states an edge: a person or resource, else the program that derived it, else the game it came from.
STATED_BY = ("contributor", "process", "activity")


@file_reader
def read(uri: str, key_prefix: str) -> Iterator[Triple | RejectedRecord]:
    """One triple a line whose both ends are English concepts, by their labels without sense.

    The file is tab separated, in spite of its name: edge, relation, start, end, metadata as JSON. Lines with
    five columns and an end in another language, or outside ConceptNet, are passed over and not looked at
    further. Blank lines are ignored; any other line without a usable English edge is rejected alone.
    """

    def triple(line: Line) -> Iterator[Triple]:
        yield _triple(line.text.split("\t"), f"{key_prefix}{line.place}")

    return records_of(_english_lines(uri), triple)


def _english_lines(uri: str) -> Iterator[Line | RejectedRecord]:
    for number, line in byte_lines(uri):
        # Nine lines of ten end here: their bytes decide, without decoding or a call.
        columns = line.split(b"\t")
        if len(columns) == COLUMNS and not (
            columns[2].startswith(ENGLISH) and columns[3].startswith(ENGLISH)
        ):
            continue
        if line.strip(b" \r\n"):
            yield decoded_line(number, line)


def _triple(columns: list[str], place: str) -> Triple:
    check_count(columns, COLUMNS, "separate edge, relation, start, end and metadata by one tab each")
    _, relation, start, end, metadata = columns
    head, tail = _label(start, "start"), _label(end, "end")
    if head == tail:
        raise RecordRejectedError(
            f"start and end are both {head!r} once sense and part of speech are dropped",
            "leave the edge out: a triple needs two ends",
        )
    try:
        details = required_mapping(json.loads(metadata), "the metadata")
    except (ValueError, RecursionError) as error:
        raise RecordRejectedError(f"broken JSON in the metadata: {error}", "correct the line") from error
    return Triple(
        head=head,
        relation=_relation(relation),
        tail=tail,
        weight=_weight(details.get("weight")),
        sources=tuple(_sources(details, place)),
    )


def _label(concept: str, name: str) -> str:
    """The third part of `/c/en/ice_cream/n/wn/food`, in words."""
    return required_text(concept.split("/", 4)[3].replace("_", " "), f"the label of the {name}")


def _relation(path: str) -> str:
    if not path.startswith(RELATION):
        raise RecordRejectedError(
            f"relation {path!r} does not begin with {RELATION}", f"write the relation as {RELATION}IsA"
        )
    return required_text(path.removeprefix(RELATION), "the relation")


def _weight(value: object) -> float:
    # A whole number in JSON can be larger than any float, and true is one to Python.
    if isinstance(value, int | float) and value is not True and 0 < value <= sys.float_info.max:
        return float(value)
    raise RecordRejectedError(
        f"weight is {value!r:.60}, not a finite number above 0", "correct the weight in the metadata"
    )


def _sources(metadata: Mapping[str, object], place: str) -> Iterator[TripleSource]:
    dataset = required_text(metadata.get("dataset"), "dataset")
    licence = required_text(metadata.get("license"), "license")
    listed = metadata.get("sources")
    entries = [] if listed is None else required_list(listed, "sources")
    for name in [_stated_by(entry, f"source {n}") for n, entry in enumerate(entries, start=1)] or [dataset]:
        yield TripleSource(source=name, record=f"{place} of {dataset}", licence=licence)


def _stated_by(entry: object, place: str) -> str:
    source = required_mapping(entry, place)
    for role in STATED_BY:
        if name := optional_text(source.get(role), f"{role} of {place}"):
            return name
    raise RecordRejectedError(
        f"{place} has no {', '.join(STATED_BY[:-1])} or {STATED_BY[-1]}", f"name one of them for {place}"
    )
