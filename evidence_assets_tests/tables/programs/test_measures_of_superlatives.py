"""Which column a superlative or comparative is of: what its adjective measures, and in which units."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.programs.verdicts.claim_ranking import runs
from evidence_assets.tables.programs.verdicts.verification import verify
from evidence_assets_tests.testing.program_verdicts import decided

TEAS = make_table(
    "teas",
    "Teas of a shop",
    [["Tea", "Origin", "Tin (€)", "Sachet (€)", "Rating"]],
    [
        ["Sencha", "Japan", "14.00", "0.90", "88"],
        ["Assam", "India", "9.50", "0.60", "93"],
        ["Keemun", "China", "19.00", "1.20", "79"],
    ],
)
SEEDS = make_table(
    "seeds",
    "Seeds of a nursery",
    [["Seed", "Price per bag", "Bag size"]],
    [["Dill", "€0.40", "20"], ["Leek", "€0.70", "50"], ["Chard", "€0.55", "80"]],
)
MONTHS = make_table(
    "months",
    "Weather of a valley",
    [["Month", "Mean °C", "Foggy days", "Damp %"]],
    [
        ["April", "9.1", "7", "71"],
        ["May", "13.4", "4", "66"],
        ["June", "17.2", "2", "63"],
        ["July", "19.0", "1", "61"],
    ],
)
WATERS = make_table(
    "waters",
    "Tides of two harbours",
    [["Day", "Harbour", "High tide", "Height (m)", "Low tide", "Low height (m)"]],
    [
        ["Monday", "Elm", "00:12", "3.8", "06:25", "0.5"],
        ["Monday", "Yew", "11:04", "6.4", "05:48", "0.9"],
        ["Tuesday", "Elm", "01:03", "4.0", "07:14", "0.3"],
        ["Tuesday", "Yew", "10:42", "6.7", "06:34", "0.7"],
    ],
)
SEATS = make_table(
    "seats",
    "Council election",
    [["Ward", "Electors", "Reds %", "Blues %"]],
    [
        ["North", "24310", "55.3", "38.0"],
        ["South", "18950", "21.2", "41.3"],
        ["East", "9870", "34.1", "33.5"],
    ],
)


def test_a_rating_tells_no_price() -> None:
    assert answer("What is the cheapest tea?", TEAS).values == ("Assam",)


def test_what_something_is_told_per_is_not_what_is_large() -> None:
    assert answer("Which seed has the largest bag?", SEEDS).values == ("Chard",)
    assert answer("Which seed has the highest price per bag?", SEEDS).values == ("Leek",)
    assert answer("Which seed has the smallest bag?", SEEDS).values == ("Dill",)


def test_a_sign_at_the_end_of_a_header_is_its_unit() -> None:
    assert list(index_of(MONTHS).told_units[1:]) == [{"degree_Celsius"}, frozenset(), {"%"}]


@pytest.mark.parametrize(
    ("claim", "supported"),
    [("The warmest day was in July.", True), ("The warmest day was in April.", False)],
)
def test_a_noun_of_another_header_is_not_what_an_adjective_measures(claim: str, supported: bool) -> None:
    assert verify(claim, MONTHS).supported is supported


def test_a_time_of_day_is_neither_high_nor_low() -> None:
    high = answer("On which day is the highest high tide at Yew?", WATERS)
    # By the times it would be Monday.
    assert high.values != ("Monday",)
    assert "argmax(High tide" not in high.program
    assert verify("The low tide at Yew is lower than at Elm on Monday.", WATERS).supported is not True
    assert verify("The high tide at Elm on Tuesday is later than on Monday.", WATERS).supported is True


def test_a_percentage_is_no_part_of_a_number() -> None:
    shares = [
        run.proposal.kind
        for run in runs(ground("The Reds got more than half of the votes in North.", index_of(SEATS)))
    ]
    assert "share in percent" in shares
    assert "share of a column" not in shares


def test_it_in_capitals_is_a_name() -> None:
    staff = make_table(
        "staff",
        "Staff",
        [["Name", "Unit", "Pay"]],
        [["Ruiz", "IT", "62"], ["Chen", "IT", "70"], ["Obi", "Sales", "40"]],
    )
    assert answer("What is the average pay in IT?", staff).values == ("66",)
    assert verify("Two people work in IT.", staff).supported is not False


SPECIES = make_table(
    "t",
    "Birds",
    [["Species", "Length (cm)", "Weight (g)", "Lifespan (years)", "Status"]],
    [
        ["Robin", "14", "18", "2", "Least concern"],
        ["Osprey", "58", "1,600", "20", "Least concern"],
        ["Puffin", "28", "420", "25", "Vulnerable"],
        ["Kiwi", "45", "2,800", "35", "Vulnerable"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Two species are of least concern.", True),
        ("The puffin is of least concern.", False),
        ("The heaviest species is 45 cm long.", True),
        ("The heaviest species is 58 cm long.", False),
        pytest.param("The kiwi lives the longest.", None, id="length or lifespan"),
        ("The osprey is the longest.", True),
    ],
)
def test_graded_words_of_cells_and_values_in_units_of_their_own(claim: str, truth: bool | None) -> None:
    assert decided(claim, SPECIES) is truth
