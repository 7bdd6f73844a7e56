"""Words that several readers share: seasons, times, what finds no row, cells that tell nothing."""

from __future__ import annotations

import pytest

from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.wording.quantifier_words import none_words
from evidence_assets.tables.table import Kind

ORGANS = make_table(
    "organs",
    "Organs of the city's churches",
    [["Church", "Built", "Pipes", "Tuned"]],
    [
        ["St Ann", "1902", "1,900", "2019"],
        ["St Bede", "1931", "2,400", "not recorded"],
        ["St Clare", "1890", "3,100", "2021"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("you will not find a larger organ", [1, 2, 3]),
        ("the organ did not get any pipes", []),
        ("st ann will not see a tuner", []),
    ],
)
def test_only_who_looks_finds_none(claim: str, words: list[int]) -> None:
    assert none_words(tuple(claim.split())) == words


@pytest.mark.parametrize("text", ["not recorded", "Not known", "..", "n/a"])
def test_what_a_cell_does_not_tell_is_empty(text: str) -> None:
    assert parse_value(text).kind is Kind.EMPTY


@pytest.mark.parametrize("text", ["pending", "unknown", "under investigation"])
def test_what_may_be_a_value_is_kept(text: str) -> None:
    assert parse_value(text).kind is not Kind.EMPTY


def test_no_year_bears_out_a_season() -> None:
    assert verify("St Ann was tuned in 2019.", ORGANS).supported is True
    for season in ("autumn", "fall"):
        assert verify(f"St Ann was tuned in the {season} of 2019.", ORGANS).supported is None
