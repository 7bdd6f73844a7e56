"""Claims of what will, may or should be, of conditions and doubts: cells tell what is so."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

INNS = make_table(
    "inns",
    "",
    [["Inn", "Town", "Staff", "Delay of repairs (weeks)", "Top price (EUR)", "Dogs", "Guests sold to"]],
    [
        ["Old Anchor", "Ghent", "24", "3", "120", "yes", "2310"],
        ["Hop Garden", "Bruges", "11", "5", "90", "no", "960"],
        ["North Star", "Liege", "6", "2", "75", "yes", "430"],
    ],
)


@pytest.mark.parametrize(
    "word", ["will have", "would have", "may have", "might have", "should have", "must have", "could have"]
)
def test_a_modal_is_left_over_and_decides_nothing(word: str) -> None:
    verdict = verify(f"Old Anchor {word} a staff of 24.", INNS)
    assert not verdict.decides
    assert word.split(" ", maxsplit=1)[0] in verdict.accounting.unaccounted


@pytest.mark.parametrize(
    "claim",
    [
        "Old Anchor used to have a staff of 24.",
        "Old Anchor has to have a staff of 24.",
        "Old Anchor is said to have a staff of 24.",
        "Old Anchor plans to have a staff of 24.",
        "Old Anchor denied having a staff of 24.",
        "Old Anchor almost has a staff of 24.",
        "Old Anchor hardly has a staff of 24.",
        "Old Anchor formerly had a staff of 24.",
        "If Old Anchor has 24 staff, it is in Ghent.",
    ],
)
def test_what_is_doubted_or_conditional_is_not_decided(claim: str) -> None:
    assert not verify(claim, INNS).decides


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Old Anchor has a staff of 24.", True),
        ("Old Anchor has a staff of 25.", False),
        ("Old Anchor has a staff of about 24.", True),
        ("Old Anchor and North Star together would have a staff of 30.", True),
        ("Old Anchor and North Star together would have a staff of 31.", False),
    ],
)
def test_what_is_so_or_computed_is_decided(claim: str, truth: bool) -> None:
    assert verify(claim, INNS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Prices at Old Anchor can reach 120 euros.", True),
        ("Prices at Hop Garden can reach 120 euros.", False),
    ],
)
def test_a_header_may_tell_what_can_be(claim: str, truth: bool) -> None:
    assert verify(claim, INNS).supported is truth
