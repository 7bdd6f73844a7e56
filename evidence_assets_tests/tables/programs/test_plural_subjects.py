"""Claims of several rows that no word for all tells: of each is so what is said of them."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

KITES = make_table(
    "kites",
    "Kite festival of 2019",
    [["Rank", "Kite", "Country", "Points", "Flights", "Date", "Result"]],
    [
        ["1", "Blue Heron", "Japan", "98", "7", "3 May 2019", "won"],
        ["2", "Red Sail", "France", "91", "6", "10 May 2019", "won"],
        ["3", "Night Owl", "Japan", "88", "9", "17 May 2019", "lost"],
        ["4", "Old Tom", "Spain", "80", "5", "24 May 2019", "won"],
        ["5", "Marigold", "Japan", "71", "4", "31 May 2019", "lost"],
        ["6", "Lantern", "Italy", "65", "3", "7 June 2019", "lost"],
        ["7", "Comet", "Japan", "60", "2", "14 June 2019", "won"],
    ],
)
EARNINGS = make_table(
    "earnings",
    "A golfer's earnings",
    [["Year", "Earnings", "Surface"]],
    [
        ["2008", "400", "clay"],
        ["2009", "450", "clay"],
        ["2010", "620", "grass"],
        ["2011", "480", "grass"],
    ],
)


@pytest.mark.parametrize(
    "claim",
    [
        "The first two kites won.",
        "The kites from Japan scored at least 60 points.",
        "The two kites with more than 90 points won.",
        "The first two kites are from Japan and France.",
        "The kites that scored more than 90 points won.",
        "After 20 May 2019 the kites scored at most 80 points.",
    ],
)
def test_what_is_so_of_each_of_several_rows_is_borne_out(claim: str) -> None:
    """A plural with an article names its rows, and a claim of them is of each."""
    assert decided(claim, KITES) is True


@pytest.mark.parametrize(
    "claim",
    [
        "The first three kites won.",
        "The top 3 kite be from japan",
        "The kites from Japan lost.",
        "The two kites from Japan lost.",
        "The kites that scored more than 80 points won.",
        "After 20 May 2019 the kites lost.",
    ],
)
def test_that_one_of_several_rows_is_so_does_not_bear_it_out(claim: str) -> None:
    """Some of the rows are as the claim says, others are not."""
    assert decided(claim, KITES) is False


@pytest.mark.parametrize("claim", ["The kites from Norway won.", "The two kites from Norway lost."])
def test_of_rows_that_are_not_there_nothing_is_decided(claim: str) -> None:
    """No row tells of what the table lacks."""
    assert decided(claim, KITES) is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Before 2010 the surface was clay.", True),
        ("Before 2011 the surface was clay.", False),
        ("Earnings from 2009 to 2011 were below 700.", True),
        ("Earnings from 2009 to 2011 were below 500.", False),
    ],
)
def test_what_is_said_of_a_column_over_a_span_is_so_in_all_its_rows(claim: str, truth: bool) -> None:
    """A span of years has several rows."""
    assert decided(claim, EARNINGS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Two of the top three kites are from Japan.", True),
        ("Three of the top three kites are from Japan.", False),
        ("Japan has 3 of the top 5 kites.", True),
        ("Japan has 4 of the top 5 kites.", False),
    ],
)
def test_a_part_of_so_many_first_rows_is_counted(claim: str, truth: bool) -> None:
    """The number of a part is no cell's, though one holds it."""
    assert decided(claim, KITES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("A kite outside of France scored 91 points.", False),
        ("Two kites from outside Japan won.", True),
        ("No kite outside the top 4 scored more than 75 points.", True),
        ("No kite outside the top 3 scored more than 75 points.", False),
        ("All kites outside Japan and Italy won.", True),
        ("All kites outside Japan won.", False),
    ],
)
def test_outside_turns_what_it_stands_before(claim: str, truth: bool) -> None:
    """Outside France are the rows of other countries."""
    assert decided(claim, KITES) is truth


def test_the_top_are_those_of_the_highest_rank() -> None:
    """Songs are listed as they were sung, and a column tells the place of each."""
    songs = make_table(
        "songs",
        "A contest of songs",
        [["Draw", "Singer", "Points", "Place"]],
        [
            ["1", "Breen", "80", "4"],
            ["2", "Meen", "66", "3"],
            ["3", "Reilly", "130", "1"],
            ["4", "Toal", "90", "2"],
        ],
    )
    assert decided("The top two singers are Reilly and Toal.", songs) is True
    assert decided("The top two singers are Breen and Meen.", songs) is False
    assert decided("The first two singers are Breen and Meen.", songs) is True


def test_outside_of_what_the_table_lacks_nothing_is_decided() -> None:
    """Which rows are outside of Germany the table does not tell."""
    assert decided("A kite outside Germany won.", KITES) is None
