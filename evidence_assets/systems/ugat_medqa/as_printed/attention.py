"""Node relevance trained afresh for every question (thesis equations 6.1 to 6.5, algorithm 6.1).

Two kinds: graph attention, and graph convolution by the mean of the neighbours, which is the thesis's arm
without attention. They share the neighbours, the residual update, the projection and the loss, and differ in
an arc's weight alone. The layers are torch-geometric's (`networks.py`).

Where the thesis is silent or ambiguous, this is what is done:

- Neighbours N_i are a node's neighbours in the undirected graph, without the node: its own state reaches the
  next layer by the residual update, which takes h^(l-1). A given self-loop is dropped, an edge given twice
  or in both directions counts once. A node without neighbours receives zero, so it keeps its state.
- The update psi of line 7 is h + ELU(z'): its simplest form that is non-linear and keeps h.
- Equation 6.1 divides by the root of d_h, the hidden size, not of a head's d_z as is usual; so it is here.
- The encoder's vectors are first brought to the hidden size by a fixed random projection, orthonormal and
  scaled to keep lengths on average: trained, it would be one more layer that only fits the question.
- "Learning node embeddings" is read as learning what computes H^out; encoder vectors are no parameters.
- Equation 6.5 is averaged over all of a question's nodes. No layer has a bias, as in the equations.

Many questions are trained at once, each with parameters of its own; the batch's loss is the sum of the
questions' losses and Adam works element by element, so no question feels another. Arithmetic is in single
precision: batched and one at a time differ by rounding. A GPU sums in no fixed order, so only a CPU gives
the same bytes again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import best_device
from evidence_assets.progress import blocks
from evidence_assets.systems.ugat_medqa.arms import ATTENTION, KINDS
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig

if TYPE_CHECKING:
    import torch

# Questions trained at once. On a CPU eight were measured best. A few small matrices leave a GPU idle: there,
# as many as the graph system hands over together, whose subgraphs fit the budgets below.
CPU_BATCH = 8
GPU_BATCH = 64
# What one batch may hold, padding counted: about 1 GB while it trains, with 384-d questions and two layers.
NODE_BUDGET = 1 << 15
ARC_BUDGET = 1 << 17
# Questions of similar size are batched within a window of this many, or one batch: so few results wait.
WINDOW_QUESTIONS = 64
SCORE_DECIMALS = 6

Floats = NDArray[np.float32]
Places = NDArray[np.int64]
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class QuestionGraph:
    """One question's subgraph.

    `nodes`: (n, d) unit vectors; `edges`: (2, m) places in `nodes`, an undirected edge once or in both
    directions, in any order; `question`: (d,) unit vector.

    Raises:
        ValueError: the shapes do not agree, or an edge names a node that is not there.
    """

    nodes: NDArray[np.floating[Any]]
    edges: NDArray[np.integer[Any]]
    question: NDArray[np.floating[Any]]

    def __post_init__(self) -> None:
        if self.nodes.ndim != 2 or self.question.shape != self.nodes.shape[1:]:
            raise ValueError(f"nodes {self.nodes.shape} and question {self.question.shape}: not (n, d), (d,)")
        if self.edges.ndim != 2 or len(self.edges) != 2:
            raise ValueError(f"edges {self.edges.shape}: not (2, m)")
        if self.edges.size and not 0 <= self.edges.min() <= self.edges.max() < len(self.nodes):
            raise ValueError(f"an edge names a node that is not among the {len(self.nodes)}")


@dataclass(frozen=True, slots=True)
class TrainedRelevance:
    """What training gave one question.

    `scores`: (n,) final cosines S_v, of `SCORE_DECIMALS` decimals; `losses`: (steps + 1,) the question's mean
    loss before each step and after the last; zeros where the graph is empty.
    """

    scores: Values
    losses: Values

    def kept(self, threshold: float) -> NDArray[np.bool_]:
        """Return (n,) whether S_v > threshold: algorithm 6.1, line 18."""
        return self.scores > threshold


def trained_relevance(
    graphs: Sequence[QuestionGraph],
    kind: str,
    config: AttentionConfig,
    batch: int | None = None,
    device: str | None = None,
) -> Iterator[TrainedRelevance]:
    """Yield every question's trained relevance, in the order given.

    `batch` is the most questions trained at once, None the device's own (`CPU_BATCH` or `GPU_BATCH`); it
    decides speed, not results beyond rounding. `graphs` is read in whole batches: as many as
    `WINDOW_QUESTIONS` holds, one at least. `device` None is the GPU where there is one.

    Raises:
        ValueError: `kind` is not among `KINDS`, `batch` is not positive, or (while iterating) vectors of two
            graphs differ in length.
    """
    if kind not in KINDS:
        raise ValueError(f"kind {kind!r}: not among {', '.join(KINDS)}")
    if batch is not None and batch < 1:
        raise ValueError(f"batch {batch}: not positive")
    if not graphs:
        return iter(())
    chosen = device or best_device()
    most = batch or (CPU_BATCH if chosen == "cpu" else GPU_BATCH)
    return _in_windows(graphs, _Trainer(kind, config, len(graphs[0].question), chosen), most)


def _in_windows(graphs: Sequence[QuestionGraph], trainer: _Trainer, batch: int) -> Iterator[TrainedRelevance]:
    window = batch * max(1, WINDOW_QUESTIONS // batch)
    for block in blocks(range(len(graphs)), window):
        prepared = [trainer.prepare(graphs[place]) for place in block]
        results = [trainer.untrained] * len(prepared)
        sizes = [(len(graph.features), graph.arcs.shape[1]) for graph in prepared]
        for places in plan_batches(sizes, batch):
            trained = trainer.train([prepared[place] for place in places])
            for place, result in zip(places, trained, strict=True):
                results[place] = result
        yield from results


def plan_batches(sizes: Sequence[tuple[int, int]], batch: int) -> Iterator[list[int]]:
    """Yield batches of places, largest first, from every question's (nodes, arcs); empty graphs are in none.

    A batch has at most `batch` questions, `NODE_BUDGET` nodes when padded to its largest and `ARC_BUDGET`
    arcs; a question that is larger than that is a batch alone.
    """
    order = sorted((place for place, (nodes, _) in enumerate(sizes) if nodes), key=lambda place: sizes[place])
    members: list[int] = []
    arcs = 0
    for place in reversed(order):
        padded = (len(members) + 1) * sizes[members[0] if members else place][0]
        arcs += sizes[place][1]
        if members and (len(members) == batch or padded > NODE_BUDGET or arcs > ARC_BUDGET):
            yield members
            members, arcs = [], sizes[place][1]
        members.append(place)
    if members:
        yield members


def undirected_arcs(edges: NDArray[np.integer[Any]], nodes: int) -> Places:
    """Return (2, a) sources and targets: every edge in both directions once, without self-loops.

    Sorted by target, then source, so that the order of `edges` changes no result.
    """
    ends = edges.astype(np.int64)
    ends = ends[:, ends[0] != ends[1]]
    codes = np.unique(np.concatenate([ends[0] * nodes + ends[1], ends[1] * nodes + ends[0]]))
    targets, sources = np.divmod(codes, max(nodes, 1))
    return np.stack([sources, targets])


@dataclass(frozen=True, slots=True)
class _Prepared:
    """One question as training wants it: (n, width) features, (2, a) arcs, (d,) question."""

    features: Floats
    arcs: Places
    question: Floats


@dataclass(frozen=True, slots=True)
class _Batch:
    """b questions on the device, nodes padded to the largest's n.

    `features`: (b, n, width), zero where padded; `questions`: (b, 1, d); `shares`: (b, n) a node's share in
    its question's mean, 0 where padded; `arcs`: (2, a) sources and targets, places among all b * n nodes.
    """

    features: torch.Tensor
    questions: torch.Tensor
    shares: torch.Tensor
    arcs: torch.Tensor


class _Trainer:
    """Trains batches of one kind on vectors of one length; every question starts from the same parameters."""

    def __init__(self, kind: str, config: AttentionConfig, dimension: int, device: str) -> None:
        self._kind = kind
        self._config = config
        self._dimension = dimension
        self._device = device
        self._projection, self._initial = initial_parameters(kind, config, dimension)

    @property
    def untrained(self) -> TrainedRelevance:
        """The result of a graph without nodes."""
        return TrainedRelevance(np.zeros(0), np.zeros(self._config.steps + 1))

    def prepare(self, graph: QuestionGraph) -> _Prepared:
        """Return a question's projected features and arcs.

        Raises:
            ValueError: its vectors are of another length.
        """
        dimension = len(graph.question)
        if dimension != self._dimension:
            raise ValueError(f"a graph of {dimension}-d vectors among graphs of {self._dimension}-d ones")
        features = graph.nodes.astype(np.float32) @ self._projection
        arcs = undirected_arcs(graph.edges, len(graph.nodes))
        return _Prepared(features, arcs, graph.question.astype(np.float32))

    def train(self, prepared: Sequence[_Prepared]) -> list[TrainedRelevance]:
        """Return every question's result, all trained at once."""
        import torch

        from evidence_assets.systems.ugat_medqa.as_printed.networks import RelevanceNetworks

        batch = self._stacked(prepared)
        copies = len(prepared), -1, -1
        initial = [self._put(parameter).expand(copies) for parameter in self._initial]
        networks = RelevanceNetworks(self._kind, self._config.heads, initial)
        optimiser = torch.optim.Adam(networks.parameters(), lr=self._config.learning_rate)
        losses = []
        for _ in range(self._config.steps):
            loss = _losses(networks(batch.features, batch.arcs, batch.questions), batch)
            losses.append(loss.detach())
            optimiser.zero_grad()
            loss.sum().backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        with torch.no_grad():
            scores = networks(batch.features, batch.arcs, batch.questions)
            losses.append(_losses(scores, batch))
        course = torch.stack(losses, dim=1).cpu().numpy().astype(np.float64)
        final = scores.cpu().numpy().astype(np.float64).round(SCORE_DECIMALS)
        return [
            TrainedRelevance(final[place, : len(graph.features)].copy(), course[place].copy())
            for place, graph in enumerate(prepared)
        ]

    def _put(self, array: NDArray[Any]) -> torch.Tensor:
        import torch

        return torch.from_numpy(array).to(self._device)

    def _stacked(self, prepared: Sequence[_Prepared]) -> _Batch:
        longest = max(len(graph.features) for graph in prepared)
        features = np.zeros((len(prepared), longest, self._config.width), dtype=np.float32)
        shares = np.zeros((len(prepared), longest), dtype=np.float32)
        for place, graph in enumerate(prepared):
            features[place, : len(graph.features)] = graph.features
            shares[place, : len(graph.features)] = 1.0 / len(graph.features)
        arcs = np.concatenate([graph.arcs + place * longest for place, graph in enumerate(prepared)], axis=1)
        questions = np.stack([graph.question for graph in prepared])[:, None]
        return _Batch(*map(self._put, (features, questions, shares, arcs)))


def _losses(scores: torch.Tensor, batch: _Batch) -> torch.Tensor:
    """Return (b,) means of eq. 6.5 over each question's own nodes."""
    return ((1.0 - scores) * batch.shares).sum(dim=1)


def initial_parameters(kind: str, config: AttentionConfig, dimension: int) -> tuple[Floats, list[Floats]]:
    """Return the (d, width) projection, and the matrices of every layer and at last W_q, the seed's alone.

    A layer's matrix is (1, width, 3 * width) for attention: W^Q, W^K and W^V side by side, in each its heads;
    for convolution (1, width, width). W_q is (1, width, d). All are uniform within Glorot and Bengio's (2010)
    bounds, and drawn by NumPy, so that they are the same on every device.
    """
    generator = np.random.default_rng(config.seed)
    long, short = max(dimension, config.width), min(dimension, config.width)
    basis = np.linalg.qr(generator.standard_normal((long, short)))[0]
    projection = basis if dimension >= config.width else basis.T
    matrices = 3 if kind == ATTENTION else 1
    layers = [
        np.concatenate([_glorot(generator, config.width, config.width) for _ in range(matrices)], axis=1)
        for _ in range(config.layers)
    ]
    query = _glorot(generator, config.width, dimension)
    scaled = projection * math.sqrt(dimension / short)
    return scaled.astype(np.float32), [matrix[None].astype(np.float32) for matrix in (*layers, query)]


def _glorot(generator: np.random.Generator, rows: int, columns: int) -> Values:
    bound = math.sqrt(6.0 / (rows + columns))
    return generator.uniform(-bound, bound, (rows, columns))
