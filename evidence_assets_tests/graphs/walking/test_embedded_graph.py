"""A graph with vectors of its labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from evidence_assets.graphs.walking.adjacency import adjacency
from evidence_assets.graphs.walking.embedded_graph import embed_graph
from evidence_assets.graphs.walking.walks import prior
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets_tests.testing.graph_samples import SignEncoder, cosine, graph_of


def test_a_graph_is_embedded_by_its_labels_and_each_is_encoded_once(tmp_path: Path) -> None:
    graph = graph_of([("cat", "IsA", "pet", 1.0), ("dog", "IsA", "pet", 1.0), ("emu", "IsA", "emu", 1.0)])
    encoder = SignEncoder()
    embedded = embed_graph(graph, CachedEncoder(encoder, tmp_path))
    assert embedded.graph is graph
    assert embedded.adjacency.of(graph.labels.to_pylist().index("pet")).tolist() == [0, 1]
    assert sorted(encoder.texts) == graph.labels.to_pylist() == ["cat", "dog", "emu", "pet"]
    np.testing.assert_array_equal(embedded.vectors, SignEncoder().encode(graph.labels.to_pylist()))
    np.testing.assert_array_equal(embedded.prior, prior(adjacency(graph)))
    embed_graph(graph, CachedEncoder(encoder, tmp_path))
    assert len(encoder.texts) == 4


def test_cosines_are_of_all_nodes_to_all_questions_to_six_decimals(tmp_path: Path) -> None:
    graph = graph_of([("cat", "IsA", "pet", 1.0), ("dog", "IsA", "pet", 1.0)])
    embedded = embed_graph(graph, CachedEncoder(SignEncoder(), tmp_path))
    questions = ["Which pet barks?", "cat"]
    cosines = embedded.cosines(SignEncoder().encode(questions))
    assert (cosines.shape, cosines.dtype) == ((3, 2), np.dtype(np.float64))
    expected = [[round(cosine(label, text), 6) for text in questions] for label in ("cat", "dog", "pet")]
    np.testing.assert_array_equal(cosines, expected)
    assert cosines[0, 1] == 1.0
    uneven = np.full((1, 64), 1 / 3, dtype=np.float32)
    np.testing.assert_array_equal(embedded.cosines(uneven), embedded.cosines(uneven).round(6))
