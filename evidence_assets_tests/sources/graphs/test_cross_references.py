"""One spelling for identifiers of many registries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.sources.graphs.cross_references import canonical


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("UMLS_CUI:C0018923", "UMLS:C0018923"),
        ("UMLS CUI:C0018923", "UMLS:C0018923"),
        ("umls:C0018923", "UMLS:C0018923"),
        ("MSH:D006394", "MESH:D006394"),
        ("MeSH:D006394", "MESH:D006394"),
        ("MSH2010_2009_08_17:D006394", "MESH:D006394"),
        ("NCI:C3088", "NCIT:C3088"),
        ("NCIT:C3088", "NCIT:C3088"),
        ("NCI_Thesaurus:C3088", "NCIT:C3088"),
        ("NCI2009_04D:C3088", "NCIT:C3088"),
        ("SNOMEDCT:33176006", "SNOMEDCT:33176006"),
        ("SNOMEDCT_2010_1_31:33176006", "SNOMEDCT:33176006"),
        ("SNOMEDCT_US_2021_09_01:33176006", "SNOMEDCT:33176006"),
        ("SNOMEDCT_US:33176006", "SNOMEDCT:33176006"),
        ("SCTID:33176006", "SNOMEDCT:33176006"),
        ("MIM:107480", "OMIM:107480"),
        ("OMIM:107480", "OMIM:107480"),
        ("ICD9CM:277.9", "ICD9CM:277.9"),
        ("ICD9CM_2006:277.9", "ICD9CM:277.9"),
        ("ICD10CM:C72.0", "ICD10:C72.0"),
        ("ICD10:C72.0", "ICD10:C72.0"),
        ("ORDO:2239", "ORPHANET:2239"),
        ("Orphanet:2239", "ORPHANET:2239"),
        ("EFO:0000339", "EFO:0000339"),
        ("doid:4", "DOID:4"),
        ("HP:0000023", "HP:0000023"),
        ("mondo:0005015", "MONDO:0005015"),
        ("MedDRA:10018498", "MEDDRA:10018498"),
        ("DrugBank:DB00843", "DRUGBANK:DB00843"),
        ("Fyler:4876", "FYLER:4876"),
        (" KEGG :  hsa05200 ", "KEGG:hsa05200"),
        ("KEGG:a:b c", "KEGG:a:b c"),
        ("ISO2022x:1", "ISO:1"),
        ("2010:1", "2010:1"),
        ("C20105:1", "C20105:1"),
        ("http://example.org/a", "http://example.org/a"),
        ("  without prefix ", "without prefix"),
        ("UMLS:", "UMLS:"),
        ("", ""),
    ],
)
def test_a_reference_is_spelt_one_way(reference: str, expected: str) -> None:
    assert canonical(reference) == expected


prefixes = st.one_of(
    st.sampled_from(["UMLS_CUI", "msh", "NCI2009_04D", "SNOMEDCT_US_2010_1_31", "Nci Thesaurus"]), st.text()
)


@given(prefix=prefixes, local=st.text())
def test_the_one_spelling_is_its_own(prefix: str, local: str) -> None:
    spelled = canonical(f"{prefix}:{local}")
    assert canonical(spelled) == spelled


@given(prefix=st.text(st.characters(codec="ascii", exclude_characters=":")), local=st.text())
def test_capitals_and_space_around_make_no_difference(prefix: str, local: str) -> None:
    if not local.strip().startswith("//"):
        assert canonical(f" {prefix.lower()} : {local} ") == canonical(f"{prefix.upper()}:{local}")
        assert canonical(f"{prefix}:{local}").endswith(f":{local.strip()}")
