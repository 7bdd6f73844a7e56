"""Metrics of the facts that were retrieved for a question: do they hold its answer, and speak of it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from evidence_assets.evaluation.ranked_answers import PerQuestion, set_scores
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.words import words

DEPTHS = (1, 10)


def fact_values(facts: pa.Table, questions: pa.Table, aliases: pa.Table | None) -> PerQuestion:
    """Return per-question metrics of `retrieved_facts` rows of one retrieval.

    `coverage`: the share of the question's distinct words that its facts, and its options', say (equation 3
    of Attention2Query), over all questions. Of questions without options that have answers, over the facts of
    the question: `retrieval_hits@1` and `@10`, whether the first so many would answer with a right node; and
    `retrieval_f1` of all nodes that they would answer with. What was not retrieved is missed.

    Parameters
    ----------
    questions
        Their `question_id`, `question`, `options` and `answers`.
    aliases
        `graph_aliases` rows of the graph: which nodes an answer is a label of. None: no graph tells.
    """
    by_question: dict[str, list[dict[str, Any]]] = {}
    columns = ["question_id", "candidate", "rank", "text", "answers"]
    for row in facts.select(columns).sort_by([("rank", "ascending")]).to_pylist():
        by_question.setdefault(row["question_id"], []).append(row)
    labelled = _labelled(aliases)
    values: PerQuestion = {}
    for row in questions.select(["question_id", "question", "options", "answers"]).to_pylist():
        question_facts = by_question.get(row["question_id"], [])
        measured = {"coverage": coverage(row["question"], [fact["text"] for fact in question_facts])}
        if row["answers"] and not row["options"]:
            right = {node for answer in row["answers"] for node in labelled.get(normal_form(answer), ())}
            measured |= _answers(question_facts, right)
        for metric, value in measured.items():
            values.setdefault(metric, {})[row["question_id"]] = value
    return values


def coverage(question: str, facts: Sequence[str]) -> float:
    """Return the share of a question's distinct words that its facts say; 0 where it has none."""
    question_words = set(words(question))
    said = {word for text in facts for word in words(text)}
    return len(question_words & said) / len(question_words) if question_words else 0.0


def _answers(facts: Sequence[Mapping[str, Any]], right: set[int]) -> dict[str, float]:
    ends = [fact["answers"] for fact in facts if fact["candidate"] == NO_OPTION]
    hits = {
        f"retrieval_hits@{depth}": float(any(not right.isdisjoint(nodes) for nodes in ends[:depth]))
        for depth in DEPTHS
    }
    reached = {str(node) for nodes in ends for node in nodes}
    return hits | {"retrieval_f1": set_scores(reached, set(map(str, right)))[0]}


def _labelled(aliases: pa.Table | None) -> dict[str, set[int]]:
    """Return the nodes of each label in normal form."""
    nodes: dict[str, set[int]] = {}
    if aliases is not None:
        columns = (aliases.column(name).to_pylist() for name in ("alias", "kind", "node"))
        for alias, kind, node in zip(*columns, strict=True):
            if kind == "label":
                nodes.setdefault(alias, set()).add(node)
    return nodes
