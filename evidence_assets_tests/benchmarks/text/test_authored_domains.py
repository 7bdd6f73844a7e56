"""The authored domains: every answer stands in a sentence, and so many questions have none."""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain
from typing import Any

import pytest

from benchmarks.text.authored_domains import DEVELOPMENT, HELD_OUT, AuthoredDomains, area
from benchmarks.text.near_misses import NEAR_MISSES
from benchmarks.text.several_steps import NOT_TOLD, ONE_STEP, SEVERAL_STEPS, TWO_STEPS
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.sentences import sentence_spans

SETS = (NEAR_MISSES, SEVERAL_STEPS)


def rows(authored: AuthoredDomains, part: str, name: str) -> list[dict[str, Any]]:
    text = (authored.folder(part) / name / "questions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("authored", "part", "domains", "documents"),
    [
        (NEAR_MISSES, DEVELOPMENT, 24, 4),
        (NEAR_MISSES, HELD_OUT, 6, 4),
        (SEVERAL_STEPS, DEVELOPMENT, 6, 5),
        (SEVERAL_STEPS, HELD_OUT, 6, 5),
    ],
)
def test_every_answer_stands_in_a_sentence_and_half_of_the_questions_have_none(
    authored: AuthoredDomains, part: str, domains: int, documents: int
) -> None:
    assert len(authored.domains(part)) == domains
    for name in authored.domains(part):
        texts = [path.read_text("utf-8") for path in (authored.folder(part) / name / "articles").iterdir()]
        sentences = [normal_form(text[start:end]) for text in texts for start, end in sentence_spans(text)]
        questions = rows(authored, part, name)
        assert (len(texts), len(questions)) == (documents, 28)
        answers = {row["id"]: row["answers"] for row in questions if row.get("answers")}
        answerable = {row["id"] for row in questions if row.get("answerable") is not False}
        assert answers.keys() == answerable
        assert len(answers) == 14
        for answer in chain.from_iterable(answers.values()):
            assert any(f" {normal_form(answer)} " in f" {sentence} " for sentence in sentences), answer


def test_questions_of_several_steps_are_of_five_kinds() -> None:
    for part in (DEVELOPMENT, HELD_OUT):
        for name in SEVERAL_STEPS.domains(part):
            kinds = Counter(row["subject"] for row in rows(SEVERAL_STEPS, part, name))
            assert kinds == dict(zip((TWO_STEPS, ONE_STEP, *NOT_TOLD), (10, 4, 6, 5, 3), strict=True))


@pytest.mark.parametrize("authored", SETS)
def test_no_domain_is_of_both_parts(authored: AuthoredDomains) -> None:
    assert not set(authored.domains(DEVELOPMENT)) & set(authored.domains(HELD_OUT))


def test_the_area_of_pairs() -> None:
    assert area([0.9, 0.4], [0.5, 0.1]) == 0.75
    assert area([0.9, None], [0.5]) is None
