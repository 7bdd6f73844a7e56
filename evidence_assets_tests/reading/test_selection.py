"""What each candidate is argued from: how much, in which order, filtered or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.evidence.experiment import Selected
from evidence_assets.evidence.units import EvidenceUnit, units_of_chunks
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.schemas import CHUNKS, RANKED_CHUNKS, RANKED_TRIPLES
from evidence_assets.reading.selection import (
    CONTRASTED,
    RERANKED,
    RETRIEVED,
    Pool,
    Selection,
    candidate_evidence,
    pools,
)
from evidence_assets.retrieval.reranking import reranked_rows
from evidence_assets.text.queries import Query
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.table_rows import table_of

Scores = Mapping[str, Sequence[float]]
OPTIONS = ["first", "second", "third"]


class TableScorer:
    """Scores that stand in a table: a text's against the question alone, then against each option."""

    measure, scorer_id, cut = "fake", "fake:table@1", 0

    def __init__(self, scores: Scores) -> None:
        self.scores = scores

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> np.ndarray:
        scores = [self.scores[text][int(query)] for query, text in zip(queries, texts, strict=True)]
        return np.array(scores, np.float64)


def chunk_units(*chunk_ids: str) -> dict[str, EvidenceUnit]:
    rows = [
        {
            "chunk_id": chunk_id,
            "article_id": "a",
            "char_end": len(chunk_id),
            "text": chunk_id,
            "text_hash": text_hash(chunk_id),
            "sentence_ends": [len(chunk_id)],
        }
        for chunk_id in chunk_ids
    ]
    units = units_of_chunks(table_of(CHUNKS, *rows))
    return {chunk_id: chunk for chunk_id, (chunk, _) in units.items()}


def ranked(lists: Mapping[int, Sequence[str]], kind: str) -> pa.Table:
    """`ranked_chunks` or `ranked_triples` rows: each candidate's list, best first, in shuffled rows."""
    rows = [
        {
            "benchmark": "b",
            "retrieval": "r",
            "question_id": "q",
            "candidate": candidate,
            "rank": rank,
            f"{kind}_id": key,
            "text": key,
            "touches": "both",
            "score": 1.0 - rank / 100,
            "score_parts": [{"name": "found", "value": 1.0 - rank / 100}],
            "scorer": "s",
        }
        for candidate, ranking in lists.items()
        for rank, key in enumerate(ranking, start=1)
    ]
    table = RANKED_CHUNKS if kind == "chunk" else RANKED_TRIPLES
    return pa.Table.from_pylist(rows[::-1], schema=table.schema)


def pool_of(
    chunks: Mapping[int, Sequence[str]],
    triples: Mapping[int, Sequence[str]],
    scores: Scores | None = None,
    options: int = 3,
) -> Pool:
    """The pool of one question; its joint scores come from the table of scores, where there is one."""
    names = sorted({key for ranking in chunks.values() for key in ranking})
    of_chunks, of_triples = ranked(chunks, "chunk"), ranked(triples, "triple")
    rows = None
    if scores is not None:
        queries = [Query("q", number, str(number + 1)) for number in range(-1, options)]
        texts = {name: name for name in names}
        blocks = reranked_rows(queries, of_chunks, texts, of_triples, TableScorer(scores), "b", "r", 99)
        rows = pa.concat_tables(blocks)
    return pools(of_chunks, chunk_units(*names), of_triples, rows)["q"]


def keys(selected: Sequence[Selected]) -> list[str]:
    return [chosen.unit.source_key for chosen in selected]


CHUNK_LISTS = {-1: ["c1", "c2", "c3"], 0: ["c2", "c1", "c4"], 1: ["c3", "c1"], 2: ["c1", "c2"]}
TRIPLE_LISTS = {-1: ["t1"], 0: ["t2", "t1", "t3"], 1: ["t1", "t3"], 2: []}
# Against the question alone, then against each option.
SCORES: Scores = {
    "c1": (0.9, 0.50, 0.50, 0.50),
    "c2": (0.1, 0.30, 0.20, 0.10),
    "c3": (0.2, 0.10, 0.90, 0.20),
    "c4": (0.0, 0.40, 0.00, 0.20),
    "t1": (0.5, 0.20, 0.60, 0.10),
    "t2": (0.0, 0.90, 0.10, 0.20),
    "t3": (0.3, 0.45, 0.45, 0.45),
}


@pytest.fixture(scope="module")
def pool() -> Pool:
    return pool_of(CHUNK_LISTS, TRIPLE_LISTS, SCORES)


def test_the_defaults_of_the_thesis() -> None:
    assert Selection() == Selection(15, 0, RETRIEVED, None, None, False)
    assert not Selection().needs_scores
    assert Selection(order=RERANKED).needs_scores
    assert Selection(order=CONTRASTED).needs_scores
    assert Selection(minimum_separation=0.1).needs_scores


def test_as_retrieved_chunks_come_first_then_triples(pool: Pool) -> None:
    selection = Selection(15, 10, RETRIEVED)
    assert keys(pool.select(0, selection)) == ["c2", "c1", "c4", "t2", "t1", "t3"]
    assert keys(pool.select(1, selection)) == ["c3", "c1", "t1", "t3"]
    assert keys(pool.select(2, selection)) == ["c1", "c2"]
    assert keys(pool.select(-1, selection)) == ["c1", "c2", "c3", "t1"]
    best = pool.select(0, selection)[0]
    assert (best.score, best.score_parts) == (0.99, [{"name": "found", "value": 0.99}])


@pytest.mark.parametrize(
    ("k", "s", "expected"),
    [
        (0, 10, ["t2", "t1", "t3"]),
        (15, 0, ["c2", "c1", "c4"]),
        (1, 2, ["c2", "t2", "t1"]),
        (2, 1, ["c2", "c1", "t2"]),
        (0, 0, []),
    ],
)
def test_so_many_chunks_and_triples_are_taken(pool: Pool, k: int, s: int, expected: list[str]) -> None:
    assert keys(pool.select(0, Selection(k, s, RETRIEVED))) == expected
    assert sorted(keys(pool.select(0, Selection(k, s, RERANKED)))) == sorted(expected)


def test_reranked_together_by_the_joint_score(pool: Pool) -> None:
    selection = Selection(15, 10, RERANKED)
    selected = pool.select(0, selection)
    assert keys(selected) == ["t2", "c1", "t3", "c4", "c2", "t1"]
    assert [chosen.score for chosen in selected] == [0.9, 0.5, 0.45, 0.4, 0.3, 0.2]
    assert keys(pool.select(1, selection)) == ["c3", "t1", "c1", "t3"]
    assert keys(pool.select(-1, selection)) == ["c1", "t1", "c3", "c2"]
    parts = {part["name"]: part["value"] for part in selected[3].score_parts}
    assert parts == {"found": 0.97, "joint_score": 0.4, "separation": pytest.approx(0.2)}


def test_the_limits_are_of_the_retrieved_lists_not_of_the_joint_one(pool: Pool) -> None:
    """The first of the chunks and the first of the triples, whatever a joint score would bring up."""
    assert keys(pool.select(0, Selection(1, 1, RERANKED))) == ["t2", "c2"]


@pytest.mark.parametrize(("order", "expected"), [(RETRIEVED, ["c2", "c1"]), (RERANKED, ["t2", "c1"])])
def test_keep_cuts_the_joint_list(pool: Pool, order: str, expected: list[str]) -> None:
    assert keys(pool.select(0, Selection(15, 10, order, keep=2))) == expected
    assert len(pool.select(0, Selection(15, 10, order, keep=99))) == 6


def test_what_does_not_separate_the_options_is_left_out(pool: Pool) -> None:
    separations = {"c1": 0.0, "c2": 0.1, "c3": 0.5, "c4": 0.2, "t1": 0.3, "t2": 0.5, "t3": 0.0}
    for minimum in (0.0, 0.1, 0.2, 0.25, 0.3, 0.6):
        selection = Selection(15, 10, RERANKED, minimum_separation=minimum)
        everything = keys(pool.select(0, Selection(15, 10, RERANKED)))
        assert keys(pool.select(0, selection)) == [
            key for key in everything if separations[key] >= minimum - 1e-9
        ]


def test_as_retrieved_and_filtered_keeps_the_retrieved_order(pool: Pool) -> None:
    selection = Selection(15, 10, RETRIEVED, minimum_separation=0.15)
    assert keys(pool.select(0, selection)) == ["c4", "t2", "t1"]
    assert keys(pool.select(0, Selection(15, 10, RETRIEVED, keep=2, minimum_separation=0.15))) == ["c4", "t2"]


def test_contrasted_takes_from_all_options_what_prefers_this_one(pool: Pool) -> None:
    """s + (s - mean of the others): for the second option, of what any option found."""
    selected = pool.select(1, Selection(15, 10, CONTRASTED))
    assert keys(selected) == ["c3", "t1", "c1", "t3", "c2", "c4", "t2"]
    expected = [0.9 + 0.75, 0.6 + 0.45, 0.5, 0.45, 0.2, 0.0 - 0.3, 0.1 - 0.45]
    np.testing.assert_allclose([chosen.score for chosen in selected], expected, atol=1e-6)
    assert keys(pool.select(1, Selection(2, 1, CONTRASTED))) == ["c3", "t1", "c1"]
    # Of the first option's three chunks c4 has most contrast (.7), but no option found it first.
    assert keys(pool.select(0, Selection(15, 0, CONTRASTED)))[0] == "c4"
    assert keys(pool.select(0, Selection(1, 0, CONTRASTED))) == ["c1"]


def test_contrast_brings_up_what_another_option_found(pool: Pool) -> None:
    by_key = {chosen.unit.source_key: chosen for chosen in pool.select(2, Selection(15, 10, CONTRASTED))}
    assert set(by_key) == {"c1", "c2", "c3", "c4", "t1", "t2", "t3"}
    # It has no rank or score of its own in this option's list.
    assert {part["name"] for part in by_key["t2"].score_parts} == {"joint_score", "separation"}
    assert {part["name"] for part in by_key["c1"].score_parts} == {"found", "joint_score", "separation"}


def test_what_the_question_alone_found_is_not_contrasted() -> None:
    scores = {"own": (0.1, 0.5, 0.4), "alone": (0.9, 0.9, 0.1)}
    pool = pool_of({-1: ["alone"], 0: ["own"], 1: ["own"]}, {}, scores, options=2)
    assert keys(pool.select(0, Selection(15, 10, CONTRASTED))) == ["own"]
    assert keys(pool.select(-1, Selection(15, 10, CONTRASTED))) == ["alone"]


def test_with_one_option_there_is_nothing_to_contrast() -> None:
    pool = pool_of(
        {0: ["c1", "c2"]}, {0: ["t1"]}, {"c1": (0, 0.1), "c2": (0, 0.9), "t1": (0, 0.5)}, options=1
    )
    for order in (CONTRASTED, RERANKED):
        assert keys(pool.select(0, Selection(15, 10, order))) == ["c2", "t1", "c1"]


def test_of_equal_scores_chunks_go_first_then_the_key_decides() -> None:
    same = dict.fromkeys(("b", "a", "x", "w"), (0.5, 0.5, 0.5))
    pool = pool_of({0: ["b", "a"], 1: ["a", "b"]}, {0: ["x", "w"], 1: ["w"]}, same, options=2)
    for order in (RERANKED, CONTRASTED):
        assert keys(pool.select(0, Selection(15, 10, order))) == ["a", "b", "w", "x"]
    assert keys(pool.select(0, Selection(1, 1, CONTRASTED))) == ["a", "w"]


@pytest.mark.parametrize("order", [RETRIEVED, RERANKED, CONTRASTED])
def test_each_candidate_is_given_its_own_and_one_without_any_is_absent(order: str) -> None:
    scores = {"c1": (0.1, 0.2, 0.3, 0.4), "t1": (0.4, 0.3, 0.2, 0.1)}
    pool = pool_of({-1: ["c1"], 1: ["c1"]}, {1: ["t1"]}, scores)
    evidence = candidate_evidence(pool, OPTIONS, Selection(15, 10, order))
    if order == CONTRASTED:  # what the second option found is offered to all
        assert {candidate: sorted(keys(selected)) for candidate, selected in evidence.items()} == {
            -1: ["c1"],
            **{option: ["c1", "t1"] for option in (0, 1, 2)},
        }
    else:
        assert {candidate: sorted(keys(selected)) for candidate, selected in evidence.items()} == {
            -1: ["c1"],
            1: ["c1", "t1"],
        }
    assert candidate_evidence(Pool(), OPTIONS, Selection(15, 10, order)) == {}
    assert list(candidate_evidence(pool, [], Selection(15, 10, order))) == [-1]


def test_the_filter_can_leave_a_candidate_without_evidence(pool: Pool) -> None:
    evidence = candidate_evidence(pool, OPTIONS, Selection(15, 10, RERANKED, minimum_separation=0.45))
    assert {candidate: keys(selected) for candidate, selected in evidence.items()} == {
        -1: ["c3"],
        0: ["t2"],
        1: ["c3"],
    }
    assert candidate_evidence(pool, OPTIONS, Selection(15, 10, RERANKED, minimum_separation=9.0)) == {}


@pytest.mark.parametrize("order", [RETRIEVED, RERANKED, CONTRASTED])
def test_the_question_alone_may_find_for_every_option(pool: Pool, order: str) -> None:
    evidence = candidate_evidence(pool, OPTIONS, Selection(15, 10, order, question_only=True))
    assert list(evidence) == [-1]
    assert sorted(keys(evidence[-1])) == ["c1", "c2", "c3", "t1"]


def test_scores_are_not_needed_where_none_are_read() -> None:
    pool = pool_of(CHUNK_LISTS, TRIPLE_LISTS)
    assert keys(pool.select(0, Selection(15, 10))) == ["c2", "c1", "c4", "t2", "t1", "t3"]


def test_a_chunk_and_a_triple_of_one_key_are_two_units() -> None:
    scores = {"x": (0.5, 0.5, 0.5)}
    pool = pool_of({0: ["x"]}, {0: ["x"]}, scores, options=2)
    selected = pool.select(0, Selection(15, 10, RERANKED))
    assert [(chosen.unit.source_table, chosen.unit.source_key) for chosen in selected] == [
        ("chunks", "x"),
        ("triples", "x"),
    ]
    assert len({chosen.unit.evidence_id for chosen in selected}) == 2


def test_pools_are_by_question_and_without_triples_or_scores() -> None:
    rows = ranked({0: ["c1"]}, "chunk").to_pylist()
    both = pa.Table.from_pylist([*rows, {**rows[0], "question_id": "p"}], schema=RANKED_CHUNKS.schema)
    by_question = pools(both, chunk_units("c1"), None, None)
    assert set(by_question) == {"p", "q"}
    assert keys(by_question["p"].select(0, Selection())) == ["c1"]
    assert pools(both.slice(0, 0), {}, None, None) == {}


_UNITS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


@examples(120)
@given(
    chunks=st.dictionaries(st.integers(-1, 2), _UNITS, min_size=1),
    triples=st.dictionaries(st.integers(-1, 2), _UNITS),
    seed=st.integers(0, 1000),
    k=st.integers(0, 6),
    s=st.integers(0, 6),
    order=st.sampled_from([RETRIEVED, RERANKED, CONTRASTED]),
    keep=st.none() | st.integers(1, 8),
    minimum=st.none() | st.floats(0, 0.5),
)
def test_selected_evidence_is_unique_and_within_its_limits(
    chunks: dict[int, list[str]],
    triples: dict[int, list[str]],
    seed: int,
    k: int,
    s: int,
    order: str,
    keep: int | None,
    minimum: float | None,
) -> None:
    random = np.random.default_rng(seed)
    marked = {candidate: [key.upper() for key in ranking] for candidate, ranking in triples.items()}
    everything = sorted({key for lists in (chunks, marked) for ranking in lists.values() for key in ranking})
    if not any(chunks.values()) and not any(marked.values()):
        return
    scores = {key: tuple(random.random(4).round(2)) for key in everything}
    pool = pool_of(chunks, marked, scores)
    selection = Selection(k, s, order, keep, minimum)
    for candidate, selected in candidate_evidence(pool, OPTIONS, selection).items():
        source_keys = keys(selected)
        assert len(set(source_keys)) == len(source_keys) <= (keep or 99)
        assert sum(chosen.unit.source_table == "chunks" for chosen in selected) <= k
        assert sum(chosen.unit.source_table == "triples" for chosen in selected) <= s
        if order != RETRIEVED:
            assert [chosen.score for chosen in selected] == sorted(
                (chosen.score for chosen in selected), reverse=True
            )
        if order != CONTRASTED or candidate == -1:
            assert set(source_keys) <= {*chunks.get(candidate, []), *marked.get(candidate, [])}
        if minimum is not None:
            offered = [np.array(scores[key][1:]) for key in source_keys]
            assert all(values.max() - values.mean() >= minimum - 1e-6 for values in offered)
