"""Gold answers held against the names of a graph's nodes."""

from __future__ import annotations

import pyarrow as pa
import pytest

from evidence_assets.config.keyed_nodes import keys_of_nodes, told_without_node, without_node
from evidence_assets.lake.schemas import QUESTIONS

_LABELS = ["Elbe (river:1)", "North Sea", "Oder", "Baltic"]


def _keys(
    answers: list[str], options: list[str] | None = None, identifiers: list[str] | None = None
) -> dict[str, list[str]]:
    row = {"question_id": "q1", "options": options or [], "answers": answers, "answer_keys": identifiers}
    fields = [QUESTIONS.schema.field(name) for name in row]
    return keys_of_nodes(pa.Table.from_pylist([row], schema=pa.schema(fields)))


@pytest.mark.parametrize("answers", [["north sea"], ["Rhine", "Oder"], ["Elbe"], ["BALTIC."]])
def test_an_answer_is_found_by_the_name_of_its_node(answers: list[str]) -> None:
    keys = _keys(answers)
    assert keys == {"q1": answers}
    assert without_node(keys, _LABELS) == {}


@pytest.mark.parametrize("answer", ["yes", "No", "2", "1,040", "3.5"])
def test_truths_and_numbers_need_no_node(answer: str) -> None:
    assert _keys([answer]) == {}


def test_questions_with_options_identifiers_or_no_key_need_no_name() -> None:
    assert _keys([]) == {}
    assert _keys(["Rhine"], options=["Rhine", "Oder"]) == {}
    assert _keys(["Rhine"], identifiers=["river:9"]) == {}


def test_an_answer_that_no_node_is_called_is_told_with_its_question_and_a_remedy() -> None:
    answers = without_node(_keys(["Rhine", "Mosel"]), _LABELS)
    assert answers == {"q1": "Rhine"}
    note = told_without_node(answers, "waters")
    assert all(part in note for part in ("graph waters: 1, such as", "q1 with 'Rhine'", "remedy: "))
