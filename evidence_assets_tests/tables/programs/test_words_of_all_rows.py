"""Words and numbers that are said of all rows, and not of the cells that have them too."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets_tests.testing.plain_tables import SHIPS

RELEASES = make_table(
    "releases",
    "Releases of the program",
    [["Version", "Codename", "Released", "Downloads"]],
    [
        ["1.0", "Aspen", "2018-03-01", "1200"],
        ["1.1", "Birch", "2018-09-15", "2300"],
        ["2.0", "Cedar", "2019-06-30", "5400"],
        ["3.0", "Fir", "2021-11-05", "12500"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [("Of all ships, the Elsa is the longest.", True), ("Of all ships, the Dora is the shortest.", False)],
)
def test_all_ships_are_no_museum_ships(claim: str, truth: bool) -> None:
    verdict = verify(claim, SHIPS)
    assert verdict.decides
    assert verdict.supported is truth


def test_of_all_ships_those_are_counted_that_are_meant() -> None:
    assert answer("How many of all ships were built before 1925?", SHIPS).values == ("2",)


@pytest.mark.parametrize(
    "question", ["In which year were two versions released?", "Which year saw two versions released?"]
)
def test_two_versions_are_not_version_two(question: str) -> None:
    assert "2019" not in answer(question, RELEASES).values


def test_version_two_is_a_version() -> None:
    assert answer("When was version 2.0 released?", RELEASES).values == ("2019-06-30",)
