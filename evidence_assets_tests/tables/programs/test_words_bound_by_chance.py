"""Ordinals and common words that a cell holds by chance, verbs that a table does not tell, mixed units."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

FILMS = make_table(
    "films",
    "",
    [["Film", "Screen", "Tickets sold", "Maker"]],
    [
        ["Moonrise", "1", "1820", "Tarn Engineering"],
        ["Salt Road", "2", "960", "Harlow Works"],
        ["Comet", "1", "2310", "Tarn Engineering"],
        ["Orchard", "2", "430", "Harlow Works"],
    ],
)


@pytest.mark.parametrize(
    "claim",
    [
        "Orchard sold 430 tickets on its second weekend.",
        "Moonrise sold 1820 tickets for the first time.",
        "Comet sold 2310 tickets on its first day.",
    ],
)
def test_an_ordinal_before_another_noun_is_no_cell_of_a_column(claim: str) -> None:
    assert not verify(claim, FILMS).decides


@pytest.mark.parametrize(
    ("claim", "truth"),
    [("Orchard ran on the second screen.", True), ("Orchard ran on the first screen.", False)],
)
def test_an_ordinal_before_a_columns_noun_is_its_cell(claim: str, truth: bool) -> None:
    assert verify(claim, FILMS).supported is truth


def test_a_common_word_is_no_part_of_a_name() -> None:
    assert "engine" in verify("The engine of Comet sold 2310 tickets.", FILMS).accounting.unaccounted


@pytest.mark.parametrize(
    "claim", ["The sequel of Comet sold 2310 tickets.", "The engine of Salt Road sold 960 tickets."]
)
def test_something_of_a_named_row_is_not_the_row(claim: str) -> None:
    assert not verify(claim, FILMS).decides


def test_a_columns_value_of_a_named_row_is_decided() -> None:
    assert verify("The maker of Comet is Tarn Engineering.", FILMS).supported is True


@pytest.mark.parametrize(
    ("claim", "truth"), [("Comet is by Tarn Engineering.", True), ("Comet is by Harlow Works.", False)]
)
def test_a_name_written_as_a_name_is_bound(claim: str, truth: bool) -> None:
    assert verify(claim, FILMS).supported is truth


@pytest.mark.parametrize(
    "claim",
    [
        "Comet refunded 2310 tickets.",
        "Comet gave away 2310 tickets.",
        "Comet cancelled 2310 tickets.",
        "Comet lost 2310 tickets.",
    ],
)
def test_a_verb_by_which_something_ends_does_not_say_what_a_column_counts(claim: str) -> None:
    verdict = verify(claim, FILMS)
    assert not verdict.decides
    assert claim.split()[1] in verdict.accounting.unaccounted


CREWS = make_table(
    "crews",
    "",
    [["Crew", "Races", "Wins", "Losses"]],
    [["Herons", "24", "15", "9"], ["Kings", "30", "12", "18"], ["Larks", "10", "1", "9"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"), [("Kings lost 18 races.", True), ("Kings lost 17 races.", False)]
)
def test_such_a_verb_is_told_by_a_column_of_its_name(claim: str, truth: bool) -> None:
    assert verify(claim, CREWS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Herons and Kings won 27 races in total.", True),
        ("Herons and Kings won 54 races in total.", False),
        ("Herons won six more races than they lost.", True),
    ],
)
def test_a_verb_before_a_number_says_which_column_its_noun_is_of(claim: str, truth: bool) -> None:
    assert verify(claim, CREWS).supported is truth


WEIGHTS = [["Xan", "500 g"], ["Yor", "2 kg"], ["Wim", "1.5 lb"]]
MIXED = make_table("mixed", "", [["Sample", "Amount"]], [*WEIGHTS, ["Zed", "3 s"]])
ALIKE = make_table("alike", "", [["Sample", "Amount"]], WEIGHTS)


@pytest.mark.parametrize(
    "claim", ["Zed is lighter than Xan.", "Zed is the lightest.", "Yor has the highest amount."]
)
def test_units_that_cannot_be_compared_are_not(claim: str) -> None:
    assert not verify(claim, MIXED).decides


@pytest.mark.parametrize(
    ("claim", "truth"),
    [("Wim is heavier than Xan.", True), ("Wim is lighter than Xan.", False), ("Xan is the lightest.", True)],
)
def test_units_that_can_be_compared_are_converted(claim: str, truth: bool) -> None:
    assert verify(claim, ALIKE).supported is truth
