"""What tells a program that was meant from one that was not: how it came out, and what it leaves undone."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.grammar.outcomes import outcome_features
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.verdicts.asked_operations import asked_operations
from evidence_assets.tables.programs.verdicts.claim_features import Features, claim_features
from evidence_assets.tables.programs.verdicts.claim_ranking import runs
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import carried

INDEX = index_of(
    make_table(
        "ferries",
        "Ferries of the sound",
        [["Ferry", "Built", "Seats", "Port"]],
        [
            ["Alke", "1998", "300", "Ulla"],
            ["Skua", "2004", "450", "Ulla"],
            ["Tern", "2011", "120", "Brenn"],
            ["Gull", "2015", "280", "Ulla"],
        ],
    )
)


def _outcome(claim: str, kind: str) -> dict[str, float]:
    run = next(run for run in runs(ground(claim, INDEX)) if run.proposal.kind == kind)
    return outcome_features(run.proposal.program, INDEX)


def _features(claim: str, kind: str) -> Features:
    grounded = ground(claim, INDEX)
    programs = runs(grounded)
    features = claim_features(grounded, programs, len(carried(grounded)))
    return next(f for run, f in zip(programs, features, strict=True) if run.proposal.kind == kind)


@pytest.mark.parametrize(
    ("claim", "kind", "outcome"),
    [
        ("There are 2 ferries in Ulla.", "count", {"1 off in counting", "3 counted"}),
        ("Alke has 30 more seats than Gull.", "difference", {"gap of half"}),
        ("Tern is in Ulla.", "co-occurrence by row", {"best row lacks 1 of 2", "unlikely to meet by chance"}),
        ("Skua is in Ulla.", "co-occurrence by row", {"best row lacks 0 of 2", "unlikely to meet by chance"}),
        ("Alke has the most seats.", "superlative", {"place near the claimed"}),
        ("Skua has the most seats.", "superlative", {"place as claimed"}),
        ("All ferries are in Ulla.", "all", {"most of the scope", "scope of 3"}),
        ("Only Skua is in Ulla.", "only", {"2 others hold"}),
    ],
)
def test_a_program_tells_how_near_it_came(claim: str, kind: str, outcome: set[str]) -> None:
    assert _outcome(claim, kind).keys() == outcome


def test_what_is_denied_comes_out_as_its_part() -> None:
    assert _outcome("Tern is not in Ulla.", "denied co-occurrence").keys() >= {"best row lacks 1 of 2"}


@pytest.mark.parametrize(
    ("claim", "operations"),
    [
        ("Skua is in Ulla.", set()),
        ("Only Skua has more seats than Tern.", {"only", "comparative"}),
        ("The oldest ferry is not in Brenn.", {"superlative", "negation"}),
        ("7 are sold.", {"number", "a number that is not in the table", "no value of the table"}),
    ],
)
def test_a_claim_tells_what_it_asks_for(claim: str, operations: set[str]) -> None:
    assert asked_operations(ground(claim, INDEX)) == operations


def test_what_is_left_undone_is_told_with_the_verdict() -> None:
    features = _features("Skua in Ulla has the most engines.", "co-occurrence by row")

    assert {
        "left a superlative, supported",
        "claim of superlative, kind co-occurrence by row, supported",
        "best row lacks 0 of 2, some left, supported",
    } <= features.keys()
