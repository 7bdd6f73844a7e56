"""Vectors of a graph's nodes: read from Numberbatch's text format, or a spectral embedding of the graph.

Both give (n, d) unit rows, one a node, and zeros for a node without a vector: its cosine to everything is 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.graphs.choices import NUMBERBATCH, SPECTRAL
from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.loaders import check_numbers
from evidence_assets.graphs.walking.adjacency import Adjacency
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import GRAPH_EMBEDDINGS
from evidence_assets.models.encoder import FloatArray

DIMENSIONS = 64
_SEED = 20_261_121
# Rows multiplied at once, to bound memory.
_ROWS = 8_192
_DECIMALS = 6
# Graphs up to this size are solved by a dense eigendecomposition.
_DENSE = 1_000
_ENGLISH = "/c/en/"
_SPACES = re.compile(r"\s+")
_COUNT = re.compile(r"[0-9]{1,12}")
# Every node gets as many numbers as the file's first line says.
MOST_DIMENSIONS = 65_536
# Ridge penalty of the regression from text to graph vectors, as a share of the mean squared length.
_DAMPING = 0.01


class EmbeddingFileError(Exception):
    """A file of vectors cannot be used: the message names file, line and remedy."""


@dataclass(frozen=True)
class GraphEmbeddings:
    """(n, d) unit vectors of a graph's nodes, `known` (n,) whether it has one, and the `method` used."""

    vectors: FloatArray
    known: NDArray[np.bool_]
    method: str


def spectral(adjacency: Adjacency, dimensions: int = DIMENSIONS) -> GraphEmbeddings:
    """Return the leading eigenvectors of the normalised adjacency, scaled by their eigenvalues, as unit rows.

    The matrix is D^-1/4 (A + I) D^-1/4: nodes with the same neighbours get similar vectors. With D^-1/2 (Ng,
    Jordan and Weiss 2001) every small component would take an axis, with eigenvalue 1. The start of the
    iteration and the signs are fixed, and values rounded, so that the same graph has the same vectors. A
    node without a neighbour is not known. At most n - 2 dimensions are filled.
    """
    n = adjacency.size
    known = adjacency.degrees > 0
    width = min(dimensions, n - 2)
    if width < 1:
        return GraphEmbeddings(np.zeros((n, dimensions), np.float32), np.zeros(n, np.bool_), SPECTRAL)
    from scipy.sparse import diags_array, eye_array
    from scipy.sparse.linalg import eigsh

    scale = diags_array((adjacency.degrees + 1.0) ** -0.25)
    matrix = scale @ (adjacency.matrix + eye_array(n)) @ scale
    if n <= _DENSE:
        values, axes = np.linalg.eigh(matrix.toarray())
        values, axes = values[-width:], axes[:, -width:]
    else:
        generator = np.random.default_rng(_SEED)
        start = generator.normal(size=n)
        # Restarts are random too: without a generator given, a second call would differ from the first.
        values, axes = eigsh(matrix, k=width, which="LA", v0=start, tol=1e-6, rng=generator)
    order = np.argsort(-values, kind="stable")
    axes = axes[:, order] * np.maximum(values[order], 0.0)
    axes *= np.where(axes[np.abs(axes).argmax(axis=0), np.arange(width)] < 0, -1.0, 1.0)
    vectors = np.zeros((n, dimensions), dtype=np.float32)
    vectors[:, :width] = _unit(axes).round(_DECIMALS)
    vectors[~known] = 0.0
    return GraphEmbeddings(vectors, known & (np.abs(vectors).sum(axis=1) > 0), SPECTRAL)


def numberbatch(lines: Iterable[str], place: str, labels: Iterable[str]) -> GraphEmbeddings:
    """Return the vectors that a file in Numberbatch's text format gives to labels.

    `lines`: the file: a first line with the number of words and of dimensions, then a word and its numbers,
    separated by spaces. Words are written `/c/en/some_words`, or, in the English file, `some_words`; words of
    other languages are skipped. `place`: the file's name, for messages. `labels`: the nodes' labels, in
    order.

    Raises:
        EmbeddingFileError: The first line is not a pair of numbers, or a line has another number of values.
    """
    rows = iter(lines)
    dimensions = _dimensions(next(rows, ""), place)
    nodes_of_word: dict[str, list[int]] = {}
    count = 0
    for count, label in enumerate(labels, start=1):
        nodes_of_word.setdefault(_SPACES.sub("_", label.strip().lower()), []).append(count - 1)
    vectors = np.zeros((count, dimensions), dtype=np.float32)
    for number, line in enumerate(rows, start=2):
        word, _, values = line.rstrip().partition(" ")
        nodes = nodes_of_word.get(word.removeprefix(_ENGLISH))
        if nodes is None:
            continue
        vectors[nodes] = _numbers(values, dimensions, place, number)
    unit = _unit(vectors)
    return GraphEmbeddings(unit.astype(np.float32), np.abs(unit).sum(axis=1) > 0, NUMBERBATCH)


def _dimensions(line: str, place: str) -> int:
    parts = line.split()
    numbers = [int(part) for part in parts if _COUNT.fullmatch(part)]
    if len(parts) != 2 or len(numbers) != 2 or not 1 <= numbers[1] <= MOST_DIMENSIONS:
        raise EmbeddingFileError(
            f"{place}, line 1: {line.strip()[:60]!r} is not the number of words and of dimensions; remedy: "
            "give a file in Numberbatch's text format"
        )
    return numbers[1]


def _numbers(values: str, dimensions: int, place: str, number: int) -> FloatArray:
    try:
        numbers = np.array(values.split(), dtype=np.float32)
    except ValueError:
        numbers = np.empty(0, dtype=np.float32)
    if len(numbers) != dimensions or not np.isfinite(numbers).all():
        raise EmbeddingFileError(
            f"{place}, line {number}: not {dimensions} numbers after the word; remedy: download it again"
        )
    return numbers


def _unit(vectors: NDArray[np.floating]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(
        vectors, lengths, out=np.zeros(vectors.shape, dtype=np.float64), where=lengths > 1e-9
    )
    return unit


def embedding_rows(graph: Graph, embeddings: GraphEmbeddings) -> pa.Table:
    """Return `graph_embeddings` rows."""
    n = len(graph.labels)
    return pa.table(
        {
            "kg": pa.array([graph.name] * n, pa.string()),
            "node": pa.array(np.arange(n), pa.int32()),
            "label": graph.labels,
            "method": pa.array([embeddings.method] * n, pa.string()),
            "known": pa.array(embeddings.known),
            "vector": pa.array(list(embeddings.vectors), pa.list_(pa.float32())),
        },
        schema=GRAPH_EMBEDDINGS.schema,
    )


def open_embeddings(lake: TableReader, graph: Graph) -> GraphEmbeddings:
    """Return a graph's vectors from the lake.

    Raises:
        MissingPartitionError: they were never computed.
        BrokenGraphError: the graph was rebuilt since.
    """
    rows = lake.read(GRAPH_EMBEDDINGS, {"kg": graph.name})
    check_numbers(graph, rows, GRAPH_EMBEDDINGS.name)
    values = rows.column("vector").combine_chunks()
    vectors = values.flatten().to_numpy().reshape(rows.num_rows, -1)
    known = rows.column("known").to_numpy(zero_copy_only=False)
    method = rows.column("method")[0].as_py() if rows.num_rows else ""
    return GraphEmbeddings(vectors.astype(np.float32), known.astype(np.bool_), method)


@dataclass(frozen=True)
class BlendedSpace:
    """Text and graph vectors concatenated: the cosine is (1 - share) x text's + share x graph's.

    `vectors` (n, t + g) of the nodes; `projection` (t, g) maps a text vector to a graph vector.
    """

    vectors: FloatArray
    projection: FloatArray
    share: float

    def of_texts(self, texts: FloatArray) -> FloatArray:
        """Return (m, t + g) vectors of texts from their unit vectors (m, t)."""
        projected = _unit(texts @ self.projection)
        return _joined(texts, projected, self.share)


def blend(texts: FloatArray, embeddings: GraphEmbeddings, share: float) -> BlendedSpace:
    """Blend nodes' unit text vectors (n, t) with their graph vectors, the latter weighted by `share` of 1.

    The projection is a ridge regression over the known nodes. An unknown node gets its text vector
    projected.
    """
    known = np.flatnonzero(embeddings.known)
    projection = _projection(texts, embeddings.vectors, known)
    graph = embeddings.vectors.astype(np.float32)
    unknown = np.flatnonzero(~embeddings.known)
    if len(unknown):
        graph = graph.copy()
        graph[unknown] = _unit(texts[unknown] @ projection)
    return BlendedSpace(_joined(texts, graph, share), projection, share)


def _projection(texts: FloatArray, graph: FloatArray, known: NDArray[np.int64]) -> FloatArray:
    width = texts.shape[1]
    square, across = np.zeros((width, width)), np.zeros((width, graph.shape[1]))
    for start in range(0, len(known), _ROWS):
        rows = known[start : start + _ROWS]
        block = texts[rows].astype(np.float64)
        square += block.T @ block
        across += block.T @ graph[rows]
    damped = square + _DAMPING * max(len(known), 1) / width * np.eye(width)
    projection: FloatArray = np.linalg.solve(damped, across).astype(np.float32)
    return projection


def _joined(texts: FloatArray, graph: NDArray[np.floating], share: float) -> FloatArray:
    parts = [np.sqrt(1.0 - share) * texts, np.sqrt(share) * graph]
    joined: FloatArray = np.concatenate(parts, axis=1).astype(np.float32)
    return joined
