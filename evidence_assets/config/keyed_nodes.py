"""Gold answers that no node of a graph is called: whatever is answered there counts as wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.words import NUMBER

# What a graph answers with that is none of its nodes, beside counts and sums.
_TRUTHS = frozenset({"yes", "no"})
# What tells a node from its namesakes: Heat (film:2).
_KEY = re.compile(r" \([^()]*\)$")
_SHOWN = 3


def keys_of_nodes(questions: pa.Table) -> dict[str, list[str]]:
    """Return the gold answers of each question, by its id, that nothing but a node's name answers rightly.

    Those are of questions without options. Yes, no and numbers need no node, and identifiers (`answer_keys`)
    find theirs whatever it is called.

    Args:
        questions: Their `question_id`, `options`, `answers` and `answer_keys`.
    """
    columns = ["question_id", "options", "answers", "answer_keys"]
    return {
        row["question_id"]: row["answers"]
        for row in questions.select(columns).to_pylist()
        if row["answers"]
        and not row["options"]
        and not row["answer_keys"]
        and not any(map(_needs_no_node, row["answers"]))
    }


def without_node(keys: Mapping[str, Sequence[str]], labels: Iterable[str]) -> dict[str, str]:
    """Return the questions with no gold answer that a node is called, in normal form, and their first answer.

    Args:
        keys: As `keys_of_nodes` returns them.
        labels: Of the graph's nodes.
    """
    names = {normal_form(name) for label in labels for name in (label, _KEY.sub("", label))}
    return {
        question_id: answers[0]
        for question_id, answers in keys.items()
        if names.isdisjoint(map(normal_form, answers))
    }


def told_without_node(answers: Mapping[str, str], kg: str) -> str:
    """Return what is told of questions that no node answers; `answers`: as `without_node` returns them."""
    shown = ", ".join(f"{question_id} with {answer!r}" for question_id, answer in [*answers.items()][:_SHOWN])
    return (
        f"questions none of whose answers is a node's name in graph {kg}: {len(answers):,}, such as "
        f"{shown}; whatever is answered there counts as wrong; remedy: write answers as the graph's nodes "
        "are called, or give their identifiers"
    )


def _needs_no_node(answer: str) -> bool:
    return normal_form(answer) in _TRUTHS or NUMBER.fullmatch(answer.strip()) is not None
