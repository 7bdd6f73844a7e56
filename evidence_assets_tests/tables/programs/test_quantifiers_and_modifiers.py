"""Tests of quantifiers that weaker readings leave out, and of what rows are not, where that tells which."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

KILNS = make_table(
    "kilns",
    "Kilns of the pottery",
    [["Kiln", "Yard", "Fired", "Output 2019", "Output 2021", "Potters", "Flues", "Roofed"]],
    [
        ["Anvil", "East", "1840", "120", "150", "12", "2", "yes"],
        ["Beacon", "East", "1855", "200", "180", "9", "1", "no"],
        ["Comet", "West", "1872", "90", "95", "20", "3", "yes"],
        ["Dragon", "West", "1901", "60", "40", "4", "1", "no"],
        ["Ember", "North", "1890", "310", "330", "31", "4", "no"],
    ],
)
STALLS = make_table(
    "stalls",
    "Stalls of a fair",
    [["Stall", "Price", "Permit", "Staff"]],
    [
        ["Rowan", "20", "A-12", "3"],
        ["Sedge", "44", "", "5"],
        ["Thistle", "28", "A-17", "2"],
        ["Umber", "30", "", "1"],
    ],
)
BANDS = make_table(
    "bands",
    "Bands at a contest",
    [["Band", "Leader", "Players", "Founded", "Prize", "Uniform"]],
    [
        ["Alderby Brass", "Ines Roe", "42", "1968", "gold", "yes"],
        ["Colby Silver", "Max Orr", "55", "1931", "silver", "no"],
        ["Dent Chamber", "Una Sand", "16", "2009", "gold", "no"],
        ["Ebbing Youth", "Tor Lund", "38", "1999", "–", "yes"],
        ["Foss Winds", "Una Sand", "24", "2014", "bronze", "no"],
        ["Grale Town", "Pia Lind", "61", "1955", "silver", "yes"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Both West kilns turned out less than 100 in 2019.", True),
        ("Both East kilns went up before 1850 and have two flues.", False),
        ("Comet is the one kiln that has three flues.", True),
        ("Anvil is the one kiln with more than 10 potters.", False),
        ("Comet is the one kiln where output rose from 2019 to 2021.", False),
        ("Any kiln with more than two flues was fired after 1870.", True),
        ("Any kiln with fewer than ten potters stands in the West.", False),
        ("Whenever a kiln is roofed, it has more than one flue.", True),
        ("Whenever a kiln has one flue, it stands in the East.", False),
        ("A kiln is roofed every time it has fewer than four flues.", False),
        ("Output rose from 2019 to 2021 at any kiln bar the Beacon and the Dragon.", True),
    ],
)
def test_a_quantifier_is_carried_out(claim: str, truth: bool) -> None:
    assert verify(claim, KILNS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Every kiln that is not in the West was fired before 1900.", True),
        ("Every kiln that is not roofed has fewer than 20 potters.", False),
        ("Two of the kilns that are not roofed have one flue.", True),
        ("Three of the kilns that are not roofed have one flue.", False),
        ("No kiln that isn't roofed was fired before 1850.", True),
        ("Of the kilns that are not roofed, Ember has the most potters.", True),
        ("Of the kilns that are not roofed, Comet has the most potters.", False),
        ("None of the kilns without a roof was fired before 1850.", True),
    ],
)
def test_what_rows_are_not_tells_which_they_are(claim: str, truth: bool) -> None:
    assert verify(claim, KILNS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Beacon is a kiln that is not roofed.", True),
        ("The Anvil is a kiln that is not roofed.", False),
        ("The Anvil is not roofed, but the Comet is.", False),
        ("The Dragon is not roofed, but the Comet is.", True),
        ("The North yard has no roofed kiln whatsoever.", True),
    ],
)
def test_a_denial_that_ends_its_claim(claim: str, truth: bool) -> None:
    assert verify(claim, KILNS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("There is no kiln in the East that does not have at least one flue.", True),
        ("There is no kiln in the West that isn't roofed.", False),
    ],
)
def test_a_denial_of_a_denial(claim: str, truth: bool) -> None:
    assert verify(claim, KILNS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The price is no more than 30 at any stall bar Sedge.", True),
        ("The price is no more than 20 at any stall bar Sedge.", False),
    ],
)
def test_an_exception_from_any(claim: str, truth: bool) -> None:
    assert verify(claim, STALLS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The two stalls that have no permit are priced above 25.", True),
        ("Every stall with no permit has more than 2 staff.", False),
    ],
)
def test_rows_that_have_nothing_in_a_column(claim: str, truth: bool) -> None:
    assert verify(claim, STALLS).supported is truth


def test_what_is_said_of_rows_that_nothing_tells_is_not_decided() -> None:
    assert verify("Of the kilns that crack in frost, only Comet is roofed.", KILNS).supported is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Unlike Dent Chamber, Alderby Brass has a uniform.", True),
        ("Unlike Dent Chamber, Foss Winds has a uniform.", False),
        ("Unlike Alderby Brass, Grale Town has a uniform.", False),
        ("Like Dent Chamber, Alderby Brass won gold.", True),
        ("Like Dent Chamber, Foss Winds won gold.", False),
    ],
)
def test_what_is_said_of_a_row_like_or_unlike_another(claim: str, truth: bool) -> None:
    assert verify(claim, BANDS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Foss Winds has fewer players than any other band except Dent Chamber.", True),
        ("Alderby Brass has fewer players than any other band except Dent Chamber.", False),
    ],
)
def test_an_exception_from_any_other(claim: str, truth: bool) -> None:
    assert verify(claim, BANDS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Every band with more than 40 players won silver.", False),
        ("Every band with more than 50 players won silver.", True),
    ],
)
def test_a_bound_that_says_which_rows_are_meant(claim: str, truth: bool) -> None:
    assert verify(claim, BANDS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Ebbing Youth won no prize.", True),
        ("Dent Chamber won no prize.", False),
        ("Ebbing Youth was the only band that won no prize.", True),
        ("Foss Winds was the only band that won no prize.", False),
    ],
)
def test_a_dash_is_nothing_that_a_row_has(claim: str, truth: bool) -> None:
    assert verify(claim, BANDS).supported is truth


def test_a_dash_among_yes_and_no_is_unknown() -> None:
    doses = make_table(
        "doses",
        "Doses of a clinic",
        [["Drug", "Dose", "Taken with food"]],
        [["Axel", "5", "yes"], ["Borin", "8", "–"], ["Cadol", "9", "no"]],
    )
    assert verify("Borin is taken with food.", doses).supported is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Colby Silver lacks a uniform.", True),
        ("Grale Town lacks a uniform.", False),
        ("Grale Town has over 60 players; no other band does.", True),
        ("Grale Town has over 50 players; no other band does.", False),
        ("Despite having the most players, Grale Town did not win gold.", True),
        ("Despite having the most players, Colby Silver did not win gold.", False),
        ("Though it has the fewest players, Dent Chamber won gold.", True),
        ("Though it has the fewest players, Alderby Brass won gold.", False),
    ],
)
def test_lacking_and_conceding(claim: str, truth: bool) -> None:
    assert verify(claim, BANDS).supported is truth
