"""That something was the only one of its kind, or not, is decided by what the others have."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

PLACES = make_table(
    "places",
    "Results of the walker Lio Ruiz",
    [["Year", "Competition", "Venue", "Position", "Event"]],
    [
        ["2002", "Junior Games", "Bridgeport", "1st", "5 km"],
        ["2004", "Junior Games", "Grosseto", "4th", "10 km"],
        ["2005", "World Cup", "Helm", "8th", "20 km"],
        ["2007", "World Cup", "Osara", "4th", "20 km"],
        ["2009", "World Cup", "Berlau", "3rd", "20 km"],
        ["2010", "Island Games", "Mayar", "1st", "20 km"],
    ],
)
DRAFT = make_table(
    "draft",
    "Draft of the harbour league",
    [["Pick", "Player", "Position", "Team"]],
    [
        ["11", "Eino Falk", "centre", "Gulls"],
        ["17", "Ari Rask", "goalkeeper", "Owls"],
        ["23", "Tor Nygard", "wing", "Gulls"],
        ["31", "Olav Krog", "centre", "Terns"],
        ["44", "Jan Lund", "defence", "Owls"],
    ],
)
TOWNS = make_table(
    "towns",
    "Townships of Harlow County",
    [["Township", "Population", "Land area km^2 (sq mi)", "Seat"]],
    [
        ["Alta", "221", "93 (36)", "Alta"],
        ["Burton", "1,143", "92 (36)", "Sedge"],
        ["Emma", "4,181", "95 (37)", "Moun"],
        ["Lakin", "357", "88 (34)", "Lakin"],
        ["Newton", "1,950", "94 (36)", "Newton City"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (PLACES, "Osara was not the only fourth place.", True),
        (PLACES, "Helm was not the only eighth place.", False),
        (PLACES, "Helm was his only eighth place.", True),
        (PLACES, "Osara was his only fourth place.", False),
        (PLACES, "His only fourth place came in Osara.", False),
        (PLACES, "The only eighth place came in Helm.", True),
        (DRAFT, "The only goalkeeper was drafted by the Owls.", True),
        (DRAFT, "The only centre was drafted by the Gulls.", False),
        (TOWNS, "Burton is the only township whose seat is Sedge.", True),
    ],
)
def test_of_the_only_one_no_other_is_so(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth
