"""Metrics of ranked answers, question by question: as STaRK's, with ties accounted for.

Where scores are equal, their order says nothing. A metric's plain name is its mean over every order of the
ties, in closed form; `_best` and `_worst` are its values where the right answers come first in them, or last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evidence_assets.evaluation.metrics import NDCG_DEPTH, discounts
from evidence_assets.text.normal_forms import normal_form, without_keys

HITS_DEPTHS = (1, 5, 10)
RECALL_DEPTH = 20
BEST, WORST = "_best", "_worst"
_ARTICLES = ("a", "an", "the")

PerQuestion = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Tie:
    """Answers of equal score: how many, how many of them right, and how many rank before them."""

    size: int
    right: int
    before: int


def ties_of(scores: Sequence[float], right: Sequence[bool]) -> list[Tie]:
    """Return the ties of a ranking, best first; an answer with a unique score is a tie of size 1.

    Raises:
        ValueError: scores and answers do not pair, or the scores do not descend.
    """
    if len(scores) != len(right):
        raise ValueError(f"{len(scores)} scores do not pair with {len(right)} answers")
    data = np.asarray(scores, dtype=np.float64)
    if not np.all(data[1:] <= data[:-1]):
        raise ValueError("the scores of a ranking do not descend")
    starts = np.flatnonzero(np.r_[True, data[1:] != data[:-1]][: len(data)])
    ends = np.r_[starts[1:], len(data)]
    right_before = np.r_[0, np.cumsum(np.asarray(right, dtype=np.int64))]
    return [
        Tie(int(end - start), int(right_before[end] - right_before[start]), int(start))
        for start, end in zip(starts, ends, strict=False)
    ]


def first_right(tie: Tie) -> NDArray[np.float64]:
    """Return, for each place in a tie with a right answer, the probability that the first right one is there.

    Of n answers with r right ones, P(j) = C(n - j, r - 1) / C(n, r): negative hypergeometric, built up by the
    ratio of neighbours. Shape (n - r + 1,).
    """
    places = np.arange(1, tie.size - tie.right + 1, dtype=np.float64)
    ratios = (tie.size - places - tie.right + 1) / (tie.size - places)
    chances: NDArray[np.float64] = np.concatenate([[1.0], np.cumprod(ratios)])
    return chances * (tie.right / tie.size)


def hits_at(ties: Sequence[Tie], depth: int) -> tuple[float, float, float]:
    """Return whether a right answer is among the first `depth`: expected, best, worst."""
    tie = next((tie for tie in ties if tie.right), None)
    if tie is None or tie.before >= depth:
        return 0.0, 0.0, 0.0
    if tie.before + tie.size - tie.right + 1 <= depth:
        return 1.0, 1.0, 1.0
    return float(first_right(tie)[: depth - tie.before].sum()), 1.0, 0.0


def reciprocal_rank(ties: Sequence[Tie]) -> tuple[float, float, float]:
    """Return 1 / rank of the first right answer, 0 where none is ranked: expected, best, worst."""
    tie = next((tie for tie in ties if tie.right), None)
    if tie is None:
        return 0.0, 0.0, 0.0
    ranks = tie.before + np.arange(1, tie.size - tie.right + 2)
    if len(ranks) == 1:
        return (1 / float(ranks[0]),) * 3
    return float((first_right(tie) / ranks).sum()), 1 / float(ranks[0]), 1 / float(ranks[-1])


def recall_at(ties: Sequence[Tie], right: int, depth: int) -> tuple[float, float, float]:
    """Return which share of all `right` answers is among the first `depth`: expected, best, worst.

    Raises:
        ValueError: there is no right answer.
    """
    if right <= 0:
        raise ValueError("recall needs at least one right answer")
    expected = best = worst = 0.0
    for tie in ties:
        within = min(max(depth - tie.before, 0), tie.size)
        expected += tie.right * within / tie.size
        best += min(tie.right, within)
        worst += max(0, within - (tie.size - tie.right))
    return expected / right, best / right, worst / right


def ndcg_at(ties: Sequence[Tie], right: int, depth: int) -> float:
    """Return the normalised discounted gain of the first `depth` (Järvelin and Kekäläinen 2002), expected.

    A right answer counts 1. The ideal has all `right` ones first, ranked or not.

    Raises:
        ValueError: there is no right answer.
    """
    if right <= 0:
        raise ValueError("a gain needs at least one right answer")
    worth = discounts(depth)
    gain = sum(
        tie.right / tie.size * float(worth[tie.before : tie.before + tie.size].sum())
        for tie in ties
        if tie.before < depth
    )
    return gain / float(worth[:right].sum())


def set_scores(returned: set[str], right: set[str]) -> tuple[float, float]:
    """Return F1 of a set of answers, and whether it is exactly the right one."""
    if not returned or not right:
        return 0.0, float(returned == right)
    return 2 * len(returned & right) / (len(returned) + len(right)), float(returned == right)


@dataclass(frozen=True, slots=True)
class Gold:
    """A question's right answers: the identifiers of nodes where the benchmark names them, else names.

    `keys`; `names`, in normal form. Where there are `keys`, a node is right by its identifier, whatever it is
    called, and what is no node is not right; else all is right by its name. A name that several nodes bear
    is the name of each: which of them is meant is not known.
    """

    keys: frozenset[str]
    names: frozenset[str]

    @property
    def right(self) -> frozenset[str]:
        """What `identity` returns for right answers, each once."""
        return self.keys or self.names

    def identity(self, row: Mapping[str, Any]) -> str:
        """Return what identifies a `ranked_answers` row among answers: of a right one, the gold's."""
        keys = row["node_keys"] or ()
        if self.keys and row["node"] is not None:
            return next((key for key in keys if key in self.keys), f"node {row['node']}")
        names = (normal_form(row["answer"]), normal_form(without_keys(row["answer"], keys)))
        name = next((name for name in names if name in self.names), names[0])
        return name if not self.keys else f"name {name}"


def distinct(rows: Iterable[Mapping[str, Any]], gold: Gold) -> dict[str, float]:
    """Return each answer's score by its identity, best first: what is one answer counts once."""
    scores: dict[str, float] = {}
    for row in rows:
        scores.setdefault(gold.identity(row), row["score"])
    return scores


def ranking_values(ranked: pa.Table, questions: pa.Table) -> PerQuestion:
    """Return per-question metrics of `ranked_answers` rows, over questions without options that have answers.

    hits@1, 5, 10, answer_recall@20 and answer_mrr (each with `_best` and `_worst`), answer_ndcg@10, answer_f1
    and answer_exact_set of what was returned, answer_coverage (any right answer is ranked), answer_supported
    (the graph backs the first). A right answer that is not ranked is missed: STaRK ranks every node of a
    graph.

    Args:
        questions: Their `question_id`, `options`, `answers` and `answer_keys`.
    """
    lists: dict[str, list[dict[str, Any]]] = {}
    columns = ["question_id", "rank", "answer", "node", "node_keys", "score", "supported", "returned"]
    order = [("question_id", "ascending"), ("rank", "ascending")]
    for row in ranked.select(columns).sort_by(order).to_pylist():
        lists.setdefault(row["question_id"], []).append(row)
    values: PerQuestion = {}
    for question_id, gold in _gold(questions).items():
        for metric, value in _of_question(lists.get(question_id, []), gold).items():
            values.setdefault(metric, {})[question_id] = value
    return values


def _of_question(rows: Sequence[Mapping[str, Any]], gold: Gold) -> dict[str, float]:
    scores = distinct(rows, gold)
    ties = ties_of(list(scores.values()), [answer in gold.right for answer in scores])
    tied = {f"hits@{depth}": hits_at(ties, depth) for depth in HITS_DEPTHS}
    tied[f"answer_recall@{RECALL_DEPTH}"] = recall_at(ties, len(gold.right), RECALL_DEPTH)
    tied["answer_mrr"] = reciprocal_rank(ties)
    values = {
        f"{metric}{suffix}": value
        for metric, bounds in tied.items()
        for suffix, value in zip(("", BEST, WORST), bounds, strict=True)
    }
    returned = {gold.identity(row) for row in rows if row["returned"]}
    values["answer_f1"], values["answer_exact_set"] = set_scores(returned, set(gold.right))
    values[f"answer_ndcg@{NDCG_DEPTH}"] = ndcg_at(ties, len(gold.right), NDCG_DEPTH)
    values["answer_coverage"] = float(any(tie.right for tie in ties))
    values["answer_supported"] = float(bool(rows) and rows[0]["supported"])
    return values


def _gold(questions: pa.Table) -> dict[str, Gold]:
    """Return the right answers of each question that offers no options and has some, by its id."""
    rows = questions.select(["question_id", "options", "answers", "answer_keys"]).to_pylist()
    return {
        row["question_id"]: Gold(
            frozenset(row["answer_keys"] or ()), frozenset(map(normal_form, row["answers"]))
        )
        for row in rows
        if row["answers"] and not row["options"]
    }


def open_questions(questions: pa.Table) -> dict[str, list[str]]:
    """Return the answers of each question that offers no options and has some, by its id."""
    rows = questions.select(["question_id", "options", "answers"]).to_pylist()
    return {row["question_id"]: row["answers"] for row in rows if row["answers"] and not row["options"]}


def contained_values(
    predictions: pa.Table, questions: pa.Table, aliases: pa.Table | None = None
) -> PerQuestion:
    """Return per question whether the predicted text holds a right answer, or another name of it, as words.

    The exact match of the papers on prompted graphs: `answer_contained`, over questions without options.
    `exact_match`: whether the text is one, in normal form and without articles, and nothing else.

    Args:
        aliases: `graph_aliases` rows of the benchmark's graph: the other names of a node that an answer is a
            label of.
    """
    predicted = dict(
        zip(*(predictions.column(name).to_pylist() for name in ("question_id", "predicted")), strict=True)
    )
    gold_answers = {key: answers for key, answers in open_questions(questions).items() if key in predicted}
    names = _other_names(
        {normal_form(answer) for answers in gold_answers.values() for answer in answers}, aliases
    )
    contained = {
        key: float(
            any(
                holds(predicted[key] or "", name)
                for answer in answers
                for name in (answer, *names.get(normal_form(answer), ()))
            )
        )
        for key, answers in gold_answers.items()
    }
    exact = {
        key: float(
            _without_articles(predicted[key] or "")
            in {
                _without_articles(name)
                for answer in answers
                for name in (answer, *names.get(normal_form(answer), ()))
            }
        )
        for key, answers in gold_answers.items()
    }
    return {"answer_contained": contained, "exact_match": exact} if contained else {}


def _without_articles(text: str) -> str:
    """Return a text in normal form without its articles, as SQuAD's exact match compares (2016)."""
    return " ".join(word for word in normal_form(text).split() if word not in _ARTICLES)


def holds(text: str, name: str) -> bool:
    """Return whether a text holds a name as whole words, whatever the case and punctuation."""
    normal_name = normal_form(name)
    return bool(normal_name) and f" {normal_name} " in f" {normal_form(text)} "


def _other_names(labels: set[str], aliases: pa.Table | None) -> dict[str, set[str]]:
    """Return, for each of these labels in normal form, the other names of the nodes of that label."""
    if aliases is None:
        return {}
    alias, kind, node = (aliases.column(name) for name in ("alias", "kind", "node"))
    is_one = pc.and_(
        pc.equal(kind, "label"), pc.is_in(alias, value_set=pa.array(sorted(labels), pa.string()))
    )
    labelled = aliases.filter(is_one)
    label_of = dict(zip(*(labelled.column(name).to_pylist() for name in ("node", "alias")), strict=True))
    is_of_one = pc.is_in(node, value_set=labelled.column("node").combine_chunks())
    # A lemma is no spelling.
    other = aliases.filter(pc.and_(is_of_one, pc.not_equal(kind, "lemma")))
    names_of: dict[str, set[str]] = {}
    for name, of_node in zip(*(other.column(name).to_pylist() for name in ("alias", "node")), strict=True):
        names_of.setdefault(label_of[of_node], set()).add(name)
    return names_of
