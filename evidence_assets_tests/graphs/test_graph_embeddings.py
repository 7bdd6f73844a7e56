"""Vectors of nodes: what a file says, what the graph says, and the two blended."""

from __future__ import annotations

import numpy as np
import pytest

from evidence_assets.graphs.embeddings import (
    EmbeddingFileError,
    GraphEmbeddings,
    blend,
    numberbatch,
    spectral,
)
from evidence_assets_tests.testing.network_samples import network_of

FILE = ["3 2", "/c/en/hot_dog 3 4", "/c/fr/chien 1 0", "cat 0 2"]


def test_numberbatch_labels_are_found_by_their_words() -> None:
    embeddings = numberbatch(FILE, "n.txt", ["Hot  dog", "dog", "cat"])
    np.testing.assert_allclose(embeddings.vectors, [[0.6, 0.8], [0.0, 0.0], [0.0, 1.0]], atol=1e-6)
    assert embeddings.known.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["cat 1 2"], "n.txt, line 1"),
        ([], "n.txt, line 1"),
        (["1 2", "cat 1"], "n.txt, line 2: not 2 numbers"),
        (["1 2", "cat 1 x"], "n.txt, line 2"),
        (["1 2", "cat 1 nan"], "n.txt, line 2"),
    ],
)
def test_a_broken_file_is_told_by_its_line(lines: list[str], message: str) -> None:
    with pytest.raises(EmbeddingFileError, match=message):
        numberbatch(lines, "n.txt", ["cat"])


def test_spectral_vectors_tell_two_cliques_apart_and_come_again() -> None:
    cliques = [(a, b) for base in (0, 5) for a in range(base, base + 5) for b in range(base, a)]
    network = network_of(11, [*cliques, (4, 5)])
    embeddings = spectral(network.adjacency, 2)
    cosines = embeddings.vectors @ embeddings.vectors.T
    assert cosines[0, 1] > 0.9 > 0.5 > cosines[0, 9]
    assert embeddings.known.tolist() == [True] * 10 + [False]
    np.testing.assert_array_equal(embeddings.vectors, spectral(network.adjacency, 2).vectors)


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_a_graph_of_hardly_a_node_has_vectors_of_the_same_width(size: int) -> None:
    assert spectral(network_of(size, []).adjacency, 4).vectors.shape == (size, 4)


def test_cosines_in_the_blend_are_weighted_means() -> None:
    texts, graph = np.eye(3, 4, dtype=np.float32), np.eye(3, 2, dtype=np.float32)
    space = blend(texts, GraphEmbeddings(graph, np.array([True, True, True]), "file"), 0.25)
    expected = 0.75 * texts @ texts.T + 0.25 * graph @ graph.T
    np.testing.assert_allclose(space.vectors @ space.vectors.T, expected, atol=1e-6)
    text_only = blend(texts, GraphEmbeddings(graph, np.array([True, True, False]), "file"), 0.0)
    np.testing.assert_allclose(text_only.of_texts(texts) @ text_only.vectors.T, np.eye(3), atol=1e-6)


def test_a_text_lies_where_nodes_that_read_like_it_do() -> None:
    texts = np.array([[1, 0], [0, 1]], dtype=np.float32)
    graph = np.array([[0, 1], [1, 0]], dtype=np.float32)
    space = blend(texts, GraphEmbeddings(graph, np.array([True, True]), "file"), 1.0)
    assert (space.of_texts(texts[:1]) @ space.vectors.T).argmax() == 0
