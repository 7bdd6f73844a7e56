"""Counts and properties of the public files themselves."""

from pathlib import Path

import pytest

from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import Question
from evidence_assets_tests.testing.records_read import all_of

pytestmark = pytest.mark.real_data

OPENBOOKQA = "zip://OpenBookQA-V1-Sep2018/Data/{file}::{data}/mcqa/OpenBookQA-V1-Sep2018.zip"


def read_all(name: str, uri: Path | str, split: str) -> list[Question]:
    """Every question of a file of which no record may be rejected."""
    questions = all_of(Question, BENCHMARKS[name].reader(str(uri), split))
    for question in questions:
        if question.options:
            assert question.answer_index is not None
            assert question.answers == (question.options[question.answer_index],)
    return questions


@pytest.mark.parametrize(("split", "count"), [("train", 4957), ("dev", 500), ("test", 500)])
def test_the_real_openbookqa_is_read(real_data: Path, split: str, count: int) -> None:
    uri = OPENBOOKQA.format(file=f"Additional/{split}_complete.jsonl", data=real_data)
    questions = read_all("openbookqa", uri, split)
    assert len(questions) == count
    assert all(len(question.gold_evidence) == 1 for question in questions)
    main = read_all("openbookqa", OPENBOOKQA.format(file=f"Main/{split}.jsonl", data=real_data), split)
    assert [(q.question_id, q.answers) for q in main] == [(q.question_id, q.answers) for q in questions]


def test_the_real_commonsenseqa_is_read(real_data: Path) -> None:
    questions = read_all("commonsenseqa", real_data / "mcqa/commonsenseqa_dev.jsonl", "dev")
    assert len(questions) == 1221
    assert {len(question.options) for question in questions} == {5}


def test_the_real_medmcqa_is_read(real_data: Path) -> None:
    questions = read_all("medmcqa", real_data / "mcqa/medmcqa_dev.json", "dev")
    assert len(questions) == 4183
    keys = [question.answer_index for question in questions]
    assert [keys.count(position) for position in range(4)] == [1348, 1085, 925, 825]


def test_the_real_mmlu_is_read(real_data: Path) -> None:
    questions = read_all("mmlu_medical", real_data / "mcqa/mmlu_medical", "test")
    assert len(questions) == 1089
    assert len({question.subject for question in questions}) == 6


@pytest.mark.parametrize(("split", "count"), [("all", 1000), ("test", 500)])
def test_the_real_pubmedqa_is_read(real_data: Path, split: str, count: int) -> None:
    questions = read_all("pubmedqa", real_data / "mcqa/pubmedqa/ori_pqal.json", split)
    assert len(questions) == count
    assert all(question.context and question.gold_evidence for question in questions)


def test_the_real_hotpotqa_is_read(real_data: Path) -> None:
    questions = read_all("hotpotqa", real_data / "text/hotpotqa_questions.json", "dev")
    assert len(questions) == 100
    assert all(len(question.gold_evidence) > 1 for question in questions)


def test_the_real_xquad_is_read(real_data: Path) -> None:
    questions = read_all("xquad", real_data / "text/xquad.en.json", "test")
    assert len(questions) == 1190
    for question in questions:
        paragraph = question.gold_evidence[0]
        assert paragraph.title
        assert all(answer in paragraph.text for answer in question.answers)
