"""The parser over graphs that it was not written for: an invented museum, a biomedical graph."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import yaml

from benchmarks import PROJECT
from benchmarks.estimates import shown
from benchmarks.medicine.medical_cases import collected
from benchmarks.result_files import Row
from evidence_assets.evidence.estimates import proportion
from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.graphs.nodes import concept_rows, node_rows
from evidence_assets.kgqa.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.node_types import node_types
from evidence_assets.kgqa.parsing import Parser
from evidence_assets.kgqa.schema import Schema, derived_schema, load_schema
from evidence_assets.lake.ids import text_hash
from evidence_assets.models.encoder import Encoder
from evidence_assets.text.verbalisation import BIOMEDICAL, templates

MUSEUM = PROJECT / "evidence_assets_tests" / "testing"


def museum_questions() -> tuple[Graph, Schema, list[tuple[LinkedQuestion, frozenset[int]]]]:
    """Return the tests' invented museum: its graph, schema, and questions with the nodes that answer them."""
    data = yaml.safe_load((MUSEUM / "museum.yaml").read_text(encoding="utf-8"))
    place = MUSEUM / "museum_schema.yaml"
    schema = load_schema(place.read_text(encoding="utf-8"), place.name)
    heads, relations, tails = zip(*data["triples"], strict=True)
    labels = sorted({*heads, *tails})
    triples = {
        "triple_id": list(map(str, range(len(heads)))),
        "head": list(heads),
        "relation": list(relations),
        "tail": list(tails),
        "weight": [1.0] * len(heads),
    }
    graph = build_graph("museum", pa.table(triples), pa.table({"label": labels}))
    questions = [
        (
            LinkedQuestion(
                str(number),
                text,
                tuple(
                    Topic(name, text.index(name), text.index(name) + len(name), (labels.index(name),))
                    for name in names
                ),
            ),
            frozenset(map(labels.index, right)),
        )
        for number, (text, names, right) in enumerate(data["questions"])
    ]
    return graph, schema, questions


def museum(encoder: Encoder) -> Row:
    """Return sets that are exact among the tests' own questions to an invented museum."""
    graph, schema, asked = museum_questions()
    parsed = Parser(graph, schema, encoder).parse([question for question, _ in asked])
    exact = [set(beam[0].answers.tolist()) == right for beam, (_, right) in zip(parsed, asked, strict=True)]
    wrong = [question.question for (question, _), right in zip(asked, exact, strict=True) if not right]
    return {"n": len(asked), "exact_set": shown(proportion(sum(exact), len(asked))), "first": wrong}


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
