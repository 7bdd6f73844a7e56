"""Ontologies in OBO."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.sources.graphs.obo import read
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple, TripleSource
from evidence_assets_tests.testing.records_read import all_of, only_of

HEADER = "format-version: 1.2\nontology: doid\n! a comment, and a line without meaning\n"
CANCER = r"""
[Term]
id: DOID:1115 ! sarcoma
name: sarcoma\: of bone {note="a name"} ! a comment
alt_id: DOID:267
def: "A \"malignant\" tumor\nof bone, \[rare\]. " [url:http\://example.org/a, DO:lh]
subset: slim
synonym: "bone sarcoma " EXACT []
synonym: "bone sarcoma" EXACT [NCI:C1, "a \"source\""]
synonym: "Knochensarkom" [] {lang="de"}
synonym: "osteoma" RELATED []
synonym: "tumor" BROAD []
synonym: "osteosarcoma" NARROW []
synonym: "sarcoma: of bone" EXACT []
xref: UMLS_CUI:C0018923
xref: SNOMEDCT_2010_1_31:33176006 "Sarcoma (disorder)"
xref: MSH:D006394 {source="MONDO:equivalentTo"} ! a comment
xref: url\:x
is_a: DOID:4 {source="DOID:4"} ! disease
is_a: DOID:162! cancer
relationship: part_of UBERON:0000061 ! anatomical structure
relationship: located_in UBERON:0002481 {source="x"}
relationship: has_symptom SYMP:1
property_value: anything at all
created_by: nobody
"""
NEWLINE = "\n"
DISEASE = "\n[Term]\nid: DOID:4\nname: disease\n"
EARLIER = "[Term]\nid: DOID:162\nname: cancer\nis_a: DOID:4\n"


def written(folder: Path, content: str | bytes, name: str = "ontology.obo") -> str:
    path = folder / name
    content = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return str(path)


def triple(head: str, relation: str, tail: str, record: str) -> Triple:
    return Triple(head, relation, tail, None, (TripleSource("", record, ""),), by_key=True)


def rejection(folder: Path, content: str) -> tuple[str, str, list[Triple | ConceptRecord]]:
    """Place and reason of the only rejection, and the records that are left."""
    records = list(read(written(folder, content), {}))
    (rejected,) = [record for record in records if isinstance(record, RejectedRecord)]
    assert rejected.remedy
    rest = [record for record in records if not isinstance(record, RejectedRecord)]
    return rejected.record, rejected.reason, rest


@pytest.mark.parametrize("name", ["ontology.obo", "ontology.obo.gz"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_term_becomes_a_concept_and_its_edges(tmp_path: Path, name: str, line_end: str) -> None:
    content = (HEADER + CANCER).replace("\n", line_end)
    concept, *edges, unmapped = read(written(tmp_path, content, name), {"kind": "disease"})
    assert concept == ConceptRecord(
        key="DOID:1115",
        label="sarcoma: of bone",
        synonyms=("bone sarcoma", "Knochensarkom"),
        cross_references=("DOID:267", "UMLS:C0018923", "SNOMEDCT:33176006", "MESH:D006394", "URL:x"),
        definition='A "malignant" tumor\nof bone, [rare].',
        kind="disease",
        record="line 5",
    )
    assert edges == [
        triple("DOID:1115", "is_a_subtype_of", "DOID:4", "line 22"),
        triple("DOID:1115", "is_a_subtype_of", "DOID:162", "line 23"),
        triple("DOID:1115", "is_part_of", "UBERON:0000061", "line 24"),
        triple("DOID:1115", "is_located_in", "UBERON:0002481", "line 25"),
    ]
    assert isinstance(unmapped, RejectedRecord)
    assert (unmapped.record, unmapped.reason) == (
        "relationship has_symptom",
        "edges of a relation without a counterpart here: 1",
    )


@pytest.mark.parametrize(
    ("name", "synonym"),
    [
        ("Sarcoma (disorder)", "Sarcoma"),
        ("Cough (finding)", "Cough"),
        ("Sarcoma, no subtype (morphologic abnormality)", "Sarcoma, no subtype"),
        # What tells one disease from another stays.
        ("Hepatitis (acute)", "Hepatitis (acute)"),
        ("Sarcoma (disorder) of bone", "Sarcoma (disorder) of bone"),
        ("(disorder)", "(disorder)"),
    ],
)
def test_a_synonym_is_taken_without_what_sort_of_thing_it_names(
    tmp_path: Path, name: str, synonym: str
) -> None:
    lines = f'[Term]\nid: DOID:7\nname: a term\nsynonym: "{name}" EXACT []\n'
    concept = only_of(ConceptRecord, read(written(tmp_path, HEADER + lines), {}))
    assert concept.synonyms == (synonym,)


def test_stanzas_of_other_kinds_are_passed_over(tmp_path: Path) -> None:
    content = (
        HEADER + "[Typedef]\nid: part_of\nname: part of\nno tag\n" + DISEASE + "[Instance]\nid: a\nno tag\n"
    )
    concept = only_of(ConceptRecord, read(written(tmp_path, content), {}))
    assert (concept.key, concept.kind) == ("DOID:4", "")


def test_unmapped_relationships_are_counted_once_a_type(tmp_path: Path) -> None:
    lines = (
        "relationship: has_symptom SYMP:1\nrelationship: has_symptom SYMP:2\nrelationship: adjacent_to X:1\n"
    )
    obsolete = "[Term]\nid: X:9\nrelationship: has_symptom SYMP:1\nis_obsolete: true\n"
    *_, first, second = read(written(tmp_path, DISEASE + lines + EARLIER + lines + obsolete), {})
    rejected = all_of(RejectedRecord, (first, second))
    assert [(record.record, record.reason.rpartition(" ")[2]) for record in rejected] == [
        ("relationship adjacent_to", "2"),
        ("relationship has_symptom", "4"),
    ]


@pytest.mark.parametrize("obsolete_first", [True, False])
def test_obsolete_terms_and_edges_to_them(tmp_path: Path, obsolete_first: bool) -> None:
    obsolete = "[Term]\nid: DOID:4\nname: disease\nis_a: DOID:162\nis_obsolete: true\nxref: \n"
    terms = [obsolete, EARLIER] if obsolete_first else [EARLIER, obsolete]
    records = list(read(written(tmp_path, "".join(terms)), {}))
    line = 10 if obsolete_first else 4
    rejected = [record for record in records if isinstance(record, RejectedRecord)]
    assert {(record.record, record.reason) for record in rejected} == {
        (f"line {line}", "DOID:4 is obsolete"),
        (f"line {6 if obsolete_first else 10}", "no identifier in the reference ''"),
    }
    assert [record.key for record in records if isinstance(record, ConceptRecord)] == ["DOID:162"]
    assert not any(isinstance(record, Triple) for record in records)


def test_an_id_that_is_obsolete_and_not_is_known(tmp_path: Path) -> None:
    obsolete = "[Term]\nid: DOID:4\nname: old\nis_obsolete: true\n"
    records = list(read(written(tmp_path, obsolete + DISEASE + obsolete + EARLIER), {}))
    assert [type(record) for record in records] == [ConceptRecord, ConceptRecord, Triple]


def test_a_term_that_is_its_own_parent_is_passed_on(tmp_path: Path) -> None:
    *_, edge = read(written(tmp_path, DISEASE + "is_a: DOID:4\n"), {})
    assert edge == triple("DOID:4", "is_a_subtype_of", "DOID:4", "line 5")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("no tag", "no colon after a tag: 'no tag'"),
        # The same id again begins no other term.
        ("id: doid:4", "a second id; the term's first is 'DOID:4'"),
        ("name: illness", "a second name; the term's first is 'disease'"),
        ('def: "does not end [DO:lh]', "a quote that does not end: '\"does not end [DO:lh]'"),
        (r'def: "does not end\" [DO:lh]', "a quote that does not end: "),
        ("def: no quotes", "no text in quotes: 'no quotes'"),
        ('synonym: "does not end', "a quote that does not end: '\"does not end'"),
        ('synonym: " " EXACT []', "the synonym is empty"),
        ("synonym:", "no text in quotes: ''"),
        ("xref:", "no identifier in the reference ''"),
        ("xref: UMLS_CUI:", "no identifier in the reference 'UMLS_CUI:'"),
        ("alt_id: ! none", "the alternative id is missing"),
        ("is_a:", "the term is missing"),
        ("is_a: ! disease", "the term is missing"),
        ("relationship: part_of", "the term is missing"),
        ("relationship: part_of {source=1}", "the term is missing"),
        ("relationship:", "the term is missing"),
        ("is_obsolete:", "is_obsolete is missing"),
    ],
)
def test_a_bad_line_leaves_its_term(tmp_path: Path, line: str, reason: str) -> None:
    place, why, rest = rejection(tmp_path, f"{DISEASE}{line}\nxref: MSH:D1\n{EARLIER}")
    assert place == "line 5"
    assert why.startswith(reason)
    disease, cancer, edge = rest
    assert isinstance(disease, ConceptRecord)
    assert isinstance(cancer, ConceptRecord)
    assert (disease.label, disease.cross_references) == ("disease", ("MESH:D1",))
    assert cancer.label == "cancer"
    assert isinstance(edge, Triple)


@pytest.mark.parametrize(
    ("term", "reason"),
    [
        ("[Term]\nname: x\nis_a: DOID:4\n", "the term has no id"),
        ("[Term]\nid: DOID:9\nis_a: DOID:4\n", "the term DOID:9 has no name"),
        ("[Term]\n", "the term has no id"),
        (
            "[Term] ! a comment\nid: doid:4\nname: x\nis_a: DOID:4\n",
            "DOID:4 is the id of the term at line 2 too",
        ),
    ],
)
def test_a_bad_term_is_rejected_alone(tmp_path: Path, term: str, reason: str) -> None:
    place, why, rest = rejection(tmp_path, DISEASE + term + EARLIER)
    assert (place, why) == ("line 5", reason)
    assert [type(record) for record in rest] == [ConceptRecord, ConceptRecord, Triple]


NEXT = 'id: DOID:9\nname: gout\nsynonym: "podagra" EXACT []\nxref: MSH:D9\nis_a: DOID:162\n'
NOTHING_ELSE: list[Triple | ConceptRecord] = [
    ConceptRecord("DOID:4", "disease", record="line 2"),
    ConceptRecord("DOID:162", "cancer"),
    triple("DOID:162", "is_a_subtype_of", "DOID:4", ""),
]


def without_places(
    records: Iterable[Triple | ConceptRecord | RejectedRecord],
) -> list[Triple | ConceptRecord]:
    """Concepts and triples without where they stand."""
    return [
        replace(record, record="")
        if isinstance(record, ConceptRecord)
        else triple(record.head, record.relation, record.tail, "")
        for record in records
        if isinstance(record, ConceptRecord | Triple)
    ]


@pytest.mark.parametrize(
    "header",
    [
        "[Term", "[Term ]", "[ Term]", "[term]", "[TERM]", "[]", "[Term]]", "[[Term]", "[Term] x", "[Terms]",
        "[", "[Termid: DOID:8", "[Typedef", "[Term! ]",
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", [DISEASE, DISEASE + "[Typedef]\nid: part_of\n", "[Term\n" + DISEASE])
def test_what_follows_a_broken_header_is_lost_as_one_record(tmp_path: Path, header: str, before: str) -> None:
    content = f"{before}{header}\n{NEXT}no tag\nid: DOID:10\nname: ague\n{EARLIER}"
    records = list(read(written(tmp_path, content), {}))
    assert without_places(records) == without_places(NOTHING_ELSE)
    rejected = [record for record in records if isinstance(record, RejectedRecord)][before.startswith("[") :]
    assert [(record.record, record.reason, record.remedy) for record in rejected] == [
        (
            f"line {before.count(NEWLINE) + 1}",
            f"no header of a stanza: {header!a}; the lines after it are left out",
            "write it as [Term], [Typedef] or [Instance]",
        )
    ]


@pytest.mark.parametrize(
    "header", ["", "! [Term]\n", "Term]\n", "\u200b[Term]\n", "\udcff[Term]\n", "is_a: X:1 ! [Term]\n"]
)
@pytest.mark.parametrize("before", ["", DISEASE, DISEASE + "[Typedef]\nid: part_of\n"])
def test_what_follows_a_lost_header_is_lost_as_one_record(tmp_path: Path, header: str, before: str) -> None:
    # A surrogate stands for a byte that is not UTF-8.
    content = f"{before}{header}{NEXT}{EARLIER}".encode(errors="surrogateescape")
    records = list(read(written(tmp_path, content), {}))
    edges = [triple("DOID:4", "is_a_subtype_of", "X:1", "")] * (before == DISEASE and "X:1" in header)
    expected = without_places(NOTHING_ELSE)[not before :]
    assert without_places(records) == [*expected[:-1], *edges, expected[-1]]
    assert [
        (record.record, record.remedy)
        for record in records
        if isinstance(record, RejectedRecord)
        and record.reason.startswith("the id 'DOID:9' has no header before it")
    ] == [
        (
            f"line {(before + header).count(NEWLINE) + 1}",
            "begin each term with a line [Term], and its id in the next line",
        )
    ]


def test_a_lost_header_after_a_lost_id(tmp_path: Path) -> None:
    """What stands before an id that is not first is not the id's either."""
    content = f"{DISEASE}[Term]\nidd: DOID:8\nname: ague\nis_a: DOID:4\nTerm]\n{NEXT}{EARLIER}"
    records = list(read(written(tmp_path, content), {}))
    assert without_places(records) == without_places(NOTHING_ELSE)
    reasons = [record.reason for record in records if isinstance(record, RejectedRecord)]
    assert [reason.partition(":")[0] for reason in reasons] == [
        "no colon after a tag",
        "the term has no id",
        "the id 'DOID",
    ]


def test_a_header_may_have_a_comment_and_space_around(tmp_path: Path) -> None:
    content = DISEASE + EARLIER.replace("[Term]", "  [Term]\t ! the next") + "[Typedef] ! another\nid: x\n"
    assert without_places(list(read(written(tmp_path, content), {}))) == without_places(NOTHING_ELSE)


TERMS = {
    f"X:{place}": [
        "[Term]",
        f"id: X:{place}",
        f"name: name {place}",
        f'synonym: "other name {place}" EXACT []',
        f"xref: Y:{place}",
        f"is_a: Z:{place}",
    ]
    for place in range(4)
}


@given(
    place=st.integers(0, 23),
    mangled=st.sampled_from(["drop", "cut", "first", "upper", "join", "junk"]),
    text=st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=12),
)
def test_one_bad_line_says_nothing_of_another_term(
    tmp_path_factory: pytest.TempPathFactory, place: int, mangled: str, text: str
) -> None:
    lines = [line for stanza in TERMS.values() for line in stanza]
    bad, after = lines[place], lines[place + 1 : place + 2]
    changed = {
        "drop": [*after],
        "cut": [bad[: len(text)], *after],
        "first": [bad[1:], *after],
        "upper": [bad.upper(), *after],
        "join": ["".join([bad, *after])],
        "junk": [text + bad, *after],
    }[mangled]
    lines[place : place + 2] = changed
    records = list(read(written(tmp_path_factory.mktemp("bad"), NEWLINE.join(lines)), {}))
    concepts = {record.key: record for record in records if isinstance(record, ConceptRecord)}
    touched = {f"X:{place // 6}", f"X:{(place + (mangled == 'join')) // 6}"}
    assert touched | set(concepts) >= set(TERMS)
    expected = {key: (f"name {key[-1]}", (f"other name {key[-1]}",), (f"Y:{key[-1]}",)) for key in TERMS}
    edges = [record for record in records if isinstance(record, Triple)]
    assert {edge.head for edge in edges} <= set(concepts)
    for key, concept in concepts.items():
        if key in set(TERMS) - touched:
            assert (concept.label, concept.synonyms, concept.cross_references) == expected[key]
        tails = [edge.tail for edge in edges if edge.head == key]
        fields = [concept.label, *concept.synonyms, *concept.cross_references, *tails]
        # All of it stands in one stanza, or in the bad line; a bad id is no key of a stanza.
        stanzas = [TERMS[key]] if key in TERMS else TERMS.values()
        texts = ["".join([*stanza, *changed]) for stanza in stanzas]
        assert any(all(field in text for field in fields) for text in texts)


def test_a_line_that_is_not_utf_8_is_rejected_alone(tmp_path: Path) -> None:
    content = DISEASE.encode() + b'def: "\xff"\n' + EARLIER.encode()
    rejected, *rest = read(written(tmp_path, content), {})
    assert isinstance(rejected, RejectedRecord)
    assert (rejected.record, rejected.reason) == ("line 5", "byte 7 of the line, 0xff, is not UTF-8")
    assert [type(record) for record in rest] == [ConceptRecord, ConceptRecord, Triple]


def test_order_of_the_terms_makes_no_difference(tmp_path: Path) -> None:
    terms = [CANCER, DISEASE, EARLIER, "[Term]\nid: X:1\nname: old\nis_obsolete: true\nis_a: DOID:4\n"]
    facts = set()
    for seed in range(6):
        random.Random(seed).shuffle(terms)
        records = list(read(written(tmp_path, "".join(terms)), {}))
        edges = frozenset(
            (record.head, record.relation, record.tail) for record in records if isinstance(record, Triple)
        )
        names = frozenset(
            (record.key, record.label) for record in records if isinstance(record, ConceptRecord)
        )
        facts.add((edges, names))
    ((edges, names),) = facts
    assert (len(edges), len(names)) == (5, 3)


def test_several_files_are_read_in_order(tmp_path: Path) -> None:
    written(tmp_path, DISEASE, "a.obo")
    written(tmp_path, EARLIER + "no tag\n", "b.obo.gz")
    first, rejected, second, edge = read(str(tmp_path), {})
    assert isinstance(first, ConceptRecord)
    assert isinstance(rejected, RejectedRecord)
    assert isinstance(second, ConceptRecord)
    assert (first.record, second.record) == ("a.obo:line 2", "b.obo.gz:line 1")
    assert rejected.record == "b.obo.gz, line 5"
    assert edge == triple("DOID:162", "is_a_subtype_of", "DOID:4", "b.obo.gz:line 4")


TAGS = ("def", "synonym", "xref", "alt_id", "is_a", "relationship", "comment", "x")
junk = st.one_of(
    st.builds("{}:{}".format, st.sampled_from(TAGS), st.text()),
    st.builds('{}: "{}" {}'.format, st.sampled_from(TAGS), st.text(), st.text()),
    st.text().filter(lambda text: not text.strip().startswith(("[", "id", "name", "is_obsolete"))),
).map(lambda text: re.sub(r"[\n\r]", " ", text))


@given(before=st.lists(junk), within=st.lists(junk), after=st.lists(junk))
def test_lines_of_any_kind_leave_the_good_terms(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], within: list[str], after: list[str]
) -> None:
    lines = [
        *before,
        "[Term]",
        "id: DOID:4",
        *within,
        "name: disease",
        "[Typedef]",
        *after,
        *EARLIER.split("\n"),
    ]
    content = "\n".join([*lines, *after])
    records = list(read(written(tmp_path_factory.mktemp("junk"), content), {}))
    assert [record.label for record in records if isinstance(record, ConceptRecord)] == ["disease", "cancer"]
    edges = [(record.head, record.relation, record.tail) for record in records if isinstance(record, Triple)]
    assert ("DOID:162", "is_a_subtype_of", "DOID:4") in edges
    assert all(record.remedy for record in records if isinstance(record, RejectedRecord))


def matched(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.MULTILINE)
    assert match is not None
    return match[1]


@pytest.mark.real_data
def test_the_real_disease_ontology_is_read(real_data: Path) -> None:
    path = real_data / "kg" / "disease_ontology" / "HumanDO.obo"
    stanzas = path.read_text().split("\n[")
    live = [
        stanza for stanza in stanzas if stanza.startswith("Term]") and "\nis_obsolete: true" not in stanza
    ]
    records = list(read(str(path), {"kind": "disease"}))
    concepts = [record for record in records if isinstance(record, ConceptRecord)]
    triples = [record for record in records if isinstance(record, Triple)]
    assert len(records) == len(concepts) + len(triples)
    assert len(concepts) == len(live) == 6574
    assert {concept.key for concept in concepts} == {matched(r"^id: (\S+)", stanza) for stanza in live}
    expected = {
        (matched(r"\nid: (\S+)", stanza), parent)
        for stanza in live
        for parent in re.findall(r"\nis_a: (\S+)", stanza)
    }
    assert {(edge.head, edge.tail) for edge in triples} == expected
    assert len(triples) == sum(stanza.count("\nis_a:") for stanza in live) == 6921
    exact = {name.strip() for stanza in live for name in re.findall(r'\nsynonym: "(.*)" EXACT', stanza)}
    names = {name for concept in concepts for name in concept.synonyms}
    # A name that ends with what sort of thing it names is taken without: nearly all are disorders.
    bare = {name.removesuffix(" (disorder)") for name in exact}
    assert not any(name.endswith((" (disorder)", " (finding)")) for name in names)
    assert len(names - bare - exact) < len(exact) / 20
    assert {name.partition(" (")[0] for name in names} <= {name.partition(" (")[0] for name in exact}
    (angiosarcoma,) = [concept for concept in concepts if concept.label == "angiosarcoma"]
    assert angiosarcoma.synonyms == ("hemangiosarcoma",)
    assert angiosarcoma.kind == "disease"
    assert {"UMLS:C0018923", "MESH:D006394", "NCIT:C3088", "DOID:267", "SNOMEDCT:33176006"} <= set(
        angiosarcoma.cross_references
    )
