"""A header's unit stands before another in brackets, and inhabitants are a population."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.claimed_tables import HANDS, TOWNS
from evidence_assets_tests.testing.program_verdicts import decided

PLANTS = make_table(
    "plants",
    "Measurements of the pine's subspecies",
    [["Measurement", "Pacific", "Rocky", "Plains"]],
    [
        ["Needle length, cm", "19.8", "11.2", "15.6"],
        ["Seed width, mm", "7.7", "6.1", "6.3"],
        ["Needles per bundle", "3", "2.6", "2.4"],
        ["Cone color", "green", "brown", "?"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Lakin covers more than 90 square kilometres.", False),
    ],
)
def test_areas_are_told_in_the_unit_before_the_brackets(claim: str, truth: bool) -> None:
    assert decided(claim, TOWNS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Emma has more residents than Newton.", True),
        ("Burton and Newton together have fewer inhabitants than Emma.", True),
    ],
)
def test_inhabitants_and_residents_are_the_population(claim: str, truth: bool) -> None:
    assert decided(claim, TOWNS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Pacific subspecies has the longest needles.", True),
        ("The Plains subspecies has the longest needles.", False),
        ("No cone color is given for the Plains subspecies.", True),
        ("The Rocky subspecies does not have the narrowest seeds.", False),
    ],
)
def test_labels_in_several_units_head_what_has_them(claim: str, truth: bool) -> None:
    assert decided(claim, PLANTS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Three of the hands pay 40 or more when five coins are played.", True),
        ("Four of the hands pay 40 or more when five coins are played.", False),
    ],
)
def test_a_bound_is_on_the_column_that_its_clause_names(claim: str, truth: bool) -> None:
    assert decided(claim, HANDS) is truth
