"""The medical data the project starts with: two sources of one graph, and questions that walk it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from evidence_assets.sources.graphs import relation_head_tail
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import Question, Triple
from evidence_assets.text.verbalisation import BIOMEDICAL, templates

STARTER = Path(__file__).resolve().parents[2] / "evidence_assets" / "starter"
ONTOLOGY = STARTER / "graph" / "medicine.obo"
TRIPLES = STARTER / "graph" / "medicine.tsv"
QUESTIONS = STARTER / "medical_questions" / "medicine.jsonl"

HOPS = 3
CONNECTED = 52
UNANSWERABLE = 5
# What a question asks for ("which drug", "which vitamin") says nothing of what it is about.
GENERIC = {"disease", "drug", "organism", "nutrient", "vitamin", "clinical finding"}
CONTRADICTED = {
    ("Chloroquine", "Falciparum malaria"),
    ("Quinine", "Nocturnal leg cramps"),
    ("Ciprofloxacin", "Gonorrhea"),
}
STATED_TWICE = {("Falciparum malaria", "Malaria")}


@dataclass
class Term:
    """One stanza of the ontology."""

    identifier: str
    name: str
    definition: str = ""
    synonyms: list[str] = field(default_factory=list)
    cross_references: list[str] = field(default_factory=list)
    parents: list[tuple[str, str]] = field(default_factory=list)


def parsed(stanza: str) -> Term:
    tags: dict[str, list[str]] = defaultdict(list)
    for line in stanza.splitlines():
        tag, _, value = line.partition(": ")
        tags[tag].append(value)
    assert tags.keys() <= {"id", "name", "def", "synonym", "xref", "is_a"}
    [identifier], [name] = tags["id"], tags["name"]
    term = Term(identifier, name, cross_references=tags["xref"])
    for text in tags["def"]:
        quoted = re.fullmatch(r'"([^"]+\.)" \[\]', text)
        assert quoted and not term.definition, text
        term.definition = quoted[1]
    for text in tags["synonym"]:
        quoted = re.fullmatch(r'"([^"]+)" EXACT \[\]', text)
        assert quoted, text
        term.synonyms.append(quoted[1])
    for text in tags["is_a"]:
        parent, _, label = text.partition(" ! ")
        term.parents.append((parent, label))
    return term


@pytest.fixture(scope="module")
def terms() -> dict[str, Term]:
    header, *stanzas = ONTOLOGY.read_text(encoding="utf-8").split("[Term]\n")
    assert header.split("\n") == ["format-version: 1.2", "ontology: evidence-assets-starter", "", ""]
    parsed_terms = [parsed(stanza.strip()) for stanza in stanzas]
    by_id = {term.identifier: term for term in parsed_terms}
    assert len(by_id) == len(parsed_terms)
    return by_id


@pytest.fixture(scope="module")
def triples() -> list[tuple[str, str, str]]:
    edges = []
    for line in TRIPLES.read_text(encoding="utf-8").splitlines():
        relation, head, tail = line.split("\t")
        edges.append((relation, head, tail))
    return edges


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    records = list(BENCHMARKS["questions_jsonl"].reader(str(QUESTIONS), "test"))
    assert [record for record in records if not isinstance(record, Question)] == []
    return [record for record in records if isinstance(record, Question)]


@pytest.fixture(scope="module")
def concepts(terms: dict[str, Term], triples: list[tuple[str, str, str]]) -> dict[str, str]:
    """Return every label and synonym, in lower case, with the concept it stands for."""
    concept_names = {name: name for _, head, tail in triples for name in (head, tail)}
    for term in terms.values():
        concept_names |= dict.fromkeys((term.name, *term.synonyms), term.name)
    return {label.casefold(): name for label, name in concept_names.items()}


@pytest.fixture(scope="module")
def neighbours(terms: dict[str, Term], triples: list[tuple[str, str, str]]) -> dict[str, set[str]]:
    adjacent: dict[str, set[str]] = defaultdict(set)
    edges = [(head, tail) for _, head, tail in triples]
    edges += [(term.name, parent) for term in terms.values() for _, parent in term.parents]
    for head, tail in edges:
        adjacent[head].add(tail)
        adjacent[tail].add(head)
    return adjacent


def subjects(question: Question, concepts: dict[str, str]) -> set[str]:
    """Return the concepts that a question's own words name, however they are spelled."""
    text = question.question.casefold()
    return {
        concept
        for label, concept in concepts.items()
        if label not in GENERIC and re.search(rf"(?<![\w-]){re.escape(label)}s?(?![\w-])", text)
    }


def within_reach(starts: set[str], neighbours: dict[str, set[str]], roots: set[str]) -> set[str]:
    """Return what lies within the hops allowed, never passing through a root of the ontology."""
    reached = frontier = starts
    for _ in range(HOPS):
        frontier = {near for node in frontier - roots for near in neighbours[node]} - reached
        reached = reached | frontier
    return reached


def test_both_sources_are_large_enough(terms: dict[str, Term], triples: list[tuple[str, str, str]]) -> None:
    assert len(terms) >= 120
    assert len(triples) >= 450


def test_terms_are_numbered_and_most_are_defined(terms: dict[str, Term]) -> None:
    assert list(terms) == [f"EA:{number:07d}" for number in range(1, len(terms) + 1)]
    assert sum(bool(term.definition) for term in terms.values()) > 0.8 * len(terms)
    assert sum(bool(term.synonyms) for term in terms.values()) >= 50
    references = [reference for term in terms.values() for reference in term.cross_references]
    assert len(set(references)) == len(references) > 0
    assert [reference for reference in references if not re.fullmatch(r"MESH:D\d{6}", reference)] == []


def test_every_parent_exists_under_the_name_it_is_given(terms: dict[str, Term]) -> None:
    parents = [(term.name, *parent) for term in terms.values() for parent in term.parents]
    assert len(parents) >= 100
    assert [
        parent for parent in parents if parent[1] not in terms or terms[parent[1]].name != parent[2]
    ] == []


def test_no_term_is_among_its_own_ancestors(terms: dict[str, Term]) -> None:
    for term in terms.values():
        above = {parent for parent, _ in term.parents}
        while more := {parent for identifier in above for parent, _ in terms[identifier].parents} - above:
            above |= more
        assert term.identifier not in above


def test_no_name_stands_for_two_terms(terms: dict[str, Term]) -> None:
    names = Counter(name.casefold() for term in terms.values() for name in (term.name, *term.synonyms))
    assert [name for name, count in names.items() if count > 1] == []


def test_triples_are_sorted_and_unique(triples: list[tuple[str, str, str]]) -> None:
    lines = TRIPLES.read_text(encoding="utf-8").splitlines()
    assert lines == sorted(set(lines))
    assert len({(relation, head.casefold(), tail.casefold()) for relation, head, tail in triples}) == len(
        lines
    )
    assert [(head, tail) for _, head, tail in triples if head.casefold() == tail.casefold()] == []


def test_triples_are_read_whole() -> None:
    records = list(relation_head_tail.read(str(TRIPLES), {}))
    assert [record for record in records if not isinstance(record, Triple)] == []


def test_every_relation_can_be_read_out(triples: list[tuple[str, str, str]]) -> None:
    used = {relation for relation, _, _ in triples}
    assert used <= templates(BIOMEDICAL).keys()
    # Table 6.1's fifteen relations all occur.
    assert set(list(templates(BIOMEDICAL))[:15]) <= used


def test_a_triple_names_a_concept_in_one_spelling(
    terms: dict[str, Term], triples: list[tuple[str, str, str]]
) -> None:
    names = {name for _, head, tail in triples for name in (head, tail)}
    assert len({name.casefold() for name in names}) == len(names)
    known = {term.name.casefold(): term.name for term in terms.values()}
    assert [name for name in names if known.get(name.casefold(), name) != name] == []
    synonyms = {synonym.casefold() for term in terms.values() for synonym in term.synonyms}
    assert [name for name in names if name.casefold() in synonyms] == []
    assert [name for name in names if name != name.strip() or not name[0].isupper()] == []


def test_a_condition_contraindicates_a_drug_and_not_the_reverse(triples: list[tuple[str, str, str]]) -> None:
    contraindicated = {(head, tail) for relation, head, tail in triples if relation == "may_contraindicate"}
    assert ("Pregnancy", "Isotretinoin") in contraindicated
    treated = {head for relation, head, _ in triples if relation == "may_treat"}
    assert [pair for pair in contraindicated if pair[0] in treated] == []


def test_the_promised_contradictions_are_there(triples: list[tuple[str, str, str]]) -> None:
    treats = {(head, tail) for relation, head, tail in triples if relation == "may_treat"}
    refused = {(head, tail) for relation, head, tail in triples if relation == "is_not_indicated_for"}
    assert treats & refused == CONTRADICTED


def test_one_edge_is_stated_by_both_sources(
    terms: dict[str, Term], triples: list[tuple[str, str, str]]
) -> None:
    ontology = {(term.name, parent) for term in terms.values() for _, parent in term.parents}
    stated = {(head, tail) for relation, head, tail in triples if relation == "is_a_subtype_of"}
    assert ontology & stated == STATED_TWICE


def test_the_two_sources_make_one_connected_graph(neighbours: dict[str, set[str]]) -> None:
    reached = frontier = {"Malaria"}
    while frontier := {near for node in frontier for near in neighbours[node]} - reached:
        reached = reached | frontier
    assert neighbours.keys() - reached == set()


def test_questions_are_valid_and_unique(questions: list[Question]) -> None:
    assert [question.question_id for question in questions] == [
        f"medicine-{number:03d}" for number in range(1, 61)
    ]
    assert len({question.question.casefold() for question in questions}) == len(questions)
    for question in questions:
        assert len({option.casefold().strip() for option in question.options}) == 4, question.question_id
        assert question.answer_index is not None
        assert question.answers == (question.options[question.answer_index],)
        assert question.gold_evidence == ()


def test_no_position_of_the_answer_can_be_guessed(questions: list[Question]) -> None:
    assert Counter(question.answer_index for question in questions) == dict.fromkeys(range(4), 15)


def test_no_question_names_its_answer(questions: list[Question]) -> None:
    assert [
        question.question_id
        for question in questions
        if question.answers[0].casefold() in question.question.casefold()
    ] == []


def test_the_kinds_of_questions_are_there(questions: list[Question]) -> None:
    texts = [question.question for question in questions]
    assert sum("NOT" in text or "EXCEPT" in text for text in texts) == 8
    assert sum(bool(re.match(r"A (\S+-year-old|farm worker|refugee)", text)) for text in texts) == 8
    contraindicated = r"contraindicated|must be avoided|may destroy his red blood cells"
    assert sum(bool(re.search(contraindicated, text)) for text in texts) == 4


def test_the_right_option_lies_near_what_the_question_names(
    questions: list[Question],
    concepts: dict[str, str],
    neighbours: dict[str, set[str]],
    terms: dict[str, Term],
) -> None:
    roots = {term.name for term in terms.values() if not term.parents}
    far = [
        question.question_id
        for question in questions
        if concepts.get(question.answers[0].casefold())
        not in within_reach(subjects(question, concepts), neighbours, roots)
    ]
    assert len(questions) - len(far) >= CONNECTED, far


def test_some_answers_are_not_in_the_graph_at_all(
    questions: list[Question], concepts: dict[str, str]
) -> None:
    absent = [question for question in questions if question.answers[0].casefold() not in concepts]
    assert len(absent) == UNANSWERABLE, [question.answers for question in absent]
