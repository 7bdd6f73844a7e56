"""Evidence units, and the rows that an experiment leaves."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.lake.ids import content_id, text_hash
from evidence_assets.lake.parquet import conform
from evidence_assets.lake.schemas import CHUNKS, EVIDENCE
from evidence_assets.reasoning.evidence import EvidenceUnit, unit_of_triple, units_of_chunks
from evidence_assets.reasoning.experiment import (
    EXPERIMENT_TABLES,
    Answer,
    Chain,
    Experiment,
    Selected,
)

ARTICLE = "Intro. The cat sat.  A dog ran!\nIt is over."


def chunk(chunk_id: str, start: int, end: int, ends: list[int]) -> dict[str, Any]:
    text = ARTICLE[start:end]
    return {
        "chunk_id": chunk_id,
        "article_id": "art",
        "corpus": "k",
        "shard": "s",
        "char_start": start,
        "char_end": end,
        "text": text,
        "text_hash": text_hash(text),
        "n_tokens": 9,
        "sentence_ends": ends,
    }


CHUNK_ROWS = pa.Table.from_pylist(
    [chunk("c0", 7, 31, [12, 24]), chunk("c1", 32, len(ARTICLE), [11])], schema=CHUNKS.schema
)


def question(**changes: Any) -> dict[str, Any]:
    return {"question_id": "q", "options": ["x", "y", "x"], "answer_index": 1, "answers": ["y"], **changes}


def predictions(experiment: Experiment) -> list[dict[str, Any]]:
    return experiment.tables()["predictions"].to_pylist()


def test_units_are_slices_of_their_article() -> None:
    units = units_of_chunks(CHUNK_ROWS)
    whole, sentences = units["c0"]
    assert (whole.kind, whole.text) == ("chunk", "The cat sat.  A dog ran!")
    assert [(unit.kind, unit.text) for unit in sentences] == [
        ("sentence", "The cat sat."),
        ("sentence", "A dog ran!"),
    ]
    for unit in (whole, *sentences, *units["c1"][1]):
        assert ARTICLE[unit.char_start : unit.char_end] == unit.text
    # A chunk and its only sentence share a span and are two units all the same.
    assert units["c1"][0].text == units["c1"][1][0].text
    assert units["c1"][0].evidence_id != units["c1"][1][0].evidence_id


def test_an_evidence_id_knows_the_version_of_its_source() -> None:
    one = EvidenceUnit("chunk", "text", "chunks", "c", "hash1", "a", 0, 4)
    assert one.evidence_id == EvidenceUnit("chunk", "text", "chunks", "c", "hash1", "a", 0, 4).evidence_id
    for other in (
        EvidenceUnit("chunk", "text", "chunks", "c", "hash2", "a", 0, 4),
        EvidenceUnit("chunk", "text", "chunks", "c", "hash1", "a", 0, 5),
        EvidenceUnit("sentence", "text", "chunks", "c", "hash1", "a", 0, 4),
        EvidenceUnit("chunk", "text", "triples", "c", "hash1", "a", 0, 4),
        EvidenceUnit("chunk", "text", "chunks", "c", "hash1", "a"),
    ):
        assert other.evidence_id != one.evidence_id


def test_an_evidence_id_stays_what_it_was_in_lakes_that_are_written() -> None:
    """Ids are joined across experiments: one that changed with the code would cut every earlier lineage."""
    chunk = EvidenceUnit("chunk", "text", "chunks", "c", "hash1", "a", 0, 4)
    assert chunk.evidence_id == content_id("evidence", "chunk", "chunks", "c", "hash1", 0, 4)
    assert chunk.evidence_id == "3d5e378e954c063a3a37acba4512a5ec"
    triple = unit_of_triple("t1", "a cat is a mammal")
    version = text_hash("a cat is a mammal")
    assert triple.evidence_id == content_id("evidence", "triple", "triples", "t1", version)
    assert triple.evidence_id == "c31ed4ee1aafea9376fd534d3b57aed9"


def test_a_triple_is_a_unit_by_its_id() -> None:
    unit = unit_of_triple("t1", "a cat is a mammal")
    assert unit.as_row("sys", "arm", "bench") == {
        "evidence_id": content_id("evidence", "triple", "triples", "t1", text_hash("a cat is a mammal")),
        "system": "sys",
        "arm": "arm",
        "benchmark": "bench",
        "kind": "triple",
        "text": "a cat is a mammal",
        "source_table": "triples",
        "source_key": "t1",
        "source_version": text_hash("a cat is a mammal"),
        "locator": {
            "article_id": None,
            "char_start": None,
            "char_end": None,
            "row": None,
            "column": None,
            "triple_ids": ["t1"],
        },
    }
    assert unit == unit_of_triple("t1", "a cat is a mammal")
    assert unit.evidence_id != unit_of_triple("t2", "a cat is a mammal").evidence_id
    # Read out by another template it is other evidence.
    assert unit.evidence_id != unit_of_triple("t1", "a cat is one of the mammals").evidence_id
    conform(pa.Table.from_pylist([unit.as_row("sys", "arm", "bench")], schema=EVIDENCE.schema), EVIDENCE)


def test_chunks_name_no_triple() -> None:
    whole, sentences = units_of_chunks(CHUNK_ROWS)["c0"]
    for unit in (whole, *sentences):
        locator = unit.as_row("sys", "arm", "bench")["locator"]
        assert locator == {
            "article_id": "art",
            "char_start": unit.char_start,
            "char_end": unit.char_end,
            "row": None,
            "column": None,
            "triple_ids": None,
        }


def test_tables_conform_and_refer_to_evidence_that_is_there() -> None:
    units = units_of_chunks(CHUNK_ROWS)
    ranked = [
        Selected(units["c0"][0], 0.9, [{"name": "cosine", "value": 0.9}]),
        Selected(units["c1"][0], 0.5, []),
    ]
    experiment = Experiment("sys", "arm", "bench", "v1")
    experiment.select("q", 0, ranked)
    chains = [
        Chain(0, "x: The cat sat. [E1] A dog ran! [E2]", units["c0"][1], 1.5, {"hypothesis": 0.7}),
        Chain(1, "y: nothing", [], -1.5, {}),
    ]
    experiment.answer(question(), {0: ranked}, chains, Answer(1, 0.75, "extractive", "Answer: B"))
    tables = experiment.tables()
    assert set(tables) == {table.name for table in EXPERIMENT_TABLES}
    for table in EXPERIMENT_TABLES:
        rows = conform(tables[table.name], table)
        keys = [tuple(row[name] for name in table.key) for row in rows.to_pylist()]
        assert len(keys) == len(set(keys)) > 0
        assert {(row["system"], row["arm"], row["benchmark"]) for row in rows.to_pylist()} == {
            ("sys", "arm", "bench")
        }
    known = set(tables["evidence"].column("evidence_id").to_pylist())
    assert len(known) == 4
    assert set(tables["selected_evidence"].column("evidence_id").to_pylist()) <= known
    (first, second) = tables["chains"].to_pylist()
    assert set(first["cited"]) <= known
    assert (first["citation_status"], second["citation_status"]) == ("valid", "nothing cited")
    used = tables["prediction_evidence"].to_pylist()
    assert [(row["role"], row["candidate"], row["rank"], row["score"]) for row in used] == [
        ("given", 0, 1, 0.9),
        ("given", 0, 2, 0.5),
        ("cited", 0, 1, 1.5),
        ("cited", 0, 2, 1.5),
    ]
    assert {row["prediction_id"] for row in used} == {row["prediction_id"] for row in predictions(experiment)}


@pytest.mark.parametrize(
    ("index", "changes", "expected"),
    [
        (1, {}, ("y", "y", True)),
        (0, {}, ("x", "y", False)),
        (2, {"answer_index": 0}, ("x", "x", True)),  # an equal option is as right as the keyed one
        (None, {}, (None, "y", False)),
        (1, {"answer_index": None, "answers": ["y", "z"]}, ("y", "y", True)),
        (1, {"answer_index": None, "answers": []}, ("y", None, False)),
        (None, {"answer_index": None, "answers": []}, (None, None, False)),
    ],
)
def test_what_counts_as_correct(
    index: int | None, changes: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    experiment = Experiment("sys", "arm", "bench", "v1")
    experiment.answer(question(**changes), {}, [], Answer(index, None, "g", "raw", abstained=index is None))
    (row,) = predictions(experiment)
    assert (row["predicted"], row["gold"], row["correct"]) == expected
    assert row["predicted_index"] == index
    assert row["abstained"] == (index is None)


def test_ids_are_those_of_the_experiment_and_question() -> None:
    def made(arm: str, question_id: str) -> str:
        experiment = Experiment("sys", arm, "bench", "v1")
        experiment.answer(question(question_id=question_id), {}, [], Answer(0, None, "g", ""))
        return str(predictions(experiment)[0]["prediction_id"])

    assert made("a", "q") == made("a", "q")
    assert len({made("a", "q"), made("b", "q"), made("a", "r")}) == 3


def test_an_experiment_without_questions_has_empty_tables() -> None:
    tables = Experiment("sys", "arm", "bench", "v1").tables()
    for table in EXPERIMENT_TABLES:
        assert conform(tables[table.name], table).num_rows == 0
