"""Metrics of the facts that were retrieved for a question: do they hold its answer, and speak of it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.evaluation.ranked_answers import PerQuestion, set_scores
from evidence_assets.models.encoder import EncodedWords
from evidence_assets.retrieval.transport.ground_costs import Cosine
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.words import words

DEPTHS = (1, 10)


@dataclass(frozen=True, slots=True)
class GraphNames:
    """How answers are found in a graph: rows of `graph_aliases`, `graph_nodes` and `graph_concepts`."""

    aliases: pa.Table
    nodes: pa.Table
    concepts: pa.Table

    def right_nodes(self, questions: Sequence[Mapping[str, Any]]) -> dict[str, set[int]]:
        """Return the nodes that answer each question: those of its keys, else of its answers' names."""
        by_key = self._keyed({key for row in questions for key in row["answer_keys"] or ()})
        named = self._named({normal_form(answer) for row in questions for answer in row["answers"]})
        return {
            row["question_id"]: {node for key in row["answer_keys"] for node in by_key.get(key, ())}
            if row["answer_keys"]
            else {node for answer in row["answers"] for node in named.get(normal_form(answer), ())}
            for row in questions
        }

    def _named(self, names: Set[str]) -> dict[str, set[int]]:
        """Return the nodes that bear each of these names in normal form."""
        bears_one = pc.and_(
            pc.equal(self.aliases.column("kind"), "label"), _is_one_of(self.aliases.column("alias"), names)
        )
        return _grouped(self.aliases.filter(bears_one), "alias")

    def _keyed(self, keys: Set[str]) -> dict[str, set[int]]:
        """Return the nodes of each of these identifiers of the graph's sources."""
        if not keys:
            return {}
        pairs = [
            pair
            for concepts in self.concepts.select(["label", "keys"]).to_batches()
            for pair in _labels_of_keys(concepts, keys)
        ]
        has_one = _is_one_of(self.nodes.column("label"), (label for _, label in pairs))
        labelled = _grouped(self.nodes.filter(has_one), "label")
        by_key: dict[str, set[int]] = {}
        for key, label in pairs:
            by_key.setdefault(key, set()).update(labelled.get(label, ()))
        return by_key


def fact_values(facts: pa.Table, questions: pa.Table, graph: GraphNames | None) -> PerQuestion:
    """Return per-question metrics of `retrieved_facts` rows of one retrieval.

    `coverage`: the share of the question's distinct words that its facts, and its options', say (equation 3
    of Attention2Query), over all questions. Of questions without options that have answers, over the facts of
    the question: `retrieval_hits@1` and `@10`, whether one of the first 1 or 10 would answer with a right
    node; and `retrieval_f1` of all nodes that they would answer with. What was not retrieved is missed.

    Args:
        questions: Their `question_id`, `question`, `options`, `answers` and `answer_keys`.
        graph: Which nodes an answer names; None without a graph.
    """
    by_question: dict[str, list[dict[str, Any]]] = {}
    columns = ["question_id", "candidate", "rank", "text", "answers"]
    for row in facts.select(columns).sort_by([("rank", "ascending")]).to_pylist():
        by_question.setdefault(row["question_id"], []).append(row)
    rows = questions.select(["question_id", "question", "options", "answers", "answer_keys"]).to_pylist()
    open_questions = [row for row in rows if row["answers"] and not row["options"]]
    right = graph.right_nodes(open_questions) if graph is not None else {}
    values: PerQuestion = {}
    for row in rows:
        question_facts = by_question.get(row["question_id"], [])
        measured = {"coverage": coverage(row["question"], [fact["text"] for fact in question_facts])}
        if row["answers"] and not row["options"]:
            measured |= _answers(question_facts, right.get(row["question_id"], set()))
        for metric, value in measured.items():
            values.setdefault(metric, {})[row["question_id"]] = value
    return values


def coverage(question: str, facts: Sequence[str]) -> float:
    """Return the share of a question's distinct words that its facts say; 0 where it has none."""
    question_words = set(words(question))
    fact_words = {word for text in facts for word in words(text)}
    return len(question_words & fact_words) / len(question_words) if question_words else 0.0


def bert_recall(question: EncodedWords, facts: Sequence[EncodedWords]) -> float:
    """Return the mean of each question word's largest cosine with a word of its facts; 0 without words.

    BERTScore's recall of the question in all of its facts: equations 1 and 2 of Attention2Query, where t
    numbers the words of the query. Of a single word against a fact the paper names neither precision nor F1.
    """
    vectors = [fact.vectors for fact in facts if fact.words]
    if not question.words or not vectors:
        return 0.0
    costs = Cosine().between(question.vectors, np.concatenate(vectors)).min(axis=1)
    return 1.0 - float(costs.mean()) / Cosine().scale


def _answers(facts: Sequence[Mapping[str, Any]], right: set[int]) -> dict[str, float]:
    ends = [fact["answers"] for fact in facts if fact["candidate"] == NO_OPTION]
    hits = {
        f"retrieval_hits@{depth}": float(any(not right.isdisjoint(nodes) for nodes in ends[:depth]))
        for depth in DEPTHS
    }
    reached = {str(node) for nodes in ends for node in nodes}
    return hits | {"retrieval_f1": set_scores(reached, set(map(str, right)))[0]}


def _labels_of_keys(concepts: pa.RecordBatch, keys: Set[str]) -> Iterator[tuple[str, str]]:
    """Yield each of these keys that a concept has, with the concept's label."""
    key_lists = concepts.column("keys")
    every_key = pc.list_flatten(key_lists)
    wanted = _is_one_of(every_key, keys)
    labels = concepts.column("label").take(pc.list_parent_indices(key_lists).filter(wanted))
    return zip(every_key.filter(wanted).to_pylist(), labels.to_pylist(), strict=True)


def _is_one_of(column: Any, values: Iterable[str]) -> Any:
    """Return for each row of a column of texts whether it is one of these values."""
    return pc.is_in(column, value_set=pa.array(sorted(set(values)), pa.string()))


def _grouped(rows: pa.Table, column: str) -> dict[str, set[int]]:
    """Return the nodes that bear each value of a column."""
    nodes: dict[str, set[int]] = {}
    for value, node in zip(rows.column(column).to_pylist(), rows.column("node").to_pylist(), strict=True):
        nodes.setdefault(value, set()).add(node)
    return nodes
