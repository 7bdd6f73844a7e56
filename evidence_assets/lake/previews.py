"""What an asset shows of its rows in the Dagster UI: a few of them as a Markdown table, pictures."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from functools import wraps
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LONGEST_CELL = 90
# Figures from here on have four digits before their point.
_LARGE = 1000
_MOST_POINTS = 3000
_MOST_BARS = 50
_TITLE_LINES = 4
_DRAWS: ContextVar[bool] = ContextVar("draws", default=True)
_Given = ParamSpec("_Given")


@contextmanager
def without_pictures() -> Iterator[None]:
    """Leave pictures empty inside: nobody sees those of a single question, and drawing takes longest."""
    token = _DRAWS.set(False)
    try:
        yield
    finally:
        _DRAWS.reset(token)


def are_drawn() -> bool:
    """Tell whether pictures are drawn here: where they are not, nobody sees what they would be made of."""
    return _DRAWS.get()


def _picture(draw: Callable[_Given, str]) -> Callable[_Given, str]:
    @wraps(draw)
    def drawn(*given: _Given.args, **named: _Given.kwargs) -> str:
        return draw(*given, **named) if are_drawn() else ""

    return drawn


def table_preview(rows: pa.Table, columns: Sequence[str] | None = None, count: int = 5) -> str:
    """Return the first rows as Markdown, figures rounded; long cells are cut, and cannot break the table."""
    shown = rows.slice(0, count).select(list(columns) if columns is not None else rows.column_names)
    lines = ["| " + " | ".join(shown.column_names) + " |", "|" + " --- |" * shown.num_columns]
    lines += ["| " + " | ".join(map(_cell, row.values())) + " |" for row in shown.to_pylist()]
    return "\n".join(lines)


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = " ".join((_rounded(value) if isinstance(value, float) else str(value)).split())
    cut = text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 1] + "…"
    return cut.replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[")


def _rounded(value: float) -> str:
    return f"{value:.4g}" if abs(value) < _LARGE else f"{value:.0f}"


@_picture
def histogram(values: Sequence[float] | NDArray[np.floating], title: str, label: str) -> str:
    """Return a histogram as Markdown with the picture inside."""
    figure, axes = _plot(6, 2.6)
    axes.hist(np.asarray(values, dtype=np.float64), bins=40, color="#3b6ea5")
    axes.set(title=title, xlabel=label, ylabel="count")
    return _embedded(figure, title)


@_picture
def bars(counts: Mapping[str, int], title: str, label: str) -> str:
    """Return named counts as bars, the largest first, a picture in Markdown."""
    largest = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST_BARS]
    figure, axes = _plot(6, 0.9 + 0.24 * len(largest))
    places = np.arange(len(largest))[::-1]
    axes.barh(places, [count for _, count in largest], color="#3b6ea5")
    axes.set_yticks(places, [name for name, _ in largest])
    axes.set(title=title, xlabel=label)
    return _embedded(figure, title)


@_picture
def intervals(
    names: Sequence[str],
    values: Sequence[tuple[float, float, float]],
    title: str,
    baselines: Collection[str] = (),
) -> str:
    """Return each name's (value, low, high) as a dot with its interval, a picture in Markdown.

    Names that are baselines are said to be, and drawn in another colour.
    """
    figure, axes = _plot(6.5, 0.9 + 0.34 * len(names))
    places = np.arange(len(names))[::-1]
    middle = np.array([value for value, _, _ in values])
    spread = np.abs(np.array([[value - low, high - value] for value, low, high in values]).reshape(-1, 2).T)
    is_baseline = np.array([name in baselines for name in names], dtype=bool)
    for drawn, colour in ((~is_baseline, "#3b6ea5"), (is_baseline, "#d9822b")):
        axes.errorbar(middle[drawn], places[drawn], xerr=spread[:, drawn], fmt="o", color=colour, capsize=3)
    axes.set_yticks(places, [f"{name} (baseline)" if name in baselines else name for name in names])
    axes.set(title=title, xlim=(-0.02, 1.02))
    axes.grid(axis="x", alpha=0.3)
    return _embedded(figure, title)


@_picture
def scatter(
    across: NDArray[np.floating], up: NDArray[np.floating], title: str, labels: tuple[str, str]
) -> str:
    """Return points as Markdown with the picture inside; of many, evenly chosen thousands are drawn."""
    figure, axes = _plot(5, 3.2)
    step = max(1, len(across) // _MOST_POINTS)
    axes.scatter(across[::step], up[::step], s=6, alpha=0.4, color="#3b6ea5", linewidths=0)
    axes.set(title=title, xlabel=labels[0], ylabel=labels[1])
    return _embedded(figure, title)


@_picture
def curves(across: Sequence[float], up: Mapping[str, Sequence[float]], title: str, label: str) -> str:
    """Return named curves over one axis, each in its own panel, as a picture in Markdown."""
    figure = _figure(3.2 * len(up), 2.6)
    for number, (name, values) in enumerate(up.items(), start=1):
        axes = figure.add_subplot(1, len(up), number)
        axes.plot(across, values, color="#3b6ea5")
        axes.set(title=name, xlabel=label)
    figure.suptitle(title)
    return _embedded(figure, title)


@_picture
def risk_and_reliability(
    coverage: NDArray[np.floating],
    risk: NDArray[np.floating],
    confidence: NDArray[np.floating],
    accuracy: NDArray[np.floating],
    title: str,
) -> str:
    """Return the error over the share of questions answered, and accuracy over confidence, side by side.

    A picture in Markdown. `coverage`, `risk`: (n,), along the curve; `confidence`, `accuracy`: (bins,).
    """
    figure = _figure(6.4, 2.8)
    curve, reliability = figure.subplots(1, 2)
    curve.plot(coverage, risk, color="#3b6ea5")
    curve.set(title="Risk", xlabel="share of questions answered", xlim=(0, 1), ylim=(0, 1))
    reliability.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=1)
    reliability.plot(confidence, accuracy, "o-", color="#3b6ea5", markersize=4)
    reliability.set(title="Accuracy", xlabel="confidence", xlim=(0, 1), ylim=(0, 1))
    for axes in (curve, reliability):
        axes.grid(alpha=0.3)
    figure.suptitle(title)
    return _embedded(figure, title)


class Mark(Enum):
    """What a node of a drawn network is, with its colour."""

    ON_A_PATH = "#b8b8b8"
    KEPT = "#8ab6d6"
    SEED = "#3b6ea5"
    OPTION = "#d9822b"


@_picture
def network(
    labels: Mapping[int, str],
    marks: Mapping[int, Mark],
    edges: Sequence[tuple[int, int]],
    paths: Sequence[tuple[int, int]],
    title: str,
    shares: Mapping[tuple[int, int], float] | None = None,
) -> str:
    """Return a network as Markdown with the picture inside: paths drawn thick, the other edges faint.

    `shares` of steps of paths, between 0 and 1, label the edges in percent and set their width. Nodes are
    dark blue for seeds, light blue for kept nodes, orange for options, and grey for nodes in between.
    """
    import networkx as nx

    drawn: nx.Graph[int] = nx.Graph()
    drawn.add_nodes_from(sorted(labels))
    drawn.add_edges_from(sorted({(min(pair), max(pair)) for pair in (*edges, *paths)}))
    places = nx.spring_layout(drawn, seed=0, k=1.6 / max(len(labels), 1) ** 0.5)
    figure, axes = _plot(8, 6)
    common: dict[str, Any] = {"G": drawn, "pos": places, "ax": axes}
    nx.draw_networkx_edges(**common, edge_color="#dddddd")
    steps = sorted(set(paths))
    share_of = shares or {}
    widths = [1.0 + 3.0 * share_of.get(step, 0.2) for step in steps]
    nx.draw_networkx_edges(**common, edgelist=steps, edge_color="#444444", width=widths)
    percents = {step: f"{100 * share_of[step]:.0f} %" for step in steps if step in share_of}
    nx.draw_networkx_edge_labels(**common, edge_labels=percents, font_size=5, font_color="#444444")
    colours = [marks[node].value for node in drawn]
    nx.draw_networkx_nodes(**common, node_color=colours, node_size=60)
    # A dollar sign would begin a formula.
    plain = {node: label.replace("$", r"\$") for node, label in labels.items()}
    nx.draw_networkx_labels(**common, labels=plain, font_size=6, verticalalignment="bottom")
    axes.set_axis_off()
    lines = wrap(title, _LONGEST_CELL, max_lines=_TITLE_LINES, placeholder=" …")
    axes.set_title("\n".join(lines), fontsize=8, parse_math=False)
    return _embedded(figure, "subgraph")


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _plot(width: float, height: float) -> tuple[Figure, Axes]:
    figure = _figure(width, height)
    return figure, figure.add_subplot()


def _embedded(figure: Figure, title: str) -> str:
    buffer = io.BytesIO()
    # No software name or date in the file: the same plot gives the same bytes.
    figure.savefig(buffer, format="png", dpi=90, metadata={"Software": None})
    picture = base64.b64encode(buffer.getvalue()).decode()
    return f"![{title}](data:image/png;base64,{picture})"
