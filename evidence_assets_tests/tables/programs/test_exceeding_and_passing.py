"""Comparisons by a verb, comparisons in both of two years, and extremes of what is left behind a row."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.readings.orders.comparisons import comparison_programs
from evidence_assets.tables.programs.readings.orders.extrema import superlative_programs
from evidence_assets.tables.programs.verdicts.claim_ranking import runs
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.wording.trigger_lexicon import exceeding
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import verdicts

BATTERIES = make_table(
    "batteries",
    "Batteries on test",
    [["Battery", "Running time (h)", "Weight (g)", "Price (€)"]],
    [["Volta", "14", "310", "22"], ["Ampero", "9", "280", "35"], ["Ohmer", "17", "450", "18"]],
)
BAKERS = make_table(
    "bakers",
    "Loaves sold by shop",
    [["Shop", "2021", "2022", "2023"]],
    [["Quay", "410", "520", "480"], ["Hill", "390", "540", "500"], ["Mill", "120", "90", "130"]],
)
FERRIES = make_table(
    "ferries",
    "Ferries of the bay",
    [["Ferry", "Home port", "Passengers", "Crew"]],
    [["Nora", "Aske", "240", "12"], ["Tide", "Berrow", "180", "9"], ["Gull", "Aske", "95", "4"]],
)

QUIZ = make_table(
    "quiz",
    "Pub quiz",
    [["Place", "Table", "Points"]],
    [["1", "Aldous", "61"], ["2", "Barrow", "55"], ["3", "Crake", "52"], ["4", "Dunn", "38"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (BATTERIES, "Volta outlasts Ampero.", "comparison", True),
        (BATTERIES, "Ampero outweighs Volta.", "comparison", False),
        (BATTERIES, "Ohmer outlasts Ampero by 8 hours.", "difference", True),
        (BATTERIES, "The price of Ohmer exceeds that of Volta.", "comparison", False),
        (BAKERS, "In 2023 Hill outsold Quay.", "comparison", True),
        (BAKERS, "Hill out-sold Quay in both 2022 and 2023.", "comparison", True),
        (BAKERS, "Quay sold more than Hill in both 2021 and 2022.", "comparison", False),
        (FERRIES, "The Nora carries more people than the Tide.", "comparison", True),
        (FERRIES, "After the Nora, the Tide has the most passengers.", "superlative", True),
        (FERRIES, "After the Nora, the Gull has the most passengers.", "superlative", False),
        (FERRIES, "After the Tide, the Gull has the most passengers.", "superlative", False),
        (FERRIES, "Apart from the Nora, the Tide has the most passengers.", "superlative", True),
        (FERRIES, "Apart from the Gull, the Tide has the most passengers.", "superlative", False),
    ],
)
def test_what_is_exceeded_or_passed_over(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize("word", ["outside", "outcome", "outer", "output", "behind", "passed"])
def test_no_other_word_exceeds(word: str) -> None:
    assert not exceeding(word)


@pytest.mark.parametrize("claim", ["The price exceeds 20 euros.", "Volta is outstanding."])
def test_a_bound_is_no_comparison_of_rows(claim: str) -> None:
    assert not list(comparison_programs(ground(claim, index_of(BATTERIES))))


def test_what_comes_after_a_time_passes_over_no_row() -> None:
    grounded = ground("After 2021, Hill sold the most in 2023.", index_of(BAKERS))
    assert all("except" not in p.program.describe(BAKERS.header) for p in superlative_programs(grounded))


def test_a_comparative_that_only_names_a_column_is_left_unread() -> None:
    grounded = ground("No battery is heavier than Ohmer, which costs under 20 euros.", index_of(BATTERIES))
    least = [run for run in runs(grounded) if run.left is not Left.DECISIVE]
    assert least and all(run.result.truth for run in least)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Crake finished last but one.", True),
        ("Dunn finished last but one.", False),
        ("Barrow came third from bottom.", True),
        ("Crake came second to last.", True),
        ("Dunn finished last.", True),
    ],
)
def test_a_place_is_counted_from_the_last(claim: str, truth: bool) -> None:
    assert verdicts(QUIZ, claim, "standing") == {truth}
