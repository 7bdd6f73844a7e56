"""Graph readers by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from evidence_assets.sources.graphs import (
    disease_database,
    drug_indications,
    hetionet,
    obo,
    primekg,
    umls_rrf,
)
from evidence_assets.sources.graphs.registry import READERS, reader
from evidence_assets.text.verbalisation import BIOMEDICAL, templates


def test_names() -> None:
    assert list(READERS) == [
        "conceptnet_assertions",
        "disease_database",
        "drug_indications",
        "drugbank_vocabulary",
        "hetionet",
        "lake_triples",
        "metaqa",
        "node_edge_tables",
        "obo",
        "paraphrased_facts",
        "primekg",
        "relation_head_tail",
        "stark_skb",
        "umls_rrf",
    ]
    assert all(reader(name) is READERS[name] for name in READERS)
    assert all(READERS[name].__module__.endswith(f".{name}") for name in READERS)


def test_unknown_name_lists_the_known() -> None:
    with pytest.raises(ValueError, match="no graph reader 'owl': choose one of conceptnet_assertions, "):
        reader("owl")


def test_biomedical_readers_use_relations_that_can_be_read_out() -> None:
    used = {
        *disease_database.RELATION_CODES.values(),
        *drug_indications.CATEGORIES.values(),
        *(reading.relation for reading in hetionet.METAEDGES.values()),
        obo.SUBTYPE,
        *obo.RELATIONSHIPS.values(),
        *(relation for _, relation in primekg.FROM_TYPE.values()),
        *primekg.SYMMETRIC.values(),
        *(reading.relation for reading in umls_rrf.READINGS.values()),
        *(reading.relation for reading in umls_rrf.WITHOUT_ATTRIBUTE.values()),
    }
    assert used == used & set(templates(BIOMEDICAL))


def test_import_leaves_heavy_libraries_alone() -> None:
    program = (
        "import sys, evidence_assets.sources.graphs.registry\n"
        "print([n for n in ('ijson', 'pyarrow', 'huggingface_hub', 's3fs') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
