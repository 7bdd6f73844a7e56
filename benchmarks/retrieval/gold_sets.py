"""Public questions with gold evidence, as texts to rank: what `retrieval_quality` measures on.

XQuAD's 1,190 questions are cut into the first 500 and the rest, which are held out.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.real_texts import xquad_paragraphs
from evidence_assets.evaluation.gold import normalised
from evidence_assets.text.sentences import sentence_spans

QUESTIONS = 500
XQUAD_POOL = 200


@dataclass(frozen=True, slots=True)
class GoldSet:
    """Questions, the texts to rank for each, and which of them are gold, by place.

    `pool` is how many texts, nearest by sentence cosine, a question is compared with; None stands for all.
    """

    name: str
    texts: list[str]
    questions: list[str]
    gold: list[list[int]]
    pool: int | None = None

    def cut(self) -> list[GoldSet]:
        """Return the set with its first `QUESTIONS` questions, and with the rest, held out."""
        first = replace(self, questions=self.questions[:QUESTIONS], gold=self.gold[:QUESTIONS])
        rest = replace(self, questions=self.questions[QUESTIONS:], gold=self.gold[QUESTIONS:])
        return [first, replace(rest, name=f"{self.name}_held_out")]


def gold_sets(folder: Path) -> list[GoldSet]:
    """Return the four sets, and the held-out questions of three."""
    test, dev = (_openbookqa(folder, name, split) for name, split in _OPENBOOKQA.items())
    sentences, held_out_sentences = _xquad_sentences().cut()
    paragraphs, held_out_paragraphs = _xquad(folder).cut()
    return [test, _hotpotqa(folder), sentences, paragraphs, dev, held_out_sentences, held_out_paragraphs]


_OPENBOOKQA = {"openbookqa": "test", "openbookqa_held_out": "dev"}


def _openbookqa(folder: Path, name: str, split: str) -> GoldSet:
    with zipfile.ZipFile(folder / "mcqa" / "OpenBookQA-V1-Sep2018.zip") as archive:

        def lines(path: str) -> list[str]:
            text = archive.read(f"OpenBookQA-V1-Sep2018/Data/{path}").decode("utf-8")
            return [line.strip() for line in text.splitlines() if line.strip()]

        facts = [line.strip('"') for line in lines("Main/openbook.txt")]
        rows = [json.loads(line) for line in lines(f"Additional/{split}_complete.jsonl")]
    place = {normalised(fact): number for number, fact in enumerate(facts)}
    gold = [[place[normalised(row["fact1"])]] for row in rows]
    return GoldSet(name, facts, [row["question"]["stem"] for row in rows], gold)


def _hotpotqa(folder: Path) -> GoldSet:
    passages = _json(folder, "hotpotqa_passages.json")
    rows = _json(folder, "hotpotqa_questions.json")
    place = {title: number for number, title in enumerate(passages)}
    gold = [sorted({place[title] for title, _ in row["supporting_facts"]}) for row in rows]
    texts = ["".join(sentences) for sentences in passages.values()]
    return GoldSet("hotpotqa", texts, [row["question"] for row in rows], gold)


def _xquad(folder: Path) -> GoldSet:
    paragraphs = [part for _, part in xquad_paragraphs()]
    questions = [(row["question"], [place]) for place, part in enumerate(paragraphs) for row in part["qas"]]
    texts = [part["context"] for part in paragraphs]
    texts += [row["text"] for row in _json(folder, "2wiki_passages.json")]
    return GoldSet(
        "xquad", texts, [text for text, _ in questions], [gold for _, gold in questions], XQUAD_POOL
    )


def _xquad_sentences() -> GoldSet:
    """Gold is the sentence in which the answer begins."""
    texts: list[str] = []
    questions: list[str] = []
    gold: list[list[int]] = []
    for _, part in xquad_paragraphs():
        spans = list(sentence_spans(part["context"]))
        for row in part["qas"]:
            start = row["answers"][0]["answer_start"]
            questions.append(row["question"])
            gold.append([len(texts) + n for n, (first, last) in enumerate(spans) if first <= start < last])
        texts += [part["context"][first:last] for first, last in spans]
    return GoldSet("xquad_sentences", texts, questions, gold)


def _json(folder: Path, name: str) -> Any:
    return json.loads((folder / "text" / name).read_text(encoding="utf-8"))
