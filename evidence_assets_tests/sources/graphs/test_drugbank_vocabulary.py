"""DrugBank's open vocabulary."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from evidence_assets.sources.graphs.drugbank_vocabulary import read
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, UnusableSourceError
from evidence_assets_tests.testing.records_read import only_of

HEADER = "DrugBank ID,Accession Numbers,Common name,CAS,UNII,Synonyms,Standard InChI Key"
LEPIRUDIN = (
    'DB00001,BIOD00024 | BTD00024,Lepirudin,138068-37-8,Y43GF64R34,"Hirudin, variant-1 | Lepirudin | ",'
)
WATER = 'DB09145,,"Water ""pure""",,,,XLYOFNOQVPJJNP-UHFFFAOYSA-N'


def written(folder: Path, *lines: str | bytes, name: str = "drugbank vocabulary.csv") -> str:
    content = b"\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return str(folder / name)


@pytest.mark.parametrize("name", ["drugbank vocabulary.csv", "drugbank vocabulary.csv.gz"])
def test_rows_become_concepts(tmp_path: Path, name: str) -> None:
    uri = written(tmp_path, "\ufeff" + HEADER + "\r", LEPIRUDIN, "\r", WATER, name=name)
    assert list(read(uri, {})) == [
        ConceptRecord(
            "DRUGBANK:DB00001",
            "Lepirudin",
            ("Hirudin, variant-1",),
            ("CAS:138068-37-8", "UNII:Y43GF64R34"),
            kind="drug",
            record="line 2",
        ),
        ConceptRecord(
            "DRUGBANK:DB09145",
            'Water "pure"',
            cross_references=("INCHIKEY:XLYOFNOQVPJJNP-UHFFFAOYSA-N",),
            kind="drug",
            record="line 4",
        ),
    ]


def test_synonyms_come_once(tmp_path: Path) -> None:
    uri = written(tmp_path, HEADER, "DB1,,Aspirin,,,ASA | ASA | Aspirin |  | a|b,")
    concept = only_of(ConceptRecord, read(uri, {}))
    assert concept.synonyms == ("ASA", "a|b")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("DB1,,,,,,", "Common name is empty"),
        (",,Aspirin,,,,", "DrugBank ID is empty"),
        ("DB1,,Aspirin,,,", "6 columns where 7 are expected"),
        ('DB1,,"Aspirin,,,,', "broken quotes: unexpected end of data"),
        ('DB1,,"Asp"irin,,,,', "broken quotes: ',' expected after '\"'"),
        ("DB00001,,Other,,,,", "DRUGBANK:DB00001 has a row already, at line 2"),
        (b"DB1,,\xff,,,,", "byte 6 of the line, 0xff, is not UTF-8"),
    ],
)
def test_a_bad_row_is_rejected_alone(tmp_path: Path, line: str | bytes, reason: str) -> None:
    first, rejected, last = read(written(tmp_path, HEADER, LEPIRUDIN, line, WATER), {})
    assert isinstance(rejected, RejectedRecord)
    assert (rejected.record, rejected.reason) == ("line 3", reason)
    assert rejected.remedy
    assert isinstance(first, ConceptRecord)
    assert isinstance(last, ConceptRecord)
    assert (first.label, last.label) == ("Lepirudin", 'Water "pure"')


def test_a_value_longer_than_a_table_takes_is_rejected_alone(tmp_path: Path) -> None:
    rejected, last = read(written(tmp_path, HEADER, f"DB1,,{'a' * 200_000},,,,", WATER), {})
    assert isinstance(rejected, RejectedRecord)
    assert rejected.reason.startswith("broken quotes: field larger than field limit")
    assert isinstance(last, ConceptRecord)
    assert last.record == "line 3"


def test_a_missing_column_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError, match="no column Synonyms in the header"):
        list(read(written(tmp_path, HEADER.replace("Synonyms", "Names")), {}))
