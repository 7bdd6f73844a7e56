"""Node relevance trained for every question: the equations, batches that change nothing, and the collapse."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from torch_geometric.nn import SAGEConv, TransformerConv

from evidence_assets.systems.ugat_medqa.arms import ATTENTION, CONVOLUTION, KINDS
from evidence_assets.systems.ugat_medqa.as_printed import attention
from evidence_assets.systems.ugat_medqa.as_printed.attention import (
    CPU_BATCH,
    GPU_BATCH,
    QuestionGraph,
    TrainedRelevance,
    initial_parameters,
    plan_batches,
    trained_relevance,
    undirected_arcs,
)
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig
from evidence_assets.systems.ugat_medqa.as_printed.networks import graph_layer
from evidence_assets.systems.ugat_medqa.diagnostics import is_collapsed, relevance_diagnostics
from evidence_assets_tests.testing.profiles import examples

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
SMALL = AttentionConfig(heads=2, layers=2, width=8, steps=6)
NO_EDGES = np.zeros((2, 0), dtype=np.int64)
Relevance = list[TrainedRelevance]


def unit(vectors: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    units: NDArray[np.float32] = (vectors / lengths).astype(np.float32)
    return units


def random_graph(
    random: np.random.Generator, nodes: int, edges: int, dimension: int = 12, common: float = 0.0
) -> QuestionGraph:
    """A graph whose vectors share a direction, as those of one encoder do, by `common`."""
    shared = common * random.normal(size=dimension)
    return QuestionGraph(
        unit(random.normal(size=(nodes, dimension)) + shared),
        random.integers(0, max(nodes, 1), (2, edges if nodes else 0)),
        unit(random.normal(size=dimension) + shared),
    )


def train(
    graphs: Sequence[QuestionGraph], kind: str, config: AttentionConfig = SMALL, batch: int = 8
) -> Relevance:
    return list(trained_relevance(graphs, kind, config, batch, device="cpu"))


def assert_same(actual: Relevance, expected: Relevance, tolerance: float) -> None:
    assert len(actual) == len(expected)
    for computed, reference in zip(actual, expected, strict=True):
        np.testing.assert_allclose(computed.scores, reference.scores, rtol=0, atol=tolerance)
        np.testing.assert_allclose(computed.losses, reference.losses, rtol=0, atol=tolerance)


def geometric_layer(kind: str, weights: np.ndarray, heads: int) -> torch.nn.Module:
    """torch-geometric's layer of (width, 3 * width) or (width, width) weights."""
    width = len(weights)
    if kind == CONVOLUTION:
        layer = SAGEConv(width, width, aggr="mean", root_weight=False, bias=False)
        linears = [layer.lin_l]
    else:
        layer = TransformerConv(width, width // heads, heads, root_weight=False, bias=False)
        linears = [layer.lin_query, layer.lin_key, layer.lin_value]
        # It divides by the root of a head's size, the thesis by that of the hidden size.
        layer.lin_query.register_forward_hook(lambda module, inputs, output: output / heads**0.5)
    for linear, block in zip(linears, np.split(weights, len(linears), axis=1), strict=True):
        linear.weight.data = torch.from_numpy(block.T.copy())
    assert isinstance(layer, torch.nn.Module)
    return layer


def test_attention_is_the_formula_on_three_nodes() -> None:
    random = np.random.default_rng(0)
    hidden, weights = random.normal(size=(3, 4)), random.normal(size=(4, 12))
    neighbours = {0: [1, 2], 1: [0], 2: [0]}  # a path 1 - 0 - 2
    expected = np.zeros((3, 4))
    alphas = {}
    for head in range(2):
        columns = slice(2 * head, 2 * head + 2)
        query, key, value = (
            weights[:, :4][:, columns],
            weights[:, 4:8][:, columns],
            weights[:, 8:][:, columns],
        )
        for i, around in neighbours.items():
            e = [(hidden[i] @ query) @ (hidden[j] @ key) / np.sqrt(4) for j in around]
            for j, alpha in zip(around, np.exp(e) / np.exp(e).sum(), strict=True):
                alphas[j, i, head] = alpha
                expected[i, columns] += alpha * (hidden[j] @ value)
    arcs = undirected_arcs(np.array([[0, 2], [1, 0]]), 3)
    layer = graph_layer(ATTENTION, torch.tensor(weights)[None], heads=2)
    output, (_, attended) = layer(torch.tensor(hidden), torch.from_numpy(arcs), return_attention_weights=True)
    np.testing.assert_allclose(output.detach(), expected, rtol=1e-12)
    literal = [[alphas[source, target, head] for head in range(2)] for source, target in arcs.T.tolist()]
    np.testing.assert_allclose(attended.detach(), literal, rtol=1e-12)


def test_convolution_is_the_mean_of_the_neighbours_on_three_nodes() -> None:
    random = np.random.default_rng(0)
    hidden, weights = random.normal(size=(3, 4)), random.normal(size=(4, 4))
    values = hidden @ weights  # a path 1 - 0 - 2
    arcs = undirected_arcs(np.array([[0, 2], [1, 0]]), 3)
    layer = graph_layer(CONVOLUTION, torch.tensor(weights)[None], heads=1)
    output = layer(torch.tensor(hidden), torch.from_numpy(arcs))
    expected = [(values[1] + values[2]) / 2, values[0], values[0]]
    np.testing.assert_allclose(output.detach(), expected, rtol=1e-12)


def test_convolution_is_attention_that_heeds_all_neighbours_alike() -> None:
    """Table 6.4, without attention: an arc's weight is the one difference."""
    random = np.random.default_rng(3)
    hidden = torch.tensor(random.normal(size=(30, 16)))
    arcs = torch.from_numpy(undirected_arcs(random.integers(0, 25, (2, 60)), 30))
    values = torch.tensor(random.normal(size=(1, 16, 16)))
    queries_and_keys = torch.zeros(1, 16, 32, dtype=values.dtype)
    attention_layer = graph_layer(ATTENTION, torch.cat([queries_and_keys, values], dim=2), heads=4)
    convolution_layer = graph_layer(CONVOLUTION, values, heads=4)
    torch.testing.assert_close(convolution_layer(hidden, arcs), attention_layer(hidden, arcs))


@pytest.mark.parametrize("heads", [1, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_a_layer_of_many_questions_is_a_plain_one_of_each(kind: str, heads: int) -> None:
    random = np.random.default_rng(1)
    # Large vectors make attention sharp, so that a wrong scale or a wrong maximum shows.
    hidden = torch.from_numpy(4 * random.normal(size=(2, 30, 16)).astype(np.float32))
    weights = [initial_parameters(kind, AttentionConfig(width=16, seed=seed), 16)[1][0][0] for seed in (0, 1)]
    arcs = [undirected_arcs(random.integers(0, 25, (2, 60)), 30) for _ in range(2)]
    places = torch.from_numpy(np.concatenate([arcs[0], arcs[1] + 30], axis=1))
    stacked = torch.from_numpy(np.stack(weights))
    with torch.no_grad():
        output = graph_layer(kind, stacked, heads)(hidden.flatten(0, 1), places).view_as(hidden)
    for place in range(2):
        with torch.no_grad():
            theirs = geometric_layer(kind, weights[place], heads)(
                hidden[place], torch.from_numpy(arcs[place])
            )
        assert theirs.abs().max() > 1
        torch.testing.assert_close(output[place], theirs.detach(), rtol=1e-5, atol=1e-5)


def test_attention_does_not_overflow() -> None:
    hidden = torch.tensor([[60.0, 0.0], [0.0, 60.0], [0.0, 59.99]])
    weights = torch.zeros(1, 2, 6)
    weights[0, 0, 0] = weights[0, 1, 2] = 1.0  # a query is the first number, a key the second
    arcs = torch.from_numpy(undirected_arcs(np.array([[0, 0], [1, 2]]), 3))
    _, (_, attended) = graph_layer(ATTENTION, weights, 1)(hidden, arcs, return_attention_weights=True)
    share = 1 / (1 + np.exp(-0.6 / np.sqrt(2)))
    np.testing.assert_allclose(attended[:, 0].detach(), [share, 1 - share, 1, 1], rtol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_training_is_that_of_a_plain_module(kind: str) -> None:
    """Algorithm 6.1 written with torch-geometric's layers and one question."""
    graph = random_graph(np.random.default_rng(2), 20, 40)
    projection, initial = initial_parameters(kind, SMALL, 12)
    layers = torch.nn.ModuleList(
        geometric_layer(kind, parameters[0], SMALL.heads) for parameters in initial[:-1]
    )
    query = torch.nn.Parameter(torch.from_numpy(initial[-1][0]))
    optimiser = torch.optim.Adam([*layers.parameters(), query], lr=SMALL.learning_rate)
    arcs = torch.from_numpy(undirected_arcs(graph.edges, 20))
    losses = []
    for _ in range(SMALL.steps + 1):
        hidden = torch.from_numpy(graph.nodes @ projection)
        for layer in layers:
            hidden = hidden + torch.nn.functional.elu(layer(hidden, arcs))
        projected = hidden @ query
        scores = projected @ torch.from_numpy(graph.question) / projected.norm(dim=1)
        loss = (1 - scores).mean()
        losses.append(loss.item())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    (relevance,) = train([graph], kind)
    np.testing.assert_allclose(relevance.losses, losses, rtol=0, atol=1e-5)
    np.testing.assert_allclose(relevance.scores, scores.detach(), rtol=0, atol=1e-5)


@examples(30)
@given(
    device=st.sampled_from(DEVICES),
    kind=st.sampled_from(KINDS),
    sizes=st.lists(st.tuples(st.integers(0, 14), st.integers(0, 30)), min_size=1, max_size=9),
    batch=st.integers(2, 5),
    budget=st.sampled_from([20, 1000]),
    seed=st.integers(0, 9999),
)
def test_a_batch_changes_no_result(
    device: str, kind: str, sizes: list[tuple[int, int]], batch: int, budget: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    graphs = [random_graph(random, nodes, edges) for nodes, edges in sizes]
    alone = [relevance for graph in graphs for relevance in train([graph], kind, batch=1)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attention, "NODE_BUDGET", budget)
        patch.setattr(attention, "WINDOW_QUESTIONS", 2 * batch)
        together = list(trained_relevance(graphs, kind, SMALL, batch, device=device))
    assert [len(relevance.scores) for relevance in together] == [nodes for nodes, _ in sizes]
    assert_same(together, alone, 1e-5)


@pytest.mark.integration
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_devices_own_batch_changes_no_result(kind: str, device: str) -> None:
    """As the arms train: the default values, an encoder's vectors, more questions than one block has."""
    random = np.random.default_rng(20)
    sizes = [(0, 0), (1, 0), (60, 180), *((int(nodes), 80) for nodes in random.integers(2, 50, 63))]
    graphs = [random_graph(random, nodes, edges, dimension=384, common=0.5) for nodes, edges in sizes]
    config = AttentionConfig()
    alone = [
        relevance for graph in graphs for relevance in trained_relevance([graph], kind, config, 1, device)
    ]
    assert [len(relevance.scores) for relevance in alone] == [nodes for nodes, _ in sizes]
    for batch in (CPU_BATCH, GPU_BATCH):
        assert_same(list(trained_relevance(graphs, kind, config, batch, device)), alone, 1e-5)


@pytest.mark.parametrize(
    ("device", "batch", "expected"),
    [("cpu", None, CPU_BATCH), ("cuda", None, GPU_BATCH), ("cpu", 3, 3), ("cuda", 3, 3), (None, None, 64)],
)
def test_the_device_decides_the_batch_unless_told(
    device: str | None, batch: int | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[int] = []

    def plan(sizes: Any, most: int) -> list[list[int]]:
        planned.append(most)
        return []

    monkeypatch.setattr(attention, "plan_batches", plan)
    monkeypatch.setattr(attention, "best_device", lambda: "cuda")
    graph = random_graph(np.random.default_rng(21), 3, 2)
    assert len(list(trained_relevance([graph], ATTENTION, SMALL, batch, device))) == 1
    assert planned == [expected]


def test_a_gpus_batch_of_capped_subgraphs_is_within_the_budgets() -> None:
    # The 200 nodes of `hops3_nodes200`, and ten arcs a node.
    assert [len(places) for places in plan_batches([(200, 2_000)] * 64, GPU_BATCH)] == [64]


def test_the_place_in_a_batch_changes_not_a_bit() -> None:
    graph = random_graph(np.random.default_rng(3), 20, 40)
    first, *others = train([graph] * 5, ATTENTION)
    for relevance in others:
        np.testing.assert_array_equal(relevance.scores, first.scores)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_input_gives_the_same_bytes(kind: str) -> None:
    random = np.random.default_rng(4)
    graphs = [random_graph(random, 10 * size, 30 * size) for size in range(1, 6)]
    for first, second in zip(train(graphs, kind), train(graphs, kind), strict=True):
        assert first.scores.tobytes() == second.scores.tobytes()
        assert first.losses.tobytes() == second.losses.tobytes()


def test_the_seed_decides_the_initial_parameters() -> None:
    graph = random_graph(np.random.default_rng(5), 20, 40)
    (first,), (second,) = (train([graph], ATTENTION, AttentionConfig(seed=seed, steps=0)) for seed in (0, 1))
    assert np.abs(first.scores - second.scores).max() > 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_the_loss_falls_and_is_one_minus_the_mean_score(kind: str) -> None:
    (relevance,) = train([random_graph(np.random.default_rng(6), 40, 80)], kind)
    assert relevance.losses.shape == (SMALL.steps + 1,)
    assert (np.diff(relevance.losses) < 0).all()
    assert relevance.losses[-1] == pytest.approx(1 - relevance.scores.mean(), abs=1e-5)
    np.testing.assert_array_equal(relevance.scores, relevance.scores.round(6))


@pytest.mark.parametrize("kind", KINDS)
def test_the_loss_collapses(kind: str) -> None:
    """Vectors as unlike as an encoder's, and yet all are turned to the question and kept."""
    graph = random_graph(np.random.default_rng(7), 100, 300, dimension=384, common=0.5)
    cosines = graph.nodes @ graph.question
    assert cosines.mean() < 0.3
    config = AttentionConfig()
    (relevance,) = train([graph], kind, config)
    diagnostics = relevance_diagnostics(relevance.scores, cosines, relevance.kept(config.threshold))
    assert diagnostics.mean_score > 0.9
    assert diagnostics.kept_share > 0.95
    assert abs(diagnostics.cosine_correlation) < 0.5
    assert is_collapsed(diagnostics)
    (untrained,) = train([graph], kind, AttentionConfig(steps=0))
    assert not is_collapsed(relevance_diagnostics(untrained.scores, cosines, untrained.kept(0.0)))


@pytest.mark.parametrize("kind", KINDS)
def test_small_and_odd_graphs_have_a_result(kind: str) -> None:
    random = np.random.default_rng(8)
    graph = random_graph(random, 6, 0)
    empty, single, edgeless, looped, zero = train(
        [
            random_graph(random, 0, 0),
            random_graph(random, 1, 0),
            graph,
            QuestionGraph(graph.nodes, np.array([[2, 3, 2], [2, 3, 2]]), graph.question),
            QuestionGraph(np.zeros((3, 12), np.float32), np.array([[0], [1]]), graph.question),
        ],
        kind,
    )
    assert empty.scores.shape == (0,)
    np.testing.assert_array_equal(empty.losses, np.zeros(SMALL.steps + 1))
    assert single.scores.shape == (1,)
    assert single.losses[-1] < single.losses[0]
    assert edgeless.losses[-1] < edgeless.losses[0]
    np.testing.assert_array_equal(looped.scores, edgeless.scores)
    np.testing.assert_array_equal(zero.scores, np.zeros(3))
    np.testing.assert_array_equal(zero.losses, np.ones(SMALL.steps + 1))


@pytest.mark.parametrize("kind", KINDS)
def test_no_neighbours_leave_a_node_its_state(kind: str) -> None:
    """With no step taken, an isolated node's score is the cosine of W_q and its projected vector."""
    graph = random_graph(np.random.default_rng(9), 8, 12)
    isolated = QuestionGraph(graph.nodes, graph.edges % 7, graph.question)
    projection, initial = initial_parameters(kind, SMALL, 12)
    vector = graph.nodes[7] @ projection @ initial[-1][0]
    (relevance,) = train([isolated], kind, AttentionConfig(heads=2, width=8, steps=0))
    assert relevance.scores[7] == pytest.approx(vector @ graph.question / np.linalg.norm(vector), abs=2e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_how_edges_are_written_changes_not_a_bit(kind: str) -> None:
    graph = random_graph(np.random.default_rng(10), 12, 25)
    loops = np.repeat(np.arange(12)[None], 2, axis=0)
    written = np.concatenate([graph.edges[::-1, ::-1], loops, graph.edges, graph.edges], axis=1)
    again = QuestionGraph(graph.nodes, written.astype(np.int32), graph.question)
    (first,), (second,) = train([graph], kind), train([again], kind)
    assert first.scores.tobytes() == second.scores.tobytes()


def test_arcs_are_every_edge_in_both_directions_once() -> None:
    arcs = undirected_arcs(np.array([[0, 1, 2, 3], [1, 0, 2, 1]]), 4)
    assert arcs.tolist() == [[1, 0, 3, 1], [0, 1, 1, 3]]
    assert undirected_arcs(NO_EDGES, 0).shape == (2, 0)


def test_batches_hold_the_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention, "NODE_BUDGET", 30)
    monkeypatch.setattr(attention, "ARC_BUDGET", 100)
    sizes = [(10, 0), (0, 0), (10, 60), (9, 50), (99, 999), (15, 0), (10, 30), (1, 0), (1, 0), (1, 0), (1, 0)]
    batches = list(plan_batches(sizes, 3))
    assert batches == [[4], [5, 2], [6, 0, 3], [10, 9, 8], [7]]
    # The limit on arcs cuts what the limit on nodes would let pass.
    assert list(plan_batches([(10, 60), (10, 60), (10, 60)], 3)) == [[2], [1], [0]]


def test_projection_keeps_lengths_on_average_and_angles_where_it_can() -> None:
    narrow = initial_parameters(ATTENTION, AttentionConfig(width=64), 384)[0]
    assert narrow.shape == (384, 64)
    np.testing.assert_allclose(narrow.T @ narrow, 6 * np.eye(64), atol=1e-5)
    lengths = np.linalg.norm(unit(np.random.default_rng(0).normal(size=(500, 384))) @ narrow, axis=1)
    assert lengths.mean() == pytest.approx(1, abs=0.02)
    wide = initial_parameters(ATTENTION, AttentionConfig(width=64), 12)[0]
    np.testing.assert_allclose(wide @ wide.T, np.eye(12), atol=1e-6)


@pytest.mark.parametrize(("batch", "window"), [(2, 16), (5, 15), (10, 10), (18, 18)])
def test_questions_are_read_a_window_at_a_time_and_progress_is_told(
    batch: int, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many whole batches as sixteen questions are, and one at least."""
    monkeypatch.setattr(attention, "WINDOW_QUESTIONS", 16)
    random = np.random.default_rng(11)
    graphs = [random_graph(random, 3, 3) for _ in range(20)]
    read: list[int] = []

    class Lazy(Sequence):  # type: ignore[type-arg]
        def __len__(self) -> int:
            return len(graphs)

        def __getitem__(self, place: int) -> QuestionGraph:  # type: ignore[override]
            read.append(place)
            return graphs[place]

    results = trained_relevance(Lazy(), ATTENTION, SMALL, batch, "cpu")
    next(results)
    assert max(read) == window - 1
    assert len(list(results)) == 19


def test_kept_is_above_the_threshold() -> None:
    relevance = TrainedRelevance(np.array([0.4, 0.5, 0.6]), np.zeros(1))
    assert relevance.kept(0.5).tolist() == [False, False, True]


def test_the_gpu_is_taken_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention, "best_device", lambda: "nowhere")
    with pytest.raises(RuntimeError, match="nowhere"):
        list(trained_relevance([random_graph(np.random.default_rng(0), 3, 3)], ATTENTION, SMALL))


def test_wrong_input_is_refused() -> None:
    random = np.random.default_rng(12)
    graph = random_graph(random, 3, 2)
    with pytest.raises(ValueError, match="kind 'gat'"):
        trained_relevance([graph], "gat", SMALL)
    with pytest.raises(ValueError, match="batch 0"):
        trained_relevance([graph], ATTENTION, SMALL, batch=0)
    with pytest.raises(ValueError, match="5-d vectors among graphs of 12-d"):
        train([graph, random_graph(random, 3, 2, dimension=5)], ATTENTION)
    with pytest.raises(ValueError, match="names a node"):
        QuestionGraph(graph.nodes, np.array([[0], [3]]), graph.question)
    with pytest.raises(ValueError, match="names a node"):
        QuestionGraph(graph.nodes, np.array([[0], [-1]]), graph.question)
    with pytest.raises(ValueError, match=r"not \(2, m\)"):
        QuestionGraph(graph.nodes, np.zeros((3, 2), np.int64), graph.question)
    with pytest.raises(ValueError, match=r"not \(n, d\)"):
        QuestionGraph(graph.nodes, graph.edges, graph.question[:-1])
    assert train([], ATTENTION) == []


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        ("heads", 0, "1 or more"),
        ("heads", 3, "a divisor of the width, 64"),
        ("layers", 0, "1 or more"),
        ("width", -1, "1 or more"),
        ("steps", -1, "0 or more"),
        ("learning_rate", 0.0, "a number above 0"),
        ("learning_rate", float("nan"), "a number above 0"),
        ("learning_rate", float("inf"), "a number above 0"),
        ("threshold", 1.5, "a cosine, from -1 to 1"),
        ("threshold", float("nan"), "a cosine, from -1 to 1"),
        ("seed", -1, "0 or more"),
    ],
)
def test_a_value_out_of_range_names_its_field_and_the_remedy(field: str, value: float, wanted: str) -> None:
    message = (
        f"training: {field} is {value}; "
        f"remedy: set {field} in the run configuration of node_relevance to {wanted}"
    )
    changes: dict[str, Any] = {field: value}
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        replace(AttentionConfig(), **changes)


def test_what_a_training_was_is_written_out_in_full() -> None:
    config = AttentionConfig(2, 3, 16, 7, 0.02, 0.25, 2**60 + 1)
    assert json.loads(config.as_json()) == asdict(config)
    assert AttentionConfig(**json.loads(config.as_json())) == config
    assert config.as_json() == (
        '{"heads": 2, "layers": 3, "width": 16, "steps": 7, "learning_rate": 0.02, "threshold": 0.25, '
        f'"seed": {2**60 + 1}}}'
    )
