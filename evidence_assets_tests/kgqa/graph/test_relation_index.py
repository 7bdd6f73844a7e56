"""Rows of relations: against sets of pairs, for few nodes and for many."""

from __future__ import annotations

import numpy as np
import pytest

from evidence_assets.kgqa.graph.indexing import RelationIndex
from evidence_assets_tests.testing.query_samples import sample_of

SIZE = 2000


@pytest.mark.parametrize("count", [0, 1, 3, 40, 1500])
@pytest.mark.parametrize("triples", [20, 6000])
def test_rows_are_the_pairs_of_the_triples(count: int, triples: int) -> None:
    generator = np.random.default_rng(count)
    ends = generator.integers(0, SIZE, (triples, 2)).tolist()
    stated = [(head, "rs"[place % 2], tail) for place, (head, tail) in enumerate(ends)]
    index = RelationIndex(sample_of(SIZE, [*stated, stated[0]], [frozenset()] * SIZE).graph)
    nodes = np.sort(generator.choice(SIZE, count, replace=False)).astype(np.int32)
    pairs = {(head, tail) for head, relation, tail in stated if relation == "r"}
    cases = [
        (index.rows("r", False), pairs),
        (index.rows("r", True), {(tail, head) for head, tail in pairs}),
        (index.rows("absent", False), set()),
    ]
    for rows, expected in cases:
        sources = np.repeat(rows.sources, np.diff(rows.offsets)).tolist()
        assert list(zip(sources, rows.targets.tolist(), strict=True)) == sorted(expected)
        around = {target for source, target in expected if source in nodes}
        assert rows.reached(nodes).tolist() == sorted(around)
        assert rows.reached(nodes).dtype == np.int32


def test_a_graph_without_triples_has_no_rows() -> None:
    index = RelationIndex(sample_of(0, [], []).graph)
    assert index.rows("r", True).reached(np.empty(0, dtype=np.int32)).tolist() == []
