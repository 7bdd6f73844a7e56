"""What a recipe's reader is trained on: tasks of sentences and triples, and public questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evidence_assets.lake.ids import text_hash
from evidence_assets.models.encoder import Encode
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.reader_recipe import Example, PrefixExample
from evidence_assets.reading.likelihoods.likelihood import continuation, prefix
from evidence_assets.reading.likelihoods.shared_texts import fitting_shared_texts
from evidence_assets.reading.reading_tasks import (
    Pool,
    Statement,
    Task,
    groups,
    of_sentences,
    of_triples,
    tasks,
)
from evidence_assets.reading.weighing.option_bias import option_biases
from evidence_assets.reading.weighing.trained import Encoded
from evidence_assets.sources.reader_specifications import ReaderSource
from evidence_assets.training.evaluating import encoded
from evidence_assets.training.questions import ReadQuestion, read_questions

# Of so many published questions, as their ids' hashes fall, one is read without its evidence.
_WITHHELD_OF = 5
Bias = tuple[float, ...]
SENTENCES, TRIPLES = "tasks of sentences", "tasks of triples"


@dataclass(frozen=True, slots=True)
class GraphTriples:
    """A graph's triples, rows with triple_id, head, relation, tail; how they are read out and asked for."""

    rows: Sequence[Mapping[str, Any]]
    templates: Mapping[str, str]
    wordings: str


class Material:
    """A recipe's statements, and the pool that evidence is taken from. `texts`: an option is read with."""

    def __init__(
        self, source: ReaderSource, sentences: Sequence[str], graphs: Sequence[GraphTriples], encode: Encode
    ) -> None:
        self._source, self._encode, self.texts = source, encode, source.texts
        self._sentences = list(of_sentences(sentences))
        self._triples = [statement for graph in graphs for statement in _statements(graph, source.triples)]
        self.pool = Pool([*sentences, *(statement.text for statement in self._triples)], encode)

    def tasks(self) -> Mapping[str, list[Task]]:
        """Return the reading tasks, by the kind of what they are made of."""
        source = self._source
        return {
            name: tasks(
                groups(statements, self._encode, most, source.seed), self.pool, source.texts, source.seed
            )
            for name, statements, most in (
                (SENTENCES, self._sentences, source.sentence_groups),
                (TRIPLES, self._triples, source.triple_groups),
            )
        }

    def questions(self, rows: Sequence[Mapping[str, Any]], benchmark: str) -> list[ReadQuestion]:
        """Return a benchmark's questions with evidence from the pool."""
        return read_questions(rows, benchmark, self.pool, self._source.texts)


def as_questions(tasks_by_kind: Mapping[str, Sequence[Task]]) -> list[ReadQuestion]:
    """Return tasks as questions, numbered."""
    every = (task for of_kind in tasks_by_kind.values() for task in of_kind)
    return [
        ReadQuestion("task", str(number), task.question, task.options, task.right, task.evidence)
        for number, task in enumerate(every)
    ]


def withheld_of_some(questions: Sequence[ReadQuestion]) -> list[ReadQuestion]:
    """Return questions, a fifth of them without evidence: where it says nothing, a reader is to know so."""
    return [
        replace(question, evidence=((),) * len(question.options))
        if int(text_hash(question.question_id)[:8], 16) % _WITHHELD_OF == 0
        else question
        for question in questions
    ]


def biases(questions: Sequence[ReadQuestion], encode: Encode) -> list[Bias]:
    """Return what the options of each of a set's questions give away."""
    of_questions = option_biases(
        [question.options for question in questions], [question.right for question in questions], encode
    )
    return [tuple(of_question.tolist()) for of_question in of_questions]


def examples(
    tasks_by_kind: Mapping[str, Sequence[Task]], sets: Mapping[str, Sequence[ReadQuestion]], encode: Encode
) -> Iterator[Example]:
    """Yield what a cross-encoder is trained on: the tasks, then each set's questions with their biases."""
    for question in as_questions(tasks_by_kind):
        yield question.example()
    for questions in sets.values():
        for question, bias in zip(questions, biases(questions, encode), strict=True):
            yield question.example(bias)


def prefix_examples(
    questions: Sequence[ReadQuestion],
    texts: int,
    model: LikelihoodModel,
    encode: Encode,
    of_options: Sequence[Bias] | None = None,
) -> list[PrefixExample]:
    """Return questions as a language model reads them. `texts`: of an option; `of_options`: their biases."""
    shown = encoded(questions, encode)
    return [
        _prefix_example(question, given, texts, model, bias)
        for question, given, bias in zip(questions, shown, of_options or [()] * len(shown), strict=True)
    ]


def _prefix_example(
    question: ReadQuestion, shown: Encoded, texts: int, model: LikelihoodModel, bias: Bias
) -> PrefixExample:
    options = tuple(continuation(option) for option in question.options)
    read = fitting_shared_texts(shown, options, texts, model)
    name = f"{question.benchmark} {question.question_id}"
    return PrefixExample(name, prefix(question.question, read), options, question.right, bias)


def _statements(graph: GraphTriples, most: int) -> list[Statement]:
    rows = sorted(graph.rows, key=lambda row: str(row["triple_id"]))[:most]
    return list(of_triples(rows, graph.templates, graph.wordings))
