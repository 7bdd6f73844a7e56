"""Concepts and triples of the UMLS Metathesaurus, from its files in the Rich Release Format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from evidence_assets.sources.files import Line, NamedFile, text_lines
from evidence_assets.sources.graphs.common import GraphRecords, Reading, unmapped
from evidence_assets.sources.reading import Folder, Row, folder_reader, in_file, records_of
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple
from evidence_assets.sources.validation import RecordRejectedError, required_text

NAMES, RELATIONS, TYPES = "MRCONSO.RRF", "MRREL.RRF", "MRSTY.RRF"
ENGLISH, NOT_SUPPRESSED = "ENG", "N"
# Our relation, the attribute that states it from the first end to the second, and the attribute's inverse.
ATTRIBUTES = (
    ("is_a_subtype_of", "isa", "inverse_isa"),
    ("is_part_of", "part_of", "has_part"),
    ("is_located_in", "has_location", "location_of"),
    ("is_located_in", "has_finding_site", "finding_site_of"),
    ("is_located_in", "disease_has_primary_anatomic_site", "is_primary_anatomic_site_of_disease"),
    ("is_located_in", "disease_has_associated_anatomic_site", "is_associated_anatomic_site_of"),
    ("may_treat", "may_treat", "may_be_treated_by"),
    ("may_prevent", "may_prevent", "may_be_prevented_by"),
    ("may_cause", "cause_of", "due_to"),
    ("may_cause", "causative_agent_of", "has_causative_agent"),
    ("may_cause", "induces", "induced_by"),
    ("may_contraindicate", "has_contraindicated_drug", "contraindicated_with_disease"),
    ("is_a_finding_in", "manifestation_of", "has_manifestation"),
    ("is_a_finding_in", "is_finding_of_disease", "disease_has_finding"),
    ("is_not_a_finding_in", "is_not_finding_of_disease", "disease_excludes_finding"),
    ("is_an_ingredient_of", "ingredient_of", "has_ingredient"),
    ("is_an_ingredient_of", "active_ingredient_of", "has_active_ingredient"),
    ("is_an_ingredient_of", "precise_ingredient_of", "has_precise_ingredient"),
    ("is_associated_with", "associated_with", "associated_with"),
    ("is_associated_with", "gene_associated_with_disease", "disease_has_associated_gene"),
    ("acts_on", "chemical_or_drug_affects_gene_product", "gene_product_affected_by_chemical_or_drug"),
    ("interacts_with", "interacts_with", "interacts_with"),
    ("regulates", "regulates", "regulated_by"),
    ("regulates", "positively_regulates", "positively_regulated_by"),
    ("regulates", "negatively_regulates", "negatively_regulated_by"),
    ("participates_in", "gene_plays_role_in_process", "process_involves_gene"),
    (
        "participates_in",
        "gene_product_plays_role_in_biological_process",
        "biological_process_involves_gene_product",
    ),
    ("participates_in", "gene_is_element_in_pathway", "pathway_has_gene_element"),
    ("is_expressed_in", "gene_product_expressed_in_tissue", "tissue_is_expression_site_of_gene_product"),
)
READINGS = {
    **{inverse: Reading(relation, backwards=True) for relation, _, inverse in ATTRIBUTES},
    **{attribute: Reading(relation) for relation, attribute, _ in ATTRIBUTES},
}
# What a row without an attribute says: the second concept is a child, or a parent, of the first.
WITHOUT_ATTRIBUTE = {"CHD": Reading("is_a_subtype_of"), "PAR": Reading("is_a_subtype_of", backwards=True)}
# Semantic types that other graphs know by one plain word; any other is a kind by its own name.
KINDS = {
    "Acquired Abnormality": "disease",
    "Congenital Abnormality": "disease",
    "Disease or Syndrome": "disease",
    "Injury or Poisoning": "disease",
    "Mental or Behavioral Dysfunction": "disease",
    "Neoplastic Process": "disease",
    "Antibiotic": "drug",
    "Clinical Drug": "drug",
    "Pharmacologic Substance": "drug",
    "Gene or Genome": "gene",
    "Sign or Symptom": "symptom",
}


class _Columns(NamedTuple):
    """Positions of a file's columns, from 0, and the number of columns that a row must have."""

    least: int
    places: Mapping[str, int]


_NAMES_COLUMNS = _Columns(17, {"CUI": 0, "LAT": 1, "TS": 2, "STT": 4, "ISPREF": 6, "STR": 14, "SUPPRESS": 16})
_RELATIONS_COLUMNS = _Columns(15, {"CUI1": 0, "REL": 3, "CUI2": 4, "RELA": 7, "SAB": 10, "SUPPRESS": 14})
_TYPES_COLUMNS = _Columns(4, {"CUI": 0, "STY": 3})
# Columns that may not be empty, in the files that have them.
REQUIRED = frozenset({"CUI", "CUI1", "CUI2", "STR", "STY"})


@folder_reader
def read(folder: Folder) -> GraphRecords:
    """One concept a UMLS concept with an English name, then one triple a row of the relations.

    The folder holds `MRCONSO.RRF` and `MRREL.RRF`, and may hold `MRSTY.RRF` for the kinds, also under
    `META/`. Suppressed names and relations are passed over, and so are relations of a concept with itself.
    The Metathesaurus states a relation in both directions, and each becomes a triple, in the direction that
    our relation reads, whose source is the vocabulary that states it. Attributes that ATTRIBUTES does not
    know are counted, and rejected once each; any other bad row is rejected alone. Names and types must be
    sorted by concept, as they are released: a row that comes too late is rejected.
    """
    names, relations = (folder.file(name, f"META/{name}") for name in (NAMES, RELATIONS))
    types = folder.optional_file(TYPES, f"META/{TYPES}")
    kinds = _Kinds(types)
    yield from _concepts(names, kinds)
    yield from kinds.unread()
    yield from in_file(relations, _triples(relations))


def _concepts(names: NamedFile, kinds: _Kinds) -> Iterator[ConceptRecord | RejectedRecord]:
    named: list[Row[str]] = []
    for row in in_file(names, _sorted_rows(names, _NAMES_COLUMNS)):
        if isinstance(row, RejectedRecord):
            yield row
        elif row.fields["LAT"] == ENGLISH and row.fields["SUPPRESS"] == NOT_SUPPRESSED:
            if named and named[0].fields["CUI"] != row.fields["CUI"]:
                kind = yield from kinds.of(named[0].fields["CUI"])
                yield _concept(named, kind, names)
                named.clear()
            named.append(row)
    if named:
        kind = yield from kinds.of(named[0].fields["CUI"])
        yield _concept(named, kind, names)


def _concept(named: Sequence[Row[str]], kind: str, file: NamedFile) -> ConceptRecord:
    label = next((row for row in named if _is_preferred(row)), named[0]).fields["STR"]
    names = dict.fromkeys(row.fields["STR"] for row in named)
    return ConceptRecord(
        key=_key(named[0].fields["CUI"]),
        label=label,
        synonyms=tuple(name for name in names if name != label),
        kind=kind,
        record=f"{file.name}:{named[0].place}",
    )


def _is_preferred(row: Row[str]) -> bool:
    return (row.fields["TS"], row.fields["STT"], row.fields["ISPREF"]) == ("P", "PF", "Y")


class _Kinds:
    """The kinds of concepts, read along with their names: both files are in the order of the concepts."""

    def __init__(self, file: NamedFile | None) -> None:
        rows = iter(()) if file is None else in_file(file, _sorted_rows(file, _TYPES_COLUMNS))
        self._rows: Iterator[Row[str] | RejectedRecord] = rows
        # The row of a later concept than was asked for last, if one was read.
        self._ahead: tuple[Row[str], ...] = ()

    def of(self, cui: str) -> Generator[RejectedRecord, None, str]:
        """Return the kind of a concept, and yield the rows read for it that cannot be used.

        Concepts must be asked for in their order.
        """
        types = []
        ahead, self._ahead = self._ahead, ()
        for row in chain(ahead, self._rows):
            if isinstance(row, RejectedRecord):
                yield row
                continue
            if row.fields["CUI"] > cui:
                self._ahead = (row,)
                break
            if row.fields["CUI"] == cui:
                types.append(row.fields["STY"])
        return next((KINDS[name] for name in types if name in KINDS), types[0].lower() if types else "")

    def unread(self) -> Iterator[RejectedRecord]:
        """Yield the rows that cannot be used among those that were not read."""
        return (row for row in self._rows if isinstance(row, RejectedRecord))


def _triples(file: NamedFile) -> Iterator[Triple | RejectedRecord]:
    unknown: Counter[str] = Counter()

    def triple(row: Row[str]) -> Iterator[Triple]:
        values = row.fields
        if values["SUPPRESS"] != NOT_SUPPRESSED or values["CUI1"] == values["CUI2"]:
            return
        attribute = values["RELA"]
        reading = READINGS.get(attribute) if attribute else WITHOUT_ATTRIBUTE.get(values["REL"])
        if reading is None:
            unknown[attribute or f"{values['REL']} without attribute"] += 1
            return
        # The Metathesaurus reads from right to left: the second concept has the relation to the first.
        record = f"{file.name}:{row.place}"
        yield reading.triple(_key(values["CUI2"]), _key(values["CUI1"]), record, values["SAB"])

    yield from records_of(_rows(file, _RELATIONS_COLUMNS), triple)
    yield from unmapped(unknown, "relation")


def _sorted_rows(file: NamedFile, columns: _Columns) -> Iterator[Row[str] | RejectedRecord]:
    latest = ""

    def in_order(row: Row[str]) -> Iterator[Row[str]]:
        nonlocal latest
        if row.fields["CUI"] < latest:
            raise RecordRejectedError(
                f"{row.fields['CUI']} comes after {latest}",
                "sort the file by its first column, as it is released",
            )
        latest = row.fields["CUI"]
        yield row

    return records_of(_rows(file, columns), in_order)


def _rows(file: NamedFile, columns: _Columns) -> Iterator[Row[str] | RejectedRecord]:
    def row(line: Line) -> Iterator[Row[str]]:
        if not line.text.strip(" "):
            return
        cells = line.text.split("|")
        if len(cells) < columns.least:
            raise RecordRejectedError(
                f"{len(cells)} columns where at least {columns.least} are expected",
                "correct the line: columns are separated by |",
            )
        values = {name: cells[place].strip() for name, place in columns.places.items()}
        for name in REQUIRED & values.keys():
            required_text(values[name], name)
        yield Row(line.number, line.place, values)

    return records_of(text_lines(file.uri), row)


def _key(cui: str) -> str:
    return f"UMLS:{cui}"
