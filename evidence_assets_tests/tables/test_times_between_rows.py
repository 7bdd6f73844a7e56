"""Claims of how many years lie between what two rows tell."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.plain_tables import TOWERS
from evidence_assets_tests.testing.program_verdicts import verdicts


@pytest.mark.parametrize(
    ("claim", "kind", "truth"),
    [
        ("The Dock was built 277 years after the Moot Hall.", "years between rows", True),
        ("The Salt Tower was built more than 400 years before the Dock.", "years between rows", True),
        ("The Moot Hall was built 300 years before the Dock.", "years between rows", False),
    ],
)
def test_years_lie_between_what_rows_tell(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(TOWERS, claim, kind) == {truth}
