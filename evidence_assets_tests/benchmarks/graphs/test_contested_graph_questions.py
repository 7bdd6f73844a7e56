"""Plain and misleading questions to graphs hold together, and are as many as is said of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.graphs.contested_graph_questions import CONTESTED, HELD_OUT, OPENED, PARTS, graphs_of
from benchmarks.graphs.graph_questions import opened

GRAPHS = [graph for part in PARTS.values() for graph in graphs_of(part)]


@pytest.mark.parametrize("folder", GRAPHS, ids=lambda path: path.name)
def test_every_query_finds_an_answer_and_no_question_stands_twice(folder: Path) -> None:
    graph = opened(folder)
    assert all(gold is None or gold for gold in graph.gold)
    texts = [question["question"] for question in graph.questions]
    assert len(set(texts)) == len(texts) == len(graph.gold) > 0


@pytest.mark.parametrize("place", [CONTESTED, OPENED, HELD_OUT], ids=lambda path: path.name)
def test_the_readme_counts_the_questions(place: Path) -> None:
    """The last two numbers of a row are its questions, and those without an answer."""
    rows = re.findall(
        r"^\| ([a-z_, ]+) \| .+ \| ([\d,]+) \| ([\d,]+) \|$", (place / "README.md").read_text("utf-8"), re.M
    )
    counts = {names: tuple(int(number.replace(",", "")) for number in numbers) for names, *numbers in rows}
    folders = {graph.name: graph for graph in GRAPHS if place in graph.parents}
    assert sorted(name for names in counts for name in names.split(", ")) == sorted(folders)
    for names, count in counts.items():
        golds = [gold for name in names.split(", ") for gold in opened(folders[name]).gold]
        assert count == (len(golds), sum(gold is None for gold in golds)), names
