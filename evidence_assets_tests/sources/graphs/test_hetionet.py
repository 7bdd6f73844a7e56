"""Hetionet's tables of nodes and edges."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from evidence_assets.sources.graphs.hetionet import read
from evidence_assets.sources.records import (
    ConceptRecord,
    RejectedRecord,
    Triple,
    TripleSource,
    UnusableSourceError,
)
from evidence_assets_tests.testing.records_read import all_of

NODES = [
    "Disease::DOID:263\tkidney cancer\tDisease",
    "Compound::DB00643\tMebendazole\tCompound",
    "Gene::9021\tSOCS3\tGene",
    "Symptom::D058447\tEye Pain\tSymptom",
    "Side Effect::C0000737\tAbdominal pain\tSide Effect",
    "Pharmacologic Class::N0000175605\tKinase Inhibitor\tPharmacologic Class",
    "Anatomy::UBERON:0000004\tnose\tAnatomy",
    "Pathway::PC7_8078\tSignaling\tPathway",
]
ENDS = {
    "C": ("Compound::DB00643", "DRUGBANK:DB00643"),
    "D": ("Disease::DOID:263", "DOID:263"),
    "G": ("Gene::9021", "NCBIGENE:9021"),
    "A": ("Anatomy::UBERON:0000004", "UBERON:0000004"),
    "S": ("Symptom::D058447", "MESH:D058447"),
    "SE": ("Side Effect::C0000737", "UMLS:C0000737"),
    "PC": ("Pharmacologic Class::N0000175605", "NDFRT:N0000175605"),
    "BP": ("Biological Process::GO:0071357", "GO:0071357"),
    "PW": ("Pathway::PC7_8078", "PATHWAY:PC7_8078"),
}


def written(folder: Path, nodes: list[str], edges: list[str], suffix: str = ".gz") -> str:
    content = "\n".join(["source\tmetaedge\ttarget", *edges]).encode()
    path = folder / f"hetionet-v1.0-edges.sif{suffix}"
    path.write_bytes(gzip.compress(content) if suffix else content)
    (folder / "hetionet-v1.0-nodes.tsv").write_text("\r\n".join(["id\tname\tkind", *nodes]), newline="")
    return str(folder)


def edge(source: str, metaedge: str, target: str) -> str:
    return f"{ENDS[source][0]}\t{metaedge}\t{ENDS[target][0]}"


def test_nodes_become_concepts(tmp_path: Path) -> None:
    concepts = all_of(ConceptRecord, read(written(tmp_path, NODES, []), {}))
    assert [(concept.key, concept.label, concept.kind) for concept in concepts] == [
        ("DOID:263", "kidney cancer", "disease"),
        ("DRUGBANK:DB00643", "Mebendazole", "drug"),
        ("NCBIGENE:9021", "SOCS3", "gene"),
        ("MESH:D058447", "Eye Pain", "symptom"),
        ("UMLS:C0000737", "Abdominal pain", "side effect"),
        ("NDFRT:N0000175605", "Kinase Inhibitor", "pharmacologic class"),
        ("UBERON:0000004", "nose", "anatomy"),
        ("PATHWAY:PC7_8078", "Signaling", "pathway"),
    ]
    assert concepts[1] == ConceptRecord(
        "DRUGBANK:DB00643", "Mebendazole", kind="drug", record="hetionet-v1.0-nodes.tsv:line 3"
    )


@pytest.mark.parametrize(
    ("source", "metaedge", "target", "head", "relation", "tail"),
    [
        ("C", "CtD", "D", "C", "may_treat", "D"),
        ("C", "CpD", "D", "C", "may_relieve", "D"),
        ("C", "CcSE", "SE", "C", "may_cause", "SE"),
        ("C", "CbG", "G", "C", "acts_on", "G"),
        ("C", "CrC", "C", "C", "resembles", "C"),
        ("D", "DrD", "D", "D", "resembles", "D"),
        ("D", "DaG", "G", "D", "is_associated_with", "G"),
        ("D", "DlA", "A", "D", "is_located_in", "A"),
        ("D", "DpS", "S", "S", "is_a_finding_in", "D"),
        ("G", "GiG", "G", "G", "interacts_with", "G"),
        ("G", "Gr>G", "G", "G", "regulates", "G"),
        ("G", "GpBP", "BP", "G", "participates_in", "BP"),
        ("G", "GpCC", "BP", "G", "participates_in", "BP"),
        ("G", "GpMF", "BP", "G", "participates_in", "BP"),
        ("G", "GpPW", "PW", "G", "participates_in", "PW"),
        ("A", "AeG", "G", "G", "is_expressed_in", "A"),
        ("PC", "PCiC", "C", "C", "belongs_to_the_category_of", "PC"),
    ],
)
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_every_metaedge_has_its_relation(
    tmp_path: Path, source: str, metaedge: str, target: str, head: str, relation: str, tail: str, suffix: str
) -> None:
    (stated,) = read(written(tmp_path, [], [edge(source, metaedge, target)], suffix), {})
    place = TripleSource("", f"hetionet-v1.0-edges.sif{suffix}:line 2", "")
    assert stated == Triple(ENDS[head][1], relation, ENDS[tail][1], None, (place,), by_key=True)


def test_metaedges_without_counterpart_are_counted_once_each(tmp_path: Path) -> None:
    lines = [edge("A", name, "G") for name in ("AuG", "AdG", "AuG", "GcG", "new")]
    rejected = all_of(RejectedRecord, read(written(tmp_path, [], lines), {}))
    assert [(record.record, record.reason) for record in rejected] == [
        (
            f"hetionet-v1.0-edges.sif.gz, metaedge {name}",
            f"edges of a relation without a counterpart here: {n}",
        )
        for name, n in (("AdG", 1), ("AuG", 2), ("GcG", 1), ("new", 1))
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Gene 9021\tGiG\tGene::1", "source 'Gene 9021' is not a kind and an identifier"),
        ("Gene::9021\tGiG\tGene::", "target 'Gene::' is not a kind and an identifier"),
        ("::9021\tGiG\tGene::1", "source '::9021' is not a kind and an identifier"),
        ("Gene::9021\tGiG\t", "target is empty"),
        ("Gene::9021\t\tGene::1", "metaedge is empty"),
        ("Gene::9021\tGiG", "2 columns where 3 are expected"),
    ],
)
def test_a_bad_edge_is_rejected_alone(tmp_path: Path, line: str, reason: str) -> None:
    rejected, stated = read(written(tmp_path, [], [line, edge("C", "CtD", "D")]), {})
    assert isinstance(rejected, RejectedRecord)
    assert (rejected.record, rejected.reason) == ("hetionet-v1.0-edges.sif.gz, line 2", reason)
    assert rejected.remedy
    assert isinstance(stated, Triple)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Gene::1\t\tGene", "name is empty"),
        ("Gene::1\tA1BG\t", "kind is empty"),
        ("Gene:1\tA1BG\tGene", "id 'Gene:1' is not a kind and an identifier"),
        ("Gene::1\tA1BG", "2 columns where 3 are expected"),
    ],
)
def test_a_bad_node_is_rejected_alone(tmp_path: Path, line: str, reason: str) -> None:
    rejected, concept = read(written(tmp_path, [line, NODES[0]], []), {})
    assert isinstance(rejected, RejectedRecord)
    assert (rejected.record, rejected.reason) == ("hetionet-v1.0-nodes.tsv, line 2", reason)
    assert isinstance(concept, ConceptRecord)
    assert concept.key == "DOID:263"


def test_order_of_the_rows_makes_no_difference(tmp_path: Path) -> None:
    nodes, edges = list(NODES), [edge("C", "CtD", "D"), edge("A", "AeG", "G"), edge("G", "GpPW", "PW")]
    facts = set()
    for seed in range(5):
        random.Random(seed).shuffle(nodes)
        random.Random(seed).shuffle(edges)
        records = list(read(written(tmp_path, nodes, edges), {}))
        assert not any(isinstance(record, RejectedRecord) for record in records)
        facts.add(
            frozenset(
                (record.head, record.relation, record.tail) if isinstance(record, Triple) else record.key
                for record in records
                if not isinstance(record, RejectedRecord)
            )
        )
    assert len(facts) == 1
    assert len(facts.pop()) == len(nodes) + len(edges)


def test_missing_files_and_columns_are_refused(tmp_path: Path) -> None:
    (tmp_path / "readme.md").write_text("words")
    with pytest.raises(UnusableSourceError, match=r"no file \*nodes\.tsv in the folder"):
        list(read(str(tmp_path), {}))
    uri = written(tmp_path, NODES, [])
    (tmp_path / "hetionet-v1.0-nodes.tsv").write_text("id\tname\n")
    with pytest.raises(UnusableSourceError, match="no column kind in the header; it has id, name"):
        list(read(uri, {}))
