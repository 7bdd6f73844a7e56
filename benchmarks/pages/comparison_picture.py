"""The picture on top of the results page: a line a comparison, how far ours is from the cheap baseline."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchmarks import PROJECT
from benchmarks.pages.comparisons import BELOW, UNDECIDED, mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PICTURE = PROJECT / "docs" / "pictures" / "comparisons.svg"
# By the sign of a comparison what it says, and a colour that is told apart whatever one's eyes.
_KINDS = {
    "": ("above", "#0072b2"),
    UNDECIDED: ("not shown to be above", "#767676"),
    BELOW: ("below", "#d55e00"),
}
_WIDTH, _LINE_HEIGHT, _MARGIN = 9.0, 0.19, 1.0
_PERCENT = 100.0

Row = Mapping[str, Any]


def comparison_picture(comparisons: Sequence[Row]) -> str:
    """Return an SVG of comparisons' differences with their intervals, the greatest on top.

    Args:
        comparisons: as `comparisons.compared` returns them. What they compare is written as text.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # Text as text, names of parts from their content: the same figures are the same bytes.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "comparisons", "font.size": 7.5}):
        figure = Figure(figsize=(_WIDTH, _MARGIN + _LINE_HEIGHT * len(comparisons)), layout="constrained")
        _draw(figure.subplots(), sorted(comparisons, key=lambda row: float(row["value"])))
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None})
    drawn = re.sub(r"[ \t]+$", "", written.getvalue(), flags=re.MULTILINE)
    # The last digits of a place may differ between machines.
    return re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", drawn)


def _draw(axes: Axes, rows: Sequence[Row]) -> None:
    axes.axvline(0, color="#444444", linewidth=0.8)
    for sign, (kind, colour) in _KINDS.items():
        places = [place for place, row in enumerate(rows) if mark(row) == sign]
        for place in places:
            if rows[place]["low"] is not None:
                ends = [_PERCENT * rows[place][end] for end in ("low", "high")]
                axes.plot(ends, [place, place], color=colour, linewidth=1.6, solid_capstyle="butt")
        values = [_PERCENT * rows[place]["value"] for place in places]
        axes.scatter(values, places, s=14, color=colour, label=f"{kind} ({len(places)})", zorder=3)
    axes.set_yticks(range(len(rows)), [_name(row) for row in rows])
    axes.set_ylim(-0.8, len(rows) - 0.2)
    axes.set_xlabel("ours less the strongest cheap baseline, points; bars are 95 % intervals")
    axes.grid(axis="x", color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.legend(loc="lower right", frameon=False)


def _name(row: Row) -> str:
    return f"{row['what']}{' †' if row['age'] else ''}"
