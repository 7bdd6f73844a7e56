"""Graph readers by name."""

from __future__ import annotations

from evidence_assets.sources.graphs import (
    disease_database,
    drug_indications,
    hetionet,
    obo,
    primekg,
    umls_rrf,
)
from evidence_assets.text.verbalisation import BIOMEDICAL, templates


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
