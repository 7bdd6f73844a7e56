"""Typed operations against polars, on random columns."""

from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.grammar.number_programs import AGGREGATES, OPERATIONS, Distinct, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.wording.tolerances import EXACT, Tolerance, rounded_to

numbers = st.lists(
    st.one_of(st.none(), st.integers(-50, 50).map(float), st.floats(-1e6, 1e6, allow_nan=False)),
    min_size=1,
    max_size=30,
)
relations = {">": pl.Expr.gt, ">=": pl.Expr.ge, "<": pl.Expr.lt, "<=": pl.Expr.le}


def series(values: list[float | None]) -> dict[int, float]:
    return {row: value for row, value in enumerate(values) if value is not None}


def frame(values: list[float | None]) -> pl.DataFrame:
    return pl.DataFrame(
        {"row": range(len(values)), "value": values}, schema={"row": pl.Int64, "value": pl.Float64}
    )


@given(numbers, st.booleans())
def test_extremum_is_the_oracles(values: list[float | None], highest: bool) -> None:
    place = operations.place_of(series(values), 1, highest=highest)
    filled = frame(values).drop_nulls()
    expected = filled["value"].max() if highest else filled["value"].min()
    assert place.number == expected
    assert place.rows == {row for row, value in filled.iter_rows() if value == expected}


@given(numbers, st.integers(1, 8), st.booleans())
def test_kth_is_the_oracles_dense_rank(values: list[float | None], place: int, highest: bool) -> None:
    kth = operations.place_of(series(values), place, highest=highest)
    ranked = frame(values).drop_nulls().with_columns(rank=pl.col("value").rank("dense", descending=highest))
    assert kth.rows == set(ranked.filter(pl.col("rank") == place)["row"])
    assert (kth.number is None) == (not kth.rows)


@given(numbers)
def test_sum_and_average_are_the_oracles(values: list[float | None]) -> None:
    column, filled = frame(values)["value"], list(series(values).values())
    assert AGGREGATES["sum"](filled) == pytest.approx(column.sum(), abs=1e-6)
    if filled:
        assert AGGREGATES["average"](filled) == pytest.approx(column.mean(), abs=1e-6)


@given(numbers, st.sampled_from(sorted(relations)), st.integers(-50, 50))
def test_rows_within_a_bound_are_the_oracles(values: list[float | None], relation: str, bound: int) -> None:
    expected = frame(values).drop_nulls().filter(relations[relation](pl.col("value"), float(bound)))
    assert operations.rows_within(series(values), relation, float(bound)) == set(expected["row"])


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_difference_ratio_and_percent_of_two_numbers(first: float, second: float) -> None:
    assert OPERATIONS["-"](first, second) == first - second
    assert OPERATIONS["|-|"](first, second) == abs(first - second)
    assert OPERATIONS["/"](first, second) == (first / second if second else None)
    percent = OPERATIONS["% above"](first, second)
    assert (percent is None) == (second == 0)
    assert percent is None or (percent > 0) == (first > second) or percent == 0


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=20))
def test_distinct_values_are_counted_with_their_cells(values: list[str]) -> None:
    index = TableIndex(make_table("t", "", [["name", "letter"]], [["x", value] for value in values]))
    result = Distinct(AllRows(), 1).run(index)
    assert result.number == len(set(values))
    assert result.cells == {(row, 1) for row in range(len(values))}


@pytest.mark.parametrize(
    ("number", "claimed", "tolerance", "right"),
    [
        (0.5349, 0.535, rounded_to(3), True),
        (0.5349, 0.534, rounded_to(3), False),
        (3.0, 3.0, EXACT, True),
        (3.4, 3.0, EXACT, False),
        (-4.6, -5.0, Tolerance(0.5, 0.0).times(-1), True),
        (-5.4, -5.0, Tolerance(0.5, 0.0).times(-1), False),
    ],
)
def test_a_number_is_told_within_a_tolerance(
    number: float, claimed: float, tolerance: Tolerance, right: bool
) -> None:
    table = make_table("t", "", [["a"]], [["1"]])
    program = Compare(Literal(number), "=", Literal(claimed), tolerance)
    assert program.run(TableIndex(table)).truth is right


def test_an_unknown_relation_is_an_error() -> None:
    with pytest.raises(KeyError):
        operations.compare(1, "~", 2)


def test_equal_is_within_rounding() -> None:
    assert operations.compare(0.1 + 0.2, "=", 0.3)
    assert operations.compare(0.1, "!=", 0.2)
    assert math.isclose(AGGREGATES["sum"]([0.1, 0.2]), 0.3)
