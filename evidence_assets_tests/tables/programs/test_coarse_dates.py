"""Claims finer than the dates of a table: a day, a season, the end of a year."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import verdicts

BRIDGES = make_table(
    "bridges",
    "Bridges of a valley",
    [["Bridge", "Opened", "Piers"]],
    [
        ["Alder", "January 2003", "3"],
        ["Birch", "12 May 2004", "2"],
        ["Cedar", "2004", "5"],
        ["Dogwood", "—", "4"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Alder opened on 15 January 2003.", None),
        ("Alder opened on 15 March 2003.", False),
        ("Birch opened on 12 May 2004.", True),
        ("Birch opened on 13 May 2004.", False),
        ("Cedar opened on 13 May 2004.", None),
        ("Birch opened in the spring of 2004.", True),
        ("Alder opened in the spring of 2003.", False),
        ("Cedar opened in the spring of 2004.", None),
        ("Alder had opened by the end of 2003.", True),
        ("Birch had opened by the end of 2003.", False),
        ("Dogwood had opened by the end of 2003.", None),
        ("Alder had opened by the start of March 2003.", True),
        ("Birch had opened by the start of May 2004.", False),
        ("Cedar had opened by the start of May 2004.", None),
        ("Cedar opened in the first half of 2004.", None),
        ("Birch opened in the first half of 2004.", True),
    ],
)
def test_a_time_finer_than_the_cell_is_not_decided(claim: str, truth: bool | None) -> None:
    assert verdicts(BRIDGES, claim, "condition of a row") == (set() if truth is None else {truth})


def test_a_time_that_some_of_several_rows_may_have_is_not_decided() -> None:
    claim = "A bridge of steel opened on 15 January 2003."
    steel = make_table(
        "steel",
        "Bridges of a valley",
        [["Bridge", "Of", "Opened"]],
        [["Alder", "steel", "January 2003"], ["Birch", "steel", "12 May 2004"], ["Cedar", "stone", "2004"]],
    )

    assert not verdicts(steel, claim, "co-occurrence by row")
    assert verdicts(steel, claim.replace("January", "March"), "co-occurrence by row") == {False}
