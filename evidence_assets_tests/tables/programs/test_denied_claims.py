"""Claims that deny: of each that they list, up to a time, in a clause of their own, of one of several."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import verdicts

ROUNDS = make_table(
    "rounds",
    "Rounds of the league",
    [["Round", "Home team", "Away team", "Result", "Points"]],
    [
        ["1", "Marl", "North Kelby", "lost", "0"],
        ["2", "Kelby", "Marl", "lost", "0"],
        ["3", "Marl", "Orrin", "won", "2"],
        ["4", "Tarn", "Marl", "won", "3"],
    ],
)
ROWERS = make_table(
    "rowers",
    "Rowers of a regatta",
    [["Rower", "Club", "Country", "Gold", "Bronze", "Captain"]],
    [
        ["Ana Roe", "Lark", "Spain", "2", "0", "yes"],
        ["Bo Finch", "Lark", "Norway", "0", "0", "no"],
        ["Cy Hale", "Wren", "Spain", "1", "3", "no"],
        ["Dee Moss", "Wren", "Italy", "0", "1", "no"],
    ],
)
REGATTAS = make_table(
    "regattas",
    "Regattas of the Tern",
    [["Year", "Result", "Course"]],
    [
        ["2018", "won", "Cove"],
        ["2019", "second", "Bay"],
        ["2020", "won", "Firth"],
        ["2021", "second", "Cove"],
        ["2022", "won", "Firth"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        # What is listed is each denied the same.
        (ROWERS, "Ana Roe and Bo Finch did not win any bronze.", "denied co-occurrence", True),
        (ROWERS, "Ana Roe and Cy Hale did not win any bronze.", "denied co-occurrence", False),
        (ROWERS, "Neither Ana Roe nor Bo Finch is in Wren.", "none", True),
        (ROWERS, "Neither Ana Roe nor Cy Hale is in Wren.", "none", False),
        # The first time, none before it.
        (ROUNDS, "Marl had not won until round 3.", "denied co-occurrence", True),
        (ROUNDS, "Marl had not won until round 4.", "denied co-occurrence", False),
        (ROUNDS, "Marl had not won until round 2.", "denied co-occurrence", False),
        # One of so many.
        (ROWERS, "Bo Finch is not one of the two from Spain.", "denied co-occurrence", True),
        (ROWERS, "Ana Roe is not one of the two from Spain.", "denied co-occurrence", False),
        (ROWERS, "Bo Finch is not one of the three from Spain.", "denied co-occurrence", False),
        (ROWERS, "Bo Finch is not one of the rowers from Spain.", "denied co-occurrence", True),
        # What a clause denies leaves what is said besides.
        (ROWERS, "Cy Hale, who is not from Norway, has 3 bronze.", "denied in a clause", True),
        (ROWERS, "Cy Hale, who is not from Spain, has 3 bronze.", "denied in a clause", False),
        # Others too, and others not.
        (ROWERS, "Ana Roe is not the only rower from Spain.", "only", True),
        (ROWERS, "Bo Finch is not the only rower from Norway.", "only", False),
        (ROWERS, "Ana Roe and Cy Hale are the only rowers not from Norway.", "only", False),
        (ROWERS, "Ana Roe is the only one who is captain.", "only", True),
        (ROWERS, "Bo Finch is the only one who is captain.", "only", False),
        # What opens behind a comma denies nothing of what stands before it.
        (ROWERS, "Ana Roe, not Cy Hale, has the most gold.", "contrast", True),
        (ROWERS, "Cy Hale, not Ana Roe, has the most gold.", "contrast", False),
        # The first column of numbers that may be zero is what there is none of.
        (ROWERS, "Bo Finch did not compete for gold.", "none of a column", True),
        (ROWERS, "Cy Hale did not compete for gold.", "none of a column", False),
    ],
)
def test_a_denial_is_of_what_its_wording_says(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert truth in verdicts(table, claim, kind)
    assert (not truth) not in verdicts(table, claim, kind)


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        # Nobody of that name is in the table.
        ("Eve Lund had not won until round 3.", "denied co-occurrence"),
        ("Eve Lund is not one of the two from Spain.", "denied co-occurrence"),
        ("Eve Lund is not from Spain.", "denied co-occurrence"),
        # No round is told up to which.
        ("Ana Roe had not rowed until spring.", "denied co-occurrence"),
        # One that is a pronoun counts nothing.
        ("Ana Roe is the only one from Spain.", "count"),
        ("Not one of the rowers from Spain is captain.", "count"),
    ],
)
def test_a_denial_of_what_is_not_told_has_no_reading(claim: str, kind: str) -> None:
    assert not verdicts(ROWERS, claim, kind)


def test_a_team_of_a_longer_name_is_another() -> None:
    claim = "Kelby is not the away team of round 1."

    (kelby,) = (link for link in ground(claim, index_of(ROUNDS)).links if link.start == 0)

    assert not kelby.rows
    assert verdicts(ROUNDS, claim, "denied co-occurrence") == {True}


@pytest.mark.parametrize(
    "claim",
    [
        "Ana Roe not only has gold, Ana Roe is captain.",
        "Ana Roe has no more than 2 gold.",
    ],
)
def test_what_denies_nothing_is_no_negation(claim: str) -> None:
    assert ground(claim, index_of(ROWERS)).negation is None


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("without a single bronze", "= 0"),
        ("without any bronze", "= 0"),
        ("who won any bronze", "> 0"),
        ("who gets a bronze", "> 0"),
    ],
)
def test_the_longest_words_that_say_how_many_tell_the_condition(words: str, condition: str) -> None:
    links = ground(f"Spain has a rower {words}.", index_of(ROWERS)).links

    assert [link.bound for link in links if link.bound] == [condition]
    assert [link.end - link.start for link in links if link.bound] == [
        len(words.removeprefix("who ").split())
    ]


CABINS = make_table(
    "cabins",
    "Cabins of the Fell club",
    [["Cabin", "Valley", "Stove", "Dogs"]],
    [
        ["Ura", "Dale", "serviced", "allowed"],
        ["Vik", "Dale", "not serviced", "not allowed"],
        ["Ost", "Ness", "serviced", "not allowed"],
        ["Lyr", "Ness", "not rated", "allowed"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Dogs are allowed at Ura.", True),
        ("Dogs are allowed at Vik.", False),
        ("Dogs are not allowed at Vik.", True),
        ("Dogs are not allowed at Ura.", False),
        ("The stove at Vik was serviced.", False),
        ("The stove at Vik was not serviced.", True),
        ("Dogs are allowed at two of the cabins.", True),
        ("Dogs are allowed at both Ura and Lyr.", True),
    ],
)
def test_a_cell_that_denies_a_word_does_not_say_it(claim: str, truth: bool) -> None:
    assert verify(claim, CABINS).supported is truth


def test_a_word_that_cells_only_deny_names_none_of_them() -> None:
    assert "rated" in verify("Lyr was rated best in Ness.", CABINS).accounting.unaccounted


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The Tern won three times.", True),
        ("The Tern won three times and no other cup.", None),
        ("The Tern won three times but never in fog.", None),
    ],
)
def test_what_is_denied_besides_a_count_is_not_borne_out_by_it(claim: str, supported: bool | None) -> None:
    assert verify(claim, REGATTAS).supported is supported


MEDALS = make_table(
    "medals",
    "Rowing at the Lake Games",
    [["Year", "Gold", "Silver", "Bronze"]],
    [
        ["1990", "Spain", "Italy", "Norway"],
        ["1994", "Italy", "Spain", "China"],
        ["1998", "Italy", "Spain", "Norway"],
        ["2002", "Spain", "China", "Italy"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (ROUNDS, "Orrin played at home in round 3.", False),
        (ROUNDS, "Orrin did not play at home in round 3.", True),
        (ROUNDS, "Tarn played at home in round 4.", True),
        (ROUNDS, "Orrin is not a home team.", True),
        (ROUNDS, "Tarn is not an away team.", True),
        (MEDALS, "China never won gold between 1990 and 2002.", True),
        (MEDALS, "China won gold in 2002.", False),
        (MEDALS, "Spain won silver in 1998.", True),
        (MEDALS, "Spain did not win silver in 1998.", False),
    ],
)
def test_a_name_is_on_the_side_that_a_claim_says(table: Table, claim: str, truth: bool) -> None:
    assert verify(claim, table).supported is truth


def test_that_a_name_is_not_on_its_own_side_is_refuted() -> None:
    assert verdicts(ROUNDS, "Tarn is not a home team.", "denied co-occurrence") == {False}


ENGINES = make_table(
    "engines",
    "Engines of the Fell line",
    [["Engine", "Entered service", "Weight", "Power"]],
    [
        ["Ura", "March 1983", "27", "1659"],
        ["Vik", "May 1983", "45", "1234"],
        ["Ost", "June 1984", "9", "33"],
        ["Lyr", "July 1986", "30", "52"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No engine entered service in 1984.", False),
        # No number of the column right before a bound meets it.
        ("There is no weight with a power below 30.", True),
        ("There is no weight with a power below 40.", False),
    ],
)
def test_none_is_of_the_column_that_is_named_last(claim: str, truth: bool) -> None:
    assert verdicts(ENGINES, claim, "none") == {truth}
