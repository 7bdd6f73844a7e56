"""PrimeKG's table of edges."""

from __future__ import annotations

import csv
import gzip
import io
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from evidence_assets.sources.graphs.primekg import read
from evidence_assets.sources.records import (
    ConceptRecord,
    RejectedRecord,
    Triple,
    TripleSource,
    UnusableSourceError,
)

HEADER = "relation,display_relation,x_index,x_id,x_type,x_name,x_source,y_index,y_id,y_type,y_name,y_source"
# Index, id, type, name, source.
END = tuple[str, str, str, str, str]
DRUG: END = ("1", "DB09130", "drug", "Copper", "DrugBank")
OTHER_DRUG: END = ("2", "DB09140", "drug", "Oxygen, medical", "DrugBank")
GENE: END = ("3", "2157", "gene/protein", "F8", "NCBI")
DISEASE: END = ("4", "12204", "disease", 'familial "pseudohyperkalemia"', "MONDO")
GROUP: END = ("5", "13924_12592", "disease", "osteogenesis imperfecta", "MONDO_grouped")
PHENOTYPE: END = ("6", "1878", "effect/phenotype", "Hemolytic anemia", "HPO")
ANATOMY: END = ("7", "4", "anatomy", "nose", "UBERON")
FACE: END = ("8", "1456", "anatomy", "face", "UBERON")
PROCESS: END = ("9", "3193", "biological_process", "valve formation", "GO")
EXPOSURE: END = ("10", "D001151", "exposure", "Arsenic", "CTD")
LEAD: END = ("11", "D007854", "exposure", "Lead", "CTD")
PATHWAY: END = ("12", "R-HSA-109581", "pathway", "Apoptosis", "REACTOME")


def row(relation: str, displayed: str, first: END, second: END) -> list[str]:
    return [relation, displayed, *first, *second]


def both(relation: str, displayed: str, first: END, second: END) -> list[list[str]]:
    return [row(relation, displayed, first, second), row(relation, displayed, second, first)]


def written(folder: Path, lines: Sequence[Sequence[str] | str], name: str = "kg.csv") -> str:
    content = io.StringIO()
    content.write(f"{HEADER}\r\n")
    for line in lines:
        if isinstance(line, str):
            content.write(f"{line}\n")
        else:
            csv.writer(content).writerow(line)
    data = content.getvalue().encode()
    (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return str(folder / name)


def key(end: END) -> str:
    return f"{end[4].upper()}:{end[1]}"


def triple(head: END, relation: str, tail: END, record: str) -> Triple:
    return Triple(key(head), relation, key(tail), None, (TripleSource("", record, ""),), by_key=True)


@pytest.mark.parametrize("name", ["kg.csv", "kg.csv.gz"])
def test_rows_become_concepts(tmp_path: Path, name: str) -> None:
    lines = [
        row("drug_protein", "carrier", DRUG, GENE),
        row("disease_disease", "parent-child", DISEASE, GROUP),
        row("disease_phenotype_negative", "phenotype absent", DISEASE, PHENOTYPE),
        row("anatomy_anatomy", "parent-child", ANATOMY, FACE),
        row("exposure_bioprocess", "interacts with", EXPOSURE, PROCESS),
    ]
    records = read(written(tmp_path, lines, name), {})
    assert [record for record in records if isinstance(record, ConceptRecord)] == [
        ConceptRecord("DRUGBANK:DB09130", "Copper", kind="drug", record="line 2"),
        ConceptRecord("NCBI:2157", "F8", (), ("NCBIGENE:2157",), kind="gene", record="line 2"),
        ConceptRecord(
            "MONDO:12204",
            'familial "pseudohyperkalemia"',
            (),
            ("MONDO:0012204",),
            kind="disease",
            record="line 3",
        ),
        ConceptRecord(
            "MONDO_GROUPED:13924_12592", "osteogenesis imperfecta", kind="disease", record="line 3"
        ),
        ConceptRecord(
            "HPO:1878", "Hemolytic anemia", (), ("HP:0001878",), kind="effect/phenotype", record="line 4"
        ),
        ConceptRecord("UBERON:4", "nose", (), ("UBERON:0000004",), kind="anatomy", record="line 5"),
        ConceptRecord("UBERON:1456", "face", (), ("UBERON:0001456",), kind="anatomy", record="line 5"),
        ConceptRecord("CTD:D001151", "Arsenic", kind="exposure", record="line 6"),
        ConceptRecord(
            "GO:3193", "valve formation", (), ("GO:0003193",), kind="biological process", record="line 6"
        ),
    ]


DIRECTED = [
    ("indication", "indication", DRUG, "may_treat", DISEASE),
    ("contraindication", "contraindication", DISEASE, "may_contraindicate", DRUG),
    ("off-label use", "off-label use", DRUG, "may_treat_off-label", DISEASE),
    ("drug_effect", "side effect", DRUG, "may_cause", PHENOTYPE),
    ("disease_phenotype_positive", "phenotype present", PHENOTYPE, "is_a_finding_in", DISEASE),
    ("disease_phenotype_negative", "phenotype absent", PHENOTYPE, "is_not_a_finding_in", DISEASE),
    ("drug_protein", "target", DRUG, "acts_on", GENE),
    ("drug_protein", "enzyme", DRUG, "acts_on", GENE),
    ("drug_protein", "carrier", DRUG, "acts_on", GENE),
    ("drug_protein", "transporter", DRUG, "acts_on", GENE),
    ("anatomy_protein_present", "expression present", GENE, "is_expressed_in", ANATOMY),
    ("anatomy_protein_absent", "expression absent", GENE, "is_not_expressed_in", ANATOMY),
    ("exposure_disease", "linked to", EXPOSURE, "is_a_risk_factor_of", DISEASE),
]


@pytest.mark.parametrize(("relation", "displayed", "head", "ours", "tail"), DIRECTED)
@pytest.mark.parametrize("head_first", [True, False])
def test_direction_by_the_types_of_the_ends(
    tmp_path: Path, relation: str, displayed: str, head: END, ours: str, tail: END, head_first: bool
) -> None:
    ends = (head, tail) if head_first else (tail, head)
    *concepts, stated = read(written(tmp_path, both(relation, displayed, *ends)), {})
    assert len(concepts) == 2
    assert stated == triple(head, ours, tail, "line 2")


@pytest.mark.parametrize(
    ("relation", "displayed", "first", "second", "ours"),
    [
        ("protein_protein", "ppi", GENE, ("9", "9", "gene/protein", "G", "NCBI"), "interacts_with"),
        ("drug_drug", "synergistic interaction", DRUG, OTHER_DRUG, "interacts_with"),
        ("pathway_protein", "interacts with", GENE, PATHWAY, "interacts_with"),
        ("disease_protein", "associated with", GENE, DISEASE, "is_associated_with"),
    ],
)
def test_relations_that_read_both_ways_come_once(
    tmp_path: Path, relation: str, displayed: str, first: END, second: END, ours: str
) -> None:
    *_, stated = read(written(tmp_path, both(relation, displayed, first, second)), {})
    assert stated == triple(first, ours, second, "line 2")
    records = list(read(written(tmp_path, both(relation, displayed, first, second)), {}))
    assert sum(isinstance(record, Triple) for record in records) == 1


@pytest.mark.parametrize(
    ("relation", "first", "second", "child", "parent"),
    [
        ("disease_disease", GROUP, DISEASE, DISEASE, GROUP),
        (
            "phenotype_phenotype",
            PHENOTYPE,
            ("1", "1903", *PHENOTYPE[2:]),
            ("1", "1903", *PHENOTYPE[2:]),
            PHENOTYPE,
        ),
        ("pathway_pathway", PATHWAY, ("1", "R-HSA-1", *PATHWAY[2:]), ("1", "R-HSA-1", *PATHWAY[2:]), PATHWAY),
        ("anatomy_anatomy", ANATOMY, FACE, ANATOMY, FACE),
    ],
)
def test_hierarchies_go_from_parent_to_child_but_for_anatomy(
    tmp_path: Path, relation: str, first: END, second: END, child: END, parent: END
) -> None:
    records = list(read(written(tmp_path, both(relation, "parent-child", first, second)), {}))
    assert [record for record in records if isinstance(record, Triple)] == [
        triple(child, "is_a_subtype_of", parent, "line 2")
    ]


def test_relations_without_counterpart_are_counted_once_an_edge(tmp_path: Path) -> None:
    lines = [
        *both("exposure_exposure", "parent-child", EXPOSURE, LEAD),
        *both("exposure_exposure", "parent-child", EXPOSURE, ("12", "D1", *LEAD[2:])),
        *both("drug_food", "taken with", DRUG, EXPOSURE),
    ]
    records = list(read(written(tmp_path, lines), {}))
    rejected = [(record.record, record.reason) for record in records if isinstance(record, RejectedRecord)]
    assert rejected == [
        ("relation drug_food, taken with", "edges of a relation without a counterpart here: 1"),
        ("relation exposure_exposure, parent-child", "edges of a relation without a counterpart here: 2"),
    ]
    assert sum(isinstance(record, ConceptRecord) for record in records) == 4


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            row("indication", "indication", DISEASE, GROUP),
            "indication between 'disease' and 'disease': neither is",
        ),
        (row("drug_drug", "ppi", DRUG, ("9", "", *DRUG[2:])), "y_id is empty"),
        (row("drug_drug", "ppi", DRUG, (*OTHER_DRUG[:4], " ")), "y_source is empty"),
        (row("drug_drug", "ppi", (*DRUG[:3], "", DRUG[4]), OTHER_DRUG), "x_name is empty"),
        (["drug_drug", "ppi"], "2 columns where 12 are expected"),
        ('drug_drug,"ppi', "broken quotes: unexpected end of data"),
    ],
)
def test_a_bad_row_is_rejected_alone(tmp_path: Path, line: list[str] | str, reason: str) -> None:
    rejected, *rest = read(written(tmp_path, [line, row("drug_protein", "target", DRUG, GENE)]), {})
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record == "line 2"
    assert reason in rejected.reason
    assert rejected.remedy
    assert [type(record) for record in rest] == [ConceptRecord, ConceptRecord, Triple]


def test_an_edge_back_to_its_own_concept_describes_it_once(tmp_path: Path) -> None:
    concept, stated = read(written(tmp_path, [row("protein_protein", "ppi", GENE, GENE)]), {})
    assert isinstance(concept, ConceptRecord)
    assert (concept.key, stated) == (key(GENE), triple(GENE, "interacts_with", GENE, "line 2"))


@pytest.mark.parametrize("seed", range(9))
def test_order_of_typed_rows_makes_no_difference(tmp_path: Path, seed: int) -> None:
    order = [line for edge in DIRECTED for line in both(*edge[:3], edge[4])]
    random.Random(seed).shuffle(order)
    records = list(read(written(tmp_path, order), {}))
    triples = [
        (record.head, record.relation, record.tail) for record in records if isinstance(record, Triple)
    ]
    assert sorted(triples) == sorted((key(edge[2]), edge[3], key(edge[4])) for edge in DIRECTED)
    concepts = [record.key for record in records if isinstance(record, ConceptRecord)]
    assert len(concepts) == len(set(concepts)) == 6


def test_a_missing_column_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kg.csv").write_text(HEADER.replace("x_source", "source"))
    with pytest.raises(UnusableSourceError, match="no column x_source in the header"):
        list(read(str(tmp_path / "kg.csv"), {}))
