"""Times between rows, early years, centuries told in short, conditions behind `every`, and what is no sum."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table

ROUND = make_table(
    "round",
    "Milk round of Tuesday",
    [["Stop", "Farm", "Arrival", "Litres"]],
    [["1", "Kestle", "5:40", "3,850"], ["2", "Lanhay", "8:05", "4,230"], ["3", "Boscarne", "8:50", "2,980"]],
)
MAPS = make_table(
    "maps",
    "Map projections",
    [["Projection", "Presented by", "Year"]],
    [
        ["Plate carrée", "Marinus", "c. 120"],
        ["Mercator", "Gerardus Mercator", "1569"],
        ["Albers", "Heinrich Albers", "1805"],
        ["Winkel tripel", "Oswald Winkel", "1921"],
        ["Goode homolosine", "John Goode", "1923"],
    ],
)
MAKERS = make_table(
    "makers",
    "Violin makers",
    [["Maker", "Born", "Died"]],
    [["Nicolò Amati", "1596", "1684"], ["Jacob Stainer", "1617", "1683"], ["Nicolas Lupot", "1758", "1824"]],
)
ZONES = make_table(
    "zones",
    "Parking zones",
    [["Zone", "Permits", "Kerb spaces", "Waiting list"]],
    [["Old Town", "1,120", "860", "yes"], ["Harbour", "540", "610", "no"], ["Hill", "812", "790", "yes"]],
)
CHURCHES = make_table(
    "churches",
    "Churches by height",
    [["Rank", "Church", "Built"]],
    [
        [str(rank), name, year]
        for rank, name, year in ((9, "Eva", "1910"), (10, "Jon", "1801"), (11, "Kim", "1780"))
    ],
)
DAIRY = make_table(
    "dairy",
    "Dairying in the county",
    [["", "1990", "2000", "2020"]],
    [
        ["Farms with dairy cows", "1,240", "815", "236"],
        ["Cows per farm", "25", "35", "105"],
        ["Milk delivered (million kg)", "158", "177", "216"],
        ["Dairy farms with milking robots", "0", "3", "118"],
    ],
)
SHEETS = make_table(
    "sheets",
    "Map sheets in print",
    [["Sheet", "Title", "Price"]],
    [["11", "Cape Ennor", "£9.50"], ["15", "Town", "£12.00"], ["30", "Island", "£11.50"]],
)
FORAYS = make_table(
    "forays",
    "Forays of the fungus club",
    [["Date", "Wood", "Species recorded"]],
    [["14 September", "Lydd", "38"], ["5 October", "Brimble", "74"], ["19 October", "Cobble", "58"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "supported"),
    [
        (ROUND, "The tanker arrived at Boscarne 45 minutes after Lanhay.", True),
        (ROUND, "The tanker arrived at Boscarne more than an hour after it had arrived at Lanhay.", False),
        (MAPS, "No projection dates from before the sixteenth century.", False),
        (MAPS, "The Winkel tripel is later than the Goode homolosine.", False),
        (MAPS, "Oswald Winkel presented his projection earlier than John Goode.", True),
        (MAKERS, "Nicolò Amati was born in the sixteenth century and died in the seventeenth.", True),
        (MAKERS, "Nicolò Amati was born in the sixteenth century and died in the eighteenth.", False),
        (ZONES, "Permits outnumber kerb spaces in every zone that has a waiting list.", True),
        (ZONES, "Permits outnumber kerb spaces in every zone.", False),
        (CHURCHES, "Kim was built in the 18th century and ranks 11th.", True),
        (CHURCHES, "Kim was built in the 18th century and ranks 10th.", False),
        # Farms, cows and milk have nothing together.
        (DAIRY, "Half of the county's dairy farms had milking robots in 2020.", None),
        (SHEETS, "Town is the most expensive sheet.", True),
        (SHEETS, "Island is the most expensive sheet.", False),
        (FORAYS, "Every foray held in October recorded at least 60 species.", False),
        (FORAYS, "Every foray held in October recorded at least 50 species.", True),
    ],
)
def test_they_are_read_as_told(table: Table, claim: str, supported: bool | None) -> None:
    verdict = verify(claim, table)
    assert (verdict.supported if verdict.decides else None) is supported, verdict.program
