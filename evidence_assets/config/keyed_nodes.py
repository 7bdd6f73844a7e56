"""Gold answers that no node of a graph is called: whatever is answered there counts as wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pyarrow as pa

from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.words import NUMBER

# What a graph answers with that is none of its nodes, beside counts and sums.
_TRUTHS = frozenset({"yes", "no"})
# What tells a node from its namesakes: Heat (film:2).
_KEY = re.compile(r" \([^()]*\)$")
_SHOWN = 3


def answers_without_node(questions: pa.Table, labels: Iterable[str]) -> list[tuple[str, str]]:
    """Return the questions that no node answers as their key has it, each by its id, with its first answer.

    Counted are those without options none of whose answers a node is called, in normal form. Yes, no and
    numbers need no node, and identifiers (`answer_keys`) find theirs whatever it is called.

    Args:
        questions: Their `question_id`, `options`, `answers` and `answer_keys`.
        labels: Of the graph's nodes; not read where no question needs one.
    """
    columns = ["question_id", "options", "answers", "answer_keys"]
    keyed = [
        row
        for row in questions.select(columns).to_pylist()
        if row["answers"] and not row["options"] and not row["answer_keys"]
    ]
    called = {normal_form(name) for label in labels for name in (label, _KEY.sub("", label))} if keyed else ()
    return [
        (row["question_id"], row["answers"][0])
        for row in keyed
        if not any(_needs_no_node(answer) or normal_form(answer) in called for answer in row["answers"])
    ]


def told_without_node(without_node: Sequence[tuple[str, str]], kg: str) -> str:
    """Return what is told of questions that no node answers; see `answers_without_node`."""
    shown = ", ".join(f"{question_id} with {answer!r}" for question_id, answer in without_node[:_SHOWN])
    return (
        f"questions none of whose answers is a node's name in graph {kg}: {len(without_node):,}, such as "
        f"{shown}; whatever is answered there counts as wrong; remedy: write answers as the graph's nodes "
        "are called, or give their identifiers"
    )


def _needs_no_node(answer: str) -> bool:
    return normal_form(answer) in _TRUTHS or NUMBER.fullmatch(answer.strip()) is not None
