"""The networks of thesis algorithm 6.1 for many questions at once: torch-geometric's layers, their
parameters a question's own.

torch is imported here, and this module only where a network is trained.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch_geometric.nn import SAGEConv, TransformerConv

from evidence_assets.systems.ugat_medqa.arms import ATTENTION


class QuestionLinear(torch.nn.Module):
    """A linear map of nodes, without a bias, of which every question has its own.

    `weights`: (b, rows, columns) of b questions.
    """

    def __init__(self, weights: torch.Tensor) -> None:
        super().__init__()
        self.weights = torch.nn.Parameter(weights.clone())

    def forward(self, nodes: torch.Tensor) -> torch.Tensor:
        """Return (b * n, columns) of (b * n, rows) nodes, n a question, question after question."""
        questions, rows, _ = self.weights.shape
        return torch.bmm(nodes.view(questions, -1, rows), self.weights).flatten(0, 1)


def graph_layer(kind: str, weights: torch.Tensor, heads: int) -> torch.nn.Module:
    """Return a layer over (b * n, width) nodes and (2, a) arcs, sources and targets.

    Attention gives the concatenated heads z' of eq. 6.1 to 6.4, convolution the mean over neighbours j of
    h_j W ("GCN-style mean aggregation", thesis 6.5.3): attention that heeds all neighbours alike. A node that
    is no arc's target gets zeros. `weights`: (b, width, 3 * width) or (b, width, width), laid out as
    `initial_parameters` does.
    """
    width = weights.shape[1]
    if kind == ATTENTION:
        attention: torch.nn.Module = TransformerConv(
            width, width // heads, heads, bias=False, root_weight=False
        )
        queries, keys, values = weights.chunk(3, dim=2)
        attention.lin_query, attention.lin_key = QuestionLinear(queries), QuestionLinear(keys)
        attention.lin_value = QuestionLinear(values)
        # It divides by the root of a head's size, the thesis by that of the hidden size.
        attention.lin_query.register_forward_hook(lambda module, nodes, output: output / heads**0.5)
        return attention
    convolution: torch.nn.Module = SAGEConv(width, width, aggr="mean", root_weight=False, bias=False)
    convolution.lin_l = QuestionLinear(weights)
    return convolution


class RelevanceNetworks(torch.nn.Module):
    """The layers of b questions' networks, with residual updates, and W_q at last.

    `initial`: of every layer as `graph_layer` takes it, then (b, width, d).
    """

    def __init__(self, kind: str, heads: int, initial: Sequence[torch.Tensor]) -> None:
        super().__init__()
        self._layers = torch.nn.ModuleList(graph_layer(kind, weights, heads) for weights in initial[:-1])
        self._query = QuestionLinear(initial[-1])

    def forward(self, features: torch.Tensor, arcs: torch.Tensor, questions: torch.Tensor) -> torch.Tensor:
        """Return (b, n) cosines S_v of projected nodes and question; 0 where a node's vector is zero.

        `features`: (b, n, width); `arcs`: (2, a) places among the b * n nodes; `questions`: (b, 1, d).
        """
        hidden = features.flatten(0, 1)
        for layer in self._layers:
            hidden = hidden + torch.nn.functional.elu(layer(hidden, arcs))
        projected = self._query(hidden).view(*features.shape[:2], -1)
        return torch.nn.functional.cosine_similarity(projected, questions, dim=2)
