"""USCRaKE's reader given triples beside chunks, and questions that nobody should ask."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from evidence_assets.evidence.experiment import EXPERIMENT_TABLES, Experiment
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.schemas import RANKED_CHUNKS, RANKED_TRIPLES, RERANKED_EVIDENCE
from evidence_assets.models.pair_scorer import EncoderSimilarity
from evidence_assets.reading.extractive import TRIPLE_MEASURES
from evidence_assets.reading.selection import CONTRASTED, RERANKED, RETRIEVED, Selection
from evidence_assets.reading.weights import GENERAL
from evidence_assets.retrieval.reranking import reranked_rows
from evidence_assets.systems.uscrake.arms import BASELINE_ARM, ChunkArm
from evidence_assets.systems.uscrake.cases import RetrievedEvidence
from evidence_assets.systems.uscrake.open_questions import NO_EVIDENCE
from evidence_assets.systems.uscrake.reading import read_benchmark
from evidence_assets.text.queries import NO_OPTION, Query, queries
from evidence_assets_tests.testing.experiment_rows import Rows, rows_of
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.reading_cases import (
    ARTICLE_QUESTIONS,
    ARTICLE_TEXTS,
    bag_of_word_vectors,
    bag_of_words,
    chunks_of,
)
from evidence_assets_tests.testing.text_encoders import TextEncoder

TRIPLES = {
    "t0": "bees can make honey",
    "t1": "cows can give milk",
    "t2": "cows want grass",
    "t3": "iron is a metal",
    "t4": "gold is a metal",
    "t5": "iron can be rusts",
    "t6": "bees can make honey",  # what another triple says too
    "t7": "火 is a 熱",
}
SELECTIONS = {
    "full": Selection(15, 10, RERANKED),
    "triples_only": Selection(0, 10, RERANKED),
    "no_rerank": Selection(15, 10, RETRIEVED),
    "keep": Selection(15, 10, RERANKED, keep=4),
    "verified": Selection(15, 10, RERANKED, minimum_separation=0.02),
    "contrasted": Selection(15, 10, CONTRASTED),
    "question_only": Selection(15, 10, RERANKED, question_only=True),
    "few": Selection(2, 1, RERANKED),
}

QUESTION_ROWS = question_table(
    *ARTICLE_QUESTIONS, question_row("unlinked", "What do cows eat?", ["grass", "honey"], 0)
)
# Nothing at all was found for one question, and no concept of another one.
SILENT, UNLINKED = {"nothing"}, {"nothing", "unlinked"}


class BagEncoder(TextEncoder):
    """The sum of random vectors of a text's words."""

    encoder_id, dimension, max_tokens = "bag@1", 32, 999

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return bag_of_words(texts) if texts else np.empty((0, 32), np.float32)


ENCODER = BagEncoder()


def ranked(
    candidate_queries: Sequence[Query], texts: dict[str, str], key: str, depth: int
) -> list[dict[str, Any]]:
    """The nearest texts of every query by cosine."""
    vectors, rows = ENCODER.encode(list(texts.values())), []
    for query in candidate_queries:
        scores = vectors @ ENCODER.encode([query.text])[0]
        for rank, place in enumerate(np.argsort(-scores, kind="stable")[:depth].tolist(), start=1):
            score = float(scores[place])
            rows.append(
                {
                    "benchmark": "b",
                    "retrieval": "cosine",
                    "question_id": query.question_id,
                    "candidate": query.candidate,
                    "rank": rank,
                    key: list(texts)[place],
                    "text": list(texts.values())[place],
                    "touches": "both",
                    "score": score,
                    "score_parts": [{"name": "cosine", "value": score}],
                    "scorer": "cosine",
                }
            )
    return rows


def found_for(
    questions: pa.Table, chunks: pa.Table, silent: set[str] = SILENT, unlinked: set[str] = UNLINKED
) -> RetrievedEvidence:
    """What ranking, linking and reranking find for these questions."""
    every = queries(questions)
    texts = dict(zip(chunks.column("chunk_id").to_pylist(), chunks.column("text").to_pylist(), strict=True))
    of_chunks = pa.Table.from_pylist(
        ranked([query for query in every if query.question_id not in silent], texts, "chunk_id", 20),
        schema=RANKED_CHUNKS.schema,
    )
    of_triples = pa.Table.from_pylist(
        ranked([query for query in every if query.question_id not in unlinked], TRIPLES, "triple_id", 6),
        schema=RANKED_TRIPLES.schema,
    )
    blocks = reranked_rows(
        every, of_chunks, texts, of_triples, EncoderSimilarity(ENCODER), "b", "cosine", depth=20
    )
    rows = pa.concat_tables([RERANKED_EVIDENCE.schema.empty_table(), *blocks])
    return RetrievedEvidence(of_chunks, chunks, of_triples, rows)


@pytest.fixture(scope="module")
def chunks() -> pa.Table:
    return chunks_of(ARTICLE_TEXTS)


@pytest.fixture(scope="module")
def retrieved(chunks: pa.Table) -> RetrievedEvidence:
    return found_for(QUESTION_ROWS, chunks)


def read(
    retrieved: RetrievedEvidence, selection: Selection, questions: pa.Table = QUESTION_ROWS
) -> Experiment:
    arm = ChunkArm(
        name="tested@extractive", retrieval="cosine", weights=GENERAL, description="", selection=selection
    )
    return read_benchmark(questions, retrieved, ENCODER.encode, bag_of_word_vectors, arm, "b", "v1")


def sound_rows(experiment: Experiment) -> Rows:
    """Every table's rows, each once, which name evidence that is there."""
    rows = rows_of(experiment)
    for table in EXPERIMENT_TABLES:
        keys = [tuple(row[name] for name in table.key) for row in rows[table.name]]
        assert len(keys) == len(set(keys))
    evidence_ids = {row["evidence_id"] for row in rows["evidence"]}
    used_ids = [
        row["evidence_id"] for name in ("selected_evidence", "prediction_evidence") for row in rows[name]
    ]
    assert {
        *used_ids,
        *(evidence_id for row in rows["chains"] for evidence_id in row["cited"]),
    } <= evidence_ids
    return rows


@pytest.mark.parametrize("selection", SELECTIONS.values(), ids=SELECTIONS)
def test_what_every_arm_leaves(retrieved: RetrievedEvidence, selection: Selection) -> None:
    rows = sound_rows(read(retrieved, selection))
    evidence = {row["evidence_id"]: row for row in rows["evidence"]}
    for row in evidence.values():
        assert (row["kind"] == "triple") == (row["source_table"] == "triples")
        if row["kind"] == "triple":
            assert row["text"] == TRIPLES[row["source_key"]]
            assert row["locator"]["triple_ids"] == [row["source_key"]]
            assert row["source_version"] == text_hash(row["text"])
        else:
            place = row["locator"]
            assert ARTICLE_TEXTS[place["article_id"]][place["char_start"] : place["char_end"]] == row["text"]
    lists: dict[tuple[str, int], list[str]] = {}
    for row in rows["selected_evidence"]:
        lists.setdefault((row["question_id"], row["candidate"]), []).append(
            evidence[row["evidence_id"]]["kind"]
        )
    for kinds in lists.values():
        assert 0 < len(kinds) <= (selection.keep or 99)
        assert kinds.count("chunk") <= selection.chunks
        assert kinds.count("triple") <= selection.triples
    assert ("nothing", 0) not in lists
    assert {candidate for _, candidate in lists} == ({-1} if selection.question_only else {-1, 0, 1, 2})
    predictions = {row["question_id"]: row for row in rows["predictions"]}
    assert predictions.keys() == {"bees", "cows", "open", "nothing", "equal", "unlinked"}
    for row in predictions.values():
        given_rows = [
            use
            for use in rows["prediction_evidence"]
            if use["prediction_id"] == row["prediction_id"] and use["role"] == "given"
        ]
        assert bool(given_rows) != row["abstained"], "no answer without evidence"
    assert predictions["nothing"]["parse_status"] == NO_EVIDENCE
    answered = {question_id for question_id, row in predictions.items() if not row["abstained"]}
    chains = rows["chains"]
    assert {row["question_id"] for row in chains} == answered >= {"bees", "cows", "equal"}
    for chain in chains:
        assert chain["citation_status"] == "valid"
        for evidence_id in chain["cited"]:
            assert evidence[evidence_id]["text"] in chain["text"]


@pytest.mark.parametrize("selection", SELECTIONS.values(), ids=SELECTIONS)
def test_a_chain_cites_only_what_its_option_was_given(
    retrieved: RetrievedEvidence, selection: Selection
) -> None:
    """The same sentence may stand in a chunk of another option: the option's chunk is the source."""
    rows = sound_rows(read(retrieved, selection))
    sources = {row["evidence_id"]: (row["source_table"], row["source_key"]) for row in rows["evidence"]}
    given_sources: dict[tuple[str, int], set[tuple[str, str]]] = {}
    for row in rows["prediction_evidence"]:
        if row["role"] == "given":
            place = (row["prediction_id"], row["candidate"])
            given_sources.setdefault(place, set()).add(sources[row["evidence_id"]])
    cited = [row for row in rows["prediction_evidence"] if row["role"] == "cited"]
    assert {row["candidate"] for row in cited} >= {0, 1, 2}
    for row in cited:
        candidate = NO_OPTION if selection.question_only else row["candidate"]
        assert sources[row["evidence_id"]] in given_sources[row["prediction_id"], candidate]


@pytest.mark.parametrize("name", ["no_rerank", "triples_only", "few"])
def test_what_one_option_was_given_is_no_evidence_for_another(
    retrieved: RetrievedEvidence, name: str
) -> None:
    """Take an option's evidence away: its chain is bare, and the others are measured and argued as before."""

    def without(rows: pa.Table) -> pa.Table:
        bees = pc.equal(rows.column("question_id"), "bees")
        return rows.filter(pc.invert(pc.and_(bees, pc.equal(rows.column("candidate"), 1))))

    fewer = dataclasses.replace(
        retrieved,
        ranked_chunks=without(retrieved.ranked_chunks),
        ranked_triples=without(retrieved.ranked_triples),
    )
    chains: list[dict[int, dict[str, Any]]] = []
    for evidence in (retrieved, fewer):
        rows = sound_rows(read(evidence, dataclasses.replace(SELECTIONS[name], order=RETRIEVED)))
        chains.append({row["candidate"]: row for row in rows["chains"] if row["question_id"] == "bees"})
    before, after = chains
    assert before[1]["cited"] != []
    assert after[1]["cited"] == []
    assert after[1]["citation_status"] == "nothing cited"
    assert after[1]["score_parts"] != before[1]["score_parts"]
    for candidate in (0, 2):
        for column in ("cited", "text", "score_parts"):
            assert after[candidate][column] == before[candidate][column]


@pytest.mark.parametrize("name", ["full", "no_rerank", "contrasted", "question_only"])
def test_an_option_cites_sentences_and_the_triple_nearest_to_it(
    retrieved: RetrievedEvidence, name: str
) -> None:
    rows = sound_rows(read(retrieved, SELECTIONS[name]))
    evidence = {row["evidence_id"]: row for row in rows["evidence"]}
    for chain in rows["chains"]:
        kinds = [evidence[evidence_id]["kind"] for evidence_id in chain["cited"]]
        if chain["question_id"] == "open":
            assert len(kinds) == 1
        elif chain["question_id"] == "unlinked":
            assert set(kinds) == {"sentence"}
        else:
            assert kinds[-1] == "triple"
            assert set(kinds[:-1]) == {"sentence"}
            assert len(kinds) <= 4
    [honey] = [row for row in rows["chains"] if (row["question_id"], row["candidate"]) == ("bees", 1)]
    assert evidence[honey["cited"][-1]]["text"] == "bees can make honey"


def test_triples_alone_are_read_without_a_word_of_text(retrieved: RetrievedEvidence) -> None:
    rows = sound_rows(read(retrieved, SELECTIONS["triples_only"]))
    assert {row["kind"] for row in rows["evidence"]} == {"triple"}
    assert all(len(row["cited"]) == 1 for row in rows["chains"])
    predictions = {row["question_id"]: row for row in rows["predictions"]}
    assert predictions["unlinked"]["abstained"], "no concept, no triple, no answer"
    for chain in (row for row in rows["chains"] if row["candidate"] != NO_OPTION):
        measures = {part["name"]: part["value"] for part in chain["score_parts"]}
        assert measures["hypothesis"] == measures["lexical"] == 0
        assert measures["triple_hypothesis"] != 0
    for question_id, answer in (("bees", 1), ("cows", 0)):
        nearest = {
            row["candidate"]: part["value"]
            for row in rows["chains"]
            for part in row["score_parts"]
            if (row["question_id"], part["name"]) == (question_id, "triple_hypothesis")
        }
        assert max(nearest, key=lambda candidate: nearest[candidate]) == answer


def test_where_no_concept_was_found_the_chunks_are_read_as_without_a_graph(
    retrieved: RetrievedEvidence,
) -> None:
    full = sound_rows(read(retrieved, SELECTIONS["no_rerank"], QUESTION_ROWS.slice(5, 1)))
    alone = sound_rows(
        read(
            RetrievedEvidence(retrieved.ranked_chunks, retrieved.chunks),
            Selection(15),
            QUESTION_ROWS.slice(5, 1),
        )
    )
    assert full == alone
    for chain in full["chains"]:
        measures = {part["name"]: part["value"] for part in chain["score_parts"]}
        assert [measures[name] for name in TRIPLE_MEASURES] == [0, 0, 0]


def test_what_two_triples_say_alike_is_read_once_and_given_twice(retrieved: RetrievedEvidence) -> None:
    rows = sound_rows(read(retrieved, SELECTIONS["triples_only"], QUESTION_ROWS.slice(0, 1)))
    triple_ids = {row["source_key"] for row in rows["evidence"] if row["text"] == "bees can make honey"}
    assert triple_ids == {"t0", "t6"}
    cited = {evidence_id for row in rows["chains"] for evidence_id in row["cited"]}
    texts = [row["text"] for row in rows["evidence"] if row["evidence_id"] in cited]
    assert len(texts) == len(set(texts))


def test_a_filter_that_leaves_nothing_is_an_abstention(retrieved: RetrievedEvidence) -> None:
    rows = sound_rows(read(retrieved, Selection(15, 10, RERANKED, minimum_separation=9.0)))
    assert rows["evidence"] == rows["selected_evidence"] == rows["chains"] == []
    assert {row["parse_status"] for row in rows["predictions"]} == {NO_EVIDENCE}
    assert all(row["abstained"] and row["confidence"] is None for row in rows["predictions"])


@pytest.mark.parametrize("selection", SELECTIONS.values(), ids=SELECTIONS)
def test_of_equal_options_the_first_is_chosen_and_the_tie_told(
    retrieved: RetrievedEvidence, selection: Selection
) -> None:
    rows = sound_rows(read(retrieved, selection))
    scores = [row["score"] for row in rows["chains"] if row["question_id"] == "equal"]
    assert scores[1] == scores[2] != scores[0]
    [equal] = [row for row in rows["predictions"] if row["question_id"] == "equal"]
    if equal["predicted"] == "iron":
        assert (equal["predicted_index"], equal["tie_break"]) == (1, "first of 2 equal scores")
        assert equal["correct"]


LONG = "honey " * 1_000
STRANGE = {
    "alike": ["honey", "honey", "honey"],
    "alike_but_for_case": ["Honey", "honey", "HONEY"],
    "empty": ["", "honey"],
    "all_empty": ["", ""],
    "blank": [" \n\t", "honey", "\u200b"],
    "no_words": ["?!", "→", "…"],
    "other_scripts": ["火", "мёд", "عسل", "🍯"],
    "very_long": [LONG, LONG[:-1] + "x", "honey"],
    "with_marks": ["[E1]", "honey [E2]", "{head} %s <b>|"],
    "one": ["honey"],
    "many": [f"option {number}" for number in range(40)],
    "half_a_surrogate_apart": ["e\u0301", "\u00e9"],
}
QUESTION_TEXTS = ["What do bees make?", "", "?", "火は熱い。", "Which of these is NOT made?", LONG]


@pytest.mark.parametrize("text", QUESTION_TEXTS, ids=["plain", "empty", "mark", "script", "negated", "long"])
@pytest.mark.parametrize("name", ["full", "triples_only", "contrasted", "question_only"])
def test_strange_questions_and_options_are_answered_or_abstained_on(
    chunks: pa.Table, text: str, name: str
) -> None:
    questions = question_table(*(question_row(key, text, options, 0) for key, options in STRANGE.items()))
    rows = sound_rows(read(found_for(questions, chunks, set(), {"one"}), SELECTIONS[name], questions))
    assert {row["question_id"] for row in rows["predictions"]} == STRANGE.keys()
    for row in rows["predictions"]:
        options = STRANGE[row["question_id"]]
        if row["abstained"]:
            assert (row["question_id"], name) == ("one", "triples_only")
            continue
        assert row["predicted"] == options[row["predicted_index"]]
        assert 0 < row["confidence"] <= 1
        assert row["correct"] == (row["predicted"] == options[0])
    by_question: dict[str, dict[int, float]] = {}
    for row in rows["chains"]:
        assert np.isfinite(row["score"])
        assert all(np.isfinite(part["value"]) for part in row["score_parts"])
        by_question.setdefault(row["question_id"], {})[row["candidate"]] = row["score"]
    for key in ("alike", "all_empty"):
        assert len(set(by_question[key].values())) == 1
        [row] = [row for row in rows["predictions"] if row["question_id"] == key]
        assert row["tie_break"] == f"first of {len(STRANGE[key])} equal scores"
        assert row["predicted_index"] == 0


def test_the_baseline_reads_no_triples(retrieved: RetrievedEvidence) -> None:
    arm = ChunkArm(name=BASELINE_ARM, retrieval="cosine", description="nearest")
    plain = RetrievedEvidence(retrieved.ranked_chunks, retrieved.chunks)
    tables = read_benchmark(
        QUESTION_ROWS, plain, ENCODER.encode, bag_of_word_vectors, arm, "b", "v1"
    ).tables()
    assert "triple" not in tables["evidence"].column("kind").to_pylist()
