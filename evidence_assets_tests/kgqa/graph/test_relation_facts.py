"""What a relation leads to: years, or numbers of a unit."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.graph.relation_facts import RelationFacts, relation_facts
from evidence_assets_tests.testing.railway_questions import base_of


def facts_of(relation: str, *values: str) -> RelationFacts:
    """Return the facts of a relation that leads from halls to values."""
    base = base_of([(f"Hall {place}", relation, value) for place, value in enumerate(values)], {})
    return relation_facts(base.graph, base.schema)[relation]


@pytest.mark.parametrize("relation", ["opened_in", "opening_year", "published_in_year", "client since"])
def test_numbers_that_could_be_years_are(relation: str) -> None:
    assert facts_of(relation, "1850", "1999").years


@pytest.mark.parametrize("relation", ["seat_count", "running_time_min", "melts_at_degrees", "height_m"])
def test_numbers_of_another_unit_are_no_years(relation: str) -> None:
    facts = facts_of(relation, "1850", "1999")
    assert facts.literal and not facts.years and facts.unit
