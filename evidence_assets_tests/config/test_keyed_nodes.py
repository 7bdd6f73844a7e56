"""Gold answers held against the names of a graph's nodes."""

from __future__ import annotations

import pyarrow as pa
import pytest

from evidence_assets.config.keyed_nodes import answers_without_node, told_without_node
from evidence_assets.lake.schemas import QUESTIONS

_LABELS = ["Elbe (river:1)", "North Sea", "Oder", "Baltic"]


def _asked(answers: list[str], options: list[str] | None = None, keys: list[str] | None = None) -> pa.Table:
    row = {"question_id": "q1", "options": options or [], "answers": answers, "answer_keys": keys}
    names = list(row)
    return pa.Table.from_pylist([row], schema=pa.schema([QUESTIONS.schema.field(name) for name in names]))


@pytest.mark.parametrize("answers", [["north sea"], ["Rhine", "Oder"], ["Elbe"], ["BALTIC."]])
def test_an_answer_is_found_by_the_name_of_its_node(answers: list[str]) -> None:
    assert answers_without_node(_asked(answers), _LABELS) == []


@pytest.mark.parametrize("answer", ["yes", "No", "2", "1,040", "3.5"])
def test_truths_and_numbers_need_no_node(answer: str) -> None:
    assert answers_without_node(_asked([answer]), _LABELS) == []


def test_questions_with_options_identifiers_or_no_key_are_not_told_of() -> None:
    for asked in (
        _asked([]),
        _asked(["Rhine"], options=["Rhine", "Oder"]),
        _asked(["Rhine"], keys=["river:9"]),
    ):
        assert answers_without_node(asked, _LABELS) == []


def test_an_answer_that_no_node_is_called_is_told_with_its_question_and_a_remedy() -> None:
    found = answers_without_node(_asked(["Rhine", "Mosel"]), _LABELS)
    assert found == [("q1", "Rhine")]
    told = told_without_node(found, "waters")
    assert all(part in told for part in ("graph waters: 1, such as", "q1 with 'Rhine'", "remedy: "))
