"""Claims of what there is for each of something, which a table tells by two of its columns."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

CAVES = make_table(
    "caves",
    "Visitors to the cave",
    [["Month", "Visitors", "Guided tours", "Ticket income (€)"]],
    [
        ["March", "1,240", "62", "14,880"],
        ["June", "3,450", "138", "41,400"],
        ["July", "6,120", "204", "79,560"],
        ["August", "7,040", "220", "91,520"],
    ],
)
SPEAKERS = make_table(
    "speakers",
    "Languages of the valley",
    [["Language", "Speakers 1950", "Speakers 2020", "Villages"]],
    [["Sarven", "112,000", "118,900", "141"], ["Teshi", "9,200", "1,250", "12"], ["Orlat", "640", "8", "2"]],
)
PACKS = make_table(
    "packs",
    "Power packs",
    [["Model", "Capacity (Wh)", "Price ($)"]],
    [["Volta", "240", "229"], ["Kestrel", "180", "199"], ["Amperon", "512", "479"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Ticket income per visitor was higher in August than in March.", True),
        ("Ticket income per visitor was higher in March than in August.", False),
        ("August had the most visitors per guided tour.", True),
        ("March had the most visitors per guided tour.", False),
        ("Ticket income per guided tour was below 500 € in every month.", True),
        ("Ticket income per guided tour was below 400 € in every month.", False),
        ("There were fewer than 40 visitors per guided tour in each month.", True),
    ],
)
def test_a_quotient_is_a_column(claim: str, truth: bool) -> None:
    verdict = verify(claim, CAVES)
    assert verdict.supported is truth
    assert {column for _, column in verdict.cells} <= set(range(CAVES.columns))


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Sarven had about 843 speakers per village in 2020.", True),
        ("Sarven had about 794 speakers per village in 2020.", False),
        ("Teshi had more speakers per village in 1950 than Orlat.", True),
        ("Teshi had fewer speakers per village in 2020 than Orlat.", False),
    ],
)
def test_a_quotient_is_of_a_year(claim: str, truth: bool) -> None:
    assert verify(claim, SPEAKERS).supported is truth


def test_a_quotient_is_of_a_unit() -> None:
    assert verify("The Amperon has the lowest price per watt-hour of all models.", PACKS).supported is True
    assert verify("The Kestrel has the lowest price per watt-hour of all models.", PACKS).supported is False


def test_what_there_is_for_each_of_something_untold_is_not_decided() -> None:
    assert not verify("Kestrel has the lowest price per gram of all models.", PACKS).decides
    assert not verify("August had the most visitors per employee.", CAVES).decides
