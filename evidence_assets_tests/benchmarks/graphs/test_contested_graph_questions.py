"""The questions that were asked to be answered wrongly hold together, and are as many as is said of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.graphs.contested_graph_questions import FOLDER
from benchmarks.graphs.graph_questions import opened

GRAPHS = sorted(path for path in FOLDER.iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", GRAPHS, ids=lambda path: path.name)
def test_every_query_finds_an_answer_and_no_question_stands_twice(folder: Path) -> None:
    graph = opened(folder)
    assert all(gold is None or gold for gold in graph.gold)
    texts = [question["question"] for question in graph.questions]
    assert len(set(texts)) == len(texts) == len(graph.gold) > 0


def test_the_readme_counts_the_questions() -> None:
    rows = re.findall(
        r"^\| ([\w, ]+) \| [^|]+ \| ([\d,]+) \| ([\d,]+) \|$", (FOLDER / "README.md").read_text("utf-8"), re.M
    )
    counts = {names: tuple(int(number.replace(",", "")) for number in numbers) for names, *numbers in rows}
    assert sorted(name for names in counts for name in names.split(", ")) == [path.name for path in GRAPHS]
    for names, count in counts.items():
        golds = [gold for name in names.split(", ") for gold in opened(FOLDER / name).gold]
        assert count == (len(golds), sum(gold is None for gold in golds)), names
