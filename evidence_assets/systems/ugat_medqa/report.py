"""What the system's assets show of themselves: sizes, spreads, a question's subgraph, sample chains."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.lake.previews import Mark, bars, histogram, network, table_preview

_DRAWN_EVIDENCE = 12


def of_subgraphs(rows: pa.Table, key: str) -> dict[str, Any]:
    """Return the sizes of the subgraphs of `question_subgraphs` rows, and what the cap left out."""
    sizes = pc.list_value_length(rows.column("nodes")).to_numpy()
    reached, dropped = rows.column("reached").to_numpy(), rows.column("dropped").to_numpy()
    concepts = [any(seed["is_concept"] for seed in seeds) for seeds in rows.column("seeds").to_pylist()]
    return {
        "questions": rows.num_rows,
        "questions_without_concept": int(rows.num_rows - sum(concepts)),
        "mean_nodes": float(sizes.mean()) if len(sizes) else 0.0,
        "mean_reached": float(reached.mean()) if len(reached) else 0.0,
        "questions_capped": int((dropped > 0).sum()),
        "nodes": histogram(sizes, f"{key}: nodes a subgraph", "nodes"),
    }


def of_relevance(measured: pa.Table) -> dict[str, Any]:
    """Return the means of `relevance_diagnostics` rows; `warn` where most questions' scores collapsed."""
    collapsed = measured.column("collapsed").to_numpy(zero_copy_only=False)
    share = float(collapsed.mean()) if len(collapsed) else 0.0
    names = ("nodes", "kept", "kept_share", "mean_score", "spread", "cosine_correlation", "seed_correlation")
    means = [{"measure": name, "mean": pc.mean(measured.column(name)).as_py()} for name in names]
    return {
        "warn": share > 0.5,
        "collapsed_share": share,
        "means": table_preview(pa.Table.from_pylist(means), count=len(means)),
        "spread": histogram(measured.column("spread").to_numpy(), "Spread of node scores", "spread"),
    }


def of_paths(paths: pa.Table, nodes: pa.Table, questions: pa.Table, graph: EmbeddedGraph) -> dict[str, Any]:
    """Return how many paths there are, how long, and one question's subgraph with its evidence and paths."""
    lengths = Counter(f"{length} steps" for length in paths.column("length").to_pylist())
    reached = set(
        zip(paths.column("question_id").to_pylist(), paths.column("candidate").to_pylist(), strict=True)
    )
    right = {
        (row["question_id"], row["answer_index"])
        for row in questions.select(["question_id", "answer_index"]).to_pylist()
        if row["answer_index"] is not None
    }
    shown: dict[str, Any] = {
        "questions_with_a_path": len({question_id for question_id, _ in reached}),
        "right_options_with_a_path": len(reached & right),
        "options_with_a_path": len(reached),
        "paths_that_deny": int(pc.sum(paths.column("denies")).as_py() or 0),
        "paths_in_conflict": int(pc.sum(pc.greater(paths.column("conflicts"), 0)).as_py() or 0),
        "lengths": bars(lengths, "Paths by length", "paths"),
    }
    drawn = _drawn_question(paths)
    return shown if drawn is None else {**shown, "subgraph": _picture(drawn, paths, nodes, questions, graph)}


def _drawn_question(paths: pa.Table) -> str | None:
    """Return the question whose options are reached by most paths; of equal ones the first by id."""
    counts = Counter(paths.column("question_id").to_pylist())
    return min(counts, key=lambda question_id: (-counts[question_id], question_id)) if counts else None


def _picture(
    question_id: str, paths: pa.Table, nodes: pa.Table, questions: pa.Table, graph: EmbeddedGraph
) -> str:
    """Return a question's evidence nodes, seeds and options' concepts with the paths between them.

    Every step of a path is labelled with the attention that the walk pays to it.
    """
    node_rows = nodes.filter(pc.equal(nodes.column("question_id"), question_id)).to_pylist()
    question_paths = paths.filter(pc.equal(paths.column("question_id"), question_id))
    walked, attention = (
        question_paths.column("nodes").to_pylist(),
        question_paths.column("attention").to_pylist(),
    )
    [question] = questions.filter(pc.equal(questions.column("question_id"), question_id)).to_pylist()
    kept = sorted((row for row in node_rows if row["kept"]), key=lambda row: row["rank"])[:_DRAWN_EVIDENCE]
    marks: dict[int, Mark] = dict.fromkeys((node for path in walked for node in path), Mark.ON_A_PATH)
    marks.update(dict.fromkeys((row["node"] for row in kept), Mark.KEPT))
    marks.update(dict.fromkeys((row["node"] for row in node_rows if row["is_seed"]), Mark.SEED))
    marks.update(dict.fromkeys((row["node"] for row in node_rows if row["candidates"]), Mark.OPTION))
    placed = np.array(sorted(marks), dtype=np.int32)
    near = [(int(placed[start]), int(placed[end])) for start, end in graph.adjacency.within(placed).T]
    steps = [pair for path in walked for pair in pairwise(path)]
    shares = {
        pair: share
        for path, of_path in zip(walked, attention, strict=True)
        for pair, share in zip(pairwise(path), of_path or [], strict=bool(of_path))
    }
    labels = {int(node): str(graph.graph.labels[int(node)].as_py()) for node in placed}
    return network(labels, marks, near, steps, question["question"], shares)
