"""Why a verdict decides nothing, in words for who asks."""

from __future__ import annotations

import pytest

from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.verdicts.soundness.doubts import CHECKS
from evidence_assets.tables.programs.wording.words import MOST_TOKENS
from evidence_assets_tests.testing.kite_table import KITES


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("Ostara had the finest line.", "it would be so whatever the cells beside the names hold"),
        ("The delta Merle was flown by Pilar.", "a name is left that nothing tells of"),
        ("Merle's sail was torn in 1994.", "no column tells what the claim says that it has"),
        ("Merle has been insured since 2003.", "the claim does not name the column of its time or number"),
        ("Merle mauls the delta.", "nothing in the table tells what the claim says of these values"),
        ("Dunlin is a blue delta.", 'it leaves "blue", and of claims read so'),
        (
            "Merle was a heavy delta in bad weather with much rain.",
            'it leaves "bad", "weather", "much", "rain", which may turn it',
        ),
    ],
)
def test_a_program_that_decides_nothing_is_told_with_why(claim: str, why: str) -> None:
    verdict = verify(claim, KITES)
    assert not verdict.decides
    assert verdict.comes_to is not None
    assert verdict.doubt.startswith(why)


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("The widest kite is Ostara because it is a rokkaku.", "the table tells no reasons"),
        ("Most kites are clean.", "no program is true or false of it"),
        ("kite " * MOST_TOKENS + "flies.", f"a claim of more than {MOST_TOKENS} words and marks is not read"),
    ],
)
def test_a_claim_without_a_program_is_told_with_why(claim: str, why: str) -> None:
    verdict = verify(claim, KITES)
    assert (verdict.comes_to, verdict.doubt) == (None, why)


def test_what_decides_has_no_doubt() -> None:
    verdict = verify("Merle was sewn in 1994.", KITES)
    assert (verdict.supported, verdict.comes_to, verdict.doubt) == (True, True, "")


def test_what_a_frame_denies_comes_to_the_contrary() -> None:
    claim = "Dunlin is a blue delta."
    plain, denied = verify(claim, KITES), verify(f"It is not true that {claim}", KITES)
    assert (plain.comes_to, denied.comes_to) == (True, False)
    assert plain.doubt == denied.doubt


def test_reasons_tell_checks_apart() -> None:
    """Each reason belongs to one check, but for what a claim says that a row has, which two look for."""
    reasons = [check.why for check in CHECKS]
    assert len(reasons) - len({*reasons}) == 1
    assert not any(reason.endswith(".") or reason[0].isupper() for reason in reasons)
