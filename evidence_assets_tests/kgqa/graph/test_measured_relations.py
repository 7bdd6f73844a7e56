"""What adjectives measure of things whose relations tell times and numbers."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.graph.measured_relations import MeasuredRelations
from evidence_assets.kgqa.graph.relation_facts import relation_facts
from evidence_assets_tests.testing.parsing_samples import encoder
from evidence_assets_tests.testing.railway_questions import base_of

_KIND_OF = {"Barn Owls": "film", "Salt Road": "film", "Screen One": "screen", "Screen Two": "screen"}


@cache
def measured(*relations: str) -> MeasuredRelations:
    """What is measured by relations of two films and two screens."""
    rows = [
        (thing, relation, value)
        for relation in relations
        for thing, value in (
            [("Screen One", "90"), ("Screen Two", "240")]
            if relation == "seat_count"
            else [("Barn Owls", "94"), ("Salt Road", "131")]
        )
    ]
    base = base_of(rows, _KIND_OF)
    return MeasuredRelations(relation_facts(base.graph, base.schema), base.schema, encoder())


@pytest.mark.parametrize("relation", ["running_time_min", "cooking_time_hours", "length_min", "film_min"])
def test_what_takes_a_time_is_long_by_it(relation: str) -> None:
    assert measured(relation, "seat_count").by_adjective("long") == [(relation, True)]


def test_a_number_of_seats_is_no_length() -> None:
    assert measured("seat_count").by_adjective("long") == []


def test_an_age_is_no_length() -> None:
    assert measured("age_years", "seat_count").by_adjective("long") == []
