"""HotpotQA's supporting facts, pairs of title and sentence number, as gold evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from evidence_assets.sources.questions.formats import Entries, Layout, json_entries, with_fields
from evidence_assets.sources.validation import RecordRejectedError, required_list, required_text


def entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the records of the list, `gold` each supporting sentence (`text`) under its article's `title`.

    `supporting_facts` are pairs of title and sentence number (from 0), `context` pairs of title and
    sentences. Where a sentence is not in the record's own context (the full-wiki files, and a few wrong
    numbers in the public ones) there is no gold: half of it would make incomplete retrieval look complete.
    `words_hash` is the question's.
    """
    return with_fields(
        json_entries(uri, split, layout),
        lambda entry: {"gold": _gold(entry.fields), "words_hash": _words_hash(entry.fields.get("question"))},
    )


def _words_hash(question: object) -> str:
    words = question.strip() if isinstance(question, str) else ""
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:24]


def _gold(fields: Mapping[str, object]) -> list[dict[str, str]]:
    sentences: dict[tuple[str, int], str] = {}
    for paragraph in required_list(fields.get("context", []), "'context'"):
        title, texts = _pair(paragraph, "a paragraph of 'context'")
        for position, text in enumerate(required_list(texts, "the sentences of a paragraph")):
            sentences.setdefault((title, position), str(text).strip())
    gold = []
    for fact in required_list(fields.get("supporting_facts", []), "'supporting_facts'"):
        title, number = _pair(fact, "a supporting fact")
        if not isinstance(number, int):
            remedy = "write it as a title and a number"
            raise RecordRejectedError("a supporting fact has no sentence number", remedy)
        gold.append({"title": title, "text": sentences.get((title, number), "")})
    return gold if all(sentence["text"] for sentence in gold) else []


def _pair(value: object, name: str) -> tuple[str, object]:
    pair = required_list(value, name)
    if len(pair) != 2:
        raise RecordRejectedError(f"{name} is not a pair", "take the record from the public file again")
    return required_text(pair[0], f"the title of {name}"), pair[1]
