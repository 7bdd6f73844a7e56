"""What another amount costs than the one that a column tells the price of."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets_tests.testing.program_verdicts import decided

FISH = make_table(
    "fish",
    "Fish market prices",
    [["Fish", "Origin", "Price (€/kg)"]],
    [["Sea bass", "Farmed", "16.80"], ["Cod", "Wild", "13.50"], ["Turbot", "Wild", "28.00"]],
)
HOTELS = make_table(
    "hotels",
    "Hotels in Port Elden",
    [["Hotel", "Stars", "Rate per night"]],
    [["Astoria", "5", "€240"], ["Central", "3", "€98"], ["Europa", "3", "€85"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("500 grams of sea bass cost €8.40.", True),
        ("500 grams of sea bass cost €7.40.", False),
        ("Two kilograms of turbot cost €56.", True),
        ("Two kilograms of turbot cost €52.", False),
        ("Half a kilo of cod costs €6.75.", True),
        ("500 grams of cod cost more than €10.", False),
        ("Two litres of cod cost €27.", None),
    ],
)
def test_a_price_is_of_an_amount(claim: str, truth: bool | None) -> None:
    assert decided(claim, FISH) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [("Three nights at the Central cost €294.", True), ("Three nights at the Central cost €194.", False)],
)
def test_a_price_is_for_each_of_a_noun(claim: str, truth: bool) -> None:
    assert verify(claim, HOTELS).supported is truth
