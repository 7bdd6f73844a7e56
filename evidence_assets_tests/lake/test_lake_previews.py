"""What an asset shows of its rows."""

from __future__ import annotations

import base64
import re

import numpy as np
import pyarrow as pa

from evidence_assets.lake.previews import bars, curves, histogram, intervals, scatter, table_preview


def test_a_preview_is_one_markdown_table_whatever_the_cells_hold() -> None:
    rows = pa.table(
        {"text": ["a | b\n\n# no heading", "<script>", "[link](x)", "x" * 500], "n": [1, 2, 3, 4]}
    )
    lines = table_preview(rows, count=4).splitlines()
    assert lines[:2] == ["| text | n |", "| --- | --- |"]
    assert len(lines) == 6
    assert lines[2] == r"| a \| b # no heading | 1 |"
    assert "<script" not in lines[3]
    assert "](" not in lines[4].replace(r"\[", "")[:3]
    assert max(map(len, lines)) < 120


def test_a_preview_shows_only_what_is_asked_for() -> None:
    rows = pa.table({"a": range(9), "b": range(9)})
    assert table_preview(rows, ["b"], count=2) == "| b |\n| --- |\n| 0 |\n| 1 |"


def test_figures_are_rounded_and_whole_numbers_are_not() -> None:
    figures = {0.20654931437723745: "0.2065", 1.0: "1", 2e-7 / 3: "6.667e-08", 1234567.8: "1234568"}
    rows = pa.table({"figure": list(figures), "count": [123456] * len(figures)})
    assert table_preview(rows).splitlines()[2:] == [f"| {shown} | 123456 |" for shown in figures.values()]
    assert table_preview(pa.table({"figure": [float("nan"), None]})).splitlines()[2:] == [
        "| nan |",
        "|  |",
    ]


def picture(markdown: str) -> bytes:
    match = re.fullmatch(r"!\[[^\]]*\]\(data:image/png;base64,([A-Za-z0-9+/=]+)\)", markdown)
    assert match is not None
    return base64.b64decode(match[1])


def test_plots_are_pictures_and_the_same_values_give_the_same_bytes() -> None:
    values = np.linspace(-1, 1, 50)
    first, again = (picture(histogram(values, "Scores", "cosine")) for _ in range(2))
    different = picture(histogram(values**2, "Scores", "cosine"))
    assert first.startswith(b"\x89PNG")
    assert first == again != different


def test_baselines_stand_out_among_intervals() -> None:
    bounds = [(0.5, 0.4, 0.6), (0.3, 0.2, 0.4)]
    plain, marked = (
        picture(intervals(["full", "chance"], bounds, "Accuracy", baselines))
        for baselines in ((), {"chance"})
    )
    assert plain.startswith(b"\x89PNG")
    assert marked.startswith(b"\x89PNG")
    assert plain != marked
    assert picture(intervals(["full", "chance"], bounds, "Accuracy", {"absent"})) == plain


def test_bars_are_the_largest_first_and_at_most_so_many() -> None:
    counts = {"IsA": 3, "HasA": 7, "AtLocation": 7}
    first, again = (
        picture(bars(dict(items), "Triples", "count")) for items in (counts, [*counts.items()][::-1])
    )
    assert first.startswith(b"\x89PNG")
    assert first == again, "whatever order they were counted in"
    assert picture(bars({**counts, "IsA": 4}, "Triples", "count")) != first
    many = {f"relation {number:03}": 1000 - number for number in range(200)}
    largest = dict(list(many.items())[:50])
    assert picture(bars(many, "Triples", "count")) == picture(bars(largest, "Triples", "count"))
    assert picture(bars({}, "Triples", "count")).startswith(b"\x89PNG")


def test_points_are_drawn_however_many() -> None:
    values = np.random.default_rng(0).normal(size=200_000)
    few, again = (picture(scatter(values[:50], values[50:100], "Cost", ("weight", "cost"))) for _ in range(2))
    different = picture(scatter(values[50:100], values[:50], "Cost", ("weight", "cost")))
    assert few.startswith(b"\x89PNG")
    assert few == again != different
    many = picture(scatter(values, values[::-1], "Cost", ("weight", "cost")))
    assert len(few) < len(many) < 500_000
    assert picture(scatter(values[:0], values[:0], "Cost", ("weight", "cost"))).startswith(b"\x89PNG")


def test_curves_are_one_picture_with_a_panel_each() -> None:
    steps, rising, falling = [10, 20, 30], [0.1, 0.3, 0.5], [9.0, 4.0, 2.0]
    both = {"accuracy": rising, "perplexity": falling}
    first, again = (picture(curves(steps, both, "facts: training", "steps")) for _ in range(2))
    assert first.startswith(b"\x89PNG")
    assert first == again
    others = (
        curves(steps, {"accuracy": rising, "perplexity": rising}, "facts: training", "steps"),
        curves([10, 20, 40], both, "facts: training", "steps"),
        curves(steps, {"accuracy": rising}, "facts: training", "steps"),
        curves(steps, both, "other: training", "steps"),
    )
    assert len({first, *map(picture, others)}) == 5
    # The picture is as wide as there are curves.
    widths = [int.from_bytes(picture(drawn)[16:20]) for drawn in (others[2], others[0])]
    assert widths[1] == 2 * widths[0]
    # Nothing was held out: there is nothing to draw, which is no error.
    unknown = curves(steps, {"accuracy": [float("nan")] * 3, "loss": [float("nan"), 2.0, 1.0]}, "t", "steps")
    assert picture(unknown).startswith(b"\x89PNG")
