"""Drawings inside the pages: small SVG that follows the page's colours, light or dark."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from evidence_assets.audit.pages.sources import Step

# Colours that stand for the page's own while a figure is drawn: these exact values occur in no other place.
_INK, _SOFT, _LINE = "#010203", "#010204", "#010205"
_SERIES = ("#010206", "#010207", "#010208", "#010209")
_VARIABLES = {
    _INK: "var(--ink)",
    _SOFT: "var(--soft)",
    _LINE: "var(--line)",
    **{colour: f"var(--series-{number})" for number, colour in enumerate(_SERIES, start=1)},
}
_DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.5)), (0, (5, 1.5, 1.5, 1.5)))
MOST_CURVES = len(_SERIES)
_MOST_POINTS = 80
_WIDTH, _HEIGHT = 4.6, 3.1


@dataclass(frozen=True, slots=True)
class Curve:
    """A named line of a plot; `sizes`, (n,), of its points, where they stand for many."""

    name: str
    across: NDArray[np.float64]
    up: NDArray[np.float64]
    sizes: NDArray[np.float64] | None = None


def risk_coverage_plot(curves: Sequence[Curve], label: str) -> Markup:
    """Return the error over the share of questions answered, a line an experiment, at most four."""
    figure, axes = _plot("share of questions answered, the surest first", "share of these that are wrong")
    for curve, colour, dash in zip(curves[:MOST_CURVES], _SERIES, _DASHES, strict=False):
        chosen = _thinned(len(curve.across))
        axes.plot(curve.across[chosen], curve.up[chosen], color=colour, linestyle=dash, linewidth=1.8)
    highest = max((float(curve.up.max()) for curve in curves[:MOST_CURVES] if len(curve.up)), default=1.0)
    axes.set(xlim=(0, 1), ylim=(0, min(1.0, 1.15 * highest + 0.02)))
    return _svg(figure, label)


def reliability_plot(curves: Sequence[Curve], label: str) -> Markup:
    """Return accuracy over confidence, a line an experiment; the straight line is perfect calibration."""
    figure, axes = _plot("confidence", "share that is right")
    axes.plot([0, 1], [0, 1], color=_SOFT, linewidth=1, linestyle=(0, (1, 2)))
    for curve, colour, dash in zip(curves[:MOST_CURVES], _SERIES, _DASHES, strict=False):
        axes.plot(curve.across, curve.up, color=colour, linestyle=dash, linewidth=1.2)
        if curve.sizes is not None and len(curve.sizes):
            axes.scatter(
                curve.across, curve.up, s=8 + 52 * curve.sizes / curve.sizes.max(), color=colour, zorder=3
            )
    axes.set(xlim=(0, 1), ylim=(0, 1))
    return _svg(figure, label)


def _thinned(count: int) -> NDArray[np.int64]:
    """Return the places of the points to draw, the first and the last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, _MOST_POINTS)).round().astype(np.int64))


def _plot(across: str, up: str) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, _HEIGHT))
    figure.subplots_adjust(left=0.13, right=0.97, top=0.96, bottom=0.17)
    axes = figure.add_subplot()
    axes.set_xlabel(across, color=_SOFT, fontsize=10)
    axes.set_ylabel(up, color=_SOFT, fontsize=10)
    axes.tick_params(colors=_SOFT, labelsize=10, length=0)
    axes.grid(color=_LINE, linewidth=0.7)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    return figure, axes


def _svg(figure: Figure, label: str) -> Markup:
    """Return a figure as SVG: text stays text, colours are the page's, and equal plots are equal bytes."""
    import matplotlib as mpl

    buffer = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": label, "font.family": "sans-serif"}):
        figure.savefig(buffer, format="svg", transparent=True, metadata=dict.fromkeys(_NO_METADATA))
    drawn = buffer.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    drawn = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px; font-family: inherit", drawn)
    drawn = re.sub(r'<svg [^>]*viewBox="([^"]+)"[^>]*>', _opening(label), drawn, count=1)
    for colour, variable in _VARIABLES.items():
        drawn = drawn.replace(colour, variable)
    return Markup(re.sub(r"\n\s*", "\n", drawn))  # noqa: S704 - drawn here, from numbers and fixed words


_NO_METADATA = ("Date", "Creator", "Format", "Type")


def _opening(label: str) -> str:
    title = str(Markup.escape(label)).replace("\\", "")
    return rf'<svg class="plot" role="img" aria-label="{title}" viewBox="\1" xmlns:xlink="http://www.w3.org/1999/xlink">'


_ROW, _NODE_HEIGHT, _COLUMN, _GAP = 104, 44, 172, 18
_LABEL_WIDTH, _LABEL_LINES = 21, 2
# A wide drawing is made no smaller than this share of its size; then it is scrolled.
_SMALLEST = 0.8


@dataclass(frozen=True, slots=True)
class _Placed:
    """A node of a drawn graph: the middle of its box, and its label's lines."""

    x: float
    y: float
    lines: tuple[str, ...]


def graph_drawing(steps: Sequence[Step], label: str) -> Markup:
    """Return triples as a graph, layer under layer from where the first begins; empty without any.

    Labels that are too long are cut: the steps stand in words beside it.
    """
    if not steps:
        return Markup("")
    nodes = _layers(steps)
    width = max(node.x for node in nodes.values()) + _COLUMN / 2
    height = max(node.y for node in nodes.values()) + _NODE_HEIGHT / 2 + 2
    drawn = [
        _edge(nodes[step.head], nodes[step.tail], step.relation, number) for number, step in enumerate(steps)
    ]
    drawn += [_node(node) for node in nodes.values()]
    opening = Markup(
        '<svg class="graph" role="img" aria-label="{}" viewBox="0 0 {:.0f} {:.0f}" '
        'width="{:.0f}" style="min-width: {:.0f}px">'
    ).format(label, width, height, width, _SMALLEST * width)
    arrow = Markup(
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M0 .8 7.5 4 0 7.2z" fill="var(--soft)"/></marker></defs>'
    )
    return opening + arrow + Markup("").join(drawn) + Markup("</svg>")


def _layers(steps: Sequence[Step]) -> dict[str, _Placed]:
    """Return every node's place: by its distance from the first triple's head, whatever way edges point."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    for step in steps:
        graph.add_edge(step.head, step.tail)
    layers: list[list[str]] = []
    for part in nx.connected_components(graph):
        ordered = [node for node in graph if node in part]
        for depth, layer in enumerate(nx.bfs_layers(graph, ordered[0])):
            while len(layers) <= depth:
                layers.append([])
            of_layer = set(layer)
            layers[depth] += [node for node in ordered if node in of_layer]
    widest = max(map(len, layers))
    placed = {}
    for depth, layer in enumerate(layers):
        offset = (widest - len(layer)) * _COLUMN / 2
        for place, node in enumerate(layer):
            x = offset + (place + 0.5) * _COLUMN
            placed[node] = _Placed(x, depth * _ROW + _NODE_HEIGHT / 2 + 2, _lines(node))
    return placed


def _lines(text: str) -> tuple[str, ...]:
    lines = wrap(text, _LABEL_WIDTH, max_lines=_LABEL_LINES, placeholder=" …", break_long_words=True)
    return tuple(lines) or ("(no name)",)


def _node(node: _Placed) -> Markup:
    box = Markup('<rect class="node" x="{:.0f}" y="{:.0f}" width="{}" height="{}" rx="8"/>').format(
        node.x - _COLUMN / 2 + _GAP / 2, node.y - _NODE_HEIGHT / 2, _COLUMN - _GAP, _NODE_HEIGHT
    )
    first = node.y + 4.5 - 8 * (len(node.lines) - 1)
    return box + Markup("").join(
        Markup('<text x="{:.0f}" y="{:.1f}" class="name">{}</text>').format(node.x, first + 16 * number, line)
        for number, line in enumerate(node.lines)
    )


def _edge(head: _Placed, tail: _Placed, relation: str, number: int) -> Markup:
    """Return an arrow from box to box, its relation beside its middle; what shares a layer is bowed below."""
    words = relation.replace("_", " ")
    words = words if len(words) <= _LABEL_WIDTH else words[: _LABEL_WIDTH - 1] + "…"
    if head.y == tail.y:
        y, middle = head.y + _NODE_HEIGHT / 2, (head.x + tail.x) / 2
        path = f"M{head.x:.0f} {y:.0f}Q{middle:.0f} {y + 34:.0f} {tail.x:.0f} {y:.0f}"
        x, y = middle, y + 32
    else:
        down = 1 if tail.y > head.y else -1
        start, end = head.y + down * _NODE_HEIGHT / 2, tail.y - down * _NODE_HEIGHT / 2
        path = f"M{head.x:.0f} {start:.0f}L{tail.x:.0f} {end:.0f}"
        # Several arrows between two layers: their words stand at different heights.
        share = (0.5, 0.3, 0.7)[number % 3] if head.x != tail.x else 0.5
        x, y = head.x + share * (tail.x - head.x), start + share * (end - start) + 4
    return Markup(
        '<path class="edge" d="{}" marker-end="url(#arrow)"/>'
        '<text x="{:.0f}" y="{:.1f}" class="relation">{}</text>'
    ).format(path, x, y, words)
