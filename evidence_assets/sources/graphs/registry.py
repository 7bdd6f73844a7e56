"""The readers of knowledge graphs by name, as the profile's configuration names them."""

from __future__ import annotations

from evidence_assets.sources.readers import Readers
from evidence_assets.sources.reading import Reader
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple

GraphReader = Reader[Triple | ConceptRecord | RejectedRecord]

READERS: Readers[GraphReader] = Readers(
    "graph",
    __package__,
    {
        "conceptnet_assertions": "conceptnet_assertions.read",
        "disease_database": "disease_database.read",
        "drug_indications": "drug_indications.read",
        "drugbank_vocabulary": "drugbank_vocabulary.read",
        "hetionet": "hetionet.read",
        "lake_triples": "lake_triples.read",
        "metaqa": "metaqa.read",
        "node_edge_tables": "node_edge_tables.read",
        "obo": "obo.read",
        "paraphrased_facts": "paraphrased_facts.read",
        "primekg": "primekg.read",
        "relation_head_tail": "relation_head_tail.read",
        "stark_skb": "stark_skb.read",
        "umls_rrf": "umls_rrf.read",
    },
)
reader = READERS.reader
