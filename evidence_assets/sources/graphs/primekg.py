"""Concepts and triples of PrimeKG, from the one table of its edges, `kg.csv`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from evidence_assets.sources.graphs.common import GraphRecords, Reading, rows, unmapped
from evidence_assets.sources.reading import Row, file_reader, records_of
from evidence_assets.sources.records import ConceptRecord, Triple
from evidence_assets.sources.validation import RecordRejectedError, required_text

ENDS = ("x", "y")
COLUMNS = (
    "relation",
    "display_relation",
    *(f"{end}_{name}" for end in ENDS for name in ("id", "type", "name", "source")),
)
# Relations that read from an end of one type to the other: the direction is in the types of the ends.
FROM_TYPE = {
    "indication": ("drug", "may_treat"),
    "contraindication": ("disease", "may_contraindicate"),
    "off-label use": ("drug", "may_treat_off-label"),
    "side effect": ("drug", "may_cause"),
    "phenotype present": ("effect/phenotype", "is_a_finding_in"),
    "phenotype absent": ("effect/phenotype", "is_not_a_finding_in"),
    "target": ("drug", "acts_on"),
    "enzyme": ("drug", "acts_on"),
    "carrier": ("drug", "acts_on"),
    "transporter": ("drug", "acts_on"),
    "expression present": ("gene/protein", "is_expressed_in"),
    "expression absent": ("gene/protein", "is_not_expressed_in"),
    "linked to": ("exposure", "is_a_risk_factor_of"),
}
# Relations that read alike both ways.
SYMMETRIC = {
    "associated with": "is_associated_with",
    "ppi": "interacts_with",
    "synergistic interaction": "interacts_with",
    "interacts with": "interacts_with",
}
# The table was built from parent to child, but for anatomy, which was built from child to parent. Exposures
# are no hierarchy, whatever their edges are called: they pair a stressor with the marker it is measured by.
PARENT_CHILD = "parent-child"
CHILD_FIRST = "anatomy_anatomy"
NO_HIERARCHY = "exposure_exposure"
# PrimeKG drops the prefix and the leading zeros of these registries' identifiers.
REGISTRIES = {
    "GO": ("GO", 7),
    "HPO": ("HP", 7),
    "MONDO": ("MONDO", 7),
    "NCBI": ("NCBIGENE", 0),
    "UBERON": ("UBERON", 7),
}
KINDS = {"gene/protein": "gene"}
_MOST_CONCEPTS = 1 << 28


@file_reader
def read(uri: str, key_prefix: str) -> GraphRecords:
    """One triple an edge, in the direction that our relation reads, and each concept before its first triple.

    The file is comma separated with quotes; its columns are found by the header's names. It states every
    edge in both directions: the second is passed over. Where the types of the ends leave the direction open
    (parent-child), the first one counts, since the file is built as all edges and then all of them reversed.
    Which edges were read is kept in memory, a number an edge. Relations without a counterpart are counted,
    and rejected once each; any other bad row is rejected alone.

    Raises:
        UnusableSourceError: a file lacks a column.
    """
    numbers: dict[str, int] = {}
    relations: dict[str, int] = {}
    edges: set[int] = set()
    unknown: Counter[str] = Counter()

    def records(row: Row[str]) -> Iterator[Triple | ConceptRecord]:
        record = f"{key_prefix}{row.place}"
        reading = _reading(row.fields)
        keys = [_key(row.fields, end) for end in ENDS]
        new = [
            _concept(row.fields, end, key, record)
            for end, key in zip(ENDS, keys, strict=True)
            if key not in numbers
        ]
        for concept in new:
            # Both are one where the edge leads back to its own concept.
            if concept.key not in numbers:
                numbers[concept.key] = len(numbers)
                yield concept
        stated = f"{row.fields['relation']}, {row.fields['display_relation']}"
        number = relations.setdefault(stated, len(relations))
        ends = sorted(numbers[key] for key in keys)
        # One whole number takes a third of the memory of three in a tuple; there are millions.
        edge = (number * _MOST_CONCEPTS + ends[0]) * _MOST_CONCEPTS + ends[1]
        if edge in edges:
            return
        edges.add(edge)
        if reading is None:
            unknown[stated] += 1
        else:
            yield reading.triple(keys[0], keys[1], record)

    yield from records_of(rows(uri, COLUMNS, delimiter=",", quoted=True), records)
    yield from unmapped(unknown, "relation")


def _reading(values: Mapping[str, str]) -> Reading | None:
    relation, displayed = values["relation"], values["display_relation"]
    if displayed in SYMMETRIC:
        return Reading(SYMMETRIC[displayed])
    if displayed == PARENT_CHILD and relation != NO_HIERARCHY:
        return Reading("is_a_subtype_of", backwards=relation != CHILD_FIRST)
    if displayed not in FROM_TYPE:
        return None
    head_type, mapped = FROM_TYPE[displayed]
    types = [values[f"{end}_type"] for end in ENDS]
    if head_type not in types:
        raise RecordRejectedError(
            f"{displayed} between {types[0]!a:.60} and {types[1]!a:.60}: neither is a {head_type}",
            "correct the relation, or the types of its ends",
        )
    return Reading(mapped, backwards=types[0] != head_type)


def _key(values: Mapping[str, str], end: str) -> str:
    source = required_text(values[f"{end}_source"], f"{end}_source")
    return f"{source.upper()}:{required_text(values[f'{end}_id'], f'{end}_id')}"


def _concept(values: Mapping[str, str], end: str, key: str, record: str) -> ConceptRecord:
    kind = values[f"{end}_type"].strip()
    source, _, identifier = key.partition(":")
    registry, digits = REGISTRIES.get(source, ("", 0))
    return ConceptRecord(
        key=key,
        label=required_text(values[f"{end}_name"], f"{end}_name"),
        cross_references=(f"{registry}:{identifier.zfill(digits)}",) if registry else (),
        kind=KINDS.get(kind, kind.replace("_", " ")),
        record=record,
    )
