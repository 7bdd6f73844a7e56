"""Questions to small graphs without a schema, plain and misleading: what is answered, and what of it rightly.

    python -m benchmarks contested_graph_questions

Of `authored/contested_graph_questions`, those of `held_out` are held out: authors asked who saw no parser,
most of them to mislead a hasty reader. So were those of `opened`, until parser 42 opened them. The authors of
those of `contested` saw what each question was answered with and varied those that were answered wrongly;
what these show is where a parser errs, and no rate at which it does. What relations mean is derived from
their names. The cheap baseline is the best path always.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks import PROJECT
from benchmarks.graphs.graph_questions import opened
from benchmarks.graphs.schema_graphs import Answering, by_best_path, by_default, part_figures
from benchmarks.texts import starter_encoder

SETS = PROJECT / "benchmarks" / "authored" / "contested_graph_questions"
CONTESTED, OPENED, HELD_OUT = SETS / "contested", SETS / "opened", SETS / "held_out"
PARTS = {
    "held out, plain": HELD_OUT / "plain",
    "held out, misleading": HELD_OUT / "misleading",
    "development, plain": OPENED / "plain",
    "development, misleading": OPENED / "misleading",
    "development, contested": CONTESTED,
}


def graphs_of(part: Path) -> list[Path]:
    """Return the folders of a part's graphs."""
    return sorted(path for path in part.iterdir() if path.is_dir())


def run() -> dict[str, Any]:
    """Return what is answered and what of it rightly, by graph and part, by default and best path."""
    encoder = starter_encoder()
    ways: dict[str, Answering] = {
        "default": lambda folder, questions: by_default(folder, questions, encoder),
        "the best path, always": lambda folder, questions: by_best_path(folder, questions, encoder),
    }
    graphs, parts = [], []
    for part, place in PARTS.items():
        folders = [opened(path) for path in graphs_of(place)]
        for way, how in ways.items():
            of_graphs, of_part = part_figures(part, way, folders, how, encoder)
            graphs += of_graphs
            parts.append(of_part)
    return {"graphs": graphs, "parts": parts}
