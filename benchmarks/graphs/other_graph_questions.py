"""Graphs that the parser was not written for: an invented museum, space missions, a biomedical graph."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import yaml

from benchmarks import PROJECT
from benchmarks.estimates import shown
from benchmarks.graphs.film_questions import Case
from benchmarks.graphs.graph_questions import graph_linker
from benchmarks.graphs.named_topics import named_topics
from benchmarks.medicine.medical_cases import collected
from benchmarks.result_files import Row
from evidence_assets.evidence.estimates import proportion
from evidence_assets.graphs.concepts.nodes import concept_rows, node_rows
from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.graph.schema import derived_schema, load_schema
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.lake.ids import text_hash
from evidence_assets.models.encoder import Encoder
from evidence_assets.text.verbalisation import BIOMEDICAL, templates

MUSEUM = PROJECT / "evidence_assets_tests" / "testing"
SPACE = PROJECT / "evidence_assets" / "starter" / "space"


def museum_questions() -> tuple[KnowledgeBase, list[Case]]:
    """Return the tests' invented museum, with its questions."""
    data = yaml.safe_load((MUSEUM / "museum.yaml").read_text(encoding="utf-8"))
    base = _base("museum", data["triples"], MUSEUM / "museum_schema.yaml")
    labels = base.graph.labels.to_pylist()
    cases = []
    for number, (text, names, right) in enumerate(data["questions"]):
        topics = [(name, text.index(name), labels.index(name)) for name in names]
        linked = tuple(Topic(name, start, start + len(name), (node,)) for name, start, node in topics)
        answers = frozenset(map(labels.index, right))
        cases.append(Case(LinkedQuestion(str(number), text, linked), answers))
    return base, cases


def space_questions() -> tuple[KnowledgeBase, list[Case]]:
    """Return the starter's graph of space missions, with its questions."""
    nodes, edges = (_csv_rows(SPACE / name) for name in ("nodes.csv", "edges.csv"))
    names = {row["id"]: row["name"] for row in nodes}
    triples = [
        (names.get(row["head"], row["head"]), row["relation"], names.get(row["tail"], row["tail"]))
        for row in edges
    ]
    base = _base("space", triples, SPACE / "schema.yaml")
    labels, linker = base.graph.labels.to_pylist(), graph_linker(base.graph)
    lines = (SPACE.parent / "space_questions" / "space.jsonl").read_text(encoding="utf-8").splitlines()
    return base, [
        Case(
            LinkedQuestion(row["id"], row["question"], named_topics(row["question"], linker)),
            frozenset(map(labels.index, row["answers"])),
        )
        for row in map(json.loads, lines)
    ]


def _csv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _base(name: str, edges: Sequence[Sequence[str]], schema_file: Path) -> KnowledgeBase:
    """Return a graph of labelled edges (head, relation, tail) with the schema that a file has of it."""
    heads, relations, tails = zip(*edges, strict=True)
    triples = {
        "triple_id": list(map(str, range(len(edges)))),
        "head": list(heads),
        "relation": list(relations),
        "tail": list(tails),
        "weight": [1.0] * len(edges),
    }
    graph = build_graph(name, pa.table(triples), pa.table({"label": sorted({*heads, *tails})}))
    schema = load_schema(schema_file.read_text(encoding="utf-8"), schema_file.name)
    return KnowledgeBase(graph, schema, node_types(graph, None, schema), {})


def museum(encoder: Encoder) -> Row:
    """Return sets that are exact among the tests' own questions to an invented museum."""
    base, cases = museum_questions()
    parsed = base.parser(encoder).parse([case.question for case in cases])
    exact = [set(beam[0].answers.tolist()) == case.gold for beam, case in zip(parsed, cases, strict=True)]
    wrong = [case.question.question for case, right in zip(cases, exact, strict=True) if not right]
    return {"n": len(cases), "exact_set": shown(proportion(sum(exact), len(cases))), "first": wrong}


# Relation, whether it is asked for from its tail, and ways to ask: none is the graph's own sentence.
_ASKED = (
    ("may_treat", True, ("Which drugs are used against {}?", "What can be prescribed for {}?")),
    ("may_treat", False, ("What is {} good for?", "Against which diseases does {} help?")),
    ("may_cause", False, ("What can {} lead to?", "What are the consequences of {}?")),
    ("may_cause", True, ("What brings about {}?", "What are the causes of {}?")),
    (
        "is_a_risk_factor_of",
        True,
        ("What raises the risk of {}?", "Who is at risk of {}: with which disease?"),
    ),
    ("interacts_with", False, ("With which drugs does {} interact?", "Which drugs must not meet {}?")),
    ("may_contraindicate", True, ("When is {} contraindicated?", "Which disease forbids giving {}?")),
    ("is_a_vector_for", True, ("What transmits {}?", "Which animal is the vector of {}?")),
    ("is_a_subtype_of", False, ("What kind of disease is {}?", "Of what is {} a subtype?")),
    ("is_a_subtype_of", True, ("Which subtypes does {} have?", "What forms of {} are there?")),
    ("may_be_allelic_with", False, ("Which diseases share an allele with {}?", "What is {} allelic to?")),
    ("belongs_to_the_drug_family_of", False, ("To which family of drugs does {} belong?",)),
    ("belongs_to_the_category_of", False, ("Under which category does {} fall?",)),
)
# Worded before any figure on them was seen; no rule was made on them.
_ASKED_ANEW = (
    ("may_treat", True, ("Which drug would a doctor choose for {}?", "How is {} treated?")),
    ("may_treat", False, ("What does one take {} for?", "Which diseases are treated with {}?")),
    ("may_cause", False, ("Which diseases result from {}?", "What follows from {}?")),
    ("may_cause", True, ("Why does one get {}?", "Which diseases produce {}?")),
    ("is_a_risk_factor_of", True, ("What makes {} more likely?", "Name the risk factors of {}.")),
    ("interacts_with", False, ("What does {} interact with?", "Which drugs interfere with {}?")),
    ("may_contraindicate", True, ("In which disease must {} not be given?", "What contraindicates {}?")),
    ("is_a_vector_for", True, ("What carries {}?", "Through which vector does {} spread?")),
    ("is_a_subtype_of", False, ("What is {} a form of?", "Which disease does {} count as?")),
    ("is_a_subtype_of", True, ("Name the subtypes of {}.", "Which diseases are kinds of {}?")),
    ("may_be_allelic_with", False, ("With what may {} be allelic?", "What has the same gene as {}?")),
    ("belongs_to_the_drug_family_of", False, ("What drug family is {} in?",)),
    ("belongs_to_the_category_of", False, ("Into which category would you put {}?",)),
)
_TOPICS_A_WORDING = 5


def biomedical(encoder: Encoder) -> Row:
    """Return how often the relation that was meant is the first read, over a schema that nobody authored.

    Rules for what the graph lacks, and for nouns of types, were made on the wordings called "development".
    """
    _, collector = collected("biomedical")
    merger = collector.merge()
    triples = pa.concat_tables([rows for _, rows in collector.tables()])
    nodes = node_rows("biomedical", triples, concept_rows("biomedical", merger.concepts))
    graph, kinds = build_graph("biomedical", triples, nodes), nodes.column("kind").to_pylist()
    schema = derived_schema(graph, kinds, templates(BIOMEDICAL))
    parser = Parser(graph, schema, encoder, types=node_types(graph, kinds, schema))
    wordings = {"development": _ASKED, "held out": _ASKED_ANEW}
    return {
        part: _relations_read(parser, *_biomedical_questions(graph, subset))
        for part, subset in wordings.items()
    }


def _relations_read(
    parser: Parser, questions: Sequence[LinkedQuestion], meant: Sequence[tuple[str, bool]]
) -> Row:
    """Return how often a relation, and its direction, is read as it was meant, first and in the beam."""
    started = time.perf_counter()
    parsed = parser.parse(questions)
    spent = time.perf_counter() - started
    firsts = [parses[0].paths[0].steps if parses else () for parses in parsed]
    right = [first == (step,) for first, step in zip(firsts, meant, strict=True)]
    either = [len(first) == 1 and first[0][0] == step[0] for first, step in zip(firsts, meant, strict=True)]
    beam = [
        any(parse.paths[0].steps == (step,) for parse in parses)
        for parses, step in zip(parsed, meant, strict=True)
    ]
    by_relation: dict[str, list[int]] = {}
    for (name, backwards), hit in zip(meant, right, strict=True):
        counts = by_relation.setdefault(f"{'~' if backwards else ''}{name}", [0, 0])
        counts[0] += hit
        counts[1] += 1
    return {
        "n": len(questions),
        "path_hits@1": shown(proportion(sum(right), len(right))),
        "relation_hits@1": shown(proportion(sum(either), len(either))),
        "path_among_three": shown(proportion(sum(beam), len(beam))),
        "told": {name: f"{hits} of {count}" for name, (hits, count) in by_relation.items()},
        "milliseconds_a_question": round(1000 * spent / len(questions), 1),
    }


def _biomedical_questions(
    graph: Graph, wordings_of: Sequence[tuple[str, bool, tuple[str, ...]]]
) -> tuple[list[LinkedQuestion], list[tuple[str, bool]]]:
    """Return every wording with topics that have the relation, drawn by the hash of their names."""
    questions, meant = [], []
    for relation, backwards, wordings in wordings_of:
        at = graph.relations == graph.relation_names.index(relation)
        ends = np.unique((graph.tails if backwards else graph.heads)[at]).tolist()
        for wording in wordings:
            drawn = sorted(ends, key=lambda node: text_hash(wording + graph.labels[node].as_py()))
            for node in drawn[:_TOPICS_A_WORDING]:
                name = graph.labels[node].as_py()
                start = wording.index("{}")
                topic = Topic(name, start, start + len(name), (node,))
                questions.append(LinkedQuestion(text_hash(wording + name), wording.format(name), (topic,)))
                meant.append((relation, backwards))
    return questions, meant
