"""USCRaKE's arms through Dagster on the small project: what each selects, cites and is scored by."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import dagster as dg
import numpy as np
import pytest

from evidence_assets.lake import catalogue, schemas
from evidence_assets.models.encoder import packaged_minilm
from evidence_assets.models.encoder_loading import load_encoder
from evidence_assets.reading.selection import CONTRASTED, RERANKED
from evidence_assets.systems.uscrake.arms import ARMS, SYSTEM
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    ARMS_MADE,
    BENCHMARKS,
    MINERAL_QUIZ,
    Built,
    SmallProject,
    arms_made,
    failure_of,
    metadata_of,
    retrievals_reranked,
    run_job,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]

Rows = list[dict[str, Any]]
WITH_TRIPLES = [arm for arm in ARMS_MADE if ARMS[arm].selection.triples]


def rows(built: Built, table: schemas.Table, arm: str, benchmark: str = ANIMAL_QUIZ) -> Rows:
    place = {"system": SYSTEM, "arm": arm, "benchmark": benchmark}
    made: Rows = built.project.lake.read(table, place).to_pylist()
    return made


def evidence_of(built: Built, arm: str, benchmark: str = ANIMAL_QUIZ) -> Mapping[str, dict[str, Any]]:
    return {row["evidence_id"]: row for row in rows(built, schemas.EVIDENCE, arm, benchmark)}


def joint_scores(built: Built, retrieval: str) -> Mapping[tuple[str, int, str], dict[str, Any]]:
    place = {"benchmark": ANIMAL_QUIZ, "retrieval": retrieval}
    reranked = built.project.lake.read(schemas.RERANKED_EVIDENCE, place).to_pylist()
    return {(row["question_id"], row["candidate"], row["source_key"]): row for row in reranked}


def selected(built: Built, arm: str) -> Mapping[tuple[str, int], Rows]:
    """What each candidate was given, in its order, with the evidence's own columns."""
    evidence = evidence_of(built, arm)
    lists: dict[tuple[str, int], Rows] = {}
    for row in sorted(rows(built, schemas.SELECTED_EVIDENCE, arm), key=lambda row: row["rank"]):
        units = lists.setdefault((row["question_id"], row["candidate"]), [])
        units.append({**evidence[row["evidence_id"]], **row})
    return lists


def test_every_kind_of_selection_is_made() -> None:
    """Or the tests below would test less than they say."""
    selections = [ARMS[arm].selection for arm in WITH_TRIPLES]
    assert {selection.order for selection in selections} >= {RERANKED, CONTRASTED}
    assert any(selection.question_only for selection in selections)
    assert any(selection.minimum_separation for selection in selections)
    assert any(selection.keep for selection in selections)
    assert any(not selection.chunks for selection in selections)
    assert any(selection.triples and not selection.needs_scores for selection in selections)


@pytest.mark.parametrize("arm", WITH_TRIPLES)
def test_citations_of_triples_are_valid(built: Built, arm: str) -> None:
    evidence, lists = evidence_of(built, arm), selected(built, arm)
    shared = ARMS[arm].selection.question_only
    kinds: set[str] = set()
    for chain in rows(built, schemas.CHAINS, arm):
        # A filter may leave an option without evidence.
        given_units = lists.get((chain["question_id"], -1 if shared else chain["candidate"]), [])
        assert chain["citation_status"] == ("valid" if given_units else "nothing cited")
        sources = {(row["source_table"], row["source_key"]) for row in given_units}
        cited = [evidence[evidence_id] for evidence_id in chain["cited"]]
        assert {(unit["source_table"], unit["source_key"]) for unit in cited} <= sources
        for evidence_id in chain["cited"]:
            unit = evidence[evidence_id]
            kinds.add(unit["kind"])
            assert unit["text"] in chain["text"]
            if unit["kind"] == "triple":
                assert unit["locator"]["triple_ids"] == [unit["source_key"]]
    selection = ARMS[arm].selection
    if not selection.chunks:
        assert kinds == {"triple"}
    elif selection.keep is None and selection.minimum_separation is None:
        assert kinds == {"sentence", "triple"}


@pytest.mark.parametrize("arm", WITH_TRIPLES)
def test_each_arm_is_given_what_its_selection_says(built: Built, arm: str) -> None:
    selection = ARMS[arm].selection
    lists = selected(built, arm)
    scored = joint_scores(built, ARMS[arm].retrieval) if selection.needs_scores else {}
    assert {candidate for _, candidate in lists} == ({-1} if selection.question_only else {-1, 0, 1})
    for (question_id, candidate), units in lists.items():
        kinds = [row["kind"] for row in units]
        assert kinds.count("chunk") <= selection.chunks
        assert kinds.count("triple") <= selection.triples
        assert len(units) <= (selection.keep or 99)
        if not selection.needs_scores:
            assert kinds == sorted(kinds), "chunks, then triples"
            continue
        joint = [scored[question_id, candidate, row["source_key"]] for row in units]
        if selection.order == RERANKED:
            scores = [row["score"] for row in joint]
            assert [row["score"] for row in units] == scores == sorted(scores, reverse=True)
            assert all(row["found_rank"] is not None for row in joint)
        if selection.minimum_separation is not None:
            assert all(row["separation"] >= selection.minimum_separation for row in joint)
        for row, joint_row in zip(units, joint, strict=True):
            parts = {part["name"]: part["value"] for part in row["score_parts"]}
            assert (parts["joint_score"], parts["separation"]) == (
                joint_row["score"],
                joint_row["separation"],
            )


def test_contrast_gives_an_option_what_another_option_found(built: Built) -> None:
    [arm] = [arm for arm in WITH_TRIPLES if ARMS[arm].selection.order == CONTRASTED]
    scored = joint_scores(built, ARMS[arm].retrieval)
    borrowed = [
        row["source_key"]
        for (question_id, candidate), units in selected(built, arm).items()
        for row in units
        if scored[question_id, candidate, row["source_key"]]["found_rank"] is None
    ]
    assert borrowed
    # Kelp's own triple is offered to grass, last of all.
    grass = [row["text"] for row in selected(built, arm)["a1", 1] if row["kind"] == "triple"]
    assert grass[-1] == "kelp is a seaweed"


def test_joint_scores_are_the_encoders_cosines(built: Built) -> None:
    encoder = load_encoder("all-MiniLM-L6-v2", packaged_minilm(), None, None)
    lake = built.project.lake
    texts = {
        row["chunk_id"]: row["text"]
        for place in lake.partitions(schemas.CHUNKS)
        for row in lake.read(schemas.CHUNKS, place).to_pylist()
    }
    ranked = lake.read(schemas.RANKED_TRIPLES, {"benchmark": ANIMAL_QUIZ}).to_pylist()
    texts |= {row["triple_id"]: row["text"] for row in ranked}
    questions = {
        row["question_id"]: row
        for row in lake.read(schemas.QUESTIONS, {"benchmark": ANIMAL_QUIZ}).to_pylist()
    }
    scored = list(joint_scores(built, retrievals_reranked(ANIMAL_QUIZ)[0]).values())
    assert {row["source_table"] for row in scored} == {"chunks", "triples"}
    queries = []
    for row in scored:
        question = questions[row["question_id"]]
        option = "" if row["candidate"] == -1 else f" {question['options'][row['candidate']]}"
        queries.append(f"{question['question']}{option}")
    query_vectors, text_vectors = (
        encoder.encode(queries),
        encoder.encode([texts[row["source_key"]] for row in scored]),
    )
    np.testing.assert_allclose(
        [row["score"] for row in scored], (query_vectors * text_vectors).sum(axis=1), atol=3e-6
    )
    assert {row["scorer"] for row in scored} == {f"encoder_similarity:{encoder.encoder_id}"}


def test_runs_show_what_was_selected(built: Built) -> None:
    shown: dict[str, dict[str, Any]] = {}
    for job, _, result in built.results:
        if job == "run_uscrake":
            shown |= metadata_of(result, f"{SYSTEM}/selected_evidence")
    expected = {f"{arm}|{benchmark}" for benchmark in BENCHMARKS for arm in arms_made(benchmark)}
    assert shown.keys() - {""} == expected
    for arm in ARMS_MADE:
        counts = shown[f"{arm}|{ANIMAL_QUIZ}"]["selected"]
        assert ("triple" in counts) == bool(ARMS[arm].selection.triples)
        assert sum(counts.values()) == len(rows(built, schemas.SELECTED_EVIDENCE, arm))


def test_scores_hold_the_recall_of_what_was_selected(built: Built) -> None:
    for arm in (name for name in ARMS_MADE if ARMS[name].retrieval):
        scores = {row["metric"]: row for row in rows(built, schemas.BENCHMARK_SCORES, arm)}
        selection = ARMS[arm].selection
        for depth in (1, 5, 15):
            assert scores[f"evidence_recall@{depth}"]["n"] == 3
            assert (f"right_option_recall@{depth}" in scores) != selection.question_only
        if not selection.chunks:
            assert scores["evidence_recall@15"]["value"] == 0, "no chunk was selected"
        elif not selection.triples:
            # As ranked: the same figures under another name.
            for depth in (1, 5, 15):
                assert scores[f"evidence_recall@{depth}"]["value"] == scores[f"recall@{depth}"]["value"]
        elif selection.keep is None and selection.minimum_separation is None:
            assert scores["evidence_recall@15"]["value"] == pytest.approx(2 / 3), "a3's text is nowhere"


def test_a_right_answer_from_triples_is_traced_to_who_states_them(built: Built) -> None:
    [arm] = [arm for arm in WITH_TRIPLES if not ARMS[arm].selection.chunks]
    with catalogue.connect(built.project.lake) as connection:
        traced: list[tuple[Any, ...]] = []
        for (prediction_id,) in connection.execute(
            "SELECT prediction_id FROM predictions WHERE arm = ?", [arm]
        ).fetchall():
            traced += connection.execute(
                "SELECT kind, source_title, licence, source_unchanged FROM trace(?)", [prediction_id]
            ).fetchall()
    assert set(traced) == {("triple", "nature", "CC0-1.0", True)}


# --- a benchmark without a graph


# One that reads joint scores, which such a benchmark need not have, and one that reads none.
@pytest.mark.parametrize("arm", {ARMS[arm].selection.needs_scores: arm for arm in WITH_TRIPLES}.values())
def test_an_arm_that_reads_triples_names_what_lacks_a_graph(copied: SmallProject, arm: str) -> None:
    files = copied.files()
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_job(
            copied.definitions(), "run_uscrake", f"{arm}|{MINERAL_QUIZ}", instance, raise_on_error=False
        )
    message = failure_of(result)
    assert "LookupError" in message
    assert f"arm {arm} reads triples, and {copied.configuration} names no graph for benchmark" in message
    assert f"benchmarks.{MINERAL_QUIZ}.graph" in message
    assert "remedy: name one there" in message
    assert copied.files() == files


def test_what_lacks_a_graph_does_not_keep_other_arms_from_being_made(copied: SmallProject) -> None:
    """Automation asks for all arms of a benchmark in one run: those of chunks alone are made all the same."""
    first, last = next(
        (with_triples, chunks_alone)
        for with_triples, chunks_alone in pairwise(ARMS)
        if ARMS[with_triples].selection.triples
        and not ARMS[chunks_alone].selection.triples
        and ARMS[chunks_alone].retrieval in {ARMS[arm].retrieval for arm in arms_made(MINERAL_QUIZ)}
    )
    with dg.DagsterInstance.ephemeral() as instance:
        definitions = copied.definitions()
        tags = {
            "dagster/asset_partition_range_start": f"{first}|{MINERAL_QUIZ}",
            "dagster/asset_partition_range_end": f"{last}|{MINERAL_QUIZ}",
        }
        result = definitions.resolve_job_def("run_uscrake").execute_in_process(
            instance=instance, tags=tags, raise_on_error=False
        )
        assert f"arm {first} reads triples" in failure_of(result)
        made = instance.get_materialized_partitions(dg.AssetKey([SYSTEM, "predictions"]))
    assert made == {f"{last}|{MINERAL_QUIZ}"}
    place = {"system": SYSTEM, "arm": last, "benchmark": MINERAL_QUIZ}
    assert copied.lake.read(schemas.PREDICTIONS, place).num_rows == 2
    assert not copied.lake.exists(schemas.PREDICTIONS, {**place, "arm": first})
