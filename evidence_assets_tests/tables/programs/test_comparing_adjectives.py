"""Claims that compare by an adjective alone, each with the column that it measures; what chooses of two."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.readings.orders.comparisons import comparison_programs
from evidence_assets.tables.programs.readings.orders.extrema import superlative_programs
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import verdicts

MILLS = make_table(
    "mills",
    "Windmills of Arden",
    [["Mill", "Built", "Sails (m)", "Storage volume (m³)", "Lease until", "Village"]],
    [
        ["Greta", "1788", "22", "310", "2031", "Aske"],
        ["Old Tom", "1852", "19", "480", "2027", "Berrow"],
        ["Long Meg", "1911", "26", "270", "2029", "Aske"],
        ["Patience", "1934", "18", "150", "2040", "Berrow"],
    ],
)
KILNS = make_table(
    "kilns",
    "Kilns of the pottery",
    [["Kiln", "Firing (°C)", "Takings", "Pieces"]],
    [["Large", "1,240", "€4,100", "310"], ["Small", "1,060", "€5,300", "120"], ["Test", "980", "€200", "15"]],
)
SALES = make_table(
    "sales",
    "Sales of the orchards",
    [["Orchard", "2022", "2023", "Price 2023 (€)"]],
    [["North", "310", "280", "1.40"], ["South", "150", "330", "1.10"], ["Hill", "90", "60", "2.20"]],
)
PATIENTS = make_table(
    "patients",
    "Dogs in treatment",
    [["Dog", "Age", "Admitted"]],
    [["Rex", "4", "2 May 2024"], ["Bella", "11", "9 May 2024"], ["Argo", "7", "20 May 2024"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (MILLS, "Greta is an older mill than Long Meg.", "comparison", True),
        (MILLS, "Old Tom is younger than Patience.", "comparison", False),
        (MILLS, "Old Tom is bigger than Greta.", "comparison", True),
        (KILNS, "The large kiln is hotter than the test kiln.", "comparison", True),
        (KILNS, "The small kiln brought in less money than the large one.", "comparison", False),
        (PATIENTS, "The oldest dog admitted was Bella.", "temporal", True),
        (PATIENTS, "The oldest dog admitted was Rex.", "temporal", False),
        (SALES, "The biggest seller of 2023 was South.", "superlative", True),
        (SALES, "The biggest seller of 2023 was North.", "superlative", False),
    ],
)
def test_an_adjective_measures_a_column_that_it_does_not_name(
    table: Table, claim: str, kind: str, truth: bool
) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Of the two mills in Berrow, Patience is the newer.", True),
        ("Of the two mills in Berrow, Old Tom is the newer one.", False),
        ("Of Greta and Old Tom, Greta has the longer sails.", True),
        ("Between Greta and Old Tom, Old Tom is the older.", False),
    ],
)
def test_a_comparative_chooses_of_two(claim: str, truth: bool) -> None:
    grounded = ground(claim, index_of(MILLS))
    chosen = [p.program.run(grounded.index).truth for p in superlative_programs(grounded)]
    assert truth in chosen and (not truth) not in chosen


@pytest.mark.parametrize(
    "claim",
    ["Greta is the older mill.", "Greta and Old Tom are older.", "Greta is the older, Old Tom the larger."],
)
def test_a_comparative_chooses_of_no_more_than_it_says(claim: str) -> None:
    assert not ground(claim, index_of(MILLS)).superlatives


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The oldest mill is the biggest, and the newest the smallest.", False),
        ("The newest mill is the smallest, and the youngest the smallest.", True),
        ("The newest is the smallest.", True),
    ],
)
def test_extremes_are_said_of_one_row_in_each_clause(claim: str, truth: bool) -> None:
    assert verdicts(MILLS, claim, "extremes at once") == {truth}


def test_what_stands_at_a_row_is_not_as_old_as_it() -> None:
    grounded = ground("The keeper at Greta is younger than the one at Patience.", index_of(MILLS))
    assert not list(comparison_programs(grounded))


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("There is a bench at the top of the mill.", []),
        ("A flag flies on top of Greta.", []),
        ("It takes three days at best.", []),
        ("It must be let by June at the latest.", []),
        ("Greta is at the top of the list.", ["top"]),
        ("Greta is the top mill.", ["top"]),
        ("Greta is the best of the four.", ["best"]),
    ],
)
def test_a_place_and_a_limit_are_no_extremes(claim: str, words: list[str]) -> None:
    assert [extreme.word for extreme in ground(claim, index_of(MILLS)).superlatives] == words
