"""Typed operations against polars, on random columns."""

from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.tables.programs import operations

COLUMN = 3
numbers = st.lists(
    st.one_of(st.none(), st.integers(-50, 50).map(float), st.floats(-1e6, 1e6, allow_nan=False)),
    min_size=1,
    max_size=30,
)
relations = {
    ">": pl.Expr.gt,
    ">=": pl.Expr.ge,
    "<": pl.Expr.lt,
    "<=": pl.Expr.le,
}


def series(values: list[float | None]) -> dict[int, float]:
    return {row: value for row, value in enumerate(values) if value is not None}


def frame(values: list[float | None]) -> pl.DataFrame:
    return pl.DataFrame(
        {"row": range(len(values)), "value": values}, schema={"row": pl.Int64, "value": pl.Float64}
    )


@given(numbers, st.booleans())
def test_extremum_is_the_oracles(values: list[float | None], highest: bool) -> None:
    found = operations.ordering(series(values), COLUMN, 1, highest=highest)
    told = frame(values).drop_nulls()
    expected = told["value"].max() if highest else told["value"].min()
    assert found.value == expected
    assert list(found.rows) == [row for row, value in told.iter_rows() if value == expected]
    assert found.cells == tuple((row, COLUMN) for row in told["row"])


@given(numbers, st.integers(1, 8), st.booleans())
def test_kth_is_the_oracles_dense_rank(values: list[float | None], place: int, highest: bool) -> None:
    found = operations.ordering(series(values), COLUMN, place, highest=highest)
    ranked = frame(values).drop_nulls().with_columns(rank=pl.col("value").rank("dense", descending=highest))
    assert list(found.rows) == ranked.filter(pl.col("rank") == place)["row"].to_list()
    assert (found.value is None) == (not found.rows)


@given(numbers)
def test_sum_and_average_are_the_oracles(values: list[float | None]) -> None:
    told = frame(values)["value"]
    assert operations.total(series(values), COLUMN).value == pytest.approx(told.sum(), abs=1e-6)
    average = operations.average(series(values), COLUMN).value
    assert average == (None if told.mean() is None else pytest.approx(told.mean(), abs=1e-6))


@given(numbers, st.sampled_from(sorted(relations)), st.integers(-50, 50))
def test_rows_within_a_bound_are_the_oracles(values: list[float | None], relation: str, bound: int) -> None:
    found = operations.where(series(values), COLUMN, relation, float(bound))
    expected = frame(values).drop_nulls().filter(relations[relation](pl.col("value"), float(bound)))
    assert list(found.rows) == expected["row"].to_list()
    assert found.value == len(expected)


@given(numbers, st.data())
def test_difference_and_ratio_of_two_rows(values: list[float | None], data: st.DataObject) -> None:
    one, other = (data.draw(st.integers(0, len(values) - 1)) for _ in range(2))
    first, second = values[one], values[other]
    difference = operations.difference(series(values), COLUMN, one, other)
    ratio = operations.ratio(series(values), COLUMN, one, other)
    if first is None or second is None:
        assert difference.value is None and ratio.value is None
        return
    assert difference.value == first - second
    assert ratio.value == (None if second == 0 else first / second)
    assert set(difference.cells) == {(one, COLUMN), (other, COLUMN)}


@given(st.lists(st.sampled_from("abcd"), max_size=20))
def test_groups_and_distinct_are_the_oracles(values: list[str]) -> None:
    counts, cells = operations.groups(dict(enumerate(values)), COLUMN)
    expected = pl.Series("value", values, dtype=pl.String).value_counts()
    assert dict(counts) == dict(expected.iter_rows())
    assert len(cells) == len(values)
    assert operations.distinct(dict(enumerate(values)), COLUMN).value == len(set(values))


@given(st.sets(st.integers(0, 20)), st.sets(st.integers(0, 20)))
def test_majority_is_of_those_asked_about(rows: set[int], among: set[int]) -> None:
    found = operations.majority(rows, among, [COLUMN])
    assert found.value == (len(rows & among) > len(among) / 2 if among else None)
    assert found.rows == tuple(sorted(rows & among))


def test_count_counts_a_row_once_and_uses_the_columns_that_chose_it() -> None:
    found = operations.count([4, 2, 4], [1, 0])
    assert found.value == 2
    assert found.cells == ((2, 0), (2, 1), (4, 0), (4, 1))


@pytest.mark.parametrize(
    ("number", "claimed", "decimals", "right"),
    [(0.5349, 0.535, 3, True), (0.5349, 0.534, 3, False), (3.0, 3.0, 0, True), (3.4, 3.0, 0, False)],
)
def test_a_number_is_told_within_the_decimals_written(
    number: float, claimed: float, decimals: int, right: bool
) -> None:
    assert operations.rounds_to(number, claimed, decimals) is right


def test_an_unknown_relation_is_an_error() -> None:
    with pytest.raises(KeyError):
        operations.compare(1, "~", 2)


def test_equal_is_within_rounding() -> None:
    assert operations.compare(0.1 + 0.2, "=", 0.3)
    assert operations.compare(0.1, "!=", 0.2)
    assert math.isclose(operations.total({0: 0.1, 1: 0.2}, 0).value or 0, 0.3)
