"""Claims that are decided, changed by rules of grammar, so that what must become of the verdict is known."""

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

PIERS = make_table(
    "piers",
    "Piers of the lake",
    [["Pier", "Village", "Length (m)", "Built", "Daily calls", "Lit"]],
    [
        ["Amber Pier", "Holm", "120", "1921", "14", "yes"],
        ["Birch Pier", "Sund", "85", "1934", "9", "no"],
        ["Cedar Pier", "Holm", "210", "1908", "22", "yes"],
        ["Dune Pier", "Vik", "64", "1977", "5", "no"],
    ],
)
KILNS = make_table(
    "kilns",
    "Kilns of the brickworks",
    [["Kiln", "Fuel", "Plate waste (kg)", "2021", "2022", "2023"]],
    [
        ["North", "gas", "40", "1,200", "1,350", "1,500"],
        ["South", "wood", "75", "900", "840", "800"],
        ["East", "gas", "55", "1,100", "1,180", "1,250"],
    ],
)
CLAIMS = [
    (PIERS, "Amber Pier is longer than Birch Pier.", True),
    (PIERS, "Birch Pier is longer than Amber Pier.", False),
    (PIERS, "Cedar Pier has the most daily calls.", True),
    (PIERS, "Dune Pier has the most daily calls.", False),
    (PIERS, "Two of the piers are lit.", True),
    (PIERS, "Three of the piers are lit.", False),
    (PIERS, "All the piers in Holm are lit.", True),
    (PIERS, "None of the piers in Holm is lit.", False),
    (PIERS, "Dune Pier was built in 1977.", True),
    (PIERS, "Cedar Pier is 210 metres long.", True),
    (KILNS, "North rose from 2021 to 2023.", True),
    (KILNS, "South rose from 2021 to 2023.", False),
    (KILNS, "East was higher in 2022 than in 2021.", True),
]
# What no table of these tells: when, for whom, by whose word, or in spite of what something is so.
CONDITIONS = (
    "on weekdays",
    "for adults",
    "for members only",
    "without a permit",
    "without subsidies",
    "according to the mayor",
    "according to residents",
    "during storms",
    "outside holidays",
    "despite complaints",
    "with a discount",
    "in bad weather",
    "if it rains",
    "after dark",
    "in the mayor's opinion",
)
SAME = ("It's true that {}", "It is correct that {}", "According to the table, {}", "The table shows that {}")
CONTRARY = (
    "It is not true that {}",
    "It is false that {}",
    "It is untrue that {}",
    "It is simply wrong that {}",
    "It is not the case that {}",
)


def inside(claim: str) -> str:
    """Return a claim as it stands behind other words, its names as they are."""
    names = ("Amber", "Birch", "Cedar", "Dune", "North", "South", "East")
    return claim if claim.startswith(names) else claim[0].lower() + claim[1:]


@pytest.mark.parametrize(("table", "claim", "truth"), CLAIMS)
def test_the_claims_are_decided(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(("table", "claim", "truth"), CLAIMS)
@pytest.mark.parametrize("frame", SAME)
def test_what_says_that_it_is_so_changes_nothing(frame: str, table: Table, claim: str, truth: bool) -> None:
    assert decided(frame.format(inside(claim)), table) is truth


@pytest.mark.parametrize(("table", "claim", "truth"), CLAIMS)
@pytest.mark.parametrize("frame", CONTRARY)
def test_what_says_that_it_is_not_so_turns_the_verdict(
    frame: str, table: Table, claim: str, truth: bool
) -> None:
    assert decided(frame.format(inside(claim)), table) is (not truth)


@pytest.mark.parametrize(("table", "claim"), [(table, claim) for table, claim, _ in CLAIMS])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_that_no_cell_tells_leaves_it_open(condition: str, table: Table, claim: str) -> None:
    assert decided(f"{claim.removesuffix('.')} {condition}.", table) is None
    assert decided(f"{condition.capitalize()}, {inside(claim)}", table) is None


@pytest.mark.parametrize(
    ("table", "claim"),
    [
        (PIERS, "New Amber Pier is longer than Birch Pier."),
        (PIERS, "Amber Pier is longer than Upper Birch Pier."),
        (PIERS, "Two of the wooden piers are lit."),
        (PIERS, "All the wooden piers in Holm are lit."),
        (PIERS, "Dune Pier has the fewest daily gloves of the wooden piers."),
        (PIERS, "Cedar Pier is 210 litres long."),
        (PIERS, "Cedar Pier is more than 200 gloves long."),
        (PIERS, "Amber Pier is 35 litres longer than Birch Pier."),
        (KILNS, "Plate gloves in South were higher than in North."),
    ],
)
def test_a_word_that_no_cell_tells_makes_something_else_of_a_name(table: Table, claim: str) -> None:
    assert decided(claim, table) is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Without exception, the piers in Holm are lit.", True),
        ("Every single pier in Holm is lit.", True),
        ("Amber Pier is 35 metres longer than Birch Pier.", True),
        ("Amber Pier is 40 metres longer than Birch Pier.", False),
        ("The longest pier on the list is Cedar Pier.", True),
    ],
)
def test_what_narrows_nothing_leaves_the_verdict(claim: str, truth: bool) -> None:
    assert verify(claim, PIERS).supported is truth


def test_every_word_of_a_frame_is_accounted_for() -> None:
    result = verify("It is false that Amber Pier is longer than Birch Pier.", PIERS)
    assert result.supported is False
    assert not [item.text for item in result.accounting.bindings if item.role == "unaccounted"]
    assert result.program.startswith("not (")
