"""Questions of all kinds to small graphs, beside the parser of whole paths: `authored/graph_questions`.

    python -m benchmarks graph_question_sets

Development graphs are named by `ALSO_DEVELOPMENT`: rules were chosen on them, and how sure each one's
readings are is decided by what the other development graphs show. Other folders are held out. A third of the
questions has no answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks import PROJECT
from benchmarks.estimates import estimate_row
from benchmarks.graphs.graph_questions import (
    ALSO_DEVELOPMENT,
    Folder,
    crossed,
    development,
    figures,
    opened,
    outcomes,
)
from benchmarks.graphs.named_topics import named_topics
from benchmarks.texts import starter_encoder
from evidence_assets.evidence.estimates import proportion
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets.models.encoder import Encoder

FOLDER = PROJECT / "benchmarks" / "authored" / "graph_questions"
PARTS = {
    "held out": sorted(
        {path.name for path in FOLDER.iterdir() if path.is_dir()} - {*ALSO_DEVELOPMENT, "__pycache__"}
    ),
    "development": ALSO_DEVELOPMENT,
}


def run() -> dict[str, Any]:
    """Return what is answered and what of it rightly, by part, of the composed reading and of whole paths."""
    encoder = starter_encoder()
    parts = {}
    chosen_on = crossed({str(path): list(outcomes(opened(path), encoder)) for path in development()})
    for part, graphs in PARTS.items():
        if not graphs:
            continue
        folders = [opened(FOLDER / graph) for graph in graphs]
        read = [
            outcome
            for graph, folder in zip(graphs, folders, strict=True)
            for outcome in chosen_on.get(str(FOLDER / graph)) or outcomes(folder, encoder)
        ]
        parts[part] = {
            "graphs": list(graphs),
            "composed": shares(
                (outcome.answered, outcome.right, outcome.gold is not None) for outcome in read
            ),
            "whole paths": shares(row for folder in folders for row in _by_paths(folder, encoder)),
            "by_kind": figures(read)["by_kind"],
            "milliseconds_median": figures(read)["milliseconds_median"],
        }
    return {"parts": parts}


def _by_paths(folder: Folder, encoder: Encoder) -> Iterable[tuple[bool, bool, bool]]:
    """Yield of each question whether it is answered by whole paths, whether rightly, and has an answer."""
    parser = Parser(folder.base.graph, folder.base.schema, encoder)
    labels = folder.base.graph.labels.to_pylist()
    for place, (question, gold) in enumerate(zip(folder.questions, folder.gold, strict=True)):
        text = question["question"]
        [parses] = parser.parse([LinkedQuestion(str(place), text, named_topics(text, folder.linker))])
        reached: list[int] = next(
            (parse.answers.tolist() for parse in parses if parse.exists and len(parse.answers)), []
        )
        names: Sequence[str] = folder.ids if gold is None or gold <= set(folder.ids) else labels
        answers = frozenset(names[node] for node in reached)
        yield bool(reached), answers == gold if reached else gold is None, gold is not None


def shares(rows: Iterable[tuple[bool, bool, bool]]) -> dict[str, Any]:
    """Return shares with their intervals, of questions: whether answered, rightly, and with an answer."""
    read = list(rows)
    of_answerable = [(answered, right) for answered, right, answerable in read if answerable]
    of_answered = [right for answered, right, _ in read if answered]
    silent = [not answered for answered, _, answerable in read if not answerable]
    right_and_answered = [answered and right for answered, right in of_answerable]
    return {
        "answered": _share([answered for answered, _ in of_answerable]),
        "right": _share(right_and_answered),
        "right_of_answered": _share(of_answered),
        "abstained_of_unanswerable": _share(silent),
    }


def _share(holds: Sequence[bool]) -> dict[str, float | int]:
    if not holds:
        return {"value": 0.0, "low": 0.0, "high": 1.0, "n": 0}
    return estimate_row(proportion(sum(holds), len(holds)))
