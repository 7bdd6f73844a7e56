"""The order of answers: readings before others, nearness within, a second look, ties, and the answer set."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.systems.four_step_focus import ranking
from evidence_assets.systems.four_step_focus.ranking import Candidate, rank_candidates


def _nodes(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(numbers, dtype=np.int32)


def candidates(
    readings: list[np.ndarray[tuple[int], np.dtype[np.int32]]],
    nearness: np.ndarray[tuple[int], np.dtype[np.float64]],
    most: int,
) -> list[Candidate]:
    """With every node in the pool of what is near."""
    pool = [(int(node), float(nearness[node])) for node in np.lexsort((np.arange(len(nearness)), -nearness))]
    return ranking.candidates(readings, lambda nodes: nearness[nodes], pool, most)


NEARNESS = np.array([0.1, 0.9, 0.5, 0.3, 0.8, 0.2])


def test_answers_of_a_likelier_reading_stand_first_and_the_nearest_others_follow() -> None:
    pool = candidates([_nodes(0, 3), _nodes(2, 3)], NEARNESS, most=5)

    assert [(candidate.node, candidate.reading) for candidate in pool] == [
        (3, 0),
        (0, 0),
        (2, 1),
        (1, None),
        (4, None),
    ]
    assert [candidate.nearness for candidate in pool] == [NEARNESS[node] for node in (3, 0, 2, 1, 4)]


def test_a_set_of_answers_is_kept_whole_past_the_number_that_is_ranked() -> None:
    pool = candidates([_nodes(*range(5)), _nodes(5)], NEARNESS, most=3)

    assert [candidate.node for candidate in pool] == [1, 4, 2, 3, 0]


def test_a_huge_set_of_answers_is_cut_to_the_nearest() -> None:
    nearness = np.linspace(0, 1, 3_000)

    pool = candidates([np.arange(3_000, dtype=np.int32)], nearness, most=20)

    assert len(pool) == ranking.MOST_RETURNED
    assert pool[0].node == 2_999


def test_without_a_reading_the_nearest_documents_answer() -> None:
    pool = candidates([], NEARNESS, most=2)
    ranked = rank_candidates(pool)

    assert [(answer.candidate.node, answer.returned) for answer in ranked] == [(1, True), (4, False)]
    assert all(answer.score < 0 for answer in ranked)


def test_of_equally_near_nodes_all_that_fit_are_in_the_order_of_their_numbers() -> None:
    pool = candidates([], np.zeros(6), most=3)

    assert [candidate.node for candidate in pool] == [0, 1, 2]


def test_a_second_look_orders_within_a_reading_and_never_across() -> None:
    pool = [Candidate(0, 0, 0.9), Candidate(1, 0, 0.1), Candidate(2, 1, 0.5), Candidate(3, None, 0.95)]

    ranked = rank_candidates(pool, {0: 0.1, 1: 0.2, 2: 0.9, 3: 1.0})

    assert [answer.candidate.node for answer in ranked] == [1, 0, 2, 3]
    assert [answer.returned for answer in ranked] == [True, True, False, False]


def test_what_the_triplets_support_ranks_above_what_they_do_not_however_it_is_reranked() -> None:
    """Section 3 of the paper: "candidates in C_filtered remain ranked higher" than those that fill up."""
    pool = [Candidate(0, 0, 0.9), Candidate(2, None, 0.5), Candidate(3, None, 0.95)]

    ranked = rank_candidates(pool, {0: 0.1, 2: 0.9, 3: 0.8})

    assert [answer.candidate.node for answer in ranked] == [0, 2, 3]


def test_nodes_that_a_second_look_skipped_follow_those_of_their_reading() -> None:
    ranked = rank_candidates([Candidate(0, 0, 0.9), Candidate(1, 0, -0.9)], {1: -3.0})

    assert [answer.candidate.node for answer in ranked] == [1, 0]


def test_where_the_first_reading_has_no_node_the_next_is_the_answer_set() -> None:
    pool = candidates([_nodes(), _nodes(2, 5)], NEARNESS, most=3)

    assert {candidate.candidate.node for candidate in rank_candidates(pool) if candidate.returned} == {2, 5}


def test_an_empty_graph_has_no_answer() -> None:
    assert candidates([], np.empty(0), most=20) == []
    assert rank_candidates([]) == []


_KNOWN = st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=30)


@given(_KNOWN, st.data())
def test_a_ranking_holds_every_node_once_in_descending_order(
    values: list[float], data: st.DataObject
) -> None:
    nearness = np.array(values, dtype=np.float64)
    subsets = st.sets(st.integers(0, len(values) - 1))
    readings = [_nodes(*sorted(data.draw(subsets))) for _ in range(3)]

    ranked = rank_candidates(candidates(readings, nearness, most=10))

    nodes = [answer.candidate.node for answer in ranked]
    assert len(set(nodes)) == len(nodes)
    assert len(nodes) >= min(10, len(values))
    scores = [answer.score for answer in ranked]
    assert scores == sorted(scores, reverse=True)
    supported = [answer.candidate.reading is not None for answer in ranked]
    assert supported == sorted(supported, reverse=True)
    equal = [
        (above.candidate.reading, above.candidate.nearness)
        == (below.candidate.reading, below.candidate.nearness)
        for above, below in pairwise(ranked)
    ]
    tied = [above == below for above, below in pairwise(scores)]
    assert all(tie or not same for same, tie in zip(equal, tied, strict=True))
