"""Claims of the time at which a number was highest or lowest, and of how it came there."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.plain_tables import CLIMATE, MILLS
from evidence_assets_tests.testing.program_verdicts import verdicts

MONTHS = make_table(
    "months",
    "Accounts of a bakery",
    [["Month", "Takings (€)", "Wages (€)"]],
    [["March 2021", "5,200", "4,100"], ["April 2021", "4,700", "4,900"], ["May 2021", "6,100", "4,300"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (MILLS, "Aske peaked in 2018.", "superlative of years", True),
        (MILLS, "Berrow bottomed out in 2018.", "superlative of years", True),
        (MILLS, "Crake peaked in 2018.", "superlative of years", False),
        (MONTHS, "Wages peaked in April 2021.", "superlative", True),
        (MONTHS, "Takings peaked in April 2021.", "superlative", False),
        (MILLS, "Aske's best year was 2018.", "superlative of years", True),
        (MILLS, "Crake's worst result came in 2020.", "superlative of years", False),
    ],
)
def test_a_number_is_highest_at_a_time(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (MONTHS, "Wages exceeded takings in April 2021.", "comparison of columns", True),
        (MONTHS, "Wages exceeded takings in May 2021.", "comparison of columns", False),
        (MILLS, "Crake overtook Aske in 2020.", "comparison", True),
    ],
)
def test_what_exceeds_another_at_a_time_has_more(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("claim", "kind", "truth"),
    [
        ("In 2016 Aske was the most important mill.", "superlative", True),
        ("In 2018 Berrow was the second most important mill.", "superlative", True),
        ("Crake was the least important mill in 2020.", "superlative", False),
    ],
)
def test_what_is_most_important_has_most(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(MILLS, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("claim", "kind", "truth"),
    [
        ("Aske gained 12 km between 2016 and 2018.", "condition of a row", True),
        ("Crake gained ground at every count.", "condition of a row", False),
        ("Aske gained 13 km between 2016 and 2018.", "condition of a row", False),
    ],
)
def test_what_is_gained_lies_between_two_times(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(MILLS, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("claim", "kind", "truth"),
    [
        ("It got warmer every month.", "series", True),
        ("It became sunnier each month.", "series", False),
    ],
)
def test_a_series_changes_from_row_to_row(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(CLIMATE, claim, kind) == {truth}


@pytest.mark.parametrize("claim", ["Aske peaked in 2016.", "Aske's best result came in 2016."])
def test_among_the_rows_of_a_year_nothing_peaks(claim: str) -> None:
    assert verdicts(MILLS, claim, "superlative") == set()


def test_to_get_warmer_is_not_to_have_any_warmth() -> None:
    assert verdicts(CLIMATE, "It got warmer every month.", "all") == set()


DAYS = make_table(
    "days",
    "",
    [["Ward", "Mon", "Tue", "Wed"]],
    [["Alder", "31", "44", "38"], ["Beech", "80", "71", "77"], ["Cedar", "12", "9", "15"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "supported"),
    [
        (DAYS, "Alder was busiest on Tuesday.", True),
        (DAYS, "Cedar was busiest on Wednesday.", True),
        (DAYS, "Cedar was busiest on Tuesday.", False),
        (DAYS, "Beech was busiest on Monday.", True),
        # The busiest of all wards.
        (DAYS, "Alder was the busiest on Tuesday.", False),
    ],
)
def test_without_an_article_a_row_is_highest_among_its_own(
    table: Table, claim: str, *, supported: bool
) -> None:
    verdict = verify(claim, table)
    assert verdict.supported is supported
    assert verdict.decides


def test_a_row_that_is_highest_of_all_rows_and_not_of_its_own_is_undecided() -> None:
    assert not verify("Beech was busiest on Tuesday.", DAYS).decides
    assert not verify("Cedar was lowest on Monday.", DAYS).decides
