"""Decades and centuries as spans of years."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.words.periods import period_at, periods_at
from evidence_assets.reading.accounting import spans


@pytest.mark.parametrize(
    ("text", "period"),
    [
        pytest.param("the 1960s", (1960, 1970), id="a decade"),
        pytest.param("the 60s", (1960, 1970), id="of the last century, where none is said"),
        pytest.param("the sixties", (1960, 1970), id="in a word"),
        pytest.param("the 1900s", (1900, 2000), id="a hundred years"),
        pytest.param("the 2000s", (2000, 2010), id="ten years, of a century that is not over"),
        pytest.param("the 19th century", (1801, 1901), id="a century"),
        pytest.param("the nineteenth century", (1801, 1901), id="a century in a word"),
        pytest.param("the twenty-first century", (2001, 2101), id="in two words"),
        pytest.param("the 22nd century", None, id="one to come"),
        pytest.param("the 1965s", None, id="no decade's first year"),
        pytest.param("in sixties", None, id="not definite"),
    ],
)
def test_a_period_begins_behind_an_article(text: str, period: tuple[int, int] | None) -> None:
    lowered = [text[start:end] for start, end in spans(text)]
    years_and_end = period_at(lowered, 1)
    assert (years_and_end and years_and_end[:2]) == period
    assert years_and_end is None or years_and_end[2] == len(lowered)


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        pytest.param("the sixties and seventies", [1960, 1970], id="one article for both"),
        pytest.param("the 1960s and the 1980s", [1960, 1980], id="each with its article"),
        pytest.param("the 1960s, 1970s and 1980s", [1960, 1970, 1980], id="a list"),
        pytest.param("the 18th and 19th centuries", [1701, 1801], id="one noun for both"),
        pytest.param("the 1960s and fifteen more", [1960], id="what follows is no period"),
    ],
)
def test_periods_that_are_joined_are_all_found(text: str, begins: list[int]) -> None:
    lowered = [text[start:end] for start, end in spans(text)]
    assert [period.begin for period in periods_at(lowered, 1)] == begins


def test_ages_are_no_decades() -> None:
    assert not periods_at(["people", "in", "their", "sixties", "and", "seventies"], 3)
