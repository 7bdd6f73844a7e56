"""Programs whose result hangs on the cells that a claim speaks of, and those that say nothing of it."""

from __future__ import annotations

import pytest

from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.verdicts.claim_ranking import runs
from evidence_assets_tests.testing.kite_table import KITES


def bearing(claim: str) -> set[tuple[str, bool | None]]:
    """Return the kinds and results of the programs that bear on a claim."""
    return {
        (run.proposal.kind, run.result.truth) for run in runs(ground(claim, index_of(KITES))) if run.bears
    }


@pytest.mark.parametrize(
    "claim",
    [
        # Not all rows are of a name, whatever is said of it; nor does it help that there is one.
        "Of all the kites on the beach, Ostara had the finest line.",
        "There was no wind at all to be had for Merle.",
        "After Merle, Dunlin drew the finest crowd.",
        # What is taken as given bears nothing out.
        "Of the two deltas, Merle tears sooner.",
        # A name or a day of the week that the table lacks.
        "The delta Merle was flown by Pilar.",
        "Dunlin was flown on the Saturday in June 2022 by Pilar.",
        # When something else was done than what the column tells.
        "The kite Merle was mended in 2003.",
        "Merle has been insured since 2003.",
        # What no cell holds may be worked out of several, and a bare number may be of any column.
        "Merle and Dunlin lift 390 grams.",
        # What is compared, or denied, is left.
        "Ostara is a box, steadier than Dunlin.",
        "Two of the kites are deltas and never tore.",
        # A column, or what is counted, is guessed.
        "Dunlin had the strongest keel of them.",
        "Ulla flew two of the deltas higher than Pippa.",
        # A time that is finer than what the cells tell.
        "Merle was last flown on 9 May.",
        "Merle was sewn in the spring of 1994.",
        # Of something of a row.
        "The owner of the Merle has a box.",
        "Merle's owner is a box.",
        # The cell that would tell is empty.
        "Pippa was last flown in June 2022.",
    ],
)
def test_what_says_nothing_of_a_claim_decides_nothing(claim: str) -> None:
    verdict = verify(claim, KITES)
    assert not verdict.decides
    assert verdict.supported is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Merle is a delta.", True),
        ("Merle is a box.", False),
        ("Two of the kites are boxes.", False),
        ("Dunlin has the widest wing span.", False),
        ("Two of the kites are deltas.", True),
        ("Of the four kites, two are deltas.", True),
        ("Merle was sewn in 1994.", True),
        ("Merle was sewn in 2003.", False),
        ("Dunlin was last flown in June 2022.", True),
        ("Ostara was last flown in May 2021.", False),
        ("Merle was last flown in May.", True),
        ("Ostara was last flown on 9 May 2021.", False),
    ],
)
def test_what_the_cells_tell_is_still_told(claim: str, truth: bool) -> None:
    verdict = verify(claim, KITES)
    assert verdict.supported is truth


def test_a_time_that_agrees_bears_on_a_claim_whose_verb_is_left() -> None:
    # That the times agree says something, that they do not may be of another event.
    assert ("co-occurrence by row", True) in bearing("Merle was stitched in 1994.")
    assert not bearing("Merle was stitched in 2003.")


def test_a_verdict_without_a_program_that_bears_on_the_claim_is_not_likely() -> None:
    verdict = verify("There was no wind at all to be had for Merle.", KITES)
    assert verdict.confidence == 0.0
    assert verdict.reliability == 0.0
