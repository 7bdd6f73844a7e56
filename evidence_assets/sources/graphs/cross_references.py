"""One spelling for identifiers with a prefix, however their source writes the name of the registry."""

from __future__ import annotations

import re

# Canonical registry names by the sources' names in capitals; other names are kept.
_REGISTRIES = {
    "UMLS_CUI": "UMLS",
    "MSH": "MESH",
    "NCI": "NCIT",
    "NCI_THESAURUS": "NCIT",
    "SCTID": "SNOMEDCT",
    "SNOMEDCT_US": "SNOMEDCT",
    "SNOMED_CT": "SNOMEDCT",
    "MIM": "OMIM",
    "ICD10CM": "ICD10",
    "ORDO": "ORPHANET",
    "ORPHA": "ORPHANET",
}
# Sources that copy from the Metathesaurus name the release too: SNOMEDCT_2010_1_31, NCI2009_04D.
_RELEASE = re.compile(r"(?<=[A-Z])_?(?:19|20)[0-9]{2}(?![0-9]).*", re.DOTALL)


def canonical(reference: str) -> str:
    """Return the identifier with its registry's one name: `UMLS_CUI:C0018923` as `UMLS:C0018923`.

    Capitals, spaces for underscores, and the release of the registry make no difference. What follows the
    colon is kept as it is; without a prefix, and for a web address, all of it is.
    """
    stripped = reference.strip()
    prefix, colon, local = stripped.partition(":")
    if not colon or local.startswith("//"):
        return stripped
    name = _RELEASE.sub("", prefix.strip().upper().replace(" ", "_"))
    return f"{_REGISTRIES.get(name, name)}:{local.strip()}"
