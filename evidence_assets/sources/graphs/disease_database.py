"""Concepts and triples of the Disease Database, in the layout that QA-GNN distributes."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple

from evidence_assets.sources.files import NamedFile, read_whole
from evidence_assets.sources.graphs.common import GraphRecords, keyed_triple, rows
from evidence_assets.sources.reading import Folder, Row, folder_reader, in_file, records_of, unreadable
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple
from evidence_assets.sources.validation import (
    RecordRejectedError,
    required_identifier,
    required_list,
    required_text,
)

NAMES, RELATIONS, LINKS = "ddb_names.json", "ddb_relas.json", "ddb_to_umls_cui.txt"
ITEM_COLUMN, CUI_COLUMN = "ItemPTR", "CUI"
RELATION_CODES = {
    "0": "belongs_to_the_category_of",
    "1": "is_a_category",
    "2": "may_cause",
    "3": "is_a_subtype_of",
    "4": "is_a_risk_factor_of",
    "6": "is_associated_with",
    "10": "may_contraindicate",
    "12": "interacts_with",
    "16": "belongs_to_the_drug_family_of",
    "17": "belongs_to_drug_super-family",
    "18": "is_a_vector_for",
    "20": "may_be_allelic_with",
    "26": "see_also",
    "30": "is_an_ingredient_of",
    "233": "may_treat",
}
SYNONYM_FLAG, PREFERRED_FLAG = "0", "1"
# What other drugs and diseases were added under: identifiers of the registries that they were taken from.
_FOREIGN_IDS = {"UMLS": re.compile(r"C[0-9]{7}"), "DRUGBANK": re.compile(r"DB[0-9]{5}")}


@folder_reader
def read(folder: Folder) -> GraphRecords:
    """One concept an item, with its names and its UMLS concepts; then one triple an entry of the relations.

    The folder holds `ddb_names.json` and `ddb_relas.json`, and may hold `ddb_to_umls_cui.txt`. An item
    without a preferred name bears the first of its names. An item numbered by UMLS or DrugBank refers there,
    unless the table of links gives that concept to an item too. A malformed entry, an unknown code and an
    item without a name are rejected alone.

    Raises:
        UnusableSourceError: a file is no JSON object, or lacks a column.
    """
    names, relations = folder.file(NAMES), folder.file(RELATIONS)
    links = folder.optional_file(LINKS)
    named: dict[str, dict[str, str]] = {}
    yield from in_file(names, _read_names(names, named))
    references: dict[str, set[str]] = defaultdict(set)
    if links is not None:
        yield from in_file(links, _read_links(links, named.keys(), references))
    _refer_by_id(named.keys(), references)
    for item, flags in named.items():
        yield _concept(item, flags, references.get(item, set()), names)
    yield from in_file(relations, _triples(relations, named.keys()))


class _Entry(NamedTuple):
    """One member of a JSON object."""

    place: str
    name: str
    value: object


def _read_names(file: NamedFile, named: dict[str, dict[str, str]]) -> Iterator[RejectedRecord]:
    """Fill `named` with the names of every item, each with its flag."""

    def name(entry: _Entry) -> Iterator[RejectedRecord]:
        item, flag = _identifiers(entry.value, ("the item", "the flag of the preferred name"))
        if flag not in (SYNONYM_FLAG, PREFERRED_FLAG):
            raise RecordRejectedError(
                f"the flag of the preferred name is {flag!r}, neither 0 nor 1",
                "write 1 for the preferred name, 0 for a synonym",
            )
        stripped = required_text(entry.name, "the name")
        flags = named.setdefault(item, {})
        flags[stripped] = max(flag, flags.get(stripped, SYNONYM_FLAG))
        return iter(())

    return records_of(_entries(file, "entry {!a:.60}"), name)


def _read_links(
    file: NamedFile, items: Set[str], references: dict[str, set[str]]
) -> Iterator[RejectedRecord]:
    """Fill `references` with the UMLS concepts of every item."""

    def link(row: Row[str]) -> Iterator[RejectedRecord]:
        item = _known(required_text(row.fields[ITEM_COLUMN], "the item"), items)
        references[item].add(f"UMLS:{required_text(row.fields[CUI_COLUMN], 'the UMLS concept')}")
        return iter(())

    return records_of(rows(file.uri, (ITEM_COLUMN, CUI_COLUMN)), link)


def _concept(item: str, names: Mapping[str, str], references: Set[str], file: NamedFile) -> ConceptRecord:
    label = min(names, key=lambda name: (names[name] != PREFERRED_FLAG, name))
    return ConceptRecord(
        key=_key(item),
        label=label,
        synonyms=tuple(sorted(names.keys() - {label})),
        cross_references=tuple(sorted(references)),
        record=f"{file.name}:item {item}",
        same_as=_foreign_id(item),
    )


def _foreign_id(item: str) -> str:
    """Return the identifier of the registry that numbered an item; empty for the source's own numbers."""
    matching = [f"{registry}:{item}" for registry, pattern in _FOREIGN_IDS.items() if pattern.fullmatch(item)]
    return matching[0] if matching else ""


def _refer_by_id(items: Set[str], references: dict[str, set[str]]) -> None:
    """Let an item whose id another registry gave refer to that registry.

    Where the table of links already gives that concept to an item, both would refer to it, and neither could
    be told by it.
    """
    linked = set().union(*references.values())
    for item in items:
        foreign = _foreign_id(item)
        if foreign and foreign not in linked:
            references[item].add(foreign)


def _triples(file: NamedFile, items: Set[str]) -> Iterator[Triple | RejectedRecord]:
    def triple(entry: _Entry) -> Iterator[Triple]:
        head, tail, code = _identifiers(entry.value, ("the head", "the tail", "the code of the relation"))
        if code not in RELATION_CODES:
            raise RecordRejectedError(
                f"unknown code of a relation: {code!r}", f"write one of {', '.join(RELATION_CODES)}"
            )
        keys = _key(_known(head, items)), _key(_known(tail, items))
        yield keyed_triple(keys[0], RELATION_CODES[code], keys[1], f"{file.name}:{entry.place}")

    return records_of(_entries(file, "entry {!s:.60}"), triple)


def _entries(file: NamedFile, place: str) -> Iterator[_Entry]:
    """Names and values of a JSON object, also those under a name that it repeats; `place` formats a name."""
    content = read_whole(file.uri)
    try:
        entries = json.loads(content, object_pairs_hook=tuple)
    except (ValueError, RecursionError) as error:
        raise unreadable(file.uri, f"broken JSON: {error}", "correct or fetch the file again") from error
    if not isinstance(entries, tuple):
        raise unreadable(file.uri, "no JSON object", "name a folder in the layout of QA-GNN")
    return (_Entry(place.format(name), name, value) for name, value in entries)


def _identifiers(value: object, names: tuple[str, ...]) -> list[str]:
    values = required_list(value, "the entry")
    if len(values) != len(names):
        raise RecordRejectedError(
            f"{len(values)} values where {len(names)} are expected", f"write the entry as {', '.join(names)}"
        )
    return [required_identifier(item, name) for item, name in zip(values, names, strict=True)]


def _known(item: str, items: Set[str]) -> str:
    if item not in items:
        raise RecordRejectedError(f"item {item} has no name", f"give it a name in {NAMES}")
    return item


def _key(item: str) -> str:
    return f"DDB:{item}"
