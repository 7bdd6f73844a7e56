"""Rows of relations: against sets of pairs, for few nodes and for many, which are looked up in two ways."""

from __future__ import annotations

import numpy as np
import pytest

from evidence_assets.kgqa.indexing import RelationIndex, among, common, distinct
from evidence_assets_tests.testing.query_samples import sample_of

SIZE = 2000


@pytest.mark.parametrize("asked", [1, 3, 40, 1500])
@pytest.mark.parametrize("triples", [20, 6000])
def test_rows_are_the_pairs_of_the_triples(asked: int, triples: int) -> None:
    generator = np.random.default_rng(asked)
    ends = generator.integers(0, SIZE, (triples, 2)).tolist()
    stated = [(head, "rs"[place % 2], tail) for place, (head, tail) in enumerate(ends)]
    index = RelationIndex(sample_of(SIZE, [*stated, stated[0]], [frozenset()] * SIZE).graph)
    nodes = np.sort(generator.choice(SIZE, asked, replace=False)).astype(np.int32)
    pairs = {(head, tail) for head, relation, tail in stated if relation == "r"}
    around = {(head, tail) for head, _, tail in stated} | {(tail, head) for head, _, tail in stated}
    cases = [
        (index.rows("r", False), pairs),
        (index.rows("r", True), {(tail, head) for head, tail in pairs}),
        (index.rows("", False), {(head, tail) for head, _, tail in stated}),
        (index.either, around),
        (index.rows("absent", False), set()),
    ]
    for rows, expected in cases:
        own = set(nodes.tolist())
        here = sorted(pair for pair in expected if pair[0] in own)
        owners, targets = rows.expand(nodes)
        assert list(zip(nodes[owners].tolist(), targets.tolist(), strict=True)) == here
        assert rows.reached(nodes).tolist() == sorted({target for _, target in here})
        assert rows.counts(nodes).tolist() == np.bincount(owners, minlength=asked).tolist()
        assert rows.loops.tolist() == sorted(head for head, tail in expected if head == tail)
        others = generator.integers(0, SIZE, asked).astype(np.int32)
        assert rows.holds(nodes, others).tolist() == [
            pair in expected for pair in zip(nodes.tolist(), others.tolist(), strict=True)
        ]
    assert index.nbytes > 0


@pytest.mark.parametrize("number", [0, 5, 1000])
def test_sets_of_nodes(number: int) -> None:
    generator = np.random.default_rng(number)
    one, other = (generator.integers(0, SIZE, number).astype(np.int32) for _ in range(2))
    ascending = distinct(one, SIZE)
    assert ascending.tolist() == sorted(set(one.tolist()))
    assert among(other, ascending, SIZE).tolist() == np.isin(other, one).tolist()
    assert common(ascending, distinct(other, SIZE), SIZE).tolist() == np.intersect1d(one, other).tolist()
