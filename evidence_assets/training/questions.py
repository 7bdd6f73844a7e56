"""Published questions as readers see them, and the check that none is seen twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from evidence_assets.lake.ids import content_id
from evidence_assets.models.reader_recipe import Example
from evidence_assets.reading.reading_tasks import Pool
from evidence_assets.reading.weighing.trained import evidence_text
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.queries import with_option

if TYPE_CHECKING:
    from evidence_assets.sources.project import Project

# Columns of `questions` that readers see.
KEYED = ("question_id", "question", "options", "answer_index")
TRAINING, CHOOSING, EVALUATION = "training", "choosing", "evaluation"


class LeakedQuestionError(Exception):
    """A question that a reader is to answer was seen before: names both rows and the remedy."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A published question that a reader has seen, and for what."""

    benchmark: str
    question_id: str
    role: str
    text_hash: str


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """A published question with a key, and the evidence of each option, best first."""

    benchmark: str
    question_id: str
    question: str
    options: tuple[str, ...]
    right: int
    evidence: tuple[tuple[str, ...], ...]

    def example(self, bias: Sequence[float] = ()) -> Example:
        """Return it as it is trained on."""
        return Example(
            f"{self.benchmark} {self.question_id}",
            tuple(with_option(self.question, option) for option in self.options),
            tuple(evidence_text(texts) for texts in self.evidence),
            self.right,
            tuple(bias),
        )


def text_key(question: str, options: Iterable[str]) -> str:
    """Return what two questions of the same words share, however cased, spaced and ordered."""
    return content_id("question", normal_form(question), sorted(map(normal_form, options)))


def seen(rows: Iterable[Mapping[str, Any]], benchmark: str, role: str) -> list[Seen]:
    """Return `questions` rows of a benchmark as seen for a role."""
    return [
        Seen(benchmark, row["question_id"], role, text_key(row["question"], row["options"])) for row in rows
    ]


def without_questions_of(
    rows: Sequence[Mapping[str, Any]], others: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Return `questions` rows without those that others ask in the same words: published splits do."""
    elsewhere = {text_key(row["question"], row["options"]) for row in others}
    return [row for row in rows if text_key(row["question"], row["options"]) not in elsewhere]


def formats(project: Project) -> Mapping[str, str]:
    """Return the reader of each benchmark's files."""
    return {name: source.reader for name, source in project.sources.benchmarks.items()}


def check_apart(seen_before: Iterable[Seen], to_ask: Iterable[Seen], formats: Mapping[str, str]) -> None:
    """Check that no question is asked that was seen before: by its text, and by its id.

    `formats`: benchmark to the reader of its files: ids are compared among sets that one reader reads, since
    another's may be counted alike. Of a set that it does not name, which a prepared reader saw elsewhere,
    texts alone are.

    Raises:
        LeakedQuestionError: one was.
    """
    by_text: dict[str, Seen] = {}
    by_id: dict[tuple[str, str], Seen] = {}
    for question in seen_before:
        by_text.setdefault(question.text_hash, question)
        if question.benchmark in formats:
            by_id.setdefault((formats[question.benchmark], question.question_id), question)
    for question in to_ask:
        before = by_text.get(question.text_hash) or by_id.get(
            (formats[question.benchmark], question.question_id)
        )
        if before is not None:
            raise LeakedQuestionError(
                f"question {question.question_id} of {question.benchmark} ({question.role}) is question "
                f"{before.question_id} of {before.benchmark}, which the reader has seen ({before.role}); "
                f"remedy: leave it out of {before.benchmark}, or take another set there"
            )


def read_questions(
    rows: Sequence[Mapping[str, Any]], benchmark: str, pool: Pool, texts: int
) -> list[ReadQuestion]:
    """Return the questions that offer options and have a key, each option with its nearest texts."""
    keyed = [row for row in rows if row["answer_index"] is not None and len(row["options"]) > 1]
    queries = [with_option(row["question"], option) for row in keyed for option in row["options"]]
    nearest = iter(pool.nearest(queries, texts))
    return [
        ReadQuestion(
            benchmark,
            row["question_id"],
            row["question"],
            tuple(row["options"]),
            row["answer_index"],
            tuple(next(nearest) for _ in row["options"]),
        )
        for row in keyed
    ]


def with_evidence_of_others(questions: Sequence[ReadQuestion]) -> list[ReadQuestion]:
    """Return questions, each with the evidence of the next one that has as many options."""
    by_size: dict[int, list[int]] = {}
    for place, question in enumerate(questions):
        by_size.setdefault(len(question.options), []).append(place)
    following = list(range(len(questions)))
    for places in by_size.values():
        for place, after in zip(places, [*places[1:], places[0]], strict=True):
            following[place] = after
    return [
        replace(question, evidence=questions[after].evidence)
        for question, after in zip(questions, following, strict=True)
    ]
