"""The authored near misses, and what is told of how they are answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from benchmarks.text.near_misses import (
    ANOTHER_PROPERTY,
    ANSWERABLE,
    AUTHORED,
    DEVELOPMENT,
    EXCHANGED,
    HELD_OUT,
    domains,
    figures,
    kind_of,
)
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.sentences import sentence_spans


def rows(part: str, name: str) -> list[dict[str, Any]]:
    text = (AUTHORED / part / name / "questions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(("part", "count"), [(DEVELOPMENT, 12), (HELD_OUT, 6)])
def test_every_answer_stands_in_its_documents_and_half_of_the_questions_have_none(
    part: str, count: int
) -> None:
    assert len(domains(part)) == count
    for name in domains(part):
        documents = [path.read_text("utf-8") for path in (AUTHORED / part / name / "articles").iterdir()]
        sentences = [
            normal_form(text[start:end]) for text in documents for start, end in sentence_spans(text)
        ]
        questions = rows(part, name)
        assert (len(documents), len(questions)) == (4, 28)
        answers = [answer for row in questions for answer in row.get("answers", [])]
        assert len(answers) == sum(row.get("answerable") is not False for row in questions) == 14
        for answer in answers:
            assert any(f" {normal_form(answer)} " in f" {sentence} " for sentence in sentences), answer


def test_no_domain_is_of_both_parts() -> None:
    assert not set(domains(DEVELOPMENT)) & set(domains(HELD_OUT))


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"answerable": None, "subject": "answerable"}, ANSWERABLE),
        ({"answerable": False, "subject": "other season"}, EXCHANGED),
        ({"answerable": False, "subject": "price"}, ANOTHER_PROPERTY),
    ],
)
def test_the_kind_of_a_question(row: Mapping[str, Any], kind: str) -> None:
    assert kind_of(row) == kind


def answer(kind: str, given: bool, right: bool, confidence: float) -> dict[str, Any]:
    return {
        "kind": kind,
        "given": given,
        "right": right,
        "confidence": confidence,
        "measures": {"nearness": 0.5},
    }


def test_shares_and_area_of_a_few_answers() -> None:
    shown = figures(
        [
            answer(ANSWERABLE, True, True, 0.9),
            answer(ANSWERABLE, True, False, 0.6),
            answer(ANSWERABLE, False, False, 0.2),
            answer(ANSWERABLE, True, True, 0.8),
            answer(EXCHANGED, True, False, 0.7),
            answer(ANOTHER_PROPERTY, False, False, 0.1),
        ]
    )
    shares = ("right", "right_of_given", "answered_near_misses", "answered, exchanged", "right_of_all_given")
    assert [shown[name][0] for name in shares] == [0.5, pytest.approx(2 / 3, abs=1e-4), 0.5, 1.0, 0.5]
    assert shown["area"] == pytest.approx(6 / 8)
    assert shown["area of nearness alone"] == 0.5
    assert "area of said alone" not in shown
