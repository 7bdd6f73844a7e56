"""Decades and centuries as spans of years."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.words.periods import period_at
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
