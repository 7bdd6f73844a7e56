"""Evidence units, and the rows that an experiment leaves."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.evidence.experiment import (
    EXPERIMENT_TABLES,
    NO_ANSWER,
    RANKED_EXPERIMENT_TABLES,
    Answer,
    Chain,
    Experiment,
    RankedAnswer,
    Selected,
)
from evidence_assets.evidence.units import (
    EvidenceUnit,
    unit_of_document,
    unit_of_generated_triple,
    unit_of_triple,
    units_of_chunks,
)
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.ids import content_id, text_hash
from evidence_assets.lake.schemas import CHUNKS, EVIDENCE
from evidence_assets_tests.testing.table_rows import table_of

ARTICLE = "Intro. The cat sat.  A dog ran!\nIt is over."


def chunk(chunk_id: str, start: int, end: int, ends: list[int]) -> dict[str, Any]:
    text = ARTICLE[start:end]
    return {
        "chunk_id": chunk_id,
        "article_id": "art",
        "char_start": start,
        "char_end": end,
        "text": text,
        "text_hash": text_hash(text),
        "sentence_ends": ends,
    }


CHUNK_ROWS = table_of(CHUNKS, chunk("c0", 7, 31, [12, 24]), chunk("c1", 32, len(ARTICLE), [11]))


def question(**changes: Any) -> dict[str, Any]:
    return {"question_id": "q", "options": ["x", "y", "x"], "answer_index": 1, "answers": ["y"], **changes}


def predictions(experiment: Experiment) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = experiment.tables()["predictions"].to_pylist()
    return rows


def test_units_are_slices_of_their_article() -> None:
    units = units_of_chunks(CHUNK_ROWS)
    chunk_unit, sentences = units["c0"]
    assert (chunk_unit.kind, chunk_unit.text) == ("chunk", "The cat sat.  A dog ran!")
    assert [(unit.kind, unit.text) for unit in sentences] == [
        ("sentence", "The cat sat."),
        ("sentence", "A dog ran!"),
    ]
    for unit in (chunk_unit, *sentences, *units["c1"][1]):
        assert ARTICLE[unit.char_start : unit.char_end] == unit.text
    # A chunk and its only sentence share a span and are two units all the same.
    assert units["c1"][0].text == units["c1"][1][0].text
    assert units["c1"][0].evidence_id != units["c1"][1][0].evidence_id


def test_an_evidence_id_knows_the_version_of_its_source() -> None:
    unit = EvidenceUnit("chunk", "text", "chunks", "c", "hash1", "a", 0, 4)
    assert unit.evidence_id == EvidenceUnit("chunk", "text", "chunks", "c", "hash1", "a", 0, 4).evidence_id
    for changed in (
        EvidenceUnit("chunk", "text", "chunks", "c", "hash2", "a", 0, 4),
        EvidenceUnit("chunk", "text", "chunks", "c", "hash1", "a", 0, 5),
        EvidenceUnit("sentence", "text", "chunks", "c", "hash1", "a", 0, 4),
        EvidenceUnit("chunk", "text", "triples", "c", "hash1", "a", 0, 4),
        EvidenceUnit("chunk", "text", "chunks", "c", "hash1", "a"),
    ):
        assert changed.evidence_id != unit.evidence_id


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
    chunk_unit, sentences = units_of_chunks(CHUNK_ROWS)["c0"]
    for unit in (chunk_unit, *sentences):
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
        (1, {"answer_index": None, "answers": []}, ("y", None, None)),
        (None, {"answer_index": None, "answers": []}, (None, None, None)),
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


def test_a_prediction_says_what_the_encoder_was_not_given_of_its_question() -> None:
    experiment = Experiment("s", "a", "b", "1")
    for question_id in ("long", "short"):
        experiment.answer(question(question_id=question_id), {}, [], Answer(0, 0.5, "g", "A"))
    assert [row["unread_words"] for row in predictions(experiment)] == [None, None]
    rows = experiment.tables({"long": 7})["predictions"].to_pylist()
    assert {row["question_id"]: row["unread_words"] for row in rows} == {"long": 7, "short": 0}


def test_an_experiment_without_questions_has_empty_tables() -> None:
    tables = Experiment("sys", "arm", "bench", "v1").tables()
    for table in EXPERIMENT_TABLES:
        assert conform(tables[table.name], table).num_rows == 0


@pytest.mark.parametrize(
    ("text", "answers", "expected"),
    [
        ("the  Liver", ["The liver", "A kidney"], ("the  Liver", "The liver", True)),
        ("kidney, a", ["The liver", "A kidney"], ("kidney, a", "The liver", False)),
        ("a kidney", ["The liver", "A kidney"], ("a kidney", "A kidney", True)),
        ("1984-10-26", ["26 October 1984", "1984-10-26"], ("1984-10-26", "1984-10-26", True)),
        ("3.5", ["35"], ("3.5", "35", False)),
        ("liver", [], ("liver", None, None)),
        (None, ["liver"], (None, "liver", False)),
    ],
)
def test_an_answer_in_words_is_right_where_it_equals_any_of_the_keys(
    text: str | None, answers: list[str], expected: tuple[Any, ...]
) -> None:
    question_values = question(options=[], answer_index=None, answers=answers)
    experiment = Experiment("sys", "arm", "bench", "v1")
    experiment.answer(
        question_values, {}, [], Answer(None, None, "g", "raw", abstained=text is None, text=text)
    )
    (row,) = predictions(experiment)
    assert (row["predicted"], row["gold"], row["correct"]) == expected
    assert row["predicted_index"] is None


@pytest.mark.parametrize(
    ("sentence", "correct"), [("It is said that Bees make honey.", True), ("Beeswax keeps.", False)]
)
def test_a_sentence_is_right_where_it_holds_a_key_word_for_word(sentence: str, correct: bool) -> None:
    question = {"question_id": "q", "options": [], "answer_index": None, "answers": ["the wind", "bees", ""]}
    experiment = Experiment("system", "arm", "benchmark", "1")
    answer = Answer(None, 0.5, "extractive", "", text=sentence, holds_answer=True)
    experiment.answer(question, {}, [], answer)
    [row] = experiment.tables()["predictions"].to_pylist()
    assert (row["predicted"], row["correct"]) == (sentence, correct)


@pytest.mark.parametrize(("text", "correct"), [(None, True), ("liver", False)])
def test_where_there_is_no_answer_silence_is_right(text: str | None, correct: bool) -> None:
    unanswerable = question(options=[], answer_index=None, answers=[]) | {"answerable": False}
    experiment = Experiment("sys", "arm", "bench", "v1")
    experiment.answer(unanswerable, {}, [], Answer(None, None, "g", "raw", abstained=text is None, text=text))
    (row,) = predictions(experiment)
    assert (row["predicted"], row["gold"], row["correct"]) == (text, NO_ANSWER, correct)


@pytest.mark.parametrize(
    ("label", "node", "keys", "correct"),
    [
        ("Heat", 4, ["film:1"], True),
        ("Heat (film:2)", 5, ["film:1"], False),
        ("Heat (film:2)", 5, ["film:2"], True),
        ("Heat (film:2)", 5, None, True),
        ("Heat", None, ["film:1"], False),
    ],
)
def test_a_node_answers_by_its_identifier_else_by_its_bare_name(
    label: str, node: int | None, keys: list[str] | None, correct: bool
) -> None:
    experiment = Experiment("s", "a", "b", "1", node_keys={4: ["film:1"], 5: ["film:2"]})
    question_values = question(options=[], answer_index=None, answers=["heat"], answer_keys=keys)
    experiment.answer(question_values, {}, [], Answer(None, None, "g", "", text=label, node=node))
    assert [row["correct"] for row in predictions(experiment)] == [correct]


def test_words_do_not_answer_where_options_are_offered() -> None:
    experiment = Experiment("sys", "arm", "bench", "v1")
    experiment.answer(question(), {}, [], Answer(None, None, "g", "raw", text="y"))
    (row,) = predictions(experiment)
    assert (row["predicted"], row["correct"]) == (None, False)


def test_documents_and_a_models_triples_are_units_of_their_own_kind() -> None:
    document, stated = (
        unit_of_document("d", "Cats are mammals."),
        unit_of_generated_triple("g", "a cat purrs"),
    )
    assert (document.kind, document.source_table, document.source_key) == ("document", "node_documents", "d")
    assert (stated.kind, stated.source_table, stated.source_key) == (
        "generated_triple",
        "generated_triples",
        "g",
    )
    # Neither names a triple of a graph, and what a model says is never the graph's unit of the same words.
    assert document.triple_ids == stated.triple_ids == ()
    assert stated.evidence_id != unit_of_triple("g", "a cat purrs").evidence_id


def ranking() -> Experiment:
    experiment = Experiment("sys", "arm", "bench", "v1", ranks=True)
    backing = [unit_of_triple("t", "a cat is a mammal"), unit_of_document("d", "Cats are mammals.")]
    first = RankedAnswer("cat", 0.9, node=4, kg="k", supported=True, returned=True, evidence=backing)
    experiment.rank("q", [first, RankedAnswer("dog", 0.9), RankedAnswer("cow", 0.1)])
    return experiment


def test_ranked_answers_conform_and_their_evidence_is_there() -> None:
    tables = ranking().tables()
    assert set(tables) == {table.name for table in RANKED_EXPERIMENT_TABLES}
    rows = conform(tables["ranked_answers"], RANKED_EXPERIMENT_TABLES[-1]).to_pylist()
    assert [(row["rank"], row["answer"], row["score"], row["kg"], row["node"]) for row in rows] == [
        (1, "cat", 0.9, "k", 4),
        (2, "dog", 0.9, None, None),
        (3, "cow", 0.1, None, None),
    ]
    assert [(row["supported"], row["returned"]) for row in rows] == [
        (True, True),
        (False, False),
        (False, False),
    ]
    assert set(rows[0]["evidence"]) == set(tables["evidence"].column("evidence_id").to_pylist())
    assert len(rows[0]["evidence"]) == 2


@pytest.mark.parametrize("scores", [(0.1, 0.2), (0.1, float("nan")), (float("inf"), 0.1)])
def test_a_ranking_that_is_not_best_first_is_refused(scores: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"sys/arm on bench, question r: the scores do not descend"):
        ranking().rank("r", [RankedAnswer("x", score) for score in scores])


def test_only_an_experiment_that_ranks_ranks_and_each_question_once() -> None:
    with pytest.raises(ValueError, match="question q: ranked twice"):
        ranking().rank("q", [])
    experiment = Experiment("sys", "arm", "bench", "v1")
    with pytest.raises(ValueError, match="the experiment does not rank"):
        experiment.rank("q", [])
    assert set(experiment.tables()) == {table.name for table in EXPERIMENT_TABLES}


@pytest.mark.parametrize(
    ("values", "text", "gold", "correct"),
    [
        (("Respirol", "Calmivan"), "Respirol|Calmivan", "Calmivan|Respirol", True),
        (("Respirol", "Dolorex"), "Respirol|Dolorex", "Calmivan", False),
        (("Respirol", "Calmivan", "Dolorex"), "Respirol|Calmivan|Dolorex", "Calmivan", False),
        (("respirol",), "respirol", "Respirol", True),
    ],
)
def test_several_values_are_right_as_all_of_the_gold_answers(
    values: tuple[str, ...], text: str, gold: str, correct: bool
) -> None:
    experiment = Experiment("sys", "full@x", "bench", "1")
    row = question(options=[], answer_index=None, answers=["Calmivan", "Respirol"])
    experiment.answer(row, {}, [], Answer(None, 0.9, "x", text, text=text, values=values))
    [prediction] = predictions(experiment)
    assert (prediction["predicted"], prediction["gold"], prediction["correct"]) == (text, gold, correct)
