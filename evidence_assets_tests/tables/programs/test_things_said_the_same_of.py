"""Claims that say the same of each of several things, and of how many: read of one, run for each."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.grammar.number_programs import Cell, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Where
from evidence_assets.tables.programs.grammar.things import ThingsThat, substituted
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Every, Not, Some
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground_tokens
from evidence_assets.tables.programs.readings.parts.quantified_things import quantified_claims
from evidence_assets.tables.programs.readings.parts.things import NAME
from evidence_assets.tables.programs.verdicts.claim_ranking import runs
from evidence_assets.tables.programs.verdicts.each_of_things import BY_NAME
from evidence_assets.tables.programs.wording.words import tokens

WEIRS = make_table(
    "weirs",
    "Weirs on the Ashel, with their heads of water",
    [["Weir", "Parish", "Built", "Head (m)", "2019 visitors", "2022 visitors", "Fish pass"]],
    [
        ["Ashmill", "Corran", "1820", "2.1", "1200", "1500", "yes"],
        ["Dunmore", "Tarrow", "1905", "3.4", "800", "600", "no"],
        ["Elsham", "Corran", "1871", "1.2", "400", "450", "no"],
        ["Fenby", "Marl", "1960", "4.0", "2100", "2600", "yes"],
        ["Gorstead", "Marl", "1933", "2.9", "950", "950", "yes"],
        ["Hallow", "Tarrow", "1848", "1.8", "300", "", "no"],
    ],
)
INDEX = index_of(WEIRS)


def _by_name(claim: str) -> set[bool | None]:
    """Return what the programs that say something of each by its name come to."""
    grounded = ground_tokens(tokens(claim), INDEX)
    return {run.result.truth for run in runs(grounded) if run.proposal.kind.endswith(BY_NAME)}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No weir other than Fenby has a head of more than 3.5 m.", True),
        ("No weir other than Fenby has a head of more than 3 m.", False),
        ("No weir other than Fenby and Dunmore has a head of more than 3 m.", True),
        ("No weir except the three in Marl has a head of more than 2.5 m.", False),
        ("No weir except the two in Marl has a head of more than 3.5 m.", False),
        ("No weir except the two in Corran was built before 1840.", False),
        ("No weir except the two in Marl was built after 1930.", True),
        ("Dunmore is the only weir that had fewer visitors in 2022 than in 2019.", True),
        ("Elsham is the only weir that had fewer visitors in 2022 than in 2019.", False),
        ("Fenby is the only weir that had more visitors in 2022 than in 2019.", False),
        ("Fenby is not the only weir that had more visitors in 2022 than in 2019.", True),
        ("Of the two weirs in Marl, only Fenby had more visitors in 2022 than in 2019.", True),
        ("Of the two weirs in Marl, only Gorstead had more visitors in 2022 than in 2019.", False),
        ("Of the three weirs in Marl, only Fenby had more visitors in 2022 than in 2019.", False),
        ("Not all of the weirs have a head of more than 1 m.", False),
        ("Not all of the weirs have a head of more than 2 m.", True),
        ("At least two weirs are older than Elsham.", True),
        ("At least three weirs are older than Elsham.", False),
        ("There is no weir that is older than Ashmill.", True),
        ("There is no weir that is older than Hallow.", False),
    ],
)
def test_what_is_said_of_things_is_run_for_each(claim: str, truth: bool) -> None:
    assert _by_name(claim) == {truth}


@pytest.mark.parametrize(
    ("claim", "truths"),
    [
        ("No weir other than Fenby had more visitors in 2022 than Elsham.", {False}),
        ("No weir other than Fenby had more visitors in 2022 than Ashmill.", set()),
        ("At least three weirs had more visitors in 2022 than Dunmore.", {True}),
        ("At least four weirs had more visitors in 2022 than Dunmore.", set()),
    ],
)
def test_what_is_unknown_of_a_thing_leaves_open_what_hangs_on_it(claim: str, truths: set[bool]) -> None:
    # Nothing tells how many came to Hallow in 2022.
    assert _by_name(claim) == truths


def test_a_claim_is_taken_apart_into_things_and_what_is_said_of_them() -> None:
    claim = ground_tokens(tokens("No weir in Marl other than Fenby has a head of more than 3.5 m."), INDEX)
    (quantified,) = quantified_claims(claim)
    assert quantified.quantifier == "none"
    assert quantified.things.column == 0
    assert [claim.phrase(link.start, link.end) for link in quantified.scope] == ["marl"]
    assert [claim.phrase(link.start, link.end) for link in quantified.named] == ["fenby"]
    said = ["it" if n == NAME else claim.texts[n] for n in quantified.said]
    assert said == ["it", "have", "a", "head", "of", "more", "than", "3.5", "m", "."]


@pytest.mark.parametrize(
    "claim",
    [
        "All the weirs together had more than 5,000 visitors in 2019.",
        "Of all weirs, Fenby is the highest.",
        "Ashmill is the oldest, and nobody visited it.",
        "Every weir that burst was rebuilt.",
    ],
)
def test_what_is_said_of_things_together_or_of_some_not_told_is_said_of_none(claim: str) -> None:
    assert not list(quantified_claims(ground_tokens(tokens(claim), INDEX)))


def test_a_part_of_a_program_is_replaced_wherever_it_stands() -> None:
    it, other = Where.of_row(0, 0), Where.of_row(3, 0)
    said = All((Not(Some(it)), Compare(Cell(it, 3), ">", Literal(2.0))))
    assert substituted(said, it, other) == All((Not(Some(other)), Compare(Cell(other, 3), ">", Literal(2.0))))
    assert substituted(said, other, it) is said


def test_things_that_meet_what_is_said_are_rows_with_the_cells_that_were_compared() -> None:
    things = tuple(Where.of_row(row, 0) for row in range(6))
    said = tuple(Compare(Cell(thing, 5), ">", Cell(thing, 4)) for thing in things)
    gaining = ThingsThat(things, said, said[0])
    assert gaining.run(INDEX).rows == {0, 2, 3}
    assert {(0, 4), (0, 5), (1, 4), (1, 5)} <= gaining.run(INDEX).cells
    assert ThingsThat(things, said, said[0], unknown_hold=True).run(INDEX).rows == {0, 2, 3, 5}
    assert Every(AllRows(), gaining).run(INDEX).truth is False
    assert gaining.describe(WEIRS.header).startswith("those of which (2022 visitors")
