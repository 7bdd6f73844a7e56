"""HotpotQA: a JSON list of questions over several articles, with the sentences that support the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from evidence_assets.sources.questions.reading import Entry, json_items, named_place, read_questions
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    open_question,
    required_identifier,
    required_list,
    required_mapping,
    required_text,
)
from evidence_assets.sources.records import GoldEvidence, Question, RejectedRecord

PAIR = 2


def read_hotpotqa(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of `[{_id, question, answer, supporting_facts, context}]`.

    `supporting_facts` are pairs of title and sentence number (from 0), `context` pairs of title and
    sentences. Gold evidence is each supporting sentence under its article's title. Where one of them is not
    in the record's own context (the full-wiki files, and a few wrong numbers in the public ones) the question
    is kept without gold evidence: half of it would make incomplete retrieval look complete.
    A record without `_id` or `id` is named by a hash of its question.

    Raises:
        UnusableSourceError: the file is absent, is not JSON, or is no list.
    """
    return read_questions(_entries(uri), _question)


def _entries(uri: str) -> Iterator[Entry | RejectedRecord]:
    for number, value in enumerate(json_items(uri, "item"), start=1):
        place = f"record {number}"
        try:
            fields = required_mapping(value, "the record")
        except RecordRejectedError as rejected:
            yield rejected.at(place)
            continue
        yield Entry(number, named_place(place, fields.get("_id", fields.get("id"))), fields)


def _question(entry: Entry) -> Question:
    fields = entry.fields
    question = required_text(fields.get("question"), "the question")
    identifier = fields.get("_id", fields.get("id", _content_name(question)))
    answer = fields.get("answer")
    return open_question(
        question_id=required_identifier(identifier, "'_id'"),
        question=question,
        answers=[] if answer is None else [answer],
        answers_name="'answer'",
        gold_evidence=_gold_evidence(fields),
    )


def _content_name(question: str) -> str:
    return hashlib.sha256(question.encode("utf-8")).hexdigest()[:24]


def _gold_evidence(fields: Mapping[str, object]) -> list[GoldEvidence]:
    sentences = _sentences(required_list(fields.get("context", []), "'context'"))
    gold = []
    for fact in required_list(fields.get("supporting_facts", []), "'supporting_facts'"):
        title, number = _pair(fact, "a supporting fact")
        if not isinstance(number, int):
            raise RecordRejectedError(
                "a supporting fact has no sentence number", "write it as a title and a number"
            )
        sentence = sentences.get((title, number), "").strip()
        if not sentence:
            return []
        gold.append(GoldEvidence(sentence, title))
    return gold


def _sentences(context: list[object]) -> dict[tuple[str, int], str]:
    sentences: dict[tuple[str, int], str] = {}
    for paragraph in context:
        title, texts = _pair(paragraph, "a paragraph of 'context'")
        for number, text in enumerate(required_list(texts, "the sentences of a paragraph")):
            sentences.setdefault((title, number), str(text))
    return sentences


def _pair(value: object, name: str) -> tuple[str, object]:
    pair = required_list(value, name)
    if len(pair) != PAIR:
        raise RecordRejectedError(f"{name} is not a pair", "take the record from the public file again")
    return required_text(pair[0], f"the title of {name}"), pair[1]
