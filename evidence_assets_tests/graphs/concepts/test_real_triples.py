"""ConceptNet's triples, as a graph and around questions, against brute force over its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from rapidfuzz import fuzz, process

from evidence_assets.graphs.concepts.nodes import alias_rows, node_rows
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.graphs.names.fuzzy_index import FuzzyIndex
from evidence_assets.graphs.names.linking import Linker
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import QUESTION_CONCEPTS, RANKED_TRIPLES
from evidence_assets.models.pair_scorer import EncoderSimilarity
from evidence_assets.retrieval.question_triples.question_linking import link_questions, link_rows
from evidence_assets.retrieval.question_triples.ranked_triples import TOUCHES, edges_around, rank_triples
from evidence_assets.sources.graphs.registry import reader
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.verbalisation import templates, verbalise
from evidence_assets_tests.testing.graph_samples import SignEncoder, cosine, number_of, questions_of
from evidence_assets_tests.testing.ranked_triple_samples import UNLIMITED

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def conceptnet(real_data: Path) -> tuple[pa.Table, Graph, Linker, TripleCollector]:
    path = real_data / "kg" / "conceptnet100k" / "train_old.txt"
    collector = TripleCollector("conceptnet100k", templates("conceptnet"))
    collector.add(reader("relation_head_tail")(str(path), {}), "train", "CC BY-SA 4.0")
    triples = pa.concat_tables([table for _, table in collector.tables()])
    nodes = node_rows("conceptnet100k", triples)
    linker = Linker(alias_rows(nodes), nodes.column("degree").to_numpy())
    return triples, build_graph("conceptnet100k", triples, nodes), linker, collector


RealGraph = tuple[pa.Table, Graph, Linker, TripleCollector]


@pytest.mark.real_data
def test_real_graph_is_the_file(conceptnet: RealGraph, real_data: Path) -> None:
    triples, graph, _, collector = conceptnet
    path = real_data / "kg" / "conceptnet100k" / "train_old.txt"
    lines = [
        tuple(part.strip() for part in line.split("\t"))
        for line in path.read_text(encoding="utf-8").strip().split("\n")
    ]
    worded = [line for line in lines if line[0] in templates("conceptnet")]
    assert collector.statements == len(worded) == 99_998
    assert [record.record for record in collector.rejected] == [
        "relation HasPainCharacter",
        "relation HasPainIntensity",
    ]
    # Three statements differ from another one by a space behind their tail alone.
    assert triples.num_rows == len(set(worded)) == 99_995
    assert len(triples.column("triple_id").unique()) == 99_995
    assert len(graph.labels) == len({label for line in worded for label in line[1:]}) == 78_087
    assert {
        (relation, head, tail) for head, relation, tail in map(graph.triple, range(triples.num_rows))
    } == set(worded)
    loops = sum(head == tail for _, head, tail in set(worded))
    assert graph.offsets[-1] == 2 * 99_995 - loops
    assert graph.degree(number_of(graph, "person")) == sum("person" in line[1:] for line in set(worded))


@pytest.mark.real_data
def test_a_real_question_is_linked(conceptnet: RealGraph) -> None:
    _, graph, linker, _ = conceptnet
    encoder = SignEncoder()
    options = ["doctor", "bookstore", "train station", "a vilage", "umbrela", "???"]
    questions = questions_of(("Where would you find magazines along side many other printed works?", options))
    linked = link_questions(questions, linker, encoder)
    rows = conform(link_rows(linked, graph, "b", 20), QUESTION_CONCEPTS).to_pylist()
    concepts = {(row["candidate"], row["phrase"], row["label"], row["method"]) for row in rows}
    assert concepts == {
        (-1, "find", "find", "exact"),
        (-1, "magazines", "magazine", "lemma"),
        (-1, "magazines", "some magazine", "lemma"),
        (-1, "side", "side", "exact"),
        (-1, "printed", "print", "lemma"),
        (-1, "works", "work", "lemma"),
        (0, "doctor", "doctor", "exact"),
        (1, "bookstore", "bookstore", "exact"),
        (2, "train station", "train station", "exact"),
        (3, "vilage", "village", "fuzzy"),
        (4, "umbrela", "umbrella", "fuzzy"),
    }
    scores = {row["phrase"]: row["score"] for row in rows}
    assert scores["umbrela"] == pytest.approx(14 / 15)
    assert scores["vilage"] == pytest.approx(12 / 13)
    assert scores["magazines"] == 1.0
    cut = {row["label"]: (row["triples"], row["dropped"]) for row in rows}
    assert (cut["magazine"], cut["bookstore"], cut["side"]) == ((44, 24), (34, 14), (1, 0))
    for place, candidate in (("doctor", 0), ("bookstore", 1), ("train station", 2)):
        # However low the cap, what joins question and option is there.
        around = edges_around(graph, linked[0].nodes(NO_OPTION), linked[0].nodes(candidate), 1)
        joining = {graph.triple(edge) for edge in around.edges[around.touches == TOUCHES.index("both")]}
        assert ("magazine", "AtLocation", place) in joining


@pytest.mark.real_data
def test_real_ranking_is_brute_force(conceptnet: RealGraph) -> None:
    triples, graph, linker, _ = conceptnet
    encoder = SignEncoder()
    linked = link_questions(questions_of(("Where are magazines sold?", ["bookstore"])), linker, encoder)
    scorer = EncoderSimilarity(encoder)
    (table,) = rank_triples(linked, graph, templates("conceptnet"), encoder, scorer, "b", UNLIMITED)
    question_phrases, offered = {"magazine", "some magazine", "sell"}, {"bookstore"}
    query = "Where are magazines sold? bookstore"
    expected = []
    for edge, row in enumerate(triples.select(["head", "relation", "tail"]).to_pylist()):
        ends = {row["head"], row["tail"]}
        sides = [not question_phrases.isdisjoint(ends), not offered.isdisjoint(ends)]
        if any(sides):
            sentence = verbalise(templates("conceptnet")[row["relation"]], row["head"], row["tail"])
            touches = "both" if all(sides) else "question" if sides[0] else "option"
            expected.append((-cosine(query, sentence), edge, sentence, touches))
    assert ("magazine can be found at bookstore", "both") in {triple[2:] for triple in expected}
    ranked = [row for row in conform(table, RANKED_TRIPLES).to_pylist() if row["candidate"] == 0]
    assert [(-row["score"], row["text"], row["touches"]) for row in ranked] == [
        (cost, sentence, touches) for cost, _, sentence, touches in sorted(expected)[:20]
    ]
    ids = triples.column("triple_id")
    assert [row["triple_id"] for row in ranked] == [
        ids[triple[1]].as_py() for triple in sorted(expected)[:20]
    ]


@pytest.mark.real_data
def test_real_spellings_are_found_as_by_brute_force(conceptnet: RealGraph) -> None:
    _, graph, linker, _ = conceptnet
    assert [graph.labels[link.node].as_py() for link in linker.by_spelling("umbrela")] == ["umbrella"]
    names = sorted({normal_form(label) for label in graph.labels.to_pylist()})
    index = FuzzyIndex(pa.array(names))
    random = np.random.default_rng(0)
    for name in random.choice(names, size=60, replace=False).tolist():
        place = int(random.integers(len(name)))
        phrase = name[:place] + name[place + 1 :]
        near = process.extract(phrase, names, scorer=fuzz.ratio, score_cutoff=90, limit=None)
        assert sorted(index.nearest(phrase)) == sorted((number, ratio) for _, ratio, number in near)
