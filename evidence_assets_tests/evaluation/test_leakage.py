from __future__ import annotations

from typing import Any

import pyarrow as pa

from evidence_assets.evaluation.leakage import WantedTexts, leakage_rows, shown
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import LEAKAGE_FLAGS


def question(
    key: str, text: str, *options: str, answers: tuple[str, ...] = (), gold: int = 0
) -> dict[str, Any]:
    return {
        "question_id": key,
        "question": text,
        "options": list(options),
        "answer_index": 0 if options else None,
        "answers": list(answers),
        "gold_evidence": [{"title": "", "text": "t"}] * gold,
    }


QUESTION_ROWS = [
    question("answer", "Who eats krill?", "The Blue Whale", "a fox", gold=2),
    question("inside", "Which fox is the arctic fox?", "Arctic fox", "a crab"),
    question("part", "Who sings?", answers=("whales", "blue")),
    question("whole", "What is small?", answers=()),
]
CORPUS = ["A blue-whale feeds. It asks: what is SMALL?", "The blue\nwhale eats krill."]


def test_what_the_corpus_holds_word_for_word_is_flagged() -> None:
    texts = WantedTexts.of(QUESTION_ROWS)
    texts.look_in(CORPUS)
    gold = pa.table({"question_id": ["answer", "answer"], "gold_index": pa.array([1, 1], pa.int32())})
    rows = leakage_rows("b", QUESTION_ROWS, gold, texts)
    conform(rows, LEAKAGE_FLAGS)
    flags = {row["question_id"]: row for row in rows.to_pylist()}
    assert (flags["answer"]["gold_items"], flags["answer"]["gold_in_corpus"]) == (2, 1)
    assert {key: row["answer_in_corpus"] for key, row in flags.items()} == {
        "answer": True,
        "inside": False,
        "part": True,
        "whole": None,
    }
    assert {key for key, row in flags.items() if row["question_in_corpus"]} == {"whole"}
    assert {key for key, row in flags.items() if row["answer_in_question"]} == {"inside"}
    assert shown(rows) == {
        "questions": 4,
        "gold_in_corpus": 1,
        "answer_in_corpus": 2,
        "question_in_corpus": 1,
        "answer_in_question": 1,
    }


def test_words_apart_are_no_phrase() -> None:
    texts = WantedTexts.of([question("q", "?", "blue whale", "x")])
    texts.look_in(["a blue fox and a whale", "blue"])
    assert not texts.occurring
