"""The authored questions over tables: answers that queries give, and named errors."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from benchmarks.authored.table_claims import FOLDER, ClaimSetError
from benchmarks.authored.table_questions import TableQuestion, load

TABLE = "kelvane_reservoirs"


@pytest.fixture(scope="module")
def questions() -> list[TableQuestion]:
    return load()


def test_some_questions_of_every_domain_have_no_answer(questions: list[TableQuestion]) -> None:
    assert len(questions) >= 280
    for domain in {question.table.domain for question in questions}:
        absent = [not question.answers for question in questions if question.table.domain == domain]
        assert 0 < sum(absent) < len(absent) / 3


def test_names_that_are_answers_stand_in_the_table(questions: list[TableQuestion]) -> None:
    for question in questions:
        shown = [*question.table.header, *(cell for row in question.table.rows for cell in row)]
        texts = " ".join(shown).casefold()
        if question.kind == "yes_no":
            assert question.answers in {("yes",), ("no",)}, question.id
            continue
        for text in question.answers:
            assert any(map(str.isdigit, text)) or text.casefold() in texts, question.id


def _written(folder: Path, **changed: str | None) -> Path:
    entry = {
        "id": "q1",
        "table": TABLE,
        "question": "Which reservoir holds most?",
        "kind": "superlative",
        "query": "SELECT arg_max(name, capacity) FROM t",
        **changed,
    }
    (folder / "questions").mkdir()
    (folder / "questions" / "reservoirs.yaml").write_text(yaml.safe_dump([entry]), encoding="utf-8")
    (folder / "tables").mkdir()
    shutil.copy(FOLDER / "tables" / f"{TABLE}.yaml", folder / "tables")
    return folder


def test_a_query_gives_the_answer(tmp_path: Path) -> None:
    folder = _written(tmp_path)
    (question,) = load(folder / "questions", folder)
    assert question.answers == ("Dunmere",)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"query": "SELECT nothing FROM t"}, "the query does not run"),
        ({"query": "SELECT name FROM t WHERE capacity > 1000"}, r"the query gives \[\]"),
        ({"query": None}, "quote in `missing` what is lacking"),
        ({"query": None, "missing": "owner"}, "be `absent`"),
        ({"missing": "owner"}, "give a query"),
        ({"kind": "absent", "query": None, "missing": "owner"}, "quote its words exactly"),
        ({"table": "nowhere"}, "no table `nowhere` of `reservoirs`"),
        ({"kind": "riddle"}, "write the file as the README's layout says"),
    ],
)
def test_an_error_names_file_question_and_remedy(
    tmp_path: Path, changed: dict[str, str | None], message: str
) -> None:
    folder = _written(tmp_path, **changed)
    with pytest.raises(ClaimSetError, match=message) as error:
        load(folder / "questions", folder)
    assert "reservoirs.yaml" in str(error.value)
