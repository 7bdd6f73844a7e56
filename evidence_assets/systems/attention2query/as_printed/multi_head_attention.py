"""Attention of a question over nodes as printed: two multi-head passes, their projections untrained."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import FloatArray
from evidence_assets.systems.attention2query.as_printed.recipe import HEAD_WIDTH, HEADS, SEED

_DECIMALS = 6

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Projections:
    """Queries, keys and values of every head: (heads, d, width) each, drawn at random, never trained."""

    queries: FloatArray
    keys: FloatArray
    values: FloatArray


def untrained(width: int) -> Projections:
    """Return projections of vectors of `width` numbers, normal with variance 1 / head width.

    Queries and keys share theirs, so that a product of projections is the cosine in expectation (Johnson and
    Lindenstrauss): with two independent draws it would be noise.
    """
    drawn = np.random.default_rng(SEED).normal(size=(2, HEADS, width, HEAD_WIDTH)) / np.sqrt(HEAD_WIDTH)
    keys, values = drawn.astype(np.float32)
    return Projections(keys, keys, values)


def attend(queries: FloatArray, keys: FloatArray, projections: Projections) -> tuple[Scores, FloatArray]:
    """Return ((a, b) weights, (a, heads x width) mixed values) of queries (a, d) over keys (b, d).

    Each head's weights are a softmax of scaled products (Vaswani et al. 2017); the weights are the heads'
    mean, and each row's sum is 1. Without keys there is nothing to mix: weights (a, 0), zeros.
    """
    projected_queries, projected_keys = queries @ projections.queries, keys @ projections.keys
    heads, _, width = projected_queries.shape
    if not len(keys):
        return np.empty((len(queries), 0)), np.zeros((len(queries), heads * width), np.float32)
    products = (projected_queries @ projected_keys.swapaxes(1, 2)).astype(np.float64) * np.sqrt(width)
    weights = np.exp(products - products.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    mixed = (weights @ (keys @ projections.values)).swapaxes(0, 1)
    return weights.mean(axis=0), mixed.reshape(len(queries), heads * width).astype(np.float32)


def two_passes(tokens: FloatArray, nodes: FloatArray, projections: Projections) -> Scores:
    """Return (b,) how much a question's tokens (a, d), having attended to each other, attend to nodes (b, d).

    Section 4.4: the first pass makes the question's value matrix, the second holds it against the nodes. As
    the projections are untrained, the value matrix is the tokens mixed by the first pass's weights. Each
    token's weights over the nodes are a distribution; the score is their mean, times the number of nodes, so
    that 1 is what a uniform attention would give.
    """
    if not len(nodes):
        return np.empty(0)
    weights, _ = attend(tokens, tokens, projections)
    values = (weights @ tokens).astype(np.float32)
    over_nodes, _ = attend(values, nodes, projections)
    scores: Scores = (over_nodes.mean(axis=0) * len(nodes)).round(_DECIMALS)
    return scores
