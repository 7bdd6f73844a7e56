"""USCRaKE's readers on a benchmark of a few questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from evidence_assets.evidence.arms import controlled_pairs
from evidence_assets.evidence.experiment import EXPERIMENT_TABLES, Experiment
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import RANKED_CHUNKS
from evidence_assets.reading.extractive import load_weights
from evidence_assets.reading.selection import Selection
from evidence_assets.reading.weights import GENERAL
from evidence_assets.retrieval.retrievals import RETRIEVALS
from evidence_assets.systems.uscrake.arms import (
    ARMS,
    BASELINE_ARM,
    COMPARED_WITH,
    DEFAULT_ARM,
    FIRST_ARMS,
    RERANKED_RETRIEVALS,
    arms,
)
from evidence_assets.systems.uscrake.cases import RetrievedEvidence
from evidence_assets.systems.uscrake.open_questions import NO_EVIDENCE, NOT_SAID
from evidence_assets.systems.uscrake.reading import read_benchmark, read_likelihoods
from evidence_assets.text.queries import NO_OPTION, queries
from evidence_assets_tests.testing.counting_likelihoods import Counting
from evidence_assets_tests.testing.experiment_rows import rows_of
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.reading_cases import (
    ARTICLE_QUESTIONS,
    ARTICLE_TEXTS,
    bag_of_word_vectors,
    bag_of_words,
    chunks_of,
)
from evidence_assets_tests.testing.table_rows import ranked_chunks

QUESTION_ROWS = question_table(
    *ARTICLE_QUESTIONS, question_row("unkeyed", "What eats grass?", ["cows", "bees"], None)
)


@pytest.fixture(scope="module")
def chunks() -> pa.Table:
    return chunks_of(ARTICLE_TEXTS)


@pytest.fixture(scope="module")
def ranked(chunks: pa.Table) -> pa.Table:
    """Every chunk for every query by cosine, but nothing for the question called "nothing"."""
    rows = []
    vectors = bag_of_words(chunks.column("text").to_pylist())
    ids = chunks.column("chunk_id").to_pylist()
    for query in queries(QUESTION_ROWS):
        if query.question_id == "nothing":
            continue
        scores = vectors @ bag_of_words([query.text])[0]
        for rank, place in enumerate(np.argsort(-scores, kind="stable").tolist(), start=1):
            rows.append(
                {
                    "benchmark": "b",
                    "retrieval": "cosine",
                    "question_id": query.question_id,
                    "candidate": query.candidate,
                    "rank": rank,
                    "chunk_id": ids[place],
                    "score": float(scores[place]),
                    "score_parts": [{"name": "cosine", "value": float(scores[place])}],
                }
            )
    shuffled = np.random.default_rng(0).permutation(len(rows))
    return pa.Table.from_pylist([rows[place] for place in shuffled], schema=RANKED_CHUNKS.schema)


def read(chunks: pa.Table, ranked: pa.Table, arm: str, questions: pa.Table = QUESTION_ROWS) -> Experiment:
    return read_benchmark(
        questions, RetrievedEvidence(ranked, chunks), bag_of_words, bag_of_word_vectors, ARMS[arm], "b", "v1"
    )


# Chunks alone, read by the extractive reader, and by the baseline.
CHUNKS_ARM = next(
    arm.name for arm in ARMS.values() if arm.selection == Selection() and arm.weights == GENERAL
)
ARM_NAMES = [CHUNKS_ARM, BASELINE_ARM]


@pytest.mark.parametrize("arm", ARM_NAMES)
def test_tables_conform_and_every_id_is_there(chunks: pa.Table, ranked: pa.Table, arm: str) -> None:
    tables = read(chunks, ranked, arm).tables()
    for table in EXPERIMENT_TABLES:
        rows = conform(tables[table.name], table).to_pylist()
        keys = [tuple(row[name] for name in table.key) for row in rows]
        assert len(keys) == len(set(keys)) > 0
        assert {(row["system"], row["arm"], row["benchmark"]) for row in rows} == {("uscrake", arm, "b")}
    evidence_ids = set(tables["evidence"].column("evidence_id").to_pylist())
    for name in ("selected_evidence", "prediction_evidence"):
        assert set(tables[name].column("evidence_id").to_pylist()) <= evidence_ids
    chains = tables["chains"].to_pylist()
    predictions = {row["question_id"]: row for row in tables["predictions"].to_pylist()}
    used = tables["prediction_evidence"].to_pylist()
    for chain in chains:
        assert chain["citation_status"] == "valid"
        assert chain["cited"]
        assert set(chain["cited"]) <= evidence_ids
        prediction_id = predictions[chain["question_id"]]["prediction_id"]
        cited = [
            row["evidence_id"]
            for row in used
            if (row["prediction_id"], row["role"], row["candidate"])
            == (prediction_id, "cited", chain["candidate"])
        ]
        assert cited == chain["cited"]
    assert {(row["question_id"], row["candidate"]) for row in chains} == {
        (row["question_id"], candidate)
        for row in QUESTION_ROWS.to_pylist()
        if row["question_id"] != "nothing"
        for candidate in (range(len(row["options"])) if row["options"] else (NO_OPTION,))
    }


@pytest.mark.parametrize("arm", ARM_NAMES)
def test_evidence_stands_in_its_article(chunks: pa.Table, ranked: pa.Table, arm: str) -> None:
    rows = read(chunks, ranked, arm).tables()["evidence"].to_pylist()
    by_id = {row["chunk_id"]: row for row in chunks.to_pylist()}
    for row in rows:
        place = row["locator"]
        assert ARTICLE_TEXTS[place["article_id"]][place["char_start"] : place["char_end"]] == row["text"]
        assert row["text"] == row["text"].strip() != ""
        source = by_id[row["source_key"]]
        assert row["source_table"] == "chunks"
        assert row["source_version"] == source["text_hash"]
        assert source["char_start"] <= place["char_start"] < place["char_end"] <= source["char_end"]
    kinds = {row["kind"] for row in rows}
    assert kinds == {"chunk", "sentence"}


@pytest.mark.parametrize("arm", ARM_NAMES)
def test_who_gets_a_prediction(chunks: pa.Table, ranked: pa.Table, arm: str) -> None:
    tables = read(chunks, ranked, arm).tables()
    rows = {row["question_id"]: row for row in tables["predictions"].to_pylist()}
    assert set(rows) == {"bees", "cows", "open", "nothing", "equal", "unkeyed"}

    nothing = rows["nothing"]
    assert nothing["abstained"]
    assert nothing["parse_status"] == NO_EVIDENCE
    assert (nothing["predicted"], nothing["predicted_index"], nothing["confidence"]) == (None, None, None)
    assert not nothing["correct"]
    assert {row["generator"] for row in rows.values()} == {ARMS[arm].generator}
    for row in rows.values():
        if row is not nothing:
            assert not row["abstained"]
            assert row["parse_status"] == "parsed"
            index = row["predicted_index"]
            assert row["raw_output"] == f"Answer: {row['predicted'] if index is None else 'ABC'[index]}"
    assert rows["open"]["predicted"] in " ".join(ARTICLE_TEXTS.values())
    assert rows["bees"]["predicted"] == "honey"
    assert rows["bees"]["correct"]
    assert (rows["unkeyed"]["gold"], rows["unkeyed"]["correct"]) == (None, None)
    assert (rows["equal"]["predicted"], rows["equal"]["correct"]) == ("iron", True)


@pytest.mark.parametrize("arm", ARM_NAMES)
def test_of_equal_options_the_first_is_chosen_and_the_tie_told(
    chunks: pa.Table, ranked: pa.Table, arm: str
) -> None:
    rows = read(chunks, ranked, arm).tables()["predictions"].to_pylist()
    equal = next(row for row in rows if row["question_id"] == "equal")
    assert (equal["predicted"], equal["predicted_index"], equal["correct"]) == ("iron", 1, True)
    assert equal["tie_break"] == "first of 2 equal scores"


def test_confidence_is_the_readers_probability_drawn_to_chance(chunks: pa.Table, ranked: pa.Table) -> None:
    """By as much as the evidence speaks less of the question."""
    extractive = read(chunks, ranked, CHUNKS_ARM).tables()
    scores: dict[str, list[float]] = {}
    for row in extractive["chains"].to_pylist():
        scores.setdefault(row["question_id"], []).append(row["score"])
    for row in extractive["predictions"].to_pylist():
        if row["predicted_index"] is not None:
            exponentials = np.exp(scores[row["question_id"]])
            certain = exponentials.max() / exponentials.sum()
            assert 1 / len(exponentials) - 1e-9 <= row["confidence"] <= certain + 1e-9
            assert row["unaccounted"] is not None
            assert row["predicted_index"] == int(np.argmax(scores[row["question_id"]]))
    nearest = read(chunks, ranked, BASELINE_ARM).tables()["predictions"].to_pylist()
    assert {row["confidence"] for row in nearest} == {None}


def test_nearest_is_the_option_of_the_highest_top_score(chunks: pa.Table, ranked: pa.Table) -> None:
    rows = read(chunks, ranked, BASELINE_ARM).tables()["predictions"].to_pylist()
    for row in rows:
        best: dict[int, float] = {}
        for ranked_row in ranked.to_pylist():
            if ranked_row["question_id"] == row["question_id"] and ranked_row["candidate"] >= 0:
                best[ranked_row["candidate"]] = max(
                    ranked_row["score"], best.get(ranked_row["candidate"], -np.inf)
                )
        if best:
            top = max(best.values())
            assert row["predicted_index"] == min(index for index, score in best.items() if score == top)


def test_no_more_than_fifteen_chunks_are_given_in_their_order(chunks: pa.Table) -> None:
    many = pa.concat_tables(
        [
            chunks.set_column(0, "chunk_id", pa.array([f"{n}-{c}" for c in range(len(chunks))]))
            for n in range(9)
        ]
    )
    ranking = ranked_chunks(
        *(
            ("bees", candidate, rank, chunk_id, 1 / rank)
            for candidate in (-1, 0, 1, 2)
            for rank, chunk_id in enumerate(many.column("chunk_id").to_pylist(), start=1)
        )
    )
    assert len(many) > 20
    tables = read(many, ranking, CHUNKS_ARM, QUESTION_ROWS.slice(0, 1)).tables()
    selected = tables["selected_evidence"].to_pylist()
    texts = {row["evidence_id"]: row["source_key"] for row in tables["evidence"].to_pylist()}
    for candidate in (-1, 0, 1, 2):
        candidate_rows = [row for row in selected if row["candidate"] == candidate]
        assert [row["rank"] for row in candidate_rows] == list(range(1, 16))
        assert [texts[row["evidence_id"]] for row in candidate_rows] == many.column("chunk_id").to_pylist()[
            :15
        ]
    given_rows = [row for row in tables["prediction_evidence"].to_pylist() if row["role"] == "given"]
    assert len(given_rows) == len(selected) == 60


def test_the_same_sentence_of_two_articles_is_read_once(chunks: pa.Table, ranked: pa.Table) -> None:
    tables = read(chunks, ranked, CHUNKS_ARM).tables()
    texts = {row["evidence_id"]: row["text"] for row in tables["evidence"].to_pylist()}
    for chain in tables["chains"].to_pylist():
        cited = [texts[evidence_id] for evidence_id in chain["cited"]]
        assert len(cited) == len(set(cited))


@pytest.mark.parametrize("arm", ARM_NAMES)
def test_a_question_without_choices_is_answered_by_a_sentence_it_cites(
    chunks: pa.Table, ranked: pa.Table, arm: str
) -> None:
    open_questions = QUESTION_ROWS.slice(2, 1)

    def encode(texts: Sequence[str]) -> np.ndarray:
        return bag_of_words(texts) if texts else np.empty((0, 32), np.float32)

    retrieved = RetrievedEvidence(ranked, chunks)
    tables = read_benchmark(
        open_questions, retrieved, encode, bag_of_word_vectors, ARMS[arm], "b", "v1"
    ).tables()
    [prediction], [chain] = (tables[name].to_pylist() for name in ("predictions", "chains"))
    texts = {row["evidence_id"]: row["text"] for row in tables["evidence"].to_pylist()}
    assert [texts[evidence_id] for evidence_id in chain["cited"]] == [prediction["predicted"]]
    assert tables["selected_evidence"].num_rows > 0


def test_a_question_of_which_no_sentence_says_enough_is_abstained_on(
    chunks: pa.Table, ranked: pa.Table
) -> None:
    """What was nearest stays as its chain, and what of the question it does not say is named."""
    question = question_row("open", "Which treaty ended the siege?", [], None, answers=["none"])
    retrieved = RetrievedEvidence(ranked, chunks)
    arm = ARMS[CHUNKS_ARM]
    tables = read_benchmark(
        question_table(question), retrieved, bag_of_words, bag_of_word_vectors, arm, "b", "v1"
    ).tables()
    [prediction], [chain] = (tables[name].to_pylist() for name in ("predictions", "chains"))
    assert prediction["abstained"]
    assert prediction["parse_status"] == NOT_SAID
    assert prediction["predicted"] is None
    assert prediction["confidence"] < 0.3
    assert {"treaty", "ended", "siege"} <= set(prediction["unaccounted"])
    assert chain["cited"]


def test_what_asks_to_be_told_and_for_an_amount_is_not_left_unaccounted(
    chunks: pa.Table, ranked: pa.Table
) -> None:
    written = "Could you please tell me how many treaties ended the siege?"
    question = question_row("open", written, [], None, answers=["none"])
    retrieved = RetrievedEvidence(ranked, chunks)
    tables = read_benchmark(
        question_table(question), retrieved, bag_of_words, bag_of_word_vectors, ARMS[CHUNKS_ARM], "b", "v1"
    ).tables()
    [prediction] = tables["predictions"].to_pylist()
    assert {"tell", "please", "many"}.isdisjoint(prediction["unaccounted"])
    bound = {
        written[binding["start"] : binding["end"]]: binding["role"] for binding in prediction["bindings"]
    }
    assert bound["many"] == "operator"
    assert "siege" in prediction["unaccounted"]


@pytest.mark.parametrize("arm", ARM_NAMES)
def test_an_option_without_evidence_of_its_own_is_judged_all_the_same(
    chunks: pa.Table, ranked: pa.Table, arm: str
) -> None:
    remaining = [row for row in ranked.to_pylist() if (row["question_id"], row["candidate"]) != ("bees", 2)]
    tables = read(chunks, pa.Table.from_pylist(remaining, schema=RANKED_CHUNKS.schema), arm).tables()
    for table in EXPERIMENT_TABLES:
        conform(tables[table.name], table)
    row = next(row for row in tables["predictions"].to_pylist() if row["question_id"] == "bees")
    assert row["predicted"] == "honey"
    chain = next(
        row for row in tables["chains"].to_pylist() if (row["question_id"], row["candidate"]) == ("bees", 2)
    )
    assert chain["citation_status"] == "nothing cited"
    assert np.isfinite(chain["score"])


def test_nearest_tells_that_it_had_nothing_to_choose_by(chunks: pa.Table, ranked: pa.Table) -> None:
    """What is retrieved for the question alone says nothing about its options."""
    remaining = [row for row in ranked.to_pylist() if row["question_id"] != "bees" or row["candidate"] == -1]
    tables = read(chunks, pa.Table.from_pylist(remaining, schema=RANKED_CHUNKS.schema), BASELINE_ARM).tables()
    row = next(row for row in tables["predictions"].to_pylist() if row["question_id"] == "bees")
    assert row["abstained"] or row["tie_break"] == "first of 3 equal scores"
    assert row["confidence"] is None
    assert not [
        use
        for use in tables["prediction_evidence"].to_pylist()
        if use["prediction_id"] == row["prediction_id"] and use["role"] == "cited"
    ]


@pytest.mark.parametrize("arm", [arm.name for arm in ARMS.values() if not arm.retrieval])
def test_without_evidence_every_option_is_judged_and_nothing_is_cited(arm: str) -> None:
    experiment = read_benchmark(
        QUESTION_ROWS, RetrievedEvidence(), bag_of_words, bag_of_word_vectors, ARMS[arm], "b", "v1"
    )
    tables = rows_of(experiment)
    predictions = {row["question_id"]: row for row in tables["predictions"]}
    assert {name for name, row in predictions.items() if row["abstained"]} == {"open"}
    assert predictions["open"]["parse_status"] == NO_EVIDENCE
    assert {(row["cited"] == [], row["citation_status"]) for row in tables["chains"]} == {
        (True, "nothing cited")
    }
    assert len(tables["chains"]) == sum(len(row["options"]) for row in QUESTION_ROWS.to_pylist())
    assert not tables["selected_evidence"]
    # An answer names what it rests on: the question itself.
    used = {(row["prediction_id"], row["role"], row["candidate"]) for row in tables["prediction_evidence"]}
    assert used == {
        (row["prediction_id"], "given", NO_OPTION) for row in tables["predictions"] if not row["abstained"]
    }
    assert {row["source_table"] for row in tables["evidence"]} == {"questions"}
    of_equal = [row["score"] for row in tables["chains"] if row["question_id"] == "equal"]
    assert of_equal[1] == of_equal[2]


def test_the_longest_option_is_chosen() -> None:
    arm = ARMS["no_evidence@longest_option"]
    rows = read_benchmark(
        QUESTION_ROWS, RetrievedEvidence(), bag_of_words, bag_of_word_vectors, arm, "b", "v1"
    ).tables()
    chosen = {row["question_id"]: row["predicted"] for row in rows["predictions"].to_pylist()}
    assert chosen == {
        "bees": "honey", "cows": "milk", "open": None, "nothing": "this", "equal": "gold", "unkeyed": "cows",
    }  # fmt: skip


def test_arms_name_retrievals_that_exist() -> None:
    assert {arm.retrieval for arm in ARMS.values() if arm.retrieval} <= set(RETRIEVALS)
    assert {DEFAULT_ARM, BASELINE_ARM} <= set(FIRST_ARMS) <= set(ARMS)
    assert {DEFAULT_ARM, BASELINE_ARM} <= set(COMPARED_WITH) <= set(ARMS)
    for arm in ARMS.values():
        assert arm.generator == arm.name.rpartition("@")[2] != ""
        assert arm.description
        assert "|" not in arm.name, "it stands in a partition key"
        if arm.weights:
            assert load_weights(arm.weights)
    assert all(name == arm.name for name, arm in ARMS.items())


def test_no_two_arms_are_one_experiment() -> None:
    experiments = [(arm.retrieval, arm.generator, arm.weights, arm.selection) for arm in ARMS.values()]
    assert len(set(experiments)) == len(experiments)


def test_scores_are_made_for_the_rankings_whose_arms_read_them() -> None:
    read = {arm.retrieval for arm in ARMS.values() if arm.selection.needs_scores}
    assert set(RERANKED_RETRIEVALS) == read


def test_the_factorial_arms_differ_in_one_thing_where_their_names_do() -> None:
    factorial = {name: arm for name, arm in ARMS.items() if arm.levels}
    assert len(factorial) == 3 * 2 * 2 * 2
    pairs = controlled_pairs(ARMS.values())
    # Each arm differs in retrieval from two others, and in each other factor from one: 24 * 5 / 2.
    assert len(pairs) == len(set(pairs)) == 60
    for name, baseline in pairs:
        levels, others = dict(factorial[name].levels), dict(factorial[baseline].levels)
        [factor] = [factor for factor in levels if levels[factor] != others[factor]]
        changed = factorial[name].selection, factorial[baseline].selection
        if factor == "retrieval":
            assert changed[0] == changed[1]
            continue
        assert factorial[name].retrieval == factorial[baseline].retrieval
        assert others[factor] == "", "what is added is held against what it is added to"
        if factor == "verification":
            assert replace(changed[0], minimum_separation=None) == changed[1]
        else:
            assert changed[0].minimum_separation == changed[1].minimum_separation
        assert all(
            selection.keep == 10 or selection.chunks + selection.triples == 10 for selection in changed
        )
        assert all(
            bool(selection.triples) == bool(dict(level)["triples"])
            for selection, level in zip(
                changed, (factorial[name].levels, factorial[baseline].levels), strict=True
            )
        )


def read_by_likelihood(retrieved: RetrievedEvidence, variant: str) -> Experiment:
    arm = replace(arms(["small"])[f"{variant}_likelihood@small"], selection=Selection(chunks=1))
    return read_likelihoods(QUESTION_ROWS, retrieved, Counting(), arm, "b", "v1")


def test_a_generators_weights_score_options_by_what_evidence_adds(chunks: pa.Table, ranked: pa.Table) -> None:
    tables = read_by_likelihood(RetrievedEvidence(ranked, chunks), "chunks_only_coverage").tables()
    for table in EXPERIMENT_TABLES:
        conform(tables[table.name], table)
    predictions = {row["question_id"]: row for row in tables["predictions"].to_pylist()}
    assert predictions["bees"]["predicted"] == "honey"
    assert {row["generator"] for row in predictions.values()} == {"small"}
    assert predictions["nothing"]["abstained"]
    assert predictions["nothing"]["parse_status"] == NO_EVIDENCE
    # No option to score: what was selected is kept, and nobody answers.
    assert "open" not in predictions
    selected = {
        (row["question_id"], row["candidate"], row["evidence_id"])
        for row in tables["selected_evidence"].to_pylist()
    }
    for chain in tables["chains"].to_pylist():
        assert chain["cited"], chain
        for evidence_id in chain["cited"]:
            assert (chain["question_id"], chain["candidate"], evidence_id) in selected
        parts = {part["name"]: part["value"] for part in chain["score_parts"]}
        assert parts["information_per_token"] == pytest.approx(
            parts["with_evidence"] - parts["without_evidence"]
        )


def test_without_evidence_the_likelihood_of_the_option_is_all() -> None:
    tables = read_by_likelihood(RetrievedEvidence(), "no_evidence").tables()
    assert set(tables["predictions"].column("question_id").to_pylist()) == {
        "bees",
        "cows",
        "nothing",
        "equal",
        "unkeyed",
    }
    assert not any(tables["predictions"].column("abstained").to_pylist())
    assert not any(tables["chains"].column("cited").to_pylist())


def test_variants_of_the_likelihood_reader_are_offered_for_each_generator() -> None:
    names = [name for name, arm in arms(["small", "big"]).items() if arm.likelihood]
    assert names == [
        f"{variant}_likelihood@{generator}"
        for generator in ("small", "big")
        for variant in ("chunks_only_coverage", "full", "no_evidence")
    ]
