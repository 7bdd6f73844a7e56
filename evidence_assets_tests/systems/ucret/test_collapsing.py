"""What of a table each question keeps: columns with their reasons, rows, in one encoding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import COLLAPSED_TABLES
from evidence_assets.systems.ucret.collapsing import collapse
from evidence_assets.systems.ucret.report import of_collapsed
from evidence_assets.tables.claim_parsing import parse_mentions
from evidence_assets.tables.column_filters import FILTERS
from evidence_assets.tables.columns import column_texts, column_tokens, filter_columns, with_gate
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.text.words import words
from evidence_assets_tests.testing.ucret_samples import (
    ANIMALS,
    BENCHMARK,
    MEASLES,
    THREE,
    WordEncoder,
    claims,
    question,
)

TABLES = {table.table_id: table for table in (MEASLES, ANIMALS)}
QUESTIONS = [
    *claims("Quebec had 94 cases in 2007", "Ontario had the shortest duration"),
    question("otter", "What does the otter eat?", ["lemmings", "sea urchins"], 1, "animals"),
]


def collapsed(name: str = "full", **others: Any) -> list[dict[str, Any]]:
    arguments = {"questions": QUESTIONS, "tables": TABLES, "encode": WordEncoder(), **others}
    made = collapse(
        arguments["questions"], arguments["tables"], arguments["encode"], FILTERS[name], BENCHMARK
    )
    return list(conform(made, COLLAPSED_TABLES).to_pylist())


@pytest.mark.parametrize("name", FILTERS)
def test_columns_are_kept_as_the_filter_says(name: str) -> None:
    rows = collapsed(name)
    assert [(row["question_id"], row["table_id"]) for row in rows] == [
        ("q0", "measles"),
        ("q1", "measles"),
        ("otter", "animals"),
    ]
    encode = WordEncoder()
    claim_vectors = encode([row["question"] for row in QUESTIONS])
    columns = {key: encode(column_texts(table)) for key, table in TABLES.items()}
    owners = [key for key, vectors in columns.items() for _ in vectors]
    settings = with_gate(
        FILTERS[name],
        claim_vectors,
        [row["table_id"] for row in QUESTIONS],
        np.vstack(list(columns.values())),
        owners,
    )
    for claim_row, vector, row in zip(QUESTIONS, claim_vectors, rows, strict=True):
        table = TABLES[claim_row["table_id"]]
        mentions = parse_mentions(claim_row["question"], TableIndex(table)).columns
        claim_words = frozenset(words(claim_row["question"]))
        filtered = filter_columns(
            claim_words, column_tokens(table), vector, columns[claim_row["table_id"]], settings, mentions
        )
        assert (row["filter"], row["benchmark"], row["fallback"]) == (name, BENCHMARK, filtered.fallback)
        assert [column["column"] for column in row["columns"] if column["kept"]] == list(filtered.kept) != []
        assert [column["name"] for column in row["columns"]] == list(table.header)
        for column, score in zip(row["columns"], filtered.columns, strict=True):
            assert column["reason"] == ", ".join(score.reasons)
            assert (column["jaccard"], column["cluster"]) == (pytest.approx(score.jaccard), score.cluster)
            assert column["similarity"] == pytest.approx(score.similarity)
            assert column["cluster_similarity"] == (
                None if score.cluster_similarity is None else pytest.approx(score.cluster_similarity)
            )


def test_every_text_is_encoded_in_one_call_and_each_table_once() -> None:
    encode = WordEncoder()
    collapsed(encode=encode)
    [texts] = encode.calls
    assert texts == [*(row["question"] for row in QUESTIONS), *column_texts(MEASLES), *column_texts(ANIMALS)]


def test_a_question_collapses_alike_alone_and_among_others() -> None:
    """Its vectors are its own, whichever tables stand before."""
    for place in range(len(QUESTIONS)):
        assert collapsed(questions=[QUESTIONS[place]]) == [collapsed()[place]]


def test_questions_without_a_usable_table_are_left_out() -> None:
    others = [question("gone", "x", THREE, 0, "gone"), question("none", "y", ["a", "b"], 0, None)]
    assert collapsed(questions=[others[0], *QUESTIONS, others[1]]) == collapsed()
    for name in FILTERS:
        assert collapsed(name, questions=others) == []
        assert collapsed(name, questions=[]) == []


def test_a_gate_is_read_from_the_columns_of_other_tables() -> None:
    """A benchmark of one table has none of them, and keeps the printed gate."""
    rows = claims("Quebec had 94 cases in 2007", "Ontario had the shortest duration")
    for quantile, printed in (("quantile_gate", "paper"), ("js", "js_paper")):
        alone = collapsed(quantile, questions=rows)
        assert [row["question_id"] for row in alone] == ["q0", "q1"]
        assert all(any(column["kept"] for column in row["columns"]) for row in alone)
        if quantile == "quantile_gate":
            strict = collapsed(printed, questions=rows)
            assert [row["columns"] for row in alone] == [row["columns"] for row in strict]


def test_a_read_gate_lets_in_what_the_printed_one_keeps_out() -> None:
    """Word counts are seldom as near as .60: what is far from other tables' columns is near enough."""

    def by_cluster(name: str) -> int:
        reasons = [column["reason"] for row in collapsed(name) for column in row["columns"]]
        return sum("cluster" in reason for reason in reasons)

    assert by_cluster("quantile_gate") > by_cluster("paper")


def test_all_rows_are_kept_but_by_the_filter_that_selects_them() -> None:
    cells = [[f"Town {number}", f"river {number}"] for number in range(1, 31)]
    towns = make_table("towns", "", [["Town", "River"]], cells)
    rows = claims("Town 17 is on river 17", "Town 3 has the longest river", table="towns")
    arguments = {"questions": rows, "tables": {"towns": towns}}
    for name in FILTERS:
        if FILTERS[name].rows is None and not FILTERS[name].clustered_rows:
            assert {tuple(row["rows"]) for row in collapsed(name, **arguments)} == {tuple(range(30))}
    few, every_row = (row["rows"] for row in collapsed("rows", **arguments))
    assert 16 in few
    assert few == sorted(set(few))
    assert len(few) < 30
    assert every_row == list(range(30)), "the longest of all needs every row"


def test_rows_are_clustered_as_columns_are() -> None:
    """Thesis 3.5: the collapsed table holds the columns and the rows that algorithm 3.1 keeps."""
    cells = [["Quebec", "94"], ["Ontario", "53"], ["Alberta", "678"], ["Nova Scotia", "5"]]
    table = make_table("outbreaks", "", [["Province", "Cases"]], cells)
    questions = claims("Quebec 94", table="outbreaks")
    arguments = {"questions": questions, "tables": {"outbreaks": table}}
    [row] = collapsed("bidirectional", **arguments)
    # The first row shares both words of two: Jaccard 1. No cluster of the others is as near as .60.
    assert row["rows"] == [0]
    [plain] = collapsed("paper", **arguments)
    assert row["columns"] == plain["columns"]
    assert plain["rows"] == [0, 1, 2, 3]
    [bare] = collapsed("bidirectional", questions=questions, tables={"outbreaks": replace(table, rows=())})
    assert bare["rows"] == []


def test_a_run_shows_how_many_columns_are_kept_and_why() -> None:
    made = collapse(QUESTIONS, TABLES, WordEncoder(), FILTERS["full"], BENCHMARK)
    shown = of_collapsed(made, "full")
    kept_counts = [sum(column["kept"] for column in row["columns"]) for row in made.to_pylist()]
    assert shown["questions"] == len(QUESTIONS)
    assert shown["mean_columns"] == pytest.approx(11 / 3)
    assert shown["mean_columns_kept"] == pytest.approx(sum(kept_counts) / 3)
    assert of_collapsed(made.slice(0, 0), "full") == {"questions": 0}
