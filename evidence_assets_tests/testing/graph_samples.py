"""Small graphs, and models whose numbers are exact, for the tests of knowledge graphs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from evidence_assets.graphs.concepts.nodes import alias_rows, node_rows
from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.graphs.names.linking import Linker
from evidence_assets.models.pair_scorer import CROSS_ENCODER
from evidence_assets_tests.testing.text_encoders import TextEncoder

# (head, relation, tail, weight)
Row = tuple[str, str, str, float | None]


def triple_table(rows: Sequence[Row]) -> pa.Table:
    """The columns of `triples` that a graph is built of; the id of row 7 is t7."""
    heads, relations, tails, weights = zip(*rows, strict=True) if rows else ((), (), (), ())
    return pa.table(
        {
            "triple_id": pa.array([f"t{number}" for number in range(len(rows))], pa.string()),
            "head": pa.array(heads, pa.string()),
            "relation": pa.array(relations, pa.string()),
            "tail": pa.array(tails, pa.string()),
            "weight": pa.array(weights, pa.float64()),
        }
    )


def graph_of(rows: Sequence[Row]) -> Graph:
    triples = triple_table(rows)
    return build_graph("kg", triples, node_rows("kg", triples))


def linker_of(rows: Sequence[Row]) -> Linker:
    nodes = node_rows("kg", triple_table(rows))
    return Linker(alias_rows(nodes), nodes.column("degree").to_numpy())


def number_of(graph: Graph, label: str) -> int:
    labels: list[str] = graph.labels.to_pylist()
    return labels.index(label)


def questions_of(*questions: tuple[str, Sequence[str]]) -> pa.Table:
    """The columns of `questions` that linking reads: q0, q1, ... with their options."""
    return pa.table(
        {
            "question_id": pa.array([f"q{number}" for number in range(len(questions))], pa.string()),
            "question": pa.array([question for question, _ in questions], pa.string()),
            "options": pa.array([list(options) for _, options in questions], pa.list_(pa.string())),
        }
    )


def signs(text: str) -> np.ndarray:
    """64 signs by the text's hash."""
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return np.unpackbits(np.frombuffer(digest, dtype=np.uint8)).astype(np.int64) * 2 - 1


def cosine(left: str, right: str) -> float:
    return float(signs(left) @ signs(right)) / 64


class SignEncoder(TextEncoder):
    """Unit vectors of signs: cosines are multiples of 1/32, exact in any order of summing, often equal."""

    encoder_id, dimension, max_tokens = "signs@1", 64, 99

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        return np.array([signs(text) for text in texts], dtype=np.float32).reshape(-1, 64) / 8


class HashScorer:
    """A cross-encoder whose score is the pair's hash: one of `levels` numbers from 0 on."""

    measure, scorer_id, cut = CROSS_ENCODER, "cross_encoder:hash@1", 0

    def __init__(self, levels: int) -> None:
        self.levels = levels
        self.calls: list[tuple[list[str], list[str]]] = []

    def of(self, query: str, text: str) -> float:
        digest = hashlib.blake2b(f"{query}\n{text}".encode(), digest_size=4).digest()
        return float(int.from_bytes(digest, "big") % self.levels)

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> np.ndarray:
        self.calls.append((list(queries), list(texts)))
        return np.array([self.of(*pair) for pair in zip(queries, texts, strict=True)], dtype=np.float32)
