"""Every chunk evaluated: the oracle itself, against a plain loop."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evidence_assets.retrieval.transport.brute_force import evaluate
from evidence_assets.retrieval.transport.ground_costs import Cosine
from evidence_assets.retrieval.transport.objectives import COVERAGE, Balanced, prepare_side
from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError
from evidence_assets_tests.testing.transport_texts import GROUNDS, OBJECTIVES, best, pool, text


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_best_are_the_cheapest(ground: str, objective: str) -> None:
    random = np.random.default_rng(0)
    question, *chunks = pool(random, 12, 8)
    side = prepare_side(question, GROUNDS[ground])
    costs = [
        OBJECTIVES[objective].solve(GROUNDS[ground], side, prepare_side(chunk, GROUNDS[ground])).cost
        for chunk in chunks
    ]
    cheapest = best(question, chunks, GROUNDS[ground], OBJECTIVES[objective], 5)
    expected = sorted(zip(costs, range(11), strict=True))[:5]
    assert [(solution.cost, number) for number, solution in cheapest] == expected


def test_ties_go_to_the_lower_number() -> None:
    random = np.random.default_rng(0)
    question, longer = text(random, 3), text(random, 4)
    cheapest = best(question, [longer, question, longer, question, longer], Cosine(), Balanced(), 4)
    assert [number for number, _ in cheapest] == [1, 3, 0, 2]


def test_fewer_chunks_than_asked_for() -> None:
    random = np.random.default_rng(0)
    assert len(best(text(random, 3), [text(random, 2)] * 3, Cosine(), COVERAGE, 9)) == 3
    assert best(text(random, 3), [], Cosine(), COVERAGE, 9) == []


def test_a_broken_text_is_named() -> None:
    random = np.random.default_rng(0)
    sound = text(random, 3)
    broken = replace(sound, weights=np.zeros(3))
    with pytest.raises(InvalidTokenSetError, match="chunk 1: "):
        evaluate(sound, [sound, broken], Cosine(), COVERAGE)
    with pytest.raises(InvalidTokenSetError, match="question: "):
        evaluate(broken, [sound], Cosine(), COVERAGE)
