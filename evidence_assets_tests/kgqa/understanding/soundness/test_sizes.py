"""The largest of things of which a price or a size is told."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.railway_questions import base_of_typed, outcome, read

_TENANTS: list[tuple[str, str, str, str, str | None]] = [
    ("Flat T1", "rented_by", "Ilse Brand", "flat", "tenant"),
    ("Flat T2", "rented_by", "Tom Aske", "flat", "tenant"),
    ("Flat T3", "rented_by", "Rosa Lind", "flat", "tenant"),
]
_MEASURED = {"Flat T1": "905", "Flat T2": "640", "Flat T3": "1100"}


@pytest.mark.parametrize(
    ("relation", "question", "answer"),
    [
        ("monthly_rent_eur", "Which flat is the largest?", "abstained"),
        ("monthly_rent_eur", "Which flat has the highest monthly rent?", ["Flat T3"]),
        ("area_m2", "Which flat is the largest?", ["Flat T3"]),
    ],
)
def test_the_dearest_is_not_the_largest(relation: str, question: str, answer: list[str] | str) -> None:
    rows = [*_TENANTS, *((flat, relation, amount, "flat", None) for flat, amount in _MEASURED.items())]
    base = base_of_typed(rows)
    assert outcome(read(question, base), base) == answer
