"""Entities and triples of MetaQA's films: its `kb.txt`, or tables of numbers with their names beside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from evidence_assets.sources.articles.common import check_field_names
from evidence_assets.sources.files import NamedFile, named_files, text_lines
from evidence_assets.sources.graphs.common import (
    folder_file,
    in_file,
    keyed_triple,
    optional_folder_file,
)
from evidence_assets.sources.questions.validation import RecordRejectedError, required_text
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple, UnusableSourceError

WHOLE, NUMBERED = "kb.txt", "kb_*.tsv"
ENTITIES, RELATIONS = "entity2text.txt", "relation2text.txt"
# Kinds of the head and tail of each relation. A tag may be any name, so it has no kind.
ENDS = {
    "directed_by": ("movie", "person"),
    "written_by": ("movie", "person"),
    "starred_actors": ("movie", "person"),
    "release_year": ("movie", "year"),
    "in_language": ("movie", "language"),
    "has_genre": ("movie", "genre"),
    "has_tags": ("movie", ""),
    "has_imdb_rating": ("movie", "rating"),
    "has_imdb_votes": ("movie", "votes"),
}
TAG = "tag"
PREFIX = "METAQA"


class Edge(NamedTuple):
    """One line of a file of triples: its ends as written, and its line number."""

    head: str
    relation: str
    tail: str
    record: str


class Named(NamedTuple):
    """One line that names a number; `note` records a repair."""

    identifier: int
    name: str
    line: int
    note: str = ""


@dataclass
class _Kinds:
    """The kind of each entity, inferred from its relations."""

    found: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, edge: Edge) -> None:
        for end, kind in zip((edge.head, edge.tail), ENDS.get(edge.relation, ("", "")), strict=True):
            self.found[end].add(kind)

    def of(self, entity: str) -> str:
        """The one kind that the relations agree on; tag where it is nothing else, empty where they differ."""
        kinds = self.found.get(entity, set())
        sure = kinds - {""}
        if len(sure) == 1:
            return next(iter(sure))
        return TAG if kinds == {""} else ""


def read(uri: str, fields: Mapping[str, str]) -> Iterator[Triple | ConceptRecord | RejectedRecord]:
    """One concept an entity, then one triple a line.

    `uri` is MetaQA's `kb.txt` (`head|relation|tail`) or the folder that holds it; or a folder of tables
    `kb_*.tsv` (numbers of head, relation and tail, parted by tabs) with `entity2text.txt` and
    `relation2text.txt` (a number and a name a line). Numbers run on: one that was used before is mended where
    the line before it and the line after it leave exactly one number open, and the concept's record says so;
    any other repeated number is rejected. An entity's kind is what its relations agree on.

    Raises:
        UnusableSourceError: a file is missing or breaks off; `fields` is not empty.
    """
    check_field_names(uri, fields, ())
    files = named_files(uri)
    if optional_folder_file(uri, files, ENTITIES) is None:
        whole = files[0] if len(files) == 1 else folder_file(uri, files, WHOLE)
        yield from _whole(whole)
    else:
        yield from _numbered(uri, files)


def _whole(file: NamedFile) -> Iterator[Triple | ConceptRecord | RejectedRecord]:
    edges, kinds = [], _Kinds()
    for line in _split_lines(file, "|", ("head", "relation", "tail")):
        if isinstance(line, RejectedRecord):
            yield line
            continue
        number, values = line
        edge = Edge(values[0], values[1], values[2], f"line {number}")
        edges.append(edge)
        kinds.add(edge)
    seen: set[str] = set()
    for edge in edges:
        for entity in (edge.head, edge.tail):
            if entity not in seen:
                seen.add(entity)
                key = f"{PREFIX}:{entity}"
                yield ConceptRecord(key, entity, kind=kinds.of(entity), record=edge.record)
    for edge in edges:
        yield keyed_triple(f"{PREFIX}:{edge.head}", edge.relation, f"{PREFIX}:{edge.tail}", edge.record)


def _numbered(uri: str, files: Sequence[NamedFile]) -> Iterator[Triple | ConceptRecord | RejectedRecord]:
    relations: dict[str, str] = {}
    for relation in _names(folder_file(uri, files, RELATIONS)):
        if isinstance(relation, RejectedRecord):
            yield relation
        else:
            relations[str(relation.identifier)] = "_".join(relation.name.split())
    tables = [file for file in files if optional_folder_file(uri, [file], NUMBERED)]
    if not tables:
        raise UnusableSourceError(
            uri, "before the first record", f"no file {NUMBERED} in the folder", "fetch the tables of triples"
        )
    edges, kinds = [], _Kinds()
    for file in tables:
        for edge in _edges(file, relations):
            if isinstance(edge, RejectedRecord):
                yield edge
            else:
                edges.append(edge)
                kinds.add(edge)
    entities = folder_file(uri, files, ENTITIES)
    for entity in _names(entities):
        if isinstance(entity, RejectedRecord):
            yield entity
            continue
        yield ConceptRecord(
            key=f"{PREFIX}:{entity.identifier}",
            label=entity.name,
            kind=kinds.of(str(entity.identifier)),
            record=f"{entities.name}:line {entity.line}{entity.note}",
        )
    for edge in edges:
        yield keyed_triple(f"{PREFIX}:{edge.head}", edge.relation, f"{PREFIX}:{edge.tail}", edge.record)


def _edges(file: NamedFile, relations: Mapping[str, str]) -> Iterator[Edge | RejectedRecord]:
    for line in _split_lines(file, "\t", ("head", "relation", "tail")):
        if isinstance(line, RejectedRecord):
            yield line
            continue
        number, values = line
        try:
            head, relation, tail = (str(_whole_number(value)) for value in values)
            if relation not in relations:
                raise RecordRejectedError(
                    f"relation {relation} has no name", f"give it a name in {RELATIONS}"
                )
        except RecordRejectedError as rejected:
            yield in_file(file, rejected.at(f"line {number}"))
            continue
        yield Edge(head, relations[relation], tail, f"{file.name}:line {number}")


def _names(file: NamedFile) -> Iterator[Named | RejectedRecord]:
    """Every number once, with its name; the whole file is read before the first."""
    entities = []
    for line in _split_lines(file, "\t", ("number", "name")):
        if isinstance(line, RejectedRecord):
            yield line
            continue
        number, values = line
        try:
            entities.append(Named(_whole_number(values[0]), values[1], number))
        except RecordRejectedError as rejected:
            yield in_file(file, rejected.at(f"line {number}"))
    identifiers = {entity.identifier for entity in entities}
    lines: dict[int, int] = {}
    for place, entity in enumerate(entities):
        if entity.identifier not in lines:
            lines[entity.identifier] = entity.line
            yield entity
            continue
        meant = _one_open(entities, place)
        if meant is None or meant in identifiers:
            reason = f"the number {entity.identifier} was used before, at line {lines[entity.identifier]}"
            remedy = "give each name a number of its own: which is meant cannot be told from the lines around"
            yield in_file(file, RejectedRecord(f"line {entity.line}", reason, remedy))
        else:
            yield Named(meant, entity.name, entity.line, f", the number {entity.identifier} read as {meant}")


def _one_open(entities: Sequence[Named], place: int) -> int | None:
    """The number between those of the lines before and after, where there is exactly one."""
    if not 0 < place < len(entities) - 1:
        return None
    before, after = entities[place - 1].identifier, entities[place + 1].identifier
    return before + 1 if after - before == 2 else None


def _split_lines(
    file: NamedFile, delimiter: str, columns: Sequence[str]
) -> Iterator[tuple[int, list[str]] | RejectedRecord]:
    for line in text_lines(file.uri):
        if isinstance(line, RejectedRecord):
            yield in_file(file, line)
            continue
        number, content = line
        if not content.strip():
            continue
        values = content.split(delimiter)
        try:
            if len(values) != len(columns):
                raise RecordRejectedError(
                    f"{len(values)} columns where {len(columns)} are expected",
                    f"write {', '.join(columns)}, parted by {delimiter!r}",
                )
            texts = [required_text(value, name) for value, name in zip(values, columns, strict=True)]
        except RecordRejectedError as rejected:
            yield in_file(file, rejected.at(f"line {number}"))
            continue
        yield number, texts


def _whole_number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise RecordRejectedError(f"{text!a:.60} is no whole number", "write the number of the name")
    return int(text)
