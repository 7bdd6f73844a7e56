"""Entities and triples of MetaQA's films: its `kb.txt`, or tables of numbers with their names beside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from evidence_assets.sources.files import Line, NamedFile, text_lines
from evidence_assets.sources.graphs.common import WHOLE_NUMBER, GraphRecords, check_count, keyed_triple
from evidence_assets.sources.reading import Folder, Row, folder_reader, in_file, kept, records_of, unreadable
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple
from evidence_assets.sources.validation import RecordRejectedError, required_text

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
    place: str
    note: str = ""


class _Kinds:
    """The kind of each entity, inferred from its relations."""

    def __init__(self, edges: Iterable[Edge]) -> None:
        self._of_entity: dict[str, set[str]] = defaultdict(set)
        for edge in edges:
            for end, kind in zip((edge.head, edge.tail), ENDS.get(edge.relation, ("", "")), strict=True):
                self._of_entity[end].add(kind)

    def of(self, entity: str) -> str:
        """The one kind that the relations agree on; tag where it is nothing else, empty where they differ."""
        kinds = self._of_entity.get(entity, set())
        sure = kinds - {""}
        if len(sure) == 1:
            return next(iter(sure))
        return TAG if kinds == {""} else ""


@folder_reader
def read(folder: Folder) -> GraphRecords:
    """One concept an entity, then one triple a line.

    The source is MetaQA's `kb.txt` (`head|relation|tail`) or the folder that holds it; or a folder of tables
    `kb_*.tsv` (numbers of head, relation and tail, parted by tabs) with `entity2text.txt` and
    `relation2text.txt` (a number and a name a line). Numbers run on: one that was used before is mended where
    the line before it and the line after it leave exactly one number open, and the concept's record says so;
    any other repeated number is rejected. An entity's kind is what its relations agree on.
    """
    if folder.optional_file(ENTITIES) is None:
        return _whole(folder.files[0] if len(folder.files) == 1 else folder.file(WHOLE))
    return _numbered(folder)


def _whole(file: NamedFile) -> GraphRecords:
    lines: list[Row[str]] = []
    yield from kept(in_file(file, _split_lines(file, "|", ("head", "relation", "tail"))), lines)
    edges = [Edge(**line.fields, record=line.place) for line in lines]
    kinds = _Kinds(edges)
    seen: set[str] = set()
    for edge in edges:
        for entity in (edge.head, edge.tail):
            if entity not in seen:
                seen.add(entity)
                key = f"{PREFIX}:{entity}"
                yield ConceptRecord(key, entity, kind=kinds.of(entity), record=edge.record)
    yield from map(_triple, edges)


def _numbered(folder: Folder) -> GraphRecords:
    named: list[Named] = []
    yield from kept(_names(folder.file(RELATIONS)), named)
    relations = {str(relation.identifier): "_".join(relation.name.split()) for relation in named}
    tables = folder.matching(NUMBERED)
    if not tables:
        raise unreadable(folder.uri, f"no file {NUMBERED} in the folder", "fetch the tables of triples")
    edges: list[Edge] = []
    for file in tables:
        yield from kept(in_file(file, _edges(file, relations)), edges)
    kinds = _Kinds(edges)
    entities = folder.file(ENTITIES)
    for entity in _names(entities):
        if isinstance(entity, RejectedRecord):
            yield entity
            continue
        yield ConceptRecord(
            key=f"{PREFIX}:{entity.identifier}",
            label=entity.name,
            kind=kinds.of(str(entity.identifier)),
            record=f"{entities.name}:{entity.place}{entity.note}",
        )
    yield from map(_triple, edges)


def _triple(edge: Edge) -> Triple:
    return keyed_triple(f"{PREFIX}:{edge.head}", edge.relation, f"{PREFIX}:{edge.tail}", edge.record)


def _edges(file: NamedFile, relations: Mapping[str, str]) -> Iterator[Edge | RejectedRecord]:
    def edge(row: Row[str]) -> Iterator[Edge]:
        head, relation, tail = (str(_whole_number(value)) for value in row.fields.values())
        if relation not in relations:
            raise RecordRejectedError(f"relation {relation} has no name", f"give it a name in {RELATIONS}")
        yield Edge(head, relations[relation], tail, f"{file.name}:{row.place}")

    return records_of(_split_lines(file, "\t", ("head", "relation", "tail")), edge)


def _names(file: NamedFile) -> Iterator[Named | RejectedRecord]:
    """Every number once, with its name; the whole file is read before the first."""

    def named(row: Row[str]) -> Iterator[Named]:
        yield Named(_whole_number(row.fields["number"]), row.fields["name"], row.place)

    entities: list[Named] = []
    lines = records_of(_split_lines(file, "\t", ("number", "name")), named)
    yield from kept(in_file(file, lines), entities)
    identifiers = {entity.identifier for entity in entities}
    places: dict[int, str] = {}
    for number, entity in enumerate(entities):
        if entity.identifier not in places:
            places[entity.identifier] = entity.place
            yield entity
            continue
        inferred = _one_open(entities, number)
        if inferred is None or inferred in identifiers:
            reason = f"the number {entity.identifier} was used before, at {places[entity.identifier]}"
            remedy = "give each name a number of its own: which is meant cannot be told from the lines around"
            yield RejectedRecord(f"{file.name}, {entity.place}", reason, remedy)
        else:
            yield Named(
                inferred, entity.name, entity.place, f", the number {entity.identifier} read as {inferred}"
            )


def _one_open(entities: Sequence[Named], place: int) -> int | None:
    """The number between those of the lines before and after, where there is exactly one."""
    if not 0 < place < len(entities) - 1:
        return None
    before, after = entities[place - 1].identifier, entities[place + 1].identifier
    return before + 1 if after - before == 2 else None


def _split_lines(
    file: NamedFile, delimiter: str, columns: Sequence[str]
) -> Iterator[Row[str] | RejectedRecord]:
    def row(line: Line) -> Iterator[Row[str]]:
        if not line.text.strip():
            return
        values = line.text.split(delimiter)
        check_count(values, len(columns), f"write {', '.join(columns)}, parted by {delimiter!r}")
        texts = {name: required_text(value, name) for name, value in zip(columns, values, strict=True)}
        yield Row(line.number, line.place, texts)

    return records_of(text_lines(file.uri), row)


def _whole_number(text: str) -> int:
    if not WHOLE_NUMBER.fullmatch(text):
        raise RecordRejectedError(f"{text!a:.60} is no whole number", "write the number of the name")
    return int(text)
