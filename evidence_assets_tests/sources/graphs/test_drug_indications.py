"""The table of drug indications."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest

from evidence_assets.sources.graphs.drug_indications import read
from evidence_assets.sources.records import (
    ConceptRecord,
    RejectedRecord,
    Triple,
    TripleSource,
    UnusableSourceError,
)
from evidence_assets_tests.testing.records_read import all_of

HEADER = "doid_id\tdrugbank_id\tdisease\tdrug\tcategory\tn_curators\tn_resources"
DONEPEZIL = "DOID:10652\tDB00843\tAlzheimer's disease\tDonepezil\tDM\t2\t1"


def written(folder: Path, *lines: str | bytes, name: str = "indications.tsv") -> str:
    content = b"\r\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return str(folder / name)


def triple(head: str, relation: str, tail: str, record: str) -> Triple:
    return Triple(head, relation, tail, None, (TripleSource("", record, ""),), by_key=True)


@pytest.mark.parametrize("name", ["indications.tsv", "indications.tsv.gz"])
def test_rows_become_triples(tmp_path: Path, name: str) -> None:
    uri = written(
        tmp_path,
        "# a comment",
        HEADER,
        DONEPEZIL,
        "",
        "DOID:10652\tDB00674\tAlzheimer's disease\tGalantamine\tSYM\t1\t4",
        "DOID:4\tDB00843\tdisease\tDonepezil\tNOT\t1\t4",
        name=name,
    )
    assert list(read(uri, {})) == [
        ConceptRecord("DOID:10652", "Alzheimer's disease", kind="disease", record="line 3"),
        ConceptRecord("DRUGBANK:DB00843", "Donepezil", kind="drug", record="line 3"),
        triple("DRUGBANK:DB00843", "may_treat", "DOID:10652", "line 3"),
        ConceptRecord("DRUGBANK:DB00674", "Galantamine", kind="drug", record="line 5"),
        triple("DRUGBANK:DB00674", "may_relieve", "DOID:10652", "line 5"),
        ConceptRecord("DOID:4", "disease", kind="disease", record="line 6"),
        triple("DRUGBANK:DB00843", "is_not_indicated_for", "DOID:4", "line 6"),
    ]


def test_columns_are_found_by_name(tmp_path: Path) -> None:
    uri = written(tmp_path, "category\tdrug\tdisease\tdrugbank_id\tdoid_id", "DM\tA\tB\tDB1\tdoid:2")
    *concepts, stated = read(uri, {})
    assert {concept.label for concept in all_of(ConceptRecord, concepts)} == {"A", "B"}
    assert stated == triple("DRUGBANK:DB1", "may_treat", "DOID:2", "line 2")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (DONEPEZIL.replace("DM", "MAYBE"), "unknown category 'MAYBE'"),
        (DONEPEZIL.replace("DM", ""), "category is empty"),
        (DONEPEZIL.replace("Donepezil", " "), "drug is empty"),
        (DONEPEZIL.replace("DOID:10652", ""), "doid_id is empty"),
        (DONEPEZIL.replace("DB00843", ""), "drugbank_id is empty"),
        (DONEPEZIL + "\tmore", "8 columns where 7 are expected"),
        ("DOID:10652", "1 columns where 7 are expected"),
        (DONEPEZIL.encode() + b"\xff", "byte 56 of the line, 0xff, is not UTF-8"),
    ],
)
def test_a_bad_row_is_rejected_alone(tmp_path: Path, line: str | bytes, reason: str) -> None:
    rejected, *rest = read(written(tmp_path, HEADER, line, DONEPEZIL), {})
    assert isinstance(rejected, RejectedRecord)
    assert (rejected.record, rejected.reason) == ("line 2", reason)
    assert rejected.remedy
    assert [type(record) for record in rest] == [ConceptRecord, ConceptRecord, Triple]


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (HEADER.replace("category", "kind"), "no column category in the header; it has doid_id, "),
        ("", "no column doid_id, drugbank_id, disease, drug, category in the header; it has none"),
    ],
)
def test_a_missing_column_is_refused(tmp_path: Path, header: str, reason: str) -> None:
    with pytest.raises(UnusableSourceError, match=reason):
        list(read(written(tmp_path, header), {}))


@pytest.mark.real_data
def test_the_real_indications_are_read(real_data: Path) -> None:
    path = real_data / "kg" / "indications" / "indications.tsv"
    records = list(read(str(path), {}))
    triples = [record for record in records if isinstance(record, Triple)]
    assert Counter(triple.relation for triple in triples) == {
        "may_treat": 755,
        "may_relieve": 390,
        "is_not_indicated_for": 243,
    }
    rows = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    assert [(edge.head, edge.tail) for edge in triples] == [(f"DRUGBANK:{row[1]}", row[0]) for row in rows]
    concepts = {record.key: record.label for record in records if isinstance(record, ConceptRecord)}
    assert concepts == {row[0]: row[2] for row in rows} | {f"DRUGBANK:{row[1]}": row[3] for row in rows}
    assert len(records) == len(triples) + len(concepts)
