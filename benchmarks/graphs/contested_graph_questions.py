"""Questions asked to make the parser answer wrongly: `authored/contested_graph_questions`.

    python -m benchmarks contested_graph_questions

Two authors saw what each question was answered with and varied those that were answered wrongly, so figures
show where it errs, and no rate at which it does. All are development data. The graphs have no schema: what
their relations mean is derived. The cheap baseline is the best path always.
"""

from __future__ import annotations

from typing import Any

from benchmarks import PROJECT
from benchmarks.graphs.graph_questions import opened
from benchmarks.graphs.schema_graphs import Answering, answers, by_best_path, by_default, figures
from benchmarks.texts import starter_encoder

FOLDER = PROJECT / "benchmarks" / "authored" / "contested_graph_questions"


def run() -> dict[str, Any]:
    """Return what is answered and what of it rightly, by graph and of all, by default and best path."""
    encoder = starter_encoder()
    ways: dict[str, Answering] = {
        "default": lambda folder, questions: by_default(folder, questions, encoder),
        "the best path, always": lambda folder, questions: by_best_path(folder, questions, encoder),
    }
    folders = [opened(path) for path in sorted(FOLDER.iterdir()) if path.is_dir()]
    graphs, parts = [], []
    for way, how in ways.items():
        answered = [answers(folder, how, encoder) for folder in folders]
        graphs += [
            {"graph": folder.base.graph.name, "way": way, **figures(of_graph)}
            for folder, of_graph in zip(folders, answered, strict=True)
        ]
        parts.append({"way": way, **figures([row for of_graph in answered for row in of_graph])})
    return {"graphs": graphs, "parts": parts}
