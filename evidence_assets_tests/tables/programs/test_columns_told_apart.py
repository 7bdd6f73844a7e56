"""Columns that words alone do not tell apart: of months, of trains, of parties, of dates and times of day."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.verdicts.claim_ranking import read
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.table import Table

BILLS = make_table(
    "bills",
    "Bills of a household, 2024",
    [["Bill", "January", "February", "March"]],
    [
        ["Electricity", "€84.20", "€79.50", "€81.10"],
        ["Gas", "€82.00", "€91.75", "€58.60"],
        ["Phone", "€24.00", "€24.00", "€27.50"],
    ],
)
TRAINS = make_table(
    "trains",
    "Departures on weekdays, morning",
    [["Station", "RE 5", "RB 41", "IC 208", "RE 9"]],
    [
        ["Oldenstedt", "06:12", "06:30", "07:02", "07:41"],
        ["Birkenau", "06:24", "06:45", "–", "07:53"],
        ["Sonnenfeld", "06:51", "07:15", "07:33", "08:20"],
    ],
)
BIRDS = make_table(
    "birds",
    "Birds at the pond in 2023",
    [["Bird", "First seen", "Highest count"]],
    [["Little egret", "30 August", "2"], ["Lapwing", "4 March", "31"], ["Kingfisher", "19 February", "1"]],
)
DISTRICTS = make_table(
    "districts",
    "Election to the council, share of votes in %",
    [["District", "Greens", "Labour", "Free Voters", "Winner"]],
    [
        ["Riverside", "31.2", "30.8", "12.1", "Greens"],
        ["Old Town", "22.0", "34.5", "15.0", "Labour"],
        ["Hillside", "19.4", "28.8", "33.2", "Free Voters"],
    ],
)
PROJECT = make_table(
    "project",
    "Move of the office",
    [["Task", "Start", "End", "Status"]],
    [
        ["Lease", "8 January 2024", "19 January 2024", "done"],
        ["Cabling", "5 February 2024", "1 March 2024", "in progress"],
        ["Opening party", "6 March 2024", "6 March 2024", "open"],
    ],
)


def _verdicts(table: Table, claim: str) -> set[bool | None]:
    """Return what the programs that leave nothing but ordinary words of a claim come to."""
    runs = [run for run in read(tokens(claim), table).runs if run.accounts]
    least = min((len(run.rest) for run in runs), default=0)
    return {run.result.truth for run in runs if len(run.rest) == least}


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (BILLS, "Electricity cost more than gas in January.", True),
        (BILLS, "Electricity cost more than gas in February.", False),
        (BILLS, "In March, gas cost less than electricity.", True),
        (TRAINS, "RE 9 departs from Birkenau at 07:53.", True),
        (TRAINS, "RE 9 departs from Birkenau at 06:24.", False),
        (TRAINS, "RE 5 departs from Birkenau at 06:24.", True),
        (TRAINS, "IC 208 leaves Sonnenfeld at 07:33.", True),
        (TRAINS, "IC 208 leaves Sonnenfeld at 06:51.", False),
        (BIRDS, "The little egret was seen first on 30 August.", True),
        (BIRDS, "The lapwing was seen first on 19 February.", False),
        (DISTRICTS, "Labour got more than 20 percent in every district.", True),
        (DISTRICTS, "Labour got more than 30 percent in every district.", False),
        (PROJECT, "The lease is done.", True),
        (PROJECT, "The cabling is done.", False),
    ],
)
def test_the_column_is_the_one_that_is_named(table: Table, claim: str, truth: bool) -> None:
    assert _verdicts(table, claim) == {truth}


@pytest.mark.parametrize(
    "claim",
    [
        "The opening party starts at 6 pm.",
        "The cabling starts at 5 a.m.",
        "The lease is signed at 8 o'clock.",
    ],
)
def test_a_time_of_day_is_no_number_of_a_date(claim: str) -> None:
    assert not verify(claim, PROJECT).decides


def test_a_party_that_won_is_a_value() -> None:
    assert _verdicts(DISTRICTS, "Labour was the winner in Old Town.") == {True}
    assert _verdicts(DISTRICTS, "Labour was the winner in Hillside.") == {False}


def test_what_is_best_attended_is_an_extreme_of_no_other_column() -> None:
    matches = make_table(
        "matches",
        "Sunday league",
        [["Matchday", "Ground", "Spectators"]],
        [["1", "Ashford", "184"], ["2", "Millbrook", "210"], ["3", "Harbour", "96"]],
    )
    assert not verify("The best attended match was at Harbour.", matches).decides
    assert _verdicts(matches, "The match at Millbrook had the most spectators.") == {True}
