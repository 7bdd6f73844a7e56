"""Units that a caption tells for the nouns of headers, shares that several have together, and top places."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.columns.column_units import column_units
from evidence_assets.tables.table import Table

POOLS = make_table(
    "pools",
    "Pools of the baths, summer 2024. Temperature in °C, depth in metres.",
    [["Pool", "Temperature", "Depth", "Area (m²)", "Bathers 2024"]],
    [
        ["Roman Bath", "36.5", "1.35", "180", "60"],
        ["Children's Pool", "32", "0.45", "60", "25"],
        ["Lagoon", "33", "1.40", "540", "180"],
    ],
)
PARKS = make_table(
    "parks",
    "Car parks of the council",
    [["Car park", "Spaces", "Bays"]],
    [
        ["Abbey Gate", "200", "12"],
        ["Cattle Market", "300", "18"],
        ["Deansway", "500", "27"],
        ["Total", "1,000", "57"],
    ],
)
MAKERS = make_table(
    "makers",
    "Violin makers, final ranking",
    [["Rank", "Maker", "Country", "Total"]],
    [
        ["1", "Ilse Brandauer", "Austria", "91"],
        ["2", "Luca Ferrighi", "Italy", "86"],
        ["3=", "Bogdan Wrona", "Poland", "83"],
        ["3=", "Sofia Mancusi", "Italy", "83"],
        ["5", "Evan Tolley", "Canada", "79"],
    ],
)


def test_a_noun_has_the_unit_that_its_caption_tells_and_no_other_column() -> None:
    assert [unit.name for unit in column_units(POOLS)] == ["", "degree_Celsius", "meter", "meter ** 2", ""]


@pytest.mark.parametrize(
    ("table", "claim", "supported"),
    [
        (POOLS, "The Children's Pool is 45 centimetres deep.", True),
        (POOLS, "The Lagoon is deeper than 150 cm.", False),
        (POOLS, "The temperature of the Lagoon is 33 °C.", True),
        (PARKS, "Abbey Gate and Deansway together have more than half of all spaces.", True),
        (PARKS, "Abbey Gate and Cattle Market together have more than half of all spaces.", False),
        (MAKERS, "Both Italian makers finished in the top three.", True),
        (MAKERS, "Evan Tolley finished in the top three.", False),
        (MAKERS, "Sofia Mancusi and Evan Tolley both finished in the top three.", False),
    ],
)
def test_units_sums_and_places(table: Table, claim: str, supported: bool) -> None:
    verdict = verify(claim, table)
    assert (verdict.decides, verdict.supported) == (True, supported), verdict.program


def test_minutes_and_seconds_may_be_told_by_their_letters() -> None:
    rows = [["Music box", "7 min 30 s"], ["Scales", "6 min 20 s"], ["Door", "2 min 5 s"]]
    table = make_table("puzzles", "", [["Puzzle", "Average time"]], rows)
    assert verify("The music box took 7.5 minutes.", table).supported
    assert verify("No puzzle took more than seven minutes.", table).supported is False
