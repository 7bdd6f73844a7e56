"""What the papers print and what stands for it here: every name of it exists, every number has a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.pages.printed import PAGE, PrintedError, items, numbers, page, papers, problems

Row = dict[str, Any]
TEST = "extraction/test_prompt_scores.py::test_bert_score_by_hand"


@pytest.fixture
def with_rows() -> Callable[..., list[str]]:
    """Return a function that tells what is wrong with a paper of these rows, published figures left aside."""

    def of(*rows: Row) -> list[str]:
        paper = {"title": "a paper", "numbered": {"equation": "1"}, "rows": list(rows)}
        return [problem for problem in problems({"sample": paper}) if problem.startswith("benchmarks")]

    return of


def row(**changes: Any) -> Row:
    complete = {
        "printed": "equation 1",
        "what": "BERTScore",
        "code": ["extraction.prompt_scores.bert_score", "reading/prompts/choose.j2"],
        "arms": ["ucret/full@extractive", "ucret/paper@GENERATOR", "uscrake/chunks_only_coverage@extractive"],
        "tests": [TEST],
        "figures": ["attention2query.open.arms", "table_data.scores", "retrieval_quality.scores"],
    }
    return {name: value for name, value in {**complete, **changes}.items() if value is not None}


def test_every_name_exists_and_every_number_has_a_row() -> None:
    assert not list(problems(papers()))


def test_the_committed_page_is_what_the_descriptions_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(papers()), (
        "write it anew with `python -m benchmarks.printed`"
    )


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("3.1..3.4", ["3.1", "3.2", "3.3", "3.4"]),
        ("1 4.1..4.2 4.2.5-answer", ["1", "4.1", "4.2", "4.2.5-answer"]),
        ("§4.3.1..§4.3.2", ["§4.3.1", "§4.3.2"]),
    ],
)
def test_numbers_are_listed(text: str, listed: list[str]) -> None:
    assert numbers(text) == listed
    assert items({"printed": f"table {text}"}) == [f"table {number}" for number in listed]


@pytest.mark.parametrize("text", ["3.1..4.2", "3.4..3.1", ".."])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(PrintedError, match="remedy: write it like"):
        numbers(text)


def test_a_whole_row_is_right(with_rows: Callable[..., list[str]]) -> None:
    assert with_rows(row()) == []
    unmeasured = {"arms": ["kbloom/bertnet_top1"], "unmeasured": ["kbloom/bertnet_top1"], "none": "no time"}
    assert with_rows(row(**unmeasured)) == []
    assert with_rows({"printed": "equation 1", "what": "a definition", "only": "a definition"}) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"code": ["extraction.prompt_scores.gone"]}, "code extraction.prompt_scores.gone: there is no such"),
        ({"code": ["gone.bert_score"]}, "code gone.bert_score: there is no such"),
        ({"code": ["reading/prompts/gone.j2"]}, "code reading/prompts/gone.j2: there is no such"),
        ({"arms": ["uscrake/gone@extractive"]}, "arms uscrake/gone@extractive: its system has no such arm"),
        ({"arms": ["gone/full@extractive"]}, "arms gone/full@extractive: its system has no such arm"),
        ({"tests": [f"{TEST}_gone"]}, f"tests {TEST}_gone: there is no such test"),
        ({"tests": ["gone.py::test_gone"]}, "tests gone.py::test_gone: there is no such test"),
        (
            {"arms": ["kbloom/bertnet_top1"]},
            "figures attention2query.open.arms, table_data.scores, retrieval",
        ),
        ({"unmeasured": ["ucret/full@extractive"], "none": "why"}, "unmeasured ucret/full@extractive: its"),
        (
            {"arms": ["kbloom/bertnet_top1"], "unmeasured": ["kbloom/bertnet_top1"]},
            "'unmeasured' has no reason",
        ),
        (
            {"arms": None, "figures": ["table_data.gone"]},
            "figures table_data.gone: benchmarks/results has no such key",
        ),
        ({"arms": None, "figures": ["gone"]}, "figures gone: benchmarks/results has no such key"),
        ({"published": True}, "no row of published_scores has its number"),
        ({"tests": None}, "'tests' lacks"),
        ({"figures": None}, "'figures' lacks"),
        ({"code": None, "arms": None}, "'code' lacks"),
        ({"see": "there"}, "'see' is not a field"),
    ],
)
def test_what_is_not_so_is_named_with_file_row_and_remedy(
    with_rows: Callable[..., list[str]], changes: Row, problem: str
) -> None:
    (message,) = with_rows(row(**changes))
    assert message.startswith(f"benchmarks/pages/printed/sample.yaml: equation 1: {problem}")
    assert "remedy: " in message


def test_numbers_without_a_row_and_rows_without_a_number_are_named(
    with_rows: Callable[..., list[str]],
) -> None:
    assert [problem.split("; ")[0] for problem in with_rows(row(printed="equation 2"))] == [
        "benchmarks/pages/printed/sample.yaml: equation 1 has no row",
        "benchmarks/pages/printed/sample.yaml: equation 2 is not among what the paper numbers",
    ]
    (twice,) = with_rows(row(), row())
    assert "equation 1 has several rows" in twice


def test_a_published_figure_that_no_row_tells_of_is_named() -> None:
    thesis = papers()["thesis-vo-2026"]
    untold = {**thesis, "rows": [row for row in thesis["rows"] if row["printed"] != "table 5.8"]}
    messages = list(problems({**papers(), "thesis-vo-2026": untold}))
    assert any(
        "published_scores has figures of thesis-vo-2026, 5.8, and no row says so" in text for text in messages
    )
    assert any("table 5.8 has no row" in text for text in messages)
