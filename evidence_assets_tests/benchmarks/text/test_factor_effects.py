"""Effects of factors: known answers by hand, over pairs that differ in one level."""

from __future__ import annotations

from itertools import product

import duckdb
import pytest

from benchmarks.text.factor_effects import factor_effects
from evidence_assets.evidence.arms import Arm

ARMS = {
    f"{ranking}{triples}@r": Arm(
        name=f"{ranking}{triples}@r", description="", levels=(("retrieval", ranking), ("triples", triples))
    )
    for ranking, triples in product(("cosine", "coverage"), ("", "triples"))
}
# Whether four questions were answered rightly, by arm.
RIGHT = {
    "cosine@r": "1000",
    "cosinetriples@r": "1100",
    "coverage@r": "1010",
    "coveragetriples@r": "1111",
    "another@r": "1111",
}


@pytest.fixture
def lake() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    rows = [
        ("s", arm, "b", f"q{place}", answer == "1")
        for arm, answers in RIGHT.items()
        for place, answer in enumerate(answers)
    ]
    connection.execute(
        "CREATE TABLE predictions (system TEXT, arm TEXT, benchmark TEXT, question_id TEXT, correct BOOLEAN)"
    )
    connection.executemany("INSERT INTO predictions VALUES (?, ?, ?, ?, ?)", rows)
    return connection


def test_an_effect_is_the_mean_over_the_pairs_that_differ_in_one_level(
    lake: duckdb.DuckDBPyConnection,
) -> None:
    rows = {row["factor"]: row for row in factor_effects(lake, ["b", "none"], ARMS, "s")}
    assert set(rows) == {"retrieval", "triples"}
    triples = rows["triples"]
    assert (triples["level"], triples["other"], triples["pairs"], triples["n"]) == ("triples", "", 2, 4)
    # One of four more over cosine, two of four more over coverage.
    assert triples["value"] == pytest.approx(0.375)
    assert triples["low"] <= triples["value"] <= triples["high"]
    assert (rows["retrieval"]["level"], rows["retrieval"]["other"]) == ("coverage", "cosine")
    assert rows["retrieval"]["value"] == pytest.approx(0.375)


def test_arms_that_were_not_answered_make_no_pair(lake: duckdb.DuckDBPyConnection) -> None:
    lake.execute("DELETE FROM predictions WHERE arm = 'coveragetriples@r'")
    assert {row["pairs"] for row in factor_effects(lake, ["b"], ARMS, "s")} == {1}
