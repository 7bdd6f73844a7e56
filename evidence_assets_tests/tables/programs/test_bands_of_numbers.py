"""Claims of a number that lies in one of the bands that a column parts all numbers into."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.columns.column_values import bands_of

PARCELS = make_table(
    "parcels",
    "What the island ferry takes for parcels",
    [["Weight", "Zone 1", "Insured"]],
    [
        ["Up to 5 kg", "£4", "no"],
        ["5.01–10 kg", "£7", "no"],
        ["10.01–20 kg", "£12", "yes"],
        ["Over 20 kg", "£20", "yes"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("A parcel of 7 kg costs £7.", True),
        ("A parcel of 7 kg costs £12.", False),
        ("A parcel of 12 kg is insured.", True),
        ("A parcel of 3,000 grams costs £4.", True),
        ("A parcel of 45 kg costs £20.", True),
        ("A parcel of 45 kg costs £7.", False),
    ],
)
def test_a_number_is_of_the_band_that_it_lies_in(claim: str, truth: bool) -> None:
    assert verify(claim, PARCELS).supported is truth


@pytest.mark.parametrize(
    ("cells", "are_bands"),
    [
        (["16–24", "25–34", "35–49"], True),
        (["under 18", "18–30", "31–50", "over 50"], True),
        (["0–3", "3–6", "6–9"], True),
        (["16–24", "20–34", "35–49"], False),
        (["100–120", "300–350", "900–1,100"], False),
        (["16", "25", "35"], False),
    ],
)
def test_bands_part_all_numbers(cells: list[str], are_bands: bool) -> None:
    table = make_table("bands", "", [["Name", "Range"]], [[str(n), cell] for n, cell in enumerate(cells)])

    assert bool(bands_of(table.column(1))) is are_bands
