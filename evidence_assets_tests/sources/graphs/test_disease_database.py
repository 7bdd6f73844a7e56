"""The Disease Database in the layout of QA-GNN."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from evidence_assets.sources.graphs.disease_database import read
from evidence_assets.sources.records import (
    ConceptRecord,
    RejectedRecord,
    Triple,
    TripleSource,
    UnusableSourceError,
)
from evidence_assets_tests.testing.records_read import all_of

NAMES: dict[str, object] = {
    "EKG abnormality": ["1", "0"],
    "ECG finding": ["1", "1"],
    "Abnormal ECG ": ["1", "0"],
    "Myocarditis": ["2", "1"],
    "inflamed heart": ["3", "0"],
    "Heart disease": ["3", "0"],
}
RELATIONS: dict[str, object] = {"0": ["2", "1", "2"], "1": ["2", "3", "0"]}
LINKS = "LinkItemsToUMLSCUIID\tItemPTR\tCUI\tItemToUMLSCUILinkTypePTR\r\n7\t1\tC02\t0\r\n8\t1\tC01\t0\r\n"


def written(
    folder: Path, names: object = NAMES, relations: object = RELATIONS, links: str | None = LINKS
) -> str:
    for name, content in (("ddb_names.json", names), ("ddb_relas.json", relations)):
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    if links is not None:
        (folder / "ddb_to_umls_cui.txt").write_text(links, newline="")
    return str(folder)


def triple(head: str, relation: str, tail: str, entry: str) -> Triple:
    place = f"ddb_relas.json:entry {entry}"
    return Triple(head, relation, tail, None, (TripleSource("", place, ""),), by_key=True)


def rejections(uri: str) -> list[tuple[str, str]]:
    rejected = [record for record in read(uri, {}) if isinstance(record, RejectedRecord)]
    assert all(record.remedy for record in rejected)
    return [(record.record, record.reason) for record in rejected]


def test_known_concepts_and_triples(tmp_path: Path) -> None:
    assert list(read(written(tmp_path), {})) == [
        ConceptRecord(
            "DDB:1",
            "ECG finding",
            ("Abnormal ECG", "EKG abnormality"),
            ("UMLS:C01", "UMLS:C02"),
            record="ddb_names.json:item 1",
        ),
        ConceptRecord("DDB:2", "Myocarditis", record="ddb_names.json:item 2"),
        ConceptRecord("DDB:3", "Heart disease", ("inflamed heart",), record="ddb_names.json:item 3"),
        triple("DDB:2", "may_cause", "DDB:1", "0"),
        triple("DDB:2", "belongs_to_the_category_of", "DDB:3", "1"),
    ]


@pytest.mark.parametrize(
    ("code", "relation"),
    [
        ("0", "belongs_to_the_category_of"),
        ("1", "is_a_category"),
        ("2", "may_cause"),
        ("3", "is_a_subtype_of"),
        ("4", "is_a_risk_factor_of"),
        ("6", "is_associated_with"),
        ("10", "may_contraindicate"),
        ("12", "interacts_with"),
        ("16", "belongs_to_the_drug_family_of"),
        ("17", "belongs_to_drug_super-family"),
        ("18", "is_a_vector_for"),
        ("20", "may_be_allelic_with"),
        ("26", "see_also"),
        ("30", "is_an_ingredient_of"),
        ("233", "may_treat"),
        (233, "may_treat"),
    ],
)
def test_every_code_has_its_relation(tmp_path: Path, code: object, relation: str) -> None:
    *_, stated = read(written(tmp_path, relations={"9": ["1", "2", code]}), {})
    assert stated == triple("DDB:1", relation, "DDB:2", "9")


def test_order_of_the_files_makes_no_difference(tmp_path: Path) -> None:
    expected = set(read(written(tmp_path), {}))
    for seed in range(5):
        order = random.Random(seed)
        names, relations = list(NAMES.items()), list(RELATIONS.items())
        order.shuffle(names)
        order.shuffle(relations)
        assert set(read(written(tmp_path, dict(names), dict(relations)), {})) == expected


def test_an_item_numbered_by_a_registry_refers_to_it_unless_another_item_does(tmp_path: Path) -> None:
    names = {"Nadh": ["DB00157", "1"], "Ileus": ["C0030446", "1"], "Pain": ["C0030193", "1"]}
    links = "ItemPTR\tCUI\nDB00157\tC0030446\n"
    concepts = all_of(ConceptRecord, read(written(tmp_path, names, {}, links), {}))
    assert {concept.label: concept.cross_references for concept in concepts} == {
        "Nadh": ("DRUGBANK:DB00157", "UMLS:C0030446"),
        "Ileus": (),
        "Pain": ("UMLS:C0030193",),
    }


def test_without_links_and_with_compressed_names(tmp_path: Path) -> None:
    written(tmp_path, links=None)
    names = tmp_path / "ddb_names.json"
    (tmp_path / "ddb_names.json.gz").write_bytes(gzip.compress(names.read_bytes()))
    names.unlink()
    concept, *_, last = read(str(tmp_path), {})
    assert isinstance(concept, ConceptRecord)
    assert (concept.cross_references, concept.record) == ((), "ddb_names.json.gz:item 1")
    assert isinstance(last, Triple)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (["1", "2"], "2 values where 3 are expected"),
        (["1", "2", "3", "4"], "4 values where 3 are expected"),
        ("1 2 3", "the entry is not a list but str"),
        (["1", "2", "5"], "unknown code of a relation: '5'"),
        (["1", "9", "2"], "item 9 has no name"),
        (["9", "1", "2"], "item 9 has no name"),
        (["", "1", "2"], "the head is empty"),
        (["1", None, "2"], "the tail is missing"),
        (["1", "2", [2]], "the code of the relation is neither text nor a whole number but list"),
    ],
)
def test_a_bad_relation_is_rejected_alone(tmp_path: Path, entry: object, reason: str) -> None:
    uri = written(tmp_path, relations={"0": ["2", "1", "2"], "7": entry, "8": ["1", "2", "2"]})
    assert rejections(uri) == [("ddb_relas.json, entry 7", reason)]
    assert sum(isinstance(record, Triple) for record in read(uri, {})) == 2


@pytest.mark.parametrize(
    ("name", "entry", "reason"),
    [
        ("Cold", ["4"], "1 values where 2 are expected"),
        ("Cold", "4", "the entry is not a list but str"),
        ("Cold", ["4", "2"], "the flag of the preferred name is '2', neither 0 nor 1"),
        ("Cold", ["", "1"], "the item is empty"),
        ("Cold", [4.5, "1"], "the item is neither text nor a whole number but float"),
        (" ", ["4", "1"], "the name is empty"),
    ],
)
def test_a_bad_name_is_rejected_alone(tmp_path: Path, name: str, entry: object, reason: str) -> None:
    uri = written(tmp_path, {"Cough": ["5", "1"], name: entry, **NAMES})
    assert rejections(uri) == [(f"ddb_names.json, entry {name!r}", reason)]
    assert [record.key for record in read(uri, {}) if isinstance(record, ConceptRecord)] == [
        "DDB:5",
        "DDB:1",
        "DDB:2",
        "DDB:3",
    ]


def test_a_repeated_name_names_both_items(tmp_path: Path) -> None:
    uri = written(tmp_path, '{"Cold": ["1", "1"], "Cold": ["2", "1"]}', {}, None)
    concepts = all_of(ConceptRecord, read(uri, {}))
    assert [(concept.key, concept.label) for concept in concepts] == [("DDB:1", "Cold"), ("DDB:2", "Cold")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("9\t9\tC03\t0", "item 9 has no name"),
        ("9\t1\t\t0", "the UMLS concept is empty"),
        ("9\t1\tC03", "3 columns where 4 are expected"),
    ],
)
def test_a_bad_link_is_rejected_alone(tmp_path: Path, line: str, reason: str) -> None:
    assert rejections(written(tmp_path, links=f"{LINKS}{line}\n")) == [
        ("ddb_to_umls_cui.txt, line 4", reason)
    ]


@pytest.mark.parametrize(
    ("names", "relations", "links", "reason"),
    [
        ("{", RELATIONS, LINKS, r"ddb_names\.json, before the first record: broken JSON"),
        (NAMES, "[" * 100_000, LINKS, r"ddb_relas\.json, before the first record: broken JSON"),
        ([], RELATIONS, LINKS, "no JSON object"),
        (NAMES, RELATIONS, "Item\tCUI\n", "no column ItemPTR in the header; it has Item, CUI"),
        (
            NAMES,
            RELATIONS,
            "",
            "in the header; it has none. Remedy: the file is empty: name the columns",
        ),
    ],
)
def test_a_file_of_another_form_is_refused(
    tmp_path: Path, names: object, relations: object, links: str, reason: str
) -> None:
    with pytest.raises(UnusableSourceError, match=reason):
        list(read(written(tmp_path, names, relations, links), {}))


def test_missing_and_doubled_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "ddb_names.json").write_text("{}")
    with pytest.raises(UnusableSourceError, match=r"no file ddb_relas\.json in the folder"):
        list(read(str(tmp_path), {}))
    written(tmp_path)
    (tmp_path / "ddb_names.json.gz").write_bytes(gzip.compress(b"{}"))
    with pytest.raises(
        UnusableSourceError, match=r"ddb_names\.json, ddb_names\.json\.gz: more than one file"
    ):
        list(read(str(tmp_path), {}))


@pytest.mark.integration
@pytest.mark.real_data
def test_the_real_database_is_read(real_data: Path) -> None:
    records = list(read(str(real_data / "kg" / "ddb"), {}))
    concepts = {record.key: record for record in records if isinstance(record, ConceptRecord)}
    triples = [record for record in records if isinstance(record, Triple)]
    assert len(records) == len(concepts) + len(triples)
    assert len(concepts) == 9958
    assert sum(1 + len(concept.synonyms) for concept in concepts.values()) == 17_358
    assert len(triples) == 49_974
    counts = Counter(triple.relation for triple in triples)
    assert (counts["may_cause"], counts["may_treat"], counts["is_an_ingredient_of"]) == (27_412, 5451, 6)
    stated = {(concepts[edge.head].label, edge.relation, concepts[edge.tail].label) for edge in triples}
    assert ("Lepirudin", "may_treat", "Thromboembolism") in stated
    assert ("Acute intermittent porphyria", "may_contraindicate", "Ethanol") in stated
    assert ("Amiloride", "is_an_ingredient_of", "Co-amilozide") in stated
    heart = next(concept for concept in concepts.values() if "ECG finding" in concept.synonyms)
    assert ("Myocarditis", "may_cause", heart.label) in stated
