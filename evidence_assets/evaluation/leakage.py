"""What a corpus holds of a benchmark word for word: an answer that is looked up there is no feat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from evidence_assets.lake.schemas import LEAKAGE_FLAGS
from evidence_assets.text.words import words

Phrase = tuple[str, ...]


@dataclass(slots=True)
class WantedTexts:
    """Phrases looked for in a corpus, how long those of a first word are, and those that some text holds."""

    wanted: set[Phrase] = field(default_factory=set)
    lengths: dict[str, list[int]] = field(default_factory=dict)
    occurring: set[Phrase] = field(default_factory=set)

    @classmethod
    def of(cls, questions: Iterable[Mapping[str, Any]]) -> WantedTexts:
        """Return the questions, and their gold answers, as phrases to look for."""
        texts = cls()
        for question in questions:
            texts.wanted.update(
                phrase for phrase in (phrase_of(question["question"]), *_answers(question)) if phrase
            )
        lengths: dict[str, set[int]] = {}
        for phrase in texts.wanted:
            lengths.setdefault(phrase[0], set()).add(len(phrase))
        texts.lengths = {first: sorted(held) for first, held in lengths.items()}
        return texts

    def look_in(self, texts: Iterable[str]) -> None:
        """Note the phrases that stand in any of these texts, as whole words in their order."""
        for text in texts:
            text_words = phrase_of(text)
            for place, word in enumerate(text_words):
                for length in self.lengths.get(word, ()):
                    phrase = text_words[place : place + length]
                    if phrase in self.wanted:
                        self.occurring.add(phrase)


def phrase_of(text: str) -> Phrase:
    """Return a text's words, as they are compared."""
    return tuple(words(text))


def leakage_rows(
    benchmark: str, questions: Sequence[Mapping[str, Any]], gold_chunks: pa.Table, texts: WantedTexts
) -> pa.Table:
    """Return `leakage_flags` rows.

    Args:
        questions: Their `question_id`, `question`, `options`, `answer_index`, `answers` and `gold_evidence`.
        gold_chunks: `question_id` and `gold_index` of the benchmark's `gold_chunks` rows.
        texts: What was looked for in the corpus.
    """
    columns = (gold_chunks.column(name).to_pylist() for name in ("question_id", "gold_index"))
    held_gold: dict[str, set[int]] = {}
    for question_id, index in zip(*columns, strict=True):
        held_gold.setdefault(question_id, set()).add(index)
    rows = []
    for question in questions:
        text, answers = phrase_of(question["question"]), list(_answers(question))
        rows.append(
            {
                "benchmark": benchmark,
                "question_id": question["question_id"],
                "gold_items": len(question["gold_evidence"]),
                "gold_in_corpus": len(held_gold.get(question["question_id"], ())),
                "answer_in_corpus": any(answer in texts.occurring for answer in answers) if answers else None,
                "question_in_corpus": text in texts.occurring,
                "answer_in_question": any(_stands_in(answer, text) for answer in answers),
            }
        )
    return pa.Table.from_pylist(rows, schema=LEAKAGE_FLAGS.schema)


def shown(rows: pa.Table) -> dict[str, int]:
    """Return how many questions each flag is raised for."""
    flags = ("answer_in_corpus", "question_in_corpus", "answer_in_question")
    counts = {flag: sum(value is True for value in rows.column(flag).to_pylist()) for flag in flags}
    gold = rows.column("gold_in_corpus").to_pylist()
    return {"questions": rows.num_rows, "gold_in_corpus": sum(value > 0 for value in gold), **counts}


def _answers(question: Mapping[str, Any]) -> Iterator[Phrase]:
    """Yield the gold answers that have words."""
    index = question["answer_index"]
    texts = question["answers"] if index is None else [question["options"][index]]
    yield from (phrase for phrase in map(phrase_of, texts) if phrase)


def _stands_in(phrase: Phrase, text: Phrase) -> bool:
    return any(text[place : place + len(phrase)] == phrase for place in range(len(text) - len(phrase) + 1))
