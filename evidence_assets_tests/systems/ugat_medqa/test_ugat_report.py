"""What the system's assets show of themselves."""

from __future__ import annotations

import base64
import re
from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.lake.previews import Mark, network
from evidence_assets.lake.schemas import QUESTION_SUBGRAPHS, RELEVANCE_DIAGNOSTICS
from evidence_assets.systems.ugat_medqa import report
from evidence_assets.systems.ugat_medqa.arms import SubgraphExtent
from evidence_assets.systems.ugat_medqa.subgraphs import subgraph_rows
from evidence_assets_tests.testing.graph_samples import number_of
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.ugat_samples import (
    embedded_rows,
    node_row,
    node_table,
    path_row,
    path_table,
    question_concepts,
    vectors_of,
)

GRAPH = embedded_rows(
    [
        ("cost of $5", "may_cause", "a|b", 1.0),
        ("a|b", "may_cause", "$x_1$ and $y$", 1.0),
        ("$x_1$ and $y$", "see_also", r"back\slash $", 1.0),
        ("elsewhere", "see_also", "far", 1.0),
    ]
)
LABELS = GRAPH.graph.labels.to_pylist()
_PICTURE = re.compile(r"!\[([^\]]*)\]\(data:image/png;base64,([A-Za-z0-9+/=]+)\)")


def picture_in(markdown: Any) -> str:
    """The title of the one picture that a text is."""
    match = _PICTURE.fullmatch(markdown)
    assert match, markdown[:200]
    assert base64.b64decode(match[2]).startswith(b"\x89PNG")
    return match[1]


def cells(markdown: str) -> dict[str, str]:
    """First and last column of a Markdown table."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in markdown.splitlines()[2:]]
    return {row[0]: row[-1] for row in rows}


def test_sizes_of_subgraphs_are_reported() -> None:
    questions = [
        question_concepts("q1", "one?", [0]),
        question_concepts("q2", "two?"),
        question_concepts("q3", "three?", [number_of(GRAPH.graph, "far")]),
    ]
    around = SubgraphExtent("near", 3, 3)
    rows = pa.concat_tables(subgraph_rows(questions, vectors_of(questions), GRAPH, around, "b"))
    shown = report.of_subgraphs(rows, "near|b")
    sizes = [len(row["nodes"]) for row in rows.to_pylist()]
    assert (shown["questions"], shown["questions_without_concept"]) == (3, 1)
    assert shown["mean_nodes"] == pytest.approx(sum(sizes) / 3)
    assert shown["mean_reached"] == pytest.approx(sum(rows.column("reached").to_pylist()) / 3)
    assert (
        shown["questions_capped"] == sum(dropped > 0 for dropped in rows.column("dropped").to_pylist()) == 2
    )
    assert picture_in(shown["nodes"]) == "near|b: nodes a subgraph"
    empty = report.of_subgraphs(QUESTION_SUBGRAPHS.schema.empty_table(), "near|b")
    assert (empty["questions"], empty["mean_nodes"], empty["mean_reached"]) == (0, 0.0, 0.0)


def diagnostics(*collapsed: bool, **changes: Any) -> pa.Table:
    rows = [
        {
            "benchmark": "b",
            "route": "r",
            "question_id": f"q{number}",
            "nodes": 10,
            "kept": 5,
            "kept_share": 0.5,
            "mean_score": 0.25,
            "spread": 0.1 * number,
            "cosine_correlation": -0.5,
            "seed_correlation": None,
            "collapsed": flag,
            **changes,
        }
        for number, flag in enumerate(collapsed)
    ]
    return pa.Table.from_pylist(rows, schema=RELEVANCE_DIAGNOSTICS.schema)


@pytest.mark.parametrize(
    ("collapsed", "share", "warn"),
    [
        ((True, True, False), 2 / 3, True),
        ((True, False), 0.5, False),
        ((False,), 0.0, False),
        ((), 0.0, False),
    ],
)
def test_a_collapse_of_most_questions_is_a_warning(
    collapsed: tuple[bool, ...], share: float, warn: bool
) -> None:
    shown = report.of_relevance(diagnostics(*collapsed))
    assert shown["collapsed_share"] == pytest.approx(share)
    assert shown["warn"] is warn
    assert picture_in(shown["spread"]) == "Spread of node scores"
    means = cells(shown["means"])
    assert len(means) == 7
    assert not means["seed_correlation"]
    if collapsed:
        assert (means["nodes"], means["kept_share"], means["cosine_correlation"]) == ("10", "0.5", "-0.5")
        assert float(means["spread"]) == pytest.approx(0.1 * (len(collapsed) - 1) / 2)


def test_means_of_what_was_trained_twice() -> None:
    shown = report.of_relevance(diagnostics(False, False, seed_correlation=0.75))
    assert cells(shown["means"])["seed_correlation"] == "0.75"


def sample() -> tuple[pa.Table, pa.Table, pa.Table]:
    """Paths, nodes and questions: q1's first option is right and reached, q2's is reached and wrong."""
    first, second, third = (number_of(GRAPH.graph, label) for label in ("cost of $5", "a|b", "$x_1$ and $y$"))
    paths = path_table(
        {
            **path_row("q1", 0, 1, "One."),
            "nodes": [first, second, third],
            "length": 2,
            "attention": [0.5, 0.125],
            "denies": True,
        },
        {**path_row("q1", 0, 2, "Two."), "nodes": [second, third], "conflicts": 2},
        {**path_row("q2", 1, 1, "Three."), "nodes": [third, second], "conflicts": 1},
    )
    nodes = node_table(
        node_row("q1", first, is_seed=True, rank=1),
        node_row("q1", second, rank=2),
        node_row("q1", third, kept=False, rank=3, candidates=[0]),
        node_row("q2", second, rank=1),
    )
    questions = question_table(
        question_row("q1", "Does $5 | $6 <b>cost</b> [more]?", ["yes", "no"], 0),
        question_row("q2", "Two?", ["yes", "no"], 0),
        question_row("q3", "Three?", ["yes", "no"], None),
    )
    return paths, nodes, questions


def test_paths_are_counted_and_one_question_drawn() -> None:
    shown = report.of_paths(*sample(), GRAPH)
    assert (shown["questions_with_a_path"], shown["options_with_a_path"]) == (2, 2)
    assert shown["right_options_with_a_path"] == 1
    assert (shown["paths_that_deny"], shown["paths_in_conflict"]) == (1, 2)
    assert picture_in(shown["lengths"]) == "Paths by length"
    assert picture_in(shown["subgraph"]) == "subgraph"
    assert report.of_paths(*sample(), GRAPH) == shown, "the same picture, byte by byte"


def test_the_question_with_most_paths_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, Any] = {}

    def draw(labels: Any, marks: Any, edges: Any, paths: Any, title: str, shares: Any) -> str:
        drawn.update(labels=labels, marks=marks, edges=edges, paths=paths, title=title, shares=shares)
        return ""

    monkeypatch.setattr(report, "network", draw)
    paths, nodes, questions = sample()
    report.of_paths(paths, nodes, questions, GRAPH)
    first, second, third = (number_of(GRAPH.graph, label) for label in ("cost of $5", "a|b", "$x_1$ and $y$"))
    assert drawn["title"] == "Does $5 | $6 <b>cost</b> [more]?"
    assert drawn["labels"] == {node: LABELS[node] for node in (first, second, third)}
    assert drawn["marks"] == {first: Mark.SEED, second: Mark.KEPT, third: Mark.OPTION}
    assert {frozenset(pair) for pair in drawn["edges"]} == {
        frozenset((first, second)),
        frozenset((second, third)),
    }
    assert drawn["paths"] == [(first, second), (second, third), (second, third)]
    assert drawn["shares"] == {(first, second): 0.5, (second, third): 0.25}
    report.of_paths(pa.concat_tables([paths.slice(1), paths.slice(2)]), nodes, questions, GRAPH)
    assert drawn["title"] == "Two?"
    assert drawn["labels"].keys() == {second, third}
    # Of two with as many, the first by id.
    report.of_paths(paths.slice(1), nodes, questions, GRAPH)
    assert drawn["title"] == "Does $5 | $6 <b>cost</b> [more]?"


def test_paths_of_a_route_that_does_not_walk_are_drawn_without_attention(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: dict[str, Any] = {}
    monkeypatch.setattr(report, "network", lambda *arguments: drawn.update(shares=arguments[5]) or "")
    paths, nodes, questions = sample()
    silent = pa.array([None] * paths.num_rows, paths.schema.field("attention").type)
    place = paths.schema.get_field_index("attention")
    report.of_paths(paths.set_column(place, "attention", silent), nodes, questions, GRAPH)
    assert drawn == {"shares": {}}


def test_without_paths_nothing_is_drawn() -> None:
    shown = report.of_paths(path_table(), node_table(), sample()[2], GRAPH)
    assert "subgraph" not in shown
    assert (shown["questions_with_a_path"], shown["paths_that_deny"], shown["paths_in_conflict"]) == (0, 0, 0)
    assert picture_in(shown["lengths"]) == "Paths by length"


@pytest.mark.parametrize(
    "label", ["$", "$$", r"\$x$", r"$\frac{1$", "a_b^c", "a|b", "[x](y)", "<b>", "ü é", "%", "&", "", "x\ny"]
)
def test_labels_are_drawn_as_they_are(label: str) -> None:
    drawn = network(
        {0: label, 1: f"{label} {label}"},
        {0: Mark.SEED, 1: Mark.OPTION},
        [(0, 1)],
        [(1, 0)],
        label,
        {(1, 0): 0.5},
    )
    assert picture_in(drawn) == "subgraph"


def test_a_single_node_is_drawn() -> None:
    assert picture_in(network({4: "alone"}, {4: Mark.KEPT}, [], [], "One " * 60)) == "subgraph"
