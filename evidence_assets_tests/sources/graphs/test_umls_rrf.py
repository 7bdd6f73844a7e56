"""The UMLS Metathesaurus in its Rich Release Format."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from evidence_assets.sources.graphs.umls_rrf import ATTRIBUTES, read
from evidence_assets.sources.records import (
    ConceptRecord,
    RejectedRecord,
    Triple,
    TripleSource,
    UnusableSourceError,
)
from evidence_assets_tests.testing.records_read import all_of


def name(
    cui: str,
    text: str,
    status: str = "S",
    kind: str = "VO",
    preferred: str = "N",
    language: str = "ENG",
    suppress: str = "N",
) -> str:
    return f"{cui}|{language}|{status}|L1|{kind}|S1|{preferred}|A1||M1|D1|MSH|MH|D1|{text}|0|{suppress}|256|"


def relation(
    first: str, label: str, second: str, attribute: str = "", source: str = "MSH", suppress: str = "N"
) -> str:
    return f"{first}|A1|SCUI|{label}|{second}|A2|SCUI|{attribute}|R1||{source}|{source}||N|{suppress}||"


def semantic_type(cui: str, text: str) -> str:
    return f"{cui}|T047|B2.2.1.2.1|{text}|AT1|256|"


NAMES = [
    name("C0000001", "grippe", language="FRE", status="P", kind="PF", preferred="Y"),
    name("C0000001", "flu"),
    name("C0000001", "Influenza", "P", "PF", "Y"),
    name("C0000001", "Influenza, human", "P", "PF", "Y"),
    name("C0000001", "flu"),
    name("C0000001", "obsolete flu", suppress="O"),
    name("C0000002", "fever"),
    name("C0000002", "Pyrexia", "P", "PF", "N"),
    name("C0000003", "obsolete", suppress="Y"),
    name("C0000004", "fièvre", language="FRE"),
    name("C0000005", "Oseltamivir"),
]
FLU = ConceptRecord("UMLS:C0000001", "Influenza", ("flu", "Influenza, human"), record="MRCONSO.RRF:line 2")


def written(
    folder: Path,
    names: list[str] = NAMES,
    relations: list[str] | None = None,
    types: list[str] | None = None,
    line_end: str = "\n",
    *,
    compressed: bool = False,
) -> str:
    folder.mkdir(exist_ok=True)
    tables = {"MRCONSO.RRF": names, "MRREL.RRF": relations or [], "MRSTY.RRF": types}
    for table, lines in tables.items():
        if lines is None:
            continue
        content = "".join(f"{line}{line_end}" for line in lines).encode()
        path = folder / (f"{table}.gz" if compressed else table)
        path.write_bytes(gzip.compress(content) if compressed else content)
    return str(folder)


def triple(head: str, ours: str, tail: str, line: int, source: str = "MSH") -> Triple:
    place = TripleSource(source, f"MRREL.RRF:line {line}", "")
    return Triple(f"UMLS:{head}", ours, f"UMLS:{tail}", None, (place,), by_key=True)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_names_become_concepts(tmp_path: Path, line_end: str) -> None:
    assert list(read(written(tmp_path, line_end=line_end), {})) == [
        FLU,
        ConceptRecord("UMLS:C0000002", "fever", ("Pyrexia",), record="MRCONSO.RRF:line 7"),
        ConceptRecord("UMLS:C0000005", "Oseltamivir", record="MRCONSO.RRF:line 11"),
    ]


def test_compressed_files_under_meta(tmp_path: Path) -> None:
    written(tmp_path / "META", relations=[relation("C2", "CHD", "C1")], compressed=True)
    concept, *_, edge = read(str(tmp_path), {})
    assert isinstance(concept, ConceptRecord)
    assert concept.record == "META/MRCONSO.RRF.gz:line 2"
    assert isinstance(edge, Triple)
    assert edge.sources == (TripleSource("MSH", "META/MRREL.RRF.gz:line 1", ""),)


def test_a_semantic_type_is_the_kind_of_a_concept(tmp_path: Path) -> None:
    types = [
        semantic_type("C0000000", "Virus"),
        semantic_type("C0000001", "Finding"),
        semantic_type("C0000001", "Disease or Syndrome"),
        semantic_type("C0000003", "Virus"),
        semantic_type("C0000005", "Organic Chemical"),
    ]
    concepts = all_of(ConceptRecord, read(written(tmp_path, types=types), {}))
    assert [concept.kind for concept in concepts] == ["disease", "", "organic chemical"]


def test_rows_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    types = [
        "C0000001|T1",
        semantic_type("C2", "Virus"),
        semantic_type("C1", "Virus"),
        semantic_type("C3", ""),
    ]
    names = [
        NAMES[1],
        "words",
        NAMES[2],
        name("", "x"),
        name("C0000001", " "),
        *NAMES[6:],
        name("C0000002", "late"),
    ]
    records = list(read(written(tmp_path, names, ["a|b", relation("", "CHD", "C1")], types), {}))
    rejected = [record for record in records if isinstance(record, RejectedRecord)]
    # Types are read along with the names, as far as these go.
    assert [(record.record, record.reason) for record in rejected] == [
        ("MRCONSO.RRF, line 2", "1 columns where at least 17 are expected"),
        ("MRCONSO.RRF, line 4", "CUI is empty"),
        ("MRCONSO.RRF, line 5", "STR is empty"),
        ("MRSTY.RRF, line 1", "2 columns where at least 4 are expected"),
        ("MRCONSO.RRF, line 11", "C0000002 comes after C0000005"),
        ("MRSTY.RRF, line 3", "C1 comes after C2"),
        ("MRSTY.RRF, line 4", "STY is empty"),
        ("MRREL.RRF, line 1", "2 columns where at least 15 are expected"),
        ("MRREL.RRF, line 2", "CUI1 is empty"),
    ]
    assert all(record.remedy for record in rejected)
    concepts = [record for record in records if isinstance(record, ConceptRecord)]
    assert [(concept.key, concept.label, concept.synonyms) for concept in concepts] == [
        ("UMLS:C0000001", "Influenza", ("flu",)),
        ("UMLS:C0000002", "fever", ("Pyrexia",)),
        ("UMLS:C0000005", "Oseltamivir", ()),
    ]


def test_rows_read_from_right_to_left(tmp_path: Path) -> None:
    # As released: the row of a concept and its parent, REL PAR, bears the attribute inverse_isa.
    child, parent = "C2584594", "C0203464"
    rows = [
        relation(child, "PAR", parent, "inverse_isa", "SNOMEDCT_US"),
        relation(parent, "CHD", child, "isa", "SNOMEDCT_US"),
        relation(child, "PAR", parent),
        relation(parent, "CHD", child),
    ]
    assert list(read(written(tmp_path, [], rows), {})) == [
        triple(child, "is_a_subtype_of", parent, 1, "SNOMEDCT_US"),
        triple(child, "is_a_subtype_of", parent, 2, "SNOMEDCT_US"),
        triple(child, "is_a_subtype_of", parent, 3),
        triple(child, "is_a_subtype_of", parent, 4),
    ]


@pytest.mark.parametrize(
    ("second", "attribute", "first", "head", "ours", "tail"),
    [
        ("drug", "may_treat", "disease", "drug", "may_treat", "disease"),
        ("disease", "may_be_treated_by", "drug", "drug", "may_treat", "disease"),
        ("disease", "may_be_prevented_by", "drug", "drug", "may_prevent", "disease"),
        ("disease", "has_contraindicated_drug", "drug", "disease", "may_contraindicate", "drug"),
        ("drug", "contraindicated_with_disease", "disease", "disease", "may_contraindicate", "drug"),
        ("disease", "due_to", "cause", "cause", "may_cause", "disease"),
        ("disease", "has_causative_agent", "virus", "virus", "may_cause", "disease"),
        ("drug", "induces", "sleep", "drug", "may_cause", "sleep"),
        ("disease", "has_finding_site", "lung", "disease", "is_located_in", "lung"),
        ("lung", "location_of", "disease", "disease", "is_located_in", "lung"),
        ("lung", "part_of", "body", "lung", "is_part_of", "body"),
        ("body", "has_part", "lung", "lung", "is_part_of", "body"),
        ("disease", "has_manifestation", "fever", "fever", "is_a_finding_in", "disease"),
        ("disease", "disease_excludes_finding", "fever", "fever", "is_not_a_finding_in", "disease"),
        ("tablet", "has_ingredient", "salt", "salt", "is_an_ingredient_of", "tablet"),
        ("process", "process_involves_gene", "gene", "gene", "participates_in", "process"),
    ],
)
def test_known_attributes(
    tmp_path: Path, second: str, attribute: str, first: str, head: str, ours: str, tail: str
) -> None:
    (stated,) = read(written(tmp_path, [], [relation(first, "RO", second, attribute)]), {})
    assert stated == triple(head, ours, tail, 1)


@pytest.mark.parametrize(("ours", "attribute", "inverse"), ATTRIBUTES)
def test_an_attribute_and_its_inverse_state_the_same(
    tmp_path: Path, ours: str, attribute: str, inverse: str
) -> None:
    rows = [relation("C2", "RO", "C1", attribute), relation("C1", "RO", "C2", inverse)]
    stated, inverted = read(written(tmp_path, [], rows), {})
    assert stated == triple("C1", ours, "C2", 1)
    symmetric = attribute == inverse
    assert inverted == triple(*(("C2", ours, "C1") if symmetric else ("C1", ours, "C2")), 2)


def test_relations_passed_over_and_counted(tmp_path: Path) -> None:
    rows = [
        relation("C1", "RO", "C1", "isa"),
        relation("C1", "RO", "C2", "isa", suppress="O"),
        relation("C1", "RO", "C2", "has_dose_form"),
        relation("C3", "RO", "C2", "has_dose_form"),
        relation("C3", "CHD", "C2", "mapped_to"),
        relation("C3", "RB", "C2"),
        "",
    ]
    rejected = all_of(RejectedRecord, read(written(tmp_path, [], rows), {}))
    assert [(record.record, record.reason.rpartition(" ")[2]) for record in rejected] == [
        ("MRREL.RRF, relation RB without attribute", "1"),
        ("MRREL.RRF, relation has_dose_form", "2"),
        ("MRREL.RRF, relation mapped_to", "1"),
    ]


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    uri = written(tmp_path)
    (tmp_path / "MRREL.RRF").unlink()
    with pytest.raises(UnusableSourceError, match=r"no file MRREL\.RRF or META/MRREL\.RRF in the folder"):
        next(read(uri, {}))
