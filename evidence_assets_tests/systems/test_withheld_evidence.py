"""Readers of evidence that is withheld: each system's own, on known cases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.evidence.experiment import Selected
from evidence_assets.evidence.units import EvidenceUnit, unit_of_triple
from evidence_assets.evidence.withholding import source_of, without
from evidence_assets.lake.schemas import QUESTIONS
from evidence_assets.reading.selection import RETRIEVED, Selection
from evidence_assets.stages.withholding import Source
from evidence_assets.systems.ucret.arms import ARMS as TABLE_ARMS
from evidence_assets.systems.ucret.reading import read_benchmark as read_tables
from evidence_assets.systems.uscrake.arms import ChunkArm
from evidence_assets.systems.uscrake.cases import RetrievedEvidence
from evidence_assets.systems.uscrake.reading import read_prompted
from evidence_assets.tables.withholding import without_cells
from evidence_assets_tests.testing.graph_samples import graph_of
from evidence_assets_tests.testing.question_rows import question_row
from evidence_assets_tests.testing.reading_cases import chunks_of
from evidence_assets_tests.testing.scripted_generator import ScriptedGenerator, recorded
from evidence_assets_tests.testing.table_rows import ranked_chunks
from evidence_assets_tests.testing.ucret_samples import MEASLES, TWO, WordEncoder, claims, prepared

CHUNKS = chunks_of({"bees": "Bees make honey.", "cows": "Cows give milk.", "iron": "Iron rusts."})
IDS = CHUNKS.column("chunk_id").to_pylist()
ARTICLES = CHUNKS.column("article_id").to_pylist()
QUESTION_ROWS = [question_row("q", "What do bees make?", ["honey", "milk"], 0)]


def ranking(question_id: str = "q") -> pa.Table:
    return ranked_chunks(
        *(
            (question_id, candidate, rank, chunk, 1.0 - rank / 10)
            for candidate in (0, 1)
            for rank, chunk in enumerate(IDS, start=1)
        )
    )


def test_nothing_takes_the_place_of_what_is_withheld_and_only_changed_requests_are_sent(
    tmp_path: Path,
) -> None:
    generator = ScriptedGenerator(lambda request: '{"answer": "A"}' if "A." in request.user else "Bees [E1].")
    recording, _ = recorded(generator, tmp_path)
    arm = ChunkArm(
        name="full@scripted",
        description="",
        retrieval="coverage",
        selection=Selection(2, 0, RETRIEVED),
        prompted=True,
    )

    def read(*withheld: Source) -> dict[int, list[str]]:
        evidence = replace(RetrievedEvidence(ranking(), CHUNKS), withheld=lambda _: frozenset(withheld))
        questions = pa.Table.from_pylist(QUESTION_ROWS, schema=QUESTIONS.schema)
        tables = read_prompted(questions, evidence, recording, arm, "b", "1").tables()
        texts = {row["evidence_id"]: row["text"] for row in tables["evidence"].to_pylist()}
        by_candidate: dict[int, list[str]] = {}
        for row in tables["selected_evidence"].to_pylist():
            by_candidate.setdefault(row["candidate"], []).append(texts[row["evidence_id"]])
        return by_candidate

    unrestricted = read()
    assert unrestricted[0] == ["Bees make honey.", "Cows give milk."]
    sent = len(generator.requests)
    assert read() == unrestricted
    assert len(generator.requests) == sent
    # Of two chunks one is left: the third in rank does not take its place.
    assert read(Source("articles", ARTICLES[1]))[0] == ["Bees make honey."]
    assert len(generator.requests) > sent
    sent = len(generator.requests)
    # The third was never shown: no request is another, and none is sent.
    assert read(Source("articles", ARTICLES[2])) == unrestricted
    assert len(generator.requests) == sent


def test_a_claim_is_judged_by_the_cells_that_are_left() -> None:
    rows = claims("In Quebec the number of cases was 94.", labels=TWO)
    arm = TABLE_ARMS["full@extractive"]
    questions, tables, collapsed = prepared(rows, [MEASLES], arm.filter)

    def predicted(*places: tuple[int, int]) -> str:
        gone = frozenset(Source("tables", MEASLES.table_id, row, column) for row, column in places)
        experiment = read_tables(questions, tables, collapsed, WordEncoder(), arm, "b", "1", lambda _: gone)
        [row] = experiment.predictions
        return str(row["predicted"])

    assert predicted() == "SUPPORTS"
    assert predicted((0, 2)) == "REFUTES"
    assert predicted((2, 3)) == "SUPPORTS"


def test_withheld_cells_stand_empty_and_names_stay() -> None:
    table = without_cells(MEASLES, [Source("tables", "measles", 0, 1), Source("tables", "others", 1, 1)])
    assert [cell.text for cell in table.rows[0]] == ["Quebec", "", "94", "24"]
    assert table.rows[1:] == MEASLES.rows[1:]
    assert table.header == MEASLES.header
    assert table.table_id != MEASLES.table_id
    assert without_cells(MEASLES, []) is MEASLES


TRIPLES = [
    ("whale", "eats", "krill", 2.0),
    ("whale", "is", "mammal", None),
    ("fox", "eats", "vole", 3.0),
    ("fox", "is", "mammal", 2.0),
    ("fox", "eats", "fox", 1.0),
]


@given(st.sets(st.integers(0, len(TRIPLES) - 1)))
def test_a_graph_without_triples_has_the_edges_that_are_left(gone: set[int]) -> None:
    original = graph_of(TRIPLES)
    graph = original.without([f"t{number}" for number in gone])
    remaining = [number for number in range(len(TRIPLES)) if number not in gone]
    assert graph.labels is original.labels
    assert [graph.triple(edge) for edge in range(len(remaining))] == [
        TRIPLES[number][:3] for number in remaining
    ]
    assert graph.triple_ids.to_pylist() == [f"t{number}" for number in remaining]
    for node in range(len(original.labels)):
        before = [int(edge) for edge in original.edges_of(node) if int(edge) not in gone]
        assert [remaining[edge] for edge in graph.edges_of(node)] == before
    assert np.array_equal(graph.weights, original.weights[remaining])


def test_text_is_withheld_with_its_article_and_candidates_left_with_nothing_are_absent() -> None:
    first = EvidenceUnit("sentence", "a", "chunks", "c1", "v", "article", 0, 1)
    second = EvidenceUnit("chunk", "a b", "chunks", "c2", "v", "article", 0, 3)
    triple = unit_of_triple("t1", "a is b")
    given_evidence = {
        0: [Selected(unit, 1.0, []) for unit in (first, triple, second)],
        1: [Selected(first, 1.0, [])],
    }
    remaining = without(given_evidence, {source_of(second)})
    assert {candidate: [selected.unit for selected in units] for candidate, units in remaining.items()} == {
        0: [triple]
    }
    assert without(given_evidence, ()) == given_evidence
