"""Verdicts on claims, by kind of program, on small tables of our own."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from evidence_assets.tables.hygiene import EmptyTableError, make_table
from evidence_assets.tables.programs import rank_programs, row_coverage, verify
from evidence_assets.tables.programs.verdicts.each_of_things import BY_NAME
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.table import Cell, Kind, Table, Value
from evidence_assets_tests.testing.profiles import examples

# Of the first hundred statements of the development half, how many must stay right.
FLOOR = 77
MEDALS = make_table(
    "medals",
    "2010 games",
    [["rank", "nation", "gold", "silver", "continent", "joined"]],
    [
        ["1", "norway", "9", "4", "europe", "3 may 1950"],
        ["2", "japan", "5", "6", "asia", "4 june 1960"],
        ["3", "france", "5", "2", "europe", "12 july 1948"],
        ["4", "china", "3", "8", "asia", "1 march 1980"],
        ["5", "chile", "0", "1", "south america", "9 april 1990"],
    ],
)
GAMES = make_table(
    "games",
    "season",
    [["date", "visitor", "home", "attendance"]],
    [
        ["february 2", "boston", "detroit", "18,529"],
        ["february 5", "chicago", "boston", "17,568"],
        ["march 1", "boston", "chicago", "12,001"],
    ],
)
WORKED = [
    ("norway have 9 gold", "co-occurrence by row"),
    ("japan be in asia", "co-occurrence by row"),
    ("norway and france be in europe", "co-occurrence by list"),
    ("norway have more gold than japan", "comparison"),
    ("china have a lower gold than japan", "comparison"),
    ("norway have 4 gold more than japan", "difference"),
    ("norway have three times as many gold as china", None),
    ("japan have as many gold as france", "ratio"),
    ("japan and france have the same gold", "sameness"),
    ("norway have the most gold", "superlative"),
    ("the highest silver be 8", "superlative"),
    ("chile have the lowest gold", "superlative"),
    ("china have the highest silver of any nation from asia", "superlative"),
    ("japan have the second highest silver", "ordinal"),
    ("chile have the most recent joined", "temporal"),
    ("there be 2 nation in europe", "count"),
    ("there be at least 2 nation in asia", "count"),
    ("there be 4 nation with more than 2 gold", "count"),
    ("there be 3 different continent", "distinct"),
    ("chile be the only nation in south america", "only"),
    ("all nation in asia have more than 2 gold", "all"),
    ("the average gold be 4.4", "average"),
    ("the total gold of nation in europe be 14", "sum"),
    ("a majority of the nation in europe have more than 4 gold", "majority"),
    ("there be no nation with more than 9 gold", "none"),
    ("chile have no gold", "none of a column"),
    ("norway joined before 1951", None),
    ("there be 2 nation in europe while there be 2 nation in asia", "conjunction"),
]
FALSE = [
    "norway have 5 gold",
    "japan be in europe",
    "norway and japan be in europe",
    "japan have more gold than norway",
    "norway have 3 gold more than japan",
    "japan and chile have the same gold",
    "japan have the most gold",
    "the highest silver be 6",
    "norway have the lowest gold",
    "there be 3 nation in europe",
    "there be at least 3 nation in asia",
    "there be 4 different continent",
    "norway be the only nation in europe",
    "all nation in europe have more than 5 gold",
    "the average gold be 5.4",
    "there be no nation with more than 8 gold",
    "norway have no gold",
    "there be 2 nation in europe while there be 3 nation in asia",
]


@pytest.mark.parametrize(("claim", "kind"), WORKED)
def test_a_true_claim_is_supported_by_its_kind_of_program(claim: str, kind: str | None) -> None:
    verdict = verify(claim, MEDALS)
    assert kind is None or (verdict.supported, verdict.kind.removesuffix(BY_NAME)) == (True, kind)


@pytest.mark.parametrize("claim", FALSE)
def test_a_false_claim_is_refuted(claim: str) -> None:
    assert verify(claim, MEDALS).supported is False


@pytest.mark.parametrize(
    ("claim", "denied"),
    [
        ("norway have the most gold", "norway do not have the most gold"),
        ("norway have more gold than japan", "norway didn't have more gold than japan"),
        ("japan be in asia", "japan is not in asia"),
        ("japan be in europe", "japan isn't in europe"),
    ],
)
def test_a_denial_turns_the_verdict(claim: str, denied: str) -> None:
    assert verify(denied, MEDALS).supported is (not verify(claim, MEDALS).supported)


def test_inflected_claims_are_read_as_lemmas_are() -> None:
    for plain, lemmatised in (
        ("Norway has the most gold.", "norway have the most gold"),
        ("There are 2 nations in Europe.", "there be 2 nation in europe"),
        ("Japan was in Asia", "japan be in asia"),
    ):
        inflected, of_lemmas = verify(plain, MEDALS), verify(lemmatised, MEDALS)
        assert (inflected.supported, inflected.kind, inflected.cells) == (
            of_lemmas.supported,
            of_lemmas.kind,
            of_lemmas.cells,
        )


def test_home_and_away_are_told_apart() -> None:
    assert verify("detroit be the home team on february 2", GAMES).supported is True
    assert verify("detroit be the visitor on february 2", GAMES).supported is False


def test_cells_used_are_those_of_the_program() -> None:
    assert set(verify("norway have 9 gold", MEDALS).cells) == {(-1, 1), (-1, 2), (0, 1), (0, 2)}
    verdict = verify("norway have more gold than japan", MEDALS)
    assert {(0, 2), (1, 2), (0, 1), (1, 1)} <= set(verdict.cells)
    assert verdict.program == "gold(nation = norway) > gold(nation = japan)"
    counted = verify("there be 2 nation in europe", MEDALS)
    assert set(counted.cells) == {(-1, 4), (0, 4), (2, 4)}
    assert counted.program == "count(continent = europe) = 2"
    assert {(row, 2) for row in range(5)} <= set(verify("norway have the most gold", MEDALS).cells)


def test_a_claim_of_other_things_is_left_undecided() -> None:
    verdict = verify("the moon is made of green cheese", MEDALS)
    assert (verdict.supported, verdict.confidence, verdict.program, verdict.kind) == (None, 0.0, "", "none")
    assert (verdict.cells, verdict.left) == ((), Left.WORDS)
    assert verdict.accounting.unaccounted == ("moon", "green", "cheese")
    assert verdict.coverage < 0.2
    assert verify("norway is pleasant", MEDALS).supported is None


def test_programs_are_ranked_with_the_verdict_first() -> None:
    ranked = rank_programs("norway have more gold than japan", MEDALS)
    assert ranked[0] == verify("norway have more gold than japan", MEDALS)
    assert len({(verdict.kind, verdict.program) for verdict in ranked}) == len(ranked)


def test_row_coverage_is_the_best_rows_share_of_the_words() -> None:
    assert row_coverage("japan in asia", MEDALS) == (1.0, 1)
    assert row_coverage("japan zebra", MEDALS) == (0.5, 1)
    assert row_coverage("", MEDALS) == (0.0, -1)


AWKWARD = (
    "most", "least", "than", "more", "3", "3.5", "12th", "the", "only", "all", "there", "be", "not", "-1",
    "2010", "may", "between", "and", ",", "of", "%", "'", "1/2", "9:30", "∞", "é", "before", "first", "as",
    "average",
)  # fmt: skip
words = st.one_of(st.text(max_size=12), st.sampled_from(AWKWARD), st.integers(-5000, 5000).map(str))
claims = st.lists(words, max_size=14).map(" ".join)
grids = st.lists(st.lists(words, min_size=1, max_size=5), min_size=1, max_size=6)


@examples(150, suppress_health_check=[HealthCheck.too_slow])
@given(claims, grids)
def test_no_table_and_no_claim_makes_it_fail(claim: str, grid: list[list[str]]) -> None:
    try:
        table = make_table("t", claim, grid[:1], grid[1:] or grid)
    except EmptyTableError:
        return
    for verdict in [verify(claim, table), *rank_programs(claim, table)]:
        assert 0 <= verdict.confidence <= 1
        assert 0 <= verdict.coverage <= 1
        assert all(
            -1 <= row < len(table.rows) and 0 <= column < table.columns for row, column in verdict.cells
        )
        assert (verdict.supported is None) == (verdict.confidence == 0)
    assert verify(claim, table) == verify(claim, table)
    assert 0 <= row_coverage(claim, table)[0] <= 1


def test_tables_without_rows_and_of_a_thousand_columns() -> None:
    empty = Table("t", "", ("a", "b"), ())
    assert verify("there be 3 a", empty).supported in {None, False}
    cell = Cell("1", "1", Value(Kind.NUMBER, number=1.0))
    wide = Table("t", "", tuple(f"column {n}" for n in range(1000)), ((cell,) * 1000,) * 2)
    assert verify("column 7 be 1 and there be 2 row with the most column 9", wide).confidence <= 1


@pytest.mark.real_data
def test_a_fixed_hundred_of_the_development_half_stays_above_a_floor(real_data: Path) -> None:
    folder = real_data / "tables" / "tabfact_small"
    examples = json.loads((folder / "test_examples.json").read_text(encoding="utf-8"))
    names = sorted(json.loads((folder / "small_test_id.json").read_text(encoding="utf-8")))
    right: list[bool] = []
    for name in names:
        if int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 or len(right) >= 100:
            continue
        rows = [line.split("#") for line in (folder / "csv" / name).read_text(encoding="utf-8").splitlines()]
        table = make_table(name, examples[name][2], rows[:1], rows[1:])
        for claim, label in zip(*examples[name][:2], strict=True):
            right.append(bool(verify(claim, table).supported) == bool(label))
    assert sum(right[:100]) >= FLOOR


@pytest.mark.parametrize(
    ("claim", "leaning"),
    [
        ("Purple zebras sing.", None),
        ("Quebec had 94 cases.", True),
        ("Quebec had 93 cases.", False),
        ("It is false that Quebec had 94 cases.", False),
    ],
)
def test_a_verdict_leans_to_the_likelier_whether_it_decides_or_not(claim: str, leaning: bool | None) -> None:
    table = make_table(
        "measles", "Measles", [["Province", "Cases"]], [["Quebec", "94"], ["Ontario", "17"], ["Alberta", "2"]]
    )
    assert verify(claim, table).leaning is leaning
